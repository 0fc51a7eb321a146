"""The search from both ends, held against an exhaustive search in plain Python and against the search by phases."""

import importlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_playout import RULES, Allowed
from naive_search import best_end
from numpy.typing import NDArray
from positions import (
    SEVEN_BY_FIVE,
    any_rules,
    fits_of,
    full_deals,
    layout,
    position_of,
    positions_of_any_cards,
    small_batches,
    told,
)

from golf_cli.kernels import phases, two_ended
from golf_cli.kernels.phases import CLEARED, NOT_CLEARABLE, UNDECIDED, Outcomes
from golf_cli.kernels.two_ended import BACKWARD_BOUND, EVERY_BOUND, FORWARD_BOUND, solve_batch

SCRIPTS = Path(__file__).parents[1] / "scripts"
ANY_TIME = [name for name in RULES if name != "strict"]
every_any_time_rule_set = pytest.mark.parametrize("rules", ANY_TIME)

MEETINGS = [(two_ended.FORWARD_VECTORS, two_ended.FORWARD_SHARE), (0, 0), (0, 1), (8, 3)]
"""How far the forward search goes: as it does, not at all, little, and somewhat. Small positions need the last."""


def batch_of(cards: NDArray[np.uint8], rules: str, max_states: int = 0, clear_only: bool = False) -> Outcomes:
    return solve_batch(cards, layout(SEVEN_BY_FIVE), True, fits_of(RULES[rules]), clear_only, max_states)


def assert_same(found: Outcomes, expected: Outcomes) -> None:
    for values, expected_values in zip(found[:3], expected[:3], strict=True):
        assert (values == expected_values).all()


def assert_clear_only_says_no_more(found: Outcomes, best: Outcomes) -> None:
    assert (found.status == best.status).all()
    assert (found.cards_left == (best.status == NOT_CLEARABLE)).all()
    assert (found.stock_left == 0).all()


def solved_in_every_way(
    cards: NDArray[np.uint8], heights: Sequence[int], dealt: bool, fits: NDArray[np.uint64]
) -> Outcomes:
    """What the search says, having said the same wherever its two ends meet and whatever bounds it uses."""
    outcomes = solve_batch(cards, layout(heights), dealt, fits)
    for vectors, share in MEETINGS:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(two_ended, "FORWARD_VECTORS", vectors)
            patch.setattr(two_ended, "FORWARD_VECTORS_CLEAR", vectors)
            patch.setattr(two_ended, "FORWARD_SHARE", share)
            for bounds in (0, FORWARD_BOUND, BACKWARD_BOUND, EVERY_BOUND):
                best = solve_batch(cards, layout(heights), dealt, fits, bounds=bounds)
                assert_same(best, outcomes)
                clear = solve_batch(cards, layout(heights), dealt, fits, clear_only=True, bounds=bounds)
                assert_clear_only_says_no_more(clear, outcomes)
    return outcomes


def assert_ends_as_in_an_exhaustive_search(
    cards: NDArray[np.uint8], heights: Sequence[int], dealt: bool, allowed: Allowed
) -> Outcomes:
    outcomes = solved_in_every_way(cards, heights, dealt, fits_of(allowed))
    for row, *outcome, _ in zip(cards, *outcomes, strict=True):
        position = position_of(row.tolist(), heights, dealt)
        assert told(*map(int, outcome)) == best_end(*position, allowed, draw_when_stuck=False)
    return outcomes


@every_any_time_rule_set
def test_small_positions_end_as_in_an_exhaustive_search(rules: str) -> None:
    cleared = solved = 0
    for cards, heights, dealt in small_batches(seed=2, batches=70, rows=20):
        outcomes = assert_ends_as_in_an_exhaustive_search(cards, heights, dealt, RULES[rules])
        cleared += (outcomes.status == CLEARED).sum()
        solved += len(cards)
    assert solved / 10 < cleared < solved * 9 / 10


