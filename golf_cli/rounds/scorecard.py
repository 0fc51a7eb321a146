"""The scorecard of a round: what was scored on each hole, against its par."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate
from typing import Any, Final

from golf_cli.errors import ScoreError
from golf_cli.rounds.holes import Hole, Player, Score, check_best, score_text, total
from golf_cli.scoring import TRADITION_PAR, against_par, is_cleared, nine_deals_verdict, par_name, round_is_won
from golf_cli.stats.table import beside, left, right
from golf_cli.wording import counted

_DEEPEST_MARK: Final = 2
"""Circles or boxes around a score: two for an eagle and better, and for a double bogey and worse."""


class Kind(StrEnum):
    """What nine holes are, and so how they are judged."""

    ROUND = "round"
    """A round of the site: won at or under its total par."""
    DAILY = "daily"
    """Nine days of the site's daily hole: a round, of which a day counts as done only when its hole was cleared."""
    TRADITION = "tradition"
    """Nine deals of the tradition: 45 is par, and 0 or less is perfect."""


class Verdict(StrEnum):
    """What a round has come to. The last three are the tradition's words on nine deals."""

    UNFINISHED = "unfinished"
    UNDECIDED = "undecided"
    WON = "won"
    FINISHED = "finished"
    PERFECT = "perfect"
    PAR = "par"
    OVER_PAR = "over par"


@dataclass(frozen=True)
class Scorecard:
    """One player's round.

    Attributes:
        holes: the holes of the round.
        scores: the strokes on those played so far, from the first on.
        player: whose card it is.
        kind: what the holes are.

    Raises:
        ScoreError: there are more scores than holes, a score is better than the best play of its hole, or the total par
            of a game in the tradition is not 45.
    """

    holes: tuple[Hole, ...]
    scores: tuple[Score, ...]
    player: str = "player"
    kind: Kind = Kind.ROUND

    def __post_init__(self) -> None:
        if len(self.scores) > len(self.holes):
            raise ScoreError(
                f"{counted(len(self.scores), 'score')} of {self.player} for {counted(len(self.holes), 'hole')}: give "
                "one a hole"
            )
        check_best(Player(self.player, self.scores), [hole.optimum for hole in self.holes])
        if self.kind is Kind.TRADITION and self.par != TRADITION_PAR:
            raise ScoreError(f"a total par of {self.par}: in the tradition it is {TRADITION_PAR}")

    @property
    def par(self) -> int:
        """Total par of all holes."""
        return sum(hole.par for hole in self.holes)

    @property
    def total(self) -> int | None:
        """Strokes so far; None where a hole is undecided."""
        return total(self.scores)

    @property
    def cleared(self) -> tuple[bool | None, ...]:
        """Whether each hole played was cleared, which makes a daily hole done; None for an undecided one."""
        return tuple(None if score is None else is_cleared(score) for score in self.scores)

    @property
    def overs(self) -> tuple[int | None, ...]:
        """Strokes over par on each hole played; None for an undecided one."""
        return tuple(
            None if score is None else score - hole.par for hole, score in zip(self.holes, self.scores, strict=False)
        )

    @property
    def running(self) -> tuple[int | None, ...]:
        """Strokes over par so far, after each hole played; None from an undecided one on."""
        return tuple(accumulate(self.overs, _added))

    @property
    def over(self) -> int | None:
        """Strokes over par so far, 0 before the first hole; None where a hole is undecided."""
        return self.running[-1] if self.scores else 0

    @property
    def is_finished(self) -> bool:
        """Whether every hole was played."""
        return len(self.scores) == len(self.holes)

    @property
    def is_won(self) -> bool | None:
        """Whether the finished round is at or under the total par; None where that is not known yet."""
        known = [score for score in self.scores if score is not None]
        if len(known) < len(self.holes):
            return None
        return round_is_won(known, [hole.par for hole in self.holes])

    @property
    def verdict(self) -> Verdict:
        """What the round has come to. An undecided hole is not a lost one: nothing is said of the round then."""
        if not self.is_finished:
            return Verdict.UNFINISHED
        if self.total is None:
            return Verdict.UNDECIDED
        if self.kind is Kind.TRADITION:
            return Verdict(nine_deals_verdict(self.total))
        return Verdict.WON if self.is_won else Verdict.FINISHED

    @property
    def told(self) -> str:
        """The verdict and the total in a line: `won, 34 strokes, -2 against the par of 36`. Of daily holes also how
        many are done."""
        if not self.scores:
            return f"no hole played yet, par {self.par}"
        done = ""
        if self.kind is Kind.DAILY:
            done = f"; {self.cleared.count(True)} of {counted(len(self.scores), 'day')} done"
        if self.total is None or self.over is None:
            return (
                f"{self.verdict}, {self.scores.count(None)} of {counted(len(self.scores), 'hole')} left undecided{done}"
            )
        played = "" if self.is_finished else f" on {len(self.scores)} of {counted(len(self.holes), 'hole')}"
        against = f"{against_par(self.over)} against the par of {self.total - self.over}"
        return f"{self.verdict}, {counted(self.total, 'stroke')}{played}, {against}{done}"

    def record(self) -> dict[str, Any]:
        """The card as plain values for JSON; holes not played have nulls."""
        return {
            "player": self.player,
            "verdict": str(self.verdict),
            "finished": self.is_finished,
            "won": self.is_won,
            "played": len(self.scores),
            "total": self.total,
            "par": self.par,
            "over": self.over,
            "against_par": None if self.over is None else against_par(self.over),
            "cleared": self.cleared.count(True),
            "holes": self.rows(),
        }

    def rows(self) -> list[dict[str, Any]]:
        """The card hole by hole as plain values; holes not played have nulls."""
        missing = (None,) * (len(self.holes) - len(self.scores))
        columns = ((*values, *missing) for values in (self.scores, self.overs, self.running, self.cleared))
        return [
            {
                "hole": number,
                "deal": hole.label,
                "par": hole.par,
                "optimum": hole.optimum,
                "strokes": score,
                "over": over,
                "result": None if over is None else par_name(over),
                "running": running,
                "cleared": cleared,
            }
            for number, (hole, score, over, running, cleared) in enumerate(zip(self.holes, *columns, strict=True), 1)
        ]


