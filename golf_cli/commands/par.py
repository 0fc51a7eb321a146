"""`golf par`."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from golf_cli.commands.options import form_option, note, quiet_option, rules_option, write
from golf_cli.errors import GolfError
from golf_cli.rules import RuleSet

if TYPE_CHECKING:
    from golf_cli.deals.reference import Dealt
    from golf_cli.par.rating import Rating


@click.command()
@click.argument("references", metavar="REF...", nargs=-1, required=True)
@rules_option(None, "the code's letter, else classic")
@click.option("--stock", metavar="CARDS", help='The stock as seen since: "8S JC 5H", or its unseen cards alone.')
@form_option("json is one object a deal, each on a line of its own; csv one row a deal.")
@quiet_option
def par(references: tuple[str, ...], rules: RuleSet | None, stock: str | None, form: str, quiet: bool) -> None:
    """Show the par of deals: about what a steady player scores.

    REF is a code (GO1-E-AAAAAAB, AAAAAAB), a number (pysol:24, ms:24), a file, or - for standard input. A file holds
    one deal or many: codes and numbers one a line, or board after board.

    A par depends on the cards and the rules alone, not on what a deal is called. Deals that cannot be cleared have one,
    too.

    \b
    golf par pysol:2 pysol:24 --rules easy
    """
    from golf_cli.commands.progress import compiling
    from golf_cli.commands.references import describe_origin, note_origin, with_stock
    from golf_cli.deals.reference import resolve_many
    from golf_cli.par.rating import rate_deal
    from golf_cli.par.written import STEADY_PLAYER, written_pars

    records = []
    failed = False
    with compiling(quiet):
        for dealt in resolve_many(references, rules):
            try:
                if isinstance(dealt, GolfError):
                    raise dealt
                note_origin(dealt, quiet)
                rating = rate_deal(with_stock(dealt.deal, stock), dealt.rules)
            except GolfError as error:
                note(f"Error: {error}")
                failed = True
                continue
            if form == "json":
                click.echo(json.dumps({**describe_origin(dealt), **rating.record(), **STEADY_PLAYER}))
            records.append(_record(dealt, rating))
    if records and form != "json":
        write(Path("-"), written_pars(records, form))
    if failed:
        sys.exit(2)


def _record(dealt: "Dealt", rating: "Rating") -> dict[str, Any]:
    return {"deal": dealt.reference, "rules": str(dealt.rules), **rating.record()}
