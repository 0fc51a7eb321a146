"""`golf solve`."""

import json

import click

from golf_cli.commands.options import NATURAL, POSITIVE, quiet_option, rules_option
from golf_cli.rules import RuleSet


@click.command()
@click.argument("reference", metavar="REF")
@rules_option(None, "the code's letter, else classic")
@click.option("--stock", metavar="CARDS", help='The stock as seen so far: "8S JC 5H", or its unseen cards alone.')
@click.option("--samples", type=POSITIVE, default="1000", show_default=True, help="Orders of unseen cards to solve.")
@click.option("--seed", type=NATURAL, default="0", show_default=True, help="Seed of these orders.")
@click.option(
    "--max-states",
    type=NATURAL,
    default="0",
    show_default=True,
    help="Give a deal up as undecided beyond this many positions; 0 never does.",
)
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="Output."
)
@quiet_option
def solve(
    reference: str,
    rules: RuleSet | None,
    stock: str | None,
    samples: int,
    seed: int,
    max_states: int,
    form: str,
    quiet: bool,
) -> None:
    """Find the best strokes of a deal, and a line that reaches them.

    REF is a code (GO1-E-AAAAAAB, AAAAAAB), a number (pysol:24, ms:24), a file with a board, or - for standard input.
    The answer is exact for a player who knows the stock. Where stock cards are unseen ('?'), the deal is solved over
    many orders of them instead, and the answer is the share of orders that can be cleared, and their best strokes.
    """
    from golf_cli.cards import parse_cards
    from golf_cli.commands.progress import compiling
    from golf_cli.commands.references import describe_origin, resolve_noting
    from golf_cli.deals.board_json import own_data
    from golf_cli.solvers.exact import solution_record, solution_text
    from golf_cli.solvers.exact import solve as solve_exactly
    from golf_cli.solvers.sampled import solve_samples
    from golf_cli.stats.samples import samples_record, samples_text

    dealt = resolve_noting(reference, rules, quiet)
    deal = dealt.deal if stock is None else dealt.deal.with_stock(parse_cards(stock))
    with compiling(quiet):
        if deal.unseen:
            sampled = solve_samples(deal, dealt.rules, samples, seed, max_states)
            answer, text = samples_record(sampled), samples_text(sampled)
        else:
            solution = solve_exactly(deal, dealt.rules, max_states)
            answer, text = solution_record(deal, dealt.rules, solution), solution_text(deal, dealt.rules, solution)
    if form == "json":
        click.echo(json.dumps({**describe_origin(dealt), **own_data(deal), **answer}))
    else:
        click.echo(f"{dealt.reference}, rules {dealt.rules}\n{text}")
