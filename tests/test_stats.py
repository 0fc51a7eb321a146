"""Summaries and distributions of datasets."""

import json
import math
import random
from itertools import product
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_stats import (
    BLOCKED,
    CLEARED,
    NOT_CLEARABLE,
    OTHER_LIMIT,
    STATE_LIMIT,
    chance_of_nine,
    dataset,
    par,
    quantile,
    random_outcomes,
)
from polars.testing import assert_frame_equal

from golf_cli.errors import DatasetError
from golf_cli.rules import PRESETS
from golf_cli.scoring import TRADITION_PAR
from golf_cli.stats.intervals import ConfidenceError, win_interval
from golf_cli.stats.nine_holes import nine_holes
from golf_cli.stats.summary import (
    DISTRIBUTION_SCHEMA,
    NINE_HOLES_QUANTILES,
    QUANTILES,
    ROUNDS_SCHEMA,
    SUMMARY_SCHEMA,
    records,
    rounds_distribution,
    strokes_distribution,
    summary,
)
from golf_cli.stats.table import format_chance, format_distribution, format_rounds, format_table
from golf_cli.stats.tally import Tally, tally
from golf_cli.sweep.schema import SCHEMA


def tallies_of(*frames: pl.DataFrame) -> tuple[Tally, ...]:
    return tally(pl.concat(frames).lazy())


MIXED = dataset((CLEARED, -3), (CLEARED, 0), (BLOCKED, 4), (BLOCKED, 4), (NOT_CLEARABLE, 7), STATE_LIMIT, OTHER_LIMIT)


def test_a_summary_counts_every_result_apart() -> None:
    row = summary(tallies_of(MIXED)).row(0, named=True)
    assert (row["deals"], row["cleared"], row["blocked"], row["not_clearable"], row["undecided"]) == (7, 2, 2, 1, 2)


def test_undecided_deals_are_not_counted_as_lost() -> None:
    row = summary(tallies_of(MIXED)).row(0, named=True)
    assert row["win_rate"] == 2 / 5
    assert (row["win_low"], row["win_high"]) == win_interval(2, 2, 7)


def test_undecided_deals_are_left_out_of_strokes_and_points() -> None:
    row = summary(tallies_of(MIXED)).row(0, named=True)
    assert row["mean_strokes"] == (-3 + 0 + 4 + 4 + 7) / 5
    assert (row["strokes_min"], row["strokes_median"], row["strokes_max"]) == (-3, 4, 7)
    assert row["mean_points"] == (350 + 350 + 270 + 270 + 210) / 5


def test_a_player_with_nothing_decided_has_counts_and_the_whole_interval_alone() -> None:
    row = summary(tallies_of(dataset(STATE_LIMIT, OTHER_LIMIT))).row(0, named=True)
    assert (row["deals"], row["undecided"], row["win_low"], row["win_high"]) == (2, 2, 0, 1)
    unknown = [
        "win_rate",
        "mean_strokes",
        *QUANTILES,
        "mean_points",
        "nine_holes_45",
        "nine_holes_perfect",
        *NINE_HOLES_QUANTILES,
        "par",
    ]
    assert [row[name] for name in unknown] == [None] * len(unknown)


def test_the_confidence_asked_for_is_used_and_told() -> None:
    row = summary(tallies_of(MIXED), 0.5).row(0, named=True)
    assert row["confidence"] == 0.5
    assert (row["win_low"], row["win_high"]) == win_interval(2, 2, 7, 0.5)


@pytest.mark.parametrize("seed", range(20))
def test_figures_are_those_of_the_slow_way(seed: int) -> None:
    rng = random.Random(seed)
    outcomes = random_outcomes(rng, rng.choice([1, 2, 19, 20, 21, 300]))
    row = summary(tallies_of(dataset(*outcomes))).row(0, named=True)
    decided = [outcome for outcome in outcomes if not isinstance(outcome, str)]
    strokes = [strokes for _, strokes in decided]
    assert row["deals"] == len(outcomes)
    assert row["undecided"] == len(outcomes) - len(decided)
    if not decided:
        assert row["par"] is None
        return
    assert row["win_rate"] == sum(result == CLEARED for result, _ in decided) / len(decided)
    assert row["mean_strokes"] == sum(strokes) / len(strokes)
    assert row["par"] == par(strokes)
    shares = (0, 0.05, 0.25, 0.5, 0.75, 0.95, 1)
    assert [row[name] for name in QUANTILES] == [quantile(strokes, share) for share in shares]


