"""`golf sweep`."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from golf_cli.commands.options import (
    NATURAL,
    POSITIVE,
    SHARD,
    crew_options,
    form_option,
    numbering_option,
    quiet_option,
    rules_option,
    write,
)
from golf_cli.rules import RuleSet

if TYPE_CHECKING:
    from golf_cli.sweep.plan import Plan, Shard
    from golf_cli.sweep.store import Store
    from golf_cli.sweep.workers import Crew


@click.command()
@rules_option("classic", multiple=True)
@click.option(
    "--solver",
    "solvers",
    multiple=True,
    metavar="SOLVER",
    help="Who plays: a name that golf solvers lists, or module:object; options follow after commas "
    "(exact,max-states=1e6). Give it again for more.  [default: longest-column]",
)
@click.option("--par", is_flag=True, help="Short for --solver par: the par of each deal, beside the best strokes.")
@click.option("-n", "--deals", "count", type=POSITIVE, help="How many deals: 1e6 is a million.  [required]")
@click.option("--first", type=NATURAL, help="The first deal number.  [default: the numbering's first]")
@numbering_option
@click.option("--seed", type=NATURAL, default="0", show_default=True, help="Seed of solvers that choose at random.")
@click.option("--shard", type=SHARD, metavar="K/N", help="Play one of N equal parts of the deals, such as 3/8.")
@crew_options
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Play on a Dask cluster: its scheduler's address, tcp://HOST:PORT, or local:N to start one of N workers here.",
)
@click.option("--batch", type=POSITIVE, help="Deals in a file.  [default: the solver's own]")
@click.option(
    "--keep-going", is_flag=True, help="Pass over deals on which a solver fails, and say at the end which they are."
)
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    help="Directory of the dataset.  [default: one named after the sweep]",
)
@form_option("How the summary is written.")
@click.option(
    "--progress",
    type=click.Choice(["bar", "json", "none"]),
    default="bar",
    show_default=True,
    help="What is shown on standard error: a bar, where that is a terminal, or a line of JSON a second.",
)
@click.option("--print-id", is_flag=True, help="Print the strong id of each task, and play nothing.")
@quiet_option
def sweep(
    rules: tuple[RuleSet, ...],
    solvers: tuple[str, ...],
    par: bool,
    count: int | None,
    first: int | None,
    numbering: str,
    seed: int,
    shard: "Shard | None",
    workers: int | None,
    cluster: str | None,
    batch: int | None,
    timeout: float | None,
    keep_going: bool,
    output: Path | None,
    form: str,
    progress: str,
    print_id: bool,
    quiet: bool,
) -> None:
    """Play numbered deals, a million say, and store the outcomes as Parquet.

    Safe to run again: deals that are stored already are not played again, an interrupted sweep goes on where it
    stopped, and a larger -n adds to what is there. The rows depend on nothing but the deals, the rules, the solver and
    the seed. Numbers of go1 are dealt by golf's own shuffle, not by that of the app with the GO1 codes. A log with
    versions and timings lies beside the directory, in a file of the same name with .log behind it.

    \b
    golf sweep -n 1e6
    golf sweep --rules easy --rules hard --solver leftmost --solver exact -n 1000
    golf sweep --solver exact -n 1e7 --shard 3/8
    golf sweep --par -n 1000
    """
    from golf_cli.commands.progress import teller
    from golf_cli.errors import DealsFailedError
    from golf_cli.stats.ids import written_ids
    from golf_cli.stats.tally import tally_of
    from golf_cli.stats.written import written
    from golf_cli.sweep.plan import Plan
    from golf_cli.sweep.store import Store

    if count is None and not print_id:
        raise click.UsageError("Missing option '-n' / '--deals': say how many deals, such as -n 1e6")
    players = (*solvers, *(["par"] if par else [])) or ("longest-column",)
    plan = Plan.of(rules, players, count or 1, first, numbering, seed)
    if print_id:
        write(Path("-"), written_ids(plan, form))
        return
    if shard:
        plan = plan.part(shard)
    store = Store(output or Path(plan.directory))
    form_of_progress = "none" if quiet else progress
    say = teller(progress, quiet)
    failure: DealsFailedError | None = None
    try:
        _play(plan, store, _crew(workers, cluster, timeout, say), batch, keep_going, form_of_progress, say)
    except DealsFailedError as error:
        failure = error  # everything else is stored, and is to be seen
    write(Path("-"), written(tally_of(store, plan), form))
    if failure:
        raise failure


def _crew(workers: int | None, cluster: str | None, timeout: float | None, say: Callable[[str], None]) -> "Crew":
    from golf_cli.sweep.workers import Local

    if cluster is None:
        return Local(workers, timeout)
    if workers is not None:
        raise click.UsageError("--workers is for this machine alone: a cluster has the workers it has")
    from golf_cli.sweep.cluster import Cluster, keep_silent

    crew = Cluster(cluster, timeout, say)
    keep_silent()
    return crew


def _play(
    plan: "Plan",
    store: "Store",
    crew: "Crew",
    batch: int | None,
    keep_going: bool,
    progress: str,
    say: Callable[[str], None],
) -> None:
    from golf_cli.commands.progress import compiling, follow, interruptible
    from golf_cli.sweep.runner import run

    cards = ", dealt by golf's own shuffle" if plan.tasks[0].numbering == "go1" else ""
    stays = f"Interrupted. What is stored stays in {store.directory}; run the same command again to go on."
    with interruptible(stays), compiling(False, say):
        played = follow(run(plan, store, crew, batch, keep_going), progress)
    already = "" if played.total else ", all stored already"
    say(f"{store.directory}: deals {plan.interval} of {plan.tasks[0].numbering}{cards}{already}")
