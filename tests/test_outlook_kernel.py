"""The expert's kernel: what stopping is worth, against plain recursion, and the games that follow from it."""

import itertools
import random
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from naive_outlook import stops, worth
from numpy.typing import NDArray

from golf_cli.deals.deal import laid_out
from golf_cli.game import Game
from golf_cli.kernels.outlook import CLEAR, STROKES, exact_values, play_line, play_rows, values
from golf_cli.kernels.shuffle import shuffle_rows
from golf_cli.rules import PRESETS, RuleSet
from golf_cli.solvers.exact import actions_of

OPEN = 14
RULES = [*PRESETS.values(), RuleSet.parse("classic,jokers=2"), RuleSet.parse("hard,draw=when-stuck,foundation=open")]


def position(seed: int, rules: RuleSet) -> tuple[NDArray[np.uint8], NDArray[np.uint8], bool]:
    """A small board of few ranks, so that much can be played, and a short stock."""
    dice = random.Random(seed)
    heights = [dice.randint(0, 3) for _ in range(dice.randint(1, 4))]
    dealt = rules.layout.open_foundation is False
    ranks = [*range(5), 11, 12, *([13] if rules.layout.jokers else [])]
    count = sum(heights) + dealt + dice.randint(0, 5)
    cards = np.array([dice.choice(ranks) << 2 for _ in range(count)], np.uint8)
    return cards, np.array(heights, np.uint8), dealt


def columns(cards: NDArray[np.uint8], heights: NDArray[np.uint8]) -> list[list[int]]:
    ends = itertools.accumulate(heights.tolist())
    return [(cards[end - height : end] >> 2).tolist() for height, end in zip(heights.tolist(), ends, strict=True)]


Value = Callable[[tuple[int, ...], tuple[int, ...]], Fraction]


def plainly(objective: int, rules: RuleSet, seed: int, again: bool) -> tuple[Value, list[int]]:
    """What plain recursion makes of a small board, and the unseen ranks in order."""
    cards, heights, dealt = position(seed, rules)
    tableau = int(heights.sum())
    unseen = sorted((cards[tableau + dealt :] >> 2).tolist())
    unit = 65000 // max(1, tableau + len(unseen))
    if objective == CLEAR:
        end, cleared = (lambda left: tableau - left), (lambda left: 60000 + left)
    else:
        end, cleared = (lambda left: unit * (tableau - left)), (lambda left: unit * (tableau + left))
    return worth(columns(cards, heights), unseen, rules.fits, rules.draw_when_stuck, end, cleared, again), unseen


def vectors(heights: NDArray[np.uint8]) -> list[tuple[int, ...]]:
    """All heights, by the number that the kernel gives them."""
    return [digits[::-1] for digits in itertools.product(*(range(h + 1) for h in reversed(heights.tolist())))]


def stocks(unseen: list[int]) -> list[tuple[int, ...]]:
    """All that may be left of the unseen ranks, by the number that the kernel gives it."""
    ranks = sorted(set(unseen))
    counts = itertools.product(*(range(unseen.count(rank) + 1) for rank in reversed(ranks)))
    return [
        tuple(rank for rank, count in zip(ranks, digits[::-1], strict=True) for _ in range(count)) for digits in counts
    ]


@pytest.mark.parametrize("objective", [CLEAR, STROKES])
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_stopping_is_worth_what_plain_recursion_says(rules: RuleSet, objective: int) -> None:
    fits = np.array(rules.fits, np.uint64)
    for seed in range(60):
        value, unseen = plainly(objective, rules, seed, again=True)
        cards, heights, dealt = position(seed, rules)
        found = values(objective, cards, heights, dealt, fits, rules.draw_when_stuck)
        assert found.shape == (len(vectors(heights)), len(unseen) + 1)
        for number, vector in enumerate(vectors(heights)):
            for left in range(len(unseen) + 1):
                # Each draw rounds to a whole number.
                assert abs(float(value(vector, (0,) * left)) - int(found[number, left])) <= 0.51 * max(1, left)


