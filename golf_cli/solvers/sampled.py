"""Deals with unseen stock cards: solved over the orders in which those cards may lie."""

from collections import Counter
from dataclasses import dataclass
from itertools import permutations
from math import factorial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from golf_cli import scoring
from golf_cli.cards import UNSEEN
from golf_cli.deals.deal import Deal
from golf_cli.errors import NumberError
from golf_cli.kernels.shuffle import shuffle_rows
from golf_cli.rules import RuleSet
from golf_cli.solvers.exact import solve_rows
from golf_cli.solvers.outcome import Outcomes

MOST_SAMPLES: Final = 1 << 32
LAST_SEED: Final = (1 << 32) - 1


@dataclass(frozen=True)
class Samples:
    """The outcomes of a deal over orders of its unseen stock cards.

    Attributes:
        outcomes: one outcome an order.
        every_order: whether these are all the orders there are, each once, and the shares therefore exact.
    """

    outcomes: Outcomes
    every_order: bool

    @property
    def count(self) -> int:
        """Orders solved."""
        return len(self.outcomes)

    @property
    def cleared(self) -> int:
        """Orders in which the deal can be cleared."""
        return int(self.outcomes.cleared.sum())

    @property
    def undecided(self) -> int:
        """Orders left undecided at the limit on states."""
        return int(self.outcomes.undecided.sum())

    @property
    def share(self) -> float | None:
        """The share of the decided orders in which the deal can be cleared; None where none is decided."""
        decided = self.count - self.undecided
        return self.cleared / decided if decided else None

    @property
    def strokes(self) -> dict[int, int]:
        """How many of the decided orders have these best strokes, from the lowest strokes to the highest."""
        decided = ~self.outcomes.undecided
        ends = zip(self.outcomes.cards_left[decided].tolist(), self.outcomes.stock_left[decided].tolist(), strict=True)
        return dict(sorted(Counter(scoring.strokes(cards, stock) for cards, stock in ends).items()))


def solve_samples(deal: Deal, rules: RuleSet, samples: int = 1000, seed: int = 0, max_states: int = 0) -> Samples:
    """Solve a deal exactly in many orders of its unseen stock cards, each order as likely as another.

    Where there are no more orders than `samples`, every order is solved once instead. Sample i shuffles the unseen
    cards, in order of their numbers, as the project's shuffle does with the key `seed * 2^32 + i`.

    Args:
        deal: a deal with unseen stock cards.
        rules: the rules to play by.
        samples: orders to solve, 1 to 2^32.
        seed: 0 to 2^32 - 1.
        max_states: as for `solve`.

    Raises:
        DealError: the unseen places do not match the missing cards, or the layout is too large for the search.
        NumberError: `samples` or `seed` is out of range.
    """
    if not 1 <= samples <= MOST_SAMPLES:
        raise NumberError(f"{samples} samples: give 1 to {MOST_SAMPLES}")
    if not 0 <= seed <= LAST_SEED:
        raise NumberError(f"seed {seed}: give 0 to {LAST_SEED}")
    unseen = np.array(deal.unseen, np.uint8)
    every_order = factorial(len(unseen)) <= samples
    orders = _every_order(unseen) if every_order else shuffle_rows(_keys(samples, seed), unseen)
    row = np.array(deal.cards, np.uint8)
    rows = np.repeat(row[np.newaxis], len(orders), axis=0)
    rows[:, row == UNSEEN] = orders
    return Samples(solve_rows(rows, deal, rules, max_states), every_order)


def _every_order(cards: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.array(list(permutations(cards.tolist())), np.uint8).reshape(-1, len(cards))


def _keys(samples: int, seed: int) -> NDArray[np.uint64]:
    return np.arange(samples, dtype=np.uint64) + np.uint64(seed << 32)
