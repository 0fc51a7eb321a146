"""`golf sweep`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from golf_cli.commands.options import NATURAL, POSITIVE, note, quiet_option, rules_option, write
from golf_cli.rules import RuleSet

if TYPE_CHECKING:
    from golf_cli.sweep.plan import Plan
    from golf_cli.sweep.store import Store


@click.command()
@rules_option("classic", multiple=True)
@click.option(
    "--solver",
    "solvers",
    multiple=True,
    default=["longest-column"],
    show_default=True,
    metavar="SOLVER",
    help="Who plays: a name that golf solvers lists, or module:object; options follow after commas "
    "(exact,max-states=1e6). Give it again for more.",
)
@click.option("-n", "--deals", "count", type=POSITIVE, required=True, help="How many deals: 1e6 is a million.")
@click.option("--first", type=NATURAL, help="The first deal number.  [default: the numbering's first]")
@click.option(
    "--numbering",
    type=click.Choice(["go1", "pysol", "ms"], case_sensitive=False),
    default="go1",
    show_default=True,
    help="Where numbers get their cards: golf's own shuffle, PySolFC's, or Microsoft's.",
)
@click.option("--seed", type=NATURAL, default="0", show_default=True, help="Seed of solvers that choose at random.")
@click.option("--workers", type=POSITIVE, help="Threads or processes that play.  [default: as many as processors]")
@click.option("--batch", type=POSITIVE, help="Deals in a file.  [default: the solver's own]")
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    help="Directory of the dataset.  [default: one named after the sweep]",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "csv"]),
    default="table",
    show_default=True,
    help="How the summary is written.",
)
@quiet_option
def sweep(
    rules: tuple[RuleSet, ...],
    solvers: tuple[str, ...],
    count: int,
    first: int | None,
    numbering: str,
    seed: int,
    workers: int | None,
    batch: int | None,
    output: Path | None,
    form: str,
    quiet: bool,
) -> None:
    """Play numbered deals, a million say, and store the outcomes as Parquet.

    Safe to run again: deals that are stored already are not played again, an interrupted sweep goes on where it
    stopped, and a larger -n adds to what is there. The rows depend on nothing but the deals, the rules, the solver and
    the seed. Numbers of go1 are dealt by golf's own shuffle, not by that of the app with the GO1 codes.

    \b
    golf sweep -n 1e6
    golf sweep --rules easy --rules hard --solver leftmost --solver exact -n 1000
    """
    from golf_cli.stats.tally import tally
    from golf_cli.stats.written import written
    from golf_cli.sweep.plan import Plan
    from golf_cli.sweep.store import Store

    plan = Plan.of(rules, solvers, count, first, numbering, seed)
    store = Store(output or Path(plan.directory))
    _play(plan, store, workers, batch, quiet)
    write(Path("-"), written(tally(store.scan(plan)), form))


def _play(plan: "Plan", store: "Store", workers: int | None, batch: int | None, quiet: bool) -> None:
    from golf_cli.commands.progress import compiling, follow
    from golf_cli.sweep.runner import run

    cards = ", dealt by golf's own shuffle" if plan.tasks[0].numbering == "go1" else ""
    try:
        with compiling(quiet):
            played = follow(run(plan, store, workers, batch), quiet)
    except KeyboardInterrupt:
        note(f"\nInterrupted. What is stored stays in {store.directory}; run the same command again to go on.")
        raise
    already = "" if played else ", all stored already"
    note(f"{store.directory}: deals {plan.interval} of {plan.tasks[0].numbering}{cards}{already}", quiet)
