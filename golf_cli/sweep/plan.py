"""What a sweep is: a task with a strong id, and the interval of deal numbers it is asked for."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from golf_cli.deals.numberings import Numbering
from golf_cli.deals.numberings import numbering as numbering_of
from golf_cli.deals.numbers import LAST_U64, parse_count
from golf_cli.errors import DatasetError, NumberError, RulesError, SolverError
from golf_cli.rules import FIELDS, RuleSet
from golf_cli.solvers import registry
from golf_cli.wording import counted

LONGEST_NAME: Final = 120

_CANONICAL: Final = re.compile(
    r"golf sweep: 1\n"
    r"numbering: (?P<numbering>\S+) (?P<numbering_version>.+)\n"
    r"rules: (?P<rules>.+)\n"
    r"solver: (?P<solver>.+)\n"
    r"solver version: (?P<solver_version>.+)\n"
    r"seed: (?P<seed>[0-9]{1,20})\n"
)


@dataclass(frozen=True)
class Task:
    """What decides the row of a deal, beside its number.

    Attributes:
        numbering: name of the numbering the deals come from.
        numbering_version: its version.
        rules: the rules they are played by.
        solver: the solver's canonical text, name and options.
        solver_version: its version.
        seed: 0 to 2^64 - 1.
    """

    numbering: str
    numbering_version: str
    rules: RuleSet
    solver: str
    solver_version: str
    seed: int = 0

    @classmethod
    def of(cls, numbering: str, rules: RuleSet, solver: str, seed: int = 0) -> "Task":
        """The task for a solver written as on the command line, with the versions there are now.

        Raises:
            SolverError: no such solver, or not these options; PluginError where a solver from outside failed to load.
            NumberError: there is no such numbering, or the seed is out of range.
        """
        if not 0 <= seed <= LAST_U64:
            raise NumberError(f"seed {seed}: give 0 to {LAST_U64}")
        named = registry.find(solver)
        dealer = numbering_of(numbering)
        return cls(dealer.name, dealer.version, rules, named.text, named.solver.version, seed)

    @classmethod
    def read(cls, canonical: str) -> "Task":
        """The task that a canonical text is of; numbering and solver need not be known here, nor have these versions.

        Raises:
            DatasetError: no task has this text.
        """
        match = _CANONICAL.fullmatch(canonical)
        with suppress(RulesError):
            if match and int(match["seed"]) <= LAST_U64:
                rules = RuleSet.parse(",".join(["classic", *match["rules"].split(" ")]))
                names = match["numbering"], match["numbering_version"]
                task = cls(*names, rules, match["solver"], match["solver_version"], int(match["seed"]))
                if task.canonical == canonical:
                    return task
        raise DatasetError(f"no sweep is written as {canonical!r}: its six lines are those that --print-id shows")

    @property
    def canonical(self) -> str:
        """What the strong id is taken over: one `name: value` a line, each line ended by a newline."""
        rules = " ".join(f"{name.replace('_', '-')}={getattr(self.rules, name)}" for name in FIELDS)
        lines = [
            "golf sweep: 1",
            f"numbering: {self.numbering} {self.numbering_version}",
            f"rules: {rules}",
            f"solver: {self.solver}",
            f"solver version: {self.solver_version}",
            f"seed: {self.seed}",
        ]
        return "".join(f"{line}\n" for line in lines)

    @property
    def strong_id(self) -> str:
        """SHA-256 of the canonical text in UTF-8, as 64 hexadecimal digits."""
        return _digest(self.canonical)

    @property
    def label(self) -> str:
        """Who plays what, for people: `go1-classic-leftmost`. Letters, digits and `-+._` alone."""
        return _file_name(f"{self.numbering}-{self.rules}-{self.solver}")

    @property
    def directory(self) -> str:
        """The name of the task's directory in a dataset: its label and the start of its strong id."""
        return f"{self.label}-{self.strong_id[:8]}"


def _file_name(text: str) -> str:
    """The text with nothing in it that a file system, a shell or a reader of partitions (`name=value`) takes for
    something else, and not too long."""
    name = re.sub(r"[^A-Za-z0-9+._-]", "_", text.replace(",", "+").replace("=", "-"))
    return name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}-{_digest(text)[:8]}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, order=True)