NEIGHBOURS = [(rank, top) for rank in range(13) for top in range(13) if abs(rank - top) == 1]


def neighbours_but(missing: frozenset[tuple[int, int]]) -> Allowed:
    """Classic rules without some pairs of a rank and a top, so that the bounds apply."""
    return lambda rank, top: RULES["classic"](rank, top) and (rank, top) not in missing


some_neighbours = st.frozensets(st.sampled_from(NEIGHBOURS)).map(neighbours_but)


@settings(max_examples=300)
@given(position=positions_of_any_cards, dealt=st.booleans(), allowed=any_rules | some_neighbours)
def test_whatever_may_be_played_on_what_the_best_end_is_found(
    position: tuple[list[int], list[int]], dealt: bool, allowed: Allowed
) -> None:
    heights, row = position
    assert_ends_as_in_an_exhaustive_search(np.array([row], np.uint8), heights, dealt, allowed)


@every_any_time_rule_set
@pytest.mark.parametrize(
    "heights",
    [[1] * 16, [2, 0, *[1] * 13], [1] * 9, [1] * 10, [40, 3, 2], [1, 1, 1, 60, 1, 1], [200]],
    ids=["16 columns", "15, one empty", "9 columns", "10 columns", "a column of 40", "a column of 60", "one of 200"],
)
def test_unusual_layouts_end_as_in_an_exhaustive_search(heights: list[int], rules: str) -> None:
    random = Random(sum(heights))
    rows = []
    for _ in range(2):
        # A walk up and down the ranks, so that long columns can be played.
        card = 20
        row = []
        for _ in range(sum(heights) + 1 + 4):
            step = random.choice([-4, 4, 4])
            card = card + step if 0 <= card + step < 52 else card - step
            row.append(card)
        rows.append(row)
    assert_ends_as_in_an_exhaustive_search(np.array(rows, np.uint8), heights, True, RULES[rules])


@every_any_time_rule_set
def test_a_long_stock_is_drawn_to_its_end(rules: str) -> None:
    # Long enough that the field of a vector's word for a draw is too small for it, at twelve columns and at nine.
    random = Random(3)
    for heights in ([1] * 9, [1] * 12, [2, 3, 1]):
        cards = np.array([random.choices(range(0, 52, 3), k=sum(heights) + 201) for _ in range(3)], np.uint8)
        cards[:, -195:-3] = 28
        solved = solved_in_every_way(cards, heights, True, fits_of(RULES[rules]))
        assert_same(solved, phases.solve_batch(cards, layout(heights), True, fits_of(RULES[rules]), strict=False))


def test_a_layout_of_the_largest_size_is_searched() -> None:
    # Twenty-four single cards, each pair of neighbouring ranks twelve times: all go in one run from the first top.
    row = np.array([0, 4] * 12 + [4] + [50] * 3, np.uint8)
    outcomes = solve_batch(row[np.newaxis], layout([1] * 24), True, fits_of(RULES["classic"]), max_states=10_000)
    assert [values.tolist() for values in outcomes[:3]] == [[CLEARED], [0], [3]]


@pytest.mark.parametrize("heights", [[], [0, 0, 0]])
def test_a_position_without_columns_is_won_with_the_whole_stock_left(heights: list[int]) -> None:
    cards = np.array([[7, 8, 9]], np.uint8)
    for dealt, stock_left in ((True, 2), (False, 3)):
        outcomes = solve_batch(cards, layout(heights), dealt, fits_of(RULES["classic"]))
        assert [values.tolist() for values in outcomes] == [[CLEARED], [0], [stock_left], [0]]
        clear = solve_batch(cards, layout(heights), dealt, fits_of(RULES["classic"]), clear_only=True)
        assert_clear_only_says_no_more(clear, outcomes)


