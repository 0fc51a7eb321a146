"""Games played by a player who knows which cards are unseen and not in which order, and who looks ahead to the end.

All that a draw carries over is the height vector from which it is made. So what a player decides between two draws is
where to stop: at which of the vectors that the top allows to reach. The value of stopping at a vector with q cards in
the stock is worked out for all vectors and all q at once, backwards, in a model in which every draw is one of the
unseen cards, each as likely, whatever was drawn before:

    value(v, 0) = what v is worth at the end
    value(v, q) = mean over unseen cards c of the best value(w, q - 1) over the vectors w reached from v with top c

Marginally that is right for each draw; what it leaves out is that a card which was drawn is drawn no more. Nothing is
solved as if the order were known, so the values are not those of somebody who sees the stock.

What is left out is put right where the player decides: before each draw where there is a choice of stops, the values
are worked out anew with the cards that are unseen then, and the stops of most value are compared by games that are
played on from each of them, drawing the unseen cards in the same random orders without replacement, and stopping where
the values say.

Towards the end there is room for a value of each vector with each of the stocks that may be left of the unseen cards.
Then nothing is left out:

    value(v, nothing) = what v is worth at the end
    value(v, s) = mean over the cards c of s of the best value(w, s without c) over the vectors w reached from v with c

and no game is needed to tell which stop is best, from there to the end.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from golf_cli.kernels.compiler import kernel
from golf_cli.kernels.ends import Ends
from golf_cli.kernels.lanes import (
    LANES,
    add_below,
    add_weighed,
    climb,
    each32,
    exceeds,
    higher,
    last,
    lowest_bit,
    put,
    take,
    whole,
    whole_before,
    zero16,
)

DRAW = 255
CLEAR = 0
STROKES = 1
MOST_VALUES = 1 << 28
"""Values kept for a tableau at most, two bytes each: a layout that has more is refused."""
MOST_STOCKS = 1 << 17
"""Stocks at most that may be left of the unseen cards where no card is drawn twice; each takes 500 bytes of its own.

