"""`Deal`: which card lies where."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from golf_cli.cards import JOKER, UNSEEN, Card, cards_text, deck
from golf_cli.errors import DealError
from golf_cli.rules import Layout
from golf_cli.wording import counted


@dataclass(frozen=True)
class Deal:
    """The cards at the start of a game, or of what is left of one.

    Attributes:
        columns: each column from its covered back card to its available card.
        foundation: the foundation's top card, or None for an open foundation.
        stock: the stock, first drawn first; `UNSEEN` for a card nobody has seen.

    Raises:
        DealError: a card lies in two places, or an unseen card lies anywhere but in the stock.
    """

    columns: tuple[tuple[Card, ...], ...]
    foundation: Card | None
    stock: tuple[Card, ...]

    def __post_init__(self) -> None:
        counts = Counter(card for card in self.cards if card != UNSEEN)
        doubles = sorted(card for card, count in counts.items() if count > 1)
        if doubles:
            raise DealError(f"{cards_text(doubles)}: each card may lie in one place only")
        if UNSEEN in (card for column in self.columns for card in column) or self.foundation == UNSEEN:
            raise DealError(
                "an unseen card ('?') may lie in the stock only: the tableau and the foundation are face up"
            )

    @property
    def cards(self) -> tuple[Card, ...]:
        """Every card in dealing order: column by column, then the foundation, then the stock."""
        tableau = tuple(card for column in self.columns for card in column)
        return tableau + (() if self.foundation is None else (self.foundation,)) + self.stock

    @property
    def heights(self) -> tuple[int, ...]:
        """Cards in each column."""
        return tuple(len(column) for column in self.columns)

    @property
    def jokers(self) -> int:
        """Jokers among the cards that can be seen."""
        return sum(card.rank == JOKER for card in self.cards if card != UNSEEN)

    @cached_property
    def unseen(self) -> tuple[Card, ...]:
        """The cards that lie unseen in the stock, in order of their numbers; `()` when every card can be seen.

        They are what a deck is short of; where that is fewer than the places, jokers make up the difference.

        Raises:
            DealError: the cards that are missing from one deck are not as many as the unseen places.
        """
        places = self.stock.count(UNSEEN)
        if not places:
            return ()
        seen = set(self.cards)
        missing = [card for card in deck() if card not in seen]
        spare = [card for card in deck(2)[52:] if card not in seen]
        if not len(missing) <= places <= len(missing) + len(spare):
            raise DealError(
                f"{counted(places, 'unseen stock card')} for {counted(len(missing), 'card')} that lie nowhere else "
                f"({cards_text(missing)}): write one '?' for each"
            )
        return tuple(missing + spare[: places - len(missing)])

    def with_stock(self, cards: Iterable[Card]) -> "Deal":
        """The same deal with the stock cards that have been seen since.

        Cards that begin as the stock does are the stock from its first card on; any others are the unseen cards in
        their order.

        Raises:
            DealError: a card disagrees with the stock that is known, lies elsewhere, or there are too many.
        """
        given = list(cards)
        if not (given and self.stock and self.stock[0] == given[0] != UNSEEN):
            return self.with_unseen(given)
        if len(given) > len(self.stock):
            raise DealError(f"{counted(len(given), 'stock card')} given for a stock of {len(self.stock)}")
        for place, (card, known) in enumerate(zip(given, self.stock, strict=False), start=1):
            if known not in (UNSEEN, card):
                raise DealError(f"stock card {place} is {known}, and {card} was given for it")
        return self.with_unseen([card for card, known in zip(given, self.stock, strict=False) if known == UNSEEN])

    def with_unseen(self, cards: Iterable[Card]) -> "Deal":
        """The same deal with its unseen stock places filled, in stock order, by `cards`.

        Fewer cards than places leave the later places unseen.

        Raises:
            DealError: more cards than places, or a card that lies elsewhere.
        """
        given = list(cards)
        places = [index for index, card in enumerate(self.stock) if card == UNSEEN]
        if len(given) > len(places):
            raise DealError(
                f"{counted(len(given), 'stock card')} given for {counted(len(places), 'unseen place')}: give at most "
                f"{len(places)}"
            )
        stock = list(self.stock)
        for place, card in zip(places, given, strict=False):
            if card != UNSEEN and card not in self.unseen:
                raise DealError(f"{card} cannot be an unseen stock card: it lies elsewhere in the deal")
            stock[place] = card
        return replace(self, stock=tuple(stock))

    def layout_of(self) -> Layout:
        """The layout of a whole deal: seven columns of five, a foundation or none, and all other cards in the stock.

        Raises:
            DealError: this deal is laid out in another way; the message says what differs.
        """
        layout = Layout(jokers=max(len(self.cards) - 52, 0), open_foundation=self.foundation is None)
        if len(self.columns) != layout.columns:
            raise DealError(f"{counted(len(self.columns), 'column')}: a deal has {layout.columns}")
        for number, column in enumerate(self.columns, start=1):
            if len(column) != layout.depth:
                raise DealError(
                    f"column {number} has {counted(len(column), 'card')} ({cards_text(column)}): a column has "
                    f"{layout.depth}"
                )
        if layout.jokers > 2 or len(self.cards) < 52:
            raise DealError(
                f"{counted(len(self.cards), 'card')}: a deck has 52, and one or two more where jokers are in it"
                f"{self._missing()}"
            )
        self.unseen  # noqa: B018 - raises where the unseen places do not fit the missing cards
        if self.jokers != layout.jokers and UNSEEN not in self.stock:
            raise DealError(f"{len(self.cards)} cards with {counted(self.jokers, 'joker')} among them{self._missing()}")
        return layout

    def _missing(self) -> str:
        seen = set(self.cards)
        missing = [card for card in deck() if card not in seen]
        return f"; {cards_text(missing)} lies nowhere" if 0 < len(missing) <= 4 else ""


def laid_out(cards: Sequence[int], layout: Layout) -> Deal:
    """The deal of a whole deck in dealing order: column by column, then the foundation (unless open), then the stock.

    Raises:
        DealError: another number of cards than the layout's deck has.
    """
    if len(cards) != layout.cards:
        raise DealError(f"{len(cards)} cards for a deck of {layout.cards}")
    dealt = [Card(card) for card in cards]
    columns = tuple(tuple(dealt[start : start + layout.depth]) for start in range(0, layout.tableau, layout.depth))
    stock_start = layout.tableau + (not layout.open_foundation)
    foundation = None if layout.open_foundation else dealt[layout.tableau]
    return Deal(columns, foundation, tuple(dealt[stock_start:]))
