"""What many games of each deal say of a player: how often people would win, and what the hidden stock costs them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import Self

from golf_cli.solvers.outcome import Result
from golf_cli.stats.intervals import CONFIDENCE, Interval, mean_interval, mean_share_interval, standard_error


@dataclass(frozen=True)
class Alike:
    """Deals with the same outcome and par of which the same number of games was cleared.

    Attributes:
        result: what came of the deals.
        best: their strokes; None where they were left undecided.
        games: games of each deal.
        cleared: games of each deal that were cleared.
        par: of each deal.
        deals: how many deals these are.
        strokes: the strokes of all games of all these deals, added up.
        squares: the sum over these deals of the square of the strokes of all games of the deal.
    """

    result: Result
    best: int | None
    games: int
    cleared: int
    par: int
    deals: int
    strokes: int
    squares: int


@dataclass(frozen=True)
class Mean:
    """The mean over deals of a figure that each deal has, from exact sums.

    Attributes:
        deals: how many have it.
        total: the sum of the figures.
        squares: the sum of their squares.
    """

    deals: int
    total: Fraction
    squares: Fraction

    @classmethod
    def of(cls, parts: Iterable[tuple[int, Fraction, Fraction]]) -> Self:
        """The mean over parts of the deals, each given by its attributes."""
        deals, total, squares = 0, Fraction(0), Fraction(0)
        for count, summed, squared in parts:
            deals, total, squares = deals + count, total + summed, squares + squared
        return cls(deals, total, squares)

    @property
    def value(self) -> float | None:
        """The mean; None of no deals."""
        return float(self.total / self.deals) if self.deals else None

    @property
    def error(self) -> float | None:
        """The standard error of the mean, from how the deals differ among themselves; None of fewer than two."""
        if self.deals < 2:
            return None
        return standard_error(self.total, self.squares, self.deals)

    def interval(self, confidence: float = CONFIDENCE) -> Interval | None:
        """The normal interval of the mean; None of fewer than two deals.

        Raises:
            ConfidenceError: `confidence` is not strictly between 0 and 1.
        """
        return None if self.value is None or self.error is None else mean_interval(self.value, self.error, confidence)


@dataclass(frozen=True)
class Skill:
    """The games of a player's deals, in whole numbers.

    A deal counts as one in every mean, however many games of it there are: games of one deal are not independent.

    Attributes:
        groups: the deals, those alike together.
    """

    groups: tuple[Alike, ...]

    @property
    def deals(self) -> int:
        """How many deals."""
        return sum(group.deals for group in self.groups)

    @property
    def games(self) -> int:
        """How many games, of all deals."""
        return sum(group.deals * group.games for group in self.groups)

    @property
    def clearable(self) -> "Skill":
        """Of the deals that can be cleared alone."""
        return Skill(tuple(group for group in self.groups if group.result is Result.CLEARED))

    def par_share(self, par: int) -> float | None:
        """The share of the deals that have this par; None of no deals."""
        return sum(group.deals for group in self.groups if group.par == par) / self.deals if self.deals else None

    @cached_property
    def win_probability(self) -> Mean:
        """The share of a deal's games that were cleared."""

        def part(group: Alike) -> tuple[int, Fraction, Fraction]:
            share = Fraction(group.cleared, group.games)
            return group.deals, group.deals * share, group.deals * share**2

        return self._mean(part)

    def win_interval(self, confidence: float = CONFIDENCE) -> Interval:
        """The interval of the mean win probability.

        Raises:
            ConfidenceError: `confidence` is not strictly between 0 and 1.
        """
        mean = self.win_probability
        return mean_share_interval(mean.value or 0.0, mean.error or 0.0, mean.deals, self.games, confidence)

    def quantile(self, percent: int) -> float | None:
        """The smallest win probability that at least `percent` % of the deals do not exceed; None of no deals."""
        shares = sorted((Fraction(group.cleared, group.games), group.deals) for group in self.groups)
        running = accumulate(deals for _, deals in shares)
        reached = (
            float(share)
            for (share, _), deals in zip(shares, running, strict=True)
            if 100 * deals >= percent * self.deals
        )
        return next(reached, None)

    @cached_property
    def strokes(self) -> Mean:
        """The mean strokes of a deal's games."""
        return self._mean(lambda group: _shifted(group, 0))

    @cached_property
    def gap(self) -> Mean:
        """The mean strokes of a deal's games less its strokes with the stock known; of decided deals."""
        decided = Skill(tuple(group for group in self.groups if group.best is not None))
        return decided._mean(lambda group: _shifted(group, group.best or 0))

    def _mean(self, part: Callable[[Alike], tuple[int, Fraction, Fraction]]) -> Mean:
        return Mean.of(map(part, self.groups))


def _shifted(group: Alike, least: int) -> tuple[int, Fraction, Fraction]:
    """A part of the mean of a deal's mean strokes less `least`."""
    shift = least * group.games
    total = group.strokes - group.deals * shift
    squares = group.squares - 2 * shift * group.strokes + group.deals * shift**2
    return group.deals, Fraction(total, group.games), Fraction(squares, group.games**2)
