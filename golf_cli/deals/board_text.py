"""Boards as plain text: the project's own form, and that of PySolFC and black-hole-solver.

Both have a line for the foundation, a line for the stock and one line a column, so one reader reads both.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from golf_cli.cards import cards_text
from golf_cli.deals.board_words import Word, whole_deal
from golf_cli.deals.deal import Deal
from golf_cli.errors import BoardError, DealError

HEADERS: Final = {"foundation": "foundation", "foundations": "foundation", "stock": "stock", "talon": "stock"}
_NONE: Final = "-"

_LINE_END: Final = re.compile(r"\r\n?|\n")
"""Where an editor counts a line. `str.splitlines` also ends one, and with it a comment, at characters nobody sees."""

_HEADER: Final = re.compile(r"\s*(?P<name>[^\s:]*)\s*:\s*")


def read_text(text: str) -> Deal:
    """Read a board of labelled lines and columns.

    `foundation: AC` (or `foundations:`; `-` for an open foundation) and `stock: 8S ? ...` (or `talon:`, first drawn
    first) each stand on one line, anywhere. Every other line is a column, from left to right, its covered back card
    first. Cards are separated by blanks or commas; `#` starts a comment; empty lines do not count.

    Raises:
        BoardError: the text holds no whole deal.
    """
    labelled, columns = lines_of(text, HEADERS, "board")
    return board_of(labelled, columns)


def lines_of(
    text: str, labels: Mapping[str, str], what: str, first: int = 1
) -> tuple[dict[str, Word], list[list[Word]]]:
    """The labelled lines of a text, each once by its label, and the words of every other line that has any.

    Args:
        text: `#` starts a comment in it.
        labels: which there are, and the one name of each.
        what: the text is, to be named in errors.
        first: the number of its first line.

    Raises:
        BoardError: there is no such label, or a second line with it.
    """
    labelled: dict[str, Word] = {}
    others: list[list[Word]] = []
    for number, line in enumerate(_LINE_END.split(text), start=first):
        content = line.partition("#")[0].rstrip()
        header = _HEADER.match(content)
        if header:
            name = labels.get(header["name"].lower())
            if name is None:
                raise BoardError(
                    f"no line of a {what} is called '{header['name']}': there are {', '.join(labels)}",
                    line=number,
                    column=header.start("name") + 1,
                )
            if name in labelled:
                raise BoardError(f"a second {name} line: a {what} has one", line=number)
            labelled[name] = Word(content[header.end() :], number, header.end() + 1)
        elif words := Word(content, number).words():
            others.append(words)
    return labelled, others


def board_of(labelled: Mapping[str, Word], columns: Sequence[Sequence[Word]]) -> Deal:
    """The whole deal of a board's labelled lines and its columns.

    Raises:
        BoardError: it is no whole deal.
    """
    for name, example in (("foundation", "foundation: AC' or 'foundation: -"), ("stock", "stock: 8S 2H ...")):
        if name not in labelled:
            raise BoardError(f"there is no {name} line: write '{example}'")
    return whole_deal(columns, _foundation(labelled["foundation"].words()), labelled["stock"].words())


def _foundation(words: list[Word]) -> Word | None:
    if not words:
        raise BoardError("the foundation line is empty: write its card, or '-' for an open foundation")
    if len(words) > 1:
        raise words[1].error(f"{len(words)} cards on the foundation: a board has one there")
    return None if words[0].text == _NONE else words[0]


def own_text(deal: Deal) -> str:
    """The project's own board text of a whole deal, with `?` for an unseen card."""
    foundation = _NONE if deal.foundation is None else deal.foundation.text
    lines = [f"foundation: {foundation}", f"stock: {cards_text(deal.stock)}", *map(cards_text, deal.columns)]
    return "".join(f"{line}\n" for line in lines)


def pysol_text(deal: Deal) -> str:
    """The board text of a whole deal as PySolFC's deal generators write it and black-hole-solver reads it.

    An unseen stock card is written `?`, which black-hole-solver does not read.

    Raises:
        DealError: the deal has jokers or an open foundation, which that form has no way to write.
    """
    layout = deal.layout_of()
    if layout.jokers or deal.foundation is None:
        raise DealError(
            "PySolFC's board text has neither jokers nor an open foundation: write the deal as text or JSON"
        )
    lines = [f"Talon: {cards_text(deal.stock)}", f"Foundations: {deal.foundation}", *map(cards_text, deal.columns)]
    return "".join(f"{line}\n" for line in lines)
