"""The policies: players who do not see the stock."""

from functools import partial
from typing import ClassVar

import numpy as np

from golf_cli.deals.deal import Deal
from golf_cli.game import Action
from golf_cli.kernels.playout import Playouts, play_line, play_rows
from golf_cli.rules import RuleSet
from golf_cli.solvers.exact import actions_of, position
from golf_cli.solvers.outcome import Outcomes, Result
from golf_cli.solvers.protocol import Deals, Line, Play, Solver


class _Policy(Solver):
    """A policy whose games a kernel plays."""

    name: ClassVar[str]
    version = "1"
    compiled = True
    batch = 1 << 17

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        """Fix the rules and the seed; the seed matters to policies that choose at random."""
        return partial(_play, self.name, np.array(rules.fits, np.uint64), seed)

    def prepare_line(self, rules: RuleSet, seed: int) -> Line:
        """The games that `prepare` plays, action by action."""
        return partial(_line, self.name, np.array(rules.fits, np.uint64), seed)


def _play(name: str, fits: np.typing.NDArray[np.uint64], seed: int, deals: Deals) -> Outcomes:
    return outcomes(play_rows(name, deals.cards, deals.heights, deals.dealt, fits, deals.numbers, seed))


def _line(name: str, fits: np.typing.NDArray[np.uint64], seed: int, number: int, deal: Deal) -> tuple[Action, ...]:
    cards, heights, dealt = position(deal)
    return actions_of(play_line(name, cards, heights, dealt, fits, number, seed))


def outcomes(playouts: Playouts) -> Outcomes:
    """Games played to their end as outcomes: cleared or blocked."""
    results = np.where(playouts.cards_left == 0, np.uint8(Result.CLEARED.code), np.uint8(Result.BLOCKED.code))
    return Outcomes(results, playouts.cards_left, playouts.stock_left)


class Random(_Policy):
    """Plays a card that fits, each as likely as another; draws when none fits."""

    name = "random"
    summary = "plays a card that fits, each as likely as another; draws when none fits"


class Leftmost(_Policy):
    """Plays the leftmost card that fits; draws when none fits."""

    name = "leftmost"
    summary = "plays the leftmost card that fits; draws when none fits"


class LongestColumn(_Policy):
    """Plays from the longest column whose card fits, the leftmost of equals; draws when none fits."""

    name = "longest-column"
    summary = "plays from the longest column whose card fits, the leftmost of equals; draws when none fits"


class LongestRun(_Policy):
    """Plays the longest run the tableau allows before the next draw."""

    name = "longest-run"
    summary = "plays the longest run of cards the tableau allows, then draws"
