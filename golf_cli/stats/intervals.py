"""Confidence intervals of a share and of a mean."""

import math
from statistics import NormalDist
from typing import Final, NamedTuple

from golf_cli.errors import GolfError

CONFIDENCE: Final = 0.95
"""The confidence of an interval where none is asked for."""


class ConfidenceError(GolfError):
    """A confidence that is no probability strictly between 0 and 1."""


class Interval(NamedTuple):
    """An interval, both ends included: of shares, which are 0 to 1, or of means."""

    low: float
    high: float


def wilson(hits: int, trials: int, confidence: float = CONFIDENCE) -> Interval:
    """The score interval of a share: `hits` of `trials`; (0, 1) of no trials.

    Wilson, E. B. (1927), Probable inference, the law of succession, and statistical inference, Journal of the American
    Statistical Association 22 (158), 209-212: the shares p with |hits/n - p| <= z sqrt(p (1 - p) / n), where z is the
    two-sided normal quantile of the confidence.

    Raises:
        ConfidenceError: `confidence` is not strictly between 0 and 1.
        ValueError: `hits` is not between 0 and `trials`.
    """
    z = _quantile(confidence)
    if not 0 <= hits <= trials:
        raise ValueError(f"{hits} hits of {trials} trials: hits are between 0 and the trials")
    if not trials:
        return Interval(0.0, 1.0)
    centre = hits + z * z / 2
    reach = z * math.sqrt(hits * (trials - hits) / trials + z * z / 4)
    # An end that is exactly 0 or 1 must not come out a rounding error away from it.
    low = (centre - reach) / (trials + z * z) if hits else 0.0
    high = (centre + reach) / (trials + z * z) if hits < trials else 1.0
    return Interval(low, high)


def win_interval(cleared: int, undecided: int, deals: int, confidence: float = CONFIDENCE) -> Interval:
    """The interval of a win rate when the solver left some deals undecided.

    The low end is Wilson's for `cleared` of `deals`, as if no undecided deal were cleared; the high end is Wilson's for
    `cleared + undecided`, as if all were. The same holds for any other share of outcomes.

    Raises:
        ConfidenceError: `confidence` is not strictly between 0 and 1.
        ValueError: a count is negative, or `cleared + undecided` is more than `deals`.
    """
    return Interval(
        wilson(cleared, deals, confidence).low,
        wilson(cleared + undecided, deals, confidence).high,
    )


def mean_interval(total: int, squares: int, count: int, confidence: float = CONFIDENCE) -> Interval:
    """The interval of a mean by the central limit theorem, of `count` independent whole numbers, a hundred or more.

    It reaches z standard errors to both sides: z sqrt(s^2 / count), s^2 the unbiased variance and z the two-sided
    normal quantile of the confidence.

    Args:
        total: the sum of the numbers.
        squares: the sum of their squares.
        count: how many they are, at least 2.
        confidence: of the interval.

    Raises:
        ConfidenceError: `confidence` is not strictly between 0 and 1.
        ValueError: fewer than two numbers, or no numbers have these sums.
    """
    z = _quantile(confidence)
    spread = count * squares - total * total
    if count < 2 or spread < 0:
        raise ValueError(f"{count} numbers with the sum {total} and the sum of squares {squares}")
    mean, reach = total / count, z * math.sqrt(spread / (count * count * (count - 1)))
    return Interval(mean - reach, mean + reach)


def _quantile(confidence: float) -> float:
    """The two-sided normal quantile."""
    if not 0 < confidence < 1:
        raise ConfidenceError(
            f"{confidence:g} is no confidence: give a number above 0 and below 1, such as 0.95 for 95 %"
        )
    return -NormalDist().inv_cdf(
        (1 - confidence) / 2
    )  # of the lower tail, which has digits where 1 + confidence has none
