"""The exact search with full knowledge of the stock: can the tableau be cleared, and with how many stock cards left.

This is the forward search: for strict draws, and for a line of play under any rules. Where draws are allowed at any
time and no line is asked for, the search from both ends is quicker.

The search goes through the phases of a game: phase p is everything that happens after draw p and before draw p + 1.
A draw covers the foundation, so all that a phase hands to the next one is the set of height vectors from which a
draw is made; each of them starts the next phase with the same top card. Phases are taken in order, so the first one
that clears the tableau clears it with the most stock cards left, which is the fewest strokes. When none does, the
fewest cards over every position reached is exact too: a position with that few cards cannot play again, so it draws
the stock out and blocks.

Where a play leads depends on the heights and the column alone, not on the top that it covers. Where drawing is
allowed at any time, a play made in an earlier phase has had its result crossing every draw since, so making it again
in a later one reaches nothing new: each (heights, column) is played once in the whole search, and one mask of columns
per height vector is all there is to remember. The argument rests on draws alone, which are always legal and lose
nothing but the top, so it holds for whatever the `fits` table says may be played. A joker is one more rank. A
foundation with no card is one more top; any draw or play leaves it for good, so it occurs at the start and never
again, and what is played on it is remembered like any other play.

Where drawing is allowed only when nothing can be played, a vector crosses only from a position that is stuck, so
having been there earlier is no promise of being there later: each (heights, column) is played once in a phase.
"""

import math
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from golf_cli.kernels.compiler import kernel

CLEARED = 0
NOT_CLEARABLE = 1
UNDECIDED = 2
DRAW = 255

MAX_VECTORS = 1 << 24
MAX_CARDS = 255

# A position is one word. The heights are two numbers in mixed radix, one for the first columns and one for the rest,
# so that two tables of moderate size tell all that can be played; together they are also the index of the height
# vector. A play takes one constant, the column's unit, off the word.
#
#    31 30 29    26 25                           0
#   +-----+--------+--------------+---------------+
#   |  0  |  top   | later columns| first columns |
#   +-----+--------+--------------+---------------+
#                                 ^ layout.later_at, at most 12
TOP_AT = np.uint64(26)
INDEX = np.uint64((1 << 26) - 1)
FIRST_VECTORS = 1 << 12

OPEN = np.uint64(14)
TOPS = np.uint64(15)
# A height vector's word: whether it was reached, whether it is listed for the next draw, and the plays made from it.
REACHED = np.uint64(1)
CROSSES = np.uint64(2)
PLAYS_AT = np.uint64(2)

ZERO = np.uint64(0)
ONE = np.uint64(1)
SUIT_BITS = np.uint64(2)
NO_LIMIT = 2**64 - 1
TRAIL_FULL = np.uint64(3)
SHORTEST_TRAIL = 1 << 20

# The number of a lone bit of 32: the top five bits of its product with a de Bruijn sequence are different for each.
DE_BRUIJN = np.uint64(0x077CB531)
BIT_NUMBERS = np.zeros(32, dtype=np.uint8)
for _bit in range(32):
    BIT_NUMBERS[(0x077CB531 << _bit & 0xFFFFFFFF) >> 27] = _bit


class Layout(NamedTuple):
    """The columns of a batch, those without cards left out, and how a position's word holds them.

    heights: uint64[columns].
    names: uint8[columns], the numbers of the columns in the caller's layout.
    units: uint64[columns], what a play from a column takes off the word.
    first_columns: how many columns the first part of the index holds.
    first_vectors, later_vectors: the height vectors of the two parts.
    later_at: where the second part begins.
    full: the word of the whole tableau, without a top.
    cards_left: uint16[first_vectors + later_vectors], the cards in either part.
    """

    heights: NDArray[np.uint64]
    names: NDArray[np.uint8]
    units: NDArray[np.uint64]
    first_columns: np.uint64
    first_vectors: np.uint64
    later_vectors: np.uint64
    later_at: np.uint64
    full: np.uint64
    cards_left: NDArray[np.uint16]


