"""`golf analyse`."""

import json

import click

from golf_cli.commands.options import quiet_option, rules_option, stock_option
from golf_cli.rules import RuleSet


@click.command()
@click.argument("reference", metavar="REF")
@rules_option(None, "the code's letter, else classic")
@stock_option
@click.option(
    "--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True, help="Output."
)
@quiet_option
def analyse(reference: str, rules: RuleSet | None, stock: str | None, form: str, quiet: bool) -> None:
    """Value every legal action along a best line of a deal.

    REF is a code (GO1-E-AAAAAAB, AAAAAAB), a number (pysol:24, ms:24), a file with a board, or - for standard input.
    Shown are the strokes that best play reaches after each action, the critical steps, and how hard the deal is.
    """
    from golf_cli.commands.progress import compiling
    from golf_cli.commands.references import describe_origin, resolve_noting, with_stock
    from golf_cli.deals.board_json import own_data
    from golf_cli.solvers.analysis import analyse as analyse_deal
    from golf_cli.solvers.analysis import analysis_record, analysis_text

    dealt = resolve_noting(reference, rules, quiet)
    deal = with_stock(dealt.deal, stock)
    with compiling(quiet):
        analysis = analyse_deal(deal, dealt.rules)
    if form == "json":
        click.echo(json.dumps({**describe_origin(dealt), **own_data(deal), **analysis_record(analysis)}))
    else:
        click.echo(f"{dealt.reference}, rules {dealt.rules}\n{analysis_text(analysis)}")
