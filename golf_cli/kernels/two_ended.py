"""The exact search from both ends, for draws allowed at any time: from the deal forward, from the goal backward.

Phase p is everything that happens after draw p and before draw p + 1. Forward, the phases are taken as in the phases
kernel, up to a phase m: that gives F, the height vectors from which draw m can be made. Backward, a pass asks whether a
goal can be reached by the end of a phase P: for each phase from P down to m it finds the vectors from which draw p
still leads to the goal. The goal is met by the end of P exactly if one of these, for some p from m to P, is in F: F
only grows with the phases, and a line that ends after draw m crosses it at a vector of F.

The first goal is the cleared tableau, with P rising from m to the end of the stock: the first pass that meets F has
the fewest strokes. Then come the vectors with exactly k cards left, k rising, with P the last phase. Between passes
the forward search goes on whenever the backward one has done its share of the work.

What lies behind, and the proof of each bound, is told in docs/search.md.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from golf_cli.kernels.compiler import kernel
from golf_cli.kernels.phases import (
    CLEARED,
    MAX_CARDS,
    NOT_CLEARABLE,
    UNDECIDED,
    Outcomes,
    cards_in_parts,
    check_cards,
    check_layout,
    strides,
)

FORWARD_BOUND = 1
BACKWARD_BOUND = 2
EVERY_BOUND = FORWARD_BOUND | BACKWARD_BOUND

# Tuned on random full deals. The forward search goes on until F has so many vectors, and from then on whenever it has
# done less than so many times the work of the backward one.
FORWARD_VECTORS = 8000
FORWARD_VECTORS_CLEAR = 3000
FORWARD_SHARE = 1

# A position on the stack is one word: the height vector's index, the columns still to be taken from there, and forward
# the cards left. The index is two numbers in mixed radix, one for the first columns and one for the rest, so that two
# tables of moderate size tell all about a vector; a play takes one constant, the column's unit, off it.
#
#    63   58 57        50 49       26 25                           0
#   +-------+------------+-----------+--------------+---------------+
#   |   0   | cards left |  columns  | later columns| first columns |
#   +-------+------------+-----------+--------------+---------------+
#                                                   ^ layout.later_at, at most 12
COLUMNS_AT = np.uint64(26)
INDEX = np.uint64((1 << 26) - 1)
COLUMNS = np.uint64((1 << 24) - 1)
LEFT_AT = np.uint64(50)

# All that is remembered of a height vector is one word of 32 bits, or of 64 for more than nine columns:
#
#                       layout.good_at
#                       v           v 4      3        2       1        0
#   +-------+----------+------+-------+--------+---------+------+---------+
#   | later | too soon | good | plays | listed | entered | dead | reached |
#   +-------+----------+------+-------+--------+---------+------+---------+
#           ^ layout.later_draws_at = layout.draws_at + layout.draws_bits
#
# forward:   reached, in F; dead, not worth going on from; plays, the columns played from it;
# backward:  entered, a draw here leads to the goal; listed, has a good play; good, the columns whose play leads to it;
# the bound: the vector cannot be reached before draw `too soon`, and may be before draw `later`; 0 where not known.
REACHED = np.uint64(1)
DEAD = np.uint64(2)
ENTERED = np.uint64(4)
LISTED = np.uint64(8)
LISTED_AT = np.uint64(3)
PLAYS_AT = np.uint64(4)
WORD_BITS_BELOW_PLAYS = 4
MOST_COLUMNS_OF_32_BITS = 9

# Cards are counted by rank in two words, one of the even ranks and one of the odd, nine bits a rank.
FIELD = np.uint64(9)
FIELD_MASK = np.uint64(511)
LAST_FIELD_AT = np.uint64(54)
ONE_EACH = np.uint64(0x0040201008040201)
MANY = np.uint64(1 << 16)

OPEN = np.uint64(14)
TOPS = np.uint64(15)
ANY_TOP = np.uint64(15)
KING = np.uint64(12)
QUEEN = np.uint64(11)
JOKER = np.uint64(13)
DECK = np.uint64(52)

ZERO = np.uint64(0)
ONE = np.uint64(1)
SUIT_BITS = np.uint64(2)
NO_LIMIT = 2**64 - 2

# The top five bits of a lone bit's product with a de Bruijn sequence, its slot, are different for each bit.
DE_BRUIJN = np.uint64(0x077CB531)
LOW_WORD = np.uint64(0xFFFFFFFF)
SLOT_AT = np.uint64(27)
SLOTS = 32

# So many positions are taken off the stack at a time, one play of each, without a branch on what is found: the loads of
# one position then overlap with those of the next, where a stack alone would make each wait for the one before.
BATCH = 32


class Layout(NamedTuple):
    """The columns of a batch, those without cards left out, and how the words hold them.

    heights: uint64[columns].
    slots: uint64[columns], the slot of each column's bit.
    units: uint64[SLOTS], what a play from the column of a slot takes off a vector.
    first_columns: how many columns the first part of the index holds.
    first_vectors, later_vectors: the height vectors of the two parts.
    later_at: where the second part begins.
    full: the index of the whole tableau.
    cards_left: uint16[first_vectors + later_vectors], the cards in either part.
    by_cards: uint32[first_vectors], the vectors of the first part by their cards, fewest first.
    by_cards_starts: uint64[...], where those with 0, 1, ... cards begin in `by_cards`, and its end.
    good_at, draws_at, draws_bits: where the fields of a vector's word begin, and how wide its two last ones are.
    """

    heights: NDArray[np.uint64]
    slots: NDArray[np.uint64]
    units: NDArray[np.uint64]
    first_columns: np.uint64
    first_vectors: np.uint64
    later_vectors: np.uint64
    later_at: np.uint64
    full: np.uint64
    cards_left: NDArray[np.uint16]
    by_cards: NDArray[np.uint32]
    by_cards_starts: NDArray[np.uint64]
    good_at: np.uint64
    draws_at: np.uint64
    draws_bits: np.uint64


class Workspace(NamedTuple):
    """What a search writes to. Made for one layout; two threads need one each.

    given: uint8[...], the caller's heights.
    words: uint32[index] or uint64[index], what is remembered of each height vector; all zero between searches.
    ranks: uint8[SLOTS, longer part], a column's available card by the index of the part that the column is in.
    playable: uint8[TOPS, first_vectors + later_vectors], uint16 where a part has more than eight columns: the columns
        of either part with a card that fits a top.
    raisable: the same type, [TOPS + 1, ...], the columns of either part whose card played last is one that a card of
        the row's rank fits on; in the last row, the columns with any card played.
    even, odd: uint64[first_vectors + later_vectors], the cards in either part by rank.
    tops: uint64[...], the first top and the stock.
    tops_even, tops_odd: uint64[...], the first tops by rank: entry p counts those up to draw p.
    drawn_onto: uint64[TOPS], for each top how many of `reached` have begun a phase with it.
    reached: uint32[vectors + 1], F in the order in which it was reached.
    listed: uint32[vectors + 1], the vectors with a good play.
    entering: uint32[vectors + 1], the vectors that enter with the next draw back.
    weighed: uint32[vectors + 1], those whose words hold what the bound said of them.
    stack: uint64[...], the positions still to be visited; all that a phase begins with, and what comes of them.
    batch: uint64[BATCH], those being visited.
    """

    given: NDArray[np.uint8]
    layout: Layout
    words: NDArray[Any]
    ranks: NDArray[np.uint8]
    playable: NDArray[Any]
    raisable: NDArray[Any]
    even: NDArray[np.uint64]
    odd: NDArray[np.uint64]
    tops: NDArray[np.uint64]
    tops_even: NDArray[np.uint64]
    tops_odd: NDArray[np.uint64]
    drawn_onto: NDArray[np.uint64]
    reached: NDArray[np.uint32]
    listed: NDArray[np.uint32]
    entering: NDArray[np.uint32]
    weighed: NDArray[np.uint32]
    stack: NDArray[np.uint64]
    batch: NDArray[np.uint64]


@kernel
def _counted(rank: np.uint64) -> tuple[np.uint64, np.uint64]:
    """One card of a rank in the counts of even and of odd ranks; a joker, or no card, counts in neither."""
    if rank >= JOKER:
        return ZERO, ZERO
    one = ONE << FIELD * (rank >> ONE)
    return (ZERO, one) if rank & ONE else (one, ZERO)


@kernel
def _lay_out(row: NDArray[np.uint8], dealt: bool, fits: NDArray[np.uint64], work: Workspace) -> np.uint64:
    """Fill the tables of one position and return the size of its stock.

    A part's vectors come column by column, each height a copy of those before it.
    """
    layout = work.layout
    ranks = work.ranks
    playable = work.playable
    raisable = work.raisable
    even = work.even
    odd = work.odd
    at = ZERO
    begin = ZERO
    size = ONE
    for empty in (ZERO, layout.first_vectors):
        for top in range(TOPS):
            playable[top, empty] = 0
        even[empty] = 0
        odd[empty] = 0
    raisable[:] = 0
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
        cycle = (height + ONE) * size
        slot = layout.slots[column]
        for h in range(ONE, height + ONE):
            rank = np.uint64(row[at]) >> SUIT_BITS
            at += ONE
            for top in range(TOPS):
                fit = (fits[top] >> rank & ONE) << bit
                fitting = playable[top]
                for i in range(begin, begin + size):
                    fitting[i + h * size] = np.uint64(fitting[i]) | fit
            one_even, one_odd = _counted(rank)
            for i in range(begin, begin + size):
                even[i + h * size] = even[i + (h - ONE) * size] + one_even
                odd[i + h * size] = odd[i + (h - ONE) * size] + one_odd
            for stretch in range(h * size, part, cycle):
                for i in range(stretch, stretch + size):
                    ranks[slot, i] = rank
            for next_rank in range(TOPS + ONE):
                if next_rank == ANY_TOP or fits[rank] >> next_rank & ONE:
                    raising = raisable[next_rank]
                    for stretch in range(begin + (h - ONE) * size, begin + part, cycle):
                        for i in range(stretch, stretch + size):
                            raising[i] = np.uint64(raising[i]) | ONE << bit
        size = cycle

    tops = work.tops
    tops[ZERO] = OPEN
    if dealt:
        tops[ZERO] = np.uint64(row[at]) >> SUIT_BITS
        at += ONE
    stock = np.uint64(len(row)) - at
    for draw in range(stock):
        tops[draw + ONE] = np.uint64(row[at + draw]) >> SUIT_BITS
    all_even = ZERO
    all_odd = ZERO
    for draw in range(stock + ONE):
        one_even, one_odd = _counted(tops[draw])
        all_even += one_even
        all_odd += one_odd
        work.tops_even[draw] = all_even
        work.tops_odd[draw] = all_odd
    return stock


@kernel
def _of_all_ranks(counts: np.uint64) -> np.uint64:
    return (counts * ONE_EACH) >> LAST_FIELD_AT & FIELD_MASK


@kernel
def _shortfall(
    even: np.uint64, odd: np.uint64, even_under: np.uint64, odd_under: np.uint64, queen_on_king: bool, enough: np.uint64
) -> np.uint64:
    """How many of the cards `even` and `odd` find none to lie on among `even_under` and `odd_under`, one for each.

    Each card lies on one of a neighbouring rank, so the cards of even rank and the odd ones under them are a chain of
    ranks, and so are the others; from one end of it to the other the first card that can serve is the right one. Where
    the answer is above `enough`, any number above it may come back.
    """
    if not queen_on_king:
        even_under &= (ONE << LAST_FIELD_AT) - ONE
    if _of_all_ranks(even) > _of_all_ranks(odd_under) + enough:
        return MANY
    if _of_all_ranks(odd) > _of_all_ranks(even_under) + enough:
        return MANY
    short = ZERO
    spare = ZERO
    needed = even & FIELD_MASK
    for _ in range(6):
        needed -= min(needed, spare)
        under = odd_under & FIELD_MASK
        odd_under >>= FIELD
        served = min(needed, under)
        spare = under - served
        short += needed - served
        even >>= FIELD
        needed = even & FIELD_MASK
    short += needed - min(needed, spare)
    spare = even_under & FIELD_MASK
    for _ in range(6):
        needed = odd & FIELD_MASK
        odd >>= FIELD
        needed -= min(needed, spare)
        even_under >>= FIELD
        under = even_under & FIELD_MASK
        served = min(needed, under)
        spare = under - served
        short += needed - served
    return short


@kernel
def _is_of_neighbours(fits: NDArray[np.uint64]) -> bool:
    """Whether no rank but a joker's lies on others than its neighbours, ace and king being none."""
    for top in range(JOKER):
        neighbours = ONE << (top + ONE) | (ONE << top) >> ONE | ONE << JOKER
        if fits[top] & ((ONE << OPEN) - ONE) & ~neighbours != ZERO:
            return False
    return True


