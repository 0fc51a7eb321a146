"""The exact search by phases, held against an exhaustive search in plain Python and against the rules."""

from concurrent.futures import ThreadPoolExecutor
from random import Random

import naive_search
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_playout import RULES, Allowed
from naive_search import best_end, replay
from numpy.typing import NDArray
from positions import (
    SEVEN_BY_FIVE,
    Position,
    any_rules,
    fits_of,
    full_deals,
    layout,
    position_of,
    positions_of_any_cards,
    small_batches,
    told,
)

from golf_cli.kernels import phases
from golf_cli.kernels.phases import CLEARED, DRAW, NOT_CLEARABLE, UNDECIDED, Line, Outcomes, solve_batch, solve_line

every_rule_set = pytest.mark.parametrize("rules", RULES)


def batch_of(cards: NDArray[np.uint8], rules: str, max_states: int = 0) -> Outcomes:
    return solve_batch(cards, layout(SEVEN_BY_FIVE), True, fits_of(RULES[rules]), rules == "strict", max_states)


def line_of(row: NDArray[np.uint8], rules: str, max_states: int = 0) -> Line:
    return solve_line(row, layout(SEVEN_BY_FIVE), True, fits_of(RULES[rules]), rules == "strict", max_states)


def strokes(outcomes: Outcomes) -> NDArray[np.int64]:
    return outcomes.cards_left.astype(np.int64) - outcomes.stock_left.astype(np.int64)


def assert_played_by_the_rules(line: Line, position: Position, allowed: Allowed, strict: bool) -> None:
    actions = [naive_search.DRAW if action == DRAW else action for action in line.actions.tolist()]
    cards_left, stock_left, over = replay(*position, allowed, strict, actions)
    assert cards_left == line.cards_left
    if line.status != UNDECIDED:
        assert over
        assert stock_left == line.stock_left


@every_rule_set
def test_small_positions_end_as_in_an_exhaustive_search_and_their_lines_show_it(rules: str) -> None:
    allowed, strict = RULES[rules], rules == "strict"
    fits = fits_of(allowed)
    cleared = solved = 0
    for cards, heights, dealt in small_batches(seed=1, batches=60, rows=20):
        outcomes = solve_batch(cards, layout(heights), dealt, fits, strict)
        for row, *outcome, states in zip(cards, *outcomes, strict=True):
            position = position_of(row.tolist(), heights, dealt)
            assert told(*map(int, outcome)) == best_end(*position, allowed, strict)
            line = solve_line(row, layout(heights), dealt, fits, strict)
            assert line[:4] == (*outcome, states)
            assert_played_by_the_rules(line, position, allowed, strict)
            cleared += line.status == CLEARED
            solved += 1
    assert solved / 10 < cleared < solved * 9 / 10


@settings(max_examples=300)
@given(position=positions_of_any_cards, dealt=st.booleans(), allowed=any_rules, strict=st.booleans())
def test_whatever_may_be_played_on_what_the_best_end_is_found(
    position: tuple[list[int], list[int]], dealt: bool, allowed: Allowed, strict: bool
) -> None:
    heights, row = position
    line = solve_line(np.array(row, np.uint8), layout(heights), dealt, fits_of(allowed), strict)
    cards = position_of(row, heights, dealt)
    assert told(*line[:3]) == best_end(*cards, allowed, strict)
    assert_played_by_the_rules(line, cards, allowed, strict)


def assert_full_deals_end_as_in_an_exhaustive_search(rules: str, first: int, n: int) -> None:
    allowed, strict = RULES[rules], rules == "strict"
    cards = full_deals(first, n)
    for row, *outcome, _ in zip(cards, *batch_of(cards, rules), strict=True):
        position = position_of(row.tolist(), SEVEN_BY_FIVE, dealt=True)
        assert told(*map(int, outcome)) == best_end(*position, allowed, strict)
        line = line_of(row, rules)
        assert list(line[:3]) == outcome
        assert_played_by_the_rules(line, position, allowed, strict)


@pytest.mark.parametrize(("rules", "n"), [("easy", 1), ("classic", 1), ("hard", 1), ("strict", 15)])
def test_full_deals_end_as_in_an_exhaustive_search(rules: str, n: int) -> None:
    assert_full_deals_end_as_in_an_exhaustive_search(rules, 0, n)


