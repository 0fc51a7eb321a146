"""One game in play: legal actions, plays, draws, undo, refusals and score. The slow, obvious truth.

Every line a solver or a policy returns is replayed here.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from golf_cli import scoring
from golf_cli.cards import UNSEEN, Card
from golf_cli.deals.deal import Deal
from golf_cli.errors import GolfError
from golf_cli.rules import OPEN, RuleSet

UNDO_LIMIT: Final = 100
"""How many of the last actions can be taken back."""


class Reason(StrEnum):
    """Why an action is refused."""

    RANK = "the rank must be one higher or one lower"
    COVERED = "that card is blocked"
    EMPTY_COLUMN = "the column is empty"
    NO_COLUMN = "there is no such column"
    NOT_IN_TABLEAU = "that card is not in the tableau"
    NO_STOCK = "the stock is empty"
    UNSEEN = "the next stock card is not known"
    OTHER_CARD = "another card is known to lie there"
    CARD_FITS = "a card can be played, and these rules draw only when none can"
    OVER = "the game is over"
    NO_UNDO = "there is nothing to take back"


class Refused(GolfError):  # noqa: N818 - the field's word for it
    """An action the rules do not allow. The game is as it was before."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(f"{detail}: {reason}")
        self.reason = reason
        self.detail = detail

    def __reduce__(self) -> tuple[type["Refused"], tuple[Reason, str]]:
        return (Refused, (self.reason, self.detail))


class Status(StrEnum):
    """How a game stands."""

    PLAYING = "playing"
    WON = "won"
    BLOCKED = "blocked"


@dataclass(frozen=True)
class Action:
    """A draw (`column` is None) or a play of the available card of a column (0 is the leftmost)."""

    column: int | None

    @property
    def is_draw(self) -> bool:
        """Whether the action draws the next stock card."""
        return self.column is None


DRAW: Final = Action(None)


@dataclass(frozen=True)
class Step:
    """An action that was made, and the card it put on the foundation."""

    action: Action
    card: Card

    def __str__(self) -> str:
        """`draw 8S` or `play 9C from column 5`."""
        if self.action.column is None:
            return f"draw {self.card}"
        return f"play {self.card} from column {self.action.column + 1}"

    def record(self) -> dict[str, str | int]:
        """Plain values for JSON: the action, the card, and of a play the column, counted from 1."""
        if self.action.column is None:
            return {"action": "draw", "card": str(self.card)}
        return {"action": "play", "card": str(self.card), "column": self.action.column + 1}


@dataclass(frozen=True)
class Undone:
    """An undo, and the step it took back."""

    step: Step

    def __str__(self) -> str:
        """`undo play 9C from column 5`."""
        return f"undo {self.step}"

    def record(self) -> dict[str, Any]:
        """Plain values for JSON: the action, and the step that is undone."""
        return {"action": "undo", "undone": self.step.record()}


@dataclass(frozen=True)
class _Before:
    """What an undo puts back."""

    action: Action
    top: Card | None
    points: int


