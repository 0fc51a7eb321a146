"""The compiled policies: the games they play, held against plain Python and against the rules."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_playout import JOKER, OPEN, RULES, Allowed, NaiveGame, new_game, play_out
from naive_shuffle import WORD
from numpy.typing import NDArray
from scipy.stats import chi2

from golf_cli.kernels.playout import DRAW, POLICIES, play_line, play_rows
from golf_cli.kernels.shuffle import shuffle_rows

SEVEN_BY_FIVE = np.full(7, 5, np.uint8)
every_policy = pytest.mark.parametrize("policy", POLICIES)


def fits_of(allowed: Allowed) -> NDArray[np.uint64]:
    masks = [sum(allowed(rank, top) << rank for rank in range(JOKER + 1)) for top in range(OPEN + 1)]
    return np.array([*masks, 0], np.uint64)


def deals(first: int, n: int, jokers: int = 0) -> tuple[NDArray[np.uint8], NDArray[np.uint64]]:
    numbers = np.arange(first, first + n, dtype=np.uint64)
    return shuffle_rows(numbers, np.arange(52 + jokers, dtype=np.uint8)), numbers


def actions_of(line: NDArray[np.uint8]) -> list[int | str]:
    return ["draw" if action == DRAW else action for action in line.tolist()]


@every_policy
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(("dealt", "jokers"), [(True, 0), (True, 1), (False, 2)])
def test_full_deals_are_played_as_in_plain_python(policy: str, rules: str, dealt: bool, jokers: int) -> None:
    cards, numbers = deals(2**35 - 20, 20, jokers)
    fits = fits_of(RULES[rules])
    ends = play_rows(policy, cards, SEVEN_BY_FIVE, dealt, fits, numbers, 9)
    for row, number, *end in zip(cards, numbers.tolist(), *ends, strict=True):
        game = new_game(row.tolist(), SEVEN_BY_FIVE.tolist(), dealt, RULES[rules])
        line = play_out(policy, game, number, 9)
        assert end == [game.cards_left(), len(game.stock)]
        assert actions_of(play_line(policy, row, SEVEN_BY_FIVE, dealt, fits, number, 9)) == line


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


@every_policy
@settings(max_examples=300)
@given(
    position=positions,
    dealt=st.booleans(),
    allowed=any_rules,
    number=st.integers(0, WORD - 1),
    seed=st.integers(0, WORD - 1),
)
def test_any_position_under_any_rules_is_played_as_in_plain_python(
    policy: str, position: tuple[list[int], list[int]], dealt: bool, allowed: Allowed, number: int, seed: int
) -> None:
    heights, row = position
    game = new_game(row, heights, dealt, allowed)
    line = play_out(policy, game, number, seed)
    layout, fits = np.array(heights, np.uint8), fits_of(allowed)
    cards = np.array([row], np.uint8)
    ends = play_rows(policy, cards, layout, dealt, fits, np.array([number], np.uint64), seed)
    assert (ends.cards_left[0], ends.stock_left[0]) == (game.cards_left(), len(game.stock))
    assert actions_of(play_line(policy, cards[0], layout, dealt, fits, number, seed)) == line


@every_policy
def test_a_line_is_a_legal_game_that_draws_only_when_stuck_and_goes_on_to_its_end(policy: str) -> None:
    cards, numbers = deals(1, 300)
    fits = fits_of(RULES["easy"])
    cards_left, stock_left = play_rows(policy, cards, SEVEN_BY_FIVE, True, fits, numbers)
    assert 0 in cards_left
    assert cards_left.max() > 0
    for i, row in enumerate(cards):
        game: NaiveGame = new_game(row.tolist(), SEVEN_BY_FIVE.tolist(), True, RULES["easy"])
        for action in play_line(policy, row, SEVEN_BY_FIVE, True, fits, i + 1).tolist():
            assert not game.over()
            if action == DRAW:
                game.draw()
            else:
                game.play(action)
        assert game.over()
        assert (game.cards_left(), len(game.stock)) == (cards_left[i], stock_left[i])


@every_policy
def test_a_game_does_not_depend_on_the_batch_around_it(policy: str) -> None:
    cards, numbers = deals(7, 500)
    fits = fits_of(RULES["easy"])
    whole = play_rows(policy, cards, SEVEN_BY_FIVE, True, fits, numbers, 3)
    order = np.random.default_rng(1).permutation(500)
    for part in (order[:1], order[1:120], order[120:]):
        ends = play_rows(policy, cards[part], SEVEN_BY_FIVE, True, fits, numbers[part], 3)
        assert ends.cards_left.tolist() == whole.cards_left[part].tolist()
        assert ends.stock_left.tolist() == whole.stock_left[part].tolist()


def test_bits_above_the_joker_make_no_card_of_an_empty_column() -> None:
    fits = np.full(16, 2**64 - 1, np.uint64)
    row = np.array([0, 4, 8, 12], np.uint8)
    for policy in POLICIES:
        line = play_line(policy, row, np.array([0, 2, 0, 1], np.uint8), True, fits)
        assert sorted(line.tolist()) == [1, 1, 3]


def line_of(policy: str, columns: list[list[int]], top: int, stock: list[int]) -> list[int]:
    """The line of a position given by ranks, ace = 1, under the classic rules."""
    ranks = [rank for column in columns for rank in column] + [top, *stock]
    row = np.array([rank - 1 << 2 for rank in ranks], np.uint8)
    heights = np.array([len(column) for column in columns], np.uint8)
    return [int(action) for action in play_line(policy, row, heights, True, fits_of(RULES["classic"]))]


def test_longest_column_prefers_more_cards_and_then_the_left() -> None:
    columns = [[6], [13, 4], [13, 6], [10, 9, 2]]
    assert line_of("leftmost", columns, 5, []) == [0]
    assert line_of("longest-column", columns, 5, []) == [1]


def test_longest_run_looks_further_than_the_next_card_and_goes_left_among_equals() -> None:
    columns = [[4], [6], [7], [8], [8]]
    assert line_of("leftmost", columns, 5, []) == [0]
    assert line_of("longest-run", columns, 5, []) == [1, 2, 3]


def test_a_cleared_tableau_ends_the_game_at_once_and_keeps_the_stock() -> None:
    for policy in POLICIES:
        assert line_of(policy, [[4, 3], [], [2]], 1, [9, 9, 9]) == [2, 0, 0]
        assert line_of(policy, [[], []], 1, [9, 9, 9]) == []


def test_random_takes_each_column_that_fits_equally_often() -> None:
    # On an ace the three twos fit, and nothing fits after one of them.
    row, heights, fits = np.array([4, 20, 4, 28, 4, 0], np.uint8), np.full(5, 1, np.uint8), fits_of(RULES["classic"])
    lines = [play_line("random", row, heights, True, fits, number).tolist() for number in range(3000)]
    columns, counts = np.unique(lines, return_counts=True)
    assert columns.tolist() == [0, 2, 4]
    assert ((counts - 1000) ** 2 / 1000).sum() < chi2.isf(1e-6, 2)


def test_another_seed_plays_other_random_games_and_changes_nothing_else() -> None:
    cards, numbers = deals(0, 300)
    fits = fits_of(RULES["easy"])
    for policy in POLICIES:
        ends = [play_rows(policy, cards, SEVEN_BY_FIVE, True, fits, numbers, seed).cards_left for seed in (1, 1, 2)]
        assert (ends[0] == ends[1]).all()
        assert (ends[0] == ends[2]).all() == (policy != "random")


@pytest.mark.parametrize(
    ("rules", "win_rate", "strokes"), [("easy", 0.180, 3.43), ("classic", 0.0257, 7.71), ("hard", 0.0082, 10.21)]
)
def test_longest_column_scores_what_it_is_known_to_score(rules: str, win_rate: float, strokes: float) -> None:
    cards, numbers = deals(0, 100_000)
    ends = play_rows("longest-column", cards, SEVEN_BY_FIVE, True, fits_of(RULES[rules]), numbers)
    cleared = ends.cards_left == 0
    scores = np.where(cleared, -ends.stock_left.astype(np.int64), ends.cards_left)
    assert abs(cleared.mean() - win_rate) < 4 * cleared.std() / np.sqrt(1e5)
    assert abs(scores.mean() - strokes) < 4 * scores.std() / np.sqrt(1e5)


def test_an_unknown_policy_is_refused_with_the_ones_there_are() -> None:
    with pytest.raises(ValueError, match=r"'greedy': choose from random, leftmost, longest-column, longest-run"):
        line_of("greedy", [[2]], 1, [])


@pytest.mark.parametrize("width", [35, 256])
def test_rows_that_do_not_have_the_layout_are_refused(width: int) -> None:
    cards, numbers = np.zeros((2, width), np.uint8), np.zeros(2, np.uint64)
    with pytest.raises(ValueError, match=r"7 columns of 35 cards and a foundation: give rows of 36 to 255 cards"):
        play_rows("leftmost", cards, SEVEN_BY_FIVE, True, fits_of(RULES["easy"]), numbers)


def test_a_missing_number_is_refused() -> None:
    cards, numbers = deals(0, 2)
    with pytest.raises(ValueError, match="1 numbers for 2 positions"):
        play_rows("random", cards, SEVEN_BY_FIVE, True, fits_of(RULES["easy"]), numbers[:1])


def test_a_layout_too_large_for_the_table_of_longest_run_is_refused_by_it_alone() -> None:
    start = np.array([*range(52), *range(52)], np.uint8)
    numbers = np.arange(3, dtype=np.uint64)
    cards, heights = shuffle_rows(numbers, start), np.full(10, 5, np.uint8)
    fits = fits_of(RULES["classic"])
    with pytest.raises(ValueError, match=r"60466176 tableaus, .* at most 16777216: choose another policy"):
        play_rows("longest-run", cards, heights, True, fits, numbers)
    assert play_rows("leftmost", cards, heights, True, fits, numbers).cards_left.shape == (3,)
