"""`golf solve`."""

import json
from typing import TYPE_CHECKING, Any

import click

from golf_cli.commands.options import NATURAL, POSITIVE, quiet_option, rules_option

if TYPE_CHECKING:
    from golf_cli.deals.deal import Deal
    from golf_cli.deals.reference import Dealt
    from golf_cli.rules import RuleSet
    from golf_cli.solvers.exact import Solution
    from golf_cli.solvers.sampled import Samples
    from golf_cli.stats.intervals import Interval


@click.command()
@click.argument("reference", metavar="REF")
@rules_option(None, "the code's letter, else classic")
@click.option("--stock", metavar="CARDS", help='Stock cards seen since, in order, for the unseen ones: "JC 5H".')
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
    rules: "RuleSet | None",
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
    from golf_cli.solvers.exact import solve as solve_exactly
    from golf_cli.solvers.sampled import solve_samples

    dealt = resolve_noting(reference, rules, quiet)
    deal = dealt.deal if stock is None else dealt.deal.with_unseen(parse_cards(stock))
    origin = describe_origin(dealt)
    with compiling(quiet):
        if deal.unseen:
            sampled = solve_samples(deal, dealt.rules, samples, seed, max_states)
            answer, text = _samples_data(sampled), _samples_text(deal, sampled)
        else:
            solution = solve_exactly(deal, dealt.rules, max_states)
            answer, text = _solution_data(deal, dealt, solution), _solution_text(deal, dealt, solution)
    if form == "json":
        click.echo(json.dumps({**origin, "unseen": [str(card) for card in deal.unseen], **answer}, indent=2))
    else:
        click.echo(f"{dealt.reference}, rules {dealt.rules}\n{text}")


def _solution_data(deal: "Deal", dealt: "Dealt", solution: "Solution") -> dict[str, Any]:
    from golf_cli.game import Game

    steps = Game(deal, dealt.rules).replay(solution.line)
    return {
        "result": str(solution.result),
        "strokes": solution.strokes,
        "cards_left": solution.cards_left,
        "stock_left": solution.stock_left,
        "states": solution.states,
        "line": [
            {"action": "draw", "card": str(step.card)}
            if step.action.column is None
            else {"action": "play", "card": str(step.card), "column": step.action.column + 1}
            for step in steps
        ],
    }


def _solution_text(deal: "Deal", dealt: "Dealt", solution: "Solution") -> str:
    from golf_cli.solvers.outcome import Result

    verdict = {
        Result.CLEARED: f"can be cleared: best strokes {solution.strokes}",
        Result.NOT_CLEARABLE: f"cannot be cleared (proved): fewest cards left {solution.cards_left}",
    }.get(
        solution.result,
        f"{solution.result} after {solution.states:,} positions: {solution.cards_left} cards left so far",
    )
    return f"{verdict}\n\n{_line_text(deal, dealt, solution)}"


def _line_text(deal: "Deal", dealt: "Dealt", solution: "Solution") -> str:
    """The line, a row for each card turned from the stock with the plays made on it."""
    from golf_cli.game import Game

    rows: list[tuple[str, str, list[str]]] = [("start", "" if deal.foundation is None else str(deal.foundation), [])]
    for step in Game(deal, dealt.rules).replay(solution.line):
        if step.action.column is None:
            rows.append(("draw", str(step.card), []))
        else:
            rows[-1][2].append(f"{step.card}({step.action.column + 1})")
    lines = (f"{what:5}  {card:2}  {' '.join(plays)}".rstrip() for what, card, plays in rows)
    return "\n".join([*lines, "", "after each card turned: the cards played on it, with their columns"])


def _samples_data(sampled: "Samples") -> dict[str, Any]:
    low, high = _interval(sampled)
    return {
        "orders": sampled.count,
        "every_order": sampled.every_order,
        "cleared": sampled.cleared,
        "undecided": sampled.undecided,
        "share": sampled.share,
        "low": low,
        "high": high,
        "strokes": [{"strokes": strokes, "orders": orders} for strokes, orders in sampled.strokes.items()],
    }


def _samples_text(deal: "Deal", sampled: "Samples") -> str:
    from golf_cli.cards import cards_text
    from golf_cli.stats.table import format_histogram, format_rate

    which = "all" if sampled.every_order else "sampled"
    exact = sampled.every_order and not sampled.undecided
    share = f"{100 * (sampled.share or 0):.1f} %" if exact else format_rate(sampled.share, _interval(sampled))
    undecided = f", {sampled.undecided:,} undecided" if sampled.undecided else ""
    return (
        f"{len(deal.unseen)} unseen stock cards: {cards_text(deal.unseen)}\n"
        f"solved in {sampled.count:,} orders of them ({which}): "
        f"{sampled.cleared:,} can be cleared{undecided}, {share}\n\n"
        f"best strokes\n{format_histogram(sampled.strokes)}"
    )


def _interval(sampled: "Samples") -> "Interval":
    """The interval of the share; where every order was solved, only undecided orders leave it open."""
    from golf_cli.stats.intervals import Interval, win_interval

    if sampled.every_order:
        return Interval(sampled.cleared / sampled.count, (sampled.cleared + sampled.undecided) / sampled.count)
    return win_interval(sampled.cleared, sampled.undecided, sampled.count)