Of 19 cards, the most that a numbered deal has in the stock, 124,416 may be left.
"""

_ZERO = np.uint64(0)
_ONE = np.uint64(1)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_OPEN = np.uint64(14)
_TOPS = np.uint64(16)
_BLOCK = np.uint64(LANES)
_WORTH_OF_CLEARING = 60_000
_WORTH_OF_ALL = 65_000
_TWO_32 = np.uint64(1 << 32)
_HALF = np.uint64(1 << 31)
_STOPPED = np.uint64(15)
_MOST_STOCKS = np.uint64(MOST_STOCKS)


class Rules(NamedTuple):
    """What may be done: bit r of `fits[t]` (uint64[16]) says that rank r may be played on a top of rank t.

    With `strict`, a draw is allowed only where nothing fits.
    """

    fits: NDArray[np.uint64]
    strict: bool


class Scale(NamedTuple):
    """What games come to.

    ends: uint16[tableau + 1], by cards left in the columns.
    clears: uint16[...], of a cleared tableau, by cards left in the stock.
    lanes: one more than the cards in the stock at first, which is how many values are kept for a vector.
    """

    ends: NDArray[np.uint16]
    clears: NDArray[np.uint16]
    lanes: np.uint64


class Work(NamedTuple):
    """What games write to; two threads need one each.

    stopping: uint16[vectors * lanes], the value of stopping at a vector with 0 ... lanes - 1 cards in the stock.
    playing: uint16[columns * vectors * wide], the value of playing on from a vector, the top being the card that was
        last played from a column, with 0 ... wide - 1 cards in the stock, wide being a multiple of `LANES`.
    seen: uint16[vectors], the tops met at a vector in one search; all zero before a search.
    found, stops, vectors, tops: uint64[...], lists and the stack of such a search.
    """

    stopping: NDArray[np.uint16]
    playing: NDArray[np.uint16]
    seen: NDArray[np.uint16]
    found: NDArray[np.uint64]
    stops: NDArray[np.uint64]
    vectors: NDArray[np.uint64]
    tops: NDArray[np.uint64]


class Tableau(NamedTuple):
    """The columns whose vectors have values now.

    ranks: uint64[columns, deepest], from the covered back card on.
    heights: uint64[columns], cards in each column when the values were worked out.
    strides: uint64[columns], what a card of a column counts in the number of a vector.
    """

    ranks: NDArray[np.uint64]
    heights: NDArray[np.uint64]
    strides: NDArray[np.uint64]


class Stocks(NamedTuple):
    """What may be left of the unseen cards, each a number in mixed radix by how many of each rank.

    ranks: uint64[kinds], the ranks of unseen cards, the lowest digit's first.
    steps: uint64[16], what a card of a rank counts in the number.
    counts: uint64[stocks, kinds], how many of each rank are left.
    sizes: uint64[stocks], how many cards are left.
    """

    ranks: NDArray[np.uint64]
    steps: NDArray[np.uint64]
    counts: NDArray[np.uint64]
    sizes: NDArray[np.uint64]


def play_rows(
    objective: int,
    cards: NDArray[np.uint8],
    heights: NDArray[np.uint8],
    dealt: bool,
    fits: NDArray[np.uint64],
    strict: bool,
    numbers: NDArray[np.uint64],
    seed: int = 0,
    candidates: int = 16,
    samples: int = 50,
) -> Ends:
    """Play each position of a batch once.

    `cards` is uint8[n, m], every card known: the columns, `heights` (uint8[columns]) cards each, the foundation's top
    card if `dealt`, the stock. Bit r of `fits[t]` (uint64[16]) says that rank r may be played on a top of rank t;
    `strict`, that a draw is allowed only where nothing fits. The stock's order has no part in a choice before it is
    drawn.

    `objective` is `STROKES` (few strokes in the mean) or `CLEAR` (to clear as often as can be). For `CLEAR` a cleared
    tableau counts 60,000 and 1 for each card left in the stock, any other end 1 for each card played. What is played
    for is the mean.

    `candidates` stops of most value are compared in `samples` games each, the better half of them in twice as many
    more, and so on; the orders are those of the SplitMix64 stream of mix64(number + mix64(seed + golden)). With one
    candidate no game is played.

    Raises ValueError for a batch that does not have the layout stated, or a layout with too many values.
    """
    return _play(objective, cards, heights, dealt, fits, strict, numbers, seed, candidates, samples)[0]


def play_line(
    objective: int,
    cards: NDArray[np.uint8],
    heights: NDArray[np.uint8],
    dealt: bool,
    fits: NDArray[np.uint64],
    strict: bool,
    number: int = 0,
    seed: int = 0,
    candidates: int = 16,
    samples: int = 50,
) -> NDArray[np.uint8]:
    """Play one position (`cards`: uint8[m]) and return its actions in order: a column from 0, or `DRAW`.

    The game is the one `play_rows` plays for the same position, number and seed; the same errors are raised.
    """
    row = cards.reshape(1, -1)
    numbers = np.array([number], np.uint64)
    _, line, length = _play(objective, row, heights, dealt, fits, strict, numbers, seed, candidates, samples)
    return line[:length]


def _play(
    objective: int,
    cards: NDArray[np.uint8],
    heights: NDArray[np.uint8],
    dealt: bool,
    fits: NDArray[np.uint64],
    strict: bool,
    numbers: NDArray[np.uint64],
    seed: int,
    candidates: int,
    samples: int,
) -> tuple[Ends, NDArray[np.uint8], int]:
    if len(numbers) != len(cards) or not (1 <= candidates <= 64 and 0 <= samples <= 1 << 20):
        raise ValueError(
            f"{len(numbers)} numbers, {candidates} candidates, {samples} games: give one number a position"
        )
    work, scale = _prepared(objective, cards, heights, dealt)
    line = np.empty(cards.shape[1], np.uint8)
    tableau = Tableau(
        ranks=np.zeros((heights.size, int(heights.max(initial=0))), np.uint64),
        heights=np.zeros(heights.size, np.uint64),
        strides=np.zeros(heights.size, np.uint64),
    )
    choice = np.uint64(seed), np.uint64(candidates), np.uint64(samples)
    cards_left, stock_left, length = _play_games(
        cards, heights, dealt, numbers, *choice, tableau, Rules(fits, strict), scale, work, line
    )
    return Ends(cards_left, stock_left), line, int(length)


def _prepared(
    objective: int, cards: NDArray[np.uint8], heights: NDArray[np.uint8], dealt: bool, drawn: int = 0
) -> tuple[Work, Scale]:
    """Room to play a batch in, and what its games come to, in which cards may have been drawn before."""
    tableau = int(heights.sum(dtype=np.int64))
    laid_out = tableau + int(dealt)
    if cards.ndim != 2 or not laid_out <= cards.shape[1] <= 255:
        raise ValueError(f"a batch of shape {cards.shape} does not hold {laid_out} cards and a stock")
    stock = cards.shape[1] - laid_out
    lanes = stock + 1
    wide = max(1, -(-stock // LANES)) * LANES
    vectors = int(np.prod(heights.astype(np.float64) + 1))
    if vectors * wide * (heights.size + 1) > MOST_VALUES:
        raise ValueError(f"columns of {heights.tolist()} cards have too many values to keep: choose another policy")
    work = Work(
        stopping=np.empty(vectors * max(lanes, wide) + wide, np.uint16),
        playing=np.empty(vectors * wide * heights.size, np.uint16),
        seen=np.zeros(vectors, np.uint16),
        found=np.empty(vectors, np.uint64),
        stops=np.empty(vectors, np.uint64),
        vectors=np.empty(16 * (tableau + 1) * (heights.size + 1), np.uint64),
        tops=np.empty(16 * (tableau + 1) * (heights.size + 1), np.uint64),
    )
    ends, clears = np.zeros(tableau + 1, np.uint16), np.zeros(wide + 1, np.uint16)
    if objective == STROKES:
        unit = _WORTH_OF_ALL // max(1, tableau + stock + drawn)
        ends[:] = unit * np.arange(tableau, -1, -1)
        clears[: stock + 1] = unit * (tableau + np.arange(stock + 1))
    else:
        ends[:] = np.arange(tableau, -1, -1)
        clears[:] = _WORTH_OF_CLEARING + np.arange(wide + 1)
    return work, Scale(ends, clears, np.uint64(lanes))


def values(
    objective: int,
    cards: NDArray[np.uint8],
    heights: NDArray[np.uint8],
    dealt: bool,
    fits: NDArray[np.uint64],
    strict: bool,
    drawn: int = 0,
) -> NDArray[np.uint16]:
    """What stopping is worth in one position (`cards`: uint8[m]), by the cards that are unseen in it.

    Returns uint16[vectors, stock + 1], by vector (its heights as a number in mixed radix, the first column's the lowest
    digit) and stock cards left. Of `STROKES` it is 65000 // (tableau + stock + drawn) for each stroke less than the
    whole tableau, `drawn` being the stock cards drawn before; of `CLEAR` 60000 for a cleared tableau and 1 for each
    stock card left, and without 1 for each card played.
    """
    outlook = look_ahead(objective, cards, heights, dealt, fits, strict, drawn)
    vectors, lanes = int(np.prod(heights.astype(np.int64) + 1)), int(outlook.scale.lanes)
    return outlook.work.stopping[: vectors * lanes].reshape(-1, lanes)


def exact_values(
    objective: int,
    cards: NDArray[np.uint8],
    heights: NDArray[np.uint8],
    dealt: bool,
    fits: NDArray[np.uint64],
    strict: bool,
    drawn: int = 0,
) -> NDArray[np.uint16]:
    """What stopping is worth in one position to somebody who never draws a card twice: `values` by what may be left.

    Returns uint16[vectors, stocks], by vector and by stock: how many cards of each unseen rank are left, as a number in
    mixed radix, the lowest rank's the lowest digit. The same errors are raised.
    """
    work, scale = _prepared(objective, cards.reshape(1, -1), heights, dealt, drawn)
    tableau, unseen = _laid_out(cards, heights, dealt)
    vectors = int(np.prod(heights.astype(np.int64) + 1))
    stocks = math.prod((unseen + _ONE).tolist())
    wide = -(-stocks // LANES) * LANES
    if wide > MOST_STOCKS or vectors * wide * (heights.size + 1) > MOST_VALUES:
        raise ValueError(f"{stocks} stocks and columns of {heights.tolist()} cards have too many values to keep")
    stopping, playing = np.zeros(vectors * wide, np.uint16), np.zeros(vectors * wide * heights.size, np.uint16)
    work = work._replace(stopping=stopping, playing=playing)
    _worth_exactly(tableau, _stocks(unseen), Rules(fits, strict), scale, work)
    return stopping.reshape(-1, wide)[:, :stocks]


def _laid_out(cards: NDArray[np.uint8], heights: NDArray[np.uint8], dealt: bool) -> tuple[Tableau, NDArray[np.uint64]]:
    """The columns of one position, and how many unseen cards there are of each rank (uint64[16])."""
    ranks = np.zeros((heights.size, max(1, int(heights.max(initial=0)))), np.uint64)
    at = 0
    for column, height in enumerate(heights.tolist()):
        ranks[column, :height] = cards[at : at + height] >> 2
        at += height
    strides = np.cumprod(np.concatenate(([1], heights.astype(np.int64) + 1)))[:-1].astype(np.uint64)
    unseen = np.bincount(cards[at + int(dealt) :] >> 2, minlength=16).astype(np.uint64)
    return Tableau(ranks, heights.astype(np.uint64), strides), unseen


@kernel
def _mix64(z: np.uint64) -> np.uint64:
    z ^= z >> np.uint64(30)
    z *= np.uint64(0xBF58476D1CE4E5B9)
    z ^= z >> np.uint64(27)
    z *= np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel
def _turn(column: np.uint64, rank: np.uint64, fits: NDArray[np.uint64], fitting: NDArray[np.uint64]) -> None:
    """A card of a column becomes available, or no longer is: `fitting` has for each top the columns that fit it."""
    for top in range(_OPEN):
        fitting[top] ^= (fits[top] >> rank & _ONE) << column


@kernel
def _next(tableau: Tableau, height: NDArray[np.uint64], fits: NDArray[np.uint64], fitting: NDArray[np.uint64]) -> None:
    """Go on to the vector of the next number, from its heights and, for each top, the columns that fit it."""
    for c in range(len(height)):
        column = np.uint64(c)
        h = height[column]
        if h:
            _turn(column, tableau.ranks[column, h - _ONE], fits, fitting)
        if h < tableau.heights[column]:
            height[column] = h + _ONE
            _turn(column, tableau.ranks[column, h], fits, fitting)
            break
        height[column] = _ZERO


@kernel
def _worth(
    tableau: Tableau,
    unseen: NDArray[np.uint64],
    rules: Rules,
    scale: Scale,
    work: Work,
) -> None:
    """Fill the values of all vectors of a tableau, `unseen` (uint64[16]) the unseen cards of each rank.

    A vector's number grows with each of its heights, so that what can be reached from it comes before it. `best` has,
    for each top that something fits, the best value of a play on it, by the number of stock cards.

    What stopping is worth with q cards follows from what it is worth with q - 1: each unseen card adds the more of that
    and of its best play. Where it is known for which cards that is the play, this is a linear recurrence, and all q are
    worked out at once. It is found out by trying: at first every play is thought to be the better. That gives values
    that are too low, if anything; where they are more than a play, it is not the better; and so on until none is.
    """
    ranks, heights, strides = tableau.ranks, tableau.heights, tableau.strides
    stopping, playing = work.stopping, work.playing
    fits, strict = rules.fits, rules.strict
    ends, clears = scale.ends, scale.clears
    columns = np.uint64(len(heights))
    weight = unseen.astype(np.uint32)
    total = np.uint32(0)
    for rank in range(_TOPS):
        total += weight[rank]
    phases = np.uint64(total)
    wide = (phases + _BLOCK - _ONE) // _BLOCK * _BLOCK
    share = np.float32(1.0) / np.float32(max(total, np.uint32(1)))
    vectors = _ONE
    for c in range(columns):
        vectors *= heights[c] + _ONE
    after = np.zeros(columns, np.uint64)
    for c in range(columns):
        after[c] = (c * vectors - strides[c]) * wide
        for q in range(wide):
            playing[c * vectors * wide + q] = clears[q]
    for q in range(phases + _ONE):
        stopping[q] = clears[q]
    height = np.zeros(columns, np.uint64)
    fitting = np.zeros(_TOPS, np.uint64)
    best = np.zeros(_TOPS * _BLOCK, np.uint16)
    drawn = np.zeros(_TOPS, np.uint64)

    for vector in range(_ONE, vectors):
        _next(tableau, height, fits, fitting)
        left = _ZERO
        for column in range(columns):
            left += height[column]
        at = vector * scale.lanes
        stopping[at] = ends[left]
        stop = np.float32(ends[left])
        for block in range(_ZERO, wide, _BLOCK):
            place = vector * wide + block
            here = zero16()
            sums = each32(np.uint32(0))
            kinds = _ZERO
            rest = total
            for top in range(np.uint64(14)):
                played = fitting[top]
                if played:
                    row = take(playing, after[lowest_bit(played)] + place)
                    played &= played - _ONE
                    while played:
                        row = higher(row, take(playing, after[lowest_bit(played)] + place))
                        played &= played - _ONE
                    put(best, top * _BLOCK, row)
                    if weight[top]:
                        drawn[kinds] = top
                        kinds += _ONE
                        rest -= weight[top]
                        sums = add_weighed(sums, row, here, weight[top])
            worth = climb(each32(rest), sums, share, stop)
            here = whole_before(worth, stop)
            lower = not strict
            while lower:
                lower = False
                sums = each32(np.uint32(0))
                slopes = each32(rest)
                for i in range(kinds):
                    row = take(best, drawn[i] * _BLOCK)
                    lower |= exceeds(here, row)
                    slopes = add_below(slopes, row, here, weight[drawn[i]])
                    sums = add_weighed(sums, row, here, weight[drawn[i]])
                if lower:
                    worth = climb(slopes, sums, share, stop)
                    more = whole_before(worth, stop)
                    lower = exceeds(more, here)
                    here = higher(more, here)
            put(stopping, at + block + _ONE, whole(worth))
            for column in range(columns):
                if height[column] < heights[column]:
                    top = ranks[column, height[column]]
                    row = here
                    if fitting[top]:
                        row = take(best, top * _BLOCK)
                        if not strict:
                            row = higher(row, here)
                    put(playing, column * vectors * wide + place, row)
            stop = last(worth)


@kernel
def _wide(unseen: NDArray[np.uint64]) -> np.uint64:
    """How many lanes there are for all that may be left of the unseen cards; 2^32 where they are more."""
    stocks = _ONE
    for rank in range(_TOPS):
        stocks = min(stocks * (unseen[rank] + _ONE), _TWO_32)
    return np.uint64((stocks + _BLOCK - _ONE) // _BLOCK * _BLOCK)


@kernel
def _stocks(unseen: NDArray[np.uint64]) -> Stocks:
    """What may be left in the stock of the unseen cards (uint64[16], by rank)."""
    many = _ONE
    ranks = np.zeros(_TOPS, np.uint64)
    steps = np.zeros(_TOPS, np.uint64)
    kinds = _ZERO
    for rank in range(_TOPS):
        if unseen[rank]:
            ranks[kinds] = rank
            steps[rank] = many
            many *= unseen[rank] + _ONE
            kinds += _ONE
    counts = np.empty((many, kinds), np.uint64)
    sizes = np.zeros(many, np.uint64)
    for stock in range(many):
        for kind in range(kinds):
            rank = ranks[kind]
            counts[stock, kind] = stock // steps[rank] % (unseen[rank] + _ONE)
            sizes[stock] += counts[stock, kind]
    return Stocks(ranks[:kinds], steps, counts, sizes)


@kernel
def _number(stocks: Stocks, unseen: NDArray[np.uint64]) -> np.uint64:
    """Which of the stocks consists of so many cards of each rank (uint64[16])."""
    number = _ZERO
    for rank in range(_TOPS):
        number += unseen[rank] * stocks.steps[rank]
    return number


@kernel
def _worth_exactly(
    tableau: Tableau,
    stocks: Stocks,
    rules: Rules,
    scale: Scale,
    work: Work,
) -> None:
    """Fill the values of all vectors of a tableau and all that may be left in the stock.

    Like `_worth`, with a lane for each of `stocks` in the place of the number of stock cards, and a card that was drawn
    is drawn no more.
    """
    ranks, heights, strides = tableau.ranks, tableau.heights, tableau.strides
    stopping, playing = work.stopping, work.playing
    fits, strict = rules.fits, rules.strict
    ends, clears = scale.ends, scale.clears
    columns = np.uint64(len(heights))
    lanes = np.uint64(len(stocks.sizes))
    wide = (lanes + _BLOCK - _ONE) // _BLOCK * _BLOCK
    kinds = np.uint64(len(stocks.ranks))
    # The draws from each stock, one after another: the top's row in `best`, the stock that is left, and how many ways.
    begin = np.zeros(lanes + _ONE, np.uint64)
    rows = np.empty(lanes * kinds, np.uint64)
    rests = np.empty(lanes * kinds, np.uint64)
    times = np.empty(lanes * kinds, np.uint64)
    share = np.zeros(lanes, np.uint64)
    draws = _ZERO
    for lane in range(lanes):
        for kind in range(kinds):
            if stocks.counts[lane, kind]:
                rows[draws] = stocks.ranks[kind] * wide
                rests[draws] = lane - stocks.steps[stocks.ranks[kind]]
                times[draws] = stocks.counts[lane, kind]
                draws += _ONE
        begin[lane + _ONE] = draws
        share[lane] = (_TWO_32 - _ONE) // max(_ONE, stocks.sizes[lane]) + _ONE
    vectors = _ONE
    for column in range(columns):
        vectors *= heights[column] + _ONE
    after = np.zeros(columns, np.uint64)
    for column in range(columns):
        after[column] = (column * vectors - strides[column]) * wide
    for lane in range(lanes):
        stopping[lane] = clears[stocks.sizes[lane]]
        for column in range(columns):
            playing[column * vectors * wide + lane] = stopping[lane]
    height = np.zeros(columns, np.uint64)
    fitting = np.zeros(_TOPS, np.uint64)
    best = np.zeros(_TOPS * wide, np.uint16)

    for vector in range(_ONE, vectors):
        _next(tableau, height, fits, fitting)
        left = _ZERO
        for column in range(columns):
            left += height[column]
        # No play is worth 0: that is a top that nothing fits.
        for top in range(_OPEN):
            for block in range(_ZERO, wide, _BLOCK):
                played = fitting[top]
                row = zero16()
                while played:
                    row = higher(row, take(playing, after[lowest_bit(played)] + vector * wide + block))
                    played &= played - _ONE
                put(best, top * wide + block, row)
        at = vector * wide
        stopping[at] = ends[left]
        for lane in range(_ONE, lanes):
            worth = _ZERO
            for draw in range(begin[lane], begin[lane + _ONE]):
                stop = np.uint64(stopping[at + rests[draw]])
                play = np.uint64(best[rows[draw] + rests[draw]])
                worth += times[draw] * (play if play > stop or (strict and play) else stop)
            stopping[at + lane] = np.uint16((worth * share[lane] + _HALF) >> np.uint64(32))
        for column in range(columns):
            if height[column] < heights[column]:
                top = ranks[column, height[column]]
                for block in range(_ZERO, wide, _BLOCK):
                    row = take(stopping, at + block)
                    if fitting[top]:
                        play_on = take(best, top * wide + block)
                        row = play_on if strict else higher(row, play_on)
                    put(playing, column * vectors * wide + vector * wide + block, row)


@kernel
def _search(
    tableau: Tableau, start: np.uint64, top: np.uint64, rules: Rules, work: Work
) -> tuple[np.uint64, np.uint64]:
    """List in `work.stops` the vectors at which the next draw may be made, and in `work.found` all that are met.

    Returns how many they are of each; 0 stops where the tableau can be cleared, which ends the search. `work.seen` is
    left with the tops met at each vector.
    """
    ranks, heights, strides = tableau.ranks, tableau.heights, tableau.strides
    fits, strict = rules.fits, rules.strict
    seen, found, stops = work.seen, work.found, work.stops
    count = _ZERO
    met = _ZERO
    cleared = False
    work.vectors[_ZERO] = start
    work.tops[_ZERO] = top
    depth = _ONE
    while depth > _ZERO and not cleared:
        depth -= _ONE
        vector = work.vectors[depth]
        top = work.tops[depth]
        if np.uint64(seen[vector]) >> top & _ONE:
            continue
        if seen[vector] == 0:
            found[met] = vector
            met += _ONE
        seen[vector] |= np.uint16(_ONE << top)
        cleared = vector == _ZERO
        stuck = True
        for column in range(np.uint64(len(heights))):
            h = vector // strides[column] % (heights[column] + _ONE)
            if h == _ZERO:
                continue
            rank = ranks[column, h - _ONE]
            if fits[top] >> rank & _ONE:
                stuck = False
                work.vectors[depth] = vector - strides[column]
                work.tops[depth] = rank
                depth += _ONE
        if (stuck or not strict) and not np.uint64(seen[vector]) >> _STOPPED & _ONE:
            seen[vector] |= np.uint16(_ONE << _STOPPED)
            stops[count] = vector
            count += _ONE
    return _ZERO if cleared else count, met


@kernel
def _forget(met: np.uint64, work: Work) -> None:
    for i in range(met):
        work.seen[work.found[i]] = 0


@kernel
def _find_stops(tableau: Tableau, start: np.uint64, top: np.uint64, rules: Rules, work: Work) -> np.uint64:
    """List in `work.stops` the vectors at which the next draw may be made.

    Returns how many they are; 0 where the tableau can be cleared.
    """
    count, met = _search(tableau, start, top, rules, work)
    _forget(met, work)
    return np.uint64(count)


@kernel
def _follow(
    tableau: Tableau,
    start: np.uint64,
    top: np.uint64,
    target: np.uint64,
    rules: Rules,
    work: Work,
    line: NDArray[np.uint8],
    actions: np.uint64,
) -> np.uint64:
    """Write to `line` plays that lead from one vector to a stop, or to 0, and return how many actions it has then.

    They are found from the last to the first, among what a search has met: all of that was reached from the start.
    """
    ranks, heights, strides = tableau.ranks, tableau.heights, tableau.strides
    fits, strict = rules.fits, rules.strict
    columns = np.uint64(len(heights))
    _, met = _search(tableau, start, top, rules, work)
    available = _ZERO
    plays = _ZERO
    for column in range(columns):
        h = target // strides[column] % (heights[column] + _ONE)
        plays += start // strides[column] % (heights[column] + _ONE) - h
        if h > _ZERO:
            available |= _ONE << ranks[column, h - _ONE]
    reached = _ZERO
    while not np.uint64(work.seen[target]) >> reached & _ONE or (strict and fits[reached] & available):
        reached += _ONE
    vector = target
    for play in range(plays):
        for column in range(columns):
            h = vector // strides[column] % (heights[column] + _ONE)
            if h == heights[column] or ranks[column, h] != reached:
                continue
            tops = _ZERO
            for before in range(_OPEN + _ONE):
                if fits[before] >> reached & _ONE:
                    tops |= np.uint64(work.seen[vector + strides[column]]) & _ONE << before
            if tops:
                vector += strides[column]
                reached = lowest_bit(tops)
                line[actions + plays - _ONE - play] = np.uint8(column)
                break
    _forget(met, work)
    return actions + plays


@kernel
def _best(count: np.uint64, first: np.uint64, q: np.uint64, lanes: np.uint64, work: Work) -> np.uint64:
    """Which of the stops from `first` on is worth most; of equals the one with the smallest number."""
    best = first
    for i in range(first + _ONE, count):
        new, old = work.stopping[work.stops[i] * lanes + q], work.stopping[work.stops[best] * lanes + q]
        if new > old or (new == old and work.stops[i] < work.stops[best]):
            best = np.uint64(i)
    return best


@kernel
def _play_on(
    tableau: Tableau, vector: np.uint64, order: NDArray[np.uint64], rules: Rules, scale: Scale, work: Work
) -> np.uint64:
    """What a game comes to that stops at a vector, draws the ranks of `order`, and stops where the values say."""
    left = np.uint64(len(order))
    for place in range(np.uint64(len(order))):
        count = _find_stops(tableau, vector, order[place], rules, work)
        left -= _ONE
        if count == _ZERO:
            return np.uint64(scale.clears[left])
        vector = work.stops[_best(count, _ZERO, left, scale.lanes, work)]
    return np.uint64(work.stopping[vector * scale.lanes])


@kernel
def _shuffle(unseen: NDArray[np.uint64], stream: NDArray[np.uint64], order: NDArray[np.uint64]) -> None:
    """Lay the unseen cards in the stream's next order."""
    cards = _ZERO
    for rank in range(_TOPS):
        for _ in range(unseen[rank]):
            order[cards] = rank
            cards += _ONE
    while cards > _ONE:
        stream[0] += _GOLDEN
        other = (_mix64(stream[0]) >> np.uint64(32)) * cards >> np.uint64(32)
        cards -= _ONE
        order[cards], order[other] = order[other], order[cards]


