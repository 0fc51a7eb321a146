"""`golf stats`."""

from pathlib import Path

import click

from golf_cli.commands.options import confidence_option, output_option, write


@click.command()
@click.argument("directories", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="DIR...")
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "csv", "parquet"]),
    default="table",
    show_default=True,
    help="table and json hold the strokes distributions too.",
)
@click.option("--distribution", is_flag=True, help="For csv and parquet: the distributions instead of the summary.")
@click.option(
    "--rounds",
    is_flag=True,
    help="Totals over nine holes: in a table their quantiles, elsewhere each with its chance.",
)
@confidence_option
@output_option("the statistics")
def stats(
    directories: tuple[Path, ...], form: str, distribution: bool, rounds: bool, confidence: float, output: Path
) -> None:
    """Win rates, strokes and pars of what a sweep has stored.

    One row for each rule set and solver: deals, win rate with its Wilson interval, mean and quantiles of the strokes,
    app points, the chance of 45 strokes or less over nine holes, and the par of that player: the mean strokes rounded
    and held to 3..5. Then the distribution of strokes. Deals a solver left undecided count neither as won nor as lost:
    they widen the interval. Where many games of each deal were counted, as the solver difficulty does, also the share
    of them that was cleared, and by how much their strokes exceed the deal's.
    """
    from golf_cli.stats.tally import tally
    from golf_cli.stats.written import written
    from golf_cli.sweep.parts import scan

    if rounds and distribution:
        raise click.UsageError("--rounds and --distribution each take the place of the summary: give one of them")
    shown = distribution or (form == "table" and not rounds)
    write(output, written(tally(scan(directories)), form, confidence, shown, rounds))
