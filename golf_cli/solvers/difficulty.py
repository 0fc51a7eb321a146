"""How hard a deal is for people: many games of a policy that does not see the stock, beside the best there is."""

from dataclasses import replace
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from golf_cli.deals.numbers import parse_number
from golf_cli.errors import NumberError, PluginError, SolverError
from golf_cli.kernels.variations import vary_rows
from golf_cli.rules import RuleSet
from golf_cli.solvers import registry
from golf_cli.solvers.answers import checked
from golf_cli.solvers.exact import Exact
from golf_cli.solvers.outcome import MOST_GAMES, GamesOfDeals, Outcomes
from golf_cli.solvers.protocol import Deals, Line, Play

BLOCK: Final = 1 << 14
"""Games laid out at a time: their cards fit into a processor's cache."""


class Vary(StrEnum):
    """What differs from game to game of a deal."""

    ORDERS = "orders"
    TIES = "ties"
    BOTH = "both"


class Difficulty:
    """Proves the best strokes of a deal, and counts how a policy fares in many games of it.

    In every game other columns come first, so that ties break otherwise (`ties`), or the stock lies in another order
    (`orders`), or both; and a policy that plays at random is given another number. The best strokes are those of the
    deal as it lies.

    Args:
        policy: a solver that does not look at the stock, by its name or as `module:object`.
        games: how many games of each deal, 1 to `MOST_GAMES`.
        vary: `orders`, `ties` or `both`.
        max_states: as for `Exact`; the games are counted in any case.
        options: are the policy's.

    Attributes:
        policy: the policy, made with its options.

    Raises:
        SolverError: an option has no such value, or there is no such policy; PluginError where one from outside golf
            could not be loaded.
    """

    summary = "proves the best strokes, and counts how a policy fares in many games of each deal"
    thoughtful = True
    counts_games = True

    def __init__(
        self,
        policy: str = "lookahead",
        games: str | int = 64,
        vary: str = Vary.ORDERS,
        max_states: str | int = 0,
        **options: str,
    ) -> None:
        self.policy = registry.find(",".join([policy, *(f"{name}={value}" for name, value in options.items())]))
        if self.policy.solver.thoughtful:
            raise SolverError(
                f"{policy} looks at the stock, which people cannot: give difficulty a policy that does not"
            )
        try:
            self._games = parse_number(str(games), 1, MOST_GAMES, "a number of games")
            self._vary = Vary(vary)
        except NumberError as error:
            raise SolverError(f"difficulty: {error}") from None
        except ValueError:
            raise SolverError(f"difficulty cannot vary '{vary}': give {', '.join(Vary)}") from None
        self._exact = Exact(max_states)

    @property
    def version(self) -> str:
        """Its own, and those of the solvers it plays by."""
        return f"1 (exact {self._exact.version}, policy {self.policy.solver.version})"

    @property
    def compiled(self) -> bool:
        """Whether the policy is."""
        return self.policy.solver.compiled

    @property
    def batch(self) -> int:
        """Deals in as many games as the policy has in a batch; no more than the exact solver has."""
        return min(self._exact.batch, -(-self.policy.solver.batch // self._games))

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        """Fix the rules and the seed, which decides on the games."""
        best, policy = self._exact.prepare(rules, seed), self.policy.solver.prepare(rules, seed)

        def play(deals: Deals) -> Outcomes:
            outcomes = best(deals)
            assert isinstance(outcomes, Outcomes)  # as the exact solver gives them
            return replace(outcomes, games=self._counted(policy, deals, seed))

        return play

    def prepare_line(self, rules: RuleSet, seed: int) -> Line:
        """Lines that reach the best strokes."""
        return self._exact.prepare_line(rules, seed)

    def _counted(self, policy: Play, deals: Deals, seed: int) -> GamesOfDeals:
        """All games of all deals, played a block at a time."""
        cleared, strokes, squared = np.zeros((3, len(deals)), np.int64)
        total = len(deals) * self._games
        for first in range(0, total, BLOCK):
            games = np.arange(first, min(first + BLOCK, total), dtype=np.uint64)
            places, games = np.divmod(games, np.uint64(self._games))
            played = self._played(policy, deals, seed, places, games)
            scores = played.strokes.astype(np.int64)
            for counts, values in ((cleared, played.cleared), (strokes, scores), (squared, scores**2)):
                np.add.at(counts, places, values)
        return GamesOfDeals(
            np.full(len(deals), self._games, np.uint32),
            cleared.astype(np.uint32),
            strokes.astype(np.int32),
            squared.astype(np.uint32),
        )

    def _played(
        self, policy: Play, deals: Deals, seed: int, places: NDArray[np.uint64], games: NDArray[np.uint64]
    ) -> Outcomes:
        """What comes of games, each of the deal in its place.

        Raises:
            PluginError: a policy from outside golf returned what no game can end in, or did not play to the end.
        """
        ties, orders = self._vary is not Vary.ORDERS, self._vary is not Vary.TIES
        rows, numbers = vary_rows(
            deals.cards, deals.numbers, deals.heights, deals.layout.stock, seed, places, games, ties, orders
        )
        answer = policy(Deals(numbers, rows, deals.layout))
        # What is told of a game names the deal.
        played = checked(answer, Deals(deals.numbers[places], rows, deals.layout), self.policy.solver)
        if played.undecided.any():
            game = int(np.argmax(played.undecided))
            raise PluginError(
                f"the policy {self.policy.text} left game {games[game]} of deal {deals.numbers[places[game]]} "
                "undecided: games are counted by how they end"
            )
        return played