@kernel
def _choose(
    tableau: Tableau,
    count: np.uint64,
    unseen: NDArray[np.uint64],
    stream: NDArray[np.uint64],
    candidates: np.uint64,
    samples: np.uint64,
    rules: Rules,
    scale: Scale,
    work: Work,
) -> np.uint64:
    """The best of the first `count` stops, by what games come to that are played on from those of most value.

    `samples` games are played for each candidate; then twice as many for the better half of them, and so on until one
    is left. All candidates play the same orders.
    """
    order = np.empty(unseen.sum(), np.uint64)
    many = min(candidates, count)
    chosen = np.empty(many, np.uint64)
    worth = np.zeros(many, np.uint64)
    for i in range(many):
        best = _best(count, np.uint64(i), np.uint64(len(order)), scale.lanes, work)
        work.stops[i], work.stops[best] = work.stops[best], work.stops[i]
        chosen[i] = work.stops[i]
    games = samples
    while many > _ONE and games > _ZERO:
        for _ in range(games):
            _shuffle(unseen, stream, order)
            for i in range(many):
                worth[i] += _play_on(tableau, chosen[i], order, rules, scale, work)
        half = (many + _ONE) // np.uint64(2)
        for i in range(half):
            best = np.uint64(i)
            for j in range(i + _ONE, many):
                if worth[j] > worth[best]:
                    best = np.uint64(j)
            chosen[i], chosen[best] = chosen[best], chosen[i]
            worth[i], worth[best] = worth[best], worth[i]
        many = half
        games *= np.uint64(2)
    return np.uint64(chosen[_ZERO])


