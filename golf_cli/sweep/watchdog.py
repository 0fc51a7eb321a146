"""A process that ends itself when something in it takes too long: code that hangs cannot be stopped otherwise."""

import faulthandler
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

ENDED: Final = 1
"""The exit code of a process that ended itself; Python's own timer has no other."""

_lock = threading.Lock()
_deadlines: dict[object, float] = {}


@contextmanager
def within(seconds: float | None) -> Iterator[None]:
    """End this process, without a word, when the block takes longer; with None it may take as long as it likes.

    A thread of its own watches the time, and needs no GIL: a loop in compiled code that never gives it back is ended
    too. Blocks may overlap, in threads.
    """
    if seconds is None:
        yield
        return
    block = object()
    with _lock:
        _deadlines[block] = time.monotonic() + seconds
        _watch()
    try:
        yield
    finally:
        with _lock:
            del _deadlines[block]
            _watch()


def _watch() -> None:
    """Set the one timer of the process to the deadline that comes first."""
    faulthandler.cancel_dump_traceback_later()
    if _deadlines:
        left = max(1e-3, min(_deadlines.values()) - time.monotonic())
        faulthandler.dump_traceback_later(left, exit=True, file=_silence())


def _silence() -> int:
    global _nowhere
    if _nowhere is None:
        _nowhere = os.open(os.devnull, os.O_WRONLY)
    return _nowhere


_nowhere: int | None = None