@kernel
def _advance(
    phase: np.uint64,
    stock: np.uint64,
    reached_before: np.uint64,
    fewest: np.uint64,
    slack: np.uint64,
    queen_on_king: bool,
    bounded: bool,
    most_states: np.uint64,
    work: Workspace,
) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Search one phase forward: the size of F after it, the fewest cards left in it, and the plays made.

    If `bounded`, a vector is not gone on from when the shortfall of what is left is above `slack`. A play is marked
    when its position is pushed, so that nothing is on the stack for nothing. Stops at the cleared tableau, and before
    the plays whose count is above `most_states`.
    """
    layout = work.layout
    words = work.words
    ranks = work.ranks
    playable = work.playable
    reached = work.reached
    cards_left = layout.cards_left
    stack = work.stack
    batch = work.batch
    units = layout.units
    first_columns = layout.first_columns
    first_vectors = layout.first_vectors
    later_at = layout.later_at
    first_part = (ONE << later_at) - ONE
    later_columns = ONE << first_columns
    even = work.even
    odd = work.odd
    even_to_come = work.tops_even[stock]
    odd_to_come = work.tops_odd[stock]
    if phase > ZERO:
        even_to_come -= work.tops_even[phase - ONE]
        odd_to_come -= work.tops_odd[phase - ONE]

    top = work.tops[phase]
    fitting = playable[top]
    depth = ZERO
    for i in range(work.drawn_onto[top], reached_before):
        vector = np.uint64(reached[i])
        past = np.uint64(words[vector])
        plays = np.uint64(fitting[vector & first_part])
        plays |= np.uint64(fitting[first_vectors + (vector >> later_at)]) << first_columns
        plays &= ~(past >> PLAYS_AT)
        stack[depth] = vector | plays << COLUMNS_AT
        depth += np.uint64((plays != ZERO) & (past & DEAD == ZERO))
    work.drawn_onto[top] = reached_before
    count = depth
    depth = ZERO
    for i in range(count):
        position = stack[i]
        vector = position & INDEX
        first = vector & first_part
        later = first_vectors + (vector >> later_at)
        if bounded:
            e = even[first] + even[later]
            o = odd[first] + odd[later]
            if _shortfall(e, o, e + even_to_come, o + odd_to_come, queen_on_king, slack) > slack:
                words[vector] = np.uint64(words[vector]) | DEAD
                continue
        words[vector] = np.uint64(words[vector]) | position >> COLUMNS_AT << PLAYS_AT
        left = np.uint64(cards_left[first]) + np.uint64(cards_left[later])
        stack[depth] = position | left << LEFT_AT
        depth += ONE

    # With one position at a time above this, the stack grows by no more than one for each play of a line.
    crowded = depth + np.uint64(len(batch))
    total = reached_before
    states = ZERO
    while depth > ZERO:
        size = min(depth, np.uint64(len(batch)) if depth <= crowded else ONE)
        states += size
        if states > most_states:
            break
        depth -= size
        for i in range(size):
            batch[i] = stack[depth + i]
        for i in range(size):
            position = batch[i]
            vector = position & INDEX
            columns = position >> COLUMNS_AT & COLUMNS
            left = (position >> LEFT_AT) - ONE
            bit = columns & (~columns + ONE)
            stack[depth] = position ^ bit << COLUMNS_AT
            depth += np.uint64(columns != bit)
            slot = (bit * DE_BRUIJN & LOW_WORD) >> SLOT_AT
            part = vector & first_part if bit < later_columns else vector >> later_at
            rank = np.uint64(ranks[slot, part])
            child = vector - units[slot]
            past = np.uint64(words[child])
            plays = np.uint64(playable[rank, child & first_part])
            plays |= np.uint64(playable[rank, first_vectors + (child >> later_at)]) << first_columns
            plays &= ~(past >> PLAYS_AT)
            words[child] = past | REACHED | plays << PLAYS_AT
            reached[total] = child
            total += ~past & REACHED
            fewest = min(fewest, left)
            stack[depth] = child | plays << COLUMNS_AT | left << LEFT_AT
            depth += np.uint64(plays != ZERO)
        if fewest == ZERO:
            break
    return total, fewest, states


@kernel
def _enter_goals(goal: np.uint64, work: Workspace) -> np.uint64:
    """Let the vectors with exactly `goal` cards left enter, and return how many there are."""
    layout = work.layout
    starts = layout.by_cards_starts
    most = np.uint64(len(starts)) - np.uint64(2)
    count = ZERO
    for later in range(layout.later_vectors):
        left = np.uint64(layout.cards_left[layout.first_vectors + later])
        if left <= goal and goal - left <= most:
            for i in range(starts[goal - left], starts[goal - left + ONE]):
                work.entering[count] = np.uint64(layout.by_cards[i]) | later << layout.later_at
                count += ONE
    return count


@kernel
def _meet(
    goal: np.uint64,
    last: np.uint64,
    phase: np.uint64,
    slack: np.uint64,
    queen_on_king: bool,
    bounded: bool,
    fits: NDArray[np.uint64],
    count_weighed: np.uint64,
    most_states: np.uint64,
    work: Workspace,
) -> tuple[bool, np.uint64, np.uint64]:
    """One pass backward: whether exactly `goal` cards can be left by the end of phase `last`, F being that of `phase`.

    Also returns the plays marked as good and the new size of `weighed`. Stops where it meets F and above `most_states`.
    """
    layout = work.layout
    words = work.words
    ranks = work.ranks
    playable = work.playable
    raisable = work.raisable
    listed = work.listed
    entering = work.entering
    weighed = work.weighed
    stack = work.stack
    batch = work.batch
    units = layout.units
    first_columns = layout.first_columns
    first_vectors = layout.first_vectors
    later_at = layout.later_at
    first_part = (ONE << later_at) - ONE
    later_columns = ONE << first_columns
    good_at = layout.good_at
    draws_at = layout.draws_at
    later_draws_at = draws_at + layout.draws_bits
    most_draws = (ONE << layout.draws_bits) - ONE
    even = work.even
    odd = work.odd
    whole_first = layout.full & first_part
    whole_later = first_vectors + (layout.full >> later_at)
    even_whole = even[whole_first] + even[whole_later]
    odd_whole = odd[whole_first] + odd[whole_later]

    count_entering = _enter_goals(goal, work)
    count_listed = ZERO
    states = ZERO
    met = False
    draw = last
    while True:
        top = work.tops[draw]
        fit = fits[top]
        depth = ZERO
        for i in range(count_entering):
            vector = np.uint64(entering[i])
            past = np.uint64(words[vector])
            listed[count_listed] = vector
            count_listed += past >> LISTED_AT & ONE ^ ONE
            words[vector] = past | ENTERED | LISTED
            columns = np.uint64(raisable[ANY_TOP, vector & first_part])
            columns |= np.uint64(raisable[ANY_TOP, first_vectors + (vector >> later_at)]) << first_columns
            stack[depth] = vector | columns << COLUMNS_AT
            depth += np.uint64(columns != ZERO)
        crowded = depth + np.uint64(len(batch))
        while depth > ZERO:
            size = min(depth, np.uint64(len(batch)) if depth <= crowded else ONE)
            depth -= size
            for i in range(size):
                batch[i] = stack[depth + i]
            for i in range(size):
                position = batch[i]
                vector = position & INDEX
                columns = position >> COLUMNS_AT
                bit = columns & (~columns + ONE)
                stack[depth] = position ^ bit << COLUMNS_AT
                depth += np.uint64(columns != bit)
                slot = (bit * DE_BRUIJN & LOW_WORD) >> SLOT_AT
                parent = vector + units[slot]
                first = parent & first_part
                later = parent >> later_at
                past = np.uint64(words[parent])
                rank = np.uint64(ranks[slot, first if bit < later_columns else later])
                mark = bit << good_at
                fresh = np.uint64(past & (mark | ENTERED) == ZERO)
                states += fresh
                met |= (past & REACHED != ZERO) & (fit >> rank & ONE != ZERO)
                words[parent] = past | (mark | LISTED) * fresh
                listed[count_listed] = parent
                count_listed += fresh & ~(past >> LISTED_AT)
                further = np.uint64(raisable[rank, first])
                further |= np.uint64(raisable[rank, first_vectors + later]) << first_columns
                further *= fresh
                stack[depth] = parent | further << COLUMNS_AT
                depth += np.uint64(further != ZERO)
            if met or states > most_states:
                break
        if met or states > most_states:
            break

        count_entering = ZERO
        fitting = playable[top]
        even_before = ZERO
        odd_before = ZERO
        if draw > ZERO:
            even_before = work.tops_even[draw - ONE]
            odd_before = work.tops_odd[draw - ONE]
        count = ZERO
        for i in range(count_listed):
            vector = np.uint64(listed[i])
            past = np.uint64(words[vector])
            plays = np.uint64(fitting[vector & first_part])
            plays |= np.uint64(fitting[first_vectors + (vector >> later_at)]) << first_columns
            entering[count] = vector
            count += np.uint64((plays & past >> good_at != ZERO) & (past & ENTERED == ZERO))
        for i in range(count):
            vector = np.uint64(entering[i])
            past = np.uint64(words[vector])
            if past & REACHED != ZERO:
                met = True
                break
            if draw == phase:
                continue
            if bounded and draw <= most_draws:
                too_soon = past >> draws_at & most_draws
                later_draw = past >> later_draws_at
                if draw <= too_soon:
                    continue
                if later_draw == ZERO or draw < later_draw:
                    if too_soon | later_draw == ZERO:
                        weighed[count_weighed] = vector
                        count_weighed += ONE
                    first = vector & first_part
                    later = first_vectors + (vector >> later_at)
                    e = even_whole - even[first] - even[later]
                    o = odd_whole - odd[first] - odd[later]
                    if _shortfall(e, o, e + even_before, o + odd_before, queen_on_king, slack) > slack:
                        words[vector] = past & ~(most_draws << draws_at) | draw << draws_at
                        continue
                    words[vector] = past & ~(most_draws << later_draws_at) | draw << later_draws_at
            entering[count_entering] = vector
            count_entering += ONE
        if met or draw == phase:
            break
        draw -= ONE

    forget = ~(ENTERED | LISTED | (ONE << draws_at) - (ONE << good_at))
    for i in range(count_listed):
        words[listed[i]] = np.uint64(words[listed[i]]) & forget
    return met, states, count_weighed


@kernel
def _search(
    row: NDArray[np.uint8],
    dealt: bool,
    fits: NDArray[np.uint64],
    bounds: np.uint64,
    clear_only: bool,
    forward_vectors: np.uint64,
    forward_share: np.uint64,
    max_states: np.uint64,
    work: Workspace,
) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Search one position: cards left, stock left, and states; more than `max_states` of them mean undecided."""
    layout = work.layout
    words = work.words
    reached = work.reached
    cards = np.uint64(layout.cards_left[layout.first_vectors - ONE])
    cards += np.uint64(layout.cards_left[len(layout.cards_left) - 1])
    if cards == ZERO:
        return ZERO, ZERO if clear_only else np.uint64(len(row)) - np.uint64(dealt), ZERO
    stock = _lay_out(row, dealt, fits, work)
    slack = np.uint64(not dealt)
    for i in range(len(row)):
        slack += np.uint64(row[i] >= DECK)
    queen_on_king = fits[KING] >> QUEEN & ONE != ZERO
    if not _is_of_neighbours(fits):
        bounds = ZERO
    bounded_forward = clear_only and bounds & np.uint64(FORWARD_BOUND) != ZERO
    bounded_backward = bounds & np.uint64(BACKWARD_BOUND) != ZERO

    work.drawn_onto[:] = 0
    reached[ZERO] = layout.full
    words[layout.full] = REACHED
    count_reached = ONE
    count_weighed = ZERO
    fewest = cards
    phase = ZERO
    forward = ZERO
    backward = ZERO
    goal = ZERO
    last = ZERO
    cards_left = ZERO
    stock_left = ZERO
    while True:
        while phase <= stock and (count_reached < forward_vectors or forward < forward_share * backward):
            count_reached, fewest, states = _advance(
                phase,
                stock,
                count_reached,
                fewest,
                slack,
                queen_on_king,
                bounded_forward,
                max_states - forward - backward,
                work,
            )
            forward += states
            if fewest == ZERO or forward + backward > max_states:
                break
            phase += ONE
        if forward + backward > max_states or fewest <= goal or phase > stock:
            cards_left = fewest
            if fewest == ZERO:
                stock_left = stock - phase
            break
        last = stock if clear_only else max(last, phase)
        met, states, count_weighed = _meet(
            goal,
            last,
            phase,
            slack,
            queen_on_king,
            bounded_backward,
            fits,
            count_weighed,
            max_states - forward - backward,
            work,
        )
        backward += states
        if forward + backward > max_states:
            cards_left = fewest
            break
        if met:
            cards_left = goal
            if goal == ZERO:
                stock_left = stock - last
            break
        if clear_only:
            cards_left = ONE
            break
        if last < stock:
            last += ONE
        else:
            goal += ONE
    if clear_only:
        stock_left = ZERO
        if forward + backward <= max_states:
            cards_left = min(cards_left, ONE)

    for i in range(count_reached):
        words[reached[i]] = 0
    for i in range(count_weighed):
        words[work.weighed[i]] = 0
    return cards_left, stock_left, forward + backward


