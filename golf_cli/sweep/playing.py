"""One interval played by one solver: dealt, played, and checked against what a game can end in."""

import multiprocessing
import threading
from collections.abc import Sequence
from functools import cache
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from golf_cli.errors import PluginError
from golf_cli.rules import Layout
from golf_cli.solvers import registry
from golf_cli.solvers.outcome import RESULTS, Outcome, Outcomes, Result
from golf_cli.solvers.protocol import Deals, Play
from golf_cli.sweep.dealing import deal_interval
from golf_cli.sweep.plan import Interval, Task

ENDS: Final = "cleared means no cards left, and a game with cards left ends with the stock drawn out"
"""What an outcome has to be, in words."""


def play_interval(task: Task, interval: Interval) -> Outcomes:
    """Play the deals of an interval, in the order of their numbers.

    Raises:
        PluginError: a solver from outside golf raised, or returned what no game can end in.
    """
    deals = deal_interval(task.numbering, interval, task.rules.layout)
    named = named_solver(task.solver)
    if named.solver.version != task.solver_version:
        raise PluginError(
            f"the solver {named.text} has version {named.solver.version} here, and version {task.solver_version} is to "
            "be played: it changed while golf was running; run the same command again"
        )
    if named.built_in:
        return _checked(_prepared(task)(deals), deals, named)
    failed = f"the solver {named.text} failed on {interval.words} of {task.numbering}"
    with registry.blaming(failed):
        play = _prepared(task)
    with registry.blaming(failed, passing=(KeyboardInterrupt,) if _hears_interrupts() else ()):
        return _checked(play(deals), deals, named)


def _hears_interrupts() -> bool:
    """Whether an interrupt may strike here: workers are processes that ignore it, or threads, which it passes by."""
    return threading.current_thread() is threading.main_thread() and multiprocessing.parent_process() is None


@cache
def named_solver(text: str) -> registry.Named:
    """A solver by its text, made once in a process."""
    return registry.find(text)


@cache
def _prepared(task: Task) -> Play:
    return named_solver(task.solver).solver.prepare(task.rules, task.seed)


def _checked(played: Outcomes | Sequence[Outcome], deals: Deals, named: registry.Named) -> Outcomes:
    """Outcomes that some game of these deals can end in, or a PluginError that names the first deal that has none."""
    results, cards_left, stock_left = ends = columns(played, len(deals))
    sound = can_end(ends, deals.layout)
    if not sound.all():
        worst = int(np.argmin(sound))
        raise PluginError(
            f"it returned result {results[worst]} with {cards_left[worst]} cards and {stock_left[worst]} stock cards "
            f"left for deal {deals.numbers[worst]}: no game ends so; {ENDS}"
        )
    proved = results == Result.NOT_CLEARABLE.code
    if proved.any() and not named.solver.thoughtful:
        raise PluginError(
            f"it called deal {deals.numbers[int(np.argmax(proved))]} not clearable, which is a proof, and does not "
            "look at the stock: a game that ends with cards left is blocked"
        )
    return Outcomes(*(column.astype(np.uint8, copy=False) for column in ends))


def can_end(ends: Sequence[NDArray[np.integer]], layout: Layout) -> NDArray[np.bool_]:
    """bool[n]: which of n outcomes, given as `columns` gives them, some game of this layout can end in."""
    results, cards_left, stock_left = ends
    cleared = results == Result.CLEARED.code
    undecided = np.isin(results, [result.code for result in Result if not result.decided])
    sound: NDArray[np.bool_] = (
        (results >= 0)
        & (results < len(RESULTS))
        & (cards_left >= 0)
        & (cards_left <= layout.tableau)
        & (stock_left >= 0)
        & (stock_left <= layout.stock)
        & (undecided | (cleared == (cards_left == 0)))
        & (cleared | undecided | (stock_left == 0))
    )
    return sound


def columns(played: Outcomes | Sequence[Outcome], count: int) -> list[NDArray[np.integer]]:
    """Copies of the three columns of outcomes: results, cards left and stock left, uint8[count] or int64[count].

    Raises:
        PluginError: they are anything else.
    """
    if isinstance(played, Outcomes):
        found = [played.results, played.cards_left, played.stock_left]
    else:
        # Of an endless answer no more than shows that it is too long.
        rows = [(outcome.result.code, outcome.cards_left, outcome.stock_left) for outcome in islice(played, count + 1)]
        found = [np.array([row[index] for row in rows]) for index in range(3)]
    for column in found:
        if not isinstance(column, np.ndarray) or column.shape != (count,):
            shape = getattr(column, "shape", type(column).__name__)
            raise PluginError(f"it returned outcomes of shape {shape} for {count} deals: one a deal is needed")
        if column.dtype.kind not in "iu":
            raise PluginError(f"it returned {column.dtype} where whole numbers are needed")
    # Bytes are what golf's own solvers return, and as such they are looked at in a fifth of the time.
    return [column.astype(np.uint8 if column.dtype == np.uint8 else np.int64) for column in found]