def test_a_position_without_a_stock_is_played_from_its_first_top_alone() -> None:
    cards = np.array([[16, 20, 24], [16, 24, 24]], np.uint8)
    outcomes = solved_in_every_way(cards, [1, 1], True, fits_of(RULES["classic"]))
    assert [values.tolist() for values in outcomes[:3]] == [[CLEARED, NOT_CLEARABLE], [0, 2], [0, 0]]


def test_no_positions_have_no_outcomes() -> None:
    outcomes = batch_of(np.empty((0, 52), np.uint8), "classic")
    assert [len(values) for values in outcomes] == [0, 0, 0, 0]


@every_any_time_rule_set
def test_full_deals_end_as_in_the_search_by_phases(rules: str) -> None:
    cards, fits = full_deals(0, 300), fits_of(RULES[rules])
    expected = phases.solve_batch(cards, layout(SEVEN_BY_FIVE), True, fits, strict=False)
    assert 0 < (expected.status == CLEARED).sum() < 300
    assert_same(batch_of(cards, rules), expected)
    assert_clear_only_says_no_more(batch_of(cards, rules, clear_only=True), expected)


@every_any_time_rule_set
def test_the_line_that_the_search_by_phases_gives_shows_the_same_end(rules: str) -> None:
    cards = full_deals(400, 15)
    for row, *outcome, _ in zip(cards, *batch_of(cards, rules), strict=True):
        line = phases.solve_line(row, layout(SEVEN_BY_FIVE), True, fits_of(RULES[rules]), strict=False)
        assert list(line[:3]) == outcome


