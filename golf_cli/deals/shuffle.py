"""The project's own shuffle, version 1, in plain Python. This text is its specification.

All arithmetic is on unsigned 64-bit integers, modulo 2^64; `>>` brings in zeros.

1. Key. The key is the deal's number.
2. Stream. The key x gives the numbers u_0, u_1, ... with u_k = mix64(x + (k + 1) * 0x9E3779B97F4A7C15), where mix64(z)
   is, step by step:

       z = z xor (z >> 30);  z = z * 0xBF58476D1CE4E5B9
       z = z xor (z >> 27);  z = z * 0x94D049BB133111EB
       z = z xor (z >> 31)

   This is SplitMix64 (Steele, Lea and Flood, 'Fast splittable pseudorandom number generators', OOPSLA 2014, with the
   constants of Stafford's variant 13) started at x.
3. Start deck. The cards lie in the order AC AD AH AS 2C 2D 2H 2S ... KC KD KH KS, then X1 where one joker is in the
   deck, then X2 where two are: m = 52, 53 or 54 cards at the places 0 ... m - 1.
4. Shuffle (Fisher and Yates, from the last card down). For i = m - 1, m - 2, ..., 1 take the next number u of the
   stream and let j = ((u >> 32) * (i + 1)) >> 32; the cards at the places i and j change places. (j is 0 ... i, and
   nothing overflows: both factors are below 2^32.)
5. Deal. The cards at the places 0, 1, 2, ... are the first column from its covered back card to its available card,
   then the second column, and so on; then the foundation, unless it starts open; then the stock, first drawn first.

A number deals other cards with another number of jokers. An open foundation moves no card but the one that
would have been dealt to the foundation, which becomes the first of the stock.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from golf_cli.cards import deck
from golf_cli.deals.deal import Deal, laid_out
from golf_cli.rules import Layout

VERSION: Final = 1

GOLDEN: Final = 0x9E3779B97F4A7C15
"""2^64 divided by the golden ratio, to the nearest odd number."""

_ALL_64: Final = (1 << 64) - 1


def mix64(z: int) -> int:
    """Scramble 64 bits (0..2^64-1 in and out), as step 2 says."""
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _ALL_64
    z = (z ^ z >> 27) * 0x94D049BB133111EB & _ALL_64
    return z ^ z >> 31


def stream(key: int) -> Iterator[int]:
    """The endless stream u_0, u_1, ... of a key (0..2^64-1), each number 0..2^64-1."""
    state = key
    while True:
        state = state + GOLDEN & _ALL_64
        yield mix64(state)


def shuffled(key: int, cards: Sequence[int]) -> list[int]:
    """The cards (at most 2^32 of them) in the order step 4 brings them into under a key (0..2^64-1)."""
    order = list(cards)
    for i, u in zip(range(len(order) - 1, 0, -1), stream(key), strict=False):
        j = (u >> 32) * (i + 1) >> 32
        order[i], order[j] = order[j], order[i]
    return order


def own_deal(number: int, layout: Layout | None = None) -> Deal:
    """The deal that shuffle version 1 makes of a number (0..2^64-1), in a layout (None is the plain one)."""
    layout = layout or Layout()
    return laid_out(shuffled(number, deck(layout.jokers)), layout)
