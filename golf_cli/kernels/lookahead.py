"""Games played by policies that weigh every position in which the next card could be drawn.

Whatever is played between two draws, the next card drawn covers the top: all that a player decides is at which
tableau to stop. So each tableau that plays from the present top lead to is looked at once and given a value from
what is visible, and the game goes on from the one of the lowest value.

- `keep-options` values a stop by the cards left, less two for the chance that the next card drawn lets one be played:
  the share of the unseen cards on which an available card fits.
- `lookahead` values it by tables of what such a position came to in the mean, learnt from its own games. With a depth
  of 1 it looks one draw further: the `WIDTH` lowest stops are valued by the mean, over the unseen cards, of the lowest
  value the next stop can have. With some slack it does not always take the lowest.

The value of `lookahead` is a sum of table entries, each found by what is true of a stop; a number in brackets is the
most that is counted. Plays that may follow a card are the available cards that fit on it, and the card it covers if
that fits (3).

- `BURIED`: for each card its rank and how many cards cover it (4).
- `PAIRS`: for each two cards of a column the ranks of the covered and the covering one, and whether others lie between.

For each column, of its available card, the next one below and the one below that:

- `AVAILABLE`: unseen cards the available card fits on (8), plays that may follow it, cards in the column (5);
- `NEXT`: unseen cards the available one fits on (8), and the next one (8), whether the next fits on it;
- `SECOND`: unseen cards the next one fits on (8), plays that may follow the available one and the next one;
- `THIRD`: unseen cards that the next (8) and the third card (8) fit on, plays that may follow each.

For each rank:

- `SUPPLY`: the kind of rank (see `KINDS`), cards of it left in the columns (4), cards in the columns (6) and unseen
  cards (6) that it fits on;
- `NEIGHBOURS`: the rank, unseen cards it fits on (6), available cards of it (2), available cards that fit on it (3).

For the whole: `FITTING`, unseen cards that some available card fits on (18) and columns with cards (7); `SHAPE`,
columns with cards (7) and cards in the longest (6); `CARDS`, for all stages, cards in the stock (18) and in the
columns (39).

All but a few of these stay as they are from stop to stop: what does not change before the next draw is looked up once,
and the counts by rank are kept, cut off and made into places in a table eight ranks at a time, a byte each.

What is called for every stop takes its arrays one by one, since a tuple of many arrays costs as much to pass as a stop
to weigh; and it has no branches and takes no views: where it had, Numba would count references to its arrays at every
call, with atomic additions that cost more than all the rest. So an empty column has a card, too, which fits nowhere.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from golf_cli.kernels.compiler import kernel
from golf_cli.kernels.ends import Ends

DRAW = 255
POLICIES = ("keep-options", "lookahead")
UNIT = 1000
"""A stroke, in the values of `lookahead`: they are whole thousandths."""
WIDTH = 8
"""How many stops a depth of 1 looks at more closely."""
TABLE_LIMIT = 1 << 24
MOST_SLACK = 1000 * 1000
"""Slack allowed, in units: more than any two stops can differ by."""

RANKS = 14
"""Ranks a card can have: ace 0 ... king 12, joker 13."""
STAGES = 3
"""Tables are kept apart by how many cards are left in the stock: 1 to 5, 6 to 11, 12 and more."""

KINDS = np.array([0, 2, 4, 4, 4, 4, 4, 4, 4, 4, 4, 3, 1, 4], np.uint64)
"""What kind of rank each is: 0 ace, 1 king, 2 two, 3 queen, 4 others."""

# One stage's tables, each where the one before it ends.
BURIED = 0
PAIRS = BURIED + 14 * 5
AVAILABLE = PAIRS + 14 * 14 * 2
NEXT = AVAILABLE + 9 * 4 * 6
SECOND = NEXT + 9 * 9 * 2
THIRD = SECOND + 9 * 4 * 4
SUPPLY = THIRD + 9 * 9 * 4 * 4
NEIGHBOURS = SUPPLY + 5 * 5 * 7 * 7
FITTING = NEIGHBOURS + 14 * 7 * 3 * 4
SHAPE = FITTING + 19 * 8
STAGE = SHAPE + 8 * 7
CARDS = STAGES * STAGE
WEIGHTS = CARDS + 19 * 40

_NOTHING = WEIGHTS
"""Where zeros follow the weights, to be looked up for cards that a column does not have."""
_NOTHINGS = 16

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_BYTES = np.uint64(0x0101010101010101)
_HIGH_BITS = np.uint64(0x8080808080808080)
_OPEN = np.uint64(14)
_NONE = np.uint64(14)
"""The rank of what lies on an empty column."""
_ZERO = np.uint64(0)
_ONE = np.uint64(1)
_TWO = np.uint64(2)


class Position(NamedTuple):
    """A game in play, as far as it is visible.

    Attributes:
        cards: uint64[columns, deepest + 1], ranks from the covered back card to the available one, which is at the
            height of the column: first in each column is `_NONE`.
        height: uint64[columns], cards in each column.
        tally: uint8[64], the columns counted: from 0 on the cards of each rank, from 16 on the cards each rank fits on,
            from 32 on the available cards of each rank, from 48 on the available cards that fit on each rank.
        tally_words: the same memory as uint64[8], to add to sixteen counts in two steps: no count can overflow.
        unseen: uint8[32], the stock counted as the first half of `tally`.
        unseen_words: the same memory as uint64[4].
        left: uint64[2], cards in the columns and cards in the stock.
    """

    cards: NDArray[np.uint64]
    height: NDArray[np.uint64]
    tally: NDArray[np.uint8]
    tally_words: NDArray[np.uint64]
    unseen: NDArray[np.uint8]
    unseen_words: NDArray[np.uint64]
    left: NDArray[np.uint64]


class Search(NamedTuple):
    """Room for one search of the stops of a position.

    Attributes:
        stride: uint64[columns], what a card of a column is worth in the number of a tableau, in mixed radix.
        seen: uint16[tableaus], the ranks of the tops met at each tableau; all 0 between searches.
        touched: uint32[tableaus], the tableaus met.
        playable: uint64[cards + 1], the ranks that fit after each play of the run being tried.
        run: uint64[cards], that run; after the search, the run that is asked for.
        plays: uint16[...], every play tried in order: its place in its run, from 1, times 256, and its column.
        values: int64[...], the stops' values in the order in which they were met.
        ends: uint32[...], for each of them how many plays had been tried.
    """

    stride: NDArray[np.uint64]
    seen: NDArray[np.uint16]
    touched: NDArray[np.uint32]
    playable: NDArray[np.uint64]
    run: NDArray[np.uint64]
    plays: NDArray[np.uint16]
    values: NDArray[np.int64]
    ends: NDArray[np.uint32]


class Scales(NamedTuple):
    """What the stops of one search are weighed with.

    Attributes:
        weights: int32[WEIGHTS + 16], the tables and zeros.
        buried: int64[STAGES, columns, deepest + 1], the sums of `BURIED` and `PAIRS` for each height of a column.
        columns: uint64[columns, deepest + 1, 8], what is looked up for a column of that height: the sum of all that
            stays as it is; where in `AVAILABLE`, `SECOND` and `THIRD` to count the plays that follow from; for its
            upper three cards where in a word of half-bytes by rank (see `_value`) that is counted, and a bit each
            whether the card it covers fits on it.
        lowest: uint64[columns], the height down to which that is known for the present search.
        ranks: uint64[2, 16], where in `SUPPLY` and `NEIGHBOURS` to look for each rank.
    """

    weights: NDArray[np.int32]
    buried: NDArray[np.int64]
    columns: NDArray[np.uint64]
    lowest: NDArray[np.uint64]
    ranks: NDArray[np.uint64]


def adds(fits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """What an available card of each rank adds to `tally_words`, its first half what one adds to `unseen_words`.

    `fits` is uint64[16], as in `play_rows`; the answer uint64[15, 8], its last row `_NONE` adds nothing.
    """
    fit = fits[:RANKS, np.newaxis] >> np.arange(RANKS, dtype=np.uint64) & _ONE
    counts = np.zeros((RANKS + 1, 4, 16), np.uint8)
    counts[:RANKS, 0, :RANKS] = counts[:RANKS, 2, :RANKS] = np.eye(RANKS)
    counts[:RANKS, 1, :RANKS] = fit
    counts[:RANKS, 3, :RANKS] = fit.T
    words: NDArray[np.uint64] = counts.reshape(RANKS + 1, 64).view(np.uint64)
    return words


def new_position(heights: NDArray[np.uint8]) -> Position:
    """Room for positions of the layout `heights`: uint8[columns]."""
    tally, unseen = np.zeros(8, np.uint64), np.zeros(4, np.uint64)
    return Position(
        cards=np.full((heights.size, int(heights.max(initial=0)) + 1), _NONE, np.uint64),
        height=np.zeros(heights.size, np.uint64),
        tally=tally.view(np.uint8),
        tally_words=tally,
        unseen=unseen.view(np.uint8),
        unseen_words=unseen,
        left=np.zeros(2, np.uint64),
    )


@kernel
def _take(
    cards: NDArray[np.uint64],
    height: NDArray[np.uint64],
    tally_words: NDArray[np.uint64],
    added: NDArray[np.uint64],
    column: np.uint64,
) -> None:
    """Take the available card of a column."""
    h = height[column]
    height[column] = h - _ONE
    taken, bared = cards[column, h], cards[column, h - _ONE]
    for word in range(np.uint64(4)):
        tally_words[word] -= added[taken, word]
    for word in range(np.uint64(4), np.uint64(8)):
        tally_words[word] += added[bared, word] - added[taken, word]


@kernel
def _take_back(
    cards: NDArray[np.uint64],
    height: NDArray[np.uint64],
    tally_words: NDArray[np.uint64],
    added: NDArray[np.uint64],
    column: np.uint64,
) -> None:
    h = height[column] + _ONE
    height[column] = h
    taken, bared = cards[column, h], cards[column, h - _ONE]
    for word in range(np.uint64(4)):
        tally_words[word] += added[taken, word]
    for word in range(np.uint64(4), np.uint64(8)):
        tally_words[word] += added[taken, word] - added[bared, word]


@kernel
def play(position: Position, added: NDArray[np.uint64], column: np.uint64) -> None:
    """Play the available card of a column."""
    _take(position.cards, position.height, position.tally_words, added, column)
    position.left[_ZERO] -= _ONE


@kernel
def hide(position: Position, added: NDArray[np.uint64], rank: np.uint64) -> None:
    """Put a card of this rank into the stock."""
    for word in range(np.uint64(4)):
        position.unseen_words[word] += added[rank, word]
    position.left[_ONE] += _ONE


@kernel
def draw(position: Position, added: NDArray[np.uint64], rank: np.uint64) -> None:
    """Draw a card of this rank from the stock."""
    for word in range(np.uint64(4)):
        position.unseen_words[word] -= added[rank, word]
    position.left[_ONE] -= _ONE


@kernel
def set_up(
    position: Position, added: NDArray[np.uint64], row: NDArray[np.uint8], heights: NDArray[np.uint8], dealt: bool
) -> np.uint64:
    """Lay out a row of `play_rows`; returns where its stock begins. The order of the stock is not kept."""
    position.tally_words[:] = _ZERO
    position.unseen_words[:] = _ZERO
    place = _ZERO
    for column in range(np.uint64(heights.shape[0])):
        height = np.uint64(heights[column])
        position.height[column] = height
        for i in range(height):
            rank = np.uint64(row[place]) >> _TWO
            position.cards[column, i + _ONE] = rank
            counted = np.uint64(8 if i == height - _ONE else 4)
            for word in range(counted):
                position.tally_words[word] += added[rank, word]
            place += _ONE
    position.left[_ZERO] = place
    position.left[_ONE] = _ZERO
    if dealt:
        place += _ONE
    for i in range(place, np.uint64(row.shape[0])):
        hide(position, added, np.uint64(row[i]) >> _TWO)
    return place


@kernel
def stage_of(stock: np.uint64) -> np.uint64:
    """The tables for so many cards in the stock."""
    return np.uint64(stock > np.uint64(5)) + np.uint64(stock > np.uint64(11))


@kernel
def _weigh_buried(position: Position, weights: NDArray[np.int32], buried: NDArray[np.int64]) -> None:
    """Fill `Scales.buried`."""
    cards = position.cards
    for stage in range(np.uint64(STAGES)):
        base = stage * np.uint64(STAGE)
        for column in range(np.uint64(position.height.shape[0])):
            pairs = np.int64(0)
            for height in range(position.height[column] + _ONE):
                for i in range(_ONE, height):
                    apart = np.uint64(i + _ONE < height)
                    pair = (cards[column, i] * np.uint64(14) + cards[column, height]) * _TWO + apart
                    pairs += np.int64(weights[base + np.uint64(PAIRS) + pair])
                total = pairs
                for i in range(_ONE, height + _ONE):
                    covering = min(height - i, np.uint64(4))
                    total += np.int64(weights[base + np.uint64(BURIED) + cards[column, i] * np.uint64(5) + covering])
                buried[stage, column, height] = total


@kernel
def _weigh_column(
    cards: NDArray[np.uint64],
    column: np.uint64,
    height: np.uint64,
    unseen: NDArray[np.uint8],
    stage: np.uint64,
    fits: NDArray[np.uint64],
    weights: NDArray[np.int32],
    buried: NDArray[np.int64],
    known: NDArray[np.uint64],
) -> None:
    """Fill the entry of `Scales.columns` for a column with `height` of its cards."""
    base = stage * np.uint64(STAGE)
    nothing = np.uint64(_NOTHING)
    first = cards[column, height]
    second = cards[column, max(height, _ONE) - _ONE]
    third = cards[column, max(height, _TWO) - _TWO]
    fourth = cards[column, max(height, np.uint64(3)) - np.uint64(3)]
    for_first = min(np.uint64(unseen[np.uint64(16) + first]), np.uint64(8))
    for_second = min(np.uint64(unseen[np.uint64(16) + second]), np.uint64(8))
    for_third = min(np.uint64(unseen[np.uint64(16) + third]), np.uint64(8))
    runs_on = fits[first] >> second & _ONE
    following = base + np.uint64(NEXT) + (for_first * np.uint64(9) + for_second) * _TWO + runs_on
    total = buried[stage, column, height] + np.int64(weights[following if height > _ONE else nothing])
    available = base + np.uint64(AVAILABLE) + for_first * np.uint64(24) + min(height, np.uint64(5))
    behind = base + np.uint64(THIRD) + (for_second * np.uint64(9) + for_third) * np.uint64(16)
    known[column, height, 0] = np.uint64(total)
    known[column, height, 1] = available if height > _ZERO else nothing
    known[column, height, 2] = base + np.uint64(SECOND) + for_second * np.uint64(16) if height > _ONE else nothing
    known[column, height, 3] = behind if height > _TWO else nothing
    known[column, height, 4] = _half_byte(first)
    known[column, height, 5] = _half_byte(second)
    known[column, height, 6] = _half_byte(third)
    known[column, height, 7] = runs_on | (fits[second] >> third & _ONE) << _ONE | (fits[third] >> fourth & _ONE) << _TWO


@kernel
def _half_byte(rank: np.uint64) -> np.uint64:
    """Where a rank's half-byte is: ranks 0 to 7 have the lower halves of a word's bytes, 8 to 15 the upper ones."""
    return (rank & np.uint64(7)) * np.uint64(8) + (rank >> np.uint64(3)) * np.uint64(4)


@kernel
def _weigh_ranks(unseen: NDArray[np.uint8], base: np.uint64, ranks: NDArray[np.uint64]) -> None:
    """Fill `Scales.ranks`; `base` is where the stage begins."""
    for rank in range(np.uint64(14)):
        for_rank = min(np.uint64(unseen[np.uint64(16) + rank]), np.uint64(6))
        ranks[_ZERO, rank] = base + np.uint64(SUPPLY) + KINDS[rank] * np.uint64(5 * 7 * 7) + for_rank
        ranks[_ONE, rank] = base + np.uint64(NEIGHBOURS) + (rank * np.uint64(7) + for_rank) * np.uint64(12)


@kernel
def _over(word: np.uint64, most: np.uint64) -> np.uint64:
    """The bytes of a word that are over `most` (below 128), as bytes of 255."""
    over = ((word & ~_HIGH_BITS) + (np.uint64(127) - most) * _BYTES | word) & _HIGH_BITS
    return (over >> np.uint64(7)) * np.uint64(255)


@kernel
def _cut_off(word: np.uint64, most: np.uint64) -> np.uint64:
    """The bytes of a word, `most` (below 128) for those that are over it."""
    over = _over(word, most)
    return word & ~over | most * _BYTES & over


@kernel
def _fitting(tally_words: NDArray[np.uint64], unseen_words: NDArray[np.uint64]) -> np.uint64:
    """The unseen cards on which an available card fits: all counts together are below 256."""
    fitting = unseen_words[0] & _over(tally_words[6], _ZERO)
    fitting += unseen_words[1] & _over(tally_words[7], _ZERO)
    return np.uint64(fitting * _BYTES >> np.uint64(56))


@kernel
def _value(
    height: NDArray[np.uint64],
    tally_words: NDArray[np.uint64],
    unseen_words: NDArray[np.uint64],
    left: np.uint64,
    stock: np.uint64,
    weights: NDArray[np.int32],
    known: NDArray[np.uint64],
    ranks: NDArray[np.uint64],
    base: np.uint64,
) -> np.int64:
    """The value of a stop at this tableau by the tables. `known` and `ranks` are those of `Scales`."""
    three = np.uint64(3)
    onto = _cut_off(tally_words[6], three)
    onto_upper = _cut_off(tally_words[7], three)
    total = np.int64(0)
    for half in range(_TWO):
        supply = _cut_off(tally_words[half], np.uint64(4)) * np.uint64(7)
        supply += _cut_off(tally_words[_TWO + half], np.uint64(6))
        neighbours = _cut_off(tally_words[np.uint64(4) + half], _TWO) * np.uint64(4)
        neighbours += onto_upper if half else onto
        for rank in range(half * np.uint64(8), np.uint64(14) if half else np.uint64(8)):
            total += np.int64(weights[ranks[_ZERO, rank] + (supply & np.uint64(255)) * np.uint64(7)])
            total += np.int64(weights[ranks[_ONE, rank] + (neighbours & np.uint64(255))])
            supply >>= np.uint64(8)
            neighbours >>= np.uint64(8)
    onto |= onto_upper << np.uint64(4)
    filled = _ZERO
    longest = _ZERO
    for column in range(np.uint64(height.shape[0])):
        h = height[column]
        filled += np.uint64(h > _ZERO)
        longest = max(longest, h)
        runs_on = known[column, h, 7]
        after_first = min((onto >> known[column, h, 4] & three) + (runs_on & _ONE), three)
        after_second = min((onto >> known[column, h, 5] & three) + (runs_on >> _ONE & _ONE), three)
        after_third = min((onto >> known[column, h, 6] & three) + (runs_on >> _TWO), three)
        total += np.int64(known[column, h, 0])
        total += np.int64(weights[known[column, h, 1] + after_first * np.uint64(6)])
        total += np.int64(weights[known[column, h, 2] + after_first * np.uint64(4) + after_second])
        total += np.int64(weights[known[column, h, 3] + after_second * np.uint64(4) + after_third])
    filled = min(filled, np.uint64(7))
    fitting = min(_fitting(tally_words, unseen_words), np.uint64(18))
    total += np.int64(weights[base + np.uint64(FITTING) + fitting * np.uint64(8) + filled])
    total += np.int64(weights[base + np.uint64(SHAPE) + filled * np.uint64(7) + min(longest, np.uint64(6))])
    return total + np.int64(
        weights[np.uint64(CARDS) + min(stock, np.uint64(18)) * np.uint64(40) + min(left, np.uint64(39))]
    )


@kernel
def _stuck(cards: NDArray[np.uint64], height: NDArray[np.uint64], playable: np.uint64) -> bool:
    fitting = _ZERO
    for column in range(np.uint64(height.shape[0])):
        fitting |= playable >> cards[column, height[column]] & _ONE
    return bool(fitting == _ZERO)


@kernel
def _find_stops(
    position: Position,
    fits: NDArray[np.uint64],
    added: NDArray[np.uint64],
    strict: bool,
    top: np.uint64,
    learnt: bool,
    scales: Scales,
    search: Search,
) -> np.uint64:
    """Find the stops that plays from `top` (a row of `fits`) lead to, with their values; returns how many there are.

    Runs are tried depth first, columns from left to right, and no tableau twice with the same top: the first way to a
    stop is the first in the order of columns. Where a draw is allowed only when nothing fits, the top decides whether
    a tableau is a stop, and it is one for each top that makes it one. A run that clears the tableau is the one stop
    found.
    """
    cards, height, tally_words = position.cards, position.height, position.tally_words
    unseen, unseen_words, left, stock = (
        position.unseen,
        position.unseen_words,
        position.left[_ZERO],
        position.left[_ONE],
    )
    weights, known, lowest, ranks = scales.weights, scales.columns, scales.lowest, scales.ranks
    stage = stage_of(stock)
    buried = scales.buried
    base = stage * np.uint64(STAGE)
    learnt = learnt and stock > _ZERO
    columns = np.uint64(height.shape[0])
    run, playable, seen, stride, touched = search.run, search.playable, search.seen, search.stride, search.touched
    plays, values, ends = search.plays, search.values, search.ends
    state = _ZERO
    for column in range(columns):
        state += stride[column] * height[column]
        if learnt:
            lowest[column] = height[column]
            _weigh_column(cards, np.uint64(column), height[column], unseen, stage, fits, weights, buried, known)
    if learnt:
        _weigh_ranks(unseen, base, ranks)
    playable[_ZERO] = fits[top]
    marks = _ZERO
    tried = _ZERO
    depth = _ZERO
    trial = _ZERO
    found = _ZERO
    fresh = True
    while True:
        if fresh and (not strict or _stuck(cards, height, playable[depth])):
            if learnt:
                value = _value(height, tally_words, unseen_words, left, stock, weights, known, ranks, base)
            elif stock == _ZERO:
                value = UNIT * np.int64(left)
            else:
                value = np.int64(left) * np.int64(stock) - 2 * np.int64(_fitting(tally_words, unseen_words))
            values[found] = value
            ends[found] = np.uint32(tried)
            found += _ONE
        fresh = False
        while trial < columns and playable[depth] >> cards[trial, height[trial]] & _ONE == _ZERO:
            trial += _ONE
        if trial < columns:
            rank = cards[trial, height[trial]]
            met = np.uint64(seen[state - stride[trial]])
            if met >> rank & _ONE:
                trial += _ONE
                continue
            state -= stride[trial]
            if met == _ZERO:
                touched[marks] = np.uint32(state)
                marks += _ONE
            fresh = strict or met == _ZERO
            seen[state] = np.uint16(met | _ONE << rank)
            _take(cards, height, tally_words, added, trial)
            left -= _ONE
            if learnt and height[trial] < lowest[trial]:
                lowest[trial] = height[trial]
                _weigh_column(cards, trial, height[trial], unseen, stage, fits, weights, buried, known)
            run[depth] = trial
            depth += _ONE
            plays[tried] = np.uint16(depth << np.uint64(8) | trial)
            tried += _ONE
            playable[depth] = fits[rank]
            trial = _ZERO
            if left == _ZERO:
                values[_ZERO] = -UNIT * np.int64(stock)
                ends[_ZERO] = np.uint32(tried)
                found = _ONE
                break
        elif depth == _ZERO:
            break
        else:
            depth -= _ONE
            trial = run[depth]
            state += stride[trial]
            _take_back(cards, height, tally_words, added, trial)
            left += _ONE
            trial += _ONE
    while depth > _ZERO:
        depth -= _ONE
        _take_back(cards, height, tally_words, added, run[depth])
    for i in range(marks):
        seen[touched[i]] = np.uint16(0)
    return found


@kernel
def _run_to(search: Search, stop: np.uint64) -> np.uint64:
    """Put the run to a stop into `search.run`; returns how many plays it has."""
    tried = np.uint64(search.ends[stop])
    length = np.uint64(search.plays[tried - _ONE]) >> np.uint64(8) if tried > _ZERO else _ZERO
    place = length
    while place > _ZERO:
        tried -= _ONE
        played = np.uint64(search.plays[tried])
        # The last play before it that is one place nearer to the start is the one it follows.
        if played >> np.uint64(8) == place:
            place -= _ONE
            search.run[place] = played & np.uint64(255)
    return length


@kernel
def _mix64(z: np.uint64) -> np.uint64:
    z ^= z >> np.uint64(30)
    z *= np.uint64(0xBF58476D1CE4E5B9)
    z ^= z >> np.uint64(27)
    z *= np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel
def _choose(values: NDArray[np.int64], found: np.uint64, slack: np.int64, random: np.uint64) -> np.uint64:
    """The place of the lowest value, the first of equals; with `slack`, of one of those that are at most that above it.

    `random` chooses, by its upper half.
    """
    best = _ZERO
    for i in range(_ONE, found):
        if values[i] < values[best]:
            best = np.uint64(i)
    if slack == 0:
        return best
    most = values[best] + slack
    choices = _ZERO
    for i in range(found):
        choices += np.uint64(values[i] <= most)
    choice = (random >> np.uint64(32)) * choices >> np.uint64(32)
    for i in range(found):
        if values[i] <= most:
            if choice == _ZERO:
                return np.uint64(i)
            choice -= _ONE
    return best


@kernel
def _lowest(values: NDArray[np.int64], found: np.uint64, stops: NDArray[np.uint64]) -> np.uint64:
    """Put the places of the lowest values into `stops`, the lowest first and the first of equals first.

    Returns how many there are: as many as `stops` has room for, if there are so many values.
    """
    count = _ZERO
    for i in range(found):
        if count == np.uint64(stops.shape[0]):
            if values[i] >= values[stops[count - _ONE]]:
                continue
            count -= _ONE
        place = count
        while place > _ZERO and values[i] < values[stops[place - _ONE]]:
            stops[place] = stops[place - _ONE]
            place -= _ONE
        stops[place] = i
        count += _ONE
    return count


@kernel
def _look_further(
    position: Position,
    fits: NDArray[np.uint64],
    added: NDArray[np.uint64],
    strict: bool,
    scales: Scales,
    search: Search,
    stops: NDArray[np.uint64],
    count: np.uint64,
    further: Search,
    totals: NDArray[np.int64],
) -> None:
    """For each of some stops the sum, over the unseen cards, of the lowest value after that card."""
    for i in range(count):
        length = _run_to(search, stops[i])
        for step in range(length):
            play(position, added, search.run[step])
        totals[i] = np.int64(0)
        for rank in range(np.uint64(14)):
            number = np.int64(position.unseen[rank])
            if number > 0:
                draw(position, added, np.uint64(rank))
                found = _find_stops(position, fits, added, strict, np.uint64(rank), True, scales, further)
                hide(position, added, np.uint64(rank))
                totals[i] += number * further.values[_choose(further.values, found, np.int64(0), _ZERO)]
        for step in range(length):
            _take_back(position.cards, position.height, position.tally_words, added, search.run[length - _ONE - step])
            position.left[_ZERO] += _ONE


@kernel
def _play_rows(
    cards: NDArray[np.uint8],
    heights: NDArray[np.uint8],
    dealt: bool,
    fits: NDArray[np.uint64],
    added: NDArray[np.uint64],
    strict: bool,
    learnt: bool,
    slack: np.int64,
    numbers: NDArray[np.uint64],
    seed: np.uint64,
    scales: Scales,
    search: Search,
    further: Search,
    stops: NDArray[np.uint64],
    totals: NDArray[np.int64],
    position: Position,
    lines: NDArray[np.uint8],
    cards_left: NDArray[np.uint8],
    stock_left: NDArray[np.uint8],
) -> None:
    """Play whole games; the actions of row i go to `lines[i]`, which wraps around where there are fewer.

    With a depth of 1 there is room in `stops` and `totals`.
    """
    stream_of_seed = _mix64(seed + _GOLDEN)
    for row in range(np.uint64(cards.shape[0])):
        line = lines[row % np.uint64(lines.shape[0])]
        action = _ZERO
        stock = set_up(position, added, cards[row], heights, dealt)
        top = np.uint64(cards[row, stock - _ONE]) >> _TWO if dealt else _OPEN
        x = _mix64(numbers[row] + stream_of_seed)
        if learnt:
            _weigh_buried(position, scales.weights, scales.buried)
        while position.left[_ZERO] > _ZERO:
            x += _GOLDEN
            found = _find_stops(position, fits, added, strict, top, learnt, scales, search)
            in_stock = np.int64(position.left[_ONE])
            allowed = slack if in_stock > 0 else np.int64(0)
            if stops.shape[0] > 0 and found > _ONE and in_stock > 0:
                count = _lowest(search.values, found, stops)
                _look_further(position, fits, added, strict, scales, search, stops, count, further, totals)
                chosen = stops[_choose(totals, count, allowed * in_stock, _mix64(x))]
            else:
                chosen = _choose(search.values, found, allowed, _mix64(x))
            for i in range(_run_to(search, chosen)):
                line[action] = np.uint8(search.run[i])
                action += _ONE
                play(position, added, search.run[i])
            if position.left[_ZERO] == _ZERO or position.left[_ONE] == _ZERO:
                break
            line[action] = np.uint8(255)
            action += _ONE
            top = np.uint64(cards[row, stock]) >> _TWO
            draw(position, added, top)
            stock += _ONE
        cards_left[row] = position.left[_ZERO]
        stock_left[row] = position.left[_ONE]


def play_rows(
    policy: str,
    cards: NDArray[np.uint8],
    heights: NDArray[np.uint8],
    dealt: bool,
    fits: NDArray[np.uint64],
    strict: bool,
    weights: NDArray[np.int32],
    depth: int = 0,
    slack: int = 0,
    numbers: NDArray[np.uint64] | None = None,
    seed: int = 0,
) -> Ends:
    """Play each position of a batch once by `policy`, one of `POLICIES`.

    `cards` is uint8[n, m], every card known: the columns, `heights` (uint8[columns]) cards each, the foundation's top
    card if `dealt`, the stock. Bit r of `fits[t]` (uint64[16]) says that rank r may be played on a top of rank t.
    `strict`: a draw is allowed only when nothing can be played. `weights` is int32[WEIGHTS], `depth` 0 or 1, `slack` 0
    or more thousandths of a stroke, for `lookahead`; the other policy reads none of them.

    A stop that clears the tableau is always taken, and with an empty stock one of fewest cards left. Of stops of equal
    value the one whose plays come first in the order of columns is taken, a stop before those that go on from it; with
    a depth of 1, of stops equal one draw later the one of the lower value now.

    With `slack`, of the c stops (in that order; with a depth of 1, of those looked at more closely) whose value is at
    most so much above the lowest, the k-th run of a game, the one before the first draw being the first, goes to number
    ((u_k >> 32) * c) >> 32, with u the SplitMix64 stream of mix64(number + mix64(seed + golden)). It needs `numbers`,
    uint64[n]; `seed` is 0 ... 2^64 - 1.

    Raises ValueError for an unknown policy, depth or slack, for weights or numbers of another number, for a batch that
    does not have the layout stated, and for a layout whose heights allow more than 2^24 tableaus.
    """
    lines = np.empty((1, cards.shape[-1]), np.uint8)
    return _play(policy, cards, heights, dealt, fits, strict, weights, depth, slack, numbers, seed, lines)


def play_lines(
    policy: str,
    cards: NDArray[np.uint8],
    heights: NDArray[np.uint8],
    dealt: bool,
    fits: NDArray[np.uint64],
    strict: bool,
    weights: NDArray[np.int32],
    depth: int = 0,
    slack: int = 0,
    numbers: NDArray[np.uint64] | None = None,
    seed: int = 0,
) -> list[NDArray[np.uint8]]:
    """Play as `play_rows` does, and return each position's actions in order: a column from 0, or `DRAW`."""
    lines = np.empty((max(len(cards), 1), cards.shape[-1]), np.uint8)
    ends = _play(policy, cards, heights, dealt, fits, strict, weights, depth, slack, numbers, seed, lines)
    actions = cards.shape[1] - int(dealt) - ends.cards_left.astype(np.int64) - ends.stock_left
    return [line[:count] for line, count in zip(lines, actions.tolist(), strict=False)]