class Workspace(NamedTuple):
    """What a search writes to. Made for one layout; two threads need one each.

    given: uint8[...], the caller's heights.
    made: uint16[index], or uint32 for more than 14 columns: for each height vector REACHED, CROSSES and, from PLAYS_AT,
        the columns played from it; all zero between searches.
    ranks: uint8[columns, longer part], a column's available card by the index of the part that the column is in.
    playable: uint16[TOPS, first_vectors + later_vectors], the columns of either part with a card that fits a top.
    drawn_onto: uint64[TOPS], for each top how many of `reached` have begun a phase with it.
    reached: uint32[vectors], the vectors that `made` has a word for.
    crossing: uint32[2, vectors] under strict draws (else [2, 1]), the vectors on either side of a draw.
    stack: uint32[cards * columns + 1], the positions still to be visited from one start of the running phase.
    """

    given: NDArray[np.uint8]
    layout: Layout
    made: NDArray[Any]
    ranks: NDArray[np.uint8]
    playable: NDArray[np.uint16]
    drawn_onto: NDArray[np.uint64]
    reached: NDArray[np.uint32]
    crossing: NDArray[np.uint32]
    stack: NDArray[np.uint32]


class Trail(NamedTuple):
    """How each position was reached, kept only for a line.

    positions, parents: uint32[capacity], a node is an index into both; node 0, the start, is its own parent.
    stack: uint32[...], the nodes from which the entries of the workspace's stack were reached.
    reached, crossing: uint32[...], the nodes of the entries of the workspace's arrays of the same names.
    """

    positions: NDArray[np.uint32]
    parents: NDArray[np.uint32]
    stack: NDArray[np.uint32]
    reached: NDArray[np.uint32]
    crossing: NDArray[np.uint32]


class Outcomes(NamedTuple):
    """What is known of each of n positions.

    status: uint8[n], CLEARED, NOT_CLEARABLE (proved) or UNDECIDED (the limit on states was met).
    cards_left: uint8[n], 0 if cleared; the proved fewest if not clearable; the fewest met so far if undecided.
    stock_left: uint8[n], the most stock cards that clearing can leave; 0 unless cleared.
    states: uint64[n], positions expanded: those with a play that had not been made before.
    """

    status: NDArray[np.uint8]
    cards_left: NDArray[np.uint8]
    stock_left: NDArray[np.uint8]
    states: NDArray[np.uint64]


class Line(NamedTuple):
    """The outcome of one position as in `Outcomes`, and a line of play that reaches it.

    actions: uint8[length], a column (0-based) or DRAW. If cleared it ends with the clearing play; if not clearable it
    ends blocked, the stock drawn out, with `cards_left` cards; if undecided it stops at a position with `cards_left`
    cards, where the game may go on.
    """

    status: int
    cards_left: int
    stock_left: int
    states: int
    actions: NDArray[np.uint8]


@kernel
def _lay_out(row: NDArray[np.uint8], fits: NDArray[np.uint64], work: Workspace) -> None:
    """Fill the tables of one position: a part's vectors column by column, each height a copy of those before it."""
    layout = work.layout
    ranks = work.ranks
    playable = work.playable
    at = ZERO
    begin = ZERO
    size = ONE
    for top in range(TOPS):
        playable[top, ZERO] = 0
        playable[top, layout.first_vectors] = 0
    for column in range(np.uint64(len(layout.heights))):
        bit = np.uint64(column)
        part = layout.first_vectors
        if column >= layout.first_columns:
            bit = column - layout.first_columns
            part = layout.later_vectors
        if column == layout.first_columns:
            begin = layout.first_vectors
            size = ONE
        height = layout.heights[column]
        for h in range(ONE, height + ONE):
            rank = np.uint64(row[at]) >> SUIT_BITS
            at += ONE
            for top in range(TOPS):
                fit = (fits[top] >> rank & ONE) << bit
                tops = playable[top]
                for i in range(begin, begin + size):
                    tops[i + h * size] = np.uint64(tops[i]) | fit
            for stretch in range(h * size, part, (height + ONE) * size):
                for i in range(stretch, stretch + size):
                    ranks[column, i] = rank
        size *= height + ONE


