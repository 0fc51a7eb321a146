"""The policies that weigh stops: their games, held against plain Python and against the rules."""

import importlib.util
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import product
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_lookahead import Player, laid_out
from naive_playout import JOKER, OPEN, RULES, Allowed
from numpy.typing import NDArray

from golf_cli.kernels.lookahead import DRAW, POLICIES, STAGE, WEIGHTS, play_lines, play_rows
from golf_cli.kernels.shuffle import shuffle_rows
from golf_cli.rules import PRESETS
from golf_cli.solvers.policies import weights

SEVEN_BY_FIVE = np.full(7, 5, np.uint8)
NO_WEIGHTS = np.empty(0, np.int32)
every_player = pytest.mark.parametrize(
    ("policy", "depth", "slack"),
    [
        ("keep-options", 0, 0),
        ("lookahead", 0, 0),
        ("lookahead", 1, 0),
        ("lookahead", 0, 700),
        ("lookahead", 1, 1500),
    ],
)


def fits_of(allowed: Allowed) -> NDArray[np.uint64]:
    masks = [sum(allowed(rank, top) << rank for rank in range(JOKER + 1)) for top in range(OPEN + 1)]
    return np.array([*masks, 0], np.uint64)


def deals(first: int, n: int, jokers: int = 0) -> NDArray[np.uint8]:
    return shuffle_rows(np.arange(first, first + n, dtype=np.uint64), np.arange(52 + jokers, dtype=np.uint8))


def tables(policy: str, rules: str) -> NDArray[np.int32]:
    return weights(PRESETS[rules]) if policy == "lookahead" else NO_WEIGHTS


@cache
def fitting_script() -> ModuleType:
    path = Path(__file__).parents[1] / "scripts" / "fit_lookahead.py"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def actions_of(line: NDArray[np.uint8]) -> list[int | str]:
    return ["draw" if action == DRAW else action for action in line.tolist()]


@every_player
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(("dealt", "jokers"), [(True, 0), (True, 1), (False, 2)])
def test_games_are_played_as_in_plain_python(
    policy: str, depth: int, slack: int, rules: str, dealt: bool, jokers: int
) -> None:
    cards, heights = deals(2**35 - 4, 4, jokers), SEVEN_BY_FIVE
    if depth:  # plain Python takes its time
        cards, heights = cards[:2, 24:], np.array([3, 2, 4, 0, 3, 4, 2], np.uint8)
    learnt, strict = tables(policy, rules), rules == "strict"
    numbers = np.array([2**64 - 1, 0, 5, 2**40][: len(cards)], np.uint64)
    call = heights, dealt, fits_of(RULES[rules]), strict, learnt, depth, slack, numbers, 2**64 - 1
    ends, lines = play_rows(policy, cards, *call), play_lines(policy, cards, *call)
    player = Player(RULES[rules], strict, learnt.tolist() if policy == "lookahead" else None, depth, slack)
    for row, number, line, *end in zip(cards, numbers.tolist(), lines, *ends, strict=True):
        columns, top, stock = laid_out(row.tolist(), heights.tolist(), dealt)
        actions = player.game(columns, top, stock, number, 2**64 - 1)
        assert actions_of(line) == actions
        draws = actions.count("draw")
        assert end == [sum(map(len, columns)) + draws - len(actions), len(stock) - draws]


positions = st.lists(st.integers(0, 4), max_size=5).flatmap(
    lambda heights: st.tuples(
        st.just(heights), st.lists(st.integers(0, 53), min_size=sum(heights) + 1, max_size=sum(heights) + 8)
    )
)
any_rules = st.one_of(
    st.sampled_from(list(RULES.values())),
    st.frozensets(st.tuples(st.integers(0, JOKER), st.integers(0, OPEN)), min_size=20).map(
        lambda pairs: lambda rank, top: (rank, top) in pairs
    ),
)


@every_player
@settings(max_examples=100)
@given(
    position=positions,
    dealt=st.booleans(),
    allowed=any_rules,
    strict=st.booleans(),
    seed=st.integers(0, 1000),
    span=st.sampled_from([1, 3, 1000]),
)
def test_any_position_under_any_rules_with_any_tables_is_played_as_in_plain_python(
    policy: str,
    depth: int,
    slack: int,
    position: tuple[list[int], list[int]],
    dealt: bool,
    allowed: Allowed,
    strict: bool,
    seed: int,
    span: int,
) -> None:
    heights, row = position
    learnt = np.random.default_rng(seed).integers(-span, span, WEIGHTS, dtype=np.int32)
    player = Player(allowed, strict, learnt.tolist() if policy == "lookahead" else None, depth, slack)
    layout, cards, numbers = np.array(heights, np.uint8), np.array([row], np.uint8), np.array([7], np.uint64)
    (line,) = play_lines(policy, cards, layout, dealt, fits_of(allowed), strict, learnt, depth, slack, numbers, seed)
    assert actions_of(line) == player.game(*laid_out(row, heights, dealt), 7, seed)


