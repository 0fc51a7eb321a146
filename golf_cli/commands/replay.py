"""`golf replay`."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from golf_cli.commands.options import NATURAL, SAMPLES, quiet_option, rules_option
from golf_cli.rules import RuleSet

if TYPE_CHECKING:
    from golf_cli.records.replay import Checked, Judge
    from golf_cli.records.written import Form


@click.command()
@click.argument(
    "files",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path, allow_dash=True),
    metavar="FILE...",
)
@click.option(
    "--deal", metavar="REF", help="The deal of records that do not name one: a code, a number, or a file with a board."
)
@rules_option(None, "the record's, else the code's letter, else classic")
@click.option("--steps", is_flag=True, help="Show every action and how the game stood after it.")
@click.option("--review", is_flag=True, help="Say what each action lost against the best one there, in strokes.")
@click.option(
    "--samples", type=SAMPLES, default="200", show_default=True, help="For --review: orders of unseen cards to solve."
)
@click.option("--seed", type=NATURAL, default="0", show_default=True, help="For --review: seed of these orders.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "csv"]),
    default="table",
    show_default=True,
    help="json is one object a record, each on a line of its own; csv one row a record or, with --steps, an action.",
)
@quiet_option
@click.pass_context
def replay(
    ctx: click.Context,
    files: tuple[Path, ...],
    deal: str | None,
    rules: RuleSet | None,
    steps: bool,
    review: bool,
    samples: int,
    seed: int,
    form: str,
    quiet: bool,
) -> None:
    """Check records of games action by action, and review how they were played.

    FILE holds one record or thousands, with an empty line between two; - is standard input. A record is lines such as
    "deal: GO1-E-AAAAAAB" and "rules: easy", and below them the moves: draw, draw=JC, a card, a column number, undo. Or
    it is JSON, in one line.

    Every record is checked to its end, or to the first action that is refused. The exit code is 0 where every record is
    sound, otherwise 1.

    \b
    golf replay games.txt
    golf replay game.txt --steps --review
    """
    from golf_cli.commands.progress import compiling
    from golf_cli.deals.reference import STDIN, resolve
    from golf_cli.records.replay import Verdict, check_files
    from golf_cli.records.written import written

    if deal is not None and deal.strip() == STDIN and Path(STDIN) in files:
        raise click.UsageError("standard input is where the records come from: give the board of --deal as a file")
    otherwise = None if deal is None else resolve(deal, rules)
    counts: Counter[Verdict] = Counter()
    checked = check_files(files, rules, otherwise, _judge(samples, seed) if review else None)
    shown = _form(form, steps, review, max(len(str(path)) for path in files))
    with compiling(quiet):
        for line in written(_noted(checked, quiet), shown, counts):
            click.echo(line)
    ctx.exit(0 if counts.keys() <= {Verdict.SOUND} else 1)


def _judge(samples: int, seed: int) -> "Judge":
    from golf_cli.records.review import Review

    return Review(samples, seed)


def _form(form: str, steps: bool, review: bool, longest: int) -> "Form":
    from golf_cli.records.written import Csv, Json, Steps, Table

    if form == "json":
        return Json(steps)
    if form == "csv":
        return Csv(steps)
    return Steps(review) if steps else Table(longest + len(":9999"), review)


def _noted(checked: Iterable["Checked"], quiet: bool) -> Iterator["Checked"]:
    """The same records. Of the first whose cards are not the app's a note says so, which holds for the rest."""
    from golf_cli.commands.references import note_origin

    noted = False
    for each in checked:
        if each.dealt is not None and each.dealt.own_shuffle and not noted:
            note_origin(each.dealt, quiet)
            noted = True
        yield each
