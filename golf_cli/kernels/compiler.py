"""How kernels are compiled: without the GIL, by one process at a time, and cached where a cache can be written."""

import fcntl
import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar

import numba
from numba.core import config, event
from numba.core.compiler_lock import global_compiler_lock

from golf_cli import __version__

P = ParamSpec("P")
R = TypeVar("R")

SHARED: Final = ("lanes.py",)
"""The files beside this one whose functions kernels of other files call.

Numba notices only that the file of a kernel itself has changed, so what these hold is part of the cache's name.
"""

LOCK: Final = "golf.lock"
"""The file in a cache that is locked by the process that writes there."""


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` at its first call, releasing the GIL while it runs.

    Compiled code is kept in `golf/VERSION-DIGEST` in the user's cache directory, or in NUMBA_CACHE_DIR where that is
    set, the digest being that of the files that kernels share. Where that cannot be written, Numba tries the package's
    own directory, and at last compiles afresh in each process, which is slow and still right.

    Where many processes start at once with an empty cache, one compiles and the others wait for what it stores.
    """
    try:
        with _cache_of_this_version():
            compiled: Any = numba.njit(cache=True, nogil=True)(function)
    except (OSError, RuntimeError):  # no file of Python to be had, or no directory that can be written
        compiled = numba.njit(nogil=True)(function)
    if compiled.stats.cache_path:
        compiled.compile = partial(_alone, Path(compiled.stats.cache_path) / LOCK, compiled.compile)
    kernel: Callable[P, R] = compiled
    return kernel


_locked: set[Path] = set()
"""The caches that this process holds. Only the thread that holds Numba's own lock reads or writes this."""


def _alone(lock: Path, compile_: Callable[[Any], R], signature: Any) -> R:  # noqa: ANN401 - Numba's
    """Load a kernel from the cache, or compile and store it, while no other process does either.

    Numba stores code and an index of it in two steps, and numbers the code by the index it has read: of two processes
    that store at once one would load what the other one wrote under the same number.
    """
    # Always Numba's lock first: a thread that compiles what calls a kernel holds it already.
    with global_compiler_lock, ExitStack() as block:
        if lock not in _locked:  # it is where what is being compiled calls this kernel
            with suppress(OSError):  # a file system without locks
                fcntl.flock(block.enter_context(lock.open("w")), fcntl.LOCK_EX)
            _locked.add(lock)
            block.callback(_locked.discard, lock)
        return compile_(signature)


@contextmanager
def _cache_of_this_version() -> Iterator[None]:
    """Within the block, kernels are cached apart from those of other versions and from a user's own.

    Raises OSError where a shared file cannot be read.
    """
    before = config.CACHE_DIR  # type: ignore[attr-defined]  # numba sets its options when it is imported
    try:
        place = Path(before or _user_cache()) / "golf" / f"{__version__}-{_digest()}"
        config.CACHE_DIR = str(place)  # type: ignore[attr-defined]
        yield
    finally:
        config.CACHE_DIR = before  # type: ignore[attr-defined]


@cache
def _digest() -> str:
    """Eight hexadecimal digits that change with the shared files."""
    files = hashlib.sha256()
    for name in SHARED:
        files.update(Path(__file__).with_name(name).read_bytes())
    return files.hexdigest()[:8]


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
