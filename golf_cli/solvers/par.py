"""Par: what a steady player scores on a deal. This text is its definition, version 1.

The steady player is `lookahead,slack=0.75`: of the stops that a run allows it takes any whose value is within three
quarters of a stroke of the best, each as often as another. It does not see the stock. It plays `GAMES` games of the
deal in the deal's own order of the stock, the columns shuffled in each game. They are the games that `difficulty` with
`vary=ties` lays out for a deal of number 0 and the seed 0, whatever the deal is called: so a par depends on the cards
and on the rules alone. It is the mean strokes of these games, rounded half up and held to 3..5.
"""

from dataclasses import replace
from typing import Final

import numpy as np

from golf_cli.rules import RuleSet
from golf_cli.solvers.difficulty import Difficulty, Vary
from golf_cli.solvers.outcome import Outcomes
from golf_cli.solvers.protocol import Deals, Line, Play

DEFINITION: Final = "1"
"""Changes whenever some deal may get another par: with the steady player, its tables of values, or the games."""

STEADY: Final = "lookahead,slack=0.75"
"""The steady player; docs/par.md has the evidence for it."""

GAMES: Final = 1024
"""Games of a deal. Two estimates from so many games each give the same par for 95 % of deals and more."""


class Par:
    """Proves the best strokes of a deal, and counts the games of the steady player that are its par.

    Args:
        max_states: as for `Exact`; the games are counted in any case.

    Raises:
        SolverError: `max_states` has no such value.
    """

    summary = "proves the best strokes, and counts the games of the steady player that make a deal's par"
    thoughtful = True
    compiled = True
    batch = 1 << 10
    counts_games = True

    def __init__(self, max_states: str | int = 0) -> None:
        self._games = Difficulty(STEADY, GAMES, Vary.TIES, max_states)

    @property
    def version(self) -> str:
        """That of the definition, and those of the solvers it plays by."""
        return f"{DEFINITION} (difficulty {self._games.version})"

    def prepare(self, rules: RuleSet, seed: int) -> Play:  # noqa: ARG002 - a par does not depend on it
        """Fix the rules; the seed does not matter, nor do the numbers of the deals."""
        play = self._games.prepare(rules, 0)

        def rate(deals: Deals) -> Outcomes:
            outcomes = play(replace(deals, numbers=np.zeros_like(deals.numbers)))
            assert isinstance(outcomes, Outcomes)  # as Difficulty gives them
            return outcomes

        return rate

    def prepare_line(self, rules: RuleSet, seed: int) -> Line:
        """Lines that reach the best strokes."""
        return self._games.prepare_line(rules, seed)
