"""Deal codes of the app: `GO1-E-AAAAAAB`.

A code is the version `GO1`, a rules letter (E easy, C classic, N the old letter for easy) and seven letters that are
the deal's number, most significant first, in the base-32 alphabet of RFC 4648 (A = 0 ... Z = 25, 2 = 26 ... 7 = 31).
"""

import re
from dataclasses import dataclass
from typing import Final

from golf_cli.errors import NumberError, ReferenceError  # noqa: A004
from golf_cli.rules import LETTERS, PRESETS, RuleSet
from golf_cli.wording import counted

ALPHABET: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
LETTERS_OF_A_DEAL: Final = 7
LAST_NUMBER: Final = len(ALPHABET) ** LETTERS_OF_A_DEAL - 1
"""The number of `7777777`: 2^35 - 1."""

_VALUES: Final = {letter: value for value, upper in enumerate(ALPHABET) for letter in (upper, upper.lower())}

_VERSIONED: Final = re.compile(r"GO\d*-", re.IGNORECASE | re.ASCII)
_BARE: Final = re.compile(rf"[{ALPHABET}]{{{LETTERS_OF_A_DEAL}}}", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True)
class Code:
    """A deal code that was read.

    Attributes:
        number: the deal's number, 0..2^35-1.
        letter: the rules letter as it stood, `E`, `C` or `N`; None for seven letters on their own.
    """

    number: int
    letter: str | None

    def __str__(self) -> str:
        return code_text(self.number, self.letter)


def looks_like_code(text: str) -> bool:
    """Whether a text can only be meant as a code: it starts as one, or is seven letters of the alphabet."""
    return bool(_VERSIONED.match(text.strip()) or _BARE.fullmatch(text.strip()))


def parse_code(text: str) -> Code:
    """Read `GO1-E-AAAAAAB` or the bare `AAAAAAB`, in any case, with blanks around it.

    Raises:
        ReferenceError: no such version or rules letter, or the seven letters are not seven or not letters; the message
            names the place, counted from 1.
    """
    code = text.strip()
    parts = code.split("-")
    if len(parts) == 1:
        return Code(_number(code, 0), None)
    if len(parts) != 3:
        raise ReferenceError(f"'{code}' has {len(parts)} parts: a deal code has three, such as GO1-E-AAAAAAB")
    version, letter, letters = parts
    if version.upper() != "GO1":
        raise ReferenceError(f"'{code}' is of version '{version}': only deal codes of version GO1 are known")
    if letter.upper() not in LETTERS:
        raise ReferenceError(
            f"'{code}', character 5: '{letter}' is no rules letter; "
            "E is easy, C is classic, N is the old letter for easy"
        )
    return Code(_number(code, len(code) - len(letters)), letter.upper())


def _number(code: str, start: int) -> int:
    """The number that the letters of `code` from place `start` (from 0) on are."""
    letters = code[start:]
    for place, letter in enumerate(letters, start=start + 1):
        if letter not in _VALUES:
            raise ReferenceError(
                f"'{code}', character {place}: '{letter}' is not allowed; "
                f"the {LETTERS_OF_A_DEAL} letters of a deal are A-Z and 2-7"
            )
    if len(letters) != LETTERS_OF_A_DEAL:
        raise ReferenceError(
            f"'{code}' ends in {counted(len(letters), 'letter')}: a deal has {LETTERS_OF_A_DEAL}, from A-Z and 2-7"
        )
    number = 0
    for letter in letters:
        number = number * len(ALPHABET) + _VALUES[letter]
    return number


def code_text(number: int, letter: str | None = None) -> str:
    """The code of a number (0..2^35-1) in its one printed form; without a rules letter the bare seven letters.

    Raises:
        NumberError: the number has no seven letters.
    """
    if not 0 <= number <= LAST_NUMBER:
        raise NumberError(f"{number} has no deal code: codes go from 0 (AAAAAAA) to {LAST_NUMBER} (7777777)")
    letters = ""
    for _ in range(LETTERS_OF_A_DEAL):
        number, digit = divmod(number, len(ALPHABET))
        letters = ALPHABET[digit] + letters
    return letters if letter is None else f"GO1-{letter}-{letters}"


def letter_of(rules: RuleSet) -> str | None:
    """The letter that sets these rules, E or C; None where no letter does."""
    return next((letter for letter in ("E", "C") if PRESETS[LETTERS[letter]] == rules), None)