@settings(max_examples=30)
@given(st.lists(st.integers(-18, 35), min_size=1, max_size=120), st.integers(0, 100))
def test_a_quantile_occurs_and_is_the_smallest_that_reaches_its_share(strokes: list[int], percent: int) -> None:
    [player] = tallies_of(dataset(*((BLOCKED, value) for value in strokes)))
    value = player.quantile(percent)
    assert value in strokes
    assert 100 * sum(each <= value for each in strokes) >= percent * len(strokes)
    assert value == min(strokes) or 100 * sum(each < value for each in strokes) < percent * len(strokes)


@pytest.mark.parametrize("strokes", [[5], [4, 6], [-16, 34], [5, 5, 6], [0, 3, 12]])
@pytest.mark.parametrize("limit", [45, 0, 47])
def test_the_chance_of_nine_holes_is_that_of_all_choices_of_nine(strokes: list[int], limit: int) -> None:
    [player] = tallies_of(dataset(*((BLOCKED, value) for value in strokes)))
    holes = nine_holes(player)
    assert holes is not None
    assert float(holes.chance(limit)) == chance_of_nine(strokes, limit)


@pytest.mark.parametrize("strokes", [[5], [4, 6], [-16, 34], [5, 5, 6], [0, 3, 12]])
def test_quantiles_of_nine_holes_are_those_of_all_choices_of_nine(strokes: list[int]) -> None:
    row = summary(tallies_of(dataset(*((BLOCKED, value) for value in strokes)))).row(0, named=True)
    totals = [sum(holes) for holes in product(strokes, repeat=9)]
    assert [row[name] for name in NINE_HOLES_QUANTILES] == [
        quantile(totals, share) for share in (0.05, 0.25, 0.5, 0.75, 0.95)
    ]


def test_the_totals_over_nine_holes_are_told_with_their_chances() -> None:
    players = tallies_of(dataset((BLOCKED, 1), (CLEARED, 0)), dataset(STATE_LIMIT, solver="gives up"))
    frame = rounds_distribution(players)
    assert frame.schema == ROUNDS_SCHEMA
    chances = [math.comb(9, ones) / 2**9 for ones in range(10)]
    assert frame.select("solver", "total", "chance").rows() == [
        ("greedy", ones, chance) for ones, chance in enumerate(chances)
    ]
    nothing, greedy = json.loads(json.dumps(records(players, rounds=True)))
    assert greedy["rounds"] == frame.select("total", "chance").to_dicts()
    assert nothing["rounds"] == []


def test_a_perfect_game_of_nine_holes_is_one_of_0_strokes_or_less() -> None:
    frame = summary(tallies_of(dataset((BLOCKED, 1), (CLEARED, -1)), dataset((CLEARED, 0), solver="nil")))
    assert frame["nine_holes_perfect"].to_list() == [1 / 2, 1]


def test_a_table_of_rounds_has_quantiles_and_chances() -> None:
    players = tallies_of(
        dataset(*[(BLOCKED, 5)] * 9, (BLOCKED, 6)),
        dataset((CLEARED, 0), solver="nil"),
        dataset(OTHER_LIMIT, solver="x"),
    )
    assert format_rounds(players).splitlines() == [
        "#  rules    solver  5 %  25 %  50 %  75 %  95 %    <= 45     <= 0",
        "1  classic  greedy   45    45    46    46    48   38.7 %    0.0 %",
        "2  classic  nil       0     0     0     0     0  100.0 %  100.0 %",
        "3  classic  x         -     -     -     -     -        -        -",
        "",
        "strokes over 9 deals at random: what so many rounds do not exceed, and the chances of 45 and 0",
        "of the decided deals: the undecided ones, often the hard ones, are left out",
    ]
    decided = format_rounds(tallies_of(dataset((BLOCKED, 5))))
    assert decided.endswith("the chances of 45 and 0")


def test_a_player_that_always_scores_five_makes_par_over_nine_holes_and_one_that_scores_six_never_does() -> None:
    frame = summary(tallies_of(dataset((BLOCKED, 5), solver="five"), dataset((BLOCKED, 6), solver="six")))
    assert frame["nine_holes_45"].to_list() == [1, 0]


