"""Waiting that hears an interrupt."""

import signal
import threading
from collections.abc import Collection, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, Final, NoReturn

HEARING: Final = 0.2
"""Seconds after which an interrupt is heard at the latest: with polars loaded, a wait without end would not hear it."""

_interrupts: list[int] = []
"""Those of the present block of `hearing`."""


@contextmanager
def hearing() -> Iterator[None]:
    """Within the block no interrupt is lost.

    Python raises an interrupt wherever the main thread happens to be. Where that is a callback or a finalizer of some
    library it ends there, and nobody else hears of it: so `first_done` raises it again.
    """
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield  # somebody else answers interrupts
        return
    signal.signal(signal.SIGINT, _interrupted)
    try:
        yield
    finally:
        _interrupts.clear()
        with suppress(ValueError):  # a generator may be closed in another thread
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _interrupted(number: int, _: FrameType | None) -> NoReturn:
    _interrupts.append(number)
    raise KeyboardInterrupt


def first_done(futures: Collection[Future[Any]]) -> set[Future[Any]]:
    """The futures that are done, as soon as there is one; none where `HEARING` passes before.

    Raises:
        KeyboardInterrupt: there was one in the present block of `hearing`, heard or not.
    """
    if _interrupts:
        raise KeyboardInterrupt
    return wait(futures, timeout=HEARING, return_when=FIRST_COMPLETED).done
