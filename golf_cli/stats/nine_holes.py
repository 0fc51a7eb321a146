"""What a player's strokes come to over nine holes, exactly."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from golf_cli.scoring import HOLES
from golf_cli.stats.tally import Tally


@dataclass(frozen=True)
class NineHoles:
    """The distribution of the total over nine holes.

    Attributes:
        ways: each total that can be, ascending, with how many of the ordered choices of nine deals come to it.
        choices: all choices.
    """

    ways: Mapping[int, int]
    choices: int

    def chance(self, limit: int) -> Fraction:
        """The chance of a total of `limit` or less."""
        return Fraction(sum(ways for total, ways in self.ways.items() if total <= limit), self.choices)

    def quantile(self, percent: int) -> int:
        """The smallest total that at least `percent` % of the choices do not exceed."""
        running = accumulate(self.ways.values())
        return next(
            total for total, ways in zip(self.ways, running, strict=True) if 100 * ways >= percent * self.choices
        )


def nine_holes(tally: Tally) -> NineHoles | None:
    """What nine holes come to that are drawn from the player's decided deals independently and with replacement.

    The counts of totals are the ninth convolution power of those of strokes, in whole numbers; None where no deal is
    decided.
    """
    if not tally.decided:
        return None
    totals = {0: 1}
    for _ in range(HOLES):
        added: dict[int, int] = {}
        for total, ways in totals.items():
            for strokes, deals in tally.strokes.items():
                added[total + strokes] = added.get(total + strokes, 0) + ways * deals
        totals = added
    return NineHoles(dict(sorted(totals.items())), tally.decided**HOLES)
