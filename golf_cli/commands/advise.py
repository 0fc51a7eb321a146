"""`golf advise`."""

import json

import click

from golf_cli.commands.options import NATURAL, Real, confidence_option, game_options, numbers, quiet_option
from golf_cli.rules import RuleSet


@click.command()
@game_options
@click.option(
    "--objective",
    type=click.Choice(["strokes", "clear"]),
    default="strokes",
    show_default=True,
    help="Few strokes in the mean, or to clear the tableau as often as can be.",
)
@click.option(
    "--samples",
    type=numbers(100, 1_000_000, "a number of orders"),
    help="Orders of the unseen cards to play.  [default: 10240]",
)
@click.option(
    "--time",
    "seconds",
    type=Real(0, min_open=True),
    metavar="SECONDS",
    help="Play for so long instead, in up to 1000000 orders: the longer, the closer.",
)
@click.option("--seed", type=NATURAL, default="0", show_default=True, help="Seed of these orders.")
@confidence_option
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="Output."
)
@quiet_option
def advise(
    reference: str,
    rules: RuleSet | None,
    moves: str,
    stock: str | None,
    objective: str,
    samples: int | None,
    seconds: float | None,
    seed: int,
    confidence: float,
    form: str,
    quiet: bool,
) -> None:
    """Say what to do next without knowing the stock, and what each action comes to.

    REF is a code (GO1-E-AAAAAAB, AAAAAAB), a number (pysol:24, ms:24), a file with a board, or - for standard input.
    Every legal action is played on in many orders of the cards left in the stock. All of these count as unseen, as for
    a player at the table: known or not, what the stock holds next has no part in the advice.

    \b
    golf advise pysol:2 --moves "AC draw 4H"
    golf advise GO1-E-AAAAAAB --moves "draw 9C 8C draw=JC" --time 5
    """
    from golf_cli.commands.progress import compiling
    from golf_cli.commands.references import describe_origin, resolve_noting, with_stock
    from golf_cli.game import Game
    from golf_cli.moves import play_moves
    from golf_cli.solvers.advice import SAMPLES
    from golf_cli.solvers.advice import advise as advise_at
    from golf_cli.stats.advice import advice_record, advice_text

    if samples is not None and seconds is not None:
        raise click.UsageError("--samples and --time: give one of them, how many orders to play or how long")
    dealt = resolve_noting(reference, rules, quiet)
    game = Game(with_stock(dealt.deal, stock), dealt.rules)
    made = play_moves(game, moves)
    with compiling(quiet):
        found = advise_at(game, objective, samples or SAMPLES, seed, seconds)
    if form == "json":
        so_far = {**describe_origin(dealt), "moves": [step.record() for step in made]}
        click.echo(json.dumps({**so_far, **advice_record(game, found, confidence), "seed": seed}))
    else:
        click.echo(advice_text(game, found, confidence))
