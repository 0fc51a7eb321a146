"""The expert's kernel: what stopping is worth, against plain recursion, and the games that follow from it."""

import itertools
import random
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from naive_outlook import Heights, Stock, StockValue, Value, expert, stops, worth
from naive_playout import GOLDEN
from naive_shuffle import WORD, scrambled, splitmix64
from numpy.typing import NDArray

from golf_cli.deals.deal import laid_out
from golf_cli.game import Game
from golf_cli.kernels.outlook import CLEAR, DRAW, STROKES, exact_values, play_line, play_rows, values
from golf_cli.kernels.shuffle import shuffle_rows
from golf_cli.rules import PRESETS, RuleSet
from golf_cli.solvers.exact import actions_of

OPEN = 14
BLOCKS = [*range(6), 16, 17, 18, 33]
"""Cards in the stock: values are worked out for sixteen at a time."""
CHOICES = [(1, 3), (4, 0), (2, 1), (3, 2), (5, 1), (6, 3), (9, 1), (16, 1)]
"""Candidates and samples: how many stops are compared, in how many games at first."""
RULES = [*PRESETS.values(), RuleSet.parse("classic,jokers=2"), RuleSet.parse("hard,draw=when-stuck,foundation=open")]


def position(
    seed: int, rules: RuleSet, stock: Sequence[int] = range(6)
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], bool]:
    """A small board of few ranks, so that much can be played, and a stock of one of some sizes."""
    dice = random.Random(seed)
    heights = [dice.randint(0, 3) for _ in range(dice.randint(1, 4))]
    dealt = rules.layout.open_foundation is False
    ranks = [*range(5), 11, 12, *([13] if rules.layout.jokers else [])]
    count = sum(heights) + dealt + dice.choice(stock)
    cards = np.array([dice.choice(ranks) << 2 for _ in range(count)], np.uint8)
    return cards, np.array(heights, np.uint8), dealt


def columns(cards: NDArray[np.uint8], heights: NDArray[np.uint8]) -> list[list[int]]:
    ends = itertools.accumulate(heights.tolist())
    return [(cards[end - height : end] >> 2).tolist() for height, end in zip(heights.tolist(), ends, strict=True)]


def comes_to(objective: int, tableau: int, stock: int) -> Callable[[int], int]:
    """What a game counts, by its strokes."""
    if objective == CLEAR:
        return lambda strokes: 60000 - strokes if strokes <= 0 else tableau - strokes
    return lambda strokes: 65000 // max(1, tableau + stock) * (tableau - strokes)


def plainly(
    objective: int, rules: RuleSet, seed: int, again: bool, stock: Sequence[int] = range(6)
) -> tuple[StockValue, list[int]]:
    """What plain recursion makes of a small board, and the unseen ranks in order."""
    cards, heights, dealt = position(seed, rules, stock)
    tableau = int(heights.sum())
    unseen = sorted((cards[tableau + dealt :] >> 2).tolist())
    end = comes_to(objective, tableau, len(unseen))
    cleared = lambda left: end(-left)  # noqa: E731
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
        value, unseen = plainly(objective, rules, seed, again=True, stock=BLOCKS)
        cards, heights, dealt = position(seed, rules, BLOCKS)
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
        came_to = comes_to(objective, tableau, len(unseen))
        strokes = np.where(games.cards_left > 0, games.cards_left, -games.stock_left.astype(int))
        worth = np.array([came_to(each) for each in strokes.tolist()])
        # Choices are made by rounded values.
        assert abs(float(best) - worth.mean()) <= 2 * len(unseen)


def compiled_values(
    objective: int, rules: RuleSet, cards: NDArray[np.uint8], heights: NDArray[np.uint8], dealt: bool
) -> tuple[Callable[[Stock], Value], Callable[[Stock], StockValue]]:
    """The kernel's two kinds of values, by the ranks that are unseen at some time of a game."""
    first = int(heights.sum()) + dealt
    numbers = {vector: number for number, vector in enumerate(vectors(heights))}

    def found(of: Callable[..., NDArray[np.uint16]], unseen: Stock) -> NDArray[np.uint16]:
        shown = np.append(cards[:first], np.array(unseen, np.uint8) << 2)
        drawn = len(cards) - len(shown)
        return of(objective, shown, heights, dealt, np.array(rules.fits, np.uint64), rules.draw_when_stuck, drawn)

    def valued(unseen: Stock) -> Value:
        table = found(values, unseen)
        return lambda stop, left: int(table[numbers[stop], left])

    def exactly(unseen: Stock) -> StockValue:
        table = found(exact_values, unseen)
        lanes = {left: lane for lane, left in enumerate(stocks(list(unseen)))}
        return lambda stop, left: int(table[numbers[stop], lanes[left]])

    return valued, exactly


