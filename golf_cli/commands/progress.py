"""What a person sees on standard error while golf works."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from tqdm import tqdm

from golf_cli.commands.options import note
from golf_cli.kernels.compiler import when_compiling


@contextmanager
def compiling(quiet: bool) -> Iterator[None]:
    """Within the block, say so when kernels have to be compiled: the wait would be a riddle otherwise."""
    with when_compiling(lambda: note("Compiling golf's kernels; this is done once and takes some seconds.", quiet)):
        yield


@contextmanager
def progress(deals: int, quiet: bool) -> "Iterator[tqdm[NoReturn]]":
    """A bar over deals with rate and time left; nothing where standard error is no terminal."""
    hidden = quiet or not sys.stderr.isatty()
    with tqdm(total=deals, unit=" deals", unit_scale=True, disable=hidden, file=sys.stderr) as bar:
        yield bar
