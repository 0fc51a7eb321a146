"""`golf round`."""

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
    numbering_option,
    quiet_option,
    rules_option,
    write,
)
from golf_cli.rules import RuleSet

if TYPE_CHECKING:
    from golf_cli.rounds.holes import Score


@click.command()
@click.argument("references", metavar="[REF]...", nargs=-1)
@click.option("--pars", type=PARS, metavar="PARS", help='The pars of the nine holes: "3 4 5 4 3 5 4 4 3".')
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
@click.option("--seed", type=NATURAL, default="0", show_default=True, help="Seed of solvers that choose at random.")
@crew_options
@form_option("json is one record with all cards, csv one row a player and hole.")
@quiet_option
def round(  # noqa: A001 - the name of the command
    references: tuple[str, ...],
    pars: tuple[int, ...] | None,
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

    Scores are given (--scores), or a solver plays the holes (--play): the deals REF, which are codes or numbers, else
    nine numbers from --first on. A birdie is shown as (2), an eagle or better as ((1)), a bogey as [5], a double bogey
    or worse as [[6]]. A round at or under its total par is won; over it it is finished.

    \b
    golf round --pars "3 4 5 4 3 5 4 4 3" --scores "3 3 4 5"
    golf round --tradition --play lookahead --play longest-run --first 100
    """
    from golf_cli.commands.players import course_of, players_of
    from golf_cli.rounds.holes import TRADITION_PARS, holes_of
    from golf_cli.rounds.scorecard import Scorecard
    from golf_cli.rounds.written import written_cards
    from golf_cli.scoring import HOLES
    from golf_cli.sweep.workers import Local

    if (pars is not None) == tradition:
        raise click.UsageError('Give the holes\' pars, such as --pars "3 4 5 4 3 5 4 4 3", or --tradition.')
    known = bool(references or solvers or first is not None)
    course = course_of(references, rules, HOLES, first, numbering) if known else None
    holes = holes_of(pars or TRADITION_PARS, course.labels if course else None)
    players = players_of(scores, solvers, names, course, seed, Local(workers, timeout), quiet)
    cards = [Scorecard(holes, player.scores, player.name, tradition) for player in players]
    write(Path("-"), written_cards(cards or [Scorecard(holes, (), "strokes", tradition)], form, course, seed))
