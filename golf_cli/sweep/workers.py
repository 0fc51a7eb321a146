"""Who plays: threads or processes of this machine, each behind a `concurrent.futures.Executor`."""

import multiprocessing
import os
import signal
import sys
import threading
import time
from abc import ABC, abstractmethod
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing.context import SpawnContext, SpawnProcess
from types import TracebackType
from typing import Any, ClassVar, Final, Protocol, Self

from golf_cli.errors import NumberError
from golf_cli.interrupts import deaf
from golf_cli.solvers.outcome import Outcomes
from golf_cli.sweep.plan import Interval, Task
from golf_cli.sweep.playing import named_solver, play_interval
from golf_cli.sweep.watchdog import ENDED, within
from golf_cli.wording import counted

MOST_WORKERS: Final = 1024

TIMEOUT: Final = 600.0
"""Seconds a solver in plain Python may take over a piece of work, where nothing else is asked for."""


GRACE: Final = 2.0
"""Seconds that worker processes with nothing left to play have to end; a thread that a solver left may keep one."""


@dataclass(frozen=True)
class Answer:
    """What a worker sends back.

    Attributes:
        outcomes: of the deals, in the order of their numbers: three bytes a deal, or, with counts of games, nineteen.
        seconds: how long they took.
    """

    outcomes: Outcomes
    seconds: float


def answer(task: Task, interval: Interval, timeout: float | None) -> Answer:
    """Play an interval in a worker, which ends when it takes longer than `timeout` seconds.

    Raises:
        PluginError: as `play_interval`.
    """
    started = time.perf_counter()
    with within(timeout):
        outcomes = play_interval(task, interval)
    return Answer(outcomes, time.perf_counter() - started)


class Team(ABC):
    """Workers that play pieces of one task, until the block they are the context of ends.

    Attributes:
        task: what is played.
        executor: what pieces are submitted to.
        timeout: seconds after which a worker that plays a piece counts as one that hangs; None for never.
        advice: what to say beside that a worker was lost.
    """

    task: Task
    executor: Executor
    timeout: float | None = None
    advice: ClassVar[str] = ""

    @property
    @abstractmethod
    def width(self) -> int:
        """How many pieces are played at a time, now."""

    def submit(self, interval: Interval) -> Future[Any]:
        """Have an interval played; `result` tells what became of it."""
        return self.executor.submit(answer, self.task, interval, self.timeout)

    def result(self, future: Future[Any]) -> Answer:
        """What became of a piece that was submitted; raises what the worker raised."""
        played: Answer = future.result()
        return played

    def is_loss(self, error: Exception) -> bool:  # noqa: ARG002
        """Whether this error says that the worker ended, rather than what it played.

        Raises:
            WorkerError: it says that there are no workers any more.
        """
        return False

    def hangs(self, seconds: float) -> bool:
        """Whether the worker that was lost last, so long after it was given a piece, had taken too long over it."""
        return self.timeout is not None and seconds >= self.timeout

    def renew(self) -> None:  # noqa: B027 - nothing to do where workers come back by themselves
        """Have workers again after some were lost. Nothing is on the way when this is called."""

    @abstractmethod
    def close(self) -> None:
        """Let the workers go; nothing is on the way when this is called. May be called twice."""

    @abstractmethod
    def kill(self) -> None:
        """Let the workers go, whatever they are at: nobody waits for it."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            self.kill()


class Crew(Protocol):
    """Where teams come from, within the block it is the context of."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def team(self, task: Task) -> Team:
        """Workers for a task."""
        ...


@dataclass(frozen=True)
class Local:
    """Workers of this machine: threads for compiled solvers, which free the GIL, and processes for all others.

    Attributes:
        workers: how many play; as many as there are processors if None.
        timeout: seconds a piece of work may take before its worker counts as one that hangs and is ended. If None, a
            solver in plain Python has `TIMEOUT` and a compiled one has no limit; 0 is no limit for either. A thread
            cannot be ended, so where a limit is given compiled solvers play in processes too.

    Raises:
        NumberError: `workers` or `timeout` is out of range.
    """

    workers: int | None = None
    timeout: float | None = None

    def __post_init__(self) -> None:
        check_workers(self.workers)
        check_timeout(self.timeout)

    def __str__(self) -> str:
        return f"{counted(self._count, 'worker')} of this machine"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...

    @property
    def _count(self) -> int:
        return self.workers or os.cpu_count() or 1

    def team(self, task: Task) -> Team:
        """Threads or processes for a task."""
        timeout = limit(task, self.timeout)
        if named_solver(task.solver).solver.compiled and timeout is None:
            return _Threads(task, self._count)
        return _Processes(task, self._count, timeout)


