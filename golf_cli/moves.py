"""Moves as people write them: `draw 9C 8C 3 draw=JC undo`."""

import re
from dataclasses import dataclass
from typing import Final

from golf_cli.cards import Card
from golf_cli.errors import CardError, GolfError
from golf_cli.game import DRAW, Action, Game, Reason, Refused, Step, Undone

_DRAWS: Final = ("draw", "d")
_UNDOS: Final = ("undo", "u")
_COLUMN: Final = re.compile(r"[0-9]{1,4}")

FORMS: Final = "draw, draw=JC for an unseen card that turned up, a card such as 9C, the number of a column, or undo"


class MoveError(GolfError):
    """A move of a list that cannot be read, or that the rules refuse. Those before it are made.

    Attributes:
        place: which move of the list, from 1.
        word: the move as it was written.
        reason: why it cannot be made.
    """

    def __init__(self, place: int, word: str, reason: str) -> None:
        super().__init__(f"move {place}, '{word}': {reason}")
        self.place = place
        self.word = word
        self.reason = reason

    def __reduce__(self) -> tuple[type["MoveError"], tuple[int, str, str]]:
        return (MoveError, (self.place, self.word, self.reason))


@dataclass(frozen=True)
class Draw:
    """A draw of the next stock card, and the card that turned up where nobody had seen it at the start."""

    turned: Card | None = None

    def __str__(self) -> str:
        return "draw" if self.turned is None else f"draw={self.turned}"

    def make(self, game: Game) -> Step:
        """Draw.

        Raises:
            GolfError: as `Game.draw` does.
        """
        try:
            return Step(DRAW, game.draw(self.turned))
        except Refused as refusal:
            if refusal.reason is not Reason.UNSEEN:
                raise
            example = game.deal.unseen[0]
            raise GolfError(f"{refusal.reason}: write the card that turned up, such as draw={example}") from None


@dataclass(frozen=True)
class PlayCard:
    """A play of a card of the tableau."""

    card: Card

    def __str__(self) -> str:
        return str(self.card)

    def make(self, game: Game) -> Step:
        """Play the card.

        Raises:
            Refused: as `Game.play_card` does.
        """
        return Step(Action(game.play_card(self.card)), self.card)


@dataclass(frozen=True)
class PlayColumn:
    """A play of the available card of a column (0 is the leftmost); people count columns from 1."""

    column: int

    def __str__(self) -> str:
        return str(self.column + 1)

    def make(self, game: Game) -> Step:
        """Play the column's available card.

        Raises:
            Refused: as `Game.play` does.
        """
        return Step(Action(self.column), game.play(self.column))


@dataclass(frozen=True)
class Undo:
    """The last action that stands taken back."""

    def __str__(self) -> str:
        return "undo"

    def make(self, game: Game) -> Undone:
        """Take it back.

        Raises:
            Refused: as `Game.undo` does.
        """
        return game.undo()


Move = Draw | PlayCard | PlayColumn | Undo
"""What a player does. `str()` gives the one spelling that `parse_move` reads back."""


def parse_move(word: str) -> Move:
    """Read a move, in any case.

    `draw` or `d`; `draw=JC` for an unseen card, which turned up as JC, or does so in place of the card that was named
    before an undo; a card, which is played from its column; a
    column, counted from 1, whose available card is played; `undo` or `u`.

    Raises:
        CardError: the word is no move.
    """
    name, given, turned = word.partition("=")
    if name.lower() in _DRAWS:
        return Draw(Card.parse(turned) if given else None)
    if word.lower() in _UNDOS:
        return Undo()
    if _COLUMN.fullmatch(word):
        return PlayColumn(int(word) - 1)
    try:
        return PlayCard(Card.parse(word))
    except CardError:
        raise CardError(f"this is no move: write {FORMS}") from None


def play_moves(game: Game, text: str) -> list[Step | Undone]:
    """Make the moves that a text lists, separated by blanks or commas, and return what was done.

    Raises:
        MoveError: at the first word that is no move or that the rules refuse; the moves before it are made.
    """
    steps = []
    for place, word in enumerate(text.replace(",", " ").split(), start=1):
        try:
            steps.append(parse_move(word).make(game))
        except GolfError as error:
            raise MoveError(place, word, str(error)) from error
    return steps