@kernel
def _lay_out(
    cards: NDArray[np.uint8],
    heights: NDArray[np.uint8],
    dealt: bool,
    tableau: Tableau,
    now: NDArray[np.uint64],
    unseen: NDArray[np.uint64],
) -> tuple[np.uint64, np.uint64]:
    """Set the ranks of a tableau, the heights `now` and the unseen cards of each rank to those of a row.

    Returns the top, and the place of the first stock card.
    """
    at = _ZERO
    for column in range(np.uint64(len(heights))):
        now[column] = np.uint64(heights[column])
        for h in range(now[column]):
            tableau.ranks[column, h] = np.uint64(cards[at]) >> np.uint64(2)
            at += _ONE
    top = _OPEN
    if dealt:
        top = np.uint64(cards[at]) >> np.uint64(2)
        at += _ONE
    unseen[:] = _ZERO
    for place in range(at, np.uint64(len(cards))):
        unseen[np.uint64(cards[place]) >> np.uint64(2)] += _ONE
    return top, at


@kernel
def _cut_down(tableau: Tableau, now: NDArray[np.uint64]) -> np.uint64:
    """Leave only what can be reached from the heights `now`; returns how many vectors that is."""
    vectors = _ONE
    for column in range(np.uint64(len(now))):
        tableau.heights[column] = now[column]
        tableau.strides[column] = vectors
        vectors *= now[column] + _ONE
    return vectors


