"""Waiting that hears an interrupt."""

from collections.abc import Collection
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Any, Final

from golf_cli import interrupts

HEARING: Final = 0.2
"""Seconds after which an interrupt is heard at the latest: with polars loaded, a wait without end would not hear it."""


def first_done(futures: Collection[Future[Any]]) -> set[Future[Any]]:
    """The futures that are done, as soon as there is one; none where `HEARING` passes before.

    Raises:
        KeyboardInterrupt: as `golf_cli.interrupts.check`.
    """
    interrupts.check()
    return wait(futures, timeout=HEARING, return_when=FIRST_COMPLETED).done