def _play(
    policy: str,
    cards: NDArray[np.uint8],
    heights: NDArray[np.uint8],
    dealt: bool,
    fits: NDArray[np.uint64],
    strict: bool,
    weights: NDArray[np.int32],
    depth: int,
    slack: int,
    numbers: NDArray[np.uint64] | None,
    seed: int,
    lines: NDArray[np.uint8],
) -> Ends:
    if policy not in POLICIES:
        raise ValueError(f"no policy is called {policy!r}: choose from {', '.join(POLICIES)}")
    learnt = policy == "lookahead"
    if learnt and weights.shape != (WEIGHTS,):
        raise ValueError(f"lookahead needs {WEIGHTS} weights, not an array of shape {weights.shape}")
    if learnt and depth not in (0, 1):
        raise ValueError(f"lookahead cannot look {depth} draws ahead: give a depth of 0 or 1")
    if learnt and not 0 <= slack <= MOST_SLACK:
        raise ValueError(f"a slack of {slack} is out of range: give 0 to {MOST_SLACK} thousandths of a stroke")
    laid_out = int(heights.sum(dtype=np.int64)) + int(dealt)
    if cards.ndim != 2 or not laid_out <= cards.shape[1] <= 255:
        raise ValueError(
            f"a batch of shape {cards.shape} does not hold {heights.size} columns of {laid_out - int(dealt)} cards"
            f"{' and a foundation' if dealt else ''}: give rows of {laid_out} to 255 cards"
        )
    if numbers is None:
        if learnt and slack:
            raise ValueError("lookahead with slack chooses by the deals' numbers: give them")
        numbers = np.zeros(len(cards), np.uint64)
    if len(numbers) != len(cards):
        raise ValueError(f"{len(numbers)} numbers for {len(cards)} positions: give one number a position")
    tableaus = math.prod(height + 1 for height in heights.tolist())
    if tableaus > TABLE_LIMIT or heights.size >= DRAW:
        raise ValueError(
            f"columns of {heights.tolist()} cards allow {tableaus} tableaus, and {policy} keeps a table of at most "
            f"{TABLE_LIMIT}: choose another policy for this layout"
        )
    deep = learnt and depth == 1
    fits = fits & np.uint64((1 << RANKS) - 1)  # no other bit is that of a card
    ends = Ends(np.empty(len(cards), np.uint8), np.empty(len(cards), np.uint8))
    _play_rows(
        np.ascontiguousarray(cards),
        heights,
        dealt,
        fits,
        adds(fits),
        strict,
        learnt,
        np.int64(slack if learnt else 0),
        numbers,
        np.uint64(seed),
        _scales(heights, weights),
        _search(heights, tableaus),
        _search(heights, tableaus if deep else 1),
        np.empty(WIDTH if deep else 0, np.uint64),
        np.empty(WIDTH if deep else 0, np.int64),
        new_position(heights),
        lines,
        *ends,
    )
    return ends