@every_player
@pytest.mark.parametrize("rules", RULES)
def test_the_order_of_the_cards_still_to_be_drawn_changes_nothing_before_they_are(
    policy: str, depth: int, slack: int, rules: str
) -> None:
    random = np.random.default_rng(3)
    (row,) = deals(11, 1)
    call = (
        SEVEN_BY_FIVE,
        True,
        fits_of(RULES[rules]),
        rules == "strict",
        tables(policy, rules),
        depth,
        slack,
        np.array([11], np.uint64),
    )
    (line,) = play_lines(policy, row[np.newaxis], *call)
    draws = np.flatnonzero(line == DRAW)
    assert len(draws) > 8
    for drawn in range(len(draws)):
        other = row.copy()
        random.shuffle(other[36 + drawn :])
        (played,) = play_lines(policy, other[np.newaxis], *call)
        assert played[: draws[drawn] + 1].tolist() == line[: draws[drawn] + 1].tolist()


@every_player
def test_a_game_does_not_depend_on_the_batch_around_it(policy: str, depth: int, slack: int) -> None:
    cards, numbers = deals(7, 60), np.arange(60, dtype=np.uint64)
    call = SEVEN_BY_FIVE, True, fits_of(RULES["easy"]), False, tables(policy, "easy"), depth, slack
    whole = play_rows(policy, cards, *call, numbers)
    order = np.random.default_rng(1).permutation(60)
    for part in (order[:1], order[1:20], order[20:], order[:0]):
        ends = play_rows(policy, cards[part], *call, numbers[part])
        assert ends.cards_left.tolist() == whole.cards_left[part].tolist()
        assert ends.stock_left.tolist() == whole.stock_left[part].tolist()


@pytest.mark.parametrize(
    ("policy", "rules", "win_rate", "strokes"),
    [
        ("keep-options", "easy", 0.2021, 2.604),
        ("keep-options", "classic", 0.0316, 6.638),
        ("keep-options", "hard", 0.0109, 8.694),
        ("keep-options", "strict", 0.0110, 8.680),
        ("lookahead", "easy", 0.4314, 0.654),
        ("lookahead", "classic", 0.0896, 4.715),
        ("lookahead", "hard", 0.0346, 6.624),
        ("lookahead", "strict", 0.0312, 6.625),
    ],
)
def test_the_policies_score_what_they_are_known_to_score(
    policy: str, rules: str, win_rate: float, strokes: float
) -> None:
    call = SEVEN_BY_FIVE, True, fits_of(RULES[rules]), rules == "strict", tables(policy, rules)
    ends = play_rows(policy, deals(10**8, 10_000), *call)
    cleared = ends.cards_left == 0
    scores = np.where(cleared, -ends.stock_left.astype(np.int64), ends.cards_left)
    assert abs(cleared.mean() - win_rate) < 4 * cleared.std() / np.sqrt(1e4)
    assert abs(scores.mean() - strokes) < 4 * scores.std() / np.sqrt(1e4)


@pytest.mark.parametrize("rules", RULES)
def test_the_script_learns_the_same_tables_again(rules: str) -> None:
    script = fitting_script()
    assert script.sample(PRESETS[rules]) == script.stored()["samples"][rules]


@pytest.mark.slow
def test_the_script_learns_the_tables_that_golf_ships() -> None:
    script = fitting_script()
    assert script.learn(PRESETS["hard"], script.stored()["games"]).tolist() == script.stored()["tables"]["hard"]


