"""Boards: a whole deal read from text, and written as text, in each form there is."""

from collections.abc import Callable, Mapping
from typing import Final

from golf_cli.deals.board_json import own_json, read_json, solvitaire_json
from golf_cli.deals.board_text import own_text, pysol_text, read_text
from golf_cli.deals.deal import Deal
from golf_cli.errors import BoardError

WRITERS: Final[Mapping[str, Callable[[Deal], str]]] = {
    "text": own_text,
    "pysol": pysol_text,
    "solvitaire": solvitaire_json,
    "json": own_json,
}
"""The forms a whole deal can be written in. A writer raises DealError for a deal its form cannot hold."""


def read_board(text: str, source: str | None = None) -> Deal:
    """Read the one board a text holds, in any form of `WRITERS`, which the text itself tells.

    Args:
        text: the whole text; a byte order mark at its start does not matter.
        source: what the text was read from, named in errors.

    Raises:
        BoardError: the text holds no whole deal.
    """
    board = text.removeprefix("\ufeff")
    try:
        return _read(board)
    except BoardError as error:
        if source is None:
            raise
        raise error.in_source(source) from None


def _read(board: str) -> Deal:
    if not board.strip():
        raise BoardError("there is nothing here: a board has a foundation line, a stock line and seven columns")
    return read_json(board) if board.lstrip()[0] in "{[" else read_text(board)