def _added(so_far: int | None, over: int | None) -> int | None:
    return None if so_far is None or over is None else so_far + over


def marked(score: Score, over: int | None) -> str:
    """A score as a card marks it, to the left of as much room as its marks take: `(2)` a birdie, `((1))` an eagle or
    better, `[5]` a bogey, `[[6]]` a double bogey or worse."""
    depth = min(abs(over or 0), _DEEPEST_MARK)
    opening, closing = "(["[(over or 0) > 0], ")]"[(over or 0) > 0]
    return f"{opening * depth}{score_text(score)}{closing * depth}{' ' * (_DEEPEST_MARK - depth)}"


def format_cards(cards: Sequence[Scorecard]) -> str:
    """Cards over the same holes side by side, and below them what each has come to. No line ends in a blank.

    The card of one player alone also names the result of each hole.
    """
    holes = cards[0].holes
    columns = [right("hole", [*(str(number) for number, _ in enumerate(holes, 1)), "total"])]
    if any(hole.label is not None for hole in holes):
        columns.append(left("deal", [*(hole.label or "" for hole in holes), ""]))
    columns.append(right("par", [*(str(hole.par) for hole in holes), str(cards[0].par)]))
    if any(hole.optimum is not None for hole in holes):
        columns.append(right("best", [*("" if hole.optimum is None else str(hole.optimum) for hole in holes), ""]))
    for card in cards:
        columns += _player_columns(card)
    if len(cards) == 1:
        columns.append(left("result", [*(row["result"] or "" for row in cards[0].rows()), ""]))
    verdicts = [f"{card.player}: {card.told}" for card in cards]
    return "\n".join([*beside(columns), "", *verdicts])


def _player_columns(card: Scorecard) -> list[list[str]]:
    blank = [""] * (len(card.holes) - len(card.scores))
    strokes = [marked(score, over) for score, over in zip(card.scores, card.overs, strict=True)]
    so_far = [score_text(None) if over is None else against_par(over) for over in card.running]
    end = score_text(None) if card.over is None else against_par(card.over)
    columns = [
        right(card.player, [*strokes, *blank, marked(card.total, 0)]),
        right("so far", [*so_far, *blank, end]),
    ]
    if card.kind is Kind.DAILY:
        done = [score_text(None) if cleared is None else "done" if cleared else "" for cleared in card.cleared]
        columns.append(left("done", [*done, *blank, str(card.cleared.count(True))]))
    return columns