@pytest.mark.parametrize("objective", [CLEAR, STROKES])
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_no_card_is_drawn_twice_in_exact_values(rules: RuleSet, objective: int) -> None:
    fits = np.array(rules.fits, np.uint64)
    for seed in range(60):
        value, unseen = plainly(objective, rules, seed, again=False)
        cards, heights, dealt = position(seed, rules)
        found = exact_values(objective, cards, heights, dealt, fits, rules.draw_when_stuck)
        assert found.shape == (len(vectors(heights)), len(stocks(unseen)))
        for number, vector in enumerate(vectors(heights)):
            for lane, stock in enumerate(stocks(unseen)):
                assert abs(float(value(vector, stock)) - int(found[number, lane])) <= 0.51 * max(1, len(stock))


@pytest.mark.parametrize("objective", [CLEAR, STROKES])
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_a_small_board_comes_to_what_it_is_worth_over_all_orders_of_the_stock(rules: RuleSet, objective: int) -> None:
    fits = np.array(rules.fits, np.uint64)
    for seed in range(30):
        value, unseen = plainly(objective, rules, seed, again=False)
        cards, heights, dealt = position(seed, rules)
        orders = np.array(list(itertools.permutations(cards[len(cards) - len(unseen) :])), np.uint8)
        rows = np.tile(cards, (len(orders), 1))
        rows[:, len(cards) - len(unseen) :] = orders
        numbers = np.zeros(len(rows), np.uint64)
        games = play_rows(objective, rows, heights, dealt, fits, rules.draw_when_stuck, numbers)
        tableau = int(heights.sum())
        top = int(cards[tableau] >> 2) if dealt else OPEN
        reached = stops(columns(cards, heights), tuple(heights.tolist()), top, rules.fits, rules.draw_when_stuck)
        best = max(value(stop, tuple(unseen)) for stop in reached)
        unit = 65000 // max(1, tableau + len(unseen))
        cleared = games.cards_left == 0
        played = tableau - games.cards_left.astype(int)
        if objective == CLEAR:
            worth = np.where(cleared, 60000 + games.stock_left.astype(int), played)
        else:
            worth = unit * (played + np.where(cleared, games.stock_left, 0))
        # Choices are made by rounded values.
        assert abs(float(best) - worth.mean()) <= 2 * len(unseen)


@pytest.mark.parametrize("rules", ["classic", "strict"])
def test_a_game_depends_on_its_own_row_number_and_seed_alone_and_is_one_by_the_rules(rules: str) -> None:
    preset = PRESETS[rules]
    fits, strict = np.array(preset.fits, np.uint64), preset.draw_when_stuck
    numbers = np.arange(3, 9, dtype=np.uint64)
    rows = shuffle_rows(numbers, np.arange(52, dtype=np.uint8))
    heights = np.full(7, 5, np.uint8)
    choice = {"seed": 4, "candidates": 3, "samples": 4}
    whole = play_rows(STROKES, rows, heights, True, fits, strict, numbers, **choice)
    for index in (0, 5):
        line = play_line(STROKES, rows[index], heights, True, fits, strict, int(numbers[index]), **choice)
        game = Game(laid_out(rows[index].tolist(), preset.layout), preset)
        for _ in game.replay(actions_of(line)):
            pass
        assert (game.cards_left, game.stock_left) == (whole.cards_left[index], whole.stock_left[index])


def test_what_is_no_batch_is_refused() -> None:
    fits = np.array(RuleSet().fits, np.uint64)
    row, heights, numbers = np.zeros((1, 52), np.uint8), np.full(7, 5, np.uint8), np.zeros(1, np.uint64)
    with pytest.raises(ValueError, match="does not hold 36 cards"):
        play_rows(STROKES, row[:, :30], heights, True, fits, False, numbers)
    with pytest.raises(ValueError, match="give one number a position"):
        play_rows(STROKES, row, heights, True, fits, False, numbers[:0])
    with pytest.raises(ValueError, match="0 candidates"):
        play_rows(STROKES, row, heights, True, fits, False, numbers, candidates=0)
    with pytest.raises(ValueError, match="too many values to keep"):
        play_rows(STROKES, np.zeros((1, 90), np.uint8), np.full(8, 9, np.uint8), True, fits, False, numbers)
