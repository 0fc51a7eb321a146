"""`golf solvers`."""

import sys

import click

from golf_cli.commands import PLUGIN_FAILED
from golf_cli.commands.options import note


@click.command()
def solvers() -> None:
    """List the solvers that can be called by name.

    A thoughtful solver looks at the stock before it is drawn; the others see what a player sees.
    """
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
