"""Scores: strokes, app points, and the words of par.

Strokes are the site's and the tradition's score (lower is better), app points those of the app with deal codes.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

HOLES: Final = 9
"""Deals that make a round on the site, and a game in the tradition."""

MATCH_HOLES: Final = 18
"""Deals over which two or more players meet in the tradition."""

TRADITION_PAR: Final = 45
"""Strokes that are par for nine deals in the tradition."""

PERFECT_TOTAL: Final = 0
"""Strokes that are a perfect game of nine deals in the tradition; so are fewer."""

PARS: Final = (3, 4, 5)
"""The pars a hole can have."""

POINTS_A_CARD: Final = 10

_COUNTS: Final = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
)

_NAMES: Final = {
    -3: "albatross",
    -2: "eagle",
    -1: "birdie",
    0: "par",
    1: "bogey",
    2: "double bogey",
    3: "triple bogey",
}


def strokes(cards_left: int, stock_left: int) -> int:
    """Strokes of a finished game: one a card left in the columns; cleared, minus one a card left in the stock."""
    return cards_left if cards_left else -stock_left


def is_cleared(strokes_of_hole: int) -> bool:
    """Whether these are the strokes of a cleared tableau: 0 or less, since every card that is left is a stroke."""
    return strokes_of_hole <= 0


def penalty(cards_left: int) -> int:
    """App points taken when a game blocks: 10 a card left in the columns."""
    return POINTS_A_CARD * cards_left


def app_points(removed: int, cards_left: int) -> int:
    """App points of a finished game played without undo: 10 a card removed, less 10 a card left, never below 0."""
    return max(0, POINTS_A_CARD * removed - penalty(cards_left))


def par_of_mean(mean_strokes: float | Fraction) -> int:
    """A player's par: their mean strokes rounded half up and held to 3..5."""
    return min(max(math.floor(mean_strokes + Fraction(1, 2)), PARS[0]), PARS[-1])


def par_name(over: int) -> str:
    """What a hole's strokes minus its par is called: `birdie` for -1, `bogey` for 1; beyond the names `-4` or `+4`."""
    return _NAMES.get(over, f"{over:+d}")


def against_par(over: int) -> str:
    """A running score against par as a scorecard shows it: `E` for even, else `-2` or `+3`."""
    return f"{over:+d}" if over else "E"


def round_is_won(strokes_of_holes: Sequence[int], pars: Sequence[int]) -> bool:
    """Whether a full round is won: finished at or under the total par. Over it the round is still finished.

    Raises:
        ValueError: scores and pars differ in number.
    """
    if len(strokes_of_holes) != len(pars):
        raise ValueError(f"{len(strokes_of_holes)} scores for {len(pars)} holes: give one score a hole")
    return sum(strokes_of_holes) <= sum(pars)


def nine_deals_verdict(total: int) -> str:
    """The tradition's word on nine deals: `perfect` at 0 or less, `par` at 45 or less, else `over par`."""
    if total <= PERFECT_TOTAL:
        return "perfect"
    return "par" if total <= TRADITION_PAR else "over par"


def holes_up(ours: Sequence[int], theirs: Sequence[int]) -> int:
    """Match play: holes won minus holes lost, the lower strokes winning a hole.

    Raises:
        ValueError: the two played a different number of holes.
    """
    if len(ours) != len(theirs):
        raise ValueError(f"{len(ours)} holes against {len(theirs)}: both must have played the same holes")
    return sum((a < b) - (a > b) for a, b in zip(ours, theirs, strict=True))


def match_standing(up: int) -> str:
    """How match play is told: `two up`, `three down`, `all square`; figures beyond eighteen."""
    if not up:
        return "all square"
    count = _COUNTS[abs(up) - 1] if abs(up) <= len(_COUNTS) else str(abs(up))
    return f"{count} {'up' if up > 0 else 'down'}"


def is_dormie(up: int, left: int) -> bool:
    """Whether a player so many holes up, with so many left to play, cannot lose any more and has not won yet."""
    return 0 < up == left


def match_result(up: int, left: int) -> str:
    """How a match that is over is told of its winner: `3 & 2`; at the last hole `two up`, or `all square`."""
    return f"{abs(up)} & {left}" if left else match_standing(abs(up))
