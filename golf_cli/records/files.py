"""Files of many records, read as they come, and the file that games are saved in as they are played."""

import os
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from golf_cli.errors import PlacedError, RecordError
from golf_cli.interrupts import end_reads
from golf_cli.records.record import Record, Written, read_record
from golf_cli.sweep.files import put

STDIN: Final = Path("-")
RULE: Final = b"---"
"""A line between two records, as good as an empty one."""

LARGEST: Final = 1 << 20
"""Bytes of a record at most. A long one takes some 500; what is larger is none, and may never end."""


@dataclass(frozen=True)
class Unreadable:
    """What stands where a record should, and is none.

    Attributes:
        line: the line it starts on, from 1.
        error: why it is none, and the place of the fault.
    """

    line: int
    error: PlacedError


def read_records(lines: Iterable[bytes]) -> Iterator[Written | Unreadable]:
    """The records of a file, as they come; the file is read only as far as records are asked for.

    A record of text ends before an empty line, before a line `---`, and before one of JSON, which takes one line. What
    is no record takes its place as `Unreadable`, and the next one follows.
    """
    for first, text in _pieces(lines):
        try:
            yield _read(text, first)
        except PlacedError as error:
            yield Unreadable(first, error if error.line else error.below(first - 1))


def _pieces(lines: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """What lies between separators, but for comments alone, each with the number of its first line.

    Of what is too large for a record no more is kept than shows it.
    """
    first, piece = 0, bytearray()
    for number, line in enumerate(lines, start=1):
        content = (line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line).strip()
        is_json = content.startswith(b"{")
        if piece and (is_json or content in (b"", RULE)):
            yield first, bytes(piece)
            piece.clear()
        if is_json:
            yield number, line.rstrip()
        elif content in (b"", RULE) or (not piece and content.startswith(b"#")):
            continue
        elif len(piece) <= LARGEST:
            first = first if piece else number
            piece += line
    if piece:
        yield first, bytes(piece)


def _read(piece: bytes, first: int) -> Written:
    if len(piece) > LARGEST:
        raise RecordError(f"more than {LARGEST} bytes: this is no record", line=first)
    try:
        text = piece.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = first + piece.count(b"\n", 0, error.start)
        raise RecordError("this is not UTF-8: save the file as UTF-8 text", line=line) from None
    return read_record(text, first)


def lines_of_file(path: Path) -> Generator[bytes, None, None]:
    """The lines of a file, or of standard input for `-`, as they are asked for; of one too long for a record the start.

    Raises:
        RecordError: there is no such file, or it cannot be read.
    """
    if path == STDIN and sys.stdin is None:
        raise RecordError("standard input is closed: give a file of records")
    end_reads()
    try:
        with nullcontext(sys.stdin.buffer) if path == STDIN else path.open("rb") as file:
            while line := file.readline(LARGEST + 1):
                yield line
                while line and not line.endswith(b"\n"):  # none of it is wanted, but it is one line
                    line = file.readline(LARGEST)
    except OSError as error:
        raise RecordError(f"cannot be read ({error.strerror}): give a file of records, or -", str(path)) from None


class Saved:
    """The file that a game or the games of a round are saved in: whole at any time, and nobody else's.

    Args:
        path: where it is to be.
        overwrite: whether a file that is there may be replaced.
        warn: is told when it can no longer be written.

    Attributes:
        unsaved: why the games as they are now are not in the file; None where they are.

    Raises:
        RecordError: there is a file already, or what is there is no plain file, or none can be made there.
    """

    def __init__(self, path: Path, overwrite: bool = False, warn: Callable[[str], None] = lambda _: None) -> None:
        self.path = path
        self.unsaved: str | None = None
        self._target = Path(os.path.realpath(path))  # a link stays one
        self._warn = warn
        self._begun = False
        if os.path.lexists(self._target) and not self._target.is_file():
            raise RecordError("is no plain file: give another", str(path))
        try:
            if not overwrite:
                self._target.open("xb").close()  # from now on nobody else's
        except FileExistsError:
            raise RecordError("there is such a file: give another, or --overwrite", str(path)) from None
        except OSError as error:
            raise self._refusal(error) from None

    def save(self, records: Sequence[Record]) -> None:
        """Put the records into the file, in place of what is saved there.

        Once that has been done, a disk that fails ends no game: it is told once, and the next save tries again.

        Raises:
            RecordError: it cannot be written the first time.
        """
        try:
            put(self._target, "\n".join(record.text() for record in records).encode())
        except OSError as error:
            if not self._begun:
                raise self._refusal(error) from None
            told, self.unsaved = self.unsaved is not None, error.strerror or str(error)
            if not told:
                self._warn(
                    f"Warning: {self.path} cannot be written ({self.unsaved}): it is tried again at each change."
                )
        else:
            self._begun, self.unsaved = True, None

    def _refusal(self, error: OSError) -> RecordError:
        return RecordError(f"cannot be written ({error.strerror}): give another file", str(self.path))