class Interval:
    """The deal numbers from `first` up to but not including `stop`."""

    first: int
    stop: int

    @property
    def size(self) -> int:
        """How many numbers these are."""
        return self.stop - self.first

    def __str__(self) -> str:
        return f"{self.first}..{self.stop - 1}"

    @property
    def words(self) -> str:
        """For a sentence: `the deal 7`, `the deals 7..9`."""
        return f"the deal {self.first}" if self.size == 1 else f"the deals {self}"

    def overlaps(self, other: "Interval") -> bool:
        """Whether a number lies in both."""
        return self.first < other.stop and other.first < self.stop

    def without(self, done: Iterable["Interval"]) -> list["Interval"]:
        """What is left of this interval when the given ones are taken out, in order."""
        left = []
        first = self.first
        for taken in sorted(done):
            if taken.first > first and first < self.stop:
                left.append(Interval(first, min(taken.first, self.stop)))
            first = max(first, taken.stop)
        if first < self.stop:
            left.append(Interval(first, self.stop))
        return left

    def shard(self, shard: "Shard") -> "Interval":
        """One of several equal parts of this interval; the first ones are no larger than the last ones.

        Raises:
            NumberError: there are more parts than numbers.
        """
        if self.size < shard.of:
            raise NumberError(f"{counted(self.size, 'deal')} in {counted(shard.of, 'part')}: give at most {self.size}")
        before, to = (self.first + self.size * parts // shard.of for parts in (shard.part - 1, shard.part))
        return Interval(before, to)

    def cut(self, size: int) -> Iterator["Interval"]:
        """The parts of this interval between the multiples of `size`.

        The cuts do not depend on where the interval starts or ends, so that a sweep grown later has the same files in
        the middle as one run at once.
        """
        first = self.first
        while first < self.stop:
            stop = min((first // size + 1) * size, self.stop)
            yield Interval(first, stop)
            first = stop


def joined(intervals: Iterable[Interval]) -> list[Interval]:
    """The same numbers in as few intervals as there can be, in order."""
    runs: list[Interval] = []
    for each in sorted(intervals):
        if runs and each.first <= runs[-1].stop:
            runs[-1] = Interval(runs[-1].first, max(runs[-1].stop, each.stop))
        else:
            runs.append(each)
    return runs


def short(intervals: Iterable[Interval], most: int = 8) -> str:
    """Deal numbers in a few words: `3, 17..20 and 41 more`."""
    runs = joined(intervals)
    told = ", ".join(str(each) if each.size > 1 else str(each.first) for each in runs[:most])
    rest = sum(each.size for each in runs[most:])
    return f"{told} and {rest:,} more" if rest else told


@dataclass(frozen=True)
class Shard:
    """One of several equal parts of a sweep: `part` of `of`, from 1 on."""

    part: int
    of: int

    @classmethod
    def parse(cls, text: str) -> "Shard":
        """Read `3/8`.

        Raises:
            NumberError: it is no such text, or there is no such part.
        """
        part, _, of = text.partition("/")
        try:
            count = parse_count(of)
            return cls(parse_count(part, count), count)
        except NumberError:
            raise NumberError(f"'{text}' is no shard: write K/N, such as 3/8, with K from 1 to N") from None


def asked(numbering: Numbering, first: int | None, count: int) -> Interval:
    """The interval of `count` numbers from `first`, or from the numbering's own first number.

    Raises:
        NumberError: the count is not positive, or numbers in the interval do not exist.
    """
    if count < 1:
        raise NumberError(f"{count} deals: give a count of at least 1")
    start = numbering.first if first is None else first
    numbering.check(start)
    if start + count - 1 > numbering.last:
        raise NumberError(
            f"{counted(count, 'deal')} from number {start} would end at {start + count - 1}: "
            f"the last number of {numbering.name} is {numbering.last}"
        )
    return Interval(start, start + count)


@dataclass(frozen=True)
class Plan:
    """A sweep: every task over one interval of deal numbers.

    Attributes:
        tasks: one for each rule set and solver, rule sets first.
        interval: the deal numbers each task plays.
        shard: which part of a larger sweep this is, if it is one.
    """

    tasks: tuple[Task, ...]
    interval: Interval
    shard: Shard | None = None

    @classmethod
    def of(
        cls,
        rules: Sequence[RuleSet],
        solvers: Sequence[str],
        count: int,
        first: int | None = None,
        numbering: str = "go1",
        seed: int = 0,
    ) -> "Plan":
        """Plan to play `count` deals from number `first` by every rule set and solver.

        Raises:
            NumberError: numbering, count, first number or seed is out of range.
            SolverError: as `Task.of`.
            DealError: the numbering does not deal what a rule set needs.
        """
        if not (rules and solvers):
            raise SolverError("a sweep needs at least one rule set and one solver")
        tasks = [Task.of(numbering, each, solver, seed) for each in rules for solver in solvers]
        interval = asked(numbering_of(numbering), first, count)
        for task in tasks:
            numbering_of(task.numbering).deal(interval.first, task.rules.layout)
        return cls(tuple(dict.fromkeys(tasks)), interval)

    def part(self, shard: Shard) -> "Plan":
        """The same tasks over one part of the interval.

        Raises:
            NumberError: there are more parts than deals.
        """
        return replace(self, interval=self.interval.shard(shard), shard=shard)

    @property
    def directory(self) -> str:
        """A directory named after what the sweep holds: `golf-go1-classic-leftmost`, of a shard with `-3-of-8`."""
        numberings, rules, solvers = (
            "+".join(dict.fromkeys(names))
            for names in (
                [task.numbering for task in self.tasks],
                [str(task.rules) for task in self.tasks],
                [task.solver for task in self.tasks],
            )
        )
        part = f"-{self.shard.part}-of-{self.shard.of}" if self.shard else ""
        return _file_name(f"golf-{numberings}-{rules}-{solvers}") + part
