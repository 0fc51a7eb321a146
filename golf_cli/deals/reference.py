"""Deal references: what a person writes to name a deal, and the deal and the rules it stands for."""

import re
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, Final

from golf_cli.deals.boards import read_board
from golf_cli.deals.codes import Code, code_text, letter_of, looks_like_code, parse_code
from golf_cli.deals.deal import Deal
from golf_cli.deals.many import items
from golf_cli.deals.numberings import GO1, NUMBERINGS, Numbering
from golf_cli.deals.registry import documented_numbers
from golf_cli.errors import BoardError, DealError, GolfError, ReferenceError  # noqa: A004
from golf_cli.interrupts import end_reads
from golf_cli.printable import in_one_line
from golf_cli.rules import Foundation, Jokers, Layout, RuleSet

STDIN: Final = "-"

FORMS: Final = (
    "a code such as GO1-E-AAAAAAB or AAAAAAB, a number such as pysol:24 or ms:24, the path of a board, "
    "or - for a board on standard input"
)

_LARGEST_BOARD: Final = 1 << 20
"""Bytes read of a board file. A board takes some 200; a larger file is no board, and may never end."""

_PREFIXED: Final = re.compile(r"(?P<name>[a-z][a-z0-9]+):(?P<number>[^/\\]*)", re.IGNORECASE)


@dataclass(frozen=True)
class Dealt:
    """What a reference stands for.

    Attributes:
        deal: the cards.
        rules: the rules to play it by.
        reference: the reference in its one printed form; a code has the letter of `rules`, or none where no letter
            sets them. For a board the path as it was given, but for characters that cannot be seen.
        numbering: the numbering the deal comes from; None for a board.
        number: its number in that numbering; None for a board.
        overruled_letter: the rules letter of the code, where the rules that were given set it aside.
    """

    deal: Deal
    rules: RuleSet
    reference: str
    numbering: Numbering | None = None
    number: int | None = None
    overruled_letter: str | None = None

    @property
    def documented(self) -> bool:
        """Whether these are the app's own cards, as they are documented."""
        return self.numbering is GO1 and self.number in documented_numbers(self.rules.layout)

    def under(self, rules: RuleSet | None) -> "Dealt":
        """The same reference by other rules, which decide what a number is dealt into; by its own where None.

        Raises:
            DealError: as `resolve` does.
        """
        if rules in (None, self.rules):
            return self
        if self.numbering is None or self.number is None:
            return dealt_board(self.deal, rules, self.reference)
        return _of_number(self.numbering, self.number, rules or RuleSet())

    @property
    def own_shuffle(self) -> bool:
        """Whether a GO1 number was dealt by the project's own shuffle, so that the app has other cards for it."""
        return self.numbering is GO1 and not self.documented


def resolve(text: str, rules: RuleSet | None = None, read_stdin: Callable[[], bytes] | None = None) -> Dealt:
    """Find the deal that a reference names.

    A text that can be a code is one: write `./AAAAAAB` for a file of that name.

    Args:
        text: a code, `pysol:24`, `ms:24`, `go1:24`, a path, or `-` for standard input.
        rules: the rules to play by; None takes those of the code's letter, else `classic`. They decide what a number is
            dealt into. A board shows its own jokers and foundation, which are added to the rules.
        read_stdin: reads standard input to its end, or at least a mebibyte of it; None reads the process's own.

    Raises:
        ReferenceError: the text refers to no deal, or its file cannot be read.
        NumberError: the numbering deals no such number.
        DealError: the numbering deals no such layout, or the rules ask for what a board does not have.
        BoardError: the file or standard input holds no whole deal.
    """
    reference = text.strip()
    if not reference:
        raise ReferenceError(f"an empty text refers to no deal: give {FORMS}")
    if reference == STDIN:
        return _of_bytes(STDIN, "standard input", (read_stdin or _read_stdin)(), rules)
    return _of_name(reference, rules) or _of_bytes(text, text, _read_file(text), rules)


