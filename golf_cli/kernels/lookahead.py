"""Games played by policies that weigh every position in which the next card could be drawn.

Whatever is played between two draws, the next card drawn covers the top: all that a player decides is at which
tableau to stop. So each tableau that plays from the present top lead to is looked at once and given a value from
what is visible, and the game goes on from the one of the lowest value.

- `keep-options` values a stop by the cards left, less two for the chance that the next card drawn lets one be played:
  the share of the unseen cards on which an available card fits.
- `lookahead` values it by tables of what such a position came to in the mean, learnt from its own games: see
  `describe`. With a depth of 1 it looks one draw further: the `WIDTH` lowest stops are valued by the mean, over the
  unseen cards, of the lowest value the next stop can have.

What is called for every stop takes its arrays one by one: a tuple of many arrays costs as much to pass as a stop to
weigh.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from golf_cli.kernels.compiler import kernel

DRAW = 255
POLICIES = ("keep-options", "lookahead")
UNIT = 1000
"""A stroke, in the values of `lookahead`: they are whole thousandths."""
WIDTH = 8
"""How many stops a depth of 1 looks at more closely."""
TABLE_LIMIT = 1 << 24

RANKS = 14
"""Ranks a card can have: ace 0 ... king 12, joker 13."""
STAGES = 3
"""Tables are kept apart by how many cards are left in the stock: 1 to 5, 6 to 11, 12 and more."""

KINDS = np.array([0, 2, 4, 4, 4, 4, 4, 4, 4, 4, 4, 3, 1, 4], np.uint64)
"""What kind of rank each is: 0 ace, 1 king, 2 two, 3 queen, 4 others."""

# One stage's tables, each where the one before it ends; `describe` says what they are indexed by.
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


_OPEN = np.uint64(14)
_ZERO = np.uint64(0)
_ONE = np.uint64(1)
_TWO = np.uint64(2)


class Playouts(NamedTuple):
    """The ends of n games: cards left in the columns (0: cleared) and cards left in the stock, both uint8[n]."""

    cards_left: NDArray[np.uint8]
    stock_left: NDArray[np.uint8]


class Position(NamedTuple):
    """A game in play, as far as it is visible.

    Attributes:
        cards: uint64[columns, deepest], ranks from the covered back card to the available one.
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
        run: uint64[cards], that run.
        values: int64[width], the lowest values found, ascending, the first found of equals first.
        lengths: uint64[width], how many plays lead there.
        runs: uint8[width, cards], the plays themselves.
        entries: uint64[...], the table entries that describe a stop.
    """

    stride: NDArray[np.uint64]
    seen: NDArray[np.uint16]
    touched: NDArray[np.uint32]
    playable: NDArray[np.uint64]
    run: NDArray[np.uint64]
    values: NDArray[np.int64]
    lengths: NDArray[np.uint64]
    runs: NDArray[np.uint8]
    entries: NDArray[np.uint64]


def adds(fits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """What an available card of each rank adds to `tally_words`, its first half what one adds to `unseen_words`.

    `fits` is uint64[16], as in `play_rows`; the answer uint64[14, 8].
    """
    fit = fits[:RANKS, np.newaxis] >> np.arange(RANKS, dtype=np.uint64) & _ONE
    counts = np.zeros((RANKS, 4, 16), np.uint8)
    counts[:, 0, :RANKS] = counts[:, 2, :RANKS] = np.eye(RANKS)
    counts[:, 1, :RANKS] = fit
    counts[:, 3, :RANKS] = fit.T
    words: NDArray[np.uint64] = counts.reshape(RANKS, 64).view(np.uint64)
    return words


def new_position(heights: NDArray[np.uint8]) -> Position:
    """Room for positions of the layout `heights`: uint8[columns]."""
    tally, unseen = np.zeros(8, np.uint64), np.zeros(4, np.uint64)
    return Position(
        cards=np.zeros((heights.size, max(heights.max(initial=0), 1)), np.uint64),
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
) -> np.uint64:
    """Take the available card of a column, and return its rank."""
    height[column] -= _ONE
    rank = np.uint64(cards[column, height[column]])
    for word in range(np.uint64(8)):
        tally_words[word] -= added[rank, word]
    if height[column] > _ZERO:
        below = cards[column, height[column] - _ONE]
        for word in range(np.uint64(4), np.uint64(8)):
            tally_words[word] += added[below, word]
    return rank


@kernel
def _take_back(
    cards: NDArray[np.uint64],
    height: NDArray[np.uint64],
    tally_words: NDArray[np.uint64],
    added: NDArray[np.uint64],
    column: np.uint64,
) -> None:
    if height[column] > _ZERO:
        below = cards[column, height[column] - _ONE]
        for word in range(np.uint64(4), np.uint64(8)):
            tally_words[word] -= added[below, word]
    rank = cards[column, height[column]]
    for word in range(np.uint64(8)):
        tally_words[word] += added[rank, word]
    height[column] += _ONE


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
            position.cards[column, i] = rank
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
def describe_column(
    cards: NDArray[np.uint64],
    height: np.uint64,
    stage: np.uint64,
    entries: NDArray[np.uint64],
    count: np.uint64,
) -> np.uint64:
    """Append the table entries for what lies in a column (`cards`, the lowest `height` of them), and count them.

    - `BURIED`: for each card its rank and how many cards cover it (4 and more are as one).
    - `PAIRS`: for each two cards the ranks of the covered and the covering one, and whether others lie between them.
    """
    base = stage * np.uint64(STAGE)
    for i in range(height):
        entries[count] = base + np.uint64(BURIED) + cards[i] * np.uint64(5) + min(height - _ONE - i, np.uint64(4))
        count += _ONE
        for j in range(i + _ONE, height):
            apart = np.uint64(j > i + _ONE)
            entries[count] = base + np.uint64(PAIRS) + (cards[i] * np.uint64(14) + cards[j]) * _TWO + apart
            count += _ONE
    return count


@kernel
def _fitting(tally: NDArray[np.uint8], unseen: NDArray[np.uint8]) -> np.uint64:
    """The unseen cards on which an available card fits."""
    fitting = _ZERO
    for rank in range(np.uint64(14)):
        fitting += np.uint64(unseen[rank]) if tally[np.uint64(48) + rank] > 0 else _ZERO
    return fitting


@kernel
def describe(
    cards: NDArray[np.uint64],
    height: NDArray[np.uint64],
    tally: NDArray[np.uint8],
    unseen: NDArray[np.uint8],
    left: np.uint64,
    stock: np.uint64,
    fits: NDArray[np.uint64],
    entries: NDArray[np.uint64],
) -> np.uint64:
    """Write the table entries for all else that tells of a stop, and count them; numbers are cut off where given.

    The arguments are a position's arrays, and `left` and `stock` the cards in the columns and in the stock.

    For each column, of its available card, the next one below and the one below that:

    - `AVAILABLE`: unseen cards the available card fits on (8), plays that may follow it (3: available cards that fit on
      it, and the next one if it does), cards in the column (5);
    - `NEXT`: unseen cards the available one fits on (8), and the next one (8), whether the next fits on it;
    - `SECOND`: unseen cards the next one fits on (8), plays that may follow the available one (3) and the next one (3);
    - `THIRD`: unseen cards that the next (8) and the third card (8) fit on, plays that may follow each (3, 3).

    For each rank:

    - `SUPPLY`: the kind of rank (0 ace, 1 king, 2 two, 3 queen, 4 others), cards of it left in the columns (4), cards
      in the columns (6) and unseen cards (6) that it fits on;
    - `NEIGHBOURS`: the rank, unseen cards it fits on (6), available cards of it (2), available cards that fit on it
      (3).

    For the whole: `FITTING`, unseen cards that some available card fits on (18) and columns with cards (7); `SHAPE`,
    columns with cards (7) and cards in the longest (6); `CARDS`, for all stages, cards in the stock (18) and in the
    columns (39).
    """
    base = stage_of(stock) * np.uint64(STAGE)
    count = _ZERO
    filled = _ZERO
    longest = _ZERO
    for column in range(np.uint64(height.shape[0])):
        h = height[column]
        if h == _ZERO:
            continue
        filled += _ONE
        longest = max(longest, h)
        first = cards[column, h - _ONE]
        after_first = np.uint64(tally[np.uint64(48) + first])
        for_first = min(np.uint64(unseen[np.uint64(16) + first]), np.uint64(8))
        if h > _ONE:
            second = cards[column, h - _TWO]
            after_second = np.uint64(tally[np.uint64(48) + second])
            for_second = min(np.uint64(unseen[np.uint64(16) + second]), np.uint64(8))
            runs_on = fits[first] >> second & _ONE
            after_first = min(after_first + runs_on, np.uint64(3))
            if h > _TWO:
                third = cards[column, h - np.uint64(3)]
                after_third = np.uint64(tally[np.uint64(48) + third])
                for_third = min(np.uint64(unseen[np.uint64(16) + third]), np.uint64(8))
                if h > np.uint64(3):
                    after_third += fits[third] >> cards[column, h - np.uint64(4)] & _ONE
                after_third = min(after_third, np.uint64(3))
                after_second = min(after_second + (fits[second] >> third & _ONE), np.uint64(3))
                entries[count] = (
                    base
                    + np.uint64(THIRD)
                    + (for_second * np.uint64(9) + for_third) * np.uint64(16)
                    + after_second * np.uint64(4)
                    + after_third
                )
                count += _ONE
            after_second = min(after_second, np.uint64(3))
            entries[count] = base + np.uint64(NEXT) + (for_first * np.uint64(9) + for_second) * _TWO + runs_on
            entries[count + _ONE] = (
                base + np.uint64(SECOND) + (for_second * np.uint64(4) + after_first) * np.uint64(4) + after_second
            )
            count += _TWO
        after_first = min(after_first, np.uint64(3))
        entries[count] = (
            base + np.uint64(AVAILABLE) + (for_first * np.uint64(4) + after_first) * np.uint64(6) + min(h, np.uint64(5))
        )
        count += _ONE
    for rank in range(np.uint64(14)):
        for_rank = min(np.uint64(unseen[np.uint64(16) + rank]), np.uint64(6))
        remaining = min(np.uint64(tally[rank]), np.uint64(4))
        supply = min(np.uint64(tally[np.uint64(16) + rank]), np.uint64(6))
        exposed = min(np.uint64(tally[np.uint64(32) + rank]), _TWO)
        entries[count] = (
            base
            + np.uint64(SUPPLY)
            + ((KINDS[rank] * np.uint64(5) + remaining) * np.uint64(7) + supply) * np.uint64(7)
            + for_rank
        )
        entries[count + _ONE] = (
            base
            + np.uint64(NEIGHBOURS)
            + ((rank * np.uint64(7) + for_rank) * np.uint64(3) + exposed) * np.uint64(4)
            + min(np.uint64(tally[np.uint64(48) + rank]), np.uint64(3))
        )
        count += _TWO
    filled = min(filled, np.uint64(7))
    entries[count] = base + np.uint64(FITTING) + min(_fitting(tally, unseen), np.uint64(18)) * np.uint64(8) + filled
    entries[count + _ONE] = base + np.uint64(SHAPE) + filled * np.uint64(7) + min(longest, np.uint64(6))
    entries[count + _TWO] = np.uint64(CARDS) + min(stock, np.uint64(18)) * np.uint64(40) + min(left, np.uint64(39))
    return count + np.uint64(3)


@kernel
def _weigh_columns(
    position: Position, weights: NDArray[np.int32], entries: NDArray[np.uint64], buried: NDArray[np.int64]
) -> None:
    """The sums of `describe_column` for each stage, column and height: int64[STAGES, columns, deepest + 1]."""
    for stage in range(np.uint64(STAGES)):
        for column in range(np.uint64(position.height.shape[0])):
            for height in range(position.height[column] + _ONE):
                count = describe_column(position.cards[column], np.uint64(height), np.uint64(stage), entries, _ZERO)
                total = np.int64(0)
                for i in range(count):
                    total += np.int64(weights[entries[i]])
                buried[stage, column, height] = total


@kernel
def _value(
    cards: NDArray[np.uint64],
    height: NDArray[np.uint64],
    tally: NDArray[np.uint8],
    unseen: NDArray[np.uint8],
    left: np.uint64,
    stock: np.uint64,
    fits: NDArray[np.uint64],
    learnt: bool,
    weights: NDArray[np.int32],
    buried: NDArray[np.int64],
    entries: NDArray[np.uint64],
) -> np.int64:
    """The value of a stop at this tableau: exact where the stock is empty. `buried` is that of the stage."""
    if stock == _ZERO:
        return UNIT * np.int64(left)
    if not learnt:
        return np.int64(left) * np.int64(stock) - 2 * np.int64(_fitting(tally, unseen))
    total = np.int64(0)
    for i in range(describe(cards, height, tally, unseen, left, stock, fits, entries)):
        total += np.int64(weights[entries[i]])
    for column in range(np.uint64(height.shape[0])):
        total += buried[column, height[column]]
    return total


@kernel
def _stuck(cards: NDArray[np.uint64], height: NDArray[np.uint64], playable: np.uint64) -> bool:
    for column in range(np.uint64(height.shape[0])):
        if height[column] > _ZERO and playable >> cards[column, height[column] - _ONE] & _ONE:
            return False
    return True


@kernel
def _keep(search: Search, found: np.uint64, value: np.int64, length: np.uint64) -> np.uint64:
    """Put the run being tried among the best found so far, in place of the last where there is no more room.

    Returns how many there are then.
    """
    if found == np.uint64(search.values.shape[0]):
        found -= _ONE
    place = found
    while place > _ZERO and value < search.values[place - _ONE]:
        search.values[place] = search.values[place - _ONE]
        search.lengths[place] = search.lengths[place - _ONE]
        for i in range(search.lengths[place]):
            search.runs[place, i] = search.runs[place - _ONE, i]
        place -= _ONE
    search.values[place] = value
    search.lengths[place] = length
    for i in range(length):
        search.runs[place, i] = np.uint8(search.run[i])
    return found + _ONE


@kernel
def _find_stops(
    position: Position,
    fits: NDArray[np.uint64],
    added: NDArray[np.uint64],
    strict: bool,
    top: np.uint64,
    learnt: bool,
    weights: NDArray[np.int32],
    buried: NDArray[np.int64],
    search: Search,
) -> np.uint64:
    """Find the stops of the lowest values that plays from `top` (a row of `fits`) lead to; returns how many.

    Runs are tried depth first, columns from left to right, and no tableau twice with the same top: the first way to a
    stop is the first in the order of columns. A run that clears the tableau is the one stop found.
    """
    cards, height, tally, tally_words = position.cards, position.height, position.tally, position.tally_words
    unseen, left, stock = position.unseen, position.left[_ZERO], position.left[_ONE]
    laid = buried[stage_of(stock)]
    columns = np.uint64(height.shape[0])
    run, playable, seen, stride = search.run, search.playable, search.seen, search.stride
    touched, entries, values = search.touched, search.entries, search.values
    width = np.uint64(values.shape[0])
    state = _ZERO
    for column in range(columns):
        state += stride[column] * height[column]
    playable[_ZERO] = fits[top]
    depth = _ZERO
    trial = _ZERO
    marks = _ZERO
    found = _ZERO
    fresh = True
    while True:
        if fresh and (not strict or _stuck(cards, height, playable[depth])):
            value = _value(cards, height, tally, unseen, left, stock, fits, learnt, weights, laid, entries)
            if found < width or value < values[width - _ONE]:
                found = _keep(search, found, value, depth)
        fresh = False
        while trial < columns and (
            height[trial] == _ZERO or playable[depth] >> cards[trial, height[trial] - _ONE] & _ONE == _ZERO
        ):
            trial += _ONE
        if trial < columns:
            state -= stride[trial]
            met = np.uint64(seen[state])
            rank = cards[trial, height[trial] - _ONE]
            if met >> rank & _ONE:
                state += stride[trial]
                trial += _ONE
                continue
            if met == _ZERO:
                touched[marks] = np.uint32(state)
                marks += _ONE
            fresh = strict or met == _ZERO
            seen[state] = np.uint16(met | _ONE << rank)
            _take(cards, height, tally_words, added, trial)
            left -= _ONE
            run[depth] = trial
            depth += _ONE
            playable[depth] = fits[rank]
            trial = _ZERO
            if left == _ZERO:
                found = _keep(search, _ZERO, -UNIT * np.int64(stock), depth)
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
def _look_further(
    position: Position,
    fits: NDArray[np.uint64],
    added: NDArray[np.uint64],
    strict: bool,
    weights: NDArray[np.int32],
    buried: NDArray[np.int64],
    search: Search,
    found: np.uint64,
    further: Search,
) -> np.uint64:
    """Which of the stops found is best one draw later, the first of equals."""
    best = _ZERO
    lowest = np.int64(0)
    for stop in range(found):
        for i in range(search.lengths[stop]):
            play(position, added, np.uint64(search.runs[stop, i]))
        total = np.int64(0)
        for rank in range(np.uint64(14)):
            number = np.int64(position.unseen[rank])
            if number > 0:
                draw(position, added, np.uint64(rank))
                _find_stops(position, fits, added, strict, np.uint64(rank), True, weights, buried, further)
                hide(position, added, np.uint64(rank))
                total += number * further.values[_ZERO]
        for i in range(search.lengths[stop]):
            column = np.uint64(search.runs[stop, search.lengths[stop] - _ONE - i])
            _take_back(position.cards, position.height, position.tally_words, added, column)
            position.left[_ZERO] += _ONE
        if stop == _ZERO or total < lowest:
            best = np.uint64(stop)
            lowest = total
    return best


@kernel
def _play_rows(
    cards: NDArray[np.uint8],
    heights: NDArray[np.uint8],
    dealt: bool,
    fits: NDArray[np.uint64],
    added: NDArray[np.uint64],
    strict: bool,
    learnt: bool,
    weights: NDArray[np.int32],
    buried: NDArray[np.int64],
    search: Search,
    further: Search,
    position: Position,
    lines: NDArray[np.uint8],
    cards_left: NDArray[np.uint8],
    stock_left: NDArray[np.uint8],
) -> None:
    """Play whole games; the actions of row i go to `lines[i]`, which wraps around where there are fewer."""
    deep = search.values.shape[0] > 1
    for row in range(np.uint64(cards.shape[0])):
        line = lines[row % np.uint64(lines.shape[0])]
        action = _ZERO
        stock = set_up(position, added, cards[row], heights, dealt)
        top = np.uint64(cards[row, stock - _ONE]) >> _TWO if dealt else _OPEN
        if learnt:
            _weigh_columns(position, weights, search.entries, buried)
        while position.left[_ZERO] > _ZERO:
            found = _find_stops(position, fits, added, strict, top, learnt, weights, buried, search)
            chosen = _ZERO
            if deep and found > _ONE and position.left[_ONE] > _ZERO:
                chosen = _look_further(position, fits, added, strict, weights, buried, search, found, further)
            for i in range(search.lengths[chosen]):
                line[action] = search.runs[chosen, i]
                action += _ONE
                play(position, added, np.uint64(search.runs[chosen, i]))
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
) -> Playouts:
    """Play each position of a batch once by `policy`, one of `POLICIES`.

    `cards` is uint8[n, m], every card known: the columns, `heights` (uint8[columns]) cards each, the foundation's top
    card if `dealt`, the stock. Bit r of `fits[t]` (uint64[16]) says that rank r may be played on a top of rank t.
    `strict`: a draw is allowed only when nothing can be played. `weights` is int32[WEIGHTS], and `depth` 0 or 1, for
    `lookahead`; the other policy reads neither.

    A stop that clears the tableau is always taken. Of stops of equal value the one whose plays come first in the order
    of columns is taken, a stop before those that go on from it; with a depth of 1, of stops equal one draw later the
    one of the lower value now.

    Raises ValueError for an unknown policy or depth, for weights of another number, for a batch that does not have the
    layout stated, and for a layout whose heights allow more than 2^24 tableaus.
    """
    return _play(policy, cards, heights, dealt, fits, strict, weights, depth, np.empty((1, cards.shape[-1]), np.uint8))


def play_lines(
    policy: str,
    cards: NDArray[np.uint8],
    heights: NDArray[np.uint8],
    dealt: bool,
    fits: NDArray[np.uint64],
    strict: bool,
    weights: NDArray[np.int32],
    depth: int = 0,
) -> list[NDArray[np.uint8]]:
    """Play as `play_rows` does, and return each position's actions in order: a column from 0, or `DRAW`."""
    lines = np.empty((max(len(cards), 1), cards.shape[-1]), np.uint8)
    ends = _play(policy, cards, heights, dealt, fits, strict, weights, depth, lines)
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
    lines: NDArray[np.uint8],
) -> Playouts:
    if policy not in POLICIES:
        raise ValueError(f"no policy is called {policy!r}: choose from {', '.join(POLICIES)}")
    learnt = policy == "lookahead"
    if learnt and weights.shape != (WEIGHTS,):
        raise ValueError(f"lookahead needs {WEIGHTS} weights, not an array of shape {weights.shape}")
    if learnt and depth not in (0, 1):
        raise ValueError(f"lookahead cannot look {depth} draws ahead: give a depth of 0 or 1")
    laid_out = int(heights.sum(dtype=np.int64)) + int(dealt)
    if cards.ndim != 2 or not laid_out <= cards.shape[1] <= 255:
        raise ValueError(
            f"a batch of shape {cards.shape} does not hold {heights.size} columns of {laid_out - int(dealt)} cards"
            f"{' and a foundation' if dealt else ''}: give rows of {laid_out} to 255 cards"
        )
    tableaus = math.prod(height + 1 for height in heights.tolist())
    if tableaus > TABLE_LIMIT or heights.size >= DRAW:
        raise ValueError(
            f"columns of {heights.tolist()} cards allow {tableaus} tableaus, and {policy} keeps a table of at most "
            f"{TABLE_LIMIT}: choose another policy for this layout"
        )
    deep = learnt and depth == 1
    buried = np.zeros((STAGES, heights.size, int(heights.max(initial=0)) + 1), np.int64)
    ends = Playouts(np.empty(len(cards), np.uint8), np.empty(len(cards), np.uint8))
    _play_rows(
        np.ascontiguousarray(cards),
        heights,
        dealt,
        fits,
        adds(fits),
        strict,
        learnt,
        weights,
        buried,
        _search(heights, tableaus, WIDTH if deep else 1),
        _search(heights, tableaus if deep else 1, 1),
        new_position(heights),
        lines,
        *ends,
    )
    return ends


def _search(heights: NDArray[np.uint8], tableaus: int, width: int) -> Search:
    cards, deepest = int(heights.sum(dtype=np.int64)), int(heights.max(initial=0))
    described = max(4 * heights.size + 2 * RANKS + 3, deepest * (deepest + 1) // 2)
    return Search(
        stride=np.cumprod([1, *(heights.astype(np.int64) + 1)])[:-1].astype(np.uint64),
        seen=np.zeros(tableaus, np.uint16),
        touched=np.empty(tableaus, np.uint32),
        playable=np.empty(cards + 1, np.uint64),
        run=np.empty(cards, np.uint64),
        values=np.empty(width, np.int64),
        lengths=np.empty(width, np.uint64),
        runs=np.empty((width, cards), np.uint8),
        entries=np.empty(described, np.uint64),
    )
