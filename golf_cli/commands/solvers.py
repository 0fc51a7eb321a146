"""`golf solvers`."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from golf_cli.commands import PLUGIN_FAILED
from golf_cli.commands.options import NATURAL, POSITIVE, note, quiet_option, rules_option, write

if TYPE_CHECKING:
    from golf_cli.conformance.check import Watch
    from golf_cli.rules import RuleSet


@click.group(invoke_without_command=True)
@click.pass_context
def solvers(ctx: click.Context) -> None:
    """List the solvers that can be called by name, or check one.

    A thoughtful solver looks at the stock before it is drawn; the others see what a player sees.
    """
    if ctx.invoked_subcommand:
        return
    from golf_cli.errors import PluginError
    from golf_cli.solvers.registry import find, names

    broken = False
    known = names()
    width = max(map(len, known))
    for name in known:
        try:
            solver = find(name).solver
        except PluginError as error:
            note(f"Error: {error}")
            broken = True
            continue
        kind = "thoughtful" if solver.thoughtful else "visible"
        click.echo(f"{name:{width}}  {kind:10}  version {solver.version}  {solver.summary}")
    if broken:
        sys.exit(PLUGIN_FAILED)


@solvers.command()
@click.argument("solver", metavar="NAME")
@click.option(
    "-n",
    "--deals",
    type=POSITIVE,
    help="How many deals to play by each of the rules.  [default: what a few seconds allow, at most 64]",
)
@rules_option(None, "all four", multiple=True)
@click.option("--seed", type=NATURAL, default=0, show_default=True, help="Seed of solvers that choose at random.")
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@quiet_option
@click.pass_context
def check(
    ctx: click.Context,
    solver: str,
    deals: int | None,
    rules: tuple["RuleSet", ...],
    seed: int,
    form: str,
    quiet: bool,
) -> None:
    """Try on numbered deals whether a solver keeps what golf asks of solvers.

    NAME is written as for golf sweep --solver, options and all. The exit code is 0 where no promise is broken, 1 where
    one is, and 3 where the solver cannot be loaded or raises.

    \b
    golf solvers check leftmost
    golf solvers check my_module:MyPlayer,depth=3 -n 20 --rules easy
    """
    from golf_cli.commands.progress import compiling
    from golf_cli.conformance.check import check as checked
    from golf_cli.conformance.report import written
    from golf_cli.rules import PRESETS

    with compiling(quiet), _watching(quiet) as watch:
        report = checked(solver, deals, rules or PRESETS.values(), seed, watch)
    write(Path("-"), written(report, form))
    ctx.exit(1 if report.broken else 0)


@contextmanager
def _watching(quiet: bool) -> Iterator["Watch"]:
    """A bar over the promises, where standard error is a terminal."""
    from tqdm import tqdm

    hidden = quiet or not sys.stderr.isatty()
    with tqdm(unit=" promises", disable=hidden, file=sys.stderr, leave=False) as bar:

        def watch(promise: str, done: int, total: int) -> None:
            bar.total = total
            bar.set_description(promise, refresh=False)
            bar.update(done - bar.n)

        yield watch
