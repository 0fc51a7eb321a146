"""`golf dataset`."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from golf_cli.commands.options import NATURAL, POSITIVE, on_terminal, quiet_option, write
from golf_cli.wording import counted

if TYPE_CHECKING:
    from golf_cli.sweep.audit import Watch

DATASET = click.Path(path_type=Path)


@click.group()
def dataset() -> None:
    """Check what sweeps have stored, repair it, join shards, and rewrite many files into few."""


@dataset.command()
@click.argument("directory", type=DATASET, metavar="DIR")
@click.option("-n", "--deals", "count", type=POSITIVE, help="How many deals every task is to hold: 1e6 is a million.")
@click.option("--first", type=NATURAL, help="The first of them, with -n.  [default: the numbering's first]")
@click.option("--repair", is_flag=True, help="Set broken files aside, into .set-aside in DIR. Nothing is deleted.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json"]),
    default="table",
    show_default=True,
    help="json names every broken file and every missing interval.",
)
@quiet_option
@click.pass_context
def check(
    ctx: click.Context, directory: Path, count: int | None, first: int | None, repair: bool, form: str, quiet: bool
) -> None:
    """Read every file of a dataset to its last byte; tell what is broken and what is missing.

    Missing are deals that sweeps into DIR were asked for, that lie between deals it holds, or that -n asks for, and
    that are in no whole file. The exit code is 0 where nothing is broken and nothing is missing, otherwise 1; with
    --repair it is that of the dataset after it.

    \b
    golf dataset check data -n 1e6
    golf dataset check data --repair
    """
    from golf_cli.stats.datasets import written
    from golf_cli.sweep import audit

    if first is not None and count is None:
        raise click.UsageError("--first says where the deals of -n start: give -n as well")
    with _watching(quiet, "Interrupted. Run the same command again.") as watch:
        report = (audit.repair if repair else audit.check)(directory, count, first, watch)
    write(Path("-"), written(report, form))
    ctx.exit(0 if report.is_whole else 1)


@dataset.command()
@click.argument("directories", nargs=-1, required=True, type=DATASET, metavar="DIR...")
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Directory to copy into: new, empty, or a dataset of the same tasks.",
)
@quiet_option
def merge(directories: tuple[Path, ...], output: Path, quiet: bool) -> None:
    """Join shards made on different machines into one dataset.

    All must hold the same tasks, and no two the same deals. Everything is read to its last byte before anything is
    copied. Safe to run again: an interrupted merge goes on.

    \b
    golf dataset merge data-1-of-2 data-2-of-2 -o data
    """
    from golf_cli.stats.datasets import written
    from golf_cli.sweep import joining

    with _watching(quiet, f"Interrupted. What is copied stays in {output}; run the same command again.") as watch:
        report = joining.merge(directories, output, watch)
    write(Path("-"), written(report))


@dataset.command()
@click.argument("directory", type=DATASET, metavar="DIR")
@click.option("--batch", type=POSITIVE, default=1 << 20, show_default=True, help="Deals in a file.")
@quiet_option
def compact(directory: Path, batch: int, quiet: bool) -> None:
    """Rewrite many small files into few, without changing a value.

    The files are those that golf sweep --batch would have written. Safe to interrupt and to run again: a file is
    removed when its deals are in a new one on disk.
    """
    from golf_cli.sweep import joining

    with _watching(quiet, "Interrupted. Nothing is lost; run the same command again to go on.") as watch:
        done = joining.compact(directory, batch, watch)
    write(Path("-"), f"{directory}: {counted(done.before, 'file')} before, {done.after:,} now; the rows are the same")


@contextmanager
def _watching(quiet: bool, interrupted: str) -> Iterator["Watch"]:
    """A bar over files for everything that is done, where standard error is a terminal."""
    from tqdm import tqdm

    from golf_cli.commands.progress import interruptible

    bars: dict[str, tqdm[NoReturn]] = {}

    def watch(what: str, done: int, total: int) -> None:
        if what not in bars:
            hidden = quiet or not on_terminal()
            bars[what] = tqdm(desc=what, total=total, unit=" files", disable=hidden, file=sys.stderr)
        bars[what].update(done - bars[what].n)

    try:
        with interruptible(interrupted):
            yield watch
    finally:
        for bar in bars.values():
            bar.close()
