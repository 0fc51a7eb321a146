"""How the deals of a task are cut: into batches, each a file, and these into the pieces that workers play."""

from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from golf_cli.solvers.outcome import Outcomes
from golf_cli.sweep.plan import Interval

PIECE_SECONDS: Final = 1.0
"""How long a piece of work is to take: handing it out costs little then, and a person still sees progress."""

PARTS: Final = 16
"""Into how many a piece is split in which some deal fails. Where each that hangs costs a timeout, few rounds matter."""


@dataclass(frozen=True)
class Piece:
    """What a worker plays at a time.

    Attributes:
        batch: the batch it belongs to.
        deals: its deals.
        alone: whether nothing else may be on the way meanwhile, so that it is to blame if its worker ends.
    """

    batch: Interval
    deals: Interval
    alone: bool = False


class Pieces:
    """Intervals cut into batches, and these into pieces of about `PIECE_SECONDS`, at the pace of those before.

    Args:
        intervals: what is to be played.
        size: deals in a batch.
        width: how many pieces are played at a time.
    """

    def __init__(self, intervals: Sequence[Interval], size: int, width: int) -> None:
        self._batches = (batch for interval in intervals for batch in interval.cut(size))
        self._batch = self._left = Interval(0, 0)
        self._size = 1
        # With less work than that many pieces a worker would stand idle while another plays a long one.
        self._most = max(1, sum(interval.size for interval in intervals) // (4 * width))
        self._again: deque[Piece] = deque()

    def next(self, running: Collection[Piece], width: int) -> Piece | None:
        """The next piece to hand out; None while there is none, or while enough are on the way.

        Twice as many as can be played at a time are on the way, so that no worker waits and memory does not grow.
        """
        if len(running) >= 2 * width or any(piece.alone for piece in running):
            return None
        if self._again:
            return None if running and self._again[0].alone else self._again.popleft()
        if not self._left.size:
            self._batch = self._left = next(self._batches, Interval(0, 0))
            if not self._left.size:
                return None
        middle = min(self._left.first + min(self._size, self._most), self._left.stop)
        piece, self._left = Interval(self._left.first, middle), Interval(middle, self._left.stop)
        return Piece(self._batch, piece)

    def learn(self, deals: int, seconds: float) -> None:
        """Aim the next pieces at the pace of one that was just played; at most eight times as long as that one."""
        self._size = max(1, int(deals * min(8, PIECE_SECONDS / max(seconds, 1e-9))))

    def again(self, piece: Piece) -> None:
        """Hand a piece out once more, before any that was not yet handed out."""
        self._again.append(piece)

    def split(self, piece: Piece) -> None:
        """Hand a piece out once more, in parts."""
        size = -(-piece.deals.size // PARTS)
        starts = range(piece.deals.first, piece.deals.stop, size)
        parts = (Interval(first, min(first + size, piece.deals.stop)) for first in starts)
        self._again.extend(replace(piece, deals=part) for part in parts)


class Gathering:
    """The pieces of one batch as they come in, in any order; those that failed leave holes."""

    def __init__(self, batch: Interval) -> None:
        self._missing = batch.size
        self._pieces: dict[Interval, Outcomes] = {}

    def add(self, deals: Interval, outcomes: Outcomes) -> None:
        """These deals were played."""
        self._pieces[deals] = outcomes
        self._missing -= deals.size

    def leave_out(self, deals: Interval) -> None:
        """These deals will not be played."""
        self._missing -= deals.size

    @property
    def is_whole(self) -> bool:
        """Whether every deal of the batch is settled."""
        return not self._missing

    def runs(self) -> list[tuple[Interval, Outcomes]]:
        """What was played, in as few intervals as there can be, in order."""
        runs: list[tuple[Interval, list[Outcomes]]] = []
        for deals, outcomes in sorted(self._pieces.items(), key=lambda piece: piece[0]):
            if runs and runs[-1][0].stop == deals.first:
                before, parts = runs.pop()
                runs.append((Interval(before.first, deals.stop), [*parts, outcomes]))
            else:
                runs.append((deals, [outcomes]))
        return [(interval, Outcomes.joined(parts)) for interval, parts in runs]
