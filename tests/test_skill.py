"""What many games of each deal say of a player, against figures worked out deal by deal."""

import json
import math
import random
from fractions import Fraction
from statistics import fmean, stdev
from typing import NamedTuple

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_stats import BLOCKED, CLEARED, NOT_CLEARABLE, STATE_LIMIT, dataset, quantile
from polars.testing import assert_frame_equal

from golf_cli.errors import GolfError
from golf_cli.stats.intervals import ConfidenceError, mean_interval, mean_share_interval, percent, wilson
from golf_cli.stats.skill import Mean
from golf_cli.stats.summary import GAMES_SUMMARY_SCHEMA, SHARE_QUANTILES, SUMMARY_SCHEMA, records, summary
from golf_cli.stats.table import format_games, format_pars, format_table
from golf_cli.stats.tally import tally
from golf_cli.stats.written import written
from golf_cli.sweep.schema import COUNTED_SCHEMA, SCHEMA

COUNTS = {name: kind for name, kind in COUNTED_SCHEMA.items() if name not in SCHEMA}

Z = 1.959963984540054


class Deal(NamedTuple):
    """A deal in the words of the tests: how it ends, and the strokes of each of its games."""

    outcome: tuple[str, int] | str
    games: list[int]

    @property
    def share(self) -> float:
        return sum(strokes <= 0 for strokes in self.games) / len(self.games)

    @property
    def par(self) -> int:
        return min(max(math.floor(Fraction(sum(self.games), len(self.games)) + Fraction(1, 2)), 3), 5)


def with_games(*deals: Deal, solver: str = "difficulty") -> pl.DataFrame:
    counts = [
        (len(games), sum(strokes <= 0 for strokes in games), sum(games), sum(strokes**2 for strokes in games), deal.par)
        for deal in deals
        for games in [deal.games]
    ]
    frame = dataset(*(deal.outcome for deal in deals), solver=solver)
    return pl.concat([frame, pl.DataFrame(counts, COUNTS, orient="row")], how="horizontal")


def random_deals(dice: random.Random, count: int, games: int) -> list[Deal]:
    deals = []
    for _ in range(count):
        best = dice.randint(-16, 20)
        outcome = STATE_LIMIT if dice.random() < 0.2 else (CLEARED if best <= 0 else NOT_CLEARABLE, best)
        deals.append(Deal(outcome, [dice.randint(-16, 34) for _ in range(games)]))
    return deals


@pytest.mark.parametrize("confidence", [0.5, 0.95])
@pytest.mark.parametrize("seed", range(8))
def test_the_figures_are_those_of_the_deals_one_by_one(seed: int, confidence: float) -> None:
    dice = random.Random(seed)
    deals = random_deals(dice, dice.choice([2, 40, 300]), dice.choice([1, 3, 64]))
    row = summary(tally(with_games(*deals).lazy()), confidence).row(0, named=True)
    clearable = [deal for deal in deals if deal.outcome[0] == CLEARED]
    for prefix, chosen in (("", deals), ("clearable_", clearable)):
        got = {name: row[f"{prefix}{name}"] for name in GAMES_SUMMARY_SCHEMA if not name.startswith("clearable_")}
        assert got["games"] == sum(len(deal.games) for deal in chosen)
        if len(chosen) < 2:
            continue
        shares = [deal.share for deal in chosen]
        assert got["win_probability"] == pytest.approx(fmean(shares))
        error = stdev(shares) / math.sqrt(len(shares))
        wins = mean_share_interval(fmean(shares), error, len(shares), got["games"], confidence)
        assert (got["win_probability_low"], got["win_probability_high"]) == pytest.approx(wins)
        for name, part in SHARE_QUANTILES.items():
            assert got[name] == quantile(shares, part / 100)  # type: ignore[arg-type]
        for par in (3, 4, 5):
            assert got[f"par_{par}"] == sum(deal.par == par for deal in chosen) / len(chosen)
        strokes = [fmean(deal.games) for deal in chosen]
        gaps = [fmean(deal.games) - deal.outcome[1] for deal in chosen if isinstance(deal.outcome, tuple)]
        for name, figures in (("games_strokes", strokes), ("skill_gap", gaps)):
            assert got[name] == pytest.approx(fmean(figures))
            if len(figures) > 1:
                ends = mean_interval(fmean(figures), stdev(figures) / math.sqrt(len(figures)), confidence)
                assert (got[f"{name}_low"], got[f"{name}_high"]) == pytest.approx(ends)


def test_a_deal_counts_once_however_many_games_of_it_there_are() -> None:
    few, many = Deal((CLEARED, 0), [0]), Deal((BLOCKED, 5), [5] * 99 + [7])
    (counted,) = tally(with_games(few, many).lazy())
    assert counted.skill
    assert counted.skill.win_probability.value == 0.5
    assert counted.skill.strokes.value == pytest.approx((0 + 5.02) / 2)
    assert counted.skill.gap.value == pytest.approx((0 + 0.02) / 2)


