"""`golf solvers`."""

import click


@click.command()
def solvers() -> None:
    """List the solvers that can be called by name.

    A thoughtful solver looks at the stock before it is drawn; the others see what a player sees.
    """
    from golf_cli.solvers.registry import find, names

    found = {name: find(name).solver for name in names()}
    width = max(map(len, found))
    for name, solver in found.items():
        kind = "thoughtful" if solver.thoughtful else "visible"
        click.echo(f"{name:{width}}  {kind:10}  version {solver.version}  {solver.summary}")