def test_the_chance_of_nine_holes_stays_exact_for_counts_beyond_64_bits() -> None:
    half = 10**12
    player = Tally("golf", "classic", "greedy", 0, {}, {5: half, 6: half}, 0)
    player.__dict__["decided"] = 2 * half
    holes = nine_holes(player)
    assert holes is not None
    chance = holes.chance(TRADITION_PAR)
    assert (chance.numerator, chance.denominator) == (1, 2**9)


def test_figures_do_not_depend_on_the_order_of_rows_nor_on_the_files_they_lie_in(tmp_path: Path) -> None:
    rng = random.Random(4)
    frames = [
        dataset(*random_outcomes(rng, 400), rules=rules, solver=solver)
        for rules in ("hard", "easy")
        for solver in ("b", "a")
    ]
    tallies = tallies_of(*frames)
    rows = pl.concat(frames).sample(fraction=1, shuffle=True, seed=9)
    for part in range(7):
        rows.gather_every(7, part).write_parquet(tmp_path / f"{part}.parquet")
    again = tally(pl.scan_parquet(tmp_path / "*.parquet"))
    assert again == tallies
    assert_frame_equal(summary(again), summary(tallies), check_exact=True)
    assert_frame_equal(strokes_distribution(again), strokes_distribution(tallies), check_exact=True)


def test_players_come_by_numbering_then_rules_from_easy_to_strict_then_solver_and_seed() -> None:
    players = [
        ("a", "easy", "greedy", 1),
        ("a", "classic", "exact", 0),
        ("a", "classic", "greedy", None),
        ("a", "classic", "greedy", 2),
        ("a", "classic", "greedy", 10),
        ("a", "hard", "greedy", 1),
        ("a", "strict", "greedy", 1),
        ("a", "classic,jokers=1", "greedy", 1),
        ("a", "easy,jokers=1", "greedy", 1),
        ("b", "easy", "greedy", 1),
    ]
    assert list(PRESETS) == ["easy", "classic", "hard", "strict"]
    frames = [
        dataset((BLOCKED, 1), numbering=numbering, rules=rules, solver=solver, seed=seed)
        for numbering, rules, solver, seed in random.Random(1).sample(players, len(players))
    ]
    assert summary(tallies_of(*frames)).select(SCHEMA.names()[:4]).rows() == players


def test_a_distribution_counts_the_strokes_that_occur_in_ascending_order() -> None:
    frame = strokes_distribution(tallies_of(MIXED))
    assert frame.select("strokes", "deals", "share").rows() == [(-3, 1, 0.2), (0, 1, 0.2), (4, 2, 0.4), (7, 1, 0.2)]


def test_frames_have_their_schemas_even_where_a_column_is_all_null() -> None:
    tallies = tallies_of(dataset(STATE_LIMIT, seed=2**64 - 1))
    assert summary(tallies).schema == SUMMARY_SCHEMA
    assert summary(tallies)["seed"].to_list() == [2**64 - 1]
    assert strokes_distribution(tallies).schema == DISTRIBUTION_SCHEMA


def test_records_are_the_summary_with_the_distribution_nested_and_survive_json() -> None:
    tallies = tallies_of(MIXED)
    [record] = json.loads(json.dumps(records(tallies)))
    distribution = record.pop("distribution")
    assert record == summary(tallies).row(0, named=True)
    assert distribution == strokes_distribution(tallies).select("strokes", "deals", "share").to_dicts()


def test_an_empty_dataset_is_refused_with_a_remedy() -> None:
    with pytest.raises(DatasetError, match=r"no rows.*sweep some deals first"):
        tallies_of(dataset())


def test_a_decided_deal_without_strokes_is_refused() -> None:
    broken = MIXED.with_columns(strokes=pl.lit(None, pl.Int8()))
    with pytest.raises(DatasetError, match=r"2 deals of .*'solver': 'greedy'.* are 'cleared' with no strokes"):
        tallies_of(broken)


def test_a_confidence_in_percent_is_refused() -> None:
    with pytest.raises(ConfidenceError, match="95 is no confidence"):
        summary(tallies_of(MIXED), 95)


def test_a_table_shows_a_player_with_rate_interval_strokes_and_par() -> None:
    frame = dataset(*[(CLEARED, -2)] * 257, *[(BLOCKED, 9)] * 9743)
    assert format_table(tallies_of(frame)) == (
        "rules    solver   deals  cleared  win rate         strokes  median  5-95 %  points  9 holes <= 45  par\n"
        "classic  greedy  10,000      257  2.6 % (2.3-2.9)     8.72       9  9 to 9   174.6        < 0.1 %    5\n"
        "\n"
        "win rate: of the decided deals, with the 95 % Wilson interval\n"
        "par: of the player, whose mean strokes are rounded and held to 3..5"
    )


