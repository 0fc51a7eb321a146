"""Datasets joined into one, and many small files into few: no row is played, lost or changed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from golf_cli.errors import DatasetError, NumberError
from golf_cli.solvers.outcome import Outcomes
from golf_cli.sweep.audit import Flaw, Holding, Report, Watch, check, holding_of, survey, unwatched
from golf_cli.sweep.files import disk
from golf_cli.sweep.parts import Part, encoded, read_outcomes
from golf_cli.sweep.plan import Interval, Task, joined
from golf_cli.sweep.store import MOST_IN_A_FILE, Store, log_of

BATCH: Final = 1 << 20
"""Deals in a file of a compact dataset: four megabytes."""

_MOST_TOLD: Final = 5
"""Files or deals that an error names; it counts the others."""


def merge(inputs: Sequence[Path], output: Path, watch: Watch = unwatched) -> Report:
    """Copy the files of datasets of the same tasks into one, byte by byte, and return what that holds then.

    Everything is read and compared before the first file is copied. Files that the output holds already are passed
    over, so that a merge that was interrupted goes on when it is run again.

    Args:
        inputs: datasets that hold different deals; at least one. Logs that lie beside them are passed over.
        output: a new or an empty directory, or a dataset of the same tasks to add to.
        watch: is told of every file.

    Raises:
        DatasetError: an input is no dataset, holds nothing or something broken, or is the output; the datasets hold
            different tasks, or the same deals; somebody else is writing to the output, or it cannot be written.
    """
    logs = {log_of(directory) for directory in inputs}
    inputs = [directory for directory in inputs if directory.resolve() not in logs]
    if not inputs:
        raise DatasetError("there is nothing to merge: give one dataset at least")
    _refuse_nested(inputs, output)
    store = Store(output)
    shards = [_whole(directory, watch) for directory in inputs]
    for shard in shards:
        if not shard.holdings:
            raise DatasetError(f"{shard.directory} holds no sweep: leave it out")
        _refuse_other_tasks(shards[0], shard)
    for holdings in _by_task(shards).values():
        _refuse_shared(part for holding in holdings for part in holding.parts)
    with store.writing():
        there = _whole(output, watch)
        if there.holdings and not _is_begun(there, shards):
            _refuse_other_tasks(there, shards[0])
        before = {holding.task: holding for holding in there.holdings}
        tasks = [_Joined(task, before.get(task), holdings) for task, holdings in _by_task(shards).items()]
        for task in tasks:
            _refuse_shared([*task.there, *task.new])
        _copy(store, tasks, watch)
    return Report(output, tuple(task.holding(store) for task in tasks))


class _Joined:
    """The files of one task: those that are there, and those that are to come."""

    def __init__(self, task: Task, before: Holding | None, shards: Sequence[Holding]) -> None:
        self.task = task
        self.there = before.parts if before else ()
        known = {(part.interval, part.digest) for part in self.there}
        parts = [part for shard in shards for part in shard.parts]
        self.new = sorted(
            (part for part in parts if (part.interval, part.digest) not in known), key=lambda part: part.interval
        )
        self.asked = joined(each for holding in [*shards, *filter(None, [before])] for each in holding.asked)

    def holding(self, store: Store) -> Holding:
        """What the store holds of the task when all is copied."""
        return holding_of(self.task, store.parts(self.task), self.asked)


def _is_begun(output: Report, shards: Sequence[Report]) -> bool:
    """Whether the output holds nothing but what a merge of the shards would have brought: it may lack tasks then."""
    known = {
        (part.strong_id, part.interval, part.digest)
        for shard in shards
        for holding in shard.holdings
        for part in holding.parts
    }
    parts = [part for holding in output.holdings for part in holding.parts]
    tasks = {holding.task for holding in output.holdings}
    return tasks <= {holding.task for holding in shards[0].holdings} and all(
        (part.strong_id, part.interval, part.digest) in known for part in parts
    )


def _copy(store: Store, tasks: Sequence[_Joined], watch: Watch) -> None:
    total = sum(len(each.new) for each in tasks)
    done = 0
    for each in tasks:
        store.prepare(each.task, each.asked)
    for each in tasks:
        for part in each.new:
            with disk(f"{part.path} cannot be read", "make it readable, and run the same command again"):
                content = part.path.read_bytes()
            store.put(each.task, part.interval, content, "run the same command again to go on")
            done += 1
            watch("copying", done, total)


def _by_task(shards: Sequence[Report]) -> Mapping[Task, list[Holding]]:
    holdings: dict[Task, list[Holding]] = {}
    for shard in shards:
        for holding in shard.holdings:
            holdings.setdefault(holding.task, []).append(holding)
    return holdings


def _whole(directory: Path, watch: Watch) -> Report:
    report = check(directory, watch=lambda what, done, total: watch(f"{what} {directory}", done, total))
    _refuse_flaws(directory, report.flaws)
    return report


def _refuse_flaws(directory: Path, flaws: Sequence[Flaw]) -> None:
    if flaws:
        told = _few([f"{flaw.path} {flaw.reason}" for flaw in flaws])
        raise DatasetError(f"{told}\nset aside what is broken with: golf dataset check --repair {directory}")


def _refuse_nested(inputs: Sequence[Path], output: Path) -> None:
    for place, directory in enumerate(inputs):
        if directory.resolve() == output.resolve():
            raise DatasetError(
                f"{output} is to be written and is among the datasets to merge: leave it out of these; "
                "the others are added to what it holds"
            )
        for other in (*inputs[:place], output):
            one, two = directory.resolve(), other.resolve()
            if one.is_relative_to(two) or two.is_relative_to(one):
                same = "is given twice" if one == two else f"and {other} lie one in the other"
                raise DatasetError(f"{directory} {same}: give separate directories, each once")


def _refuse_other_tasks(one: Report, other: Report) -> None:
    """Raise a DatasetError that tells, line by line, how the tasks of two datasets differ."""
    mine, theirs = ({holding.task for holding in report.holdings} for report in (one, other))
    left, right = (sorted(tasks, key=lambda task: task.directory) for tasks in (mine - theirs, theirs - mine))
    lines = []
    # Tasks that differ least are those that were meant to be one.
    for task, rival in sorted(
        ((task, rival) for task in left for rival in right), key=lambda pair: len(_differences(*pair))
    ):
        if task in left and rival in right:
            left.remove(task)
            right.remove(rival)
            lines.append(f"{task.directory} in {one.directory}, {rival.directory} in {other.directory}:")
            lines += [
                f"  {name}: {value} in {one.directory}, {unlike} in {other.directory}"
                for name, value, unlike in _differences(task, rival)
            ]
    for tasks, report in ((left, one), (right, other)):
        lines += [f"{task.directory}: in {report.directory} alone" for task in tasks]
    if lines:
        raise DatasetError(
            f"{one.directory} and {other.directory} do not hold the same tasks:\n"
            + "\n".join(lines)
            + "\nmerge what comes from the same golf sweep command alone, each part of it run to its end"
        )


def _differences(one: Task, other: Task) -> list[tuple[str, str, str]]:
    """The lines in which two canonical texts differ: the name, and the value in each."""
    lines = zip(one.canonical.splitlines(), other.canonical.splitlines(), strict=True)
    parted = ((mine.partition(": "), theirs.partition(": ")) for mine, theirs in lines)
    return [(mine[0], mine[2], theirs[2]) for mine, theirs in parted if mine != theirs]


def _refuse_shared(parts: Iterable[Part]) -> None:
    """Raise a DatasetError where files of one task hold the same deals."""
    shared = list(_shared(sorted(parts, key=lambda part: part.interval)))
    if shared:
        told = _few([f"deals {deals}: in {one.path} and in {other.path}" for deals, one, other in shared])
        raise DatasetError(
            f"the same deals are in more than one place, and each counts once:\n{told}\n"
            "leave out one of the datasets, or move one of the files out of its dataset"
        )


def _shared(parts: Sequence[Part]) -> Iterator[tuple[Interval, Part, Part]]:
    reaching: list[Part] = []
    for part in parts:
        reaching = [other for other in reaching if other.interval.stop > part.interval.first]
        for other in reaching:
            yield Interval(part.interval.first, min(part.interval.stop, other.interval.stop)), other, part
        reaching.append(part)


def _few(lines: Sequence[str]) -> str:
    more = [f"and {len(lines) - _MOST_TOLD:,} more"] if len(lines) > _MOST_TOLD else []
    return "\n".join([*lines[:_MOST_TOLD], *more])


@dataclass(frozen=True)
class Compacted:
    """What was done to a dataset's files.

    Attributes:
        before: how many there were.
        after: how many there are.
    """

    before: int
    after: int


def compact(directory: Path, batch: int = BATCH, watch: Watch = unwatched) -> Compacted:
    """Rewrite a dataset into as few files as there can be, cut at the multiples of `batch`, as a sweep cuts them.

    Files that are right already stay as they are. Old files are removed when all their deals are in new ones on disk,
    up to a number where an old and a new file end alike: so at any moment there are files that hold every deal once.
    Where the process ends in between, there are others beside them, and the next call goes on from there: it takes
    files that hold the same deals with the same outcomes.

    Besides the rows of one new file it needs memory for three bytes a deal, or, with counts of games, nineteen, of this
    file and of those it is made from.

    Args:
        directory: where the dataset lies.
        batch: deals in a file.
        watch: is told of every file that was there before.

    Raises:
        NumberError: `batch` is out of range.
        DatasetError: there is no dataset, a file of it is broken, two files tell different outcomes of a deal, somebody
            else is writing to it, or it cannot be written.
    """
    if not 1 <= batch <= MOST_IN_A_FILE:
        raise NumberError(f"{batch} deals in a file: give 1 to {MOST_IN_A_FILE}")
    store = Store.existing(directory)
    with store.writing():
        found = survey(store, thorough=False, watch=watch)
        _refuse_flaws(directory, found.flaws)
        before = sum(map(len, found.parts.values()))
        done = after = 0
        for task, parts in found.parts.items():
            store.prepare(task, [])
            for finished in _compact(store, task, parts, batch):
                after += 1
                done += finished
                watch("compacting", done, before)
    return Compacted(before, after)


def _compact(store: Store, task: Task, parts: Sequence[Part], batch: int) -> Iterator[int]:
    """See that every target file is there, and yield for each how many of the old files it was the last to replace."""
    ahead = sorted(parts, key=lambda part: part.interval, reverse=True)
    reaching: list[Part] = []
    replaced: list[Part] = []
    read: dict[Part, Outcomes] = {}
    for target in (each for run in joined(part.interval for part in parts) for each in run.cut(batch)):
        while ahead and ahead[-1].interval.first < target.stop:
            reaching.append(ahead.pop())
        intervals = [part.interval for part in reaching]
        if intervals != [target]:
            outcomes = _gathered(target, reaching, read)
            if target not in intervals:
                content = encoded(task, target, outcomes)
                store.put(task, target, content, "nothing is lost; run the same command again to go on")
        finished = [part for part in reaching if part.interval.stop <= target.stop]
        replaced += [part for part in finished if part.interval != target]
        reaching = [part for part in reaching if part.interval.stop > target.stop]
        if not reaching:
            store.remove(replaced)
            replaced = []
        yield len(finished)


def _gathered(target: Interval, parts: Sequence[Part], read: dict[Part, Outcomes]) -> Outcomes:
    """The outcomes of a target's deals from the files that hold them. What is read of a file that reaches beyond the
    target is kept in `read`.

    Raises:
        DatasetError: a file is broken, or two tell different outcomes of a deal.
    """
    gathered: Outcomes | None = None
    known = np.zeros(target.size, np.bool_)
    for part in parts:
        outcomes = read.pop(part) if part in read else read_outcomes(part)
        if part.interval.stop > target.stop:
            read[part] = outcomes
        first, stop = max(part.interval.first, target.first), min(part.interval.stop, target.stop)
        here = slice(first - target.first, stop - target.first)
        there = slice(first - part.interval.first, stop - part.interval.first)
        told = outcomes.at(there)
        if gathered is None:
            gathered = Outcomes.of_columns([np.zeros(target.size, column.dtype) for column in told.columns])
        other_kind = (told.games is None) != (gathered.games is None)
        unlike = (known[here] | other_kind) & told.unlike(gathered.at(here))
        if unlike.any():
            raise DatasetError(
                f"{part.path} tells another outcome of deal {first + int(unlike.argmax())} than another file of "
                f"{part.path.parent}: set both aside with: golf dataset check --repair {part.path.parent.parent}"
            )
        for column, values in zip(gathered.columns, told.columns, strict=True):
            column[here] = values
        known[here] = True
    assert gathered is not None  # every deal of the target is in some part
    return gathered