@pytest.mark.parametrize("objective", [CLEAR, STROKES])
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_a_game_stops_where_plain_games_from_the_same_stops_say(rules: RuleSet, objective: int) -> None:
    fits, strict = np.array(rules.fits, np.uint64), rules.draw_when_stuck
    for seed in range(60):
        candidates, samples = random.Random(seed).choice(CHOICES)
        cards, heights, dealt = position(seed, rules, (8, 12, 15, 16, 17, 18, 33))
        tableau = int(heights.sum())
        top, stock = (int(cards[tableau] >> 2) if dealt else OPEN), (cards[tableau + dealt :] >> 2).tolist()
        valued, exactly = compiled_values(objective, rules, cards, heights, dealt)
        expected = expert(
            columns(cards, heights),
            top,
            stock,
            rules.fits,
            strict,
            valued,
            exactly,
            comes_to(objective, tableau, len(stock)),
            splitmix64(scrambled((seed + scrambled((7 + GOLDEN) % WORD)) % WORD)),
            candidates,
            samples,
        )
        line = play_line(objective, cards, heights, dealt, fits, strict, seed, 7, candidates, samples)
        assert stops_of(line, heights) == expected


def stops_of(line: NDArray[np.uint8], heights: NDArray[np.uint8]) -> list[Heights]:
    """The heights before each draw of a game, and at its end."""
    now, found = heights.tolist(), []
    for action in line.tolist():
        if action == DRAW:
            found.append(tuple(now))
        else:
            now[action] -= 1
    return [*found, tuple(now)]


def full_deal(seed: int, rules: RuleSet) -> tuple[NDArray[np.uint8], NDArray[np.uint8], bool]:
    deck = np.arange(rules.layout.cards, dtype=np.uint8)
    cards = shuffle_rows(np.array([seed], np.uint64), deck)[0]
    return cards, np.full(7, 5, np.uint8), not rules.layout.open_foundation


@pytest.mark.parametrize("objective", [CLEAR, STROKES])
@pytest.mark.parametrize("rules", [RuleSet.parse("easy,jokers=2"), RuleSet.parse("hard,foundation=open")], ids=str)
def test_no_choice_depends_on_the_order_of_what_is_not_drawn(rules: RuleSet, objective: int) -> None:
    boards = [position(seed, rules, range(6, 19)) for seed in range(40)] + [full_deal(3, rules)]
    for seed, (cards, heights, dealt) in enumerate(boards):
        dice = random.Random(seed)
        choice = rules.draw_when_stuck, seed, 7, 3, 4
        line = play_line(objective, cards, heights, dealt, np.array(rules.fits, np.uint64), *choice)
        draws = np.flatnonzero(line == DRAW)
        drawn = dice.randint(0, min(3, len(draws)))
        known = int(heights.sum()) + dealt + drawn
        other = np.concatenate([cards[:known], dice.sample(cards[known:].tolist(), len(cards) - known)]).astype(
            np.uint8
        )
        again = play_line(objective, other, heights, dealt, np.array(rules.fits, np.uint64), *choice)
        chosen = draws[drawn] + 1 if drawn < len(draws) else len(line)
        assert again[:chosen].tolist() == line[:chosen].tolist()


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
    thrice = np.repeat(np.arange(9, dtype=np.uint8) << 2, 3)
    row, heights, numbers = np.zeros((1, 52), np.uint8), np.full(7, 5, np.uint8), np.zeros(1, np.uint64)
    with pytest.raises(ValueError, match="does not hold 36 cards"):
        play_rows(STROKES, row[:, :30], heights, True, fits, False, numbers)
    with pytest.raises(ValueError, match="give one number a position"):
        play_rows(STROKES, row, heights, True, fits, False, numbers[:0])
    with pytest.raises(ValueError, match="0 candidates"):
        play_rows(STROKES, row, heights, True, fits, False, numbers, candidates=0)
    with pytest.raises(ValueError, match="too many values to keep"):
        play_rows(STROKES, np.zeros((1, 90), np.uint8), np.full(8, 9, np.uint8), True, fits, False, numbers)
    with pytest.raises(ValueError, match="262144 stocks and columns of \\[1\\] cards have too many values"):
        exact_values(STROKES, np.append(row[0, :2], thrice), heights[:1] // 5, True, fits, False)
