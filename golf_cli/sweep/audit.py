"""Whether a dataset holds what it says, to the last byte, and what it lacks; and broken files set aside."""

import os
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

from golf_cli.deals.numberings import numbering
from golf_cli.errors import DatasetError, FileError
from golf_cli.solvers.outcome import Outcomes
from golf_cli.sweep.files import PARTIAL, disk, named
from golf_cli.sweep.parts import (
    REMEDY,
    SUFFIX,
    Part,
    file_name,
    first_difference,
    read_outcomes,
    read_part,
    refuse_unreadable_name,
)
from golf_cli.sweep.plan import Interval, Task, asked, joined
from golf_cli.sweep.store import TASK, Store, read_record
from golf_cli.sweep.waiting import first_done

Watch: TypeAlias = Callable[[str, int, int], object]
"""Told what is being done, how many files are done, and of how many."""

MOST_THREADS: Final = 8
"""Each takes some 40 MB, and three bytes a deal of the file it reads, or, with counts of games, nineteen."""

_TASK_DIRECTORY: Final = re.compile(r".+-[0-9a-f]{8}")


def unwatched(what: str, done: int, total: int) -> None:
    """Watch nothing."""


@dataclass(frozen=True)
class Flaw:
    """A file that is not what it should be at its place.

    Attributes:
        path: the file.
        reason: what is wrong with it, said of it: `is no whole Parquet file`.
        aside: where it was set aside; None where it still lies at its place.
    """

    path: Path
    reason: str
    aside: Path | None = None


@dataclass(frozen=True)
class Holding:
    """What a dataset holds of a task, and what it lacks.

    Attributes:
        task: who plays what.
        parts: its whole files, none of which overlaps another, in the order of their intervals.
        asked: the deals that sweeps were asked for so far; those in the files where there is no record of it.
        missing: the deals that were asked for, or lie between the first and the last one in the files, and are in none.
    """

    task: Task
    parts: tuple[Part, ...]
    asked: tuple[Interval, ...]
    missing: tuple[Interval, ...]

    @property
    def held(self) -> list[Interval]:
        """The deals in the files, in as few intervals as there can be."""
        return joined(part.interval for part in self.parts)


@dataclass(frozen=True)
class Report:
    """What a dataset holds, and what is wrong with it.

    Attributes:
        directory: where it lies.
        holdings: one a task, in the order of their directories.
        flaws: every broken, misplaced or superfluous file, in the order of their paths.
        partials: what is being written at the moment, or was left half written by a process that was killed.
    """

    directory: Path
    holdings: tuple[Holding, ...]
    flaws: tuple[Flaw, ...] = ()
    partials: tuple[Path, ...] = ()

    @property
    def broken(self) -> list[Flaw]:
        """The flaws that are still there."""
        return [flaw for flaw in self.flaws if flaw.aside is None]

    @property
    def missing(self) -> int:
        """How many deals are missing, over all tasks."""
        return sum(interval.size for holding in self.holdings for interval in holding.missing)

    @property
    def is_whole(self) -> bool:
        """Whether it holds something, nothing in it is broken, and nothing is missing."""
        return bool(self.holdings) and not self.broken and not self.missing


@dataclass
class Survey:
    """The files of a dataset, each looked at on its own.

    Attributes:
        parts: the whole files of each task; none of a task of which there is the record alone.
        asked: what sweeps of a task were asked for, where there is a record of it.
        flaws: the other files.
    """

    parts: dict[Task, list[Part]] = field(default_factory=dict)
    asked: dict[Task, list[Interval]] = field(default_factory=dict)
    flaws: list[Flaw] = field(default_factory=list)


def check(directory: Path, count: int | None = None, first: int | None = None, watch: Watch = unwatched) -> Report:
    """Read every file of a dataset to its last byte, and tell what is broken and what is missing.

    A sweep may write to it at the same time.

    Args:
        directory: where the dataset lies.
        count: how many deals it is to hold of every task; what sweeps were asked for if None.
        first: the first of them; the numbering's own first number if None. Nothing without `count`.
        watch: is told of every file.

    Raises:
        DatasetError: there is no dataset, or its directories cannot be read.
        NumberError: a numbering does not deal so many.
    """
    store = Store.existing(directory)
    return _report(store, survey(store, watch=watch), count, first)


