"""The expert's kernel: what stopping is worth, against plain recursion, and the games that follow from it."""

import itertools
import random

import numpy as np
import pytest
from naive_outlook import worth
from numpy.typing import NDArray

from golf_cli.kernels.outlook import CLEAR, STROKES, play_line, play_rows, values
from golf_cli.kernels.shuffle import shuffle_rows
from golf_cli.rules import PRESETS, RuleSet

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


@pytest.mark.parametrize("objective", [CLEAR, STROKES])
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_stopping_is_worth_what_plain_recursion_says(rules: RuleSet, objective: int) -> None:
    fits = np.array(rules.fits, np.uint64)
    for seed in range(60):
        cards, heights, dealt = position(seed, rules)
        tableau = int(heights.sum())
        stock = len(cards) - tableau - dealt
        columns = [
            (cards[stop - height : stop] >> 2).tolist()
            for height, stop in zip(heights.tolist(), itertools.accumulate(heights.tolist()), strict=True)
        ]
        unit = 65000 // max(1, tableau + stock)
        value = worth(
            columns,
            (cards[len(cards) - stock :] >> 2).tolist(),
            rules.fits,
            rules.draw_when_stuck,
            (lambda left, t=tableau: t - left)
            if objective == CLEAR
            else (lambda left, t=tableau, u=unit: u * (t - left)),
            (lambda left: 60000 + left) if objective == CLEAR else (lambda left, t=tableau, u=unit: u * (t + left)),
        )
        found = values(objective, cards, heights, dealt, fits, rules.draw_when_stuck)
        assert found.shape == (np.prod(heights.astype(int) + 1), stock + 1)
        for number, digits in enumerate(itertools.product(*(range(h + 1) for h in reversed(heights.tolist())))):
            for left in range(stock + 1):
                # Each draw rounds to a whole number.
                assert abs(float(value(digits[::-1], left)) - int(found[number, left])) <= 0.51 * max(1, left)


@pytest.mark.parametrize("rules", ["classic", "strict"])
def test_a_game_depends_on_its_own_row_number_and_seed_alone(rules: str) -> None:
    preset = PRESETS[rules]
    fits, strict = np.array(preset.fits, np.uint64), preset.draw_when_stuck
    numbers = np.arange(3, 9, dtype=np.uint64)
    rows = shuffle_rows(numbers, np.arange(52, dtype=np.uint8))
    heights = np.full(7, 5, np.uint8)
    choice = {"seed": 4, "candidates": 3, "samples": 4}
    whole = play_rows(STROKES, rows, heights, True, fits, strict, numbers, **choice)
    for index in (0, 5):
        line = play_line(STROKES, rows[index], heights, True, fits, strict, int(numbers[index]), **choice)
        assert 35 - int((line != 255).sum()) == whole.cards_left[index]
        assert 16 - int((line == 255).sum()) == whole.stock_left[index]


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
