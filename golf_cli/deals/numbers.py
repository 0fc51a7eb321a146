"""Whole numbers as people write them."""

import re
from typing import Final

from golf_cli.errors import NumberError

LAST_U64: Final = (1 << 64) - 1

_NUMBER: Final = re.compile(
    r"(?P<whole>[0-9]+(?:_[0-9]+)*)(?:\.(?P<part>[0-9]+))?(?:e\+?(?P<zeros>[0-9]+))?", re.IGNORECASE
)

_MOST_DIGITS: Final = 40
"""A number of more digits is past every bound there is, and is not worked out."""


def parse_number(text: str, first: int = 0, last: int = LAST_U64, what: str = "a number") -> int:
    """Read a whole number exactly: `1000000`, `1_000_000`, `1e6` or `2.5e6`, never by way of a float.

    Args:
        text: what was written; blanks around it do not matter.
        first: the smallest number allowed.
        last: the largest number allowed.
        what: what the number is, for the message: `a number of deals`.

    Raises:
        NumberError: the text is no whole number, or the number is outside first..last.
    """
    match = _NUMBER.fullmatch(text.strip())
    if not match:
        raise NumberError(f"'{text}' is not {what}: write a whole number such as 1000000, 1_000_000 or 1e6")
    part = (match["part"] or "").rstrip("0")
    digits = (match["whole"].replace("_", "") + part).lstrip("0")
    zeros = (match["zeros"] or "").lstrip("0")
    shift = int(zeros or "0") - len(part) if len(zeros) < 4 else _MOST_DIGITS
    if shift < 0:
        raise NumberError(f"'{text}' is not {what}: it is not whole")
    if digits and len(digits) + shift > _MOST_DIGITS:
        raise _out_of_range(text, first, last, what)
    number: int = int(digits or "0") * 10**shift
    if not first <= number <= last:
        raise _out_of_range(text, first, last, what)
    return number


def _out_of_range(text: str, first: int, last: int, what: str) -> NumberError:
    return NumberError(f"'{text}' is out of range: {what} is from {first} to {last}")


def parse_count(text: str, last: int = LAST_U64, what: str = "a count") -> int:
    """Read a whole number of at least 1, written as `parse_number` reads it.

    Raises:
        NumberError: the text is no whole number, or the number is outside 1..last.
    """
    return parse_number(text, 1, last, what)
