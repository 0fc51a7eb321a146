"""Statistics as data frames and records."""

from collections.abc import Sequence
from typing import Any, Final

import polars as pl

from golf_cli.scoring import PARS, PERFECT_TOTAL, TRADITION_PAR
from golf_cli.solvers.outcome import Result
from golf_cli.stats.intervals import CONFIDENCE
from golf_cli.stats.nine_holes import nine_holes
from golf_cli.stats.skill import Skill
from golf_cli.stats.tally import Tally
from golf_cli.sweep.schema import PLAYER, SCHEMA

QUANTILES: Final = {
    "strokes_min": 0,
    "strokes_q05": 5,
    "strokes_q25": 25,
    "strokes_median": 50,
    "strokes_q75": 75,
    "strokes_q95": 95,
    "strokes_max": 100,
}
"""The strokes quantiles of a summary, each with its share in percent."""

NINE_HOLES_QUANTILES: Final = {
    "nine_holes_q05": 5,
    "nine_holes_q25": 25,
    "nine_holes_median": 50,
    "nine_holes_q75": 75,
    "nine_holes_q95": 95,
}
"""The quantiles of the total over nine holes, each with its share in percent."""

_PLAYER: Final[dict[str, pl.DataType]] = {name: SCHEMA[name] for name in PLAYER}

SUMMARY_SCHEMA: Final = pl.Schema(
    {
        **_PLAYER,
        "deals": pl.UInt64(),
        "cleared": pl.UInt64(),
        "blocked": pl.UInt64(),
        "not_clearable": pl.UInt64(),
        "undecided": pl.UInt64(),
        "win_rate": pl.Float64(),
        "win_low": pl.Float64(),
        "win_high": pl.Float64(),
        "confidence": pl.Float64(),
        "mean_strokes": pl.Float64(),
        **{name: pl.Int8() for name in QUANTILES},
        "mean_points": pl.Float64(),
        "nine_holes_45": pl.Float64(),
        "nine_holes_perfect": pl.Float64(),
        **{name: pl.Int16() for name in NINE_HOLES_QUANTILES},
        "par": pl.UInt8(),
    }
)
"""The columns of a summary, one row a player.

Where no deal is decided, `win_rate` and everything from `mean_strokes` on are null.
"""

SHARE_QUANTILES: Final = {
    "win_probability_q05": 5,
    "win_probability_q25": 25,
    "win_probability_median": 50,
    "win_probability_q75": 75,
    "win_probability_q95": 95,
}
"""The quantiles of the deals' win probabilities in a summary, each with its share in percent."""

PAR_SHARES: Final = {f"par_{par}": par for par in PARS}
"""The shares of deals with a par in a summary, each with the par."""

_SKILL_SCHEMA: Final = pl.Schema(
    {
        "games": pl.UInt64(),
        "win_probability": pl.Float64(),
        "win_probability_low": pl.Float64(),
        "win_probability_high": pl.Float64(),
        **{name: pl.Float64() for name in SHARE_QUANTILES},
        "games_strokes": pl.Float64(),
        "games_strokes_low": pl.Float64(),
        "games_strokes_high": pl.Float64(),
        "skill_gap_deals": pl.UInt64(),
        "skill_gap": pl.Float64(),
        "skill_gap_low": pl.Float64(),
        "skill_gap_high": pl.Float64(),
        **{name: pl.Float64() for name in PAR_SHARES},
    }
)

_CLEARABLE: Final = "clearable_"

GAMES_SUMMARY_SCHEMA: Final = pl.Schema(
    {**_SKILL_SCHEMA, **{f"{_CLEARABLE}{name}": kind for name, kind in _SKILL_SCHEMA.items()}}
)
"""The columns that follow in a summary where some player's games were counted: of all its deals, then of those that can
be cleared. They are null for players whose games were not counted; a mean is null where there is no such deal, and the
ends of its interval where there are fewer than two.
"""

DISTRIBUTION_SCHEMA: Final = pl.Schema({**_PLAYER, "strokes": pl.Int8(), "deals": pl.UInt64(), "share": pl.Float64()})
"""The columns of a strokes distribution, one row a player and strokes that occur; `share` is of the decided deals."""

ROUNDS_SCHEMA: Final = pl.Schema({**_PLAYER, "total": pl.Int16(), "chance": pl.Float64()})
"""The columns of the totals over nine holes, one row a player and total that can be."""


def summary(tallies: Sequence[Tally], confidence: float = CONFIDENCE) -> pl.DataFrame:
    """One row a player, in the order given: results, win rate and its interval, strokes, points, par.

    Returns:
        a frame of `SUMMARY_SCHEMA`, and where games were counted of `GAMES_SUMMARY_SCHEMA`. Shares and chances are 0 to
        1. `win_rate` is cleared of decided deals; `win_low` and `win_high` also allow for the undecided ones. Strokes
        and points are of the decided deals.

    Raises:
        ConfidenceError: `confidence` is not strictly between 0 and 1.
    """
    counted = any(tally.skill for tally in tallies)
    schema = pl.Schema({**SUMMARY_SCHEMA, **GAMES_SUMMARY_SCHEMA}) if counted else SUMMARY_SCHEMA
    return pl.DataFrame([_summary_of(tally, confidence) for tally in tallies], schema, orient="row")