@kernel
def _play_games(
    cards: NDArray[np.uint8],
    heights: NDArray[np.uint8],
    dealt: bool,
    numbers: NDArray[np.uint64],
    seed: np.uint64,
    candidates: np.uint64,
    samples: np.uint64,
    tableau: Tableau,
    rules: Rules,
    scale: Scale,
    work: Work,
    line: NDArray[np.uint8],
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], np.uint64]:
    """Play all rows; `line` is left with the actions of the last row's game, and their number is returned."""
    columns = np.uint64(len(heights))
    cards_left = np.zeros(len(cards), np.uint8)
    stock_left = np.zeros(len(cards), np.uint8)
    now = np.empty(columns, np.uint64)
    unseen = np.zeros(_TOPS, np.uint64)
    stocks = _stocks(unseen)
    vectors = _ONE
    wide = _BLOCK
    room = np.uint64(len(work.playing)) // max(_ONE, columns)
    stream = np.zeros(1, np.uint64)
    stream_of_seed = _mix64(seed + _GOLDEN)
    actions = _ZERO

    for row in range(np.uint64(len(cards))):
        top, at = _lay_out(cards[row], heights, dealt, tableau, now, unseen)
        stream[0] = _mix64(numbers[row] + stream_of_seed)
        exact = False
        actions = _ZERO
        left = _ZERO
        for place in range(at, np.uint64(cards.shape[1]) + _ONE):
            if not exact:
                vectors = _cut_down(tableau, now)
            start = _ZERO
            for column in range(columns):
                start += now[column] * tableau.strides[column]
            count = _find_stops(tableau, start, top, rules, work)
            target = _ZERO
            if count > _ZERO:
                target = work.stops[_ZERO]
            if count > _ONE and not exact:
                wide = _wide(unseen)
                exact = bool(wide <= min(_MOST_STOCKS, room // vectors))
                if exact:
                    stocks = _stocks(unseen)
                    _worth_exactly(tableau, stocks, rules, scale, work)
            if count > _ONE and exact:
                target = work.stops[_best(count, _ZERO, _number(stocks, unseen), wide, work)]
            elif count > _ONE:
                _worth(tableau, unseen, rules, scale, work)
                target = _choose(tableau, count, unseen, stream, candidates, samples, rules, scale, work)
            actions = _follow(tableau, start, top, target, rules, work, line, actions)
            left = _ZERO
            for column in range(columns):
                now[column] = target // tableau.strides[column] % (tableau.heights[column] + _ONE)
                left += now[column]
            if left == _ZERO:
                stock_left[row] = np.uint64(cards.shape[1]) - place
                break
            if place < np.uint64(cards.shape[1]):
                top = np.uint64(cards[row, place]) >> np.uint64(2)
                unseen[top] -= _ONE
                line[actions] = np.uint8(255)
                actions += _ONE
        cards_left[row] = left
    return cards_left, stock_left, actions


class Outlook(NamedTuple):
    """A position whose values are worked out; each of its vectors is a number, as in `values`.

    tableau: its columns. top: the rank on the foundation. stock: the cards in it.
    rules, scale: what may be done, and what games come to.
    work: the values; one thread at a time may look ahead in it.
    """

    tableau: Tableau
    top: int
    stock: int
    rules: Rules
    scale: Scale
    work: Work

    def value(self, stops: NDArray[np.uint64]) -> NDArray[np.uint16]:
        """What stopping is worth at some vectors, before anything is drawn."""
        values: NDArray[np.uint16] = self.work.stopping[stops * self.scale.lanes + np.uint64(self.stock)]
        return values


def look_ahead(
    objective: int,
    cards: NDArray[np.uint8],
    heights: NDArray[np.uint8],
    dealt: bool,
    fits: NDArray[np.uint64],
    strict: bool,
    drawn: int = 0,
) -> Outlook:
    """Work out what stopping is worth in one position (`cards`: uint8[m]), by the cards that are unseen in it.

    `drawn` is as in `values`.

    Raises ValueError for a position that does not have the layout stated, or a layout with too many values.
    """
    work, scale = _prepared(objective, cards.reshape(1, -1), heights, dealt, drawn)
    tableau, unseen = _laid_out(cards, heights, dealt)
    top = int(cards[int(heights.sum(dtype=np.int64))] >> 2) if dealt else int(_OPEN)
    rules = Rules(fits, strict)
    _worth(tableau, unseen, rules, scale, work)
    return Outlook(tableau, top, int(scale.lanes) - 1, rules, scale, work)


def _after(outlook: Outlook, column: int) -> tuple[np.uint64, np.uint64]:
    """The vector and the top after the play of a column's available card."""
    ranks, heights, strides = outlook.tableau
    return _start(outlook) - strides[column], ranks[column, int(heights[column]) - 1]


def _start(outlook: Outlook) -> np.uint64:
    """The vector of the position itself."""
    start: np.uint64 = (outlook.tableau.heights * outlook.tableau.strides).sum(dtype=np.uint64)
    return start


def stops_after(outlook: Outlook, column: int) -> NDArray[np.uint64]:
    """The vectors at which the next draw may be made after a play, uint64[stops]; only 0 where all can be cleared.

    `column` is that of the card played, which has to fit, or `DRAW` for the one vector from which the draw is made now.
    """
    if column == DRAW:
        return np.array([_start(outlook)])
    start, top = _after(outlook, column)
    count = int(_find_stops(outlook.tableau, start, top, outlook.rules, outlook.work))
    return outlook.work.stops[:count].copy() if count else np.zeros(1, np.uint64)


def run_to(outlook: Outlook, column: int, stop: np.uint64) -> NDArray[np.uint8]:
    """The plays that lead on to a stop of `stops_after` with the same `column`: uint8[plays], each a column.

    Of several runs that lead there it is the first in the order of columns.
    """
    line = np.empty(int(outlook.tableau.heights.sum()), np.uint8)
    if column == DRAW:
        return line[:0]
    start, top = _after(outlook, column)
    length = _follow(outlook.tableau, start, top, stop, outlook.rules, outlook.work, line, _ZERO)
    return line[: int(length)]


def play_orders(outlook: Outlook, stops: NDArray[np.uint64], orders: NDArray[np.uint8]) -> NDArray[np.int16]:
    """Play on from each stop in each order of the unseen cards, stopping where the values say.

    `stops` is uint64[s], `orders` uint8[n, stock]. Returns the strokes of the games, int16[s, n]: the cards left in
    the columns, or minus the cards left in the stock of a cleared tableau.
    """
    tableau, _, stock, rules, scale, work = outlook
    strokes = np.zeros(1 << 16, np.int16)
    strokes[scale.ends] = np.arange(len(scale.ends))
    strokes[scale.clears[: stock + 1]] = -np.arange(stock + 1)
    ended: NDArray[np.int16] = strokes[_play_orders(tableau, stops, orders, rules, scale, work)]
    return ended


@kernel
def _play_orders(
    tableau: Tableau,
    stops: NDArray[np.uint64],
    orders: NDArray[np.uint8],
    rules: Rules,
    scale: Scale,
    work: Work,
) -> NDArray[np.uint16]:
    """What every game comes to, uint16[stops, games]."""
    games, stock = np.uint64(orders.shape[0]), np.uint64(orders.shape[1])
    order = np.empty(stock, np.uint64)
    worth = np.empty((np.uint64(len(stops)), games), np.uint16)
    for game in range(games):
        for place in range(stock):
            order[place] = np.uint64(orders[game, place]) >> np.uint64(2)
        for i in range(np.uint64(len(stops))):
            if stops[i] == _ZERO:
                worth[i, game] = scale.clears[stock]
            else:
                worth[i, game] = _play_on(tableau, stops[i], order, rules, scale, work)
    return worth
