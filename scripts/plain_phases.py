"""The plain search by phases, the yardstick for the solver: the fewest cards left and the most stock cards left.

Forward alone, phase by phase, depth first, each (heights, top) once: nothing else is done to be quick. With draws
allowed at any time, once in the whole search; with draws only when nothing can be played, once in each phase.
"""

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

OPEN = np.uint64(14)
ZERO = np.uint64(0)
ONE = np.uint64(1)

# A position in one word: the number of its height vector in mixed radix, four bits of height a column, the cards left
# and the top.
HEIGHTS_AT = np.uint64(24)
HEIGHT_BITS = np.uint64(4)
HEIGHT = np.uint64(15)
LEFT_AT = np.uint64(52)
LEFT = np.uint64(255)
TOP_AT = np.uint64(60)
VECTOR = np.uint64((1 << 24) - 1)
BELOW_TOP = np.uint64((1 << 60) - 1)
NO_CARD = np.uint64(15)


@njit(cache=True, nogil=True)
def _search(
    ranks: NDArray[np.uint64],
    heights: NDArray[np.uint64],
    dealt: bool,
    fits: NDArray[np.uint64],
    strict: bool,
    seen: NDArray[np.uint16],
    crosses: NDArray[np.uint8],
    visited_in: NDArray[np.uint8],
    crossing: NDArray[np.uint64],
    stack: NDArray[np.uint64],
) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Search one position: cards left, stock left, positions expanded.

    seen: the tops with which each vector was visited; crosses: whether it is among those that cross the next draw;
    visited_in: under strict draws, the phase, from 1, that these two are of.
    """
    columns = np.uint64(len(heights))
    units = np.empty(columns, np.uint64)
    available = np.full((columns, HEIGHT + ONE), NO_CARD, np.uint64)
    start = ZERO
    cards = ZERO
    size = ONE
    for column in range(columns):
        units[column] = size + (ONE << (HEIGHTS_AT + HEIGHT_BITS * column)) + (ONE << LEFT_AT)
        start += heights[column] * units[column]
        for height in range(heights[column]):
            available[column, height + ONE] = ranks[cards]
            cards += ONE
        size *= heights[column] + ONE
    first_top = ranks[cards] if dealt else OPEN
    stock = np.uint64(len(ranks)) - cards - np.uint64(dealt)
    fewest = cards
    states = ZERO
    before = crossing[0]
    after = crossing[1]
    before[ZERO] = start
    count_before = ONE
    seen[:] = 0
    crosses[:] = 0
    visited_in[:] = 0
    if not strict:
        crosses[start & VECTOR] = 1
        after = before
    for phase in range(stock + ONE):
        top = first_top if phase == ZERO else ranks[np.uint64(len(ranks)) - stock + phase - ONE]
        count_after = count_before
        if strict:
            count_after = ZERO
        for root in range(count_before):
            stack[ZERO] = before[root] | top << TOP_AT
            depth = ONE
            while depth > ZERO:
                depth -= ONE
                position = stack[depth]
                on = position >> TOP_AT
                vector = position & VECTOR
                if strict and visited_in[vector] != phase + ONE:
                    visited_in[vector] = phase + ONE
                    seen[vector] = 0
                    crosses[vector] = 0
                tops = np.uint64(seen[vector])
                if tops >> on & ONE:
                    continue
                seen[vector] = tops | ONE << on
                states += ONE
                left = position >> LEFT_AT & LEFT
                fewest = min(fewest, left)
                if left == ZERO:
                    return ZERO, stock - phase, states
                fit = fits[on]
                stuck = True
                for column in range(columns):
                    rank = available[column, position >> (HEIGHTS_AT + HEIGHT_BITS * column) & HEIGHT]
                    if fit >> rank & ONE:
                        stuck = False
                        stack[depth] = (position & BELOW_TOP) - units[column] | rank << TOP_AT
                        depth += ONE
                if crosses[vector] == 0 and (stuck or not strict):
                    crosses[vector] = 1
                    after[count_after] = position & BELOW_TOP
                    count_after += ONE
        count_before = count_after
        if strict:
            before, after = after, before
    return fewest, ZERO, states


@njit(cache=True, nogil=True)
def _search_rows(
    ranks: NDArray[np.uint64],
    heights: NDArray[np.uint64],
    dealt: bool,
    fits: NDArray[np.uint64],
    strict: bool,
    seen: NDArray[np.uint16],
    crosses: NDArray[np.uint8],
    visited_in: NDArray[np.uint8],
    crossing: NDArray[np.uint64],
    stack: NDArray[np.uint64],
    found: NDArray[np.uint64],
) -> None:
    for i in range(len(ranks)):
        found[i] = _search(ranks[i], heights, dealt, fits, strict, seen, crosses, visited_in, crossing, stack)


def solve_rows(
    cards: NDArray[np.uint8], heights: NDArray[np.uint8], dealt: bool, fits: NDArray[np.uint64], strict: bool
) -> NDArray[np.uint64]:
    """Solve n positions, given as to the kernels: uint64[n, 3], cards left, stock left and positions expanded.

    At most seven columns of at most 15 cards, and 2^24 height vectors.
    """
    vectors = math.prod(height + 1 for height in heights.tolist())
    found = np.empty((len(cards), 3), np.uint64)
    _search_rows(
        (cards >> 2).astype(np.uint64),
        heights.astype(np.uint64),
        dealt,
        fits,
        strict,
        np.zeros(vectors, np.uint16),
        np.zeros(vectors, np.uint8),
        np.zeros(vectors, np.uint8),
        np.empty((2, vectors), np.uint64),
        np.empty(int(heights.sum()) * len(heights) + 1, np.uint64),
        found,
    )
    return found