def resolve_many(
    texts: Iterable[str], rules: RuleSet | None = None, stdin: Iterable[bytes] | None = None
) -> Iterator[Dealt | GolfError]:
    """Find the deals that references name, where a file or standard input may hold many.

    A deal that cannot be had takes its place as the error that says why, and the next one follows. Files are read as
    deals are asked for. A board's reference is its file's path, followed by `:` and its line where the file holds more.

    Args:
        texts: references as for `resolve`.
        rules: as for `resolve`.
        stdin: the lines of standard input; None reads the process's own.
    """
    for text in texts:
        try:
            dealt = None if text.strip() == STDIN else _of_name(text.strip(), rules)
            if dealt is not None:
                yield dealt
                continue
            source = "standard input" if text.strip() == STDIN else text
            with closing(_lines_of(text, stdin)) as lines:
                yield from _of_items(STDIN if text.strip() == STDIN else text, source, lines, rules)
        except GolfError as error:
            yield error


def _of_items(reference: str, source: str, lines: Iterator[str], rules: RuleSet | None) -> Iterator[Dealt | GolfError]:
    found = items(lines)
    item = next(found, None)
    if item is None:
        yield BoardError("there is no deal here: write one reference a line, or boards", source)
    one = True
    while item is not None:
        following = next(found, None)
        one = one and following is None
        try:
            if item.is_board:
                yield _of_board(reference if one else f"{reference}:{item.line}", source, item.text, rules)
            else:
                yield resolve_name(item.text, rules)
        except BoardError as error:
            yield error.below(item.line - 1)
        except GolfError as error:
            yield BoardError(str(error), source, item.line)
        item = following


def resolve_name(reference: str, rules: RuleSet | None = None) -> Dealt:
    """Find the deal that a code or a number names; no file is looked for.

    Raises:
        ReferenceError: the text is neither, or the code is wrong.
        NumberError: as `resolve` does.
        DealError: as `resolve` does.
    """
    dealt = _of_name(reference, rules)
    if dealt is None:
        raise ReferenceError(
            f"'{reference}' is no deal: write a code such as GO1-E-AAAAAAB, a number such as pysol:24, or a board"
        )
    return dealt


def _lines_of(text: str, stdin: Iterable[bytes] | None) -> Generator[str, None, None]:
    """The lines of a file or of standard input, without a byte order mark."""
    if text.strip() == STDIN:
        if stdin is None and sys.stdin is None:
            raise ReferenceError("standard input is closed: give a file")
        end_reads()
        yield from _decoded(sys.stdin.buffer if stdin is None else stdin, "standard input")
        return
    with _opened(text) as file:
        yield from _decoded(file, text)


def _decoded(lines: Iterable[bytes], source: str) -> Iterator[str]:
    for number, line in enumerate(lines, start=1):
        if b"\0" in line:
            raise BoardError("this is binary data: a board is plain text or JSON", source, number)
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            raise BoardError("this is not UTF-8: save the file as UTF-8 text", source, number) from None


def _of_name(reference: str, rules: RuleSet | None) -> Dealt | None:
    """The deal of a code or of a number; None for a text that is neither."""
    if looks_like_code(reference):
        return _of_code(parse_code(reference), rules)
    prefixed = _PREFIXED.fullmatch(reference)
    if prefixed and prefixed["name"].lower() in NUMBERINGS:
        numbering = NUMBERINGS[prefixed["name"].lower()]
        return _of_number(numbering, numbering.parse(prefixed["number"]), rules or RuleSet())
    return None


def _of_code(code: Code, rules: RuleSet | None) -> Dealt:
    lettered = None if code.letter is None else RuleSet.of_letter(code.letter)
    dealt = _of_number(GO1, code.number, rules or lettered or RuleSet())
    overruled = lettered is not None and lettered != dealt.rules
    return replace(dealt, overruled_letter=code.letter) if overruled else dealt


def _of_number(numbering: Numbering, number: int, rules: RuleSet) -> Dealt:
    deal = numbering.deal(number, rules.layout)
    return Dealt(deal, rules, number_text(numbering, number, rules), numbering, number)