def test_a_rate_has_the_decimals_its_interval_resolves() -> None:
    few = format_table(tallies_of(dataset((CLEARED, 0), (BLOCKED, 1))))
    many = format_table(tallies_of(pl.concat([dataset(*[(CLEARED, 0), (BLOCKED, 1)] * 50)] * 1000)))
    assert "50.0 % (9.5-90.5)" in few
    assert "50.0 % (49.7-50.3)" in many


def test_a_table_shows_numbering_seed_and_undecided_only_where_they_tell_something() -> None:
    one = format_table(tallies_of(dataset((CLEARED, 0), seed=3)))
    assert not any(word in one for word in ("numbering", "golf", "seed", "undecided", "#"))
    several = format_table(
        tallies_of(dataset((CLEARED, 0), seed=3), dataset(STATE_LIMIT, numbering="pysol", seed=4, rules="easy"))
    )
    head, golf, pysol, *_ = several.splitlines()
    assert head.split()[:5] == ["#", "numbering", "rules", "solver", "seed"]
    assert golf.split()[:5] == ["1", "golf", "classic", "greedy", "3"]
    assert pysol.split()[:9] == ["2", "pysol", "easy", "greedy", "4", "1", "0", "1", "-"]
    assert "which allows for the undecided ones" in several


def test_a_chance_that_is_not_certain_does_not_read_as_certain() -> None:
    nearly = [(BLOCKED, 5)] * 99_999 + [(BLOCKED, 6)]
    assert "> 99.9 %" in format_table(tallies_of(dataset(*nearly)))
    assert "100.0 %" in format_table(tallies_of(dataset((BLOCKED, 5))))


def test_one_player_has_a_histogram_parted_between_cleared_and_cards_left() -> None:
    assert format_distribution(tallies_of(MIXED)).splitlines() == [
        "strokes   share",
        "     -3  20.00 %  " + "#" * 25,
        "     -2",
        "     -1",
        "      0  20.00 %  " + "#" * 25,
        "-------",
        "      1",
        "      2",
        "      3",
        "      4  40.00 %  " + "#" * 50,
        "      5",
        "      6",
        "      7  20.00 %  " + "#" * 25,
    ]


def test_several_players_have_a_cross_table_and_a_key() -> None:
    frames = [dataset((CLEARED, 0), (BLOCKED, 1)), dataset((BLOCKED, 1), solver="random")]
    assert format_distribution(tallies_of(*frames)).splitlines() == [
        "strokes       #1       #2",
        "      0  50.00 %",
        "-------",
        "      1  50.00 %  100.00 %",
        "",
        "#1  classic  greedy",
        "#2  classic  random",
    ]


def test_the_key_tells_players_apart_that_differ_in_numbering_or_seed_alone() -> None:
    frames = [
        dataset((BLOCKED, 1), numbering=numbering, seed=seed) for numbering in ("golf", "pysol") for seed in (1, 2)
    ]
    *_, one, two, three, four = format_distribution(tallies_of(*frames, dataset((BLOCKED, 1), solver="x"))).splitlines()
    assert [one, two, three, four] == [
        "#2  golf   classic  greedy, seed 2",
        "#3  golf   classic  x",
        "#4  pysol  classic  greedy, seed 1",
        "#5  pysol  classic  greedy, seed 2",
    ]


def test_many_players_fit_into_80_characters() -> None:
    frames = [dataset((BLOCKED, 1), (BLOCKED, 2), solver=f"solver-{place}") for place in range(12)]
    lines = format_distribution(tallies_of(*frames)).splitlines()
    assert max(map(len, lines)) <= 80
    assert sum(line.startswith("strokes") for line in lines) == 2
    assert lines[-1] == "#12  classic  solver-9"


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (0, "0.0 %"),
        (0.0004, "< 0.1 %"),
        (0.0005, "0.1 %"),
        (0.9994, "99.9 %"),
        (5039 / 5040, "> 99.9 %"),
        (1, "100.0 %"),
    ],
)
def test_a_chance_is_shown_to_a_tenth_of_a_per_cent(chance: float, text: str) -> None:
    assert format_chance(chance) == text
