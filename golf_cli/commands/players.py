"""Players of rounds and matches on the command line: scores that are given, and solvers that play."""

from collections.abc import Iterator, Sequence
from datetime import date
from functools import partial

import click

from golf_cli.commands.progress import compiling, follow, interruptible, verifying
from golf_cli.commands.references import note_shuffle
from golf_cli.par.daily import daily
from golf_cli.par.dates import today
from golf_cli.par.levels import LEVELS, VerifiedHole, holes
from golf_cli.rounds.course import Course
from golf_cli.rounds.holes import Hole, Player, Score, check_scores, holes_of
from golf_cli.rounds.playing import Scores
from golf_cli.rules import RuleSet
from golf_cli.scoring import HOLES
from golf_cli.sweep.plan import Task
from golf_cli.sweep.workers import Crew
from golf_cli.wording import counted


def course_of(
    references: Sequence[str], rules: RuleSet | None, holes: int, first: int | None, numbering: str
) -> Course:
    """The deals that are asked for: those referred to, else numbers one after another."""
    if not references:
        return Course.of(rules or RuleSet(), holes, first, numbering)
    if first is not None:
        raise click.UsageError("REF and --first both say which deals are played: give one of them")
    course = Course.of_references(references, rules)
    if course.holes != holes:
        raise click.UsageError(f"{counted(course.holes, 'deal')} for {counted(holes, 'hole')}: give one deal a hole")
    return course


def level_round(
    level: str, seed: int, start: date | None, workers: int | None, quiet: bool
) -> tuple[Course, tuple[Hole, ...]]:
    """Nine holes of a level: drawn by a seed, or, of the level daily, those of nine days."""
    if level == "daily":
        first = start or today()
        dealt: Iterator[VerifiedHole] = (each.hole for each in daily(first, HOLES, workers=workers))
        told = f"the days from {first} on"
    else:
        dealt = holes(LEVELS[level], HOLES, seed, workers)
        told = f"level {level}, seed {seed}"
    found = list(verifying(dealt, HOLES, quiet))
    course = Course.of_numbers(LEVELS[level].rules, [hole.number for hole in found], told)
    ratings = [hole.rating for hole in found]
    pars, optima = [rating.par for rating in ratings], [rating.optimum for rating in ratings]
    return course, holes_of(pars, course.labels, optima)


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
    """Who has scores, by these rules, and then who plays the course, which is there where somebody does."""
    tasks = course.tasks(solvers, seed) if course else ()
    given = ["player"] if len(scores) == 1 else [f"player {place}" for place, _ in enumerate(scores, 1)]
    called = names_of([*given, *(task.solver for task in tasks)], names)
    scored = list(scores)
    for name, strokes in zip(called, scores, strict=False):
        check_scores(Player(name, strokes), rules.layout)
    if course and tasks:
        played = played_by(course, tasks, crew, quiet)
        scored += [played.of(place) for place, _ in enumerate(tasks)]
    return tuple(Player(name, strokes) for name, strokes in zip(called, scored, strict=True))


def names_of(players: Sequence[str], names: tuple[str, ...] | None) -> Sequence[str]:
    """What the players are called: as they are, or as a person names them."""
    if names and len(names) != len(players):
        raise click.UsageError(
            f"{counted(len(names), 'name')} for {counted(len(players), 'player')} ({', '.join(players)}): name each"
        )
    return names or players


def played_by(course: Course, tasks: Sequence[Task], crew: Crew, quiet: bool) -> Scores:
    """What solvers score, with progress shown, and whose cards they play told."""
    if course.own_shuffle:
        note_shuffle(quiet)
    with interruptible("Interrupted: nothing is kept."), compiling(quiet):
        return course.play(tasks, crew, partial(follow, form="none" if quiet else "bar"))
