"""Rule sets: what may be played on what, when a draw is allowed, and which deck is dealt.

The presets are the union of three traditions: the Easy and Classic of an app with shareable deal codes, the Easy,
Medium and Hard of a site with levels, and the strict form of the traditional game.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, Final

from golf_cli.cards import ACE, JOKER, KING
from golf_cli.errors import RulesError

OPEN: Final = 14
"""The 'rank' on top of a foundation that holds no card yet: every card may be played on it."""

_ALL: Final = (1 << 14) - 1


class OnKing(StrEnum):
    """What may be played on a king."""

    NONE = "none"
    QUEEN = "queen"
    QUEEN_OR_ACE = "queen-or-ace"


class OnAce(StrEnum):
    """What may be played on an ace."""

    TWO = "two"
    TWO_OR_KING = "two-or-king"


class Draw(StrEnum):
    """When the next stock card may be drawn."""

    ANY_TIME = "any-time"
    WHEN_STUCK = "when-stuck"


class Foundation(StrEnum):
    """How the foundation starts."""

    DEALT = "dealt"
    OPEN = "open"


class Jokers(StrEnum):
    """How many jokers join the deck and lengthen the stock."""

    NONE = "0"
    ONE = "1"
    TWO = "2"


@dataclass(frozen=True)
class Layout:
    """What a number is dealt into: which deck, and how many cards where."""

    columns: int = 7
    depth: int = 5
    jokers: int = 0
    open_foundation: bool = False

    @property
    def tableau(self) -> int:
        """Cards in the columns: 35."""
        return self.columns * self.depth

    @property
    def cards(self) -> int:
        """Cards in the deck: 52, and the jokers."""
        return 52 + self.jokers

    @property
    def stock(self) -> int:
        """Cards in the stock: 16, one more for each joker and one more with an open foundation."""
        return self.cards - self.tableau - (not self.open_foundation)


@dataclass(frozen=True)
class RuleSet:
    """One set of rules; the defaults are `classic`.

    `str()` gives the one canonical spelling, which `RuleSet.parse` reads back: a preset's name where the rules are
    a preset, else the nearest preset followed by the fields that differ, such as `classic,jokers=1`.
    """

    on_king: OnKing = OnKing.QUEEN
    on_ace: OnAce = OnAce.TWO
    draw: Draw = Draw.ANY_TIME
    jokers: Jokers = Jokers.NONE
    foundation: Foundation = Foundation.DEALT

    def __post_init__(self) -> None:
        for name, kind in FIELDS.items():
            object.__setattr__(self, name, _value(name, kind, getattr(self, name)))

    def _mask(self, top: int) -> int:
        """The ranks that fit a top of this rank, as bits."""
        if top in (JOKER, OPEN):
            return _ALL
        if top > KING or (top == KING and self.on_king is OnKing.NONE):
            return 0
        ranks = 1 << JOKER
        if top > ACE:
            ranks |= 1 << (top - 1)
        if top < KING:
            ranks |= 1 << (top + 1)
        if top == KING and self.on_king is OnKing.QUEEN_OR_ACE:
            ranks |= 1 << ACE
        if top == ACE and self.on_ace is OnAce.TWO_OR_KING:
            ranks |= 1 << KING
        return ranks

    @cached_property
    def fits(self) -> tuple[int, ...]:
        """16 numbers: bit r of number t is set when a card of rank r may be played on a top of rank t.

        Rank 13 is a joker and top 14 an open foundation; the numbers of tops that do not exist are 0.
        """
        return tuple(self._mask(top) for top in range(16))

    @property
    def draw_when_stuck(self) -> bool:
        """Whether a draw is refused while an available card fits."""
        return self.draw is Draw.WHEN_STUCK

    @property
    def layout(self) -> Layout:
        """What these rules deal a number into."""
        return Layout(jokers=int(self.jokers), open_foundation=self.foundation is Foundation.OPEN)

    def allows(self, rank: int, top: int) -> bool:
        """Whether a card of this rank may be played on a top of that rank (13 a joker, 14 an open foundation)."""
        return bool(self.fits[top] >> rank & 1)

    def __str__(self) -> str:
        nearest = min(PRESETS, key=lambda name: len(self._differences(PRESETS[name])))
        return ",".join([nearest, *self._differences(PRESETS[nearest])])

    def _differences(self, other: "RuleSet") -> list[str]:
        return [
            f"{_spelling(name)}={getattr(self, name)}" for name in FIELDS if getattr(self, name) != getattr(other, name)
        ]

    @classmethod
    def parse(cls, text: str) -> "RuleSet":
        """Read a preset's name or alias and any fields set on their own: `easy`, `medium`, `classic,on-king=none`.

        Case does not matter, nor do blanks around the parts.

        Raises:
            RulesError: no such preset, field or value; the message lists those there are. Or a field is set twice.
        """
        name, *settings = ["-".join(part.lower().split()) for part in text.split(",")]
        rules = PRESETS.get(ALIASES.get(name, name))
        if rules is None:
            raise RulesError(
                f"no rule set is called '{name}': there are {', '.join(PRESETS)} "
                f"(also known as {', '.join(f'{alias} = {preset}' for alias, preset in ALIASES.items())})"
            )
        changes: dict[str, Any] = {}
        for setting in settings:
            field, value = _setting(setting)
            if field in changes:
                raise RulesError(f"'{text}' sets {_spelling(field)} twice: set it once")
            changes[field] = value
        return replace(rules, **changes)

    @classmethod
    def of_letter(cls, letter: str) -> "RuleSet":
        """The rules a deal code's middle letter sets: E easy, C classic, and the old N, which reads as E.

        Raises:
            RulesError: another letter.
        """
        try:
            return PRESETS[LETTERS[letter.upper()]]
        except KeyError:
            raise RulesError(
                f"'{letter}' is no rules letter: E is easy, C is classic, N is the old letter for easy"
            ) from None


def _spelling(name: str) -> str:
    return name.replace("_", "-")


def _setting(text: str) -> tuple[str, StrEnum]:
    """A field and its value, from `on-king=none`."""
    name, _, value = (part.strip("-") for part in text.partition("="))
    known = {_spelling(each): each for each in FIELDS}
    if name not in known:
        raise RulesError(f"'{text}' sets no rule: write name=value, the names are {', '.join(known)}")
    return known[name], _value(known[name], FIELDS[known[name]], value)


def _value(name: str, kind: type[StrEnum], value: object) -> StrEnum:
    try:
        return kind(str(value))
    except ValueError:
        raise RulesError(f"'{value}' is no value of {_spelling(name)}: it is one of {', '.join(kind)}") from None


FIELDS: Final[dict[str, type[StrEnum]]] = {
    "on_king": OnKing,
    "on_ace": OnAce,
    "draw": Draw,
    "jokers": Jokers,
    "foundation": Foundation,
}
"""The fields of a rule set, in the order in which they are written, and what each is one of."""

PRESETS: Final[dict[str, RuleSet]] = {
    "easy": RuleSet(OnKing.QUEEN_OR_ACE, OnAce.TWO_OR_KING),
    "classic": RuleSet(),
    "hard": RuleSet(OnKing.NONE),
    "strict": RuleSet(OnKing.NONE, draw=Draw.WHEN_STUCK),
}

ALIASES: Final = {"putt-putt": "easy", "medium": "classic", "daily": "classic"}

LETTERS: Final = {"E": "easy", "C": "classic", "N": "easy"}