def test_sums_are_exact_however_many_games_there_are() -> None:
    million = pl.DataFrame(
        dict(zip(COUNTS, (1_000_000, 0, 35_000_000, 1_225_000_000, 5), strict=True)),
        COUNTS,
    )
    frame = pl.concat([dataset((BLOCKED, 35)), million], how="horizontal")
    (counted,) = tally(pl.concat([frame] * 20_000).lazy())
    assert counted.skill
    assert counted.skill.groups[0].squares == 20_000 * 35_000_000**2 > 1 << 63
    assert (counted.skill.strokes.value, counted.skill.strokes.error) == (35, 0)


def test_the_figures_do_not_depend_on_the_order_of_the_rows() -> None:
    frame = with_games(*random_deals(random.Random(1), 200, 8))
    assert tally(frame.lazy()) == tally(frame.sample(fraction=1, shuffle=True, seed=3).lazy())


def test_what_cannot_be_said_is_null() -> None:
    (one,) = records(tally(with_games(Deal(STATE_LIMIT, [3, -1])).lazy()))
    assert (one["win_probability"], one["games_strokes"]) == (0.5, 1)
    assert [one[name] for name in ("games_strokes_low", "games_strokes_high", "skill_gap", "skill_gap_low")] == [
        None
    ] * 4
    assert one["clearable_games"] == 0
    assert (one["clearable_win_probability"], one["clearable_win_probability_median"]) == (None, None)
    assert (one["clearable_win_probability_low"], one["clearable_win_probability_high"]) == (0, 1)


def test_players_whose_games_were_not_counted_have_no_such_figures() -> None:
    plain = dataset((CLEARED, -1), (BLOCKED, 4))
    mixed = pl.concat([plain, with_games(Deal((CLEARED, -1), [2, 0]))], how="diagonal")
    tallies = tally(mixed.lazy())
    assert [each.solver for each in tallies if each.skill] == ["difficulty"]
    frame = summary(tallies)
    assert frame.schema == {**SUMMARY_SCHEMA, **GAMES_SUMMARY_SCHEMA}
    assert frame.filter(solver="greedy").select(
        GAMES_SUMMARY_SCHEMA.names()
    ).null_count().sum_horizontal().item() == len(GAMES_SUMMARY_SCHEMA)
    assert_frame_equal(frame.filter(solver="greedy").select(SUMMARY_SCHEMA.names()), summary(tally(plain.lazy())))
    assert summary(tally(plain.lazy())).schema == SUMMARY_SCHEMA
    assert [("games" in record) for record in records(tallies)] == [True, False]


def test_a_table_has_rows_of_all_deals_and_of_those_that_can_be_cleared() -> None:
    deals = [
        Deal((CLEARED, -2), [2, 0, 1, 5]),
        Deal((NOT_CLEARABLE, 3), [3, 3, 5, 9]),
        Deal((CLEARED, 0), [-1, 0, 0, 8]),
    ]
    tallies = tally(with_games(*deals).lazy())
    text = written(tallies, "table")
    assert isinstance(text, str)
    head, everything, clearable = format_games(tallies).splitlines()[:3]
    heads = "of the deals  deals  games  win probability  5 %  25 %  50 %  75 %  95 %  strokes  skill gap"
    assert head.split() == heads.split()
    assert everything.split()[:5] == ["all", "3", "12", "33.3", "%"]
    assert everything.split()[6:12] == ["0.0", "0.0", "25.0", "75.0", "75.0", "2.92"]
    assert everything.split()[12:] == ["2.58", "(1.19", "to", "3.98)"]
    assert clearable.split()[:5] == ["clearable", "2", "8", "50.0", "%"]
    head, everything, clearable = format_pars(tallies).splitlines()[:3]
    assert head.split() == ["of", "the", "deals", "deals", "par", "3", "par", "4", "par", "5"]
    assert everything.split() == ["all", "3", "66.7", "%", "0.0", "%", "33.3", "%"]
    assert clearable.split() == ["clearable", "2", "100.0", "%", "0.0", "%", "0.0", "%"]
    assert format_table(tallies).splitlines()[-2] == (
        "of solvers that count many games of each deal this is the best play; their games stand below"
    )
    assert text.startswith(f"{format_table(tallies)}\n\n{format_games(tallies)}\n\n{format_pars(tallies)}\n")
    assert not any(line.endswith(" ") for line in text.splitlines())


def test_a_table_of_several_players_numbers_those_whose_games_were_counted() -> None:
    plain = dataset((BLOCKED, 4), solver="a")
    mixed = pl.concat([plain, with_games(Deal((BLOCKED, 4), [5]))], how="diagonal")
    assert [line.split()[:2] for line in format_games(tally(mixed.lazy())).splitlines()[1:3]] == [
        ["2", "all"],
        ["2", "clearable"],
    ]
    assert format_games(tally(plain.lazy())) == format_pars(tally(plain.lazy())) == ""
    assert "win probability" not in str(written(tally(plain.lazy()), "table"))