@pytest.mark.slow
@every_rule_set
def test_more_full_deals_end_as_in_an_exhaustive_search(rules: str) -> None:
    assert_full_deals_end_as_in_an_exhaustive_search(rules, 1, 15)


def test_stricter_rules_never_take_fewer_strokes() -> None:
    cards = full_deals(100, 300)
    easy, classic, hard, strict = (strokes(batch_of(cards, rules)) for rules in RULES)
    assert (easy <= classic).all()
    assert (classic <= hard).all()
    assert (hard <= strict).all()
    assert easy.sum() < classic.sum() < hard.sum() < strict.sum()


def test_drawing_while_a_card_fits_is_chosen_where_it_is_right() -> None:
    # The five fits the four at once, but the six needs it later, after the nine that covers the six.
    row, heights = np.array([5, 6, 9, 4, 8, 4], np.uint8) * 4, layout([1, 2])
    free = solve_line(row, heights, True, fits_of(RULES["hard"]), strict=False)
    assert free.status == CLEARED
    assert free.stock_left == 0
    assert free.actions.tolist() == [DRAW, 1, DRAW, 0, 1]
    stuck = solve_line(row, heights, True, fits_of(RULES["hard"]), strict=True)
    assert stuck.status == NOT_CLEARABLE
    assert stuck.cards_left == 1
    assert stuck.actions.tolist() == [0, DRAW, 1, DRAW]


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("heights", [[], [0, 0, 0]])
def test_a_position_without_columns_is_won_with_the_whole_stock_left(heights: list[int], strict: bool) -> None:
    line = solve_line(np.array([7, 8, 9], np.uint8), layout(heights), True, fits_of(RULES["classic"]), strict)
    assert line[:4] == (CLEARED, 0, 2, 0)
    assert line.actions.tolist() == []


@pytest.mark.parametrize("strict", [False, True])
def test_a_position_that_nothing_fits_draws_its_stock_out(strict: bool) -> None:
    row = np.array([0, 20, 40, 41, 42], np.uint8)
    line = solve_line(row, layout([2]), True, fits_of(RULES["classic"]), strict)
    assert (line.status, line.cards_left) == (NOT_CLEARABLE, 2)
    assert line.actions.tolist() == [DRAW, DRAW]


@pytest.mark.parametrize("strict", [False, True])
def test_two_stock_cards_of_one_rank_in_a_row_are_two_draws_in_the_line(strict: bool) -> None:
    row = np.array([32, 20, 48, 0, 36, 37, 52, 53], np.uint8)
    allowed = RULES["classic"]
    line = solve_line(row, layout([2, 0, 1]), True, fits_of(allowed), strict)
    position = position_of(row.tolist(), [2, 0, 1], dealt=True)
    assert told(*line[:3]) == best_end(*position, allowed, strict)
    assert_played_by_the_rules(line, position, allowed, strict)


def test_no_positions_have_no_outcomes() -> None:
    outcomes = batch_of(np.empty((0, 52), np.uint8), "classic")
    assert [len(values) for values in outcomes] == [0, 0, 0, 0]


@every_rule_set
@pytest.mark.parametrize(
    "heights",
    [[1] * 16, [2, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], [40, 3, 2], [1, 1, 1, 60, 1, 1], [200]],
    ids=["16 columns", "15 columns, one empty", "a column of 40", "a column of 60", "a column of 200"],
)
def test_unusual_layouts_end_as_in_an_exhaustive_search(heights: list[int], rules: str) -> None:
    allowed, strict = RULES[rules], rules == "strict"
    for seed in range(3):
        random = Random(seed)
        size = sum(heights) + 1 + 4
        # A walk up and down the ranks, so that long columns can be played.
        steps = (random.choice([-4, 4, 4]) for _ in range(size))
        row = []
        card = 20
        for step in steps:
            card = card + step if 0 <= card + step < 52 else card - step
            row.append(card)
        position = position_of(row, heights, dealt=True)
        line = solve_line(np.array(row, np.uint8), layout(heights), True, fits_of(allowed), strict)
        assert told(*line[:3]) == best_end(*position, allowed, strict)
        assert_played_by_the_rules(line, position, allowed, strict)


