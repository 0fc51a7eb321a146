"""What a person sees on standard error while golf works."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

from golf_cli.commands.options import note
from golf_cli.kernels.compiler import when_compiling

if TYPE_CHECKING:
    from golf_cli.sweep.runner import Done


@contextmanager
def compiling(quiet: bool) -> Iterator[None]:
    """Within the block, say so when kernels have to be compiled: the wait would be a riddle otherwise."""
    with when_compiling(
        lambda: note("Compiling golf's kernels for this kind of search; it is done once and takes some seconds.", quiet)
    ):
        yield


def follow(played: Iterable["Done"], quiet: bool) -> int:
    """Show a bar over deals with rate and time left, where standard error is a terminal; return the deals played."""
    from tqdm import tqdm

    bar: tqdm[NoReturn] | None = None
    total = 0
    for done in played:
        if bar is None:
            total = done.interval.size + done.left
            hidden = quiet or not sys.stderr.isatty()
            bar = tqdm(total=total, unit=" deals", unit_scale=True, disable=hidden, file=sys.stderr)
        bar.update(done.interval.size)
    if bar is not None:
        bar.close()
    return total
