"""Wilson intervals, what undecided deals do to them, and intervals of means."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, norm, sem

from golf_cli.errors import GolfError
from golf_cli.stats.intervals import ConfidenceError, mean_interval, standard_error, wilson, win_interval

confidences = st.floats(0.01, 0.9999)


@st.composite
def shares(draw: st.DrawFn) -> tuple[int, int]:
    trials = draw(st.integers(1, 10**9))
    return draw(st.integers(0, trials)), trials


@st.composite
def outcomes(draw: st.DrawFn) -> tuple[int, int, int]:
    cleared, undecided, lost = (draw(st.integers(0, 10**6)) for _ in range(3))
    return cleared, undecided, cleared + undecided + lost


@given(shares(), confidences)
def test_the_interval_is_the_one_scipy_gives(share: tuple[int, int], confidence: float) -> None:
    hits, trials = share
    theirs = binomtest(hits, trials).proportion_ci(confidence, method="wilson")
    ours = wilson(hits, trials, confidence)
    assert ours.low == pytest.approx(theirs.low, rel=1e-6, abs=1e-12)
    assert ours.high == pytest.approx(theirs.high, rel=1e-6, abs=1e-12)


def test_ten_of_a_hundred_at_95_percent() -> None:
    interval = wilson(10, 100)
    assert (round(interval.low, 4), round(interval.high, 4)) == (0.0552, 0.1744)


@given(shares(), confidences)
def test_each_end_solves_the_equation_of_the_score_test(share: tuple[int, int], confidence: float) -> None:
    hits, trials = share
    # The quantile from the error function rather than from the normal distribution the interval asks.
    for end in wilson(hits, trials, confidence):
        if 0 < end < 1:
            z = abs(hits / trials - end) / math.sqrt(end * (1 - end) / trials)
            assert math.erf(z / math.sqrt(2)) == pytest.approx(confidence, rel=1e-3, abs=1e-6)


@given(shares(), confidences)
def test_the_interval_holds_the_share_and_stays_between_0_and_1(share: tuple[int, int], confidence: float) -> None:
    hits, trials = share
    low, high = wilson(hits, trials, confidence)
    assert 0 <= low <= hits / trials <= high <= 1


@given(shares(), confidences)
def test_misses_have_the_mirrored_interval_of_hits(share: tuple[int, int], confidence: float) -> None:
    hits, trials = share
    low, high = wilson(hits, trials, confidence)
    mirrored = wilson(trials - hits, trials, confidence)
    assert (1 - high, 1 - low) == pytest.approx(tuple(mirrored), abs=1e-12)


@pytest.mark.parametrize("trials", [1, 7, 10**6])
def test_no_hit_gives_a_low_end_of_exactly_0_and_all_hits_a_high_end_of_exactly_1(trials: int) -> None:
    assert wilson(0, trials).low == 0
    assert 0 < wilson(0, trials).high < 1
    assert wilson(trials, trials).high == 1
    assert 0 < wilson(trials, trials).low < 1


def test_no_trials_tell_nothing() -> None:
    assert wilson(0, 0) == (0, 1)
    assert win_interval(0, 0, 0) == (0, 1)


def test_a_higher_confidence_gives_a_wider_interval() -> None:
    narrow, wide = wilson(30, 100, 0.8), wilson(30, 100, 0.99)
    assert wide.low < narrow.low
    assert narrow.high < wide.high


def test_where_every_deal_is_decided_the_interval_is_wilsons() -> None:
    assert win_interval(81, 0, 100, 0.9) == wilson(81, 100, 0.9)


@given(outcomes(), confidences)
def test_undecided_deals_widen_both_sides(counts: tuple[int, int, int], confidence: float) -> None:
    cleared, undecided, deals = counts
    interval = win_interval(cleared, undecided, deals, confidence)
    as_if_lost = wilson(cleared, deals, confidence)
    as_if_cleared = wilson(cleared + undecided, deals, confidence)
    assert interval.low == as_if_lost.low <= as_if_cleared.low
    assert interval.high == as_if_cleared.high >= as_if_lost.high


@given(outcomes(), confidences)
def test_the_rate_among_decided_deals_lies_in_the_interval(counts: tuple[int, int, int], confidence: float) -> None:
    cleared, undecided, deals = counts
    if deals > undecided:
        low, high = win_interval(cleared, undecided, deals, confidence)
        assert low <= cleared / (deals - undecided) <= high


def test_nothing_decided_gives_the_whole_range() -> None:
    assert win_interval(0, 50, 50) == (0, 1)


@pytest.mark.parametrize("confidence", [0, 1, 95, -0.5, math.nan])
def test_a_confidence_that_is_no_probability_is_refused_with_a_remedy(confidence: float) -> None:
    with pytest.raises(ConfidenceError, match=r"is no confidence: .*0\.95 for 95 %") as caught:
        wilson(1, 2, confidence)
    assert isinstance(caught.value, GolfError)


@pytest.mark.parametrize(("hits", "trials"), [(3, 2), (-1, 2), (1, 0)])
def test_more_hits_than_trials_are_refused(hits: int, trials: int) -> None:
    with pytest.raises(ValueError, match="hits are between 0 and the trials"):
        wilson(hits, trials)


@given(st.lists(st.integers(-60, 60), min_size=2, max_size=200), confidences)
def test_a_mean_has_the_interval_of_its_standard_error(numbers: list[int], confidence: float) -> None:
    error = standard_error(sum(numbers), sum(each * each for each in numbers), len(numbers))
    interval = mean_interval(sum(numbers) / len(numbers), error, confidence)
    if len(set(numbers)) == 1:
        assert interval == (numbers[0], numbers[0])
    else:
        theirs = norm.interval(confidence, sum(numbers) / len(numbers), sem(numbers))
        assert tuple(interval) == pytest.approx(tuple(map(float, theirs)), rel=1e-6, abs=1e-9)


def test_what_is_no_sum_of_squares_has_no_standard_error() -> None:
    with pytest.raises(ValueError, match="2 numbers with the sum 4 and the sum of squares 7"):
        standard_error(4, 7, 2)
    with pytest.raises(ValueError, match="1 numbers"):
        standard_error(4, 16, 1)
