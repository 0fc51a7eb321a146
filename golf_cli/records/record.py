"""The record of a game: its deal, its rules and what was done, as text and as JSON.

The text is labelled lines that name the deal (or are a board) and the rules, and under them the moves:

    deal: GO1-E-AAAAAAB
    rules: easy
    draw 9C 8C
    draw=JC undo
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from golf_cli.cards import Card, cards_text
from golf_cli.deals.board_json import own_board, own_data, words_of_json
from golf_cli.deals.board_text import HEADERS, board_of, lines_of, own_text
from golf_cli.deals.board_words import Word
from golf_cli.deals.deal import Deal
from golf_cli.deals.reference import Dealt, dealt_board, resolve_name
from golf_cli.errors import CardError, GolfError, RecordError, RulesError
from golf_cli.moves import Draw, Move, parse_move
from golf_cli.rules import Layout, RuleSet

LABELS: Final = {"deal": "deal", "rules": "rules", **HEADERS}
"""The labels of a record's lines, and the one name of each."""

_COLUMNS: Final = Layout().columns


@dataclass(frozen=True)
class Record:
    """A game as it was played.

    Attributes:
        deal: a code or a number that names the deal, or the cards themselves; None where the record does not say.
        rules: None takes those of the code's letter, else `classic`.
        stock: the stock cards that have been seen, as for `Deal.with_stock`, of a deal that is named.
        moves: what was done, in order.
    """

    deal: str | Deal | None
    rules: RuleSet | None = None
    stock: tuple[Card, ...] = ()
    moves: tuple[Move, ...] = ()

    def dealt(self, place: str, rules: RuleSet | None = None, otherwise: Dealt | None = None) -> Dealt:
        """The deal and the rules of the game.

        Args:
            place: what a board is called.
            rules: to go by in place of the record's own.
            otherwise: the deal of a record that does not say.

        Raises:
            GolfError: there is no such deal, it does not have what the rules ask for or the stock that was seen, or
                nothing says which deal it is.
        """
        rules = rules or self.rules
        if isinstance(self.deal, Deal):
            return dealt_board(self.deal, rules, place)
        if self.deal is not None:
            dealt = resolve_name(self.deal, rules)
        elif otherwise is not None:
            dealt = otherwise.under(rules)
        else:
            raise GolfError("there is no deal line: write 'deal: pysol:2', or a board")
        return replace(dealt, deal=dealt.deal.with_stock(self.stock)) if self.stock else dealt

    def text(self) -> str:
        """The record as text, a row of moves for each draw; it ends in a line's end."""
        lines = [] if self.rules is None else [f"rules: {self.rules}"]
        if isinstance(self.deal, Deal):
            lines += own_text(self.deal).splitlines()
        elif self.deal is not None:
            lines.insert(0, f"deal: {self.deal}")
        if self.stock:
            lines.append(f"stock: {cards_text(self.stock)}")
        rows: list[list[str]] = []
        for move in self.moves:
            if not rows or isinstance(move, Draw):
                rows.append([])
            rows[-1].append(str(move))
        return "".join(f"{line}\n" for line in (*lines, *map(" ".join, rows)))

    def json(self) -> str:
        """The record as JSON in one line, without its end."""
        record: dict[str, Any] = {}
        if isinstance(self.deal, Deal):
            record |= own_data(self.deal)
        elif self.deal is not None:
            record["deal"] = self.deal
        if self.stock:
            record["stock"] = [str(card) for card in self.stock]
        if self.rules is not None:
            record["rules"] = str(self.rules)
        return json.dumps({**record, "moves": [str(move) for move in self.moves]})


@dataclass(frozen=True)
class Written:
    """A record that was read, and where it stands.

    Attributes:
        record: what was read. Its moves end before the first word that is none.
        line: the line it starts on, from 1.
        deal: the word that names its deal, if one does.
        stock: the words of the stock cards of a deal that is named.
        moves: the words of its moves, all of them.
        fault: why the word after the moves of `record` is no move; None where all of them are read.
    """

    record: Record
    line: int
    deal: Word | None
    stock: tuple[Word, ...]
    moves: tuple[Word, ...]
    fault: str | None = None


def read_record(text: str, line: int = 1) -> Written:
    """Read one record, as text or as JSON, which the text itself tells.

    A word that is no move makes it no less a record: it is an action that cannot be made, as one against the rules.

    Args:
        text: the whole record.
        line: the number of its first line.

    Raises:
        PlacedError: the text is no record. Its place counts lines from `line` on.
    """
    if text.lstrip().startswith("{"):
        return _of_json(text, line)
    labelled, rows = lines_of(text, LABELS, "record", line)
    named = labelled.get("deal")
    if named is not None and "foundation" in labelled:
        raise _misplaced("this record names its deal and has a board: one of them says it all", labelled["foundation"])
    deal: Deal | None = None
    if "foundation" in labelled:
        deal = board_of(labelled, rows[:_COLUMNS])
        rows = rows[_COLUMNS:]
    stock = labelled["stock"].words() if "stock" in labelled and deal is None else []
    return _written(line, named, deal, labelled.get("rules"), stock, [word for row in rows for word in row])


def _of_json(text: str, line: int) -> Written:
    fields = words_of_json(text, "record", "deal (or a board), rules and moves", line)
    named, rules = (_optional(fields, name) for name in ("deal", "rules"))
    has_board = "columns" in fields or "foundation" in fields
    if named is not None and has_board:
        raise _misplaced("this record names its deal and has a board: one of them says it all", named)
    board = own_board(fields) if has_board else None
    stock = _list(fields, "stock", "8S") if board is None else []
    return _written(line, named, board, rules, stock, _list(fields, "moves", "9C"))


def _optional(fields: dict[str, object], name: str) -> Word | None:
    value = fields.get(name)
    if value is None or isinstance(value, Word):
        return value
    raise RecordError(f"'{name}' is no text: write it as one, or leave it out")


def _list(fields: dict[str, object], name: str, example: str) -> list[Word]:
    words = fields.get(name, [])
    if isinstance(words, list) and all(isinstance(word, Word) for word in words):
        return words
    raise RecordError(f"'{name}' is no list of texts: write each as one, such as \"{example}\"")


def _written(
    line: int, named: Word | None, board: Deal | None, rules: Word | None, stock: Sequence[Word], moves: Sequence[Word]
) -> Written:
    made, fault = _moves(moves)
    record = Record(
        named.text if board is None and named is not None else board,
        None if rules is None else _rules(rules),
        tuple(_card(word) for word in stock),
        made,
    )
    return Written(record, line, named, tuple(stock), tuple(moves), fault)


def _rules(word: Word) -> RuleSet:
    try:
        return RuleSet.parse(word.text)
    except RulesError as error:
        raise _misplaced(str(error), word) from None


def _card(word: Word) -> Card:
    try:
        return Card.parse(word.text)
    except CardError as error:
        raise _misplaced(str(error), word) from None


def _moves(words: Sequence[Word]) -> tuple[tuple[Move, ...], str | None]:
    """The moves before the first word that is none, and why it is none."""
    moves: list[Move] = []
    for word in words:
        try:
            moves.append(parse_move(word.text))
        except CardError as error:
            return tuple(moves), str(error)
    return tuple(moves), None


def _misplaced(message: str, word: Word) -> RecordError:
    return RecordError(message, line=word.line, column=word.column)
