"""Statistics as plain text for a terminal."""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Final

from golf_cli.scoring import HOLES, PARS, PERFECT_TOTAL, TRADITION_PAR
from golf_cli.stats.intervals import CONFIDENCE, Interval, percent
from golf_cli.stats.nine_holes import NineHoles, nine_holes
from golf_cli.stats.skill import Mean, Skill
from golf_cli.stats.summary import NINE_HOLES_QUANTILES
from golf_cli.stats.tally import Tally

_NONE: Final = "-"
_GAP: Final = "  "
_BAR: Final = 50
"""Width of the longest bar of a histogram, in characters."""

_ABREAST: Final = 8
"""Players side by side in a cross table: as many as fit into 80 characters."""


def format_table(tallies: Sequence[Tally], confidence: float = CONFIDENCE) -> str:
    """A table with one row a player, and a line under it that says how to read it. No line ends in a blank.

    A column that says the same of every player without telling anything is left out: numbering and seed where all have
    the same, undecided where there is none.

    Raises:
        ConfidenceError: `confidence` is not strictly between 0 and 1.
    """
    columns = [
        *_player_columns(tallies),
        right("deals", [f"{tally.deals:,}" for tally in tallies]),
        right("cleared", [f"{tally.cleared:,}" for tally in tallies]),
        *_undecided_column(tallies),
        rates("win rate", [(tally.win_rate, tally.win_interval(confidence)) for tally in tallies]),
        right("strokes", [_decimal(tally.mean_strokes) for tally in tallies]),
        right("median", [_whole(tally.quantile(50)) for tally in tallies]),
        right("5-95 %", [_between(tally.quantile(5), tally.quantile(95)) for tally in tallies]),
        right("points", [_decimal(tally.mean_points, 1) for tally in tallies]),
        right("9 holes <= 45", [_chance(nine_holes(tally), TRADITION_PAR) for tally in tallies]),
        right("par", [_whole(tally.par) for tally in tallies]),
    ]
    notes = f"win rate: of the decided deals, with the {percent(confidence)} % Wilson interval"
    if any(tally.undecided for tally in tallies):
        notes += ", which allows for the undecided ones"
    if any(tally.skill for tally in tallies):
        notes += "\nof solvers that count many games of each deal this is the best play; their games stand below"
    par = f"par: of the player, whose mean strokes are rounded and held to {PARS[0]}..{PARS[-1]}"
    return "\n".join([*beside(columns), "", notes, par])


def format_games(tallies: Sequence[Tally], confidence: float = CONFIDENCE) -> str:
    """What the games of each deal say of the players whose games were counted; empty where there are none.

    A player has two rows: of all its deals, and of those that can be cleared. No line ends in a blank.

    Raises:
        ConfidenceError: `confidence` is not strictly between 0 and 1.
    """
    skills, columns = _counted(tallies)
    if not skills:
        return ""
    undecided = any(skill.gap.deals < skill.deals for skill in skills)
    columns += [
        right("games", [f"{skill.games:,}" for skill in skills]),
        rates("win probability", [(skill.win_probability.value, skill.win_interval(confidence)) for skill in skills]),
        *(right(f"{part} %", [_percent(skill.quantile(part)) for skill in skills]) for part in (5, 25, 50, 75, 95)),
        right("strokes", [_decimal(skill.strokes.value) for skill in skills]),
        *([right("decided", [f"{skill.gap.deals:,}" for skill in skills])] if undecided else []),
        left("skill gap", [_mean(skill.gap, confidence) for skill in skills]),
    ]
    notes = [
        f"win probability: of a deal's games, in the mean over deals, with its {percent(confidence)} % interval; then",
        "what 5 to 95 % of the deals do not exceed; skill gap: strokes of the games less the best with the stock known",
    ]
    if undecided:
        notes.append(
            "decided: the deals with a skill gap; some of the others may be clearable, and are in the first row alone"
        )
    return "\n".join([*beside(columns), "", *notes])


def format_pars(tallies: Sequence[Tally]) -> str:
    """What share of the deals has which par, in the rows that `format_games` has; empty where it is."""
    skills, columns = _counted(tallies)
    if not skills:
        return ""
    for par in PARS:
        shares = [skill.par_share(par) for skill in skills]
        columns.append(right(f"par {par}", [_NONE if share is None else f"{100 * share:.1f} %" for share in shares]))
    return "\n".join([*beside(columns), "", "par: the mean strokes of a deal's games, rounded and held to 3..5"])


