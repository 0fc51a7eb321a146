"""`golf round`."""

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from golf_cli.commands.options import (
    NAMES,
    NATURAL,
    PARS,
    SCORES,
    crew_options,
    form_option,
    from_option,
    level_option,
    numbering_option,
    quiet_option,
    rules_option,
    salt_option,
    write,
)
from golf_cli.rules import RuleSet

if TYPE_CHECKING:
    from golf_cli.rounds.course import Course
    from golf_cli.rounds.holes import Score


@click.command()
@click.argument("references", metavar="[REF]...", nargs=-1)
@click.option("--pars", type=PARS, metavar="PARS", help='The pars of the nine holes: "3 4 5 4 3 5 4 4 3".')
@level_option(told="Nine holes of a level, with their pars, as golf holes deals them by --seed, or of nine days.")
@from_option("The first of the nine days of --level daily, such as 2027-01-01.  [default: today, in UTC]")
@salt_option
@click.option("--tradition", is_flag=True, help="The traditional game: 45 is par for nine deals, 0 or less perfect.")
@click.option(
    "--scores",
    type=SCORES,
    multiple=True,
    metavar="SCORES",
    help='Strokes hole by hole, as far as was played: "3 -2 4". Give it again for another player.',
)
@click.option(
    "--play", "solvers", multiple=True, metavar="SOLVER", help="A solver that plays the holes. Give it again for more."
)
@click.option("--names", type=NAMES, metavar="NAMES", help='The players\' names: "Ann, Bob".')
@rules_option(None, "the codes' letter, else classic")
@click.option("--first", type=NATURAL, help="The deal number of the first hole.  [default: the numbering's first]")
@numbering_option
@click.option(
    "--seed",
    type=NATURAL,
    default="0",
    show_default=True,
    help="Decides which holes of --level are dealt, and seeds solvers that choose at random.",
)
@crew_options
@form_option("json is one record with all cards, csv one row a player and hole.")
@quiet_option
def round(  # noqa: A001 - the name of the command
    references: tuple[str, ...],
    pars: tuple[int, ...] | None,
    level: str | None,
    start: date | None,
    salt: str,
    tradition: bool,
    scores: "tuple[tuple[Score, ...], ...]",
    solvers: tuple[str, ...],
    names: tuple[str, ...] | None,
    rules: RuleSet | None,
    first: int | None,
    numbering: str,
    seed: int,
    workers: int | None,
    timeout: float | None,
    form: str,
    quiet: bool,
) -> None:
    """Show the scorecard of a round of nine holes.

    Scores are given (--scores), or a solver plays the holes (--play): those of a level, or the deals REF, which are
    codes or numbers, else nine numbers from --first on. A birdie is shown as (2), an eagle or better as ((1)), a bogey
    as [5], a double bogey or worse as [[6]]. A round at or under its total par is won; over it it is finished.

    \b
    golf round --pars "3 4 5 4 3 5 4 4 3" --scores "3 3 4 5"
    golf round --level medium --seed 7 --play expert
    golf round --level daily --from 2027-01-01
    golf round --tradition --play lookahead --play longest-run --first 100
    """
    from golf_cli.commands.players import check_days, course_of, level_round, players_of
    from golf_cli.rounds.holes import TRADITION_PARS, holes_of
    from golf_cli.rounds.scorecard import Kind, Scorecard
    from golf_cli.rounds.written import written_cards
    from golf_cli.scoring import HOLES
    from golf_cli.sweep.workers import Local

    if [pars is not None, level is not None, tradition].count(True) != 1:
        raise click.UsageError(
            'Give the holes\' pars, such as --pars "3 4 5 4 3 5 4 4 3", or --level, or --tradition: one of them.'
        )
    course: Course | None
    if level:
        if references or rules or first is not None or numbering != "go1":
            raise click.UsageError("--level says which deals are played and by which rules: give nothing else for that")
        course, holes, kind = level_round(level, seed, start, salt, workers, quiet)
    else:
        check_days(level, start, salt)
        kind = Kind.TRADITION if tradition else Kind.ROUND
        known = bool(references or solvers or first is not None)
        course = course_of(references, rules, HOLES, first, numbering, quiet) if known else None
        holes = holes_of(pars or TRADITION_PARS, course.labels if course else None)
    by = course.rules if course else rules or RuleSet()
    players = players_of(scores, solvers, names, course, by, seed, Local(workers, timeout), quiet)
    cards = [Scorecard(holes, player.scores, player.name, kind) for player in players]
    write(Path("-"), written_cards(cards or [Scorecard(holes, (), "strokes", kind)], form, course, seed))