def repair(directory: Path, count: int | None = None, first: int | None = None, watch: Watch = unwatched) -> Report:
    """Check a dataset and set aside what is broken, misplaced or superfluous: nothing is deleted.

    A rerun of the sweep plays the deals that are missing then. Of files that hold the same deals with the same outcomes
    as few as possible stay, and with other outcomes none. A broken record of what was asked for is written anew, from
    the deals that are there.

    The arguments, and what is raised, are as for `check`.

    Raises:
        DatasetError: somebody else is writing to the dataset, or a file cannot be moved.
    """
    store = Store.existing(directory)
    with store.writing():
        report = _report(store, survey(store, watch=watch), count, first)
        # What lies in a directory that is to be moved itself is moved before it.
        flaws = [replace(flaw, aside=store.set_aside(flaw.path)) for flaw in reversed(report.flaws)][::-1]
        moved = {flaw.path for flaw in flaws}
        for holding in report.holdings:
            if store.home(holding.task) / TASK in moved:
                store.prepare(holding.task, holding.held)
    return replace(report, flaws=tuple(flaws))


def survey(store: Store, thorough: bool = True, watch: Watch = unwatched) -> Survey:
    """Look at every file of a dataset on its own: whether it is whole, and lies where it should.

    Args:
        store: the dataset.
        thorough: whether files are read to their last byte; what they say of themselves is read in any case.
        watch: is told of every file.

    Raises:
        DatasetError: a directory cannot be read.
    """
    found = Survey()
    with disk(f"{store.directory} cannot be read", "make it readable"):
        paths = named(store.directory, SUFFIX, below=True)
        records = [path for path in named(store.directory, TASK, below=True) if path.parent.parent == store.directory]
    for path in records:
        if path.name == TASK and _TASK_DIRECTORY.fullmatch(path.parent.name):
            try:
                task, before = read_record(path)
            except FileError as error:
                found.flaws.append(Flaw(path, error.reason))
            else:
                found.parts[task], found.asked[task] = [], before
    for looked_at in _in_threads(partial(_look, store.directory, thorough), paths, watch):
        if isinstance(looked_at, Flaw):
            found.flaws.append(looked_at)
        elif looked_at:
            found.parts.setdefault(Task.read(looked_at.task), []).append(looked_at)
    return found


def _in_threads(
    look: Callable[[Path], Part | Flaw | None], paths: Sequence[Path], watch: Watch
) -> Iterator[Part | Flaw | None]:
    executor = ThreadPoolExecutor(min(os.cpu_count() or 1, MOST_THREADS))
    try:
        for done, future in enumerate([executor.submit(look, path) for path in paths], 1):
            while not future.done():
                first_done([future])
            watch("checking", done, len(paths))
            yield future.result()
    finally:
        executor.shutdown(cancel_futures=True)


def _look(directory: Path, thorough: bool, path: Path) -> Part | Flaw | None:
    """A whole file at its place, what is wrong with it, or None for a file that has gone meanwhile."""
    try:
        refuse_unreadable_name(path)
        part = read_part(path)
        _refuse_place(part, Task.read(part.task), directory)
        if thorough:
            read_outcomes(part)
    except DatasetError as error:
        reason = error.reason if isinstance(error, FileError) else f"is of no sweep: {error}"
        return Flaw(path, reason) if os.path.lexists(path) else None
    return part


def _refuse_place(part: Part, task: Task, directory: Path) -> None:
    """Raise a FileError for a file whose strong id, directory or name is not that of its task and interval."""
    if part.strong_id != task.strong_id:
        raise FileError(part.path, f"has the strong id {part.strong_id}, which is not its task's", REMEDY)
    if part.path.parent != directory / task.directory:
        raise FileError(part.path, f"lies in the wrong directory: it is of the task {task.directory}", REMEDY)
    if part.path.name != file_name(part.interval):
        raise FileError(part.path, f"has the wrong name: it holds {file_name(part.interval)}", REMEDY)


