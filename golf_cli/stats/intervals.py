"""Confidence intervals of a share and of a mean."""

import math
from fractions import Fraction
from statistics import NormalDist
from typing import Final, NamedTuple

from golf_cli.errors import GolfError

CONFIDENCE: Final = 0.95
"""The confidence of an interval where none is asked for."""


class ConfidenceError(GolfError):
    """A confidence that is no probability strictly between 0 and 1."""


class Interval(NamedTuple):
    """An interval, both ends included: of shares, 0 to 1, or of a mean."""

    low: float
    high: float


def wilson(hits: float, trials: float, confidence: float = CONFIDENCE) -> Interval:
    """The score interval of a share: `hits` of `trials`, which need not be whole; (0, 1) of no trials.

    Wilson, E. B. (1927), Probable inference, the law of succession, and statistical inference, Journal of the American
    Statistical Association 22 (158), 209-212: the shares p with |hits/n - p| <= z sqrt(p (1 - p) / n), where z is the
    two-sided normal quantile of the confidence.

    Raises:
        ConfidenceError: `confidence` is not strictly between 0 and 1.
        ValueError: `hits` is not between 0 and `trials`.
    """
    z = normal_quantile(confidence)
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


def normal_quantile(confidence: float) -> float:
    """The two-sided normal quantile: 1.96 for 0.95.

    Raises:
        ConfidenceError: `confidence` is not strictly between 0 and 1.
    """
    if not 0 < confidence < 1:
        raise ConfidenceError(
            f"{confidence:g} is no confidence: give a number above 0 and below 1, such as 0.95 for 95 %"
        )
    return -NormalDist().inv_cdf(
        (1 - confidence) / 2
    )  # of the lower tail, which has digits where 1 + confidence has none


def standard_error(total: Fraction | int, squares: Fraction | int, count: int) -> float:
    """The standard error of the mean of independent numbers: sqrt(s^2 / count), s^2 the unbiased variance.

    Args:
        total: the sum of the numbers, exactly.
        squares: the sum of their squares, exactly.
        count: how many they are, at least 2.

    Raises:
        ValueError: fewer than two numbers, or no numbers have these sums.
    """
    spread = count * squares - total * total
    if count < 2 or spread < 0:
        raise ValueError(f"{count} numbers with the sum {total} and the sum of squares {squares}")
    return math.sqrt(Fraction(spread, count * count * (count - 1)))


def mean_interval(mean: float, error: float, confidence: float = CONFIDENCE) -> Interval:
    """The normal interval of a mean with this standard error; of fewer than some thirty values it is too narrow.

    Raises:
        ConfidenceError: `confidence` is not strictly between 0 and 1.
    """
    reach = normal_quantile(confidence) * error
    return Interval(mean - reach, mean + reach)


def percent(confidence: float) -> str:
    """A confidence in per cent as it was given, `95` or `99.9999`: never rounded to 100."""
    return f"{100 * confidence:.15g}"


def mean_share_interval(mean: float, error: float, count: int, trials: int, confidence: float = CONFIDENCE) -> Interval:
    """The interval of a mean of shares, each from trials of its own that are not independent.

    Wilson's interval, for the number of independent trials that would have the same standard error: the effective
    sample size m (1 - m) / error^2 of Kish, L. (1965), Survey Sampling, New York: Wiley. It is taken to be no more than
    the number of all trials, and where the shares do not differ, so that nothing tells it, no more than that of shares.
    Of fewer than some thirty shares it is too narrow: their own spread is not known well.

    Args:
        mean: the mean of the shares.
        error: its standard error, from how the shares differ; 0 where they do not.
        count: how many shares there are.
        trials: how many trials, of all shares.
        confidence: of the interval.

    Raises:
        ConfidenceError: `confidence` is not strictly between 0 and 1.
    """
    effective = min(mean * (1 - mean) / error**2, trials) if error else count
    return wilson(mean * effective, effective, confidence)


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
