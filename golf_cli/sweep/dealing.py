"""Whole intervals of deal numbers dealt into arrays."""

import numpy as np
from numpy.typing import NDArray

from golf_cli.cards import deck
from golf_cli.deals import registry
from golf_cli.deals.numberings import LAST_MS_OF_PYSOL, NUMBERINGS
from golf_cli.kernels.shuffle import ms_rows, shuffle_rows
from golf_cli.rules import Layout
from golf_cli.solvers.protocol import Deals
from golf_cli.sweep.plan import Interval


def deal_interval(numbering: str, interval: Interval, layout: Layout) -> Deals:
    """Deal every number of an interval.

    A documented deal with unseen stock cards is completed with those cards in the order in which the number's own
    shuffle deals them.

    Raises:
        NumberError: the numbering deals no such number.
        DealError: it does not deal into this layout.
    """
    numbers = np.arange(len(interval), dtype=np.uint64) + np.uint64(interval.first)
    if numbering == "go1":
        return Deals(numbers, _go1(numbers, layout), layout)
    NUMBERINGS[numbering].deal(interval.first, layout)  # raises where numbers or layout are not this numbering's
    return Deals(numbers, ms_rows(interval.first, len(interval)) if numbering == "ms" else _pysol(interval), layout)


def _go1(numbers: NDArray[np.uint64], layout: Layout) -> NDArray[np.uint8]:
    rows = shuffle_rows(numbers, np.array(deck(layout.jokers), np.uint8))
    for number in registry.documented_numbers(layout):
        if numbers[0] <= number <= numbers[-1]:
            rows[number - int(numbers[0])] = registry.complete(number, layout).cards
    return rows


def _pysol(interval: Interval) -> NDArray[np.uint8]:
    """Microsoft deals up to the border, and beyond it Python's own generator, deal by deal."""
    border = min(max(LAST_MS_OF_PYSOL + 1, interval.first), interval.stop)
    ms = ms_rows(interval.first, border - interval.first)
    numbering, layout = NUMBERINGS["pysol"], Layout()
    rest = [numbering.deal(number, layout).cards for number in range(border, interval.stop)]
    return np.concatenate([ms, np.array(rest, np.uint8).reshape(-1, layout.cards)])
