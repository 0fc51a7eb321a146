"""Files that are whole or not there: under another name until they are on disk, then renamed."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from golf_cli.errors import DatasetError

PARTIAL: Final = ".partial"
"""What the name of a file ends in while it is written; a killed process leaves it behind."""


def put(path: Path, content: bytes | memoryview) -> None:
    """Write a file in place of the one that may be there: whole, and on disk before it has its name.

    Raises:
        OSError: it cannot be written. What was there before is there still.
    """
    partial = path.with_name(f"{path.name}.{os.getpid()}{PARTIAL}")
    try:
        with partial.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    keep_names(path.parent)


def make(directory: Path) -> None:
    """Make a directory, and those above it that are missing, so that they are there after a power cut.

    Raises:
        OSError: one cannot be made.
    """
    if not directory.is_dir():
        if directory != directory.parent:
            make(directory.parent)
        directory.mkdir(exist_ok=True)
        keep_names(directory.parent)


def named(directory: Path, ending: str, below: bool = False) -> list[Path]:
    """What is in a directory, or `below` it too, and has a name that ends so, in the order of the paths.

    Nothing where there is no such directory.

    Unlike `Path.glob` this does not take a directory that cannot be read for an empty one.

    Raises:
        OSError: a directory cannot be read.
    """
    try:
        if not stat.S_ISDIR(directory.stat().st_mode):
            return []
    except (FileNotFoundError, NotADirectoryError):
        return []
    found = []
    for home, directories, files in os.walk(directory, onerror=_refuse):
        found += [Path(home, name) for name in (*directories, *files) if name.endswith(ending)]
        if not below:
            break
    return sorted(found)


def _refuse(error: OSError) -> None:
    raise error


def keep_names(directory: Path) -> None:
    """See that what was renamed or removed in a directory stays so after a power cut."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def disk(what: str, remedy: str) -> Iterator[None]:
    """Turn an error of the file system into a `DatasetError`."""
    try:
        yield
    except OSError as error:
        raise DatasetError(f"{what} ({error.strerror or error}): {remedy}") from error
