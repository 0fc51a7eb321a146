"""Where outcomes lie: a directory of Parquet files, one for each interval of deal numbers of a task.

    DIR/
      .golf-dataset                                   says that this is a dataset, and who last wrote to it
      .set-aside/                                     broken files, moved here from their places below; never read
      go1-classic-leftmost-3f2a9c1b/                  a task: its label and the start of its strong id
        task.json                                            its strong id and text, and the deals asked for so far
        00000000000000000000-00000000000000131072.parquet    the deals from the first number up to before the second

Each file names its schema version, its task (strong id and canonical text) and its interval in its metadata. Files are
written under another name, flushed to disk and renamed, so that a file of the right name is a whole file.
"""

import errno
import fcntl
import json
import os
import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from itertools import count
from pathlib import Path
from typing import Final, Self

import polars as pl

from golf_cli.deals.numbers import LAST_U64
from golf_cli.errors import DatasetError, FileError
from golf_cli.interrupts import check
from golf_cli.solvers.outcome import Outcomes
from golf_cli.sweep.files import PARTIAL, disk, keep_names, make, named, put
from golf_cli.sweep.parts import (
    REMEDY,
    SUFFIX,
    Part,
    encoded,
    file_name,
    read_part,
    refuse_overlaps,
    refuse_unreadable_name,
    rows_of,
    whole,
)
from golf_cli.sweep.plan import Interval, Plan, Task, joined

MARKER: Final = ".golf-dataset"

TASK: Final = "task.json"

SET_ASIDE: Final = ".set-aside"

MOST_IN_A_FILE: Final = 10_000_000


def read_record(path: Path) -> tuple[Task, list[Interval]]:
    """The task whose record lies at a path, and the deals that sweeps of it were asked for so far.

    Raises:
        FileError: it cannot be read, or is not the record of the task whose directory it lies in.
        DatasetError: the disk does not let it be read.
    """
    with disk(f"{path} cannot be read", "make it readable"):
        content = b"" if path.is_dir() else path.read_bytes()
    try:
        record = json.loads(content)
        task = Task.read(record["task"])
        asked = [Interval(first, stop) for first, stop in record["asked"]]
        sound = record["id"] == task.strong_id and path.parent.name == task.directory
        sound = sound and all(type(each.first) is type(each.stop) is int for each in asked)
        sound = sound and all(0 <= each.first < each.stop <= LAST_U64 + 1 for each in asked)
    except (ValueError, KeyError, TypeError, RecursionError, DatasetError):
        sound = False
    if not sound:
        raise FileError(
            path,
            "is not the record of what was asked for",
            "move it out of the dataset, or let golf dataset check --repair write it anew",
        )
    return task, joined(asked)


def log_of(directory: Path) -> Path:
    """Where the log of a dataset lies: beside its directory, which holds nothing but the data."""
    home = directory.resolve()
    return home.with_name(f"{home.name}.log")


