"""Boards as JSON: the project's own form, and Solvitaire's.

Solvitaire's `golf` takes `{"tableau piles": [[...], ...], "hole": "AS", "stock": [...]}`. It puts the cards of a list
on their pile one after the other and takes from the end, so the last card of `stock` is drawn first, while a column
runs from its covered back card to its available card as everywhere here. A ten is written `10H`.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from golf_cli.cards import RANKS, UNSEEN, Card
from golf_cli.deals.board_words import Word, whole_deal
from golf_cli.deals.deal import Deal
from golf_cli.errors import BoardError, DealError

_PILES: Final = "tableau piles"
_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"')


def read_json(text: str) -> Deal:
    """Read a board in the project's own JSON, or in Solvitaire's where it has `tableau piles`.

    The own form is an object with `columns`, `foundation` (null for an open one) and `stock`; whatever else it holds is
    left alone. In both a card may be written in any way `Card.parse` reads, `?` included.

    Raises:
        BoardError: the text is no JSON, or holds no whole deal.
    """
    placed = words_of_json(text, "board", "columns, foundation and stock")
    return _solvitaire(placed) if _PILES in placed else own_board(placed)


def words_of_json(text: str, what: str, holding: str, first: int = 1) -> dict[str, object]:
    """A JSON object with a `Word` for every string among its values.

    Args:
        text: the whole text.
        what: the object is to be, to be named in errors.
        holding: what it is to hold, likewise.
        first: the number of the text's first line.

    Raises:
        BoardError: the text is no JSON object, or names something twice.
    """
    try:
        read = json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise BoardError(f"this is no JSON: {error.msg}", line=error.lineno + first - 1, column=error.colno) from None
    except (ValueError, RecursionError):
        raise BoardError(f"this JSON holds a number too long or lists too deep for any {what}") from None
    if not isinstance(read, _Object):
        raise BoardError(f"this JSON is no {what}: a {what} is an object with {holding}")
    places = _places(text, first)
    return {key: _placed(value, places) for key, value in read.pairs_after(places)}


class _Object:
    """A JSON object with its pairs in the order of the text, so that every string can be found there again."""

    def __init__(self, pairs: list[tuple[str, object]]) -> None:
        self.pairs = pairs

    def pairs_after(self, places: Iterator[tuple[int, int]]) -> Iterator[tuple[str, object]]:
        """Each pair in turn, once the place of its key is taken from `places`."""
        for pair in self.pairs:
            next(places)
            yield pair


def _object(pairs: list[tuple[str, object]]) -> _Object:
    keys = [key for key, _ in pairs]
    double = next((key for key in keys if keys.count(key) > 1), None)
    if double is not None:
        raise BoardError(f"'{double}' stands twice in this JSON: write it once")
    return _Object(pairs)


def _places(text: str, first: int) -> Iterator[tuple[int, int]]:
    """Line, the text's first line being `first`, and column, from 1, of every string of a JSON text, in order."""
    for match in _STRING.finditer(text):
        start = match.start()
        yield text.count("\n", 0, start) + first, start - text.rfind("\n", 0, start)


def _placed(value: object, places: Iterator[tuple[int, int]]) -> object:
    """A JSON value with a `Word` for every string in it, taking the places of its strings from `places`."""
    if isinstance(value, str):
        return Word(value, *next(places))
    if isinstance(value, list):
        return [_placed(each, places) for each in value]
    if isinstance(value, _Object):
        return {key: _placed(each, places) for key, each in value.pairs_after(places)}
    return value


def own_board(board: Mapping[str, object]) -> Deal:
    """The whole deal of a board in the project's own JSON, from the `Word`s that it holds.

    Raises:
        BoardError: it is no whole deal.
    """
    _refuse_missing(board, ("columns", "foundation", "stock"))
    foundation = board["foundation"]
    return whole_deal(
        _piles(board, "columns"),
        None if foundation is None else _word(foundation, "foundation", ", or null for an open foundation"),
        _pile(board["stock"], "stock"),
    )


def _solvitaire(board: dict[str, object]) -> Deal:
    _refuse_missing(board, (_PILES, "hole", "stock"))
    others = [key for key in board if key not in (_PILES, "hole", "stock")]
    if others:
        raise BoardError(f"'{others[0]}' is no part of Golf: Solvitaire's golf has tableau piles, hole and stock")
    stock = _pile(board["stock"], "stock")
    return whole_deal(_piles(board, _PILES), _word(board["hole"], "hole"), stock[::-1])


def _refuse_missing(board: Mapping[str, object], keys: Sequence[str]) -> None:
    missing = [key for key in keys if key not in board]
    if missing:
        raise BoardError(f"there is no '{missing[0]}': a board has {', '.join(keys)}")


def _piles(board: Mapping[str, object], key: str) -> list[list[Word]]:
    piles = board[key]
    if not isinstance(piles, list):
        raise BoardError(f"'{key}' is no list: it is a list of columns, each a list of cards")
    return [_pile(pile, f"{key}, column {number}") for number, pile in enumerate(piles, start=1)]


def _pile(value: object, where: str) -> list[Word]:
    if not isinstance(value, list):
        raise BoardError(f"'{where}' is no list: it is a list of cards such as \"8S\"")
    return [_word(each, where) for each in value]


def _word(value: object, where: str, otherwise: str = "") -> Word:
    if not isinstance(value, Word):
        raise BoardError(f"'{where}' holds something that is no card: write a text such as \"8S\"{otherwise}")
    return value


def own_data(deal: Deal) -> dict[str, Any]:
    """A deal as plain values for the project's own JSON: `foundation`, `stock`, `columns` and `unseen`, cards as texts.

    `unseen` lists the cards that lie unseen in the stock, in order of their numbers.
    """
    return {
        "foundation": None if deal.foundation is None else deal.foundation.text,
        "stock": [card.text for card in deal.stock],
        "columns": [[card.text for card in column] for column in deal.columns],
        "unseen": [card.text for card in deal.unseen],
    }


def own_json(deal: Deal, about: Mapping[str, object] | None = None) -> str:
    """The project's own JSON of a whole deal, after whatever else is to be said about it, one pile a line."""
    return _lines({**(about or {}), **own_data(deal)})


def solvitaire_json(deal: Deal) -> str:
    """Solvitaire's JSON of a whole deal.

    Raises:
        DealError: the deal has unseen cards, jokers or an open foundation, which Solvitaire does not know.
    """
    layout = deal.layout_of()
    if UNSEEN in deal.stock:
        raise DealError("Solvitaire has no unseen cards: give the whole stock, or write the deal as text or JSON")
    if layout.jokers or deal.foundation is None:
        raise DealError("Solvitaire has neither jokers nor an open foundation: write the deal as text or JSON")
    return _lines(
        {
            _PILES: [[_solvitaire_text(card) for card in column] for column in deal.columns],
            "hole": _solvitaire_text(deal.foundation),
            "stock": [_solvitaire_text(card) for card in reversed(deal.stock)],
        }
    )


def _solvitaire_text(card: Card) -> str:
    return card.text.replace(RANKS[9], "10")


def _lines(board: dict[str, Any]) -> str:
    """JSON with one pile a line, as a person reads a board."""
    fields = []
    for key, value in board.items():
        if isinstance(value, list) and value and isinstance(value[0], list):
            written = "[\n" + ",\n".join(f"    {json.dumps(pile)}" for pile in value) + "\n  ]"
        else:
            written = json.dumps(value)
        fields.append(f"  {json.dumps(key)}: {written}")
    return "{\n" + ",\n".join(fields) + "\n}\n"
