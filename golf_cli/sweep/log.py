"""The log of sweeps: JSON lines beside a dataset with versions, machine and timings, which no row may hold."""

import json
import os
import platform
import socket
import sys
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing, suppress
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from golf_cli import __version__
from golf_cli.sweep.events import Event, Failed, Lost, Played, Started
from golf_cli.sweep.plan import Task

_LIBRARIES = ("numpy", "numba", "polars")


def recorded(events: Generator[Event, None, None], path: Path) -> Iterator[Event]:
    """The same events, each sweep written to a log as they pass: its start, each task's end, what went wrong, its end.

    Where the log cannot be written, on a full disk say, there is none: a sweep does not end for it.
    """
    log = _Log(path)
    end = "left early"
    try:
        with closing(events):
            for event in events:
                log.take(event)
                yield event
        end = "done"
    except KeyboardInterrupt:
        end = "interrupted"
        raise
    except Exception as error:
        end = f"{type(error).__name__}: {error}"
        raise
    finally:
        log.end(end)


class _Log:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._began: float | None = None
        self._turned = 0.0  # when the present task began: with the sweep, or after the last deals of the task before
        self._tasks: dict[Task, _Timings] = {}

    def take(self, event: Event) -> None:
        if isinstance(event, Started):
            self._began = self._turned = time.perf_counter()
            self._write("start", **_start(event))
        else:
            timings = self._tasks.get(event.task)
            if timings is None:
                self._end_task()
                timings = self._tasks[event.task] = _Timings(self._turned)
            timings.take(event)
            self._turned = timings.ended
        if isinstance(event, Failed):
            self._write("failed", task=event.task.label, number=event.interval.first, why=event.why)
        elif isinstance(event, Lost):
            deals = [event.interval.first, event.interval.stop]
            self._write("worker lost", task=event.task.label, deals=deals)

    def end(self, how: str) -> None:
        if self._began is not None:
            self._end_task()
            self._write("end", how=how, seconds=round(time.perf_counter() - self._began, 3))

    def _end_task(self) -> None:
        """Tasks are played one after the other."""
        if self._tasks:
            task, timings = list(self._tasks.items())[-1]
            self._write("task", task=task.label, id=task.strong_id, **timings.record())

    def _write(self, event: str, **fields: object) -> None:
        line = {"event": event, "time": datetime.now(UTC).isoformat(timespec="milliseconds"), **fields}
        with suppress(OSError), self._path.open("ab", buffering=0) as file:
            whole = file.tell()
            content = f"{json.dumps(line)}\n".encode()
            if file.write(content) < len(content):  # the disk is full: the next line is not to begin within this one
                file.truncate(whole)


class _Timings:
    def __init__(self, began: float) -> None:
        self._began = self.ended = began
        self._playing = 0.0
        self._counts = {"deals": 0, "cleared": 0, "undecided": 0, "failed": 0}

    def take(self, event: Event) -> None:
        self.ended = time.perf_counter()
        if isinstance(event, Played):
            self._playing += event.seconds
            self._counts["deals"] += event.interval.size
            self._counts["cleared"] += event.cleared
            self._counts["undecided"] += event.undecided
        elif isinstance(event, Failed):
            self._counts["failed"] += event.interval.size

    def record(self) -> Mapping[str, float]:
        seconds = self.ended - self._began
        return {**self._counts, "seconds": round(seconds, 3), "worker_seconds": round(self._playing, 3)}


def _start(event: Started) -> dict[str, Any]:
    return {
        "golf": __version__,
        "python": platform.python_version(),
        **{name: version(name) for name in _LIBRARIES},
        "machine": platform.machine(),
        "system": platform.platform(),
        "processors": os.cpu_count(),
        "host": socket.gethostname(),
        "process": os.getpid(),
        "command": sys.argv,
        "tasks": {task.label: {"id": task.strong_id, "players": players} for task, players in event.players.items()},
        "deals": [event.plan.interval.first, event.plan.interval.stop],
        "stored": event.stored,
        "left": event.left,
    }
