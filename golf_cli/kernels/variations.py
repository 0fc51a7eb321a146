"""Many games of one deal: the same cards with the columns in other places, or with the stock in other orders.

No rule of the game knows one column from another, and a player who does not see the stock knows one order of it from
another as little. So who breaks ties by the places of the columns breaks them at random where the columns are shuffled.
"""

import numpy as np
from numpy.typing import NDArray

from golf_cli.kernels.compiler import kernel

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_ZERO = np.uint64(0)
_ONE = np.uint64(1)


def vary_rows(
    cards: NDArray[np.uint8],
    numbers: NDArray[np.uint64],
    heights: NDArray[np.uint8],
    stock: int,
    seed: int,
    places: NDArray[np.uint64],
    games: NDArray[np.uint64],
    ties: bool,
    orders: bool,
) -> tuple[NDArray[np.uint8], NDArray[np.uint64]]:
    """Lay out games of deals: the cards of each (uint8[k, m]), and a number for what its player chooses at random.

    `cards` is uint8[n, m], in dealing order, `numbers` uint64[n]; the columns have all the same height (`heights`,
    uint8[columns]), and the last `stock` cards are the stock. Game i is game `games[i]` of the deal in row `places[i]`,
    both uint64[k]. With `ties` its columns are shuffled, with `orders` its stock.

    Of deal d and seed s, mix64(d + mix64(s + golden)) is the key of a SplitMix64 stream. Game g takes its outputs 3g,
    3g + 1 and 3g + 2: the number of the game, the key by which its columns are shuffled, and that of its stock. Both
    are shuffled as `shuffle_rows` shuffles, the columns from their order and the stock from that of the numbers of its
    cards, so that nothing comes of the order in which it lay.

    Raises ValueError for columns of different heights.
    """
    if len(set(heights.tolist())) > 1:
        raise ValueError(f"columns of {heights.tolist()} cards cannot change places: give columns of one height")
    rows = cards[places]
    return rows, _vary(rows, numbers[places], games, heights, np.uint64(stock), np.uint64(seed), ties, orders)


@kernel
def _mix64(z: np.uint64) -> np.uint64:
    z ^= z >> np.uint64(30)
    z *= np.uint64(0xBF58476D1CE4E5B9)
    z ^= z >> np.uint64(27)
    z *= np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel
def _vary(
    rows: NDArray[np.uint8],
    numbers: NDArray[np.uint64],
    games: NDArray[np.uint64],
    heights: NDArray[np.uint8],
    stock: np.uint64,
    seed: np.uint64,
    ties: bool,
    orders: bool,
) -> NDArray[np.uint64]:
    """Shuffle every row in place, and return the number of every game."""
    columns = np.uint64(heights.shape[0])
    height = np.uint64(heights[0]) if columns else _ZERO
    end = np.uint64(rows.shape[1])
    stream_of_seed = _mix64(seed + _GOLDEN)
    own = np.empty(rows.shape[0], np.uint64)
    for row in range(np.uint64(rows.shape[0])):
        x = _mix64(numbers[row] + stream_of_seed) + np.uint64(3) * games[row] * _GOLDEN
        x += _GOLDEN
        own[row] = _mix64(x)
        x += _GOLDEN
        if ties:
            _shuffle(rows, row, _ZERO, columns, height, _mix64(x))
        x += _GOLDEN
        if orders:
            _sort(rows, row, end - stock, end)
            _shuffle(rows, row, end - stock, stock, _ONE, _mix64(x))
    return own


@kernel
def _sort(rows: NDArray[np.uint8], row: int, first: np.uint64, stop: np.uint64) -> None:
    for place in range(first + _ONE, stop):
        held = rows[row, place]
        hole = np.uint64(place)
        while hole > first and rows[row, hole - _ONE] > held:
            rows[row, hole] = rows[row, hole - _ONE]
            hole -= _ONE
        rows[row, hole] = held


@kernel
def _shuffle(
    rows: NDArray[np.uint8], row: int, first: np.uint64, count: np.uint64, width: np.uint64, key: np.uint64
) -> None:
    """Shuffle `count` blocks of `width` cards each, from place `first` of a row on."""
    x = key
    last = count
    while last > _ONE:
        x += _GOLDEN
        j = ((_mix64(x) >> np.uint64(32)) * last) >> np.uint64(32)
        last -= _ONE
        for card in range(width):
            mine, theirs = first + last * width + card, first + j * width + card
            held = rows[row, mine]
            rows[row, mine] = rows[row, theirs]
            rows[row, theirs] = held
