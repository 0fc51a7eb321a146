"""`golf plot`."""

import os
from pathlib import Path

import click

from golf_cli.commands.options import confidence_option, write


@click.command()
@click.argument("directories", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="DIR...")
@click.option(
    "--figure",
    type=click.Choice(["strokes", "win-rates"]),
    default="strokes",
    show_default=True,
    help="The strokes distributions, or the win rates with their intervals.",
)
@confidence_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["png", "svg", "pdf"]),
    help="Kind of picture.  [default: what the file's name ends in]",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path, allow_dash=True),
    required=True,
    help="The picture to write; - is standard output.",
)
def plot(directories: tuple[Path, ...], figure: str, confidence: float, form: str | None, output: Path) -> None:
    """Draw the strokes distribution or the win rates of a sweep.

    Each rule set and solver is drawn on its own, with the number of its deals.

    \b
    golf plot golf-go1-classic-longest-column -o strokes.png
    golf plot DIR1 DIR2 --figure win-rates -o rates.pdf
    """
    os.environ["MPLBACKEND"] = "agg"  # matplotlib refuses to start with a setting it does not know
    from golf_cli.plots.picture import draw, kind_of
    from golf_cli.plots.rates import win_rates_figure
    from golf_cli.plots.strokes import strokes_figure
    from golf_cli.stats.tally import tally
    from golf_cli.sweep.parts import scan

    if output == Path("-") and form is None:
        raise click.UsageError("a picture on standard output needs --format png, svg or pdf")
    kind = form or kind_of(output)  # before the dataset is read: a mistake in the name is told at once
    figures = {"strokes": strokes_figure, "win-rates": win_rates_figure}
    write(output, draw(figures[figure](tally(scan(directories)), confidence), kind))
