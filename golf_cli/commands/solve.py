"""`golf solve`."""

import json
import sys
from typing import TYPE_CHECKING

import click

from golf_cli.commands.options import NATURAL, SAMPLES, quiet_option, rules_option, stock_option
from golf_cli.rules import RuleSet

if TYPE_CHECKING:
    from golf_cli.deals.reference import Dealt


@click.command()
@click.argument("references", metavar="REF...", nargs=-1, required=True)
@rules_option(None, "the code's letter, else classic")
@stock_option
@click.option("--samples", type=SAMPLES, default="1000", show_default=True, help="Orders of unseen cards to solve.")
@click.option("--seed", type=NATURAL, default="0", show_default=True, help="Seed of these orders.")
@click.option(
    "--objective",
    type=click.Choice(["strokes", "clear"]),
    default="strokes",
    show_default=True,
    help="The best strokes with a line, or only whether the deal can be cleared, which is found sooner.",
)
@click.option(
    "--max-states",
    type=NATURAL,
    default="0",
    show_default=True,
    help="Give a deal up as undecided beyond this many states of the search; 0 never does.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="json is one object a deal, each on a line of its own.",
)
@quiet_option
def solve(
    references: tuple[str, ...],
    rules: RuleSet | None,
    stock: str | None,
    samples: int,
    seed: int,
    objective: str,
    max_states: int,
    form: str,
    quiet: bool,
) -> None:
    """Find the best strokes of deals, and lines that reach them.

    REF is a code (GO1-E-AAAAAAB, AAAAAAB), a number (pysol:24, ms:24), a file, or - for standard input. A file holds
    one deal or many: codes and numbers one a line, or board after board. Each answer is given as soon as it is found.

    The answer is exact for a player who knows the stock. Where stock cards are unseen ('?'), the deal is solved over
    many orders of them instead, and the answer is the share of orders that can be cleared, and their best strokes.
    """
    from golf_cli.commands.progress import compiling
    from golf_cli.commands.references import answered

    def answer(dealt: "Dealt") -> str:
        return _answer(dealt, stock, samples, seed, objective, max_states, form)

    failed = False
    with compiling(quiet):
        for number, text in enumerate(answered(references, rules, quiet, answer)):
            if text is None:
                failed = True
            else:
                click.echo(f"\n{text}" if number and form == "text" else text)
    if failed:
        sys.exit(2)


def _answer(
    dealt: "Dealt", stock: str | None, samples: int, seed: int, objective: str, max_states: int, form: str
) -> str:
    from golf_cli.commands.references import describe_origin, with_stock
    from golf_cli.deals.board_json import own_data
    from golf_cli.solvers import exact

    rules = dealt.rules
    deal = with_stock(dealt.deal, stock)
    if deal.unseen:
        from golf_cli.solvers.sampled import solve_samples
        from golf_cli.stats.samples import samples_record, samples_text

        sampled = solve_samples(deal, rules, samples, seed, max_states, objective == "clear")
        record, text = samples_record(sampled), samples_text(sampled)
    elif objective == "clear":
        found = exact.clearable(deal, rules, max_states)
        record, text = exact.clearable_record(found), exact.clearable_text(found)
    else:
        solution = exact.solve(deal, rules, max_states)
        record, text = exact.solution_record(deal, rules, solution), exact.solution_text(deal, rules, solution)
    if form == "json":
        return json.dumps({**describe_origin(dealt), **own_data(deal), **record})
    return f"{dealt.reference}, rules {rules}\n{text}"