def test_programs_read_the_same_figures() -> None:
    tallies = tally(with_games(*random_deals(random.Random(2), 30, 4)).lazy())
    (record,) = json.loads(str(written(tallies, "json")))
    row = summary(tallies).row(0, named=True)
    assert {name: record[name] for name in row} == row
    assert (
        str(written(tallies, "csv"))
        .splitlines()[0]
        .endswith(",skill_gap,skill_gap_low,skill_gap_high,par_3,par_4,par_5".replace(",", ",clearable_"))
    )


@settings(max_examples=200)
@given(st.lists(st.tuples(st.integers(1, 64), st.integers(0, 64)), min_size=2, max_size=30), st.floats(0.01, 0.99))
def test_the_interval_of_a_mean_share_holds_it_and_stays_within_0_and_1(
    deals: list[tuple[int, int]], confidence: float
) -> None:
    shares = [Fraction(min(games, cleared), games) for games, cleared in deals]
    mean = Mean.of((1, share, share**2) for share in shares)
    assert mean.value is not None
    assert mean.error is not None
    low, high = mean_share_interval(mean.value, mean.error, len(shares), sum(games for games, _ in deals), confidence)
    assert 0 <= low <= mean.value + 1e-12
    assert mean.value - 1e-12 <= high <= 1


def test_the_interval_of_a_mean_share_is_wilsons_for_as_many_independent_trials_as_tell_as_much() -> None:
    shares = [0.0, 0.25, 0.5, 0.5, 1.0] * 40
    mean, error = fmean(shares), stdev(shares) / math.sqrt(200)
    trials = mean * (1 - mean) / error**2
    assert mean_share_interval(mean, error, 200, 200 * 64) == wilson(mean * trials, trials)
    # Deals of one game each are what a win rate is of.
    alone = [0.0, 1.0, 1.0, 0.0] * 50
    came = mean_share_interval(0.5, stdev(alone) / math.sqrt(200), 200, 200)
    assert came == pytest.approx(wilson(100, 200), abs=1e-3)
    # No fewer trials than that can be told of than there were, and no more than that.
    assert mean_share_interval(0.5, 1e-9, 200, 12800) == wilson(6400, 12800)


def test_where_no_deal_differs_from_another_deals_alone_are_trials() -> None:
    assert mean_share_interval(0.0, 0.0, 10, 640) == wilson(0, 10)
    assert mean_share_interval(1.0, 0.0, 10, 640) == wilson(10, 10)


def test_the_interval_of_a_mean_share_holds_the_truth_as_often_as_it_says() -> None:
    dice = np.random.default_rng(5)
    chances = dice.beta(0.5, 5.2, (3000, 200))
    shares = dice.binomial(64, chances) / 64
    errors = shares.std(axis=1, ddof=1) / math.sqrt(200)
    means = zip(shares.mean(axis=1).tolist(), errors.tolist(), strict=True)
    held = [low <= 0.5 / 5.7 <= high for low, high in (mean_share_interval(*mean, 200, 200 * 64) for mean in means)]
    assert fmean(held) == pytest.approx(0.95, abs=0.012)  # three standard errors of this count


def test_the_interval_of_a_mean_is_normal() -> None:
    assert mean_interval(2, 0.5) == pytest.approx((2 - Z / 2, 2 + Z / 2))


@pytest.mark.parametrize("confidence", [0, 1, -1, 95])
def test_a_confidence_is_a_probability(confidence: float) -> None:
    assert issubclass(ConfidenceError, GolfError)
    for made in (lambda: mean_interval(0, 1, confidence), lambda: mean_share_interval(0.5, 0.1, 9, 9, confidence)):
        with pytest.raises(ConfidenceError):
            made()


def test_where_deals_are_undecided_the_table_says_how_many_have_a_skill_gap() -> None:
    decided, undecided = Deal((CLEARED, 0), [0, 3]), Deal(STATE_LIMIT, [1, 2])
    tallies = tally(with_games(decided, decided, undecided).lazy())
    table = format_games(tallies).splitlines()
    assert [line.split()[-3:] for line in table[:1]] == [["decided", "skill", "gap"]]
    assert [row["skill_gap_deals"] for row in records(tallies)] == [2]
    assert "some of the others may be clearable" in table[-1]
    assert "decided" not in format_games(tally(with_games(decided, decided).lazy()))


def test_a_confidence_is_never_shown_as_certainty() -> None:
    assert [percent(confidence) for confidence in (0.95, 0.9, 0.999, 0.999999999)] == ["95", "90", "99.9", "99.9999999"]
