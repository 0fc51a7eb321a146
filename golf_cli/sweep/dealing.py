"""Whole intervals of deal numbers dealt into arrays, each numbering in its own fast way."""

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from golf_cli.cards import deck
from golf_cli.deals import registry
from golf_cli.deals.numberings import LAST_MS_OF_PYSOL, mersenne, numbering
from golf_cli.kernels.shuffle import ms_rows, shuffle_rows
from golf_cli.rules import Layout
from golf_cli.solvers.protocol import Deals
from golf_cli.sweep.plan import Interval

Rows = NDArray[np.uint8]


def deal_interval(name: str, interval: Interval, layout: Layout) -> Deals:
    """Deal every number of an interval of a numbering.

    A documented deal with unseen stock cards is completed with those cards in the order in which the number's own
    shuffle deals them.

    Raises:
        NumberError: there is no such numbering, or it deals no such number.
        DealError: it does not deal into this layout.
    """
    dealer = numbering(name)
    dealer.check(interval.stop - 1)
    dealer.deal(interval.first, layout)  # raises where the first number or the layout is not this numbering's
    numbers = np.arange(interval.size, dtype=np.uint64) + np.uint64(interval.first)
    return Deals(numbers, _ROWS[dealer.name](interval, layout), layout)


def _go1(interval: Interval, layout: Layout) -> Rows:
    keys = np.arange(interval.size, dtype=np.uint64) + np.uint64(interval.first)
    rows = shuffle_rows(keys, np.array(deck(layout.jokers), np.uint8))
    for number in registry.documented_numbers(layout):
        if interval.first <= number < interval.stop:
            rows[number - interval.first] = registry.complete(number, layout).cards
    return rows


def _ms(interval: Interval, layout: Layout) -> Rows:  # noqa: ARG001 - there is one layout
    return ms_rows(interval.first, interval.size)


def _pysol(interval: Interval, layout: Layout) -> Rows:
    """Microsoft deals up to the border, and beyond it Python's own generator, deal by deal."""
    border = min(max(LAST_MS_OF_PYSOL + 1, interval.first), interval.stop)
    rest = np.array([mersenne(number) for number in range(border, interval.stop)], np.uint8)
    return np.concatenate([ms_rows(interval.first, border - interval.first), rest.reshape(-1, layout.cards)])


_ROWS: Final[Mapping[str, Callable[[Interval, Layout], Rows]]] = {"go1": _go1, "ms": _ms, "pysol": _pysol}