class Game:
    """A game of one deal under one rule set.

    Attributes:
        deal: the cards, with those that nobody had seen at the start as far as draws have named them.
        columns: the tableau now, each column from its covered back card to its available card.
        top: the foundation's top card, or None while an open foundation holds none.
        drawn: stock cards drawn so far.
        moves: the app's move counter: plays and draws made so far; an undo does not lower it.
        points: app points.
    """

    def __init__(self, deal: Deal, rules: RuleSet) -> None:
        self.deal = deal
        self.rules = rules
        self.columns = [list(column) for column in deal.columns]
        self.top = deal.foundation
        self.drawn = 0
        self.moves = 0
        self.points = 0
        self._past: deque[_Before] = deque(maxlen=UNDO_LIMIT)
        self._dealt = deal.stock
        """The stock as it was known at the start."""

    @property
    def cards_left(self) -> int:
        """Cards left in the tableau."""
        return sum(len(column) for column in self.columns)

    @property
    def stock_left(self) -> int:
        """Cards left in the stock."""
        return len(self.deal.stock) - self.drawn

    @property
    def removed(self) -> int:
        """Cards played from the tableau."""
        return sum(self.deal.heights) - self.cards_left

    @property
    def strokes(self) -> int:
        """Strokes if the game ended now."""
        return scoring.strokes(self.cards_left, self.stock_left)

    @property
    def left(self) -> Deal:
        """What is left, as a deal: the columns as they stand, the top as the foundation, the stock yet to be drawn."""
        return Deal(tuple(map(tuple, self.columns)), self.top, self.deal.stock[self.drawn :])

    @property
    def status(self) -> Status:
        """Won once the tableau is empty; blocked once the stock is empty and no available card fits."""
        if self.cards_left == 0:
            return Status.WON
        return Status.PLAYING if self.stock_left or self._fitting() else Status.BLOCKED

    def legal_actions(self) -> list[Action]:
        """Plays from left to right, then the draw; empty once the game is over.

        A draw is not among them where the next stock card is unseen: until it is known, such a game stops there.
        """
        if self.status is not Status.PLAYING:
            return []
        plays = [Action(column) for column in self._fitting()]
        known = self.stock_left and self.deal.stock[self.drawn] != UNSEEN
        may_draw = known and not (plays and self.rules.draw_when_stuck)
        return [*plays, DRAW] if may_draw else plays

    def play(self, column: int) -> Card:
        """Play the available card of a column (0 is the leftmost) onto the foundation, and return it.

        Raises:
            Refused: the game is over, there is no such column, it is empty, or its card does not fit.
        """
        detail = f"play from column {column + 1}"
        self._refuse_if_over(detail)
        if not 0 <= column < len(self.columns):
            raise Refused(Reason.NO_COLUMN, detail)
        if not self.columns[column]:
            raise Refused(Reason.EMPTY_COLUMN, detail)
        card = self.columns[column][-1]
        if not self._fits(card):
            raise Refused(Reason.RANK, f"{card} on {self.top}")
        self._remember(Action(column))
        self.columns[column].pop()
        self.top = card
        self.points += scoring.POINTS_A_CARD
        self._penalise_if_blocked()
        return card

    def play_card(self, card: Card) -> int:
        """Play a card of the tableau onto the foundation, and return its column (0 is the leftmost).

        Raises:
            Refused: the game is over, or the card is not in the tableau, is covered, or does not fit.
        """
        self._refuse_if_over(f"play {card}")
        for number, column in enumerate(self.columns):
            if column and column[-1] == card:
                self.play(number)
                return number
            if card in column:
                raise Refused(Reason.COVERED, f"{card} in row {column.index(card) + 1}, column {number + 1}")
        raise Refused(Reason.NOT_IN_TABLEAU, f"play {card}")

    def draw(self, turned: Card | None = None) -> Card:
        """Turn the next stock card onto the foundation, and return it.

        Args:
            turned: the card that turned up, where nobody had seen it at the start. It is known from then on, an undo or
                not, until a draw names another here, or names it at a place before.

        Raises:
            Refused: the game is over, the stock is empty, the next card is unseen and not given, it was known from the
                start to be another than `turned`, or the rules draw only when nothing can be played and something can.
            DealError: `turned` cannot be an unseen card: it lies elsewhere.
        """
        self._refuse_if_over("draw")
        if not self.stock_left:
            raise Refused(Reason.NO_STOCK, "draw")
        if self.rules.draw_when_stuck and self._fitting():
            raise Refused(Reason.CARD_FITS, "draw")
        card = self.deal.stock[self.drawn]
        if turned is not None and turned not in (card, UNSEEN) and self._dealt[self.drawn] == UNSEEN:
            self.deal = self._naming(turned)
            card = turned
        if card == UNSEEN:
            raise Refused(Reason.UNSEEN, "draw")
        if turned not in (None, card):
            raise Refused(Reason.OTHER_CARD, f"draw {turned}, where {card} is next")
        self._remember(DRAW)
        self.drawn += 1
        self.top = card
        self._penalise_if_blocked()
        return card

    def act(self, action: Action) -> Card:
        """Make a play or a draw, and return the card that is the new top.

        Raises:
            Refused: as `play` and `draw` do.
        """
        return self.draw() if action.column is None else self.play(action.column)

    def undo(self) -> Undone:
        """Take the last action back: the card, the points from before it and with them a block's penalty.

        The move counter stays. What a draw showed stays known, as `draw` tells.

        Raises:
            Refused: nothing was done yet, or the last 100 actions are taken back already.
        """
        if not self._past:
            raise Refused(Reason.NO_UNDO, "undo")
        before = self._past.pop()
        card = self.top
        assert card is not None  # an action has put it there
        if before.action.column is None:
            self.drawn -= 1
        else:
            self.columns[before.action.column].append(card)
        self.top = before.top
        self.points = before.points
        return Undone(Step(before.action, card))

    def replay(self, actions: Iterable[Action]) -> Iterator[Step]:
        """Make each action in turn, and say which card it moved.

        Raises:
            Refused: at the first action the rules do not allow; those before it are made.
        """
        for action in actions:
            yield Step(action, self.act(action))

    def _naming(self, turned: Card) -> Deal:
        """The deal with the next stock card named, and without what else was said of that place or of that card."""
        stock = list(self.deal.stock)
        for place in range(self.drawn, len(stock)):
            if self._dealt[place] == UNSEEN and (place == self.drawn or stock[place] == turned):
                stock[place] = UNSEEN
        return replace(self.deal, stock=tuple(stock)).with_unseen([turned])

    def _fits(self, card: Card) -> bool:
        return self.rules.allows(card.rank, OPEN if self.top is None else self.top.rank)

    def _fitting(self) -> list[int]:
        return [number for number, column in enumerate(self.columns) if column and self._fits(column[-1])]

    def _refuse_if_over(self, detail: str) -> None:
        if self.status is not Status.PLAYING:
            raise Refused(Reason.OVER, detail)

    def _remember(self, action: Action) -> None:
        self._past.append(_Before(action, self.top, self.points))
        self.moves += 1

    def _penalise_if_blocked(self) -> None:
        if self.status is Status.BLOCKED:
            self.points = max(0, self.points - scoring.penalty(self.cards_left))


def line_text(game: Game, line: Iterable[Action]) -> str:
    """Play a line, and show it: a row for each card turned from the stock, and in it the cards played with columns.

    Raises:
        Refused: at the first action the rules do not allow.
    """
    rows: list[tuple[str, str, list[str]]] = [("start", "" if game.top is None else str(game.top), [])]
    for step in game.replay(line):
        if step.action.column is None:
            rows.append(("draw", str(step.card), []))
        else:
            rows[-1][2].append(f"{step.card}({step.action.column + 1})")
    lines = [f"{what:5}  {card:2}  {' '.join(plays)}".rstrip() for what, card, plays in rows]
    return "\n".join([*lines, "", "after each card turned: the cards played on it, with their columns"])
