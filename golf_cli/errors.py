"""The errors golf raises. Each says what was wrong, where, and what to do; a command line prints them as they are.

So whatever they repeat of a file or an argument, they hold nothing that would steer a terminal.
"""

from pathlib import Path
from typing import Self

from golf_cli.printable import in_one_line, printable


class GolfError(Exception):
    """Anything golf itself refuses. Catch this to catch every error below.

    Args:
        message: what was wrong and what to do; characters that cannot be seen become their escapes.
    """

    def __init__(self, message: str) -> None:
        super().__init__(printable(message))


class CardError(GolfError):
    """A text that names no card."""


class RulesError(GolfError):
    """A text or a value that names no rule set."""


class ReferenceError(GolfError):  # noqa: A001 - a deal reference; the builtin is about weak references
    """A text that refers to no deal."""


class PlacedError(GolfError):
    """A text that cannot be read, with the line and column (both from 1) where reading stopped.

    Args:
        message: what was wrong and what to do, in one line; characters that cannot be seen become their escapes.
        source: the file's name, or None for a text that came from no file.
        line: line of the text, from 1, or None when the text as a whole is wrong.
        column: column in that line, from 1, or None when the line as a whole is wrong.
    """

    def __init__(
        self, message: str, source: str | None = None, line: int | None = None, column: int | None = None
    ) -> None:
        message = in_one_line(message)
        places = [f"line {line}" if line else "", f"column {column}" if column else ""]
        where = [in_one_line(source or ""), ", ".join(place for place in places if place)]
        super().__init__(": ".join([part for part in where if part] + [message]))
        self.message = message
        self.source = source
        self.line = line
        self.column = column

    def __reduce__(self) -> tuple[type[Self], tuple[str, str | None, int | None, int | None]]:
        return (type(self), (self.message, self.source, self.line, self.column))

    def in_source(self, source: str) -> Self:
        """The same error, naming the file it was found in."""
        return type(self)(self.message, source, self.line, self.column)

    def below(self, lines: int) -> Self:
        """The same error of a text that starts below so many lines of its file."""
        return type(self)(self.message, self.source, (self.line or 1) + lines, self.column)


class BoardError(PlacedError):
    """Board text that holds no deal."""


class RecordError(PlacedError):
    """A record of a game that cannot be read or written, whose deal cannot be had, or that holds a refused action."""


class DealError(GolfError):
    """A deal that does not fit what is asked of it: cards missing or twice, another layout, unseen cards."""


class NumberError(GolfError):
    """A number that a numbering does not deal, or a count that is no count."""


class ScoreError(GolfError):
    """A score, a par or a number of holes that no card has."""


class SolverError(GolfError):
    """A solver that cannot be found, or that was given options it does not take."""


class PluginError(SolverError):
    """A solver from outside golf that could not be loaded, raised, or returned nonsense. The fault is not golf's."""


class DealsFailedError(GolfError):
    """Deals on which a solver failed, and that a sweep passed over. Everything else is stored."""


class WorkerError(GolfError):
    """Workers that were lost, or a cluster of them that cannot be used."""


class DatasetError(GolfError):
    """A directory or a Parquet file that is not the dataset it should be."""


class FileError(DatasetError):
    """A file that is not what it should be at its place in a dataset.

    Args:
        path: the file.
        reason: what is wrong with it, said of it: `is no whole Parquet file`.
        remedy: what to do.
    """

    def __init__(self, path: Path, reason: str, remedy: str) -> None:
        super().__init__(f"{path} {reason}: {remedy}")
        self.path = path
        self.reason = reason
        self.remedy = remedy

    def __reduce__(self) -> tuple[type["FileError"], tuple[Path, str, str]]:
        return (FileError, (self.path, self.reason, self.remedy))