def _search(heights: NDArray[np.uint8], tableaus: int) -> Search:
    cards = int(heights.sum(dtype=np.int64))
    # A tableau is met once with each rank on top, and on top is the last card taken from some column; but at first.
    states = tableaus * min(heights.size, RANKS) + 1
    return Search(
        stride=np.cumprod([1, *(heights.astype(np.int64) + 1)])[:-1].astype(np.uint64),
        seen=np.zeros(tableaus, np.uint16),
        touched=np.empty(tableaus, np.uint32),
        playable=np.empty(cards + 1, np.uint64),
        run=np.empty(cards, np.uint64),
        plays=np.empty(states, np.uint16),
        values=np.empty(states, np.int64),
        ends=np.empty(states, np.uint32),
    )


def _scales(heights: NDArray[np.uint8], weights: NDArray[np.int32]) -> Scales:
    deepest = int(heights.max(initial=0))
    return Scales(
        weights=np.concatenate((weights, np.zeros(_NOTHINGS, np.int32))),
        buried=np.zeros((STAGES, heights.size, deepest + 1), np.int64),
        columns=np.zeros((heights.size, deepest + 1, 8), np.uint64),
        lowest=np.zeros(heights.size, np.uint64),
        ranks=np.zeros((2, 16), np.uint64),
    )
