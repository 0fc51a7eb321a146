"""What every board format has in common: cards that still know where in the text they stand."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from golf_cli.cards import UNSEEN, Card
from golf_cli.deals.deal import Deal
from golf_cli.errors import BoardError, CardError, DealError
from golf_cli.rules import Layout
from golf_cli.wording import counted

_WORD: Final = re.compile(r"[^\s,]+")


@dataclass(frozen=True)
class Word:
    """A piece of a text and its place, line and column counted from 1."""

    text: str
    line: int = 1
    column: int = 1

    def words(self) -> "list[Word]":
        """The pieces that blanks and commas separate in this one, which lies in one line."""
        return [Word(match[0], self.line, self.column + match.start()) for match in _WORD.finditer(self.text)]

    def error(self, message: str) -> BoardError:
        """An error at this place."""
        return BoardError(message, line=self.line, column=self.column)


def whole_deal(columns: Sequence[Sequence[Word]], foundation: Word | None, stock: Sequence[Word]) -> Deal:
    """The deal that the words of a board are.

    Args:
        columns: each column from its covered back card to its available card.
        foundation: the foundation's card, or None for an open foundation.
        stock: first drawn first; `?` for an unseen card.

    Raises:
        BoardError: a word is no card, a card stands twice, an unseen card stands outside the stock, or the board is no
            whole deal.
    """
    _refuse_wrong_shape(columns)
    places: dict[Card, Word] = {}
    tableau = tuple(tuple(_seen(word, places) for word in column) for column in columns)
    top = None if foundation is None else _seen(foundation, places)
    try:
        deal = Deal(tableau, top, tuple(_card(word, places) for word in stock))
        deal.layout_of()
    except DealError as error:
        raise BoardError(str(error)) from None
    return deal


def _card(word: Word, places: dict[Card, Word]) -> Card:
    """The card a word is, noting its place."""
    try:
        card = Card.parse(word.text)
    except CardError as error:
        raise word.error(str(error)) from None
    if card == UNSEEN:
        return card
    if card in places:
        first = places[card]
        raise word.error(
            f"{card} stands here and in line {first.line}, column {first.column}: each card lies in one place only"
        )
    places[card] = word
    return card


def _seen(word: Word, places: dict[Card, Word]) -> Card:
    card = _card(word, places)
    if card == UNSEEN:
        raise word.error("only stock cards may be unseen ('?'): the tableau and the foundation are face up")
    return card


def _refuse_wrong_shape(columns: Sequence[Sequence[Word]]) -> None:
    layout = Layout()
    for number, column in enumerate(columns, start=1):
        if number > layout.columns and column:
            raise column[0].error(f"a board ends after its {layout.columns} columns, and this is one more")
        if len(column) > layout.depth:
            raise column[layout.depth].error(
                f"column {number} has {len(column)} cards: a column has {layout.depth}, and this is card "
                f"{layout.depth + 1}"
            )
        if 0 < len(column) < layout.depth:
            short = counted(len(column), "card")
            raise BoardError(f"column {number} has {short}: a column has {layout.depth}", line=column[-1].line)
    if len(columns) < layout.columns:
        raise BoardError(f"{counted(len(columns), 'column')}: a board has {layout.columns}")
