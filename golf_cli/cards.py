"""Ranks, suits and cards, and how they are written."""

from collections.abc import Iterable, Iterator
from typing import Final

from golf_cli.errors import CardError

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDHS"
ACE: Final = 0
KING: Final = 12
JOKER: Final = 13
"""The rank of a joker, which stands for any rank."""

_JOKERS: Final = ("X1", "X2")
_SYMBOLS: Final = str.maketrans("♣♦♥♠", SUITS)


class Card(int):
    """One card, as the number `rank << 2 | suit`: 0 is the ace of clubs, 51 the king of spades.

    The two jokers are 52 and 53 (rank 13), written `X1` and `X2`; `UNSEEN` is 255, written `?`. Cards compare and hash
    as their numbers.
    """

    __slots__ = ()

    @property
    def rank(self) -> int:
        """0 for an ace up to 12 for a king; 13 for a joker."""
        return self >> 2

    @property
    def suit(self) -> int:
        """0 clubs, 1 diamonds, 2 hearts, 3 spades; for a joker which of the two it is."""
        return self & 3

    @property
    def text(self) -> str:
        """Rank, then suit: `TD` for the ten of diamonds."""
        if self == UNSEEN:
            return "?"
        return f"X{self.suit + 1}" if self.rank == JOKER else RANKS[self.rank] + SUITS[self.suit]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Card({self.text!r})"

    @classmethod
    def of(cls, rank: int, suit: int) -> "Card":
        """The card of a rank (0..12, 13 a joker) and a suit (0..3).

        Raises:
            CardError: there is no such rank or suit.
        """
        if not ((0 <= rank <= KING and 0 <= suit < 4) or (rank == JOKER and suit in (0, 1))):
            raise CardError(f"no card has rank {rank} and suit {suit}: ranks are 0..12 (13 a joker), suits 0..3")
        return cls(rank << 2 | suit)

    @classmethod
    def parse(cls, text: str, jokers: int = 2) -> "Card":
        """Read a card in any case: `8S`, `th`, `10H`, `Q♥`, `X1` (a joker), `?` (unseen).

        Args:
            text: the card.
            jokers: how many the deck has.

        Raises:
            CardError: the text is no card of such a deck.
        """
        letters = text.strip().translate(_SYMBOLS).replace("10", "T")
        letters = letters.upper() if letters.isascii() else ""  # 'ſ' would become an S
        if letters == "?":
            return UNSEEN
        if letters in _JOKERS[:jokers]:
            return cls.of(JOKER, int(letters[1]) - 1)
        if len(letters) == 2 and letters[0] in RANKS and letters[1] in SUITS:
            return cls.of(RANKS.index(letters[0]), SUITS.index(letters[1]))
        joker = f"; {' or '.join(_JOKERS[:jokers])} is a joker" if jokers else ""
        raise CardError(f"'{text}' is no card: write a rank ({RANKS}, or 10) and a suit ({SUITS}), such as 8S{joker}")


UNSEEN: Final = Card(255)
"""A stock card nobody has seen yet."""


def deck(jokers: int = 0) -> tuple[Card, ...]:
    """The 52 cards in order of their numbers (AC AD AH AS 2C ... KS), then the jokers."""
    return tuple(Card(number) for number in range(52 + jokers))


def parse_cards(text: str) -> Iterator[Card]:
    """Read cards separated by blanks or commas.

    Raises:
        CardError: one of them is no card.
    """
    return (Card.parse(word) for word in text.replace(",", " ").split())


def cards_text(cards: Iterable[Card]) -> str:
    """Cards separated by single blanks."""
    return " ".join(card.text for card in cards)
