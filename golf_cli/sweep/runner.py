"""Who plays a plan: batches of deals on threads or processes, and one writer that stores what comes back."""

import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from golf_cli.errors import GolfError, PluginError
from golf_cli.solvers import registry
from golf_cli.solvers.outcome import RESULTS, Outcome, Outcomes
from golf_cli.solvers.protocol import Deals, Play
from golf_cli.sweep.dealing import deal_interval
from golf_cli.sweep.plan import Interval, Plan, Task
from golf_cli.sweep.store import Store


@dataclass(frozen=True)
class Done:
    """An interval that has just been stored."""

    task: Task
    interval: Interval
    cleared: int
    undecided: int


def collect(plan: Plan, directory: Path, workers: int | None = None, batch: int | None = None) -> Store:
    """Play what a directory does not hold yet of a plan, store it there, and return the dataset.

    The arguments and errors are those of `run` and `Store`.
    """
    store = Store(directory)
    for _ in run(plan, store, workers, batch):
        pass
    return store


def run(plan: Plan, store: Store, workers: int | None = None, batch: int | None = None) -> Iterator[Done]:
    """Play what the store does not hold yet of a plan, and store it. Lazy: nothing happens before the first `next`.

    The rows stored depend on the plan alone. A file holds one batch; batches are cut at multiples of the batch size,
    so that the files too depend on nothing but the plan and the batch size, whatever the number of workers and the
    order in which they finish.

    Args:
        plan: what to play.
        store: where to store it.
        workers: how many batches are played at once; all processors if None.
        batch: deals in a batch and a file; the solver's own figure if None.

    Raises:
        DatasetError: the store holds something else, or cannot be written.
        PluginError: a solver from outside golf failed.
    """
    missing = {task: store.missing(task, plan.interval) for task in plan.tasks}
    store.prepare(task for task, intervals in missing.items() if intervals)
    for task, intervals in missing.items():
        size = batch or _named(task.solver).solver.batch
        batches = [part for interval in intervals for part in interval.cut(size)]
        if batches:
            yield from _run_task(task, batches, store, workers or os.cpu_count() or 1)


def _run_task(task: Task, batches: Sequence[Interval], store: Store, workers: int) -> Iterator[Done]:
    # Before any worker starts: compiles the kernels once, in one process (two that write Numba's cache at once can
    # crash), and finds out here whether a solver works at all.
    play_interval(task, Interval(batches[0].first, batches[0].first + 1))
    executor = _executor(task, min(workers, len(batches)))
    try:
        for interval, outcomes in _play_all(executor, task, batches, 2 * workers):
            store.write(task, interval, outcomes)
            yield Done(task, interval, int(outcomes.cleared.sum()), int(outcomes.undecided.sum()))
    except BrokenProcessPool as error:
        raise PluginError(f"the solver {task.solver} ended its worker process: golf cannot go on with it") from error
    finally:
        executor.shutdown(cancel_futures=True)


def _executor(task: Task, workers: int) -> Executor:
    if _named(task.solver).solver.compiled:
        return ThreadPoolExecutor(workers)
    # Never fork: polars has threads running whose locks a forked child would wait for.
    return ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), initializer=_leave_interrupts_to_parent)


def _leave_interrupts_to_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _play_all(
    executor: Executor, task: Task, batches: Sequence[Interval], in_flight: int
) -> Iterator[tuple[Interval, Outcomes]]:
    """Play batches, a bounded number at a time so that memory does not grow with the sweep, as they finish."""
    waiting = iter(batches)
    running: dict[Future[Outcomes], Interval] = {}
    while True:
        for interval in waiting:
            running[executor.submit(play_interval, task, interval)] = interval
            if len(running) >= in_flight:
                break
        if not running:
            return
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            yield running.pop(future), future.result()


def play_interval(task: Task, interval: Interval) -> Outcomes:
    """Play the deals of an interval, in the order of their numbers.

    Raises:
        PluginError: a solver from outside golf raised, or returned what no game can end in.
    """
    deals = deal_interval(task.numbering, interval, task.rules.layout)
    try:
        played = _prepared(task)(deals)
        return _checked(played, deals)
    except GolfError:
        raise
    except Exception as error:
        if _named(task.solver).built_in:
            raise
        raise PluginError(
            f"the solver {task.solver} failed on the deals {interval} of {task.numbering}: {registry.describe(error)}"
        ) from error


@lru_cache(maxsize=16)
def _named(solver: str) -> registry.Named:
    return registry.find(solver)


@lru_cache(maxsize=16)
def _prepared(task: Task) -> Play:
    return _named(task.solver).solver.prepare(task.rules, task.seed)


def _checked(played: Outcomes | Sequence[Outcome], deals: Deals) -> Outcomes:
    """Outcomes that some game of these deals can end in, or a PluginError that names the first deal that has none."""
    outcomes = played if isinstance(played, Outcomes) else Outcomes.of(list(played))
    if len(outcomes) != len(deals):
        raise PluginError(f"a solver returned {len(outcomes)} outcomes for {len(deals)} deals: one a deal is needed")
    layout = deals.layout
    cleared, undecided = outcomes.cleared, outcomes.undecided
    sound = (
        (outcomes.results < len(RESULTS))
        & (outcomes.cards_left <= layout.tableau)
        & (outcomes.stock_left <= layout.stock)
        & (undecided | (cleared == (outcomes.cards_left == 0)))
        & (cleared | undecided | (outcomes.stock_left == 0))
    )
    if not sound.all():
        worst = int(np.argmin(sound))
        raise PluginError(
            f"a solver returned {outcomes[worst]} for deal {deals.numbers[worst]}: no game ends so; cleared means no "
            f"cards left, and a game with cards left ends with the stock drawn out"
        )
    return outcomes
