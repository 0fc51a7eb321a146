"""Interrupts (SIGINT, Ctrl-C): that none is lost, and that none strikes where it must not."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

_heard: list[int] = []
"""Those of the present block of `hearing`."""


@contextmanager
def hearing() -> Iterator[None]:
    """Within the block no interrupt is lost; blocks may lie within each other.

    Python raises an interrupt wherever the main thread happens to be. Where that is a callback or a finalizer, in an
    import for example, it ends there, and nobody else hears of it: so it is remembered, and `check` raises it again.
    """
    # Where somebody else answers interrupts, or this is not the main thread, there is nothing to do.
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler or not _in_main_thread():
        yield
        return
    signal.signal(signal.SIGINT, _interrupted)
    try:
        yield
    finally:
        _heard.clear()
        with suppress(ValueError):  # a generator may be closed in another thread
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


def _interrupted(number: int, _: FrameType | None) -> NoReturn:
    _heard.append(number)
    raise KeyboardInterrupt


def was_heard() -> bool:
    """Whether there was an interrupt in the present block of `hearing`, whatever became of it."""
    return bool(_heard)


def check() -> None:
    """Do nothing where there was no interrupt.

    Raises:
        KeyboardInterrupt: there was one in the present block of `hearing`.
    """
    if _heard:
        raise KeyboardInterrupt


def end_reads() -> None:
    """From now on an interrupt ends a read that waits for input, as Python has it.

    polars, once it is imported, has the system go on with such a read (https://github.com/pola-rs/polars/issues/21739).
    """
    signal.siginterrupt(signal.SIGINT, True)


@contextmanager
def deaf() -> Iterator[None]:
    """Within the block, threads and processes are started that an interrupt passes by: golf itself ends them.

    One that comes meanwhile is heard at the end of the block.
    """
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # its start would make this thread hear again
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    meanwhile: list[int] = []  # through a thread of another library, which may not be deaf
    handler = signal.getsignal(signal.SIGINT)
    # No other thread is interrupted, or may set a handler; one that Python does not know could not be put back.
    defers = _in_main_thread() and handler is not None
    if defers:
        signal.signal(signal.SIGINT, lambda number, _: meanwhile.append(number))
    try:
        yield
    finally:
        if defers:
            signal.signal(signal.SIGINT, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if meanwhile:
            signal.raise_signal(signal.SIGINT)
