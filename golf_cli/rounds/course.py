"""The deals of a round or of matches, and players that play them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from golf_cli.deals.numberings import GO1, Numbering
from golf_cli.deals.numberings import numbering as numbering_of
from golf_cli.deals.reference import number_text, resolve, rules_text
from golf_cli.deals.registry import documented_numbers
from golf_cli.deals.shuffle import VERSION
from golf_cli.errors import DealError, ReferenceError, SolverError  # noqa: A004
from golf_cli.rounds.playing import Scores, play_holes
from golf_cli.rules import RuleSet
from golf_cli.solvers import registry
from golf_cli.sweep.events import Event
from golf_cli.sweep.plan import Interval, Task, asked, short
from golf_cli.sweep.workers import Crew
from golf_cli.wording import noun


@dataclass(frozen=True)
class Course:
    """Numbered deals, one a hole.

    Attributes:
        numbering: where the numbers get their cards.
        rules: what they are played by.
        deals: the numbers, in the order of the holes.
        told: what deals these are, for people, where their numbers do not tell it.
        about: the same for JSON.

    Raises:
        DealError: the numbering does not deal what the rules need.
    """

    numbering: Numbering
    rules: RuleSet
    deals: tuple[Interval, ...]
    told: str = ""
    about: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.numbering.deal(self.deals[0].first, self.rules.layout)

    @classmethod
    def of(cls, rules: RuleSet, holes: int, first: int | None = None, numbering: str = "go1") -> "Course":
        """Consecutive numbers from `first` on, or from the numbering's own first number.

        Documented deals, of which not every card is known, are passed over: nobody could play a hole of that name.

        Raises:
            NumberError: there is no such numbering, or it has no such numbers.
            DealError: the numbering does not deal what the rules need.
        """
        named = numbering_of(numbering)
        span, documented = asked(named, first, holes), _documented(named, rules)
        while missing := holes - sum(part.size for part in span.without(documented)):
            span = asked(named, first, span.size + missing)
        return cls(named, rules, tuple(span.without(documented)))

    @classmethod
    def of_numbers(
        cls, rules: RuleSet, numbers: Sequence[int], told: str = "", about: Mapping[str, Any] | None = None
    ) -> "Course":
        """The deals of these numbers of `go1`; at least one, and none twice.

        Raises:
            NumberError: there are no such numbers.
        """
        return cls(GO1, rules, tuple(asked(GO1, number, 1) for number in numbers), told, about or {})

    @classmethod
    def of_references(cls, references: Sequence[str], rules: RuleSet | None = None) -> "Course":
        """The deals of codes and numbers, which must be of one numbering; at least one.

        Args:
            references: the deals.
            rules: what they are played by; None takes those that the codes' letters set.

        Raises:
            GolfError: as `golf_cli.deals.reference.resolve`.
            ReferenceError: a reference is of a board, a deal is there twice, or the deals are of several numberings or
                rules.
        """
        deals = []
        for reference in references:
            dealt = resolve(reference, rules)
            if dealt.numbering is None or dealt.number is None:
                raise ReferenceError(f"'{reference}' is a board without a number: give the holes as codes or numbers")
            deals.append((dealt.numbering, dealt.rules, Interval(dealt.number, dealt.number + 1)))
        numbering, played, _ = deals[0]
        for place, (reference, deal) in enumerate(zip(references, deals, strict=True)):
            if deal in deals[:place]:
                raise ReferenceError(f"'{reference}' is there twice: each hole is another deal")
        for reference, (other, others, _) in zip(references, deals, strict=True):
            if (other.name, others) != (numbering.name, played):
                raise ReferenceError(
                    f"'{reference}' is dealt by {other.name} and played by {others} rules, and '{references[0]}' by "
                    f"{numbering.name} and {played}: give deals of one numbering, and their rules with --rules"
                )
        return cls(numbering, played, tuple(interval for _, _, interval in deals))

    @property
    def holes(self) -> int:
        """How many holes there are."""
        return sum(interval.size for interval in self.deals)

    @property
    def labels(self) -> tuple[str, ...]:
        """The reference of each hole."""
        numbers = (number for interval in self.deals for number in range(interval.first, interval.stop))
        return tuple(number_text(self.numbering, number, self.rules) for number in numbers)

    def tasks(self, solvers: Sequence[str], seed: int = 0) -> tuple[Task, ...]:
        """What each of these solvers does to play here.

        Raises:
            SolverError: as `Task.of`; or a solver counts many games of a deal, and so has no score of one; or it is
                there twice, and would meet itself.
        """
        for solver in solvers:
            named = registry.find(solver)
            if named.solver.counts_games:
                raise SolverError(f"{named.text} counts many games of a deal, and plays none that has a score")
        tasks = tuple(Task.of(self.numbering.name, self.rules, solver, seed) for solver in solvers)
        for place, task in enumerate(tasks):
            if task in tasks[:place]:
                raise SolverError(f"{task.solver} is there twice, and would score the same twice: give it once")
        return tasks

    def play(
        self, tasks: Sequence[Task], crew: Crew | None = None, watch: Callable[[Iterable[Event]], object] | None = None
    ) -> Scores:
        """Play the holes. The arguments and errors are those of `play_holes`.

        Raises:
            DealError: not every card of a hole is known.
        """
        if self.partial is not None:
            raise DealError(
                f"{self.partial} is documented without all of its stock cards, so no solver can play it: give another "
                "deal"
            )
        return play_holes(tasks, self.deals, crew, watch)

    @property
    def partial(self) -> str | None:
        """The reference of a hole of which not every card is known; None where all are."""
        for each in _documented(self.numbering, self.rules):
            if any(deals.overlaps(each) for deals in self.deals):
                return number_text(self.numbering, each.first, self.rules)
        return None

    @property
    def own_shuffle(self) -> bool:
        """Whether the project's own shuffle deals GO1 numbers here, so that the app has other cards for them."""
        documented = _documented(self.numbering, self.rules)
        return self.numbering is GO1 and any(deals.without(documented) for deals in self.deals)

    def record(self) -> dict[str, Any]:
        """What is played, for JSON; the deals in the order of the holes, each interval without its second number."""
        return {
            "numbering": self.numbering.name,
            "shuffle": f"golf {VERSION}" if self.own_shuffle else None,
            "rules": str(self.rules),
            "deals": [[deals.first, deals.stop] for deals in self.deals],
            **self.about,
        }

    def __str__(self) -> str:
        numbers = f"{noun(self.holes, 'deal')} {short(self.deals)} of {self.numbering.name}"
        return f"{self.told or numbers}, {rules_text(self.numbering, self.rules)}"


def _documented(numbering: Numbering, rules: RuleSet) -> list[Interval]:
    """The numbers, one by one and in order, that are not dealt in full."""
    return [Interval(each, each + 1) for each in documented_numbers(rules.layout)] if numbering is GO1 else []
