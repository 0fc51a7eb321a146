"""Who plays a plan: pieces of batches on threads or processes, and one writer that stores what comes back."""

import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from golf_cli.errors import NumberError, PluginError
from golf_cli.solvers.outcome import Outcomes
from golf_cli.sweep.plan import Interval, Plan, Task
from golf_cli.sweep.playing import named_solver, play_interval
from golf_cli.sweep.store import Store

HEARING: Final = 0.2
"""Seconds after which an interrupt is heard at the latest, while every worker is busy."""

MOST_WORKERS: Final = 1024
MOST_IN_A_FILE: Final = 10_000_000

PIECE_SECONDS: Final = 0.5
"""How long a piece of work is to take: so long that handing it out costs little, so short that a sweep stops soon."""


@dataclass(frozen=True)
class Done:
    """Deals that have just been played.

    Attributes:
        task: who played what.
        interval: the deals. They are stored once all of their file are played.
        cleared: how many were cleared.
        undecided: how many the solver left undecided.
        left: how many deals of the plan are still to be played.
    """

    task: Task
    interval: Interval
    cleared: int
    undecided: int
    left: int


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
        workers: how many threads or processes play; as many as there are processors if None.
        batch: deals in a file; the solver's own figure if None.

    Raises:
        NumberError: `workers` or `batch` is out of range.
        DatasetError: the store holds something else, or cannot be written.
        PluginError: a solver from outside golf failed.
    """
    if workers is not None and not 1 <= workers <= MOST_WORKERS:
        raise NumberError(f"{workers} workers: give 1 to {MOST_WORKERS}")
    if batch is not None and not 1 <= batch <= MOST_IN_A_FILE:
        raise NumberError(f"{batch} deals in a file: give 1 to {MOST_IN_A_FILE}")
    todo = store.todo(plan)
    for task, intervals in todo.items():
        _try_out(task, intervals[0].first)
    if not todo:
        return
    with store.writing():
        todo = store.todo(plan)  # somebody else may have written meanwhile
        left = sum(interval.size for intervals in todo.values() for interval in intervals)
        for task, intervals in todo.items():
            store.prepare(task, [plan.interval])
            size = batch or named_solver(task.solver).solver.batch
            for piece, outcomes in _run_task(task, intervals, size, store, workers or os.cpu_count() or 1):
                left -= piece.size
                yield Done(task, piece, int(outcomes.cleared.sum()), int(outcomes.undecided.sum()), left)


def _try_out(task: Task, number: int) -> None:
    """Play one deal before any worker starts.

    It compiles the kernels once, in one process (two that write Numba's cache at once can crash), and shows whether a
    solver works at all before anything is written.
    """
    with redirect_stdout(sys.stderr):
        play_interval(task, Interval(number, number + 1))


def _run_task(
    task: Task, intervals: Sequence[Interval], size: int, store: Store, workers: int
) -> Iterator[tuple[Interval, Outcomes]]:
    gathering: dict[Interval, _Gathering] = {}
    others = set(multiprocessing.active_children())
    executor = _executor(task, workers)
    try:
        for batch, piece, outcomes in _play_all(executor, task, _Pieces(intervals, size, workers), workers):
            gathering.setdefault(batch, _Gathering(batch)).add(piece, outcomes)
            if gathering[batch].is_whole:
                store.write(task, batch, gathering.pop(batch).outcomes)
            yield piece, outcomes
    except BrokenProcessPool as error:
        raise PluginError(
            f"the solver {task.solver} ended its worker process, or the process could not start: a script that sweeps "
            "with a solver in plain Python does so under `if __name__ == '__main__':`"
        ) from error
    except BaseException:
        # Whatever it is, nobody waits for the pieces that are being played; those of a hanging solver would never end.
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        raise
    finally:
        executor.shutdown(cancel_futures=True)


class _Gathering:
    """The pieces of one batch as they come in, in any order."""

    def __init__(self, batch: Interval) -> None:
        self._missing = batch.size
        self._pieces: dict[Interval, Outcomes] = {}

    def add(self, piece: Interval, outcomes: Outcomes) -> None:
        self._pieces[piece] = outcomes
        self._missing -= piece.size

    @property
    def is_whole(self) -> bool:
        return not self._missing

    @property
    def outcomes(self) -> Outcomes:
        return Outcomes.joined([self._pieces[piece] for piece in sorted(self._pieces)])


def _executor(task: Task, workers: int) -> Executor:
    if named_solver(task.solver).solver.compiled:
        return ThreadPoolExecutor(workers)
    # Never fork: polars has threads running whose locks a forked child would wait for.
    return ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), initializer=_begin_worker)


def _begin_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends its workers
    sys.stdout = sys.stderr  # what a solver prints is not what the command prints


def _play_all(
    executor: Executor, task: Task, pieces: "_Pieces", workers: int
) -> Iterator[tuple[Interval, Interval, Outcomes]]:
    """Play piece by piece: each piece's batch, the piece and its outcomes, as they finish.

    Twice as many pieces as workers are on the way at a time, so that no worker waits and memory does not grow with the
    sweep. A piece is as large as the solver's pace allows; its size is no matter to what is stored.
    """
    running: dict[Future[tuple[Outcomes, float]], tuple[Interval, Interval]] = {}
    while True:
        while len(running) < 2 * workers and (piece := pieces.next()):
            running[executor.submit(_timed_play, task, piece[1])] = piece
        if not running:
            return
        # In short waits: with polars loaded, a wait without end would not hear an interrupt.
        for future in wait(running, timeout=HEARING, return_when=FIRST_COMPLETED).done:
            batch, interval = running.pop(future)
            outcomes, seconds = future.result()
            pieces.learn(interval.size, seconds)
            yield batch, interval, outcomes


class _Pieces:
    """Intervals cut into batches, and these into pieces of about `PIECE_SECONDS`, at the pace of those before."""

    def __init__(self, intervals: Sequence[Interval], size: int, workers: int) -> None:
        self._batches = (batch for interval in intervals for batch in interval.cut(size))
        self._batch: Interval | None = None
        self._left = Interval(0, 0)
        self._size = 1
        # With less work than that many pieces a worker would stand idle while another plays a long one.
        self._most = max(1, sum(interval.size for interval in intervals) // (4 * workers))

    def next(self) -> tuple[Interval, Interval] | None:
        """The next piece and its batch; None when there are no more."""
        if not self._left.size:
            self._batch = next(self._batches, None)
            if self._batch is None:
                return None
            self._left = self._batch
        assert self._batch is not None  # there is something left of it
        middle = min(self._left.first + min(self._size, self._most), self._left.stop)
        piece, self._left = Interval(self._left.first, middle), Interval(middle, self._left.stop)
        return self._batch, piece

    def learn(self, deals: int, seconds: float) -> None:
        """Aim the next pieces at the pace of one that was just played; at most eight times as long as that one."""
        self._size = max(1, int(deals * min(8, PIECE_SECONDS / max(seconds, 1e-9))))


def _timed_play(task: Task, interval: Interval) -> tuple[Outcomes, float]:
    started = time.perf_counter()
    outcomes = play_interval(task, interval)
    return outcomes, time.perf_counter() - started