def _counted(tallies: Sequence[Tally]) -> tuple[list[Skill], list[list[str]]]:
    """The games of players whose games were counted, two rows a player, and the columns that tell of which deals."""
    rows = [
        (str(place), which, skill)
        for place, tally in enumerate(tallies, 1)
        if tally.skill
        for which, skill in (("all", tally.skill), ("clearable", tally.skill.clearable))
    ]
    if not rows:
        return [], []
    skills = [skill for _, _, skill in rows]
    columns = [
        *([right("#", [place for place, _, _ in rows])] if len(tallies) > 1 else []),
        left("of the deals", [which for _, which, _ in rows]),
        right("deals", [f"{skill.deals:,}" for skill in skills]),
    ]
    return skills, columns


def format_rounds(tallies: Sequence[Tally]) -> str:
    """What each player comes to over nine holes: quantiles of the total, the chances of par and of a perfect game."""
    rounds = [nine_holes(tally) for tally in tallies]
    columns = [
        *_player_columns(tallies),
        *(
            right(f"{percent} %", [_whole(holes.quantile(percent) if holes else None) for holes in rounds])
            for percent in NINE_HOLES_QUANTILES.values()
        ),
        right(f"<= {TRADITION_PAR}", [_chance(holes, TRADITION_PAR) for holes in rounds]),
        right(f"<= {PERFECT_TOTAL}", [_chance(holes, PERFECT_TOTAL) for holes in rounds]),
    ]
    limits = f"{TRADITION_PAR} and {PERFECT_TOTAL}"
    notes = f"strokes over {HOLES} deals at random: what so many rounds do not exceed, and the chances of {limits}"
    if any(tally.undecided for tally in tallies):
        notes += "\nof the decided deals: the undecided ones, often the hard ones, are left out"
    return "\n".join([*beside(columns), "", notes])


def format_chance(chance: Fraction | float) -> str:
    """A chance in per cent, `43.1 %`; one that is not certain does not read as certain."""
    if 0 < chance < 0.0005:
        return "< 0.1 %"
    if 0.9995 <= chance < 1:
        return "> 99.9 %"
    return f"{100 * float(chance):.1f} %"


def format_distribution(tallies: Sequence[Tally]) -> str:
    """The strokes distributions: a histogram of one player, a cross table of several. No line ends in a blank.

    Shares are of the decided deals. Every strokes value between the fewest and the most that occur has a row, a line
    of dashes between cleared deals (0 and less) and cards left. Below a cross table its players are listed.
    """
    if len(tallies) == 1:
        return format_histogram(tallies[0].strokes)
    blocks = [
        "\n".join(_cross_table(tallies[first : first + _ABREAST], first + 1))
        for first in range(0, len(tallies), _ABREAST)
    ]
    return "\n\n".join([*blocks, "\n".join(_key(tallies))])


def format_histogram(distribution: Mapping[int, int]) -> str:
    """A strokes distribution as rows of shares and bars; `distribution` maps strokes to how often they occurred."""
    most = max(distribution.values(), default=1)
    rows = [
        (strokes, [_share(distribution, strokes), "#" * math.ceil(_BAR * distribution.get(strokes, 0) / most)])
        for strokes in _range_of([distribution])
    ]
    return "\n".join(_divided(["strokes", " share"], rows))


def name_of(tally: Tally, among: Sequence[Tally]) -> str:
    """A player's solver, and its seed where the solver is among the players with several."""
    seeds = {each.seed for each in among if each.solver == tally.solver}
    return f"{tally.solver}, seed {_whole(tally.seed)}" if len(seeds) > 1 else tally.solver


def format_rate(rate: float | None, interval: Interval) -> str:
    """A share and its interval in percent, `2.57 % (2.54-2.60)`, to the decimals that the interval resolves."""
    return " ".join(_rate_parts(rate, interval))


def _rate_parts(rate: float | None, interval: Interval) -> tuple[str, str]:
    reach = 100 * (interval.high - interval.low) / 2
    decimals = max(1, math.ceil(-math.log10(reach))) if reach > 0 else 1
    shown = _NONE if rate is None else f"{100 * rate:.{decimals}f} %"
    return shown, f"({100 * interval.low:.{decimals}f}-{100 * interval.high:.{decimals}f})"


