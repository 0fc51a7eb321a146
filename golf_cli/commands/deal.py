"""`golf deal`."""

from pathlib import Path

import click

from golf_cli.commands.options import output_option, quiet_option, rules_option, write
from golf_cli.rules import RuleSet


@click.command()
@click.argument("reference", metavar="REF")
@rules_option(None, "the code's letter, else classic")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "pysol", "solvitaire"]),
    default="text",
    show_default=True,
    help="Golf's own board text or JSON, PySolFC and black-hole-solver board text, or Solvitaire JSON.",
)
@output_option("the board")
@quiet_option
def deal(reference: str, rules: RuleSet | None, form: str, output: Path, quiet: bool) -> None:
    """Show a deal in one of the board formats.

    REF is a code (GO1-E-AAAAAAB, AAAAAAB), a number (pysol:24, ms:24), a file with a board, or - for standard input.
    The rules matter to the deal only where they add jokers or open the foundation.
    """
    from golf_cli.commands.references import describe_origin, resolve_noting
    from golf_cli.deals.board_json import own_json
    from golf_cli.deals.boards import WRITERS

    dealt = resolve_noting(reference, rules, quiet)
    if form == "json":
        write(output, own_json(dealt.deal, describe_origin(dealt)))
    else:
        write(output, WRITERS[form](dealt.deal))
