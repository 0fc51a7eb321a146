"""`golf hint`."""

import json

import click

from golf_cli.commands.options import NATURAL, SAMPLES, game_options, quiet_option
from golf_cli.rules import RuleSet


@click.command()
@game_options
@click.option("--samples", type=SAMPLES, default="200", show_default=True, help="Orders of unseen cards to solve.")
@click.option("--seed", type=NATURAL, default="0", show_default=True, help="Seed of these orders.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="Output."
)
@quiet_option
def hint(
    reference: str,
    rules: RuleSet | None,
    moves: str,
    stock: str | None,
    samples: int,
    seed: int,
    form: str,
    quiet: bool,
) -> None:
    """Say what to do next in a game, and why.

    REF is a code (GO1-E-AAAAAAB, AAAAAAB), a number (pysol:24, ms:24), a file with a board, or - for standard input.
    The hint keeps the tableau clearable with the best strokes; where that is past, it leaves the fewest cards. It
    knows the stock. Where stock cards are unseen ('?'), every action is solved over many orders of them instead.

    \b
    golf hint pysol:2 --moves "AC draw 4H"
    golf hint GO1-E-AAAAAAB --moves "draw 9C 8C draw=JC"
    """
    from golf_cli.commands.progress import compiling
    from golf_cli.commands.references import describe_origin, resolve_noting, with_stock
    from golf_cli.deals.board_json import own_data
    from golf_cli.game import Game
    from golf_cli.moves import play_moves
    from golf_cli.solvers.hints import hint as hint_at
    from golf_cli.solvers.hints import hint_record, hint_text

    dealt = resolve_noting(reference, rules, quiet)
    game = Game(with_stock(dealt.deal, stock), dealt.rules)
    made = play_moves(game, moves)
    with compiling(quiet):
        found = hint_at(game, samples, seed)
    if form == "json":
        so_far = {**describe_origin(dealt), **own_data(game.deal), "moves": [step.record() for step in made]}
        click.echo(json.dumps({**so_far, **hint_record(game, found), "seed": seed}))
    else:
        click.echo(hint_text(game, found))
