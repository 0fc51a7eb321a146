"""What came of a deal: cleared, blocked, proved not clearable, or undecided; and of many games of the same deal."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass, field, fields
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from golf_cli import scoring


class Result(StrEnum):
    """How a deal ended for a solver.

    `BLOCKED` is a game that ended with cards left and proves nothing about the deal; `NOT_CLEARABLE` is a proof that no
    line clears it. The undecided results name the limit that stopped the solver: they count neither as won nor as lost.
    """

    CLEARED = "cleared"
    BLOCKED = "blocked"
    NOT_CLEARABLE = "not clearable"
    STATE_LIMIT = "undecided: state limit"
    OTHER_LIMIT = "undecided: other limit"

    @property
    def decided(self) -> bool:
        """Whether the solver came to an end of its own."""
        return self not in (Result.STATE_LIMIT, Result.OTHER_LIMIT)

    @property
    def code(self) -> int:
        """The number that stands for the result in an array."""
        return RESULTS.index(self)


RESULTS = tuple(Result)

MOST_GAMES: Final = 1_000_000
"""Games that may be counted of one deal: their squared strokes still fit 32 bits."""


@dataclass(frozen=True)
class Games:
    """What came of many games of one deal, each played to its end, in whole numbers.

    Attributes:
        games: how many, 1 to `MOST_GAMES`.
        cleared: how many of them cleared the deal.
        strokes: their strokes, added up.
        strokes_squared: the squares of their strokes, added up.
    """

    games: int
    cleared: int
    strokes: int
    strokes_squared: int

    @property
    def par(self) -> int:
        """The deal's par for who plays these games."""
        return scoring.par_of_mean(Fraction(self.strokes, self.games))


@dataclass(frozen=True)
class GamesOfDeals:
    """What came of many games of each of n deals.

    Attributes:
        games: uint32[n], as in `Games`; so are the others.
        cleared: uint32[n].
        strokes: int32[n].
        strokes_squared: uint32[n].
    """

    games: NDArray[np.uint32]
    cleared: NDArray[np.uint32]
    strokes: NDArray[np.int32]
    strokes_squared: NDArray[np.uint32]

    def __getitem__(self, index: int) -> Games:
        return Games(*(int(column[index]) for column in self.columns))

    @property
    def pars(self) -> NDArray[np.uint8]:
        """uint8[n]: the par of each deal, as `Games` has it."""
        strokes, games = self.strokes.astype(np.int64), self.games.astype(np.int64)
        rounded = (2 * strokes + games) // (2 * games)
        return rounded.clip(scoring.PARS[0], scoring.PARS[-1]).astype(np.uint8)

    @property
    def columns(self) -> tuple[NDArray[Any], ...]:
        """The arrays, in the order of the fields."""
        return tuple(getattr(self, each.name) for each in fields(self))


@dataclass(frozen=True)
class Outcome:
    """What came of one deal.

    Attributes:
        result: how it ended.
        cards_left: cards left in the tableau: at the end of the game, or the proved fewest. Of an undecided deal the
            fewest reached so far.
        stock_left: cards left in the stock.
        games: what came of many games of the deal, for a solver that counts games.
    """

    result: Result
    cards_left: int
    stock_left: int
    games: Games | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class Outcomes:
    """The outcomes of n deals, in the order of the deals.

    Attributes:
        results: uint8[n], each the `code` of a `Result`.
        cards_left: uint8[n], as in `Outcome`.
        stock_left: uint8[n], as in `Outcome`.
        games: as in `Outcome`: of all deals, or of none.
    """

    results: NDArray[np.uint8]
    cards_left: NDArray[np.uint8]
    stock_left: NDArray[np.uint8]
    games: GamesOfDeals | None = None

    def __len__(self) -> int:
        return len(self.results)

    def __getitem__(self, index: int) -> Outcome:
        games = None if self.games is None else self.games[index]
        left = int(self.cards_left[index]), int(self.stock_left[index])
        return Outcome(RESULTS[self.results[index]], *left, games=games)

    @property
    def columns(self) -> tuple[NDArray[Any], ...]:
        """All arrays: results, cards left, stock left, and where games are counted those of `GamesOfDeals`."""
        return (self.results, self.cards_left, self.stock_left, *(self.games.columns if self.games else ()))

    @classmethod
    def of_columns(cls, columns: Sequence[NDArray[Any]]) -> Self:
        """What has these `columns`, cast to the types in which they are kept."""
        kept = [column.astype(kind, copy=False) for column, kind in zip(columns, _KINDS, strict=False)]
        results, cards_left, stock_left, *counts = kept
        return cls(results, cards_left, stock_left, GamesOfDeals(*counts) if counts else None)

    @property
    def cleared(self) -> NDArray[np.bool_]:
        """bool[n]: which deals were cleared."""
        return np.equal(self.results, Result.CLEARED.code)

    @property
    def strokes(self) -> NDArray[np.int16]:
        """int16[n]: the strokes of each deal, as `scoring.strokes` has them; of undecided deals they mean nothing."""
        cards_left, stock_left = self.cards_left.astype(np.int16), self.stock_left.astype(np.int16)
        return np.where(cards_left > 0, cards_left, -stock_left)

    @property
    def undecided(self) -> NDArray[np.bool_]:
        """bool[n]: which deals were left undecided."""
        return np.isin(self.results, [result.code for result in Result if not result.decided])

    def at(self, places: slice | Sequence[int]) -> Self:
        """The outcomes in these places."""
        return type(self).of_columns([column[places] for column in self.columns])

    def unlike(self, other: Self) -> NDArray[np.bool_]:
        """bool[n]: of which deals as many other outcomes tell something else."""
        if (self.games is None) != (other.games is None):
            return np.ones(len(self), np.bool_)
        pairs = zip(self.columns, other.columns, strict=True)
        unlike: NDArray[np.bool_] = np.any([mine != theirs for mine, theirs in pairs], axis=0)
        return unlike

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Outcomes one after another; at least one part, and games counted in all of them or in none."""
        return cls.of_columns(
            [np.concatenate(column) for column in zip(*(part.columns for part in parts), strict=True)]
        )

    @classmethod
    def of(cls, outcomes: Sequence[Outcome]) -> Self:
        """The columns of a sequence of outcomes; games are counted in all of them or in none."""
        rows = [(each.result.code, each.cards_left, each.stock_left, *counts_of(each.games)) for each in outcomes]
        if not rows:
            return cls.of_columns([np.empty(0)] * 3)
        columns = zip(*rows, strict=True)
        return cls.of_columns([np.array(column, kind) for column, kind in zip(columns, _KINDS, strict=False)])


_KINDS: Final = (np.uint8, np.uint8, np.uint8, np.uint32, np.uint32, np.int32, np.uint32)
"""The types of `Outcomes.columns`."""


def counts_of(games: Games | None) -> tuple[int, ...]:
    """What is told of games beside the three ends, in the order of `Outcomes.columns`; nothing of none."""
    return () if games is None else astuple(games)