@every_any_time_rule_set
@pytest.mark.parametrize(("jokers", "dealt"), [(0, False), (1, True), (2, True), (2, False)])
def test_full_deals_with_jokers_or_an_open_foundation_end_as_in_the_search_by_phases(
    rules: str, jokers: int, dealt: bool
) -> None:
    deck, fits = range(52 + jokers), fits_of(RULES[rules])
    cards = np.array([Random(seed).sample(deck, len(deck)) for seed in range(3)], np.uint8)
    expected = phases.solve_batch(cards, layout(SEVEN_BY_FIVE), dealt, fits, strict=False)
    assert_same(solved_in_every_way(cards, SEVEN_BY_FIVE, dealt, fits), expected)


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES)
def test_twenty_thousand_deals_end_as_in_the_plain_search_by_phases(
    rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(SCRIPTS)
    plain = importlib.import_module("plain_phases").solve_rows
    cards, heights, fits = full_deals(10_000, 20_000), layout(SEVEN_BY_FIVE), fits_of(RULES[rules])

    def differences(part: NDArray[np.uint8]) -> int:
        if rules == "strict":
            found = phases.solve_batch(part, heights, True, fits, strict=True)
        else:
            found = solve_batch(part, heights, True, fits)
            assert_clear_only_says_no_more(solve_batch(part, heights, True, fits, clear_only=True), found)
        expected = plain(part, heights, True, fits, rules == "strict")
        assert ((found.status == CLEARED) == (found.cards_left == 0)).all()
        return int((np.stack((found.cards_left, found.stock_left), axis=1) != expected[:, :2]).any(axis=1).sum())

    assert differences(cards[:1]) == 0
    with ThreadPoolExecutor(2) as pool:
        assert sum(pool.map(differences, np.split(cards, 20))) == 0


@pytest.mark.parametrize("rules", ["classic", "hard"])
@pytest.mark.parametrize(
    ("bound", "clear_only"), [(FORWARD_BOUND, True), (BACKWARD_BOUND, True), (BACKWARD_BOUND, False)]
)
def test_a_bound_spares_states_and_changes_no_outcome(bound: int, clear_only: bool, rules: str) -> None:
    cards, heights, fits = full_deals(300, 60), layout(SEVEN_BY_FIVE), fits_of(RULES[rules])
    bounded = solve_batch(cards, heights, True, fits, clear_only)
    free = solve_batch(cards, heights, True, fits, clear_only, bounds=EVERY_BOUND & ~bound)
    assert_same(free, bounded)
    assert bounded.states.sum() < free.states.sum()


@every_any_time_rule_set
@pytest.mark.parametrize("clear_only", [False, True])
def test_a_limit_leaves_positions_undecided_and_never_wrong(rules: str, clear_only: bool) -> None:
    cards = full_deals(500, 20)
    exactly = batch_of(cards, rules, clear_only=clear_only)
    best = batch_of(cards, rules)
    for limit in (1, 30, 1000, 10_000, 30_000):
        limited = batch_of(cards, rules, limit, clear_only)
        undecided = limited.status == UNDECIDED
        assert (undecided == (exactly.states > limit)).all()
        assert (limited.states == np.minimum(exactly.states, limit)).all()
        for limited_values, values in zip(limited, exactly, strict=True):
            assert (limited_values == values)[~undecided].all()
        assert (limited.cards_left[undecided] >= np.maximum(best.cards_left[undecided], 1)).all()
        assert (limited.stock_left[undecided] == 0).all()


@every_any_time_rule_set
@pytest.mark.parametrize("clear_only", [False, True])
def test_the_limit_is_met_to_the_state(rules: str, clear_only: bool) -> None:
    for row in full_deals(600, 8)[:, np.newaxis]:
        exactly = batch_of(row, rules, clear_only=clear_only)
        states = int(exactly.states[0])
        # A bound may decide a deal at once; a limit of 0 is none.
        assert_same(batch_of(row, rules, max(states, 1), clear_only), exactly)
        if states > 1:
            assert batch_of(row, rules, states - 1, clear_only).status[0] == UNDECIDED


def test_a_workspace_keeps_nothing_from_one_search_to_the_next() -> None:
    cards, heights = full_deals(700, 10), layout(SEVEN_BY_FIVE)
    work = two_ended.workspace(heights)
    for rules in [*ANY_TIME, *reversed(ANY_TIME)]:
        fits = fits_of(RULES[rules])
        for limit in (500, 20_000):
            solve_batch(cards, heights, True, fits, max_states=limit, work=work)
            solve_batch(cards, heights, True, fits, clear_only=True, max_states=limit, work=work)
        again = solve_batch(cards[::-1], heights, True, fits, work=work)
        for reversed_values, values in zip(again, batch_of(cards, rules), strict=True):
            assert (reversed_values[::-1] == values).all()


def test_threads_with_workspaces_of_their_own_do_not_meet() -> None:
    cards = full_deals(800, 120)
    with ThreadPoolExecutor(2) as pool:
        halves = list(pool.map(batch_of, (cards[:60], cards[60:]), ("classic", "classic")))
    for first, second, values in zip(*halves, batch_of(cards, "classic"), strict=True):
        assert (np.concatenate((first, second)) == values).all()


def test_a_layout_that_is_too_large_is_refused() -> None:
    with pytest.raises(ValueError, match=r"at most 16777216, here it is 33554432"):
        two_ended.workspace(layout([1] * 25))


@pytest.mark.parametrize("size", [35, 256])
def test_rows_of_a_wrong_length_are_refused(size: int) -> None:
    with pytest.raises(ValueError, match=f"has 36 to 255 cards, these have {size}"):
        batch_of(np.zeros((2, size), np.uint8), "classic")


def test_an_unseen_card_is_refused() -> None:
    cards = full_deals(0, 2)
    cards[1, 51] = 255
    with pytest.raises(ValueError, match="every card must be known"):
        batch_of(cards, "classic")


def test_a_workspace_for_another_layout_is_refused() -> None:
    work = two_ended.workspace(layout([5] * 6))
    with pytest.raises(ValueError, match="another layout"):
        solve_batch(full_deals(0, 1), layout(SEVEN_BY_FIVE), True, fits_of(RULES["hard"]), work=work)
