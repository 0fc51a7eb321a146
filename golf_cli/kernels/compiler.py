"""How kernels are compiled: without the GIL, and cached where a cache can be written."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ParamSpec, TypeVar

import numba
from numba.core import config, event

from golf_cli import __version__

P = ParamSpec("P")
R = TypeVar("R")


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` at its first call, releasing the GIL while it runs.

    Compiled code is kept in `golf/VERSION` in the user's cache directory, or in NUMBA_CACHE_DIR where that is set.
    Where that cannot be written, Numba tries the package's own directory, and at last compiles afresh in each process,
    which is slow and still right.
    """
    with _cache_of_this_version():
        try:
            compiled: Callable[P, R] = numba.njit(cache=True, nogil=True)(function)
        except RuntimeError:
            compiled = numba.njit(nogil=True)(function)
    return compiled


@contextmanager
def _cache_of_this_version() -> Iterator[None]:
    """Within the block, kernels are cached apart from those of other versions and from a user's own."""
    before = config.CACHE_DIR  # type: ignore[attr-defined]  # numba sets its options when it is imported
    try:
        config.CACHE_DIR = before or str(_user_cache() / "golf" / __version__)  # type: ignore[attr-defined]
        yield
    finally:
        config.CACHE_DIR = before  # type: ignore[attr-defined]


def _user_cache() -> Path:
    """The directory for a user's caches, by the XDG base directory specification."""
    return Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"))  # noqa: PTH111 - never raises


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