def _player_columns(tallies: Sequence[Tally]) -> list[list[str]]:
    numberings = [tally.numbering for tally in tallies]
    seeds = [tally.seed for tally in tallies]
    return [
        *([right("#", [str(place) for place, _ in enumerate(tallies, 1)])] if len(tallies) > 1 else []),
        *([left("numbering", numberings)] if len(set(numberings)) > 1 else []),
        left("rules", [tally.rules for tally in tallies]),
        left("solver", [tally.solver for tally in tallies]),
        *([right("seed", [_whole(seed) for seed in seeds])] if len(set(seeds)) > 1 else []),
    ]


def _undecided_column(tallies: Sequence[Tally]) -> list[list[str]]:
    undecided = [tally.undecided for tally in tallies]
    return [right("undecided", [f"{deals:,}" for deals in undecided])] if any(undecided) else []


def _cross_table(tallies: Sequence[Tally], first: int) -> list[str]:
    rows = [
        (strokes, [_share(tally.strokes, strokes) for tally in tallies])
        for strokes in _range_of([tally.strokes for tally in tallies])
    ]
    return _divided(["strokes", *(f"#{place}".rjust(7) for place in range(first, first + len(tallies)))], rows)


def _divided(head: list[str], rows: list[tuple[int, list[str]]]) -> list[str]:
    """Rows under their head, with dashes between 0 strokes and 1 where both sides have rows."""
    lines = [_GAP.join([f"{strokes:>7}", *cells]).rstrip() for strokes, cells in rows]
    for place, ((low, _), (high, _)) in enumerate(pairwise(rows), 1):
        if low <= 0 < high:
            lines.insert(place, "-" * 7)
    return [_GAP.join(head), *lines]


def _key(tallies: Sequence[Tally]) -> list[str]:
    several = len({tally.numbering for tally in tallies}) > 1
    columns = [
        [f"#{place}" for place, _ in enumerate(tallies, 1)],
        *([[tally.numbering for tally in tallies]] if several else []),
        [tally.rules for tally in tallies],
        [name_of(tally, tallies) for tally in tallies],
    ]
    return beside([left(head, cells) for head, *cells in columns])


def _range_of(distributions: Sequence[Mapping[int, int]]) -> range:
    occurring = [strokes for distribution in distributions for strokes in distribution]
    return range(min(occurring), max(occurring) + 1) if occurring else range(0)


def _share(distribution: Mapping[int, int], strokes: int) -> str:
    """A share in 7 characters; a blank where there is no such deal, so that 0.00 % is a small share."""
    deals = distribution.get(strokes, 0)
    return f"{100 * deals / sum(distribution.values()):.2f} %".rjust(7) if deals else " " * 7


def _chance(holes: NineHoles | None, limit: int) -> str:
    if holes is None:
        return _NONE
    return format_chance(holes.chance(limit))


def _whole(number: int | None) -> str:
    return _NONE if number is None else str(number)


def _decimal(number: float | None, decimals: int = 2) -> str:
    return _NONE if number is None else f"{number:.{decimals}f}"


def _percent(share: float | None) -> str:
    return _NONE if share is None else f"{100 * share:.1f}"


def _mean(mean: Mean, confidence: float) -> str:
    interval = mean.interval(confidence)
    reach = f" ({interval.low:.2f} to {interval.high:.2f})" if interval else ""
    return f"{_decimal(mean.value)}{reach}"


def _between(low: int | None, high: int | None) -> str:
    return _NONE if low is None else f"{low} to {high}"


def left(head: str, cells: Sequence[str]) -> list[str]:
    """A column of a table, its cells to the left under its head, all of one width."""
    width = max(map(len, [head, *cells]))
    return [cell.ljust(width) for cell in [head, *cells]]


def right(head: str, cells: Sequence[str]) -> list[str]:
    """A column of a table, its cells to the right under its head, all of one width."""
    width = max(map(len, [head, *cells]))
    return [cell.rjust(width) for cell in [head, *cells]]


def rates(head: str, cells: Sequence[tuple[float | None, Interval]]) -> list[str]:
    """A column of shares with their intervals, as `format_rate` writes them, the shares to the right."""
    parts = [_rate_parts(rate, interval) for rate, interval in cells]
    width = max(len(rate) for rate, _ in parts)
    return left(head, [f"{rate:>{width}} {interval}" for rate, interval in parts])


def beside(columns: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a table with these columns; none ends in a blank."""
    return [_GAP.join(cells).rstrip() for cells in zip(*columns, strict=True)]
