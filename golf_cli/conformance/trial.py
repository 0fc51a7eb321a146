"""What a promise is, and what it is tried on."""

from collections.abc import Callable
from dataclasses import dataclass

from golf_cli.conformance.report import Breach
from golf_cli.conformance.subject import Case, Subject

Look = Breach | str | None
"""What a look at a promise gave: where it was broken, or why it could not be shown, or None where it was kept."""


@dataclass(frozen=True)
class Trial:
    """What promises are tried on: a solver, and the deals it played under each of the rules."""

    subject: Subject
    cases: tuple[Case, ...]


@dataclass(frozen=True)
class Promise:
    """One thing the protocol promises.

    Attributes:
        name: what a report calls it.
        says: what is promised, in one line.
        look: tries it.
        needs: promises without which a breach of this one would tell nothing new.
    """

    name: str
    says: str
    look: Callable[[Trial], Look]
    needs: tuple[str, ...] = ()


def each(look: Callable[[Case], Look]) -> Callable[[Trial], Look]:
    """A look at every case: the first breach; not shown where no case shows it."""

    def all_cases(trial: Trial) -> Look:
        reasons = []
        for case in trial.cases:
            came = look(case)
            if isinstance(came, Breach):
                return came
            if came:
                reasons.append(came)
        return reasons[0] if len(reasons) == len(trial.cases) else None

    return all_cases
