"""Files of many deals: one reference a line, or board after board, in any mixture."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from golf_cli.deals.board_text import HEADERS
from golf_cli.deals.codes import looks_like_code
from golf_cli.deals.numberings import NUMBERINGS

LINES_OF_A_BOARD: Final = 9
"""A board of text has a foundation line, a stock line and seven columns, in any order."""

_NUMBERED: Final = re.compile(rf"({'|'.join(NUMBERINGS)}):\S*", re.IGNORECASE)


@dataclass(frozen=True)
class Item:
    """What one deal of a file is written as.

    Attributes:
        line: the line it starts on, from 1.
        text: a board, or a line that is a reference or nothing at all.
        is_board: whether it is a board.
    """

    line: int
    text: str
    is_board: bool


def items(lines: Iterable[str]) -> Iterator[Item]:
    """The deals of a file, as they come; the file is read only as far as deals are asked for.

    Empty lines and comments (`#`) between deals do not count. A line that is a code or a number is a deal, and so is
    any line that no board begins with, so that a slip costs one deal alone. Otherwise a board begins: a JSON value, or
    nine lines with something on them. A board that is cut short, by the end of the file or by a code or a number, is
    given as it is.
    """
    start, board, content = 0, "", 0
    for number, line in enumerate(lines, start=1):
        written = line.partition("#")[0].strip()
        names_a_deal = bool(looks_like_code(written) or _NUMBERED.fullmatch(written))
        if board and names_a_deal:
            yield Item(start, board, is_board=True)
            board = ""
        if not board:
            if not written:
                continue
            if names_a_deal or not _begins_a_board(written):
                yield Item(number, written, is_board=False)
                continue
            start, content = number, 0
        board += line if line.endswith("\n") else f"{line}\n"
        content += bool(written)
        if _is_whole(board, written, content):
            yield Item(start, board, is_board=True)
            board = ""
    if board:
        yield Item(start, board, is_board=True)


def _begins_a_board(written: str) -> bool:
    """Whether a line can be the first of a board: JSON, a labelled line, or a column of more than one card."""
    first, *others = written.split()
    label, colon, _ = first.partition(":")
    return first[0] in "{[" or label.lower() in HEADERS or bool(others and not colon)


def _is_whole(board: str, last: str, content: int) -> bool:
    if board.lstrip()[0] not in "{[":
        return content == LINES_OF_A_BOARD
    if not last.endswith(("}", "]")):
        return False
    try:
        json.loads(board)
    except ValueError:
        return False
    return True
