"""Where outcomes lie: a directory of Parquet files, one for each interval of deal numbers of a task.

    DIR/
      .golf-dataset                                   says that this is a dataset, and who last wrote to it
      go1-classic-leftmost-3f2a9c1b/                  a task: its label and the start of its strong id
        00000000000000000000-00000000000000131072.parquet    the deals from the first number up to before the second

Each file names its schema version, its task (strong id and canonical text) and its interval in its metadata. Files are
written under another name, flushed to disk and renamed, so that a file of the right name is a whole file.
"""

import errno
import fcntl
import os
import re
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Final, TextIO

import numpy as np
import polars as pl

from golf_cli import scoring
from golf_cli.errors import DatasetError
from golf_cli.rules import Layout
from golf_cli.solvers.outcome import RESULTS, Outcomes
from golf_cli.sweep.plan import Interval, Plan, Task
from golf_cli.sweep.schema import PLAYER, SCHEMA, SCHEMA_VERSION

SUFFIX: Final = ".parquet"
PARTIAL: Final = ".partial"
MARKER: Final = ".golf-dataset"

_DECIDED: Final = np.array([result.decided for result in RESULTS])


@dataclass(frozen=True)
class Part:
    """One file of a dataset, as its metadata tells it."""

    path: Path
    strong_id: str
    task: str
    interval: Interval


