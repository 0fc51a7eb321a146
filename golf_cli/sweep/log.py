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
from golf_cli.sweep.events import Begun, Event, Failed, Lost, Played, Started

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
        self._present: _Timings | None = None

    def take(self, event: Event) -> None:
        if isinstance(event, Started):
            self._began = time.perf_counter()
            self._write("start", **_start(event))
        elif isinstance(event, Begun):
            self._end_task()
            self._present = _Timings(event)
        elif self._present is not None:
            self._present.take(event)
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
        if self._present is not None:
            self._write("task", **self._present.record())

    def _write(self, event: str, **fields: object) -> None:
        line = {"event": event, "time": datetime.now(UTC).isoformat(timespec="milliseconds"), **fields}
        with suppress(OSError), self._path.open("ab", buffering=0) as file:
            whole = file.tell()
            content = f"{json.dumps(line)}\n".encode()
            if file.write(content) < len(content):  # the disk is full: the next line is not to begin within this one
                file.truncate(whole)


class _Timings:
    def __init__(self, begun: Begun) -> None:
        self._begun = begun
        self._since = time.perf_counter()
        self._playing = 0.0
        self._counts = {"deals": 0, "cleared": 0, "undecided": 0, "failed": 0}

    def take(self, event: Event) -> None:
        if isinstance(event, Played):
            self._playing += event.seconds
            self._counts["deals"] += event.interval.size
            self._counts["cleared"] += event.cleared
            self._counts["undecided"] += event.undecided
        elif isinstance(event, Failed):
            self._counts["failed"] += event.interval.size

    def record(self) -> Mapping[str, Any]:
        task = self._begun.task
        return {
            "task": task.label,
            "id": task.strong_id,
            "players": self._begun.players,
            **self._counts,
            "seconds": round(time.perf_counter() - self._since, 3),
            "worker_seconds": round(self._playing, 3),
        }


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
        "crew": event.crew,
        "tasks": {task.label: task.strong_id for task in event.tasks},
        "deals": [event.plan.interval.first, event.plan.interval.stop],
        "stored": event.stored,
        "left": event.left,
    }
