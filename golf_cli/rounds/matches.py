"""Many matches of the same players: who wins how often, by total strokes and by holes won."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from golf_cli.rounds.match import check_match
from golf_cli.rounds.playing import Scores
from golf_cli.scoring import match_result
from golf_cli.stats.intervals import CONFIDENCE, Interval, win_interval

STROKE_PLAY: Final = "stroke play"
MATCH_PLAY: Final = "match play"


class End(NamedTuple):
    """How a match ended for the player it is told of: so many holes up (less than 0: down), so many left to play."""

    up: int
    left: int

    @property
    def result(self) -> str:
        """Told of the winner: `3 & 2`, `two up`, `all square`."""
        return match_result(self.up, self.left)


@dataclass(frozen=True)
class Series:
    """What came of all matches of one player against another, in whole numbers.

    Attributes:
        player: name of the player it is told of.
        against: name of the other.
        form: `STROKE_PLAY` or `MATCH_PLAY`.
        won: matches won.
        halved: matches without a winner.
        lost: matches lost.
        apart: matches in which one of the two left a hole undecided: neither won, halved nor lost.
        margins: strokes ahead, or holes up, added up over the other matches.
        ends: how many of them ended how, the clearest wins first; empty in stroke play.
    """

    player: str
    against: str
    form: str
    won: int
    halved: int
    lost: int
    apart: int
    margins: int
    ends: Mapping[End, int]

    @property
    def matches(self) -> int:
        """All matches."""
        return self.decided + self.apart

    @property
    def decided(self) -> int:
        """Matches that were not set apart."""
        return self.won + self.halved + self.lost

    @property
    def mean_margin(self) -> float | None:
        """Strokes ahead, or holes up, in the mean of the decided matches; None where there is none."""
        return self.margins / self.decided if self.decided else None

    def share(self, matches: int) -> float | None:
        """So many matches as a share of the decided ones; None where there is none."""
        return matches / self.decided if self.decided else None

    def interval(self, matches: int, confidence: float = CONFIDENCE) -> Interval:
        """The interval of such a share, widened on both sides by the matches set apart.

        Raises:
            ConfidenceError: `confidence` is not strictly between 0 and 1.
        """
        return win_interval(matches, self.apart, self.matches, confidence)


@dataclass(frozen=True)
class Ranking:
    """What came of one player's matches in stroke play against all others at once.

    Attributes:
        player: its name.
        matches: matches in which nobody left a hole undecided; the counts below are of these.
        apart: the other matches.
        strokes: the player's totals, added up.
        first: matches in which its total was the lowest, and nobody else's.
        shared: matches in which its total was the lowest, and somebody else's too.
    """

    player: str
    matches: int
    apart: int
    strokes: int
    first: int
    shared: int

    @property
    def mean_total(self) -> float | None:
        """Strokes in a match, in the mean; None where there is no match to count."""
        return self.strokes / self.matches if self.matches else None

    def share(self, matches: int) -> float | None:
        """So many matches as a share of those that count; None where there is none."""
        return matches / self.matches if self.matches else None

    def interval(self, matches: int, confidence: float = CONFIDENCE) -> Interval:
        """The interval of such a share, widened on both sides by the matches set apart.

        Raises:
            ConfidenceError: `confidence` is not strictly between 0 and 1.
        """
        return win_interval(matches, self.apart, self.matches + self.apart, confidence)


class Matches:
    """Matches of the same players, each over holes of its own.

    Args:
        players: their names.
        scores: of all matches one after another.
        holes: holes of a match.

    Raises:
        ScoreError: there are fewer than two players, or no holes or too many.
        ValueError: the scores are of other players, or end within a match.
    """

    def __init__(self, players: Sequence[str], scores: Scores, holes: int) -> None:
        check_match(len(players), holes)
        if len(scores.strokes) != len(players) or scores.strokes.shape[1] % holes:
            raise ValueError(f"scores of shape {scores.strokes.shape} for {len(players)} players over {holes} holes")
        self.players = tuple(players)
        self.holes = holes
        self._strokes = scores.strokes.reshape(len(players), -1, holes)
        self._complete = np.all(scores.decided.reshape(len(players), -1, holes), axis=2)
        self._totals = self._strokes.sum(axis=2, dtype=np.int32)

    @property
    def count(self) -> int:
        """How many matches these are."""
        return self._strokes.shape[1]

    def rankings(self) -> list[Ranking]:
        """Stroke play of all, one a player: the lowest mean total first."""
        complete = np.all(self._complete, axis=0)
        totals = self._totals[:, complete]
        lowest: NDArray[np.bool_] = totals == totals.min(axis=0)
        alone = lowest.sum(axis=0) == 1
        matches = int(complete.sum())
        rankings = [
            Ranking(
                player,
                matches,
                self.count - matches,
                int(totals[place].sum(dtype=np.int64)),
                int((lowest[place] & alone).sum()),
                int((lowest[place] & ~alone).sum()),
            )
            for place, player in enumerate(self.players)
        ]
        return sorted(rankings, key=lambda ranking: ranking.strokes)

    def series(self) -> list[Series]:
        """Stroke play and match play of every pair of players, in their order."""
        return [
            told
            for pair in combinations(range(len(self.players)), 2)
            for told in (self.stroke_play(*pair), self.match_play(*pair))
        ]

    def stroke_play(self, ours: int, theirs: int) -> Series:
        """A pair by total strokes, told of the first."""
        both = self._both(ours, theirs)
        margins = self._totals[theirs, both] - self._totals[ours, both]
        return self._series(ours, theirs, STROKE_PLAY, margins, {})

    def match_play(self, ours: int, theirs: int) -> Series:
        """A pair by holes won, told of the first."""
        both = self._both(ours, theirs)
        up, left = match_ends(self._strokes[ours, both], self._strokes[theirs, both])
        kinds, counts = np.unique(np.stack([up, left]), axis=1, return_counts=True)
        ends = {End(*end): count for end, count in zip(kinds.T.tolist(), counts.tolist(), strict=True)}
        ordered = dict(sorted(ends.items(), key=lambda end: _clearest_first(end[0])))
        return self._series(ours, theirs, MATCH_PLAY, up, ordered)

    def _both(self, ours: int, theirs: int) -> NDArray[np.bool_]:
        both: NDArray[np.bool_] = self._complete[ours] & self._complete[theirs]
        return both

    def _series(
        self, ours: int, theirs: int, form: str, margins: NDArray[np.signedinteger], ends: Mapping[End, int]
    ) -> Series:
        won, halved, lost = (int(which.sum()) for which in (margins > 0, margins == 0, margins < 0))
        apart = self.count - len(margins)
        names = self.players[ours], self.players[theirs]
        return Series(*names, form, won, halved, lost, apart, int(margins.sum(dtype=np.int64)), ends)


def match_ends(ours: NDArray[np.int8], theirs: NDArray[np.int8]) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """How matches end at match play: at the first hole after which one player is more holes up than are left.

    Args:
        ours: int8[matches, holes], strokes of the player it is told of; at most 127 holes.
        theirs: those of the other.

    Returns:
        int8[matches] holes up at the end, less than 0 for down, and int8[matches] holes that were left.
    """
    matches, holes = ours.shape
    ups = np.cumsum((ours < theirs).view(np.int8) - (ours > theirs).view(np.int8), axis=1, dtype=np.int8)
    left = np.arange(holes - 1, -1, -1, dtype=np.int8)
    over = (np.abs(ups) > left) | (left == 0)
    end = over.argmax(axis=1)
    return ups[np.arange(matches), end], left[end]


def _clearest_first(end: End) -> tuple[bool, int, int]:
    """From `10 & 8` won through `one up` and all square to `10 & 8` lost."""
    up, left = end
    return (up <= 0, -left if up > 0 else left, -up)