@kernel
def _search(
    row: NDArray[np.uint8],
    dealt: bool,
    fits: NDArray[np.uint64],
    strict: bool,
    max_states: np.uint64,
    work: Workspace,
    tracing: bool,
    trail: Trail,
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]:
    """Search one position: status, cards left, stock left, states expanded, and the node that shows the result."""
    layout = work.layout
    made = work.made
    cards_left = layout.cards_left
    ranks = work.ranks
    playable = work.playable
    reached = work.reached
    stack = work.stack
    units = layout.units
    first_columns = layout.first_columns
    first_vectors = layout.first_vectors
    later_at = layout.later_at
    first_part = (ONE << later_at) - ONE
    fewest = np.uint64(cards_left[first_vectors - ONE]) + np.uint64(cards_left[len(cards_left) - 1])

    at = fewest
    top = OPEN
    if dealt:
        top = np.uint64(row[at]) >> SUIT_BITS
        at += ONE
    stock = np.uint64(len(row)) - at
    if tracing:
        trail.positions[ZERO] = layout.full | top << TOP_AT
        trail.parents[ZERO] = ZERO
    if fewest == ZERO:
        return np.uint64(CLEARED), ZERO, stock, ZERO, ZERO

    _lay_out(row, fits, work)
    work.drawn_onto[:] = 0
    status = np.uint64(NOT_CLEARABLE)
    fewest_node = ZERO
    states = ZERO
    stock_left = ZERO
    node = ZERO
    nodes = ZERO
    before = work.crossing[0]
    after = work.crossing[1]
    nodes_before = trail.crossing[0]
    nodes_after = trail.crossing[1]
    before[ZERO] = layout.full
    nodes_before[ZERO] = ZERO
    count_before = ONE
    count_after = ZERO
    count_reached = ZERO

    for phase in range(stock + ONE):
        begin = ZERO
        if phase > ZERO:
            top = np.uint64(row[at + phase - ONE]) >> SUIT_BITS
            if not strict:
                begin = work.drawn_onto[top]
        work.drawn_onto[top] = count_before
        # The vectors reached last have the fewest cards: from them a phase that clears does so soonest.
        for behind in range(count_before - begin):
            root = count_before - ONE - behind
            stack[ZERO] = np.uint64(before[root]) | top << TOP_AT
            if tracing:
                trail.stack[ZERO] = nodes_before[root]
            depth = ONE
            while depth > ZERO:
                depth -= ONE
                position = np.uint64(stack[depth])
                fitted = position >> TOP_AT
                vector = position & INDEX
                first = vector & first_part
                later = vector >> later_at
                plays = np.uint64(playable[fitted, first])
                plays |= np.uint64(playable[fitted, first_vectors + later]) << first_columns
                past = np.uint64(made[vector])
                fresh = plays & ~(past >> PLAYS_AT)
                crosses = strict and plays == ZERO and past & CROSSES == ZERO
                if fresh == ZERO and past != ZERO and not crosses:
                    continue
                if tracing:
                    if nodes == np.uint64(len(trail.positions)):
                        status = TRAIL_FULL
                        break
                    node = nodes
                    nodes += ONE
                    trail.positions[node] = position
                    trail.parents[node] = trail.stack[depth]
                if past == ZERO:
                    reached[count_reached] = vector
                    if tracing and not strict:
                        trail.reached[count_reached] = node
                    count_reached += ONE
                    past = REACHED
                    left = np.uint64(cards_left[first]) + np.uint64(cards_left[first_vectors + later])
                    if left < fewest:
                        fewest = left
                        fewest_node = node
                if crosses:
                    past |= CROSSES
                    after[count_after] = vector
                    if tracing:
                        nodes_after[count_after] = node
                    count_after += ONE
                made[vector] = past | fresh << PLAYS_AT
                if fresh == ZERO:
                    if vector == ZERO:
                        status = np.uint64(CLEARED)
                        stock_left = stock - phase
                        break
                    continue
                if states == max_states:
                    status = np.uint64(UNDECIDED)
                    break
                states += ONE
                while fresh != ZERO:
                    bit = fresh & (~fresh + ONE)
                    fresh ^= bit
                    column = np.uint64(BIT_NUMBERS[(bit * DE_BRUIJN & np.uint64(0xFFFFFFFF)) >> np.uint64(27)])
                    rank = np.uint64(ranks[column, first if column < first_columns else later])
                    stack[depth] = (vector - units[column]) | rank << TOP_AT
                    if tracing:
                        trail.stack[depth] = node
                    depth += ONE
            if status != np.uint64(NOT_CLEARABLE):
                break
        if status != np.uint64(NOT_CLEARABLE):
            break
        if strict:
            for i in range(count_reached):
                made[reached[i]] = 0
            count_reached = ZERO
            before, after = after, before
            nodes_before, nodes_after = nodes_after, nodes_before
            count_before = count_after
            count_after = ZERO
        else:
            before = reached
            nodes_before = trail.reached
            count_before = count_reached

    for i in range(count_reached):
        made[reached[i]] = 0
    return status, fewest, stock_left, states, fewest_node


@kernel
def _search_rows(
    cards: NDArray[np.uint8],
    dealt: bool,
    fits: NDArray[np.uint64],
    strict: bool,
    max_states: np.uint64,
    work: Workspace,
    trail: Trail,
    outcomes: Outcomes,
) -> None:
    for i in range(len(cards)):
        status, left, stock_left, states, _ = _search(cards[i], dealt, fits, strict, max_states, work, False, trail)
        outcomes.status[i] = status
        outcomes.cards_left[i] = left
        outcomes.stock_left[i] = stock_left
        outcomes.states[i] = states


