"""One Parquet file of a dataset: what it says of itself, and whether it holds that."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
import polars as pl

from golf_cli.deals.numbers import LAST_U64
from golf_cli.errors import DatasetError, FileError
from golf_cli.solvers.outcome import RESULTS, Outcomes
from golf_cli.sweep.files import disk, named
from golf_cli.sweep.plan import Interval, Task
from golf_cli.sweep.rows import rows, version_of
from golf_cli.sweep.schema import BARE, GAMES_SCHEMA, SCHEMAS

SUFFIX: Final = ".parquet"

REMEDY: Final = (
    "move it out of the dataset, or let golf dataset check --repair do so; a rerun of the sweep plays its deals again"
)

_ROWS_AT_ONCE: Final = 1 << 18

_UNREADABLE: Final = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)


@dataclass(frozen=True)
class Part:
    """One file of a dataset, as its metadata tells it.

    Attributes:
        path: the file.
        strong_id: of its task.
        task: the task's canonical text.
        interval: the deals it holds.
        digest: as the function `digest` has it for its outcomes.
        version: of the schema, of `SCHEMAS`.
    """

    path: Path
    strong_id: str
    task: str
    interval: Interval
    digest: str
    version: int


def file_name(interval: Interval) -> str:
    """The name of the file that holds an interval: the first number and the first number after it."""
    return f"{interval.first:020}-{interval.stop:020}{SUFFIX}"


def digest(outcomes: Outcomes) -> str:
    """SHA-256, 64 hexadecimal digits, over three bytes a deal: all results, all cards left, all stock cards left.

    Of an undecided deal the cards left count as 0: they are not stored. Where games are counted their columns follow,
    four bytes a deal each, the lowest first.
    """
    results, *left = outcomes.columns[:3]
    kept = (np.where(outcomes.undecided, 0, column).astype(np.uint8) for column in left)
    counts = (column.astype(column.dtype.newbyteorder("<")) for column in outcomes.columns[3:])
    return hashlib.sha256(b"".join(column.tobytes() for column in (results, *kept, *counts))).hexdigest()


def encoded(task: Task, interval: Interval, outcomes: Outcomes) -> memoryview:
    """The Parquet file of an interval's outcomes, metadata included."""
    metadata = {
        "golf.schema": str(version_of(outcomes)),
        "golf.id": task.strong_id,
        "golf.task": task.canonical,
        "golf.first": str(interval.first),
        "golf.stop": str(interval.stop),
        "golf.outcomes": digest(outcomes),
    }
    # Through memory: polars would report a full disk as an error of its own making.
    buffer = BytesIO()
    rows(task, interval, outcomes).write_parquet(buffer, compression="zstd", compression_level=1, metadata=metadata)
    return buffer.getbuffer()


def read_part(path: Path) -> Part:
    """Read what a file says of itself, and see that it holds as many rows of these columns.

    Raises:
        FileError: the file cannot be read as Parquet, was not written by a sweep, has another schema version, or does
            not hold what it says.
    """
    if path.is_fifo():
        raise FileError(path, "is no file", REMEDY)  # to read it would be to wait for somebody who writes
    try:
        metadata = pl.read_parquet_metadata(path)
        frame = pl.scan_parquet(path, glob=False)
        schema = frame.collect_schema()
        count = frame.select(pl.len()).collect().item()
    except _UNREADABLE as error:
        raise FileError(path, f"is no whole Parquet file ({_first_line(error)})", REMEDY) from error
    part = _part(path, metadata)
    if schema != SCHEMAS[part.version] or count != part.interval.size:
        raise FileError(
            path, f"does not hold the {part.interval.size} deals {part.interval} that it says it holds", REMEDY
        )
    return part


def _part(path: Path, metadata: Mapping[str, str]) -> Part:
    version = metadata.get("golf.schema")
    if version is None:
        raise FileError(path, "was not written by a sweep", REMEDY)
    if version not in map(str, SCHEMAS):
        reads = " and ".join(map(str, SCHEMAS))
        raise FileError(path, f"has version {version} of the schema, this golf reads {reads}", REMEDY)
    try:
        interval = Interval(int(metadata["golf.first"]), int(metadata["golf.stop"]))
        part = Part(path, metadata["golf.id"], metadata["golf.task"], interval, metadata["golf.outcomes"], int(version))
        sound = 0 <= interval.first < interval.stop <= LAST_U64 + 1
    except (KeyError, ValueError):
        sound = False
    if not sound:
        raise FileError(path, "does not say which deals of which sweep it holds", REMEDY)
    return part


