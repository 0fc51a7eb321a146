"""Deals with unseen stock cards: solved over the orders in which those cards may lie."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, permutations
from math import factorial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from golf_cli.cards import UNSEEN, Card
from golf_cli.deals.deal import Deal
from golf_cli.errors import NumberError
from golf_cli.kernels.shuffle import shuffle_rows
from golf_cli.rules import RuleSet
from golf_cli.solvers.exact import solve_rows
from golf_cli.solvers.outcome import Outcomes

MOST_SAMPLES: Final = 1_000_000
BLOCK: Final = 256
"""Orders solved between two moments at which an interrupt is heard."""

LAST_SEED: Final = (1 << 32) - 1


@dataclass(frozen=True)
class Samples:
    """The outcomes of a deal over orders of its unseen stock cards.

    Attributes:
        unseen: the cards, in order of their numbers.
        outcomes: one outcome an order.
        every_order: whether these are all the orders there are, each once, and the shares therefore exact.
        seed: the seed of the sampled orders.
        clear_only: whether only the results are known, not the strokes.
    """

    unseen: tuple[Card, ...]
    outcomes: Outcomes
    every_order: bool
    seed: int
    clear_only: bool

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
        """How many of the decided orders have these best strokes, from the lowest up; empty if not asked for."""
        if self.clear_only:
            return {}
        decided = ~self.outcomes.undecided
        return dict(sorted(Counter(self.outcomes.strokes[decided].tolist()).items()))


def solve_samples(
    deal: Deal,
    rules: RuleSet,
    samples: int = 1000,
    seed: int = 0,
    max_states: int = 0,
    clear_only: bool = False,
) -> Samples:
    """Solve a deal exactly in many orders of its unseen stock cards, each order as likely as another.

    Where there are no more orders than `samples`, every order is solved once instead. Sample i shuffles the unseen
    cards, in order of their numbers, as the project's shuffle does with the key `seed * 2^32 + i`.

    Args:
        deal: a deal with unseen stock cards.
        rules: the rules to play by.
        samples: orders to solve, 1 to 1,000,000.
        seed: 0 to 2^32 - 1.
        max_states: as for `Exact`.
        clear_only: whether only the share that can be cleared is asked for, which is found sooner.

    Raises:
        DealError: the unseen places do not match the missing cards, or the layout is too large for the search.
        NumberError: `samples` or `seed` is out of range.
    """
    orders = stock_orders(deal.unseen, samples, seed)
    row = np.array(deal.cards, np.uint8)
    parts = []
    for block in orders:
        rows = np.repeat(row[np.newaxis], len(block), axis=0)
        rows[:, row == UNSEEN] = block
        parts.append(solve_rows(rows, deal, rules, max_states, clear_only))
    return Samples(deal.unseen, Outcomes.joined(parts), all_orders(deal.unseen, samples), seed, clear_only)


def all_orders(unseen: tuple[Card, ...], samples: int) -> bool:
    """Whether the unseen cards have no more orders than `samples`, so that each is taken once."""
    return factorial(len(unseen)) <= samples


def stock_orders(unseen: tuple[Card, ...], samples: int, seed: int) -> Iterator[NDArray[np.uint8]]:
    """Orders of the unseen cards as `solve_samples` takes them, uint8[block, cards] at a time.

    Raises:
        NumberError: `samples` or `seed` is out of range.
    """
    check_sampling(samples, seed)
    return every_order(unseen) if all_orders(unseen, samples) else sampled_orders(unseen, range(samples), seed)


def check_sampling(samples: int, seed: int, fewest: int = 1) -> None:
    """Raise NumberError unless so many orders can be sampled with this seed."""
    if not fewest <= samples <= MOST_SAMPLES:
        raise NumberError(f"{samples} samples: give {fewest} to {MOST_SAMPLES}")
    if not 0 <= seed <= LAST_SEED:
        raise NumberError(f"seed {seed}: give 0 to {LAST_SEED}")


def every_order(cards: tuple[Card, ...]) -> Iterator[NDArray[np.uint8]]:
    """Each order of some cards once, uint8[block, cards] at a time."""
    orders = permutations(cards)
    while block := list(islice(orders, BLOCK)):
        yield np.array(block, np.uint8).reshape(len(block), len(cards))


def sampled_orders(cards: tuple[Card, ...], which: range, seed: int) -> Iterator[NDArray[np.uint8]]:
    """The sampled orders of some cards with these numbers, 0 ... 2^32 - 1, uint8[block, cards] at a time."""
    row = np.array(cards, np.uint8)
    for first in range(0, len(which), BLOCK):
        yield shuffle_rows(np.array(which[first : first + BLOCK], np.uint64) + np.uint64(seed << 32), row)
