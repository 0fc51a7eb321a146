"""The legal actions of a position, and what best play makes of each."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from golf_cli.cards import UNSEEN, Card
from golf_cli.deals.deal import Deal
from golf_cli.game import Action, Game, Step
from golf_cli.kernels.playout import play_line
from golf_cli.rules import RuleSet
from golf_cli.solvers.exact import position, solve_rows
from golf_cli.solvers.outcome import Outcomes
from golf_cli.solvers.sampled import stock_orders

SAMPLES: Final = 200
"""Orders of unseen cards that every action is solved in, unless asked for otherwise."""


@dataclass(frozen=True)
class Choice:
    """A legal action, and what best play reaches after it in each order of the unseen stock cards.

    Attributes:
        step: the action, and the card it puts on the foundation: `UNSEEN` for a draw of a card nobody has seen.
        orders: the orders solved; 1 where every card is known.
        cleared: the orders in which the tableau can be cleared after the action.
        strokes: the best strokes after the action, summed over the orders: with every card known just these.
    """

    step: Step
    orders: int
    cleared: int
    strokes: int

    @property
    def clearable(self) -> bool:
        """Whether the tableau can be cleared after the action in every order solved."""
        return self.cleared == self.orders

    @property
    def share(self) -> float:
        """The share of the orders in which the tableau can be cleared after the action."""
        return self.cleared / self.orders

    @property
    def mean_strokes(self) -> float:
        """The mean over the orders of the best strokes after the action."""
        return self.strokes / self.orders

    @property
    def worth(self) -> tuple[int, int]:
        """What actions are compared by, the lowest being best: orders cleared, the more the better, then strokes.

        With every card known this is the order of the strokes: a cleared tableau takes 0 or fewer, any other 1 or more.
        """
        return -self.cleared, self.strokes

    def record(self) -> dict[str, Any]:
        """Plain values for JSON: the step, then its value."""
        return {
            **self.step.record(),
            "orders": self.orders,
            "cleared": self.cleared,
            "share": self.share,
            "mean_strokes": self.mean_strokes,
        }


def choices(game: Game, samples: int = SAMPLES, seed: int = 0) -> tuple[Choice, ...]:
    """Every legal action with its value: plays from left to right, then the draw; none once the game is over.

    A draw of an unseen card is legal here. All actions are solved in the same orders of the unseen cards, which are
    those of `solve_samples`.

    Args:
        game: as far as it has been played; it is left as it is.
        samples: orders to solve, 1 to 1,000,000. Where there are no more, each is solved once.
        seed: 0 to 2^32 - 1.

    Raises:
        DealError: the unseen places do not match the missing cards, or the layout is too large for the search.
        NumberError: `samples` or `seed` is out of range.
    """
    unseen = game.deal.unseen
    orders = stock_orders(unseen, samples, seed)
    seen = Game(_filled(game.left, unseen), game.rules)
    actions = seen.legal_actions()
    positions = [_Position.of(_after(seen, action), unseen) for action in actions]
    solved: list[list[Outcomes]] = [[] for _ in actions]
    for block in orders if actions else ():
        for outcomes, after in zip(solved, positions, strict=True):
            outcomes.append(after.solve(block, game.rules))
    return tuple(
        _choice(Step(action, _moved(game, action)), Outcomes.joined(outcomes))
        for action, outcomes in zip(actions, solved, strict=True)
    )


def best_choice(game: Game, among: Iterable[Choice]) -> Choice:
    """The best of a position's choices, at least one; of equally good ones the play that opens the longest run.

    Of plays that open equally long runs it is the leftmost, and a draw comes last.
    """

    def preference(choice: Choice) -> tuple[tuple[int, int], int, int]:
        column = choice.step.action.column
        return choice.worth, -run_opened(game, column), column or 0

    return min(among, key=preference)


def run_opened(game: Game, column: int | None) -> int:
    """How many cards can be played in a row, without a draw, when the available card of a column is played first.

    That card counts; a draw (None) opens a run of 0.

    Raises:
        Refused: the column's card does not fit.
    """
    if column is None:
        return 0
    after = _after(game, Action(column))
    row, heights, dealt = position(replace(after, stock=()))
    return 1 + len(play_line("longest-run", row, heights, dealt, np.array(game.rules.fits, np.uint64)))


@dataclass(frozen=True)
class _Position:
    """A position with one order of the unseen cards, and where in its row these cards are."""

    deal: Deal
    places: list[int]

    @classmethod
    def of(cls, deal: Deal, unseen: tuple[Card, ...]) -> "_Position":
        return cls(deal, [deal.cards.index(card) for card in unseen])

    def solve(self, orders: NDArray[np.uint8], rules: RuleSet) -> Outcomes:
        rows = np.repeat(np.array([self.deal.cards], np.uint8), len(orders), axis=0)
        rows[:, self.places] = orders
        return solve_rows(rows, self.deal, rules)


def _filled(deal: Deal, unseen: Iterable[Card]) -> Deal:
    cards = iter(unseen)
    return replace(deal, stock=tuple(next(cards) if card == UNSEEN else card for card in deal.stock))


def _after(game: Game, action: Action) -> Deal:
    after = Game(game.left, game.rules)
    after.act(action)
    return after.left


def _moved(game: Game, action: Action) -> Card:
    return game.left.stock[0] if action.column is None else game.columns[action.column][-1]


def _choice(step: Step, outcomes: Outcomes) -> Choice:
    return Choice(step, len(outcomes), int(outcomes.cleared.sum()), int(outcomes.strokes.sum()))