class Store:
    """The dataset in a directory, to read and to add to.

    Args:
        directory: may not exist yet; nothing is made before the first write.

    Raises:
        DatasetError: the path is no directory, or the directory holds something else than a dataset.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        refuse_unreadable_name(directory.resolve())
        with disk(f"the directory {directory} cannot be read", "give another one"):
            names = sorted(entry.name for entry in directory.iterdir()) if directory.exists() else []
        for above in directory.resolve().parents:
            if (above / MARKER).is_file():
                raise DatasetError(f"{directory} lies within the dataset {above}: give a directory outside of it")
        if names and MARKER not in names:
            raise DatasetError(
                f"the directory {directory} holds something else ({names[0]}): nothing was written; "
                "give an empty or a new directory with -o"
            )

    @classmethod
    def existing(cls, directory: Path) -> Self:
        """The dataset in a directory that is one already.

        Raises:
            DatasetError: there is none.
        """
        remedy = "give a directory that golf sweep wrote"
        with disk(f"{directory} is no dataset", remedy):
            names = sorted(entry.name for entry in directory.iterdir())
        if MARKER not in names:
            what = f"holds something else ({names[0]})" if names else "is empty"
            raise DatasetError(f"{directory} is no dataset, it {what}: {remedy} ({MARKER} in it says so)")
        return cls(directory)

    @property
    def log(self) -> Path:
        """Where the log of what was written lies."""
        return log_of(self.directory)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Within the block nobody else writes to the dataset; its directory is made if need be.

        Raises:
            DatasetError: the directory cannot be written to, or somebody else is writing to the dataset.
        """
        with disk(f"the directory {self.directory} cannot be written", "give another one with -o"):
            make(self.directory)
            # Unbuffered: what a full disk does not take would be written, and refused, once more when it is closed.
            marker = (self.directory / MARKER).open("a+b", buffering=0)
        with marker:
            with disk(f"the directory {self.directory} cannot be locked", "give one on a disk that can lock with -o"):
                self._lock(marker)
            with disk(f"{self.directory / MARKER} cannot be written", "give a directory elsewhere with -o"):
                marker.truncate(0)
                marker.write(f"process {os.getpid()} on {socket.gethostname()}\n".encode())
            yield

    def _lock(self, marker: FileIO) -> None:
        try:
            # Held until the file is closed, by the process or by its end: there is no stale lock to recognise.
            fcntl.flock(marker, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            marker.seek(0)
            holder = marker.read().decode(errors="replace").strip() or "another process"
            raise DatasetError(
                f"{holder} is writing to {self.directory}: run the same command again when it is done"
            ) from None

    def refuse_if_held(self) -> None:
        """Do nothing while nobody is writing to the dataset: to find out before much is done.

        Raises:
            DatasetError: somebody is.
        """
        with suppress(OSError), (self.directory / MARKER).open("rb", buffering=0) as marker:
            self._lock(marker)

    def home(self, task: Task) -> Path:
        """The directory of a task."""
        return self.directory / task.directory

    def parts(self, task: Task) -> list[Part]:
        """The files of a task, in the order of their intervals.

        Raises:
            DatasetError: a file cannot be read, is not of this task, or overlaps another.
        """
        parts = [read_part(path) for path in self._files(task)]
        for part in parts:
            if part.strong_id != task.strong_id:
                raise DatasetError(
                    f"{part.path} belongs to another sweep:\n{part.task}and not to\n{task.canonical}{REMEDY}"
                )
        refuse_overlaps(parts)
        return sorted(parts, key=lambda part: part.interval)

    def todo(self, plan: Plan) -> dict[Task, list[Interval]]:
        """What of a plan the dataset does not hold yet: the tasks that are not done, and the intervals they lack.

        Raises:
            DatasetError: as `parts`.
        """
        missing = {task: plan.interval.without(part.interval for part in self.parts(task)) for task in plan.tasks}
        return {task: intervals for task, intervals in missing.items() if intervals}

    def asked(self, task: Task) -> list[Interval]:
        """The deals that sweeps of a task were asked for so far, whether they are stored or not.

        Raises:
            DatasetError: the record of them cannot be read, or is another task's.
        """
        path = self.home(task) / TASK
        with disk(f"{path} cannot be read", "make it readable"):
            there = path.exists()
        return read_record(path)[1] if there else []

    def prepare(self, task: Task, asked: Iterable[Interval]) -> None:
        """Make the directory of a task, record what it is asked for, and clear what a killed process left half written.

        Raises:
            DatasetError: it cannot be made or written to, or there is a record that cannot be read.
        """
        home = self.home(task)
        with disk(f"the directory {home} cannot be written", "give another one with -o"):
            make(home)
            if not os.access(home, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            for partial in named(home, PARTIAL):
                partial.unlink()
            before = self.asked(task)
            now = joined([*before, *asked])
            if now != before:
                intervals = [[each.first, each.stop] for each in now]
                record = {"id": task.strong_id, "task": task.canonical, "asked": intervals}
                put(home / TASK, (json.dumps(record, indent=2) + "\n").encode())

    def write(self, task: Task, interval: Interval, outcomes: Outcomes) -> Path:
        """Add the outcomes of an interval to the dataset, and return the new file.

        Raises:
            DatasetError: the file exists already, or cannot be written.
        """
        return self.put(task, interval, encoded(task, interval, outcomes))

    def put(
        self,
        task: Task,
        interval: Interval,
        content: bytes | memoryview,
        remedy: str = "its deals are missing; run the same command again",
    ) -> Path:
        """Add a whole file of a task to the dataset, and return its path.

        Args:
            task: whose file it is.
            interval: the deals in it.
            content: the file.
            remedy: what to do where it cannot be written.

        Raises:
            DatasetError: the file exists already, or cannot be written.
        """
        path = self.home(task) / file_name(interval)
        with disk(f"{path} cannot be written", remedy):
            there = path.exists()
        if there:
            raise DatasetError(
                f"{path} is there already and was not overwritten: another sweep writes to this directory; "
                "run the same command again when it is done"
            )
        check()
        with disk(f"{path} cannot be written", remedy):
            put(path, content)
        return path

    def remove(self, parts: Iterable[Part]) -> None:
        """Remove files whose deals others hold.

        Raises:
            DatasetError: one cannot be removed.
        """
        homes = set()
        for part in parts:
            with disk(f"{part.path} cannot be removed", "make its directory writable, and run the same command again"):
                part.path.unlink()
            homes.add(part.path.parent)
        for home in homes:
            with disk(f"{home} cannot be flushed to disk", "run the same command again"):
                keep_names(home)

    def set_aside(self, path: Path) -> Path:
        """Move a file of the dataset to where nothing reads it, and return its new path.

        It keeps its name with a number after it, so that no pattern for Parquet files matches it and none that was set
        aside before is overwritten.

        Raises:
            DatasetError: it cannot be moved.
        """
        aside = self.directory / SET_ASIDE / path.parent.relative_to(self.directory)
        with disk(f"{path} cannot be moved to {aside}", "make both directories writable"):
            make(aside)
            numbered = (aside / f"{path.name}.{number}" for number in count(1))
            free = next(each for each in numbered if not os.path.lexists(each))
            path.rename(free)
            for changed in (aside, path.parent):
                keep_names(changed)
        return free

    def scan(self, plan: Plan) -> pl.LazyFrame:
        """The rows of a plan's tasks and interval, in the columns of the function `scan`. A task may have none.

        Raises:
            DatasetError: as the function `scan`.
        """
        asked = plan.interval
        parts = whole([self.home(task) for task in self.begun(plan) or plan.tasks])
        met = [part for part in parts if part.interval.overlaps(asked)]
        if all(asked.first <= part.interval.first and part.interval.stop <= asked.stop for part in met):
            return rows_of(met)  # the numbers need not be read
        return rows_of(met).filter(pl.col("number").is_between(asked.first, asked.stop, closed="left"))

    def begun(self, plan: Plan) -> list[Task]:
        """The tasks of a plan of which there is a file."""
        return [task for task in plan.tasks if self._files(task)]

    def _files(self, task: Task) -> list[Path]:
        home = self.home(task)
        with disk(f"the directory {home} cannot be read", "make it readable"):
            return named(home, SUFFIX)
