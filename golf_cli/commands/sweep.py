"""`golf sweep`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from golf_cli.commands.options import NATURAL, POSITIVE, note, quiet_option, rules_option

if TYPE_CHECKING:
    from golf_cli.rules import RuleSet
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
    help="Who plays: exact, random, leftmost, longest-column, longest-run, a solver of an installed package, or "
    "module:object; options follow after commas (exact,max-states=1e6). Give it again for more.",
)
@click.option("-n", "--deals", "count", type=POSITIVE, required=True, help="How many deals: 1e6 is a million.")
@click.option("--first", type=NATURAL, help="The first deal number.  [default: the numbering's first]")
@click.option("--numbering", default="go1", show_default=True, help="Where numbers get their cards: go1, pysol or ms.")
@click.option("--seed", type=NATURAL, default="0", show_default=True, help="Seed of solvers that choose at random.")
@click.option("--workers", type=POSITIVE, help="Batches played at once.  [default: all processors]")
@click.option("--batch", type=POSITIVE, help="Deals in a batch and in a file.  [default: the solver's own]")
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    help="Directory of the dataset.  [default: one named after the sweep]",
)
@quiet_option
def sweep(
    rules: tuple["RuleSet", ...],
    solvers: tuple[str, ...],
    count: int,
    first: int | None,
    numbering: str,
    seed: int,
    workers: int | None,
    batch: int | None,
    output: Path | None,
    quiet: bool,
) -> None:
    """Play a million numbered deals and store the outcomes as Parquet.

    Safe to run again: deals that are stored already are not played again, an interrupted sweep goes on where it
    stopped, and a larger -n adds to what is there. The rows depend on nothing but the deals, the rules, the solver and
    the seed.

    \b
    golf sweep -n 1e6
    golf sweep --rules easy --rules hard --solver leftmost --solver exact -n 1000
    """
    from golf_cli.sweep.plan import Plan
    from golf_cli.sweep.store import Store

    plan = Plan.of(rules, solvers, count, first, numbering, seed)
    store = Store(output or Path(plan.directory))
    _run(plan, store, workers, batch, quiet)
    _report(plan, store, quiet)


def _run(plan: "Plan", store: "Store", workers: int | None, batch: int | None, quiet: bool) -> None:
    from golf_cli.commands.progress import compiling, progress
    from golf_cli.sweep.runner import run

    missing = sum(len(interval) for task in plan.tasks for interval in store.missing(task, plan.interval))
    if not missing:
        note(f"{store.directory} holds these deals already: nothing to play.", quiet)
        return
    with compiling(quiet), progress(missing, quiet) as bar:
        for done in run(plan, store, workers, batch):
            bar.update(len(done.interval))


def _report(plan: "Plan", store: "Store", quiet: bool) -> None:
    from golf_cli.stats.table import format_table
    from golf_cli.stats.tally import tally

    note(f"{store.directory}: deals {plan.interval}", quiet)
    click.echo(format_table(tally(store.scan(plan))))
