"""Moves as people write them: `draw 9C 8C 3 draw=JC`."""

import re
from typing import Final

from golf_cli.cards import Card
from golf_cli.errors import CardError, GolfError
from golf_cli.game import DRAW, Action, Game, Reason, Refused, Step

_DRAWS: Final = ("draw", "d")
_COLUMN: Final = re.compile(r"[0-9]{1,4}")

FORMS: Final = "draw, draw=JC for an unseen card that turned up, a card such as 9C, or the number of a column"


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


def play_moves(game: Game, text: str) -> list[Step]:
    """Make the moves that a text lists, and return them.

    They are separated by blanks or commas, in any case: `draw` or `d`; a card, which is played from its column; or a
    column, counted from 1, whose available card is played. `draw=JC` draws an unseen card, which turned up as JC.

    Raises:
        MoveError: at the first word that is no move or that the rules refuse; the moves before it are made.
    """
    steps = []
    for place, word in enumerate(text.replace(",", " ").split(), start=1):
        try:
            steps.append(_make(game, word))
        except GolfError as error:
            raise MoveError(place, word, str(error)) from error
    return steps


def _make(game: Game, word: str) -> Step:
    name, given, turned = word.partition("=")
    if name.lower() in _DRAWS:
        return Step(DRAW, _draw(game, Card.parse(turned) if given else None))
    if _COLUMN.fullmatch(word):
        column = int(word) - 1
        return Step(Action(column), game.play(column))
    try:
        card = Card.parse(word)
    except CardError:
        raise CardError(f"this is no move: write {FORMS}") from None
    return Step(Action(game.play_card(card)), card)


def _draw(game: Game, turned: Card | None) -> Card:
    try:
        return game.draw(turned)
    except Refused as refusal:
        if refusal.reason is not Reason.UNSEEN:
            raise
        example = game.deal.unseen[0]
        raise GolfError(f"{refusal.reason}: write the card that turned up, such as draw={example}") from None
