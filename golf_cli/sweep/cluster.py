"""Who plays, on many machines: the workers of a Dask cluster, behind its `concurrent.futures.Executor`.

Workers write nothing. What they send back is three bytes a deal, or nineteen where games are counted, and the one
writer that also serves the workers of one machine makes rows and files of it. So there is one lock, one rule by which
files appear, the same bytes, and no need for a file system that all machines share.
"""

import logging
import os
import pickle
import re
import signal
import sys
import time
import warnings
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from contextlib import redirect_stdout, suppress
from types import ModuleType
from typing import Any, Final, Self

from golf_cli import __version__
from golf_cli.errors import PluginError, SolverError, WorkerError
from golf_cli.interrupts import deaf
from golf_cli.sweep.plan import Interval, Task
from golf_cli.sweep.playing import named_solver
from golf_cli.sweep.workers import MOST_WORKERS, Answer, Team, answer, check_timeout, limit

PATIENCE: Final = 10
"""Seconds a scheduler has to answer."""

LOOK: Final = 1.0
"""Seconds after which the workers of a cluster, which come and go, are counted again."""

_ADDRESS: Final = re.compile(r"local:(?P<count>[1-9][0-9]{0,3})|(?:tcp|tls)://(?:\[[^]\s]+\]|[^]\[:/\s]+):[0-9]{1,5}")

_GUARD: Final = "a script that starts one does so under `if __name__ == '__main__':`"

_LOGGERS: Final = ("distributed", "distributed.client", "distributed.gc", "tornado", "tornado.application", "bokeh")
"""What writes to standard error when a worker is lost."""


class Cluster:
    """A cluster to play on, connected to within the block this is the context of.

    Args:
        address: of its scheduler, `tcp://HOST:PORT`, or `local:N` for a cluster of N processes on this machine, which
            is started for the block.
        timeout: as for `golf_cli.sweep.workers.Local`.
        say: is told in a sentence what a person waits for.

    Raises:
        WorkerError: this is no such address; within the block, that there is no such cluster, or none any more.
        NumberError: `timeout` is out of range.
    """

    def __init__(self, address: str, timeout: float | None = None, say: Callable[[str], None] = lambda _: None) -> None:
        match = _ADDRESS.fullmatch(address)
        self._count = int(match["count"] or 0) if match else None
        if self._count is None or self._count > MOST_WORKERS:
            raise WorkerError(
                f"'{address}' is no cluster: give the address of its scheduler, such as tcp://host:8786, or local:4 "
                f"for one of 4 processes on this machine (at most {MOST_WORKERS})"
            )
        check_timeout(timeout)
        self.address = address
        self._timeout = timeout
        self._say = say
        self._client: Any = None
        self._local: Any = None
        self._threads: int | None = None
        self._looked = float("-inf")

    def __str__(self) -> str:
        return f"the cluster {self.address}"

    def __enter__(self) -> Self:
        distributed = _distributed()
        try:
            if self._count:
                with deaf():  # until the cluster is known here: an interrupt has to end it
                    self._local = _local_cluster(distributed, self._count)
            self._client = distributed.Client(
                self._local or self.address, timeout=PATIENCE, set_as_default=False, name="golf"
            )
        except Exception as error:  # whatever answers at that address may be anything
            self._close()
            what, remedy = ("started", _GUARD) if self._count else ("reached", "see that its scheduler runs")
            raise WorkerError(
                f"the cluster {self.address} cannot be {what} ({str(error) or type(error).__name__}): {remedy}"
            ) from error
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def _close(self) -> None:
        if self._client is not None:
            with suppress(Exception):
                self._client.close(timeout=1)
        if self._local is not None:
            _kill(self._local)
        self._client = self._local = None

    def team(self, task: Task) -> Team:
        """All workers of the cluster, for a task."""
        return _Workers(self, task, limit(task, self._timeout))

    def executor(self) -> Any:  # noqa: ANN401 - distributed is not typed here
        """A new executor over the workers of the cluster."""
        return self._client.get_executor(pure=False)  # or the same piece submitted twice would be played once

    def width(self) -> int:
        """Threads of all workers, at least 1: where there is none yet, work waits for the first.

        Raises:
            WorkerError: the scheduler is gone.
        """
        if time.monotonic() - self._looked > LOOK:
            self.check()
            before = self._threads
            try:
                self._threads = sum(self._client.nthreads(callback_timeout=PATIENCE).values())
            except Exception as error:
                raise self.gone() from error
            if not self._threads and before != 0:
                self._say(f"The cluster {self.address} has no worker now; waiting for one.")
            self._looked = time.monotonic()
        return max(1, self._threads or 0)

    def check(self) -> None:
        """Do nothing while the scheduler is there.

        Raises:
            WorkerError: it is gone.
        """
        if self._client.status != "running":
            raise self.gone()

    def gone(self) -> WorkerError:
        """The error that the scheduler is gone."""
        return WorkerError(
            f"the scheduler of the cluster {self.address} is gone: what is stored stays; "
            "start it and run the same command again to go on"
        )


