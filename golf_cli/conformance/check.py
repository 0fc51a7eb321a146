"""A solver checked: the one function behind `golf solvers check`, and the one that tests call."""

import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import redirect_stdout
from time import perf_counter
from typing import Final

from golf_cli.conformance.promises import ENDS, PROMISES
from golf_cli.conformance.report import Breach, Finding, Report, Verdict
from golf_cli.conformance.subject import Case, NoEnd, RulesRefused, Subject
from golf_cli.conformance.trial import Look, Promise, Trial
from golf_cli.deals.numbers import LAST_U64
from golf_cli.errors import NumberError, PluginError, SolverError
from golf_cli.rules import PRESETS, RuleSet

Watch = Callable[[str, int, int], None]
"""Told the promise that is tried next, how many were, and how many there are."""

MOST: Final = 64
"""Deals under each of the rules, where nothing else is asked for and the solver is quick."""

SECONDS: Final = 10.0
"""What a check may take, about, where no number of deals is asked for."""

_TRIED: Final = 2
_PLAYS: Final = 40
_LINES: Final = 36
_LINES_OF_THOUGHTFUL: Final = 4
"""How often the promises have a deal played, and ask for its line; peeking is no question where it is allowed."""


def check(
    solver: str,
    deals: int | None = None,
    rules: Iterable[RuleSet] = PRESETS.values(),
    seed: int = 0,
    watch: Watch = lambda promise, done, total: None,  # noqa: ARG005
) -> Report:
    """Try every promise of the protocol on numbered deals.

    Args:
        solver: written as for a sweep: `leftmost`, `my_module:MyPlayer,depth=3`.
        deals: deals played under each of the rules, from number 0 of `go1` on; None for as many as a few seconds
            allow, 2 to 64.
        rules: the rule sets to play by.
        seed: what the solver is prepared with, 0 to 2^64 - 1.
        watch: told of progress.

    Raises:
        SolverError: there is no such solver, or it plays by none of the rules.
        PluginError: the solver could not be loaded, or it raised.
        NumberError: the seed is out of range, or fewer than one deal is asked for.
    """
    if not 0 <= seed <= LAST_U64:
        raise NumberError(f"seed {seed}: give 0 to {LAST_U64}")
    if deals is not None and deals < 1:
        raise NumberError(f"{deals} deals: give 1 or more")
    asked = tuple(dict.fromkeys(rules))
    with redirect_stdout(sys.stderr):  # what a solver prints is not what golf prints
        subject = Subject.of(solver)
        count = deals or _affordable(subject, asked, seed)
        return _report(subject, asked, seed, count, watch)


def assert_promises(
    solver: str, deals: int | None = None, rules: Iterable[RuleSet] = PRESETS.values(), seed: int = 0
) -> None:
    """Do nothing where a solver breaks no promise; for a test. The arguments are those of `check`.

    Raises:
        AssertionError: it breaks some; the message is the report.
        SolverError, PluginError, NumberError: as `check`.
    """
    report = check(solver, deals, rules, seed)
    if report.broken:
        raise AssertionError(f"\n{report}")


def _affordable(subject: Subject, asked: Sequence[RuleSet], seed: int) -> int:
    """The deals that fit the time, from how long a few take once the solver is warm."""
    seconds = 0.0
    for rules in asked:
        try:
            case = Case.of(subject, rules, seed, _TRIED)
            if subject.shows_lines:
                _lines(case)
        except (NoEnd, RulesRefused):
            continue
        started = perf_counter()
        case.player(case.deals)
        played = perf_counter()
        if subject.shows_lines:
            _lines(case)
        lines = _LINES_OF_THOUGHTFUL if subject.named.solver.thoughtful else _LINES
        seconds += _PLAYS * (played - started) + lines * (perf_counter() - played)
    return max(2, min(MOST, int(_TRIED * SECONDS / max(seconds, 1e-9))))


def _lines(case: Case) -> None:
    for number, deal in case.deals:
        case.line(number, deal)


def _report(subject: Subject, asked: Sequence[RuleSet], seed: int, count: int, watch: Watch) -> Report:
    cases: list[Case] = []
    refused: list[tuple[RuleSet, str]] = []
    no_ends: list[Breach] = []
    for rules in asked:
        try:
            cases.append(Case.of(subject, rules, seed, count))
        except RulesRefused as words:
            refused.append((rules, str(words)))
        except NoEnd as no_end:
            no_ends.append(no_end.breach)
    if not cases and not no_ends:
        told = f": {refused[0][1]}" if refused else ""
        raise SolverError(f"the solver {subject.named.text} plays by none of the rules it was to be checked by{told}")
    trial = Trial(subject, tuple(cases))
    looks: dict[str, Look] = {}
    for done, promise in enumerate(PROMISES):
        watch(promise.name, done, len(PROMISES))
        looks[promise.name] = _look(promise, trial, looks, no_ends)
    looks[ENDS.name] = no_ends[0] if no_ends else looks[ENDS.name]
    watch("", len(PROMISES), len(PROMISES))
    solver = subject.named.solver
    return Report(
        solver=subject.named.text,
        version=solver.version,
        thoughtful=bool(solver.thoughtful),
        seed=seed,
        rules=tuple(rules for rules in asked if rules not in dict(refused)),
        refused=tuple(refused),
        deals=count,
        findings=tuple(_finding(promise, looks[promise.name]) for promise in PROMISES),
    )


def _look(promise: Promise, trial: Trial, looks: dict[str, Look], no_ends: list[Breach]) -> Look:
    broken = [need for need in promise.needs if isinstance(looks[need], Breach)]
    if broken:
        return f"not tried: {broken[0]} is broken"
    if not trial.cases:
        return "not tried: ends is broken"
    try:
        return promise.look(trial)
    except NoEnd as no_end:
        no_ends.append(no_end.breach)
        return "not tried to the end: ends is broken"
    except RulesRefused as words:
        raise PluginError(
            f"the solver {trial.subject.named.text} refuses, when tried for '{promise.name}', rules that it played "
            f"before: {words}"
        ) from words


def _finding(promise: Promise, look: Look) -> Finding:
    if isinstance(look, Breach):
        return Finding(promise.name, promise.says, Verdict.BROKEN, breach=look)
    if look:
        return Finding(promise.name, promise.says, Verdict.NOT_SHOWN, reason=look)
    return Finding(promise.name, promise.says, Verdict.KEPT)
