"""`golf match`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from golf_cli.commands.options import (
    NAMES,
    NATURAL,
    POSITIVE,
    SCORES,
    confidence_option,
    crew_options,
    form_option,
    numbering_option,
    quiet_option,
    rules_option,
    write,
)
from golf_cli.rules import RuleSet

if TYPE_CHECKING:
    from golf_cli.rounds.holes import Score


@click.command()
@click.option(
    "--play",
    "solvers",
    multiple=True,
    metavar="SOLVER",
    help="A solver that plays: a name that golf solvers lists, or module:object, with its options. Give two or more.",
)
@click.option(
    "--scores",
    type=SCORES,
    multiple=True,
    metavar="SCORES",
    help='A player\'s strokes hole by hole, as far as was played: "4 -2 5".',
)
@click.option("--names", type=NAMES, metavar="NAMES", help='The players\' names: "Ann, Bob".')
@click.option(
    "-n",
    "--matches",
    "count",
    type=POSITIVE,
    default="1",
    show_default=True,
    help="How many matches; of one its card is shown.",
)
@click.option("--holes", type=POSITIVE, default="18", show_default=True, help="Holes of a match.")
@rules_option("classic")
@click.option("--first", type=NATURAL, help="The deal number of the first hole.  [default: the numbering's first]")
@numbering_option
@click.option("--seed", type=NATURAL, default="0", show_default=True, help="Seed of solvers that choose at random.")
@crew_options
@confidence_option
@click.option("--ends", is_flag=True, help="For csv: how matches end at match play, instead of who wins how often.")
@form_option("json is one record; csv one row a pair and form of play, of one match one row a hole and player.")
@quiet_option
def match(
    solvers: tuple[str, ...],
    scores: "tuple[tuple[Score, ...], ...]",
    names: tuple[str, ...] | None,
    count: int,
    holes: int,
    rules: RuleSet,
    first: int | None,
    numbering: str,
    seed: int,
    workers: int | None,
    timeout: float | None,
    confidence: float,
    ends: bool,
    form: str,
    quiet: bool,
) -> None:
    """Play matches: two or more players over the same 18 holes.

    By stroke play the lower total wins, by match play who wins more holes; a match ends when a player is more holes up
    than are left (3 & 2). One match is shown hole by hole, many by who wins how often. The matches are over one deal
    number after another, without the documented deals, of which not every card is known. A match in which a player left
    a hole undecided is set apart.

    \b
    golf match --play lookahead --play longest-run -n 1000
    golf match --scores "4 3 5 -1" --scores "3 3 6 0" --names "Ann, Bob"
    """
    from golf_cli.commands.players import course_of, names_of, played_by, players_of
    from golf_cli.rounds.match import Match, check_match
    from golf_cli.rounds.matches import Matches
    from golf_cli.rounds.written import written_match, written_matches
    from golf_cli.sweep.workers import Local

    crew = Local(workers, timeout)
    check_match(len(solvers) + len(scores), holes)
    if count > 1 and scores:
        raise click.UsageError("--scores are of one match: leave out -n, or have solvers play all of them")
    if ends and (form != "csv" or count == 1):
        raise click.UsageError("--ends is for --format csv of many matches (-n): give all three, or leave it out")
    known = bool(solvers or first is not None)
    course = course_of((), rules, count * holes, first, numbering, quiet) if known else None
    if count == 1 or course is None:
        players = players_of(scores, solvers, names, course, rules, seed, crew, quiet)
        card = Match(players, course.labels if course else (None,) * holes)
        write(Path("-"), written_match(card, form, course, seed))
        return
    tasks = course.tasks(solvers, seed)
    called = names_of([task.solver for task in tasks], names)
    matches = Matches(called, played_by(course, tasks, crew, quiet), holes)
    write(Path("-"), written_matches(matches, form, course, seed, confidence, ends))
