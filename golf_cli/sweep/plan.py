"""What a sweep is: a task with a strong id, and the interval of deal numbers it is asked for."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from golf_cli.deals.numberings import Numbering
from golf_cli.deals.numberings import numbering as numbering_of
from golf_cli.deals.numbers import LAST_U64
from golf_cli.errors import NumberError, SolverError
from golf_cli.rules import FIELDS, RuleSet
from golf_cli.solvers import registry

LONGEST_NAME: Final = 120


@dataclass(frozen=True)
class Task:
    """What decides the row of a deal, beside its number.

    Attributes:
        numbering: name of the numbering the deals come from.
        rules: the rules they are played by.
        solver: the solver's canonical text, name and options.
        solver_version: its version.
        seed: 0 to 2^64 - 1.
    """

    numbering: str
    rules: RuleSet
    solver: str
    solver_version: str
    seed: int = 0

    @classmethod
    def of(cls, numbering: str, rules: RuleSet, solver: str, seed: int = 0) -> "Task":
        """The task for a solver written as on the command line, with the version it has now.

        Raises:
            SolverError: no such solver, or not these options; PluginError where a solver from outside failed to load.
            NumberError: there is no such numbering, or the seed is out of range.
        """
        if not 0 <= seed <= LAST_U64:
            raise NumberError(f"seed {seed}: give 0 to {LAST_U64}")
        named = registry.find(solver)
        return cls(numbering_of(numbering).name, rules, named.text, named.solver.version, seed)

    @property
    def deals_from(self) -> Numbering:
        """The numbering itself."""
        return numbering_of(self.numbering)

    @property
    def canonical(self) -> str:
        """What the strong id is taken over: one `name: value` a line, each line ended by a newline."""
        rules = " ".join(f"{name.replace('_', '-')}={getattr(self.rules, name)}" for name in FIELDS)
        lines = [
            "golf sweep: 1",
            f"numbering: {self.numbering} {self.deals_from.version}",
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

    def overlaps(self, other: "Interval") -> bool:
        """Whether a number lies in both."""
        return self.first < other.stop and other.first < self.stop

    def without(self, done: list["Interval"]) -> list["Interval"]:
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
            f"{count} deals from number {start} would end at {start + count - 1}: "
            f"the last number of {numbering.name} is {numbering.last}"
        )
    return Interval(start, start + count)


@dataclass(frozen=True)
class Plan:
    """A sweep: every task over one interval of deal numbers.

    Attributes:
        tasks: one for each rule set and solver, rule sets first.
        interval: the deal numbers each task plays.
    """

    tasks: tuple[Task, ...]
    interval: Interval

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
            task.deals_from.deal(interval.first, task.rules.layout)
        return cls(tuple(dict.fromkeys(tasks)), interval)

    @property
    def directory(self) -> str:
        """A directory named after what the sweep holds: `golf-go1-classic-leftmost`."""
        numberings, rules, solvers = (
            "+".join(dict.fromkeys(names))
            for names in (
                [task.numbering for task in self.tasks],
                [str(task.rules) for task in self.tasks],
                [task.solver for task in self.tasks],
            )
        )
        return _file_name(f"golf-{numberings}-{rules}-{solvers}")