@kernel
def _search_rows(
    cards: NDArray[np.uint8],
    dealt: bool,
    fits: NDArray[np.uint64],
    bounds: np.uint64,
    clear_only: bool,
    forward_vectors: np.uint64,
    forward_share: np.uint64,
    max_states: np.uint64,
    work: Workspace,
    cards_left: NDArray[np.uint8],
    stock_left: NDArray[np.uint8],
    states: NDArray[np.uint64],
) -> None:
    for i in range(len(cards)):
        cards_left[i], stock_left[i], states[i] = _search(
            cards[i],
            dealt,
            fits,
            bounds,
            clear_only,
            forward_vectors,
            forward_share,
            max_states,
            work,
        )


def _layout(heights: NDArray[np.uint8]) -> Layout:
    vectors = check_layout(heights)
    sizes = heights[heights > 0].astype(np.int64) + 1
    columns = len(sizes)
    # As even a cut as can be: the tables grow with the sum of the two parts, the vectors with their product.
    first_columns = int(np.searchsorted(np.cumprod(sizes), math.isqrt(vectors), side="right"))
    first, later = sizes[:first_columns], sizes[first_columns:]
    first_vectors = math.prod(first.tolist())
    later_at = (first_vectors - 1).bit_length()
    units = np.concatenate((strides(first), strides(later) << later_at))
    slots = [((1 << column) * int(DE_BRUIJN) & int(LOW_WORD)) >> int(SLOT_AT) for column in range(columns)]
    units_by_slot = np.zeros(SLOTS, np.uint64)
    units_by_slot[slots] = units
    first_cards, later_cards = cards_in_parts(first), cards_in_parts(later)
    by_cards = np.argsort(first_cards, kind="stable")
    fixed = WORD_BITS_BELOW_PLAYS + 2 * columns
    return Layout(
        heights=(sizes - 1).astype(np.uint64),
        slots=np.array(slots, np.uint64),
        units=units_by_slot,
        first_columns=np.uint64(first_columns),
        first_vectors=np.uint64(first_vectors),
        later_vectors=np.uint64(vectors // first_vectors),
        later_at=np.uint64(later_at),
        full=np.uint64(units @ (sizes - 1)),
        cards_left=np.concatenate((first_cards, later_cards)),
        by_cards=by_cards.astype(np.uint32),
        by_cards_starts=np.searchsorted(first_cards[by_cards], np.arange(int(first_cards.max()) + 2)).astype(np.uint64),
        good_at=np.uint64(WORD_BITS_BELOW_PLAYS + columns),
        draws_at=np.uint64(fixed),
        draws_bits=np.uint64(min(8, ((32 if columns <= MOST_COLUMNS_OF_32_BITS else 64) - fixed) // 2)),
    )


def workspace(heights: NDArray[np.uint8]) -> Workspace:
    """Room for searching positions of the layout `heights`: uint8[columns], cards per column.

    Memory is touched only as far as a search needs it. Raises ValueError if the product of (height + 1) is above
    MAX_VECTORS.
    """
    layout = _layout(heights)
    parts = int(layout.first_vectors), int(layout.later_vectors)
    vectors = parts[0] * parts[1]
    cards, columns = int(heights.sum(dtype=np.int64)), len(layout.heights)
    part_columns = max(int(layout.first_columns), columns - int(layout.first_columns))
    masks = np.uint8 if part_columns <= 8 else np.uint16
    return Workspace(
        given=heights.copy(),
        layout=layout,
        words=np.zeros(int(layout.full) + 1, np.uint32 if columns <= MOST_COLUMNS_OF_32_BITS else np.uint64),
        ranks=np.zeros((SLOTS, max(parts)), np.uint8),
        playable=np.empty((int(TOPS), sum(parts)), masks),
        raisable=np.empty((int(TOPS) + 1, sum(parts)), masks),
        even=np.empty(sum(parts), np.uint64),
        odd=np.empty(sum(parts), np.uint64),
        tops=np.empty(MAX_CARDS + 1, np.uint64),
        tops_even=np.empty(MAX_CARDS + 1, np.uint64),
        tops_odd=np.empty(MAX_CARDS + 1, np.uint64),
        drawn_onto=np.empty(int(TOPS), np.uint64),
        reached=np.empty(vectors + 1, np.uint32),
        listed=np.empty(vectors + 1, np.uint32),
        entering=np.empty(vectors + 1, np.uint32),
        weighed=np.empty(vectors + 1, np.uint32),
        stack=np.empty(vectors + 2 * BATCH + cards + 2, np.uint64),
        batch=np.empty(BATCH, np.uint64),
    )


def solve_batch(
    cards: NDArray[np.uint8],
    heights: NDArray[np.uint8],
    dealt: bool,
    fits: NDArray[np.uint64],
    clear_only: bool = False,
    max_states: int = 0,
    work: Workspace | None = None,
    *,
    bounds: int = EVERY_BOUND,
) -> Outcomes:
    """Solve n positions of one layout, with draws allowed at any time.

    cards: uint8[n, m], each row the columns one by one from the covered back card to the available one, then the
    foundation's top card if `dealt`, then the stock, first drawn first.
    heights: uint8[columns], cards per column.
    fits: uint64[16], bit r of `fits[t]` is set if rank r may be played on a top of rank t (13 a joker, 14 no card).
    clear_only: only find out whether the tableau can be cleared. CLEARED then comes with 0 stock cards left and
        NOT_CLEARABLE with 1 card left, each of which means "at least".
    max_states: a position whose search would take more is undecided; 0 means no limit. The states of an outcome are
        here the plays made forward and those marked as good backward.
    work: from `workspace`, to search batch after batch in the same memory; one thread at a time.
    bounds: FORWARD_BOUND (of use to `clear_only` alone) and BACKWARD_BOUND, those to use: for tests and measurements,
        outcomes do not depend on it. Neither is used where ranks may lie on others than their neighbours.

    Raises ValueError for a layout above MAX_VECTORS, a row of the wrong length, an unseen card, or a workspace that
    was made for another layout.
    """
    check_cards(cards, heights, dealt)
    if work is None:
        work = workspace(heights)
    elif not np.array_equal(work.given, heights):
        raise ValueError("the workspace was made for another layout: make one for these heights")
    limit = min(max_states or NO_LIMIT, NO_LIMIT)
    n = len(cards)
    cards_left, stock_left, states = np.empty(n, np.uint8), np.empty(n, np.uint8), np.empty(n, np.uint64)
    _search_rows(
        np.ascontiguousarray(cards),
        dealt,
        fits,
        np.uint64(bounds),
        clear_only,
        np.uint64(FORWARD_VECTORS_CLEAR if clear_only else FORWARD_VECTORS),
        np.uint64(FORWARD_SHARE),
        np.uint64(limit),
        work,
        cards_left,
        stock_left,
        states,
    )
    decided = np.where(cards_left == 0, CLEARED, NOT_CLEARABLE)
    status = np.where(states > limit, UNDECIDED, decided).astype(np.uint8)
    return Outcomes(status, cards_left, stock_left, np.minimum(states, np.uint64(limit)))
