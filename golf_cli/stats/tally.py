"""Counts of outcomes: the one pass over a dataset from which every table and figure comes."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

import polars as pl

from golf_cli.errors import DatasetError
from golf_cli.rules import PRESETS
from golf_cli.scoring import par_of_mean
from golf_cli.solvers.outcome import Result
from golf_cli.stats.intervals import CONFIDENCE, Interval, win_interval
from golf_cli.stats.skill import Alike, Skill
from golf_cli.sweep.plan import Plan
from golf_cli.sweep.rows import player_of
from golf_cli.sweep.schema import PLAYER, SCHEMA
from golf_cli.sweep.store import Store
from golf_cli.wording import counted, noun


@dataclass(frozen=True)
class Tally:
    """What came of one player's deals, counted in whole numbers.

    Attributes:
        numbering: how the deals were numbered.
        rules: canonical text of the rule set.
        solver: canonical text of the solver with its options.
        seed: the solver's seed, or None where the dataset has none.
        results: deals by result, only results that occur.
        strokes: decided deals by strokes, ascending, only strokes that occur.
        points: app points of the decided deals, added up.
        skill: the games of the deals, where the solver counts games.
    """

    numbering: str
    rules: str
    solver: str
    seed: int | None
    results: Mapping[Result, int]
    strokes: Mapping[int, int]
    points: int
    skill: Skill | None = None

    @cached_property
    def deals(self) -> int:
        """Deals played."""
        return sum(self.results.values())

    @cached_property
    def decided(self) -> int:
        """Deals the solver came to an end of."""
        return sum(deals for result, deals in self.results.items() if result.decided)

    @property
    def undecided(self) -> int:
        """Deals the solver left undecided."""
        return self.deals - self.decided

    @property
    def cleared(self) -> int:
        """Deals cleared."""
        return self.results.get(Result.CLEARED, 0)

    @property
    def win_rate(self) -> float | None:
        """Cleared deals out of the decided ones, or None where none is decided."""
        return self.cleared / self.decided if self.decided else None

    def win_interval(self, confidence: float = CONFIDENCE) -> Interval:
        """The interval of the win rate, widened on both sides by the undecided deals.

        Raises:
            ConfidenceError: `confidence` is not strictly between 0 and 1.
        """
        return win_interval(self.cleared, self.undecided, self.deals, confidence)

    @property
    def mean_strokes(self) -> float | None:
        """Mean strokes of the decided deals, or None where none is decided."""
        total = sum(strokes * deals for strokes, deals in self.strokes.items())
        return total / self.decided if self.decided else None

    @property
    def mean_points(self) -> float | None:
        """Mean app points of the decided deals, or None where none is decided."""
        return self.points / self.decided if self.decided else None

    @property
    def par(self) -> int | None:
        """The player's par, 3 to 5, from the mean strokes, or None where no deal is decided."""
        return None if self.mean_strokes is None else par_of_mean(self.mean_strokes)

    def quantile(self, percent: int) -> int | None:
        """The smallest strokes that at least `percent` % of the decided deals do not exceed, or None of no deals.

        0 gives the fewest strokes that occur and 100 the most; whatever is given, the strokes occur.
        """
        running = accumulate(self.strokes.values())
        reached = (
            strokes
            for strokes, deals in zip(self.strokes, running, strict=True)
            if 100 * deals >= percent * self.decided
        )
        return next(reached, None)


def tally(frame: pl.LazyFrame) -> tuple[Tally, ...]:
    """Count a dataset's outcomes, a tally a player.

    Players are sorted by numbering, by rules (presets first, from the easiest to the strictest, then other rules by
    their text), solver and seed. The rows may come in any order; they are streamed and counted once.

    Args:
        frame: rows of `golf_cli.sweep.schema.SCHEMA`, or where games are counted of `COUNTED_SCHEMA`.

    Raises:
        DatasetError: there are no rows, the dataset cannot be read, or a decided deal has no strokes.
    """
    return _tallies(_counted(frame, *PLAYER))


def tally_of(store: Store, plan: Plan) -> tuple[Tally, ...]:
    """Count what a store holds of a plan: what `tally` makes of `store.scan(plan)`, in less time and memory.

    A file holds the rows of one task, and its strong id is checked; so who played is not read row by row.

    Raises:
        DatasetError: as `tally` and `Store.scan`.
    """
    counted = [
        _counted(store.scan(Plan((task,), plan.interval))).with_columns(
            pl.lit(value, SCHEMA[name]).alias(name) for name, value in player_of(task).items()
        )
        for task in store.begun(plan) or plan.tasks
    ]
    return _tallies(pl.concat(counted, how="diagonal"))


def _counted(frame: pl.LazyFrame, *by: str) -> pl.LazyFrame:
    """Deals and points by result and strokes, and by what else is named; where games are counted, by these too."""
    # Summed as they are, 16-bit points would be widened to a signed type by one engine and not by another.
    deals, points = pl.len().cast(pl.UInt64).alias("deals"), pl.col("points").cast(pl.UInt64).sum()
    if "games" not in frame.collect_schema():
        return frame.group_by(*by, "result", "strokes").agg(deals, points)
    strokes = pl.col("games_strokes").cast(pl.Int128)
    sums = strokes.sum(), (strokes * strokes).sum().alias("games_squares")
    return frame.group_by(*by, "result", "strokes", "games", "games_cleared", "par").agg(deals, points, *sums)


def _tallies(counted: pl.LazyFrame) -> tuple[Tally, ...]:
    try:
        counts = counted.sort(*PLAYER, "strokes", "result").collect()
    except pl.exceptions.PolarsError as error:
        raise DatasetError(
            f"the dataset cannot be read ({str(error).splitlines()[0]}): a file in it is damaged; move it out of the "
            "dataset, and a rerun of the sweep plays its deals again"
        ) from error
    if counts.is_empty():
        raise DatasetError("the dataset has no rows, so there is nothing to count: sweep some deals first")
    players: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in counts.iter_rows(named=True):
        players.setdefault(tuple(row[name] for name in PLAYER), []).append(row)
    return tuple(sorted((_tally_of(rows) for rows in players.values()), key=_order))


def _tally_of(rows: list[dict[str, Any]]) -> Tally:
    player = {name: rows[0][name] for name in PLAYER}
    results: dict[Result, int] = {}
    strokes: dict[int, int] = {}
    points = 0
    groups: list[Alike] = []
    for row in rows:
        result = Result(row["result"])
        if row.get("games") is not None:
            alike = ("strokes", "games", "games_cleared", "par", "deals", "games_strokes", "games_squares")
            groups.append(Alike(result, *(row[name] for name in alike)))
        results[result] = results.get(result, 0) + row["deals"]
        if not result.decided:
            continue
        if row["strokes"] is None:
            raise DatasetError(
                f"{counted(row['deals'], 'deal')} of {player} {noun(row['deals'], 'is', 'are')} '{result}' with no "
                "strokes: the dataset was not written by a sweep; sweep these deals again"
            )
        strokes[row["strokes"]] = strokes.get(row["strokes"], 0) + row["deals"]
        points += row["points"]
    # The rows come by strokes and result.
    skill = Skill(tuple(sorted(groups, key=lambda group: (group.games, group.cleared, group.par)))) if groups else None
    return Tally(**player, results=results, strokes=strokes, points=points, skill=skill)


def _order(tally: Tally) -> tuple[str, int, str, str, int]:
    presets = list(PRESETS)
    preset = presets.index(tally.rules) if tally.rules in PRESETS else len(presets)
    return (tally.numbering, preset, tally.rules, tally.solver, -1 if tally.seed is None else tally.seed)
