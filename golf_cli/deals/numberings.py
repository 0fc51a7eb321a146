"""Numberings: each a way of turning a number into a deal.

`go1` holds the deals of the app's codes; `pysol` and `ms` deal Golf as PySolFC and pysol-cards do.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from golf_cli.cards import Card, deck
from golf_cli.deals.codes import LAST_NUMBER
from golf_cli.deals.deal import Deal, laid_out
from golf_cli.deals.numbers import LAST_U64, parse_number
from golf_cli.deals.registry import documented_deal, documented_numbers, edition
from golf_cli.deals.shuffle import VERSION, own_deal
from golf_cli.errors import DealError, NumberError
from golf_cli.rules import Layout

LAST_MS: Final = (1 << 33) - 1
"""Where the Microsoft numbers of pysol-cards end."""

LAST_PYSOL: Final = LAST_U64
"""The last `pysol` number: PySolFC goes on to 10^20, but a stored deal number has 64 bits."""

LAST_MS_OF_PYSOL: Final = 32000
"""The last number that `pysol` deals by the Microsoft generator.

pysol-cards has it so; PySolFC itself deals number 32000 by the Mersenne Twister already. Here it is as in pysol-cards.
"""


@dataclass(frozen=True)
class Numbering:
    """A way of turning numbers into deals.

    Attributes:
        name: what stands before the colon in a reference such as `pysol:24`.
        first: the smallest number there is.
        last: the largest number there is.
        version: a text that changes whenever some number would deal other cards than before.
    """

    name: str
    first: int
    last: int
    version: str
    _deal: Callable[[int, Layout], Deal] = field(repr=False)

    def check(self, number: int) -> None:
        """Do nothing for a number that this numbering deals.

        Raises:
            NumberError: it deals no such number.
        """
        if not self.first <= number <= self.last:
            raise NumberError(f"{number} is out of range: {self.name} deals the numbers {self.first} to {self.last}")

    def parse(self, text: str) -> int:
        """Read a number that this numbering deals, written as `parse_number` reads it.

        Raises:
            NumberError: the text is no whole number, or the numbering deals no such number.
        """
        return parse_number(text, self.first, self.last, f"a deal number of {self.name}")

    def deal(self, number: int, layout: Layout | None = None) -> Deal:
        """The deal of a number, in a layout (None is the plain one).

        Raises:
            NumberError: there is no such number.
            DealError: the numbering deals no such layout.
        """
        self.check(number)
        return self._deal(number, layout or Layout())


def _go1(number: int, layout: Layout) -> Deal:
    return documented_deal(number) if number in documented_numbers(layout) else own_deal(number, layout)


def _pysol(number: int, layout: Layout) -> Deal:
    _refuse_other_than_plain("pysol", layout)
    return laid_out(_microsoft(number) if number <= LAST_MS_OF_PYSOL else mersenne(number), layout)


def _ms(number: int, layout: Layout) -> Deal:
    _refuse_other_than_plain("ms", layout)
    return laid_out(_microsoft(number), layout)


def _refuse_other_than_plain(name: str, layout: Layout) -> None:
    if layout != Layout():
        raise DealError(
            f"{name} numbers deal 52 cards with one of them on the foundation: jokers, an open foundation and other "
            "tableaus are dealt from GO1 codes"
        )


def _microsoft(number: int) -> list[Card]:
    """A whole deal, in the order of `Deal.cards`, as PySolFC deals it by the Microsoft generator.

    The generator is `seed = seed * 214013 + 2531011`, and a draw is bits 16..30 of the seed. pysol-cards goes
    beyond Microsoft's 31-bit numbers: from 2^31 on a draw has bit 15 set, and from 2^32 on it is bits 16..31, plus 1.
    """
    cards = list(deck())
    seed = number
    for last in range(51, 0, -1):
        seed = seed * 214013 + 2531011 & 0xFFFFFFFF
        draw = seed >> 16
        if number < 1 << 31:
            draw &= 0x7FFF
        elif number < 1 << 32:
            draw |= 0x8000
        else:
            draw += 1
        other = draw % (last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return [cards[place] for place in _FROM_THE_TOP]


def mersenne(number: int) -> list[Card]:
    """A whole deal, in the order of `Deal.cards`, as PySolFC deals it by Python's Mersenne Twister.

    The deck starts suit by suit (clubs, spades, hearts, diamonds), each from ace to king, is shuffled from its last
    card down, and turned over.
    """
    cards = list(_SUIT_BY_SUIT)
    random_float = random.Random(number).random
    for last in range(51, 0, -1):
        other = int(random_float() * (last + 1))
        cards[last], cards[other] = cards[other], cards[last]
    return [cards[place] for place in _FROM_THE_TOP]


_SUIT_BY_SUIT: Final = [Card.of(rank, suit) for suit in (0, 3, 2, 1) for rank in range(13)]


def _turned_over(layout: Layout) -> list[int]:
    """Where in a shuffled deck, from its bottom card on, each card of a row lies.

    PySolFC deals Golf from the top of the deck row by row across the columns, then the foundation, then the stock.
    """
    rows = [row * layout.columns + column for column in range(layout.columns) for row in range(layout.depth)]
    return [layout.cards - 1 - place for place in [*rows, *range(layout.tableau, layout.cards)]]


_FROM_THE_TOP: Final = _turned_over(Layout())


GO1: Final = Numbering("go1", 0, LAST_NUMBER, f"shuffle-{VERSION}+deals-{edition()}", _go1)
PYSOL: Final = Numbering("pysol", 1, LAST_PYSOL, "pysol-cards", _pysol)
MS: Final = Numbering("ms", 1, LAST_MS, "pysol-cards", _ms)

NUMBERINGS: Final = {numbering.name: numbering for numbering in (GO1, PYSOL, MS)}


def numbering(name: str) -> Numbering:
    """The numbering of a name, in any case.

    Raises:
        NumberError: there is none; the message lists those there are.
    """
    try:
        return NUMBERINGS[name.strip().lower()]
    except KeyError:
        raise NumberError(f"no numbering is called '{name}': there are {', '.join(NUMBERINGS)}") from None