def test_a_layout_of_the_largest_size_is_searched() -> None:
    # Twenty-four single cards, each pair of neighbouring ranks twelve times: all go in one run from the first top.
    row = np.array([0, 4] * 12 + [4] + [50] * 3, np.uint8)
    line = solve_line(row, layout([1] * 24), True, fits_of(RULES["classic"]), strict=False, max_states=1000)
    assert line[:3] == (CLEARED, 0, 3)
    position = position_of(row.tolist(), [1] * 24, dealt=True)
    assert_played_by_the_rules(line, position, RULES["classic"], strict=False)


@every_rule_set
def test_a_limit_leaves_positions_undecided_and_never_wrong(rules: str) -> None:
    cards = full_deals(500, 12)
    exactly = batch_of(cards, rules)
    for limit in (1, 30, 1000, 50_000):
        limited = batch_of(cards, rules, limit)
        undecided = limited.status == UNDECIDED
        assert (undecided == (exactly.states > limit)).all()
        assert (limited.states == np.minimum(exactly.states, limit)).all()
        for limited_values, values in zip(limited, exactly, strict=True):
            assert (limited_values == values)[~undecided].all()
        assert (limited.cards_left[undecided] >= np.maximum(exactly.cards_left[undecided], 1)).all()
        assert (limited.stock_left[undecided] == 0).all()
        for row, *outcome in zip(cards, *limited, strict=True):
            line = line_of(row, rules, limit)
            assert list(line[:4]) == outcome
            position = position_of(row.tolist(), SEVEN_BY_FIVE, dealt=True)
            assert_played_by_the_rules(line, position, RULES[rules], rules == "strict")


@every_rule_set
def test_the_limit_is_met_to_the_state(rules: str) -> None:
    for row in full_deals(600, 4):
        states = line_of(row, rules).states
        assert line_of(row, rules, states).status != UNDECIDED
        assert line_of(row, rules, states - 1).status == UNDECIDED


def test_a_workspace_keeps_nothing_from_one_search_to_the_next() -> None:
    cards, heights = full_deals(700, 10), layout(SEVEN_BY_FIVE)
    work = phases.workspace(heights, strict=True)
    for rules in [*RULES, *reversed(RULES)]:
        fits, strict = fits_of(RULES[rules]), rules == "strict"
        solve_batch(cards, heights, True, fits, strict, max_states=500, work=work)
        again = solve_batch(cards[::-1], heights, True, fits, strict, work=work)
        for reversed_values, values in zip(again, batch_of(cards, rules), strict=True):
            assert (reversed_values[::-1] == values).all()


def test_threads_with_workspaces_of_their_own_do_not_meet() -> None:
    cards = full_deals(800, 60)
    with ThreadPoolExecutor(2) as pool:
        halves = list(pool.map(batch_of, (cards[:30], cards[30:]), ("classic", "classic")))
    for first, second, values in zip(*halves, batch_of(cards, "classic"), strict=True):
        assert (np.concatenate((first, second)) == values).all()


@every_rule_set
def test_a_line_longer_in_the_finding_than_the_memory_set_aside_is_the_same(
    rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = full_deals(900, 1)[0]
    line = line_of(row, rules)
    monkeypatch.setattr(phases, "SHORTEST_TRAIL", 1)
    grown = line_of(row, rules)
    assert grown[:4] == line[:4]
    assert grown.actions.tolist() == line.actions.tolist()


def test_a_layout_that_is_too_large_is_refused() -> None:
    with pytest.raises(ValueError, match=r"at most 16777216, here it is 33554432"):
        phases.workspace(layout([1] * 25), strict=False)


@pytest.mark.parametrize("size", [35, 256])
def test_rows_of_a_wrong_length_are_refused(size: int) -> None:
    with pytest.raises(ValueError, match=f"has 36 to 255 cards, these have {size}"):
        batch_of(np.zeros((2, size), np.uint8), "classic")


def test_an_unseen_card_is_refused() -> None:
    cards = full_deals(0, 2)
    cards[1, 51] = 255
    with pytest.raises(ValueError, match="every card must be known"):
        batch_of(cards, "classic")


def test_a_workspace_for_something_else_is_refused() -> None:
    heights, fits = layout(SEVEN_BY_FIVE), fits_of(RULES["hard"])
    with pytest.raises(ValueError, match="another layout"):
        solve_batch(full_deals(0, 1), heights, True, fits, False, work=phases.workspace(layout([5] * 6), False))
    with pytest.raises(ValueError, match="make one for strict draws"):
        solve_batch(full_deals(0, 1), heights, True, fits, True, work=phases.workspace(heights, False))