def _report(store: Store, found: Survey, count: int | None, first: int | None) -> Report:
    flaws = list(found.flaws)
    holdings = []
    for task in sorted(found.parts, key=lambda task: task.directory):
        surplus = _surplus(found.parts[task])
        flaws += [Flaw(part.path, reason) for part, reason in surplus.items()]
        parts = sorted((part for part in found.parts[task] if part not in surplus), key=lambda part: part.interval)
        wanted = [asked(numbering(task.numbering), first, count)] if count else []
        holdings.append(holding_of(task, parts, found.asked.get(task), wanted))
    with disk(f"{store.directory} cannot be read", "make it readable"):
        partials = [path for path in named(store.directory, PARTIAL, below=True) if path.is_file()]
    return Report(store.directory, tuple(holdings), tuple(sorted(flaws, key=lambda flaw: flaw.path)), tuple(partials))


def holding_of(
    task: Task, parts: Sequence[Part], before: Sequence[Interval] | None, wanted: Sequence[Interval] = ()
) -> Holding:
    """What some files hold of a task, and what they lack.

    Args:
        task: whose files they are.
        parts: the files, in the order of their intervals.
        before: what sweeps were asked for; None where there is no record of it.
        wanted: what is asked for beside that.
    """
    held = joined(part.interval for part in parts)
    recorded = held if before is None else before
    between = [Interval(held[0].first, held[-1].stop)] if held else []
    missing = [left for each in joined([*recorded, *between, *wanted]) for left in each.without(held)]
    return Holding(task, tuple(parts), tuple(recorded), tuple(missing))


def _surplus(parts: Sequence[Part]) -> dict[Part, str]:
    """The files of a task that cannot stay because others hold their deals too, with what to say of each."""
    entangled = _entangled(parts)
    reasons: dict[Part, str] = {}
    for one, other, number in _clashes(entangled):
        for part, rival in ((one, other), (other, one)):
            unlike = f"tells another outcome of deal {number} than {rival.path.name}: nobody can know which is right"
            reasons.setdefault(part, unlike)
    agreeing = [part for part in entangled if part not in reasons]
    kept = _disjoint(agreeing)
    for part in agreeing:
        if part not in kept:
            others = [other for other in kept if other.interval.overlaps(part.interval)]
            if part.interval.without(other.interval for other in others):
                same = "with the same outcomes: golf dataset compact joins them and loses no deal"
                reasons[part] = f"overlaps {_names(others)}, {same}"
            else:
                reasons[part] = f"is superfluous: all its deals lie in {_names(others)} too, with the same outcomes"
    return reasons


def _disjoint(parts: Sequence[Part]) -> set[Part]:
    """Files that do not overlap, chosen so that they hold as many deals as can be, and are few.

    Weighted interval scheduling: the best choice among the files that stop first, for each number of these.
    """
    ordered = sorted(parts, key=lambda part: part.interval.stop)
    stops = [part.interval.stop for part in ordered]
    best: list[tuple[int, int, Part | None, int]] = [(0, 0, None, 0)]  # deals, minus files, the last one, those before
    for part in ordered:
        before = bisect_right(stops, part.interval.first)
        deals, files, *_ = best[before]
        best.append(max(best[-1], (deals + part.interval.size, files - 1, part, before), key=lambda each: each[:2]))
    chosen = set()
    _, _, last, before = best[-1]
    while last:
        chosen.add(last)
        _, _, last, before = best[before]
    return chosen


def _names(parts: Sequence[Part]) -> str:
    names = sorted(part.path.name for part in parts)
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"


def _entangled(parts: Sequence[Part]) -> list[Part]:
    """The files that overlap another, in the order of their intervals."""
    found: set[Part] = set()
    furthest: Part | None = None
    for part in sorted(parts, key=lambda part: part.interval):
        if furthest and furthest.interval.overlaps(part.interval):
            found |= {furthest, part}
        if furthest is None or part.interval.stop > furthest.interval.stop:
            furthest = part
    return sorted(found, key=lambda part: part.interval)


def _clashes(entangled: Sequence[Part]) -> Iterator[tuple[Part, Part, int]]:
    """Pairs of files that tell different outcomes of a deal, with the first such deal.

    No more outcomes are held at a time than those of files that overlap in one deal.
    """
    reaching: list[tuple[Part, Outcomes]] = []
    for part in entangled:
        outcomes = read_outcomes(part)
        reaching = [(other, theirs) for other, theirs in reaching if other.interval.stop > part.interval.first]
        for other, theirs in reaching:
            number = first_difference((other.interval, theirs), (part.interval, outcomes))
            if number is not None:
                yield other, part, number
        reaching.append((part, outcomes))
