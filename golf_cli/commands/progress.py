"""What a person, or a program, sees on standard error while golf works."""

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Final, NoReturn, TypeVar

from golf_cli.commands.options import note, on_terminal
from golf_cli.interrupts import was_heard
from golf_cli.kernels.compiler import when_compiling

if TYPE_CHECKING:
    from golf_cli.stats.progress import Progress
    from golf_cli.sweep.events import Event

T = TypeVar("T")

EVERY: Final = 1.0
"""Seconds between two lines of JSON."""


@contextmanager
def compiling(quiet: bool, say: Callable[[str], None] = note) -> Iterator[None]:
    """Within the block, say so when kernels have to be compiled: the wait would be a riddle otherwise."""
    told = "Compiling golf's kernels for this kind of search; it is done once and takes some seconds."
    with when_compiling(lambda: None if quiet else say(told)):
        yield


@contextmanager
def interruptible(told: str | Callable[[], str]) -> Iterator[None]:
    """Within the block, an interrupt is answered by what is told, whatever it comes out as where it strikes."""
    try:
        yield
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) or was_heard():
            note(f"\n{told if isinstance(told, str) else told()}")
            raise KeyboardInterrupt from None
        raise


def verifying(holes: Iterable[T], count: int, quiet: bool) -> Iterator[T]:
    """Go through holes while they are found, with a bar, where standard error is a terminal."""
    from tqdm import tqdm

    shown = on_terminal() and not quiet
    with interruptible("Interrupted: nothing is kept."), compiling(quiet):
        yield from tqdm(holes, total=count, unit=" holes", disable=not shown, file=sys.stderr, leave=False)


def follow(events: Iterable["Event"], form: str) -> "Progress":
    """Show how far a sweep is, and return how far it came.

    Args:
        events: of the sweep.
        form: `bar` for a bar, where standard error is a terminal; `json` for a line of JSON a second; `none`.
    """
    return _lines(events) if form == "json" else _bar(events, form == "bar" and on_terminal())


def _bar(events: Iterable["Event"], shown: bool) -> "Progress":
    from tqdm import tqdm

    from golf_cli.stats.progress import Progress
    from golf_cli.stats.table import format_rate

    progress = Progress()
    bar: tqdm[NoReturn] | None = None
    try:
        for event in events:
            progress.take(event)
            if bar is None:
                bar = tqdm(
                    total=progress.total, unit=" deals", unit_scale=True, disable=not shown, file=sys.stderr, miniters=1
                )
            bar.set_postfix_str(f"win rate {format_rate(progress.win_rate, progress.win_interval)}", refresh=False)
            bar.update(progress.done - bar.n)
    finally:
        if bar is not None:
            bar.close()
    return progress


def _lines(events: Iterable["Event"]) -> "Progress":
    from golf_cli.stats.progress import Progress
    from golf_cli.sweep.events import Failed, Lost

    progress = Progress()
    told = -EVERY
    try:
        for event in events:
            progress.take(event)
            if isinstance(event, Failed):
                _line("failed", task=event.task.label, number=event.interval.first, why=event.why)
            elif isinstance(event, Lost):
                deals = [event.interval.first, event.interval.stop]
                _line("worker lost", task=event.task.label, deals=deals)
            elif time.monotonic() - told >= EVERY:
                told = time.monotonic()
                _line("progress", **progress.record())
    finally:
        _line("end", **progress.record())
    return progress


def teller(form: str, quiet: bool) -> Callable[[str], None]:
    """What tells a person something in the form of the progress: a note, or a line of JSON."""
    if quiet:
        return partial(note, quiet=True)
    return _note_line if form == "json" else note


def _note_line(text: str) -> None:
    _line("note", text=text)


def _line(event: str, **fields: object) -> None:
    note(json.dumps({"event": event, **fields}))