def of_ranks(columns: list[list[int]], top: int, stock: list[int]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """A batch of one position given by ranks, ace = 1, and its heights."""
    ranks = [rank for column in columns for rank in column] + [top, *stock]
    return np.array([[rank - 1 << 2 for rank in ranks]], np.uint8), np.array(list(map(len, columns)), np.uint8)


def test_keep_options_stops_with_the_cards_that_most_unseen_cards_fit() -> None:
    # On the 5 the 6 may be played or the 4; then the 5 or the 3 below is available beside the other card.
    cards, heights = of_ranks([[13, 4], [13, 6]], 5, [7, 7, 7, 2])
    (line,) = play_lines("keep-options", cards, heights, True, fits_of(RULES["classic"]), False, NO_WEIGHTS)
    assert line.tolist()[0] == 0


def test_a_run_that_clears_is_played_whatever_the_tables_say() -> None:
    cards, heights = of_ranks([[4, 3], [], [2]], 1, [9, 9, 9])
    call = cards, heights, True, fits_of(RULES["classic"]), False
    for sign, depth, slack in product((-1, 1), (0, 1), (0, 10**6)):
        learnt = np.full(WEIGHTS, sign * 10**6, np.int32)
        for number in range(9):
            (line,) = play_lines("lookahead", *call, learnt, depth, slack, np.array([number], np.uint64))
            assert line.tolist() == [2, 0, 0]


def test_without_slack_neither_numbers_nor_seeds_matter() -> None:
    call = SEVEN_BY_FIVE, True, fits_of(RULES["classic"]), False, tables("lookahead", "classic"), 0, 0
    plain = play_rows("lookahead", deals(3, 50), *call)
    other = play_rows("lookahead", deals(3, 50), *call, np.arange(50, dtype=np.uint64), 9)
    assert plain.cards_left.tolist() == other.cards_left.tolist()
    assert plain.stock_left.tolist() == other.stock_left.tolist()


@pytest.mark.parametrize("depth", [0, 1])
@pytest.mark.parametrize(("slack", "choices"), [(0, 1), (499, 1), (500, 3), (1999, 3), (2000, 4), (10**6, 4)])
def test_stops_within_the_slack_are_each_as_likely(depth: int, slack: int, choices: int) -> None:
    # On the 5 the 4 may be played or the 6, and on that the 7.
    cards, heights = of_ranks([[13, 4], [13, 7, 6], [1]], 5, [9, 9])
    learnt = np.zeros(WEIGHTS, np.int32)
    learnt[3 * STAGE :] = np.tile(np.array([0] * 4 + [1000, 1500, 3000] + [0] * 33), 19)  # by the cards left
    numbers = np.arange(3000, dtype=np.uint64)
    batch = np.repeat(cards, len(numbers), 0), heights, True, fits_of(RULES["classic"]), False
    lines = play_lines("lookahead", *batch, learnt, depth, slack, numbers, 5)
    runs = Counter(tuple(line[: line.tolist().index(DRAW)].tolist()) for line in lines)
    assert set(runs) == set([(1, 1), (0,), (1,), ()][:choices])
    expected = len(numbers) / choices
    assert all(abs(count - expected) < 4 * expected**0.5 for count in runs.values())


def test_a_draw_only_when_stuck_is_honoured_where_a_draw_at_any_time_would_be_made() -> None:
    cards, heights = of_ranks([[13, 4]], 5, [8, 3])
    learnt = np.zeros(WEIGHTS, np.int32)
    learnt[3 * STAGE :] = -np.tile(np.arange(40), 19)  # the more cards left the better
    lines = [
        actions_of(*play_lines("lookahead", cards, heights, True, fits_of(RULES["hard"]), strict, learnt))
        for strict in (False, True)
    ]
    assert lines == [["draw", "draw", 0], [0, "draw", "draw"]]


def test_bits_above_the_joker_make_no_card_of_an_empty_column() -> None:
    fits = np.full(16, 2**64 - 1, np.uint64)
    row, heights = np.array([[0, 4, 8, 12]], np.uint8), np.array([0, 2, 0, 1], np.uint8)
    for policy in POLICIES:
        (line,) = play_lines(policy, row, heights, True, fits, False, np.zeros(WEIGHTS, np.int32))
        assert sorted(line.tolist()) == [1, 1, 3]


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        (lambda call: call.update(policy="greedy"), "'greedy': choose from keep-options, lookahead"),
        (lambda call: call.update(weights=NO_WEIGHTS), rf"needs {WEIGHTS} weights, not an array of shape \(0,\)"),
        (lambda call: call.update(depth=2), "cannot look 2 draws ahead: give a depth of 0 or 1"),
        (
            lambda call: call.update(slack=-1),
            "a slack of -1 is out of range: give 0 to 1000000 thousandths of a stroke",
        ),
        (lambda call: call.update(slack=1), "chooses by the deals' numbers: give them"),
        (lambda call: call.update(numbers=np.zeros(3, np.uint64)), "3 numbers for 2 positions"),
        (lambda call: call.update(cards=np.zeros((2, 35), np.uint8)), "give rows of 36 to 255 cards"),
        (lambda call: call.update(cards=np.zeros((2, 104), np.uint8), heights=np.full(10, 5, np.uint8)), "60466176"),
    ],
)
def test_what_cannot_be_played_is_refused_with_the_reason(
    broken: Callable[[dict[str, object]], None], says: str
) -> None:
    call: dict[str, object] = {
        "policy": "lookahead",
        "cards": deals(0, 2),
        "heights": SEVEN_BY_FIVE,
        "dealt": True,
        "fits": fits_of(RULES["classic"]),
        "strict": False,
        "weights": np.zeros(WEIGHTS, np.int32),
        "depth": 0,
    }
    broken(call)
    with pytest.raises(ValueError, match=says):
        play_rows(**call)  # type: ignore[arg-type]