class _Workers(Team):
    def __init__(self, cluster: Cluster, task: Task, timeout: float | None) -> None:
        self.task = task
        self.timeout = timeout
        self.executor = cluster.executor()
        self._cluster = cluster

    def __str__(self) -> str:
        return f"{self.width} threads of {self._cluster}"

    @property
    def width(self) -> int:
        return self._cluster.width()

    def submit(self, interval: Interval) -> Future[Any]:
        return self.executor.submit(pickle.loads, pickle.dumps(_Call(self.task, interval, self.timeout)))

    def result(self, future: Future[Any]) -> Answer:
        try:
            return super().result(future)
        except ImportError as error:
            raise WorkerError(
                f"a worker of the cluster {self._cluster.address} cannot play ({error}): "
                f"install golf {__version__} there"
            ) from error

    def is_loss(self, error: Exception) -> bool:
        from distributed import KilledWorker

        if isinstance(error, KilledWorker):
            return True
        self._cluster.check()
        if isinstance(error, CancelledError):
            raise self._cluster.gone() from error
        return False

    def close(self) -> None:
        self.executor.shutdown()

    def kill(self) -> None:
        with suppress(Exception):
            self.executor.shutdown(wait=False)


class _Call:
    """A call of `_answer` that is made where its pickle is read.

    A function that is sent by its name is looked up as the message arrives, and a worker without golf would end over
    it, and its nanny with it. Bytes arrive everywhere, and what fails as they are read is an error of the task.
    """

    def __init__(self, task: Task, interval: Interval, timeout: float | None) -> None:
        self._content = pickle.dumps((task, interval, timeout))

    def __reduce__(self) -> tuple[Callable[[str, bytes], Answer], tuple[str, bytes]]:
        return _answer, (__version__, self._content)


def _answer(version: str, content: bytes) -> Answer:
    """Play an interval in a worker of a cluster.

    Raises:
        WorkerError: this worker has another golf or another solver.
        PluginError: as `play_interval`.
    """
    if version != __version__:
        raise WorkerError(f"{_here()} has golf {__version__}, and this is golf {version}: install the same there")
    task, interval, timeout = pickle.loads(content)
    with redirect_stdout(sys.stderr):
        try:
            found = named_solver(task.solver).solver.version
        except SolverError as error:
            raise WorkerError(f"{_here()} lacks a solver: {error}; install it there, as here") from error
        if found != task.solver_version:
            raise WorkerError(
                f"{_here()} has version {found} of the solver {task.solver}, and version {task.solver_version} is to "
                "be played: install that there, and start the worker again"
            )
        try:
            return answer(task, interval, timeout)
        except PluginError as error:
            told = str(error)
    raise PluginError(told)  # alone: what it came from may be something that cannot travel


def _here() -> str:
    from distributed import get_worker

    return f"the worker {get_worker().address} of the cluster"


def keep_silent() -> None:
    """Have the library write nothing to standard error, for good: for a program that tells in its own words.

    Raises:
        WorkerError: it is not installed.
    """
    _distributed()
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers[:] = [logging.NullHandler()]
        logger.propagate = False
    warnings.filterwarnings("ignore", module=r"(distributed|dask)(\.|$)")


def _distributed() -> ModuleType:
    """The library, which is an extra.

    Raises:
        WorkerError: it is not installed.
    """
    try:
        import distributed
    except ImportError as error:
        raise WorkerError(
            "a cluster needs Dask's distributed, the extra 'cluster' of golf: pip install distributed"
        ) from error
    return distributed


def _local_cluster(distributed: ModuleType, count: int) -> Any:  # noqa: ANN401
    import dask

    # Golf plays again what a lost worker was at, and finds out which deals are to blame: sooner than the scheduler.
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}):
        return distributed.LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",  # with none it would take the usual port, and warn if that is in use
            memory_limit=0,
            silence_logs=logging.CRITICAL + 1,
        )


def _kill(local: Any) -> None:  # noqa: ANN401
    """Close a cluster at once: its own way waits for what its workers are at."""
    for nanny in list(local.workers.values()):
        nanny.auto_restart = False
        with suppress(Exception):
            os.kill(nanny.pid, signal.SIGKILL)
    with suppress(Exception):
        local.close(timeout=3)