def number_text(numbering: Numbering, number: int, rules: RuleSet) -> str:
    """The reference of a number in its one printed form: `pysol:24`, or a code with the letter of the rules."""
    return code_text(number, letter_of(rules)) if numbering is GO1 else f"{numbering.name}:{number}"


def tells_rules(numbering: Numbering, rules: RuleSet) -> bool:
    """Whether the reference of a number, as `number_text` has it, is taken to be played by these rules."""
    return letter_of(rules) is not None if numbering is GO1 else rules == RuleSet()


def rules_text(numbering: Numbering, rules: RuleSet) -> str:
    """The rules of deals that are referred to by number, and what to give with a reference that does not tell them."""
    hint = "" if tells_rules(numbering, rules) else f" (give --rules {rules} with these deals)"
    return f"rules {rules}{hint}"


def _of_bytes(reference: str, source: str, content: bytes, rules: RuleSet | None) -> Dealt:
    if len(content) > _LARGEST_BOARD:
        raise BoardError(f"more than {_LARGEST_BOARD} bytes: this is no board", source)
    if b"\0" in content:
        raise BoardError("this is binary data: a board is plain text or JSON", source)
    try:
        board = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise BoardError("this is not UTF-8: save the board as UTF-8 text", source, line) from None
    return _of_board(reference, source, board, rules)


def _of_board(reference: str, source: str, board: str, rules: RuleSet | None) -> Dealt:
    return dealt_board(read_board(board, source), rules, reference)


def dealt_board(deal: Deal, rules: RuleSet | None, reference: str) -> Dealt:
    """A whole deal from a board, to be played by rules that get the jokers and the foundation the board shows.

    Raises:
        DealError: it is no whole deal, or the rules ask for what it does not have.
    """
    return Dealt(deal, _rules_of_board(deal.layout_of(), rules or RuleSet()), in_one_line(reference))


def _rules_of_board(layout: Layout, rules: RuleSet) -> RuleSet:
    """The rules with the jokers and the foundation that the board shows."""
    if rules.layout.jokers not in (0, layout.jokers):
        raise DealError(f"the rules ask for jokers={rules.jokers}, and the board has {layout.jokers}")
    if rules.layout.open_foundation and not layout.open_foundation:
        raise DealError("the rules ask for an open foundation, and the board has a card on it")
    foundation = Foundation.OPEN if layout.open_foundation else Foundation.DEALT
    return replace(rules, jokers=Jokers(str(layout.jokers)), foundation=foundation)


def _read_file(path: str) -> bytes:
    with _opened(path) as file:
        return file.read(_LARGEST_BOARD + 1)


@contextmanager
def _opened(path: str) -> Iterator[BinaryIO]:
    try:
        with Path(path).open("rb") as file:
            yield file
    except (FileNotFoundError, NotADirectoryError):
        raise ReferenceError(_unknown(path)) from None
    except IsADirectoryError:
        raise ReferenceError(f"'{path}' is a directory: give the path of one board in it") from None
    except OSError as error:
        raise ReferenceError(f"'{path}' cannot be read: {error.strerror}") from None
    except ValueError:  # a null character in the path
        raise ReferenceError(_unknown(path)) from None


def _unknown(text: str) -> str:
    """What to say about a text that is neither a reference nor a file, closest guess first."""
    prefixed = _PREFIXED.fullmatch(text.strip())
    if prefixed:
        return f"'{text}': no numbering is called '{prefixed['name']}', and no file '{text}'; give {FORMS}"
    if text.strip().isalnum() and len(text.strip()) in (6, 7, 8):
        try:
            parse_code(text)
        except ReferenceError as error:
            return f"{error}; and there is no file '{text}'; give {FORMS}"
    return f"'{text}' refers to no deal, and there is no such file: give {FORMS}"


def _read_stdin() -> bytes:
    if sys.stdin is None:
        raise ReferenceError("standard input is closed: give a file")
    end_reads()
    return sys.stdin.buffer.read(_LARGEST_BOARD + 1)
