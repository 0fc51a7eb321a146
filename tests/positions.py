"""Positions for the search kernels: random ones, small ones, odd ones, and the words for what is found in them."""

from collections.abc import Sequence
from random import Random

import numpy as np
from hypothesis import strategies as st
from naive_playout import JOKER, OPEN, Allowed
from numpy.typing import NDArray

from golf_cli.kernels.phases import CLEARED, NOT_CLEARABLE

SEVEN_BY_FIVE = [5] * 7

Position = tuple[list[list[int]], int, list[int]]
"""Columns, top and stock as ranks."""


def fits_of(allowed: Allowed) -> NDArray[np.uint64]:
    masks = [sum(allowed(rank, top) << rank for rank in range(JOKER + 1)) for top in range(OPEN + 1)]
    return np.array([*masks, 0], np.uint64)


def position_of(row: Sequence[int], heights: Sequence[int], dealt: bool) -> Position:
    ranks = [card // 4 for card in row]
    columns = [[ranks.pop(0) for _ in range(height)] for height in heights]
    top = ranks.pop(0) if dealt else OPEN
    return columns, top, ranks


def full_deals(first: int, n: int) -> NDArray[np.uint8]:
    return np.array([Random(seed).sample(range(52), 52) for seed in range(first, first + n)], np.uint8)


def layout(heights: Sequence[int]) -> NDArray[np.uint8]:
    return np.array(heights, np.uint8)


def told(status: int, cards_left: int, stock_left: int) -> tuple[bool, int]:
    """A decided outcome in the words of the plain search, which has nothing else to say."""
    assert (status, cards_left > 0) in ((CLEARED, False), (NOT_CLEARABLE, True))
    assert status == CLEARED or stock_left == 0
    return (True, stock_left) if status == CLEARED else (False, cards_left)


def small_batches(seed: int, batches: int, rows: int) -> list[tuple[NDArray[np.uint8], list[int], bool]]:
    """Positions of a few neighbouring ranks (so that many can be cleared), sometimes with jokers, of random layouts."""
    random = Random(seed)
    made = []
    for _ in range(batches):
        heights = [random.randint(0 if random.random() < 0.2 else 1, 4) for _ in range(random.randint(2, 5))]
        dealt = random.random() < 0.8
        size = sum(heights) + dealt + random.randint(0, 8)
        lowest = random.choice([0, 0, 3, 9])
        deck = [card for card in range(52) if lowest <= card // 4 < lowest + random.randint(4, 7) or card // 4 == 12]
        deck += [52, 53] * random.randint(0, 1)
        made.append((np.array([random.choices(deck, k=size) for _ in range(rows)], np.uint8), heights, dealt))
    return made


positions_of_any_cards = st.lists(st.integers(0, 4), max_size=4).flatmap(
    lambda heights: st.tuples(
        st.just(heights), st.lists(st.integers(0, 53), min_size=sum(heights) + 1, max_size=sum(heights) + 6)
    )
)
any_rules = st.frozensets(st.tuples(st.integers(0, JOKER), st.integers(0, OPEN)), min_size=60).map(
    lambda pairs: lambda rank, top: (rank, top) in pairs
)
