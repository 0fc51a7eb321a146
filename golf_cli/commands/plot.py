"""`golf plot`."""

from pathlib import Path

import click

from golf_cli.commands.options import confidence_option


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
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="The picture to write; its ending says the kind: .png, .svg or .pdf.",
)
def plot(directories: tuple[Path, ...], figure: str, confidence: float, output: Path) -> None:
    """Draw the strokes distribution or the win rates of a sweep.

    Each rule set and solver is drawn on its own, with the number of its deals.

    \b
    golf plot golf-go1-classic-longest-column -o strokes.png
    golf plot DIR1 DIR2 --figure win-rates -o rates.pdf
    """
    from golf_cli.plots.picture import kind_of, save
    from golf_cli.plots.rates import win_rates_figure
    from golf_cli.plots.strokes import strokes_figure
    from golf_cli.stats.tally import tally
    from golf_cli.sweep.store import scan

    kind_of(output)  # before the dataset is read: a mistake in the name is told at once
    draw = {"strokes": strokes_figure, "win-rates": win_rates_figure}[figure]
    save(draw(tally(scan(directories)), confidence), output)
