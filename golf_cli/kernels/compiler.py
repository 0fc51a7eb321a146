"""How kernels are compiled: without the GIL, and cached where a cache can be written."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

from numba import njit
from numba.core import event

P = ParamSpec("P")
R = TypeVar("R")


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` at its first call, releasing the GIL while it runs.

    Numba refuses to cache where neither the package nor the user's cache directory can be written; the kernel is
    then compiled afresh in each process, which is slow and still right.
    """
    try:
        compiled: Callable[P, R] = njit(cache=True, nogil=True)(function)
    except RuntimeError:
        compiled = njit(nogil=True)(function)
    return compiled


class _Once(event.Listener):
    def __init__(self, call: Callable[[], None]) -> None:
        self._call: Callable[[], None] | None = call

    def on_start(self, event: event.Event) -> None:  # noqa: ARG002
        if self._call is not None:
            call, self._call = self._call, None
            call()

    def on_end(self, event: event.Event) -> None: ...


@contextmanager
def when_compiling(call: Callable[[], None]) -> Iterator[None]:
    """Within the block, call `call` once, when a first kernel is compiled rather than loaded from the cache."""
    with event.install_listener("numba:compile", _Once(call)):
        yield
