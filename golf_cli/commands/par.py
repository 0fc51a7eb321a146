"""`golf par`."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from golf_cli.commands.options import form_option, quiet_option, rules_option, stock_option, write
from golf_cli.rules import RuleSet

if TYPE_CHECKING:
    from golf_cli.deals.reference import Dealt


@click.command()
@click.argument("references", metavar="REF...", nargs=-1, required=True)
@rules_option(None, "the code's letter, else classic")
@stock_option
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
    from golf_cli.commands.references import answered, describe_origin, with_stock
    from golf_cli.par.rating import rate_deal
    from golf_cli.par.written import STEADY_PLAYER, written_pars

    def record(dealt: "Dealt") -> dict[str, Any]:
        rating = rate_deal(with_stock(dealt.deal, stock), dealt.rules)
        if form == "json":
            return {**describe_origin(dealt), **rating.record(), **STEADY_PLAYER}
        return {"deal": dealt.reference, "rules": str(dealt.rules), **rating.record()}

    records = []
    failed = False
    with compiling(quiet):
        for found in answered(references, rules, quiet, record):
            if found is None:
                failed = True
            elif form == "json":
                click.echo(json.dumps(found))
            else:
                records.append(found)
    if records:
        write(Path("-"), written_pars(records, form))
    if failed:
        sys.exit(2)
