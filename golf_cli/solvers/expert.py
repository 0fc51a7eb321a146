"""The expert: a policy that looks ahead to the end of the game, over all cards that may come."""

from functools import partial

import numpy as np

from golf_cli.deals.deal import Deal
from golf_cli.deals.numbers import parse_number
from golf_cli.errors import NumberError, SolverError
from golf_cli.game import Action
from golf_cli.kernels.outlook import CLEAR, STROKES, play_line, play_rows
from golf_cli.rules import RuleSet
from golf_cli.solvers.exact import actions_of, position
from golf_cli.solvers.outcome import Outcomes
from golf_cli.solvers.policies import outcomes
from golf_cli.solvers.protocol import Deals, Line, Play, Solver

OBJECTIVES = {"clear": CLEAR, "strokes": STROKES}


class Expert(Solver):
    """Stops each run where the rest of the game is worth most, in the mean over the unseen cards.

    Args:
        objective: `strokes`, few strokes in the mean, or `clear`, to clear as often as can be.
        candidates: how many stops are compared by games, 1 to 64; with 1 none is.
        samples: how many games for each of them, 0 to 2^20; the better half plays twice as many more, and so on.

    Raises:
        SolverError: an option has no such value.
    """

    version = "2"
    summary = "stops each run where the rest of the game is worth most, in the mean over the unseen cards"
    compiled = True
    batch = 256

    def __init__(self, objective: str = "strokes", candidates: str = "16", samples: str = "50") -> None:
        if objective not in OBJECTIVES:
            raise SolverError(f"expert has no objective '{objective}': give {' or '.join(OBJECTIVES)}")
        self._objective = OBJECTIVES[objective]
        try:
            self._candidates = parse_number(candidates, 1, 64, "a number of candidates")
            self._samples = parse_number(samples, 0, 1 << 20, "a number of samples")
        except NumberError as error:
            raise SolverError(f"expert: {error}") from None

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        """Fix the rules and the seed, which drives the games that are played to compare."""
        return partial(self._play, rules, seed)

    def prepare_line(self, rules: RuleSet, seed: int) -> Line:
        """The games that `prepare` plays, action by action."""
        return partial(self._line, rules, seed)

    def _play(self, rules: RuleSet, seed: int, deals: Deals) -> Outcomes:
        games = play_rows(
            self._objective,
            deals.cards,
            deals.heights,
            deals.dealt,
            np.array(rules.fits, np.uint64),
            rules.draw_when_stuck,
            deals.numbers,
            seed,
            self._candidates,
            self._samples,
        )
        return outcomes(games)

    def _line(self, rules: RuleSet, seed: int, number: int, deal: Deal) -> tuple[Action, ...]:
        cards, heights, dealt = position(deal)
        fits = np.array(rules.fits, np.uint64)
        strict = rules.draw_when_stuck
        line = play_line(
            self._objective, cards, heights, dealt, fits, strict, number, seed, self._candidates, self._samples
        )
        return actions_of(line)
