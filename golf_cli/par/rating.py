"""The par of a deal, and what stands beside it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from golf_cli.cards import cards_text
from golf_cli.deals.deal import Deal
from golf_cli.errors import DealError
from golf_cli.rules import RuleSet
from golf_cli.solvers.outcome import Games, Outcome, Outcomes, Result
from golf_cli.solvers.par import Par
from golf_cli.solvers.protocol import Deals, Play
from golf_cli.stats.intervals import standard_error
from golf_cli.wording import counted


@dataclass(frozen=True)
class Rating:
    """How the steady player fares on a deal, and what the best play comes to.

    Attributes:
        games: the steady player's games.
        clearable: whether the deal can be cleared by somebody who knows the stock.
        optimum: the strokes of the best possible play: where it is not clearable, the fewest cards left.
    """

    games: Games
    clearable: bool
    optimum: int

    @classmethod
    def of(cls, outcome: Outcome, strokes: int) -> "Rating":
        """The rating that an outcome of the solver `par` and its strokes tell."""
        assert outcome.games is not None  # as that solver has them
        return cls(outcome.games, outcome.result is Result.CLEARED, strokes)

    @property
    def par(self) -> int:
        """The deal's par: 3, 4 or 5."""
        return self.games.par

    @property
    def mean_strokes(self) -> float:
        """Mean strokes of the games, neither rounded nor held."""
        return self.games.strokes / self.games.games

    @property
    def standard_error(self) -> float:
        """The standard error of the mean strokes."""
        return standard_error(self.games.strokes, self.games.strokes_squared, self.games.games)

    @property
    def win_probability(self) -> float:
        """The share of the games that cleared the deal."""
        return self.games.cleared / self.games.games

    def record(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "par": self.par,
            "mean_strokes": self.mean_strokes,
            "standard_error": self.standard_error,
            "win_probability": self.win_probability,
            "clearable": self.clearable,
            "optimum": self.optimum,
        }


def rate(deals: Deals, rules: RuleSet) -> list[Rating]:
    """Rate each of a batch of deals; their numbers do not matter. May run in several threads at once."""
    outcomes = _play(rules)(deals)
    assert isinstance(outcomes, Outcomes)  # as the solver par gives them
    return [Rating.of(outcomes[place], strokes) for place, strokes in enumerate(outcomes.strokes.tolist())]


def rate_deal(deal: Deal, rules: RuleSet) -> Rating:
    """Rate one deal.

    Raises:
        DealError: it is no whole deal, stock cards in it are unseen, or the rules deal into another layout.
    """
    layout = deal.layout_of()
    if deal.unseen:
        raise DealError(
            f"{counted(len(deal.unseen), 'unseen stock card')} ({cards_text(deal.unseen)}), and a par is of the deal "
            "with its stock: give their order with --stock"
        )
    if layout != rules.layout:
        raise DealError(f"the deal is not laid out as {rules} rules lay deals out")
    (rating,) = rate(deals_of([deal]), rules)
    return rating


def deals_of(deals: Sequence[Deal]) -> Deals:
    """Whole deals of one layout as a batch, at least one; they are numbered 0."""
    rows = np.array([deal.cards for deal in deals], np.uint8)
    return Deals(np.zeros(len(deals), np.uint64), rows, deals[0].layout_of())


@cache
def _play(rules: RuleSet) -> Play:
    return Par().prepare(rules, 0)