def check_workers(workers: int | None) -> None:
    """Do nothing for a number of workers that there can be, or for None.

    Raises:
        NumberError: it is out of range.
    """
    if workers is not None and not 1 <= workers <= MOST_WORKERS:
        raise NumberError(f"{workers} workers: give 1 to {MOST_WORKERS}")


def check_timeout(timeout: float | None) -> None:
    """Do nothing for a timeout that can be kept.

    Raises:
        NumberError: it is negative, or too long for a timer.
    """
    if timeout is not None and not 0 <= timeout <= threading.TIMEOUT_MAX / 1000:
        raise NumberError(f"a timeout of {timeout:g} seconds: give 0 (none) to {threading.TIMEOUT_MAX // 1000:g}")


def limit(task: Task, timeout: float | None) -> float | None:
    """Seconds a piece of a task may take, where a person asked for `timeout`; None for no limit."""
    if timeout is None:
        return None if named_solver(task.solver).solver.compiled else TIMEOUT
    return timeout or None


class _Threads(Team):
    def __init__(self, task: Task, count: int) -> None:
        self.task = task
        self._count = count
        self.executor = ThreadPoolExecutor(count)

    def __str__(self) -> str:
        return f"{self._count} threads"

    @property
    def width(self) -> int:
        return self._count

    def close(self) -> None:
        self.executor.shutdown()

    def kill(self) -> None:
        self.executor.shutdown(wait=False, cancel_futures=True)


class _Processes(Team):
    advice = (
        ", or the process could not start: a script that sweeps with workers in processes does so under "
        "`if __name__ == '__main__':`"
    )

    def __init__(self, task: Task, count: int, timeout: float | None) -> None:
        self.task = task
        self.timeout = timeout
        self._count = count
        self.renew()

    def __str__(self) -> str:
        return f"{self._count} processes"

    @property
    def width(self) -> int:
        return self._count

    def is_loss(self, error: Exception) -> bool:
        return isinstance(error, BrokenProcessPool)

    def hangs(self, seconds: float) -> bool:
        self.executor.shutdown()  # its processes have ended; how each did is known after this
        # A process takes its time to start, too.
        return super().hangs(seconds) and any(process.exitcode == ENDED for process in self._context.started)

    def renew(self) -> None:
        self._context = _Spawning()
        self.executor = ProcessPoolExecutor(self._count, self._context, initializer=_begin_worker)

    def submit(self, interval: Interval) -> Future[Any]:
        with deaf():  # a process may be started
            return super().submit(interval)

    def close(self) -> None:
        self.executor.shutdown(wait=False)
        end = time.monotonic() + GRACE
        while time.monotonic() < end and any(process.is_alive() for process in self._context.started):
            time.sleep(0.01)
        self.kill()

    def kill(self) -> None:
        for process in self._context.started:
            if process.pid is not None:  # an interrupt may strike before it has started
                process.kill()
        self.executor.shutdown(cancel_futures=True)


class _Spawning(SpawnContext):
    """Spawns, and knows what it spawned.

    Never fork: polars has threads running, and a forked child would wait for their locks.
    """

    def __init__(self) -> None:
        super().__init__()
        self.started: list[SpawnProcess] = []

    def Process(self, *arguments: object, **options: object) -> SpawnProcess:  # type: ignore[override]  # noqa: N802
        process = SpawnProcess(*arguments, **options)  # type: ignore[arg-type]
        self.started.append(process)
        return process


def _begin_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends its workers
    sys.stdout = sys.stderr  # what a solver prints is not what the command prints
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A parent that was killed ends nobody; its workers see it go."""
    parent = multiprocessing.parent_process()
    assert parent is not None  # this is a worker
    parent.join()
    os._exit(1)
