"""Deal numbers to rows of cards: the project's own shuffle, and the Microsoft one as PySolFC deals Golf from it.

A row is one game: the columns from left to right, each from its covered back card to its available card, then
the card on the foundation, then the stock, first drawn first. A card is `rank << 2 | suit`, ace 0 to king 12,
suits in the order C D H S.
"""

import numpy as np
from numpy.typing import NDArray

from golf_cli.kernels.compiler import kernel

LAST_MS_NUMBER = (1 << 33) - 1


@kernel
def _mix64(z: np.uint64) -> np.uint64:
    """The output function of SplitMix64 (Steele, Lea and Flood 2014), with the constants of Stafford's variant 13."""
    z ^= z >> np.uint64(30)
    z *= np.uint64(0xBF58476D1CE4E5B9)
    z ^= z >> np.uint64(27)
    z *= np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel
def shuffle_rows(keys: NDArray[np.uint64], start: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Shuffle `start` (uint8[m]) once for each key (uint64[n]): uint8[n, m], row i by the SplitMix64 stream of keys[i].

    Fisher-Yates from the last card down: for i = m - 1 ... 1 the next u of the stream gives
    j = ((u >> 32) * (i + 1)) >> 32, and cards i and j change places. The stream of key x is
    u_k = mix64(x + (k + 1) * 0x9E3779B97F4A7C15) modulo 2^64, k = 0, 1, ... With the deal number as the key this is
    version 1 of the project's shuffle.
    """
    cards = np.uint64(start.shape[0])
    rows = np.empty((keys.shape[0], start.shape[0]), np.uint8)
    for row in range(np.uint64(keys.shape[0])):
        x = keys[row]
        for place in range(cards):
            rows[row, place] = start[place]
        size = cards
        while size > np.uint64(1):
            x += np.uint64(0x9E3779B97F4A7C15)
            j = ((_mix64(x) >> np.uint64(32)) * size) >> np.uint64(32)
            size -= np.uint64(1)
            card = rows[row, size]
            rows[row, size] = rows[row, j]
            rows[row, j] = card
    return rows


def ms_rows(first: int, n: int) -> NDArray[np.uint8]:
    """Deal the Microsoft games `first` ... `first + n - 1` as Golf: uint8[n, 52], seven columns of five.

    PySolFC's rule: the sorted deck (all aces, all twos, ...) is shuffled by the Microsoft generator, turned over, dealt
    row by row across the columns; the next card goes to the foundation and the rest is the stock.
    Raises ValueError when a number is outside 1 ... 2^33 - 1, where PySolFC has no such deal, or `n` is negative.
    """
    if n < 0:
        raise ValueError(f"cannot deal {n} Microsoft games: ask for none or more")
    if n == 0:
        return np.empty((0, 52), np.uint8)
    if first < 1 or first + n - 1 > LAST_MS_NUMBER:
        raise ValueError(
            f"Microsoft deals {first} to {first + n - 1} are out of range: numbers go from 1 to {LAST_MS_NUMBER}"
        )
    return _ms_rows(np.uint64(first), np.uint64(n))


@kernel
def _ms_rows(first: np.uint64, n: np.uint64) -> NDArray[np.uint8]:
    rows = np.empty((np.int64(n), 52), np.uint8)
    deck = np.empty(52, np.uint8)
    place = np.empty(52, np.uint64)
    for card in range(np.uint64(52)):
        dealt = np.uint64(51) - card
        if dealt < np.uint64(35):
            place[card] = dealt % np.uint64(7) * np.uint64(5) + dealt // np.uint64(7)
        else:
            place[card] = dealt
    for row in range(n):
        number = first + row
        # Only the low 32 bits are ever read, so a number from 2^32 up needs no reduction.
        state = number
        for card in range(np.uint64(52)):
            deck[card] = card
        last = np.uint64(51)
        while last > np.uint64(0):
            state = state * np.uint64(214013) + np.uint64(2531011)
            # Numbers beyond Microsoft's own 31 bits draw from 0x8000 ... 0xFFFF, and beyond 32 bits from 1 ... 0x10000.
            if number < np.uint64(1 << 31):
                drawn = (state >> np.uint64(16)) & np.uint64(0x7FFF)
            elif number < np.uint64(1 << 32):
                drawn = (state >> np.uint64(16)) & np.uint64(0x7FFF) | np.uint64(0x8000)
            else:
                drawn = ((state >> np.uint64(16)) & np.uint64(0xFFFF)) + np.uint64(1)
            j = drawn % (last + np.uint64(1))
            card_at_last = deck[last]
            deck[last] = deck[j]
            deck[j] = card_at_last
            last -= np.uint64(1)
        for card in range(np.uint64(52)):
            rows[row, place[card]] = deck[card]
    return rows
