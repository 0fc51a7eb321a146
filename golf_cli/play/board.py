"""A game as a player sees it, in plain letters; and those letters as cards with suits and colour."""

import re
from dataclasses import dataclass
from typing import Final

from golf_cli.game import Game

_CARD: Final = re.compile(r"\b([A2-9TJQK])([CDHS])\b")
_SYMBOLS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_RED: Final = "DH"


def board(game: Game) -> str:
    """The columns under their numbers, the covered cards above the available ones; then the foundation and the counts.

    Every line but the last is a row of cards; no line ends in a blank.
    """
    depth = max(map(len, game.deal.columns), default=0)
    rows = [[str(number) for number, _ in enumerate(game.columns, start=1)]]
    rows += [[str(column[row]) if row < len(column) else "" for column in game.columns] for row in range(depth)]
    lines = ["".join(f"{cell:>4}" for cell in row).rstrip() for row in rows]
    return "\n".join([*(line for line in lines if line), "", counts(game)])


def counts(game: Game) -> str:
    """The foundation's top card, the cards in the stock, and the scores."""
    top = "-" if game.top is None else game.top
    scores = f"strokes {game.strokes}   points {game.points}   moves {game.moves}"
    return f"  foundation {top}   stock {game.stock_left}   {scores}"


@dataclass(frozen=True)
class Look:
    """How the cards of a text look.

    Attributes:
        symbols: suits as `♣ ♦ ♥ ♠`, not as letters.
        colour: diamonds and hearts in red, for a terminal.
    """

    symbols: bool = False
    colour: bool = False

    def dress(self, text: str) -> str:
        """A text of golf's own with every card in it, such as `TH`, in this look."""
        return _CARD.sub(self._card, text)

    def _card(self, found: re.Match[str]) -> str:
        card = found[1] + (_SYMBOLS[found[2]] if self.symbols else found[2])
        return f"\x1b[31m{card}\x1b[0m" if self.colour and found[2] in _RED else card


PLAIN: Final = Look()
"""Plain letters."""