class Store:
    """The dataset in a directory, to read and to add to.

    Args:
        directory: may not exist yet; nothing is made before the first write.

    Raises:
        DatasetError: the path is no directory, or the directory holds something else than a dataset.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        _refuse_unreadable_name(directory.resolve())
        with _disk(f"the directory {directory} cannot be read", "give another one with -o"):
            names = sorted(entry.name for entry in directory.iterdir()) if directory.exists() else []
        if names and MARKER not in names:
            raise DatasetError(
                f"the directory {directory} holds something else ({names[0]}): nothing was written; "
                "give an empty or a new directory with -o"
            )

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Within the block nobody else writes to the dataset; its directory is made if need be.

        Raises:
            DatasetError: the directory cannot be written to, or somebody else is writing to the dataset.
        """
        with _disk(f"the directory {self.directory} cannot be written", "give another one with -o"):
            self.directory.mkdir(parents=True, exist_ok=True)
            marker = (self.directory / MARKER).open("a+", encoding="utf-8")
        with marker:
            with _disk(f"the directory {self.directory} cannot be locked", "give one on a disk that can lock with -o"):
                self._hold(marker)
            yield

    def _hold(self, marker: TextIO) -> None:
        try:
            # Held until the file is closed, by the process or by its end: there is no stale lock to recognise.
            fcntl.flock(marker, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            marker.seek(0)
            raise DatasetError(
                f"{marker.read().strip() or 'another process'} is writing to {self.directory}: "
                "run the same command again when it is done"
            ) from None
        marker.truncate(0)
        marker.write(f"process {os.getpid()} on {socket.gethostname()}\n")
        marker.flush()

    def parts(self, task: Task) -> list[Part]:
        """The files of a task, in the order of their intervals.

        Raises:
            DatasetError: a file cannot be read, is not of this task, or overlaps another.
        """
        parts = [read_part(path) for path in sorted((self.directory / task.directory).glob(f"*{SUFFIX}"))]
        for part in parts:
            if part.strong_id != task.strong_id:
                raise DatasetError(f"{part.path} belongs to another sweep:\n{part.task}and not to\n{task.canonical}")
        _refuse_overlaps(parts)
        return sorted(parts, key=lambda part: part.interval)

    def todo(self, plan: Plan) -> dict[Task, list[Interval]]:
        """What of a plan the dataset does not hold yet: the tasks that are not done, and the intervals they lack.

        Raises:
            DatasetError: as `parts`.
        """
        missing = {task: plan.interval.without([part.interval for part in self.parts(task)]) for task in plan.tasks}
        return {task: intervals for task, intervals in missing.items() if intervals}

    def prepare(self, task: Task) -> None:
        """Make the directory of a task, and clear what a killed process left half written there.

        Raises:
            DatasetError: it cannot be made or written to.
        """
        home = self.directory / task.directory
        with _disk(f"the directory {home} cannot be written", "give another one with -o"):
            home.mkdir(parents=True, exist_ok=True)
            if not os.access(home, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            for partial in home.glob(f"*{PARTIAL}"):
                partial.unlink()

    def write(self, task: Task, interval: Interval, outcomes: Outcomes) -> Path:
        """Add the outcomes of an interval to the dataset, and return the new file.

        Raises:
            DatasetError: the file exists already, or cannot be written.
        """
        path = self.directory / task.directory / f"{interval.first:020}-{interval.stop:020}{SUFFIX}"
        partial = path.with_name(f"{path.name}.{os.getpid()}{PARTIAL}")
        if path.exists():
            raise DatasetError(
                f"{path} is there already and was not overwritten: another sweep writes to this directory; "
                "run the same command again when it is done"
            )
        metadata = {
            "golf.schema": str(SCHEMA_VERSION),
            "golf.id": task.strong_id,
            "golf.task": task.canonical,
            "golf.first": str(interval.first),
            "golf.stop": str(interval.stop),
        }
        # Through memory: polars would report a full disk as an error of its own making.
        buffer = BytesIO()
        rows(task, interval, outcomes).write_parquet(buffer, compression="zstd", metadata=metadata)
        with _disk(f"{path} cannot be written", "its deals are missing; run the same command again"):
            try:
                with partial.open("wb") as file:
                    file.write(buffer.getbuffer())
                    file.flush()
                    os.fsync(file.fileno())
                partial.rename(path)
            finally:
                partial.unlink(missing_ok=True)
        return path

    def scan(self, plan: Plan) -> pl.LazyFrame:
        """The rows of a plan's tasks and interval, with the columns of `SCHEMA`.

        Raises:
            DatasetError: as the function `scan`.
        """
        homes = [self.directory / task.directory for task in plan.tasks]
        asked = pl.col("number").is_between(plan.interval.first, plan.interval.stop, closed="left")
        return scan(homes).filter(asked)


def rows(task: Task, interval: Interval, outcomes: Outcomes) -> pl.DataFrame:
    """The rows of an interval's outcomes, in the order of deal numbers, as `SCHEMA` has them."""
    layout = task.rules.layout
    cards_left, stock_left = (column.astype(np.int16) for column in (outcomes.cards_left, outcomes.stock_left))
    ends = {
        "cards_left": cards_left,
        "stock_left": stock_left,
        "strokes": outcomes.strokes,
        "points": _points(layout)[cards_left],
        "plays": layout.tableau - cards_left,
        "draws": layout.stock - stock_left,
    }
    decided = pl.Series(_DECIDED[outcomes.results])
    frame = pl.DataFrame(
        {
            "number": np.arange(interval.size, dtype=np.uint64) + np.uint64(interval.first),
            "result": pl.Series(outcomes.results).cat.to(SCHEMA["result"]),
            **ends,
        }
    )
    player = {"numbering": task.numbering, "rules": str(task.rules), "solver": task.solver, "seed": task.seed}
    return frame.with_columns(
        *(pl.lit(player[name], SCHEMA[name]).alias(name) for name in PLAYER),
        *(pl.when(decided).then(pl.col(name)).cast(SCHEMA[name]).alias(name) for name in ends),
    ).select(SCHEMA.names())


def _points(layout: Layout) -> np.ndarray[tuple[int], np.dtype[np.uint16]]:
    """App points by cards left, uint16[tableau + 1]."""
    left = range(layout.tableau + 1)
    return np.array([scoring.app_points(layout.tableau - cards, cards) for cards in left], np.uint16)


def read_part(path: Path) -> Part:
    """Read what a file says of itself, and see that it holds as many rows of these columns.

    Raises:
        DatasetError: the file cannot be read as Parquet, was not written by a sweep, has another schema version, or
            does not hold what it says.
    """
    remedy = "move it out of the dataset; a rerun of the sweep plays its deals again"
    try:
        metadata = pl.read_parquet_metadata(path)
        frame = pl.scan_parquet(path, glob=False)
        schema = frame.collect_schema()
        count = frame.select(pl.len()).collect().item()
    except (pl.exceptions.PolarsError, OSError) as error:
        raise DatasetError(f"{path} is no whole Parquet file ({_first_line(error)}): {remedy}") from error
    version = metadata.get("golf.schema")
    if version is None:
        raise DatasetError(f"{path} was not written by a sweep: {remedy}")
    if version != str(SCHEMA_VERSION):
        raise DatasetError(f"{path} has version {version} of the schema, this golf reads {SCHEMA_VERSION}: {remedy}")
    try:
        interval = Interval(int(metadata["golf.first"]), int(metadata["golf.stop"]))
        part = Part(path, metadata["golf.id"], metadata["golf.task"], interval)
    except (KeyError, ValueError):
        raise DatasetError(f"{path} does not say which deals of which sweep it holds: {remedy}") from None
    if schema != SCHEMA or count != interval.size:
        raise DatasetError(f"{path} does not hold the {interval.size} deals {interval} that it says it holds: {remedy}")
    return part


def scan(paths: Sequence[Path]) -> pl.LazyFrame:
    """The rows of datasets, of tasks' directories and of single files, with the columns of `SCHEMA`.

    Files that are not Parquet are passed over.

    Raises:
        DatasetError: there is no such path or no Parquet file in it; a file cannot be read or was not written by a
            sweep; a deal would be counted twice; two versions of a solver would be taken for one.
    """
    parts = [read_part(path) for path in sorted({file for path in paths for file in _files(path)})]
    _refuse_overlaps(parts)
    _refuse_versions(parts)
    return pl.scan_parquet([part.path for part in parts], schema=dict(SCHEMA), glob=False)


def _files(path: Path) -> list[Path]:
    _refuse_unreadable_name(path.resolve())
    if path.is_file():
        return [path.resolve()]
    with _disk(f"{path} cannot be read", "give a directory that golf sweep wrote"):
        if not path.exists():
            raise FileNotFoundError("no such directory")
        files = [file.resolve() for file in path.rglob(f"*{SUFFIX}")]
    if not files:
        raise DatasetError(f"{path} holds no Parquet file: give a directory that golf sweep wrote")
    return files


def _refuse_unreadable_name(path: Path) -> None:
    """Polars takes names of files in UTF-8 alone."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        raise DatasetError(f"the name {str(path)!a} is not UTF-8: give a directory whose name is") from None


def _refuse_overlaps(parts: Sequence[Part]) -> None:
    ordered = sorted(parts, key=lambda part: (part.strong_id, part.interval))
    for one, next_one in pairwise(ordered):
        if one.strong_id == next_one.strong_id and one.interval.overlaps(next_one.interval):
            raise DatasetError(
                f"{one.path} ({one.interval}) and {next_one.path} ({next_one.interval}) hold the same deals of the "
                "same sweep: each deal counts once; leave one of them out"
            )


def _refuse_versions(parts: Sequence[Part]) -> None:
    """Rows are told apart by numbering, rules, solver and seed; strong ids also by versions."""
    tasks: dict[str, Part] = {}
    for part in parts:
        player = re.sub(r"(?m)^(numbering: \S+) .*$|^solver version: .*$", r"\1", part.task)
        other = tasks.setdefault(player, part)
        if other.strong_id != part.strong_id:
            raise DatasetError(
                f"{other.path} and {part.path} come from different versions of one solver or numbering, and their rows "
                f"do not add up:\n{other.task}and\n{part.task}leave one of them out"
            )


@contextmanager
def _disk(what: str, remedy: str) -> Iterator[None]:
    """Turn an error of the file system into a `DatasetError`."""
    try:
        yield
    except OSError as error:
        raise DatasetError(f"{what} ({error.strerror or error}): {remedy}") from error


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