def read_outcomes(part: Part) -> Outcomes:
    """Read a file to its last byte, and see that every value in it is what the sweep wrote.

    Besides what outcomes take, three bytes a deal or, with counts of games, nineteen, it takes no more memory for a
    large file than for a small one.

    Raises:
        DatasetError: no task has its task's text.
        FileError: it cannot be read, its strong id is not that of its task, a row is not what the deal's outcome makes
            it, or the outcomes are not those that were written.
    """
    task = Task.read(part.task)
    if task.strong_id != part.strong_id:
        raise FileError(part.path, f"has the strong id {part.strong_id}, which is not its task's", REMEDY)
    rows_of_file = pl.scan_parquet(part.path, glob=False)
    pieces = []
    for first in range(part.interval.first, part.interval.stop, _ROWS_AT_ONCE):
        piece = Interval(first, min(first + _ROWS_AT_ONCE, part.interval.stop))
        try:
            frame = rows_of_file.slice(first - part.interval.first, piece.size).collect()
        except _UNREADABLE as error:
            raise FileError(part.path, f"is damaged ({_first_line(error)})", REMEDY) from error
        outcomes = _outcomes(frame, task)
        if outcomes is None or frame.height != piece.size or not rows(task, piece, outcomes).equals(frame):
            raise FileError(part.path, f"does not hold the rows of the deals {part.interval}", REMEDY)
        pieces.append(outcomes)
    whole = Outcomes.joined(pieces)
    if digest(whole) != part.digest:
        raise FileError(part.path, "does not hold the outcomes that were written to it", REMEDY)
    return whole


def _outcomes(frame: pl.DataFrame, task: Task) -> Outcomes | None:
    """The outcomes that rows tell, if these are within what the task's layout can end with."""
    layout = task.rules.layout
    results = frame["result"].to_physical()
    left = [frame["cards_left"].fill_null(0), frame["stock_left"].fill_null(0)]
    limits = zip([results, *left], (len(RESULTS) - 1, layout.tableau, layout.stock), strict=True)
    if results.null_count() or any((column > most).any() for column, most in limits):
        return None
    counts = [frame[name] for name in GAMES_SCHEMA if name in frame.columns]
    if any(column.null_count() for column in counts):
        return None
    return Outcomes.of_columns([column.to_numpy() for column in (results, *left, *counts)])


def first_difference(one: tuple[Interval, Outcomes], other: tuple[Interval, Outcomes]) -> int | None:
    """The first deal that both hold and of which they tell another outcome; None where they agree or share no deal."""
    shared = Interval(max(one[0].first, other[0].first), min(one[0].stop, other[0].stop))
    if shared.size < 1:
        return None
    mine, theirs = (
        outcomes.at(slice(shared.first - held.first, shared.stop - held.first)) for held, outcomes in (one, other)
    )
    unlike = mine.unlike(theirs)
    return shared.first + int(unlike.argmax()) if unlike.any() else None


def scan(paths: Sequence[Path]) -> pl.LazyFrame:
    """The rows of datasets, of tasks' directories and of single files, with the columns of `SCHEMA`, and where some
    solver counts games those of `GAMES_SCHEMA`.

    Files that are not Parquet are passed over.

    Raises:
        DatasetError: there is no such path or no Parquet file in it; a file cannot be read or was not written by a
            sweep; a deal would be counted twice; two versions of a solver would be taken for one.
    """
    return rows_of(whole(paths))


def whole(paths: Sequence[Path]) -> list[Part]:
    """All files in the paths, seen to add up; the errors are those of `scan`."""
    parts = [read_part(path) for path in sorted({file for path in paths for file in _files(path)})]
    refuse_overlaps(parts)
    _refuse_versions(parts)
    return parts


def rows_of(parts: Sequence[Part]) -> pl.LazyFrame:
    """The rows of files, with the columns of `SCHEMA`, and where some file has those of `GAMES_SCHEMA`, with these."""
    versions = {part.version for part in parts}
    return pl.scan_parquet(
        [part.path for part in parts],
        schema=dict(SCHEMAS[max(versions, default=BARE)]),
        missing_columns="insert" if len(versions) > 1 else "raise",
        glob=False,
    )


def _files(path: Path) -> list[Path]:
    refuse_unreadable_name(path.resolve())
    if path.is_file():
        return [path.resolve()]
    with disk(f"{path} cannot be read", "give a directory that golf sweep wrote"):
        if not path.exists():
            raise FileNotFoundError("no such directory")
        files = [file.resolve() for file in named(path, SUFFIX, below=True)]
    if not files:
        raise DatasetError(f"{path} holds no Parquet file: give a directory that golf sweep wrote")
    return files


def refuse_unreadable_name(path: Path) -> None:
    """Raise a DatasetError for a name that is not UTF-8: polars takes no other."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        raise DatasetError(f"the name {str(path)!a} is not UTF-8: give a directory whose name is") from None


def refuse_overlaps(parts: Sequence[Part]) -> None:
    """Raise a DatasetError where two files hold the same deals of the same sweep."""
    ordered = sorted(parts, key=lambda part: (part.strong_id, part.interval))
    for one, next_one in pairwise(ordered):
        if one.strong_id == next_one.strong_id and one.interval.overlaps(next_one.interval):
            raise DatasetError(
                f"{one.path} ({one.interval}) and {next_one.path} ({next_one.interval}) hold the same deals of the "
                "same sweep: each deal counts once; leave one of them out; where both lie in one dataset, as a compact "
                "that was killed leaves it, golf dataset compact puts it right"
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


def _first_line(error: BaseException) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
