"""Players of rounds and matches on the command line: scores that are given, and solvers that play."""

from collections.abc import Iterator, Sequence
from datetime import date
from functools import partial
from typing import Any, Final, NamedTuple

import click

from golf_cli.commands.progress import compiling, follow, interruptible, verifying
from golf_cli.commands.references import note_shuffle
from golf_cli.par.daily import daily
from golf_cli.par.dates import today
from golf_cli.par.levels import LEVELS, VerifiedHole, holes
from golf_cli.par.written import STEADY_PLAYER
from golf_cli.printable import in_one_line
from golf_cli.rounds.course import Course
from golf_cli.rounds.holes import Hole, Player, Score, check_best, check_scores, holes_of
from golf_cli.rounds.playing import Scores
from golf_cli.rounds.scorecard import Kind
from golf_cli.rules import RuleSet
from golf_cli.scoring import HOLES
from golf_cli.sweep.plan import Task
from golf_cli.sweep.workers import Crew
from golf_cli.wording import counted

BEST_PLAY: Final = "exact"
"""The solver whose strokes no score is better than."""


def course_of(
    references: Sequence[str], rules: RuleSet | None, holes: int, first: int | None, numbering: str, quiet: bool
) -> Course:
    """The deals that are asked for: those referred to, else numbers one after another. It is told whose they are."""
    if references and first is not None:
        raise click.UsageError("REF and --first both say which deals are played: give one of them")
    if references:
        course = Course.of_references(references, rules)
    else:
        course = Course.of(rules or RuleSet(), holes, first, numbering)
    if course.own_shuffle:
        note_shuffle(quiet)
    if course.holes != holes:
        raise click.UsageError(f"{counted(course.holes, 'deal')} for {counted(holes, 'hole')}: give one deal a hole")
    return course


class LevelRound(NamedTuple):
    """Nine holes of a level."""

    course: Course
    holes: tuple[Hole, ...]
    kind: Kind


def level_round(level: str, seed: int, start: date | None, salt: str, workers: int | None, quiet: bool) -> LevelRound:
    """Nine holes of a level: drawn by a seed, or, of the level daily, those of nine days; it is told whose they are."""
    check_days(level, start, salt)
    note_shuffle(quiet)
    kind = Kind.DAILY if level == "daily" else Kind.ROUND
    about: dict[str, Any] = {"level": level}
    if kind is Kind.DAILY:
        first = start or today()
        dealt: Iterator[VerifiedHole] = (each.hole for each in daily(first, HOLES, salt, workers))
        told = f"the days from {first} on{f', salt {in_one_line(salt)}' if salt else ''}"
        about |= {"from": first.isoformat(), "salt": salt}
    else:
        dealt = holes(LEVELS[level], HOLES, seed, workers)
        told = f"level {level}, seed {seed}"
    found = list(verifying(dealt, HOLES, quiet))
    numbers, ratings = [hole.number for hole in found], [hole.rating for hole in found]
    course = Course.of_numbers(LEVELS[level].rules, numbers, told, about | STEADY_PLAYER)
    pars, optima = [rating.par for rating in ratings], [rating.optimum for rating in ratings]
    return LevelRound(course, holes_of(pars, course.labels, optima), kind)


def check_days(level: str | None, start: date | None, salt: str) -> None:
    """Refuse days of a calendar where no daily holes are asked for."""
    if (start or salt) and level != "daily":
        raise click.UsageError("--from and --salt are of --level daily: add it, or leave them out")


def players_of(
    scores: Sequence[tuple[Score, ...]],
    solvers: Sequence[str],
    names: tuple[str, ...] | None,
    course: Course | None,
    rules: RuleSet,
    seed: int,
    crew: Crew,
    quiet: bool,
) -> tuple[Player, ...]:
    """Who has scores, by these rules, and then who plays the course, which is there where somebody does.

    Scores that are given for deals that are known are held against the best play of these.
    """
    tasks = course.tasks(solvers, seed) if course else ()
    given = ["player"] if len(scores) == 1 else [f"player {place}" for place, _ in enumerate(scores, 1)]
    called = names_of([*given, *(task.solver for task in tasks)], names)
    scored = [Player(name, strokes) for name, strokes in zip(called, scores, strict=False)]
    for player in scored:
        check_scores(player, rules.layout)
    if course is None:
        return tuple(scored)
    best = course.tasks([BEST_PLAY]) if scored and course.partial is None else ()
    played = _played(course, (*tasks, *best), crew, quiet)
    for player in scored:
        check_best(player, played[-1] if best else ())
    return (*scored, *(Player(name, strokes) for name, strokes in zip(called[len(scored) :], played, strict=False)))


def _played(course: Course, tasks: Sequence[Task], crew: Crew, quiet: bool) -> list[tuple[Score, ...]]:
    found = played_by(course, tasks, crew, quiet) if tasks else None
    return [found.of(place) for place, _ in enumerate(tasks)] if found else []


def names_of(players: Sequence[str], names: tuple[str, ...] | None) -> Sequence[str]:
    """What the players are called: as they are, or as a person names them."""
    if names and len(names) != len(players):
        raise click.UsageError(
            f"{counted(len(names), 'name')} for {counted(len(players), 'player')} ({', '.join(players)}): name each"
        )
    return names or players


def played_by(course: Course, tasks: Sequence[Task], crew: Crew, quiet: bool) -> Scores:
    """What solvers score, with progress shown."""
    with interruptible("Interrupted: nothing is kept."), compiling(quiet):
        return course.play(tasks, crew, partial(follow, form="none" if quiet else "bar"))