def strokes_distribution(tallies: Sequence[Tally]) -> pl.DataFrame:
    """One row a player and strokes that occur, players in the order given and strokes ascending.

    Returns:
        a frame of `DISTRIBUTION_SCHEMA`.
    """
    rows = [{**_player_of(tally), **row} for tally in tallies for row in _distribution_of(tally)]
    return pl.DataFrame(rows, DISTRIBUTION_SCHEMA, orient="row")


def rounds_distribution(tallies: Sequence[Tally]) -> pl.DataFrame:
    """One row a player and total over nine holes, players in the order given and totals ascending.

    Returns:
        a frame of `ROUNDS_SCHEMA`.
    """
    rows = [{**_player_of(tally), **row} for tally in tallies for row in _rounds_of(tally)]
    return pl.DataFrame(rows, ROUNDS_SCHEMA, orient="row")


def records(tallies: Sequence[Tally], confidence: float = CONFIDENCE, rounds: bool = False) -> list[dict[str, Any]]:
    """The rows of `summary`, each with its strokes distribution nested under `distribution`, as JSON takes them.

    With `rounds` the totals over nine holes are nested under `rounds`.

    Raises:
        ConfidenceError: `confidence` is not strictly between 0 and 1.
    """
    return [
        {
            **_summary_of(tally, confidence),
            "distribution": _distribution_of(tally),
            **({"rounds": _rounds_of(tally)} if rounds else {}),
        }
        for tally in tallies
    ]


def _player_of(tally: Tally) -> dict[str, str | int | None]:
    return {"numbering": tally.numbering, "rules": tally.rules, "solver": tally.solver, "seed": tally.seed}


def _distribution_of(tally: Tally) -> list[dict[str, int | float]]:
    return [
        {"strokes": strokes, "deals": deals, "share": deals / tally.decided} for strokes, deals in tally.strokes.items()
    ]


def _rounds_of(tally: Tally) -> list[dict[str, int | float]]:
    holes = nine_holes(tally)
    return [{"total": total, "chance": ways / holes.choices} for total, ways in holes.ways.items()] if holes else []


def _summary_of(tally: Tally, confidence: float) -> dict[str, str | int | float | None]:
    interval = tally.win_interval(confidence)
    holes = nine_holes(tally)
    return {
        **_player_of(tally),
        "deals": tally.deals,
        "cleared": tally.cleared,
        "blocked": tally.results.get(Result.BLOCKED, 0),
        "not_clearable": tally.results.get(Result.NOT_CLEARABLE, 0),
        "undecided": tally.undecided,
        "win_rate": tally.win_rate,
        "win_low": interval.low,
        "win_high": interval.high,
        "confidence": confidence,
        "mean_strokes": tally.mean_strokes,
        **{name: tally.quantile(percent) for name, percent in QUANTILES.items()},
        "mean_points": tally.mean_points,
        "nine_holes_45": float(holes.chance(TRADITION_PAR)) if holes else None,
        "nine_holes_perfect": float(holes.chance(PERFECT_TOTAL)) if holes else None,
        **{name: holes.quantile(percent) if holes else None for name, percent in NINE_HOLES_QUANTILES.items()},
        "par": tally.par,
        **_skill_of(tally.skill, confidence),
    }


def _skill_of(skill: Skill | None, confidence: float) -> dict[str, int | float | None]:
    if skill is None:
        return {}
    of_clearable = _figures_of(skill.clearable, confidence)
    return {**_figures_of(skill, confidence), **{f"{_CLEARABLE}{name}": value for name, value in of_clearable.items()}}


def _figures_of(skill: Skill, confidence: float) -> dict[str, int | float | None]:
    wins = skill.win_interval(confidence)
    strokes, gap = (mean.interval(confidence) or (None, None) for mean in (skill.strokes, skill.gap))
    return {
        "games": skill.games,
        "win_probability": skill.win_probability.value,
        "win_probability_low": wins.low,
        "win_probability_high": wins.high,
        **{name: skill.quantile(percent) for name, percent in SHARE_QUANTILES.items()},
        "games_strokes": skill.strokes.value,
        "games_strokes_low": strokes[0],
        "games_strokes_high": strokes[1],
        "skill_gap_deals": skill.gap.deals,
        "skill_gap": skill.gap.value,
        "skill_gap_low": gap[0],
        "skill_gap_high": gap[1],
        **{name: skill.par_share(par) for name, par in PAR_SHARES.items()},
    }
