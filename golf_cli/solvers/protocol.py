"""What a solver is: prepared once for a rule set and a seed, then given batches of deals."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from golf_cli.deals.deal import Deal, laid_out
from golf_cli.game import Action
from golf_cli.rules import Layout, RuleSet
from golf_cli.solvers.outcome import Outcome, Outcomes


@dataclass(frozen=True)
class Deals:
    """A batch of whole deals of one layout, every card known.

    Iterating gives each deal's number and its `Deal`; compiled solvers read the arrays.

    Attributes:
        numbers: uint64[n], the deals' numbers in their numbering.
        cards: uint8[n, m], a row a deal: column by column, each from its covered back card, then the foundation (unless
            it is open), then the stock, first drawn first. A card is `rank << 2 | suit`.
        layout: what lies where in a row.
    """

    numbers: NDArray[np.uint64]
    cards: NDArray[np.uint8]
    layout: Layout

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[tuple[int, Deal]]:
        for number, cards in zip(self.numbers.tolist(), self.cards.tolist(), strict=True):
            yield number, laid_out(cards, self.layout)

    @property
    def heights(self) -> NDArray[np.uint8]:
        """uint8[columns]: cards in each column."""
        return np.full(self.layout.columns, self.layout.depth, np.uint8)

    @property
    def dealt(self) -> bool:
        """Whether a card of each row starts the foundation."""
        return not self.layout.open_foundation


Play = Callable[[Deals], Outcomes | Sequence[Outcome]]
"""A prepared solver: one outcome a deal, in the order of the deals."""

Line = Callable[[int, Deal], Sequence[Action]]
"""A prepared solver asked for one game: the actions from the start to the end, of a deal and its number."""


class Solver(Protocol):
    """A solver or a policy. Derive from it, or offer the same attributes.

    An outcome must depend on the deal, its number, the rules, the solver's options and the seed alone: not on the other
    deals of a batch nor on what was played before. A sweep splits its deals into batches as it likes.
    Rules that it does not play it refuses by a SolverError. A solver may offer `ShowsLines` as well.

    Attributes:
        version: changes whenever the same deal may get another outcome. It is part of what names a sweep.
        summary: what it does, in one line.
        thoughtful: whether it looks at the stock before it is drawn. Only then may it call a deal not clearable.
        compiled: whether `play` runs without the GIL. Batches then go to threads, and `play` may run in several at
            once; otherwise they go to processes, each of which loads and prepares the solver for itself.
        batch: how many deals are stored in one file: what an interrupted sweep may lose, so a minute's work or less.
        counts_games: whether its outcomes carry, beside what came of a deal, the counts of many games of the deal.
    """

    version: ClassVar[str]
    summary: ClassVar[str]
    thoughtful: ClassVar[bool] = False
    compiled: ClassVar[bool] = False
    batch: ClassVar[int] = 256
    counts_games: ClassVar[bool] = False

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        """Do what is done once for a rule set and a seed, and return the function that plays deals."""
        ...


@runtime_checkable
class ShowsLines(Protocol):
    """What a solver may offer beside `Solver`: the actions of a game, which `golf solvers check` replays.

    The line of a deal ends as its outcome says. Of a deal that the solver leaves undecided it may end anywhere.
    """

    def prepare_line(self, rules: RuleSet, seed: int) -> Line:
        """Do what is done once for a rule set and a seed, and return the function that gives lines."""
        ...
