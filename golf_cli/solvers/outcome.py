"""What came of a deal: cleared, blocked, proved not clearable, or undecided."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

import numpy as np
from numpy.typing import NDArray


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


@dataclass(frozen=True)
class Outcome:
    """What came of one deal.

    Attributes:
        result: how it ended.
        cards_left: cards left in the tableau: at the end of the game, or the proved fewest. Of an undecided deal the
            fewest reached so far.
        stock_left: cards left in the stock.
    """

    result: Result
    cards_left: int
    stock_left: int


@dataclass(frozen=True)
class Outcomes:
    """The outcomes of n deals, in the order of the deals.

    Attributes:
        results: uint8[n], each the `code` of a `Result`.
        cards_left: uint8[n], as in `Outcome`.
        stock_left: uint8[n], as in `Outcome`.
    """

    results: NDArray[np.uint8]
    cards_left: NDArray[np.uint8]
    stock_left: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.results)

    def __getitem__(self, index: int) -> Outcome:
        return Outcome(RESULTS[self.results[index]], int(self.cards_left[index]), int(self.stock_left[index]))

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

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Outcomes one after another; at least one part."""
        return cls(
            np.concatenate([part.results for part in parts]),
            np.concatenate([part.cards_left for part in parts]),
            np.concatenate([part.stock_left for part in parts]),
        )

    @classmethod
    def of(cls, outcomes: Sequence[Outcome]) -> Self:
        """The columns of a sequence of outcomes."""
        return cls(
            np.array([outcome.result.code for outcome in outcomes], np.uint8),
            np.array([outcome.cards_left for outcome in outcomes], np.uint8),
            np.array([outcome.stock_left for outcome in outcomes], np.uint8),
        )