def check_layout(heights: NDArray[np.uint8]) -> int:
    """The number of height vectors of a layout; raises ValueError if it is above MAX_VECTORS."""
    vectors: int = math.prod(height + 1 for height in heights.tolist())
    if vectors > MAX_VECTORS:
        raise ValueError(
            f"columns of {', '.join(map(str, heights.tolist()))} cards are too large for the exact search: the "
            f"product of (height + 1) over the columns may be at most {MAX_VECTORS}, here it is {vectors}"
        )
    return vectors


def check_cards(cards: NDArray[np.uint8], heights: NDArray[np.uint8], dealt: bool) -> None:
    """Raises ValueError for rows of the wrong length and for unseen cards."""
    needed = int(heights.sum(dtype=np.int64)) + dealt
    if not needed <= cards.shape[1] <= MAX_CARDS:
        raise ValueError(f"a position of this layout has {needed} to {MAX_CARDS} cards, these have {cards.shape[1]}")
    if cards.size and int(cards.max()) >> int(SUIT_BITS) >= OPEN:
        raise ValueError("every card must be known: the exact search cannot look for an unseen one")


def _layout(heights: NDArray[np.uint8]) -> Layout:
    vectors = check_layout(heights)
    names = np.flatnonzero(heights)
    sizes = heights[names].astype(np.int64) + 1
    first_columns = int(np.searchsorted(np.cumprod(sizes), FIRST_VECTORS, side="right"))
    first, later = sizes[:first_columns], sizes[first_columns:]
    first_vectors = math.prod(first.tolist())
    later_at = (first_vectors - 1).bit_length()
    units = np.concatenate((strides(first), strides(later) << later_at))
    return Layout(
        heights=(sizes - 1).astype(np.uint64),
        names=names.astype(np.uint8),
        units=units.astype(np.uint64),
        first_columns=np.uint64(first_columns),
        first_vectors=np.uint64(first_vectors),
        later_vectors=np.uint64(vectors // first_vectors),
        later_at=np.uint64(later_at),
        full=np.uint64(units @ (sizes - 1)),
        cards_left=np.concatenate((cards_in_parts(first), cards_in_parts(later))),
    )


def strides(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """What each digit of a number in mixed radix is worth, the lowest one first."""
    return np.cumprod(np.concatenate(([1], sizes)))[:-1].astype(np.int64)


def cards_in_parts(sizes: NDArray[np.int64]) -> NDArray[np.uint16]:
    """The sum of the heights for each number in mixed radix, the first column's digit the lowest."""
    left = np.zeros(1, dtype=np.uint16)
    for size in sizes.tolist():
        left = (np.arange(size, dtype=np.uint16)[:, np.newaxis] + left).ravel()
    return left


def workspace(heights: NDArray[np.uint8], strict: bool) -> Workspace:
    """Room for searching positions of the layout `heights`: uint8[columns], cards per column.

    Memory is touched only as far as a search needs it. A workspace for strict draws serves the others too. Raises
    ValueError if the product of (height + 1) is above MAX_VECTORS.
    """
    layout = _layout(heights)
    parts = int(layout.first_vectors), int(layout.later_vectors)
    vectors = parts[0] * parts[1]
    cards, columns = int(heights.sum(dtype=np.int64)), len(layout.heights)
    return Workspace(
        given=heights.copy(),
        layout=layout,
        made=np.zeros(int(layout.full) + 1, dtype=np.uint16 if columns + int(PLAYS_AT) <= 16 else np.uint32),
        ranks=np.zeros((columns, max(parts)), dtype=np.uint8),
        playable=np.empty((int(TOPS), sum(parts)), dtype=np.uint16),
        drawn_onto=np.empty(int(TOPS), dtype=np.uint64),
        reached=np.empty(vectors, dtype=np.uint32),
        crossing=np.empty((2, vectors if strict else 1), dtype=np.uint32),
        stack=np.empty(cards * columns + 1, dtype=np.uint32),
    )


def _trail(capacity: int, work: Workspace | None) -> Trail:
    """A trail of `capacity` nodes for lines in `work`, or one that is never written past its first entries."""
    return Trail(
        positions=np.empty(capacity, dtype=np.uint32),
        parents=np.empty(capacity, dtype=np.uint32),
        stack=np.empty(len(work.stack) if work else 1, dtype=np.uint32),
        reached=np.empty(len(work.reached) if work else 1, dtype=np.uint32),
        crossing=np.empty(work.crossing.shape if work else (2, 1), dtype=np.uint32),
    )


def _checked_workspace(
    cards: NDArray[np.uint8], heights: NDArray[np.uint8], dealt: bool, strict: bool, work: Workspace | None
) -> Workspace:
    check_cards(cards, heights, dealt)
    if work is None:
        return workspace(heights, strict)
    if not np.array_equal(work.given, heights):
        raise ValueError("the workspace was made for another layout: make one for these heights")
    if strict and work.crossing.shape[1] < len(work.reached):
        raise ValueError("the workspace was made for draws at any time: make one for strict draws")
    return work


def _limit(max_states: int) -> np.uint64:
    return np.uint64(max_states or NO_LIMIT)


def solve_batch(
    cards: NDArray[np.uint8],
    heights: NDArray[np.uint8],
    dealt: bool,
    fits: NDArray[np.uint64],
    strict: bool,
    max_states: int = 0,
    work: Workspace | None = None,
) -> Outcomes:
    """Solve n positions of one layout.

    cards: uint8[n, m], each row the columns one by one from the covered back card to the available one, then the
    foundation's top card if `dealt`, then the stock, first drawn first.
    heights: uint8[columns], cards per column.
    fits: uint64[16], bit r of `fits[t]` is set if rank r may be played on a top of rank t (13 a joker, 14 no card).
    strict: draw only when nothing can be played.
    max_states: a position whose search would expand more is undecided; 0 means no limit.
    work: from `workspace`, to search batch after batch in the same memory; one thread at a time.

    Raises ValueError for a layout above MAX_VECTORS, a row of the wrong length, an unseen card, or a workspace that
    was made for something else.
    """
    work = _checked_workspace(cards, heights, dealt, strict, work)
    n = len(cards)
    outcomes = Outcomes(
        status=np.empty(n, dtype=np.uint8),
        cards_left=np.empty(n, dtype=np.uint8),
        stock_left=np.empty(n, dtype=np.uint8),
        states=np.empty(n, dtype=np.uint64),
    )
    _search_rows(
        np.ascontiguousarray(cards),
        dealt,
        fits,
        strict,
        _limit(max_states),
        work,
        _trail(1, None),
        outcomes,
    )
    return outcomes


def solve_line(
    row: NDArray[np.uint8],
    heights: NDArray[np.uint8],
    dealt: bool,
    fits: NDArray[np.uint64],
    strict: bool,
    max_states: int = 0,
    work: Workspace | None = None,
) -> Line:
    """Solve one position, `row` a row of `solve_batch`'s cards, and give the line that shows the outcome.

    The other arguments, the errors and the outcome itself are those of `solve_batch`.
    """
    work = _checked_workspace(row[np.newaxis], heights, dealt, strict, work)
    row = np.ascontiguousarray(row)
    status, capacity = int(TRAIL_FULL), SHORTEST_TRAIL
    while status == TRAIL_FULL:
        trail = _trail(capacity, work)
        found = _search(row, dealt, fits, strict, _limit(max_states), work, True, trail)
        status, cards_left, stock_left, states, node = map(int, found)
        capacity *= 4

    positions = [int(trail.positions[node])]
    while (parent := int(trail.parents[node])) != node:
        node = parent
        positions.append(int(trail.positions[node]))
    positions.reverse()
    stock = (row[int(heights.sum(dtype=np.int64)) + dealt :] >> 2).tolist()
    actions = _actions(positions, stock, work.layout)
    if status == NOT_CLEARABLE:
        actions += [DRAW] * (len(stock) - actions.count(DRAW))
    return Line(status, cards_left, stock_left, states, np.array(actions, dtype=np.uint8))


def _actions(positions: list[int], stock: list[int], layout: Layout) -> list[int]:
    """The actions between successive positions of a trail; `stock` holds the ranks still to be drawn at its start.

    Between two positions of the same heights lie draws up to the first card of the later one's top rank: that
    card allowed all the plays that the later one allows.
    """
    column_of = dict(zip(layout.units.tolist(), layout.names.tolist(), strict=True))
    actions: list[int] = []
    drawn = 0
    for before, after in pairwise(positions):
        played = (before & int(INDEX)) - (after & int(INDEX))
        if played:
            actions.append(column_of[played])
        else:
            draws = stock.index(after >> int(TOP_AT), drawn) + 1 - drawn
            actions += [DRAW] * draws
            drawn += draws
    return actions
