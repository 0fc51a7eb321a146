"""Holes, and what was scored on them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from golf_cli.errors import ScoreError
from golf_cli.printable import in_one_line
from golf_cli.rules import Layout
from golf_cli.scoring import HOLES, PARS, TRADITION_PAR
from golf_cli.wording import counted

Score = int | None
"""Strokes of a hole that was played; None where a solver left the deal undecided."""

UNDECIDED: Final = "?"
"""How the score of a hole is written that a solver left undecided."""

TRADITION_PARS: Final = (TRADITION_PAR // HOLES,) * HOLES
"""The pars of nine deals in the tradition, which has a par of 45 for all of them: an even share for each."""


@dataclass(frozen=True)
class Hole:
    """A deal with its par.

    Attributes:
        par: 3, 4 or 5.
        label: the reference of the deal; None where only the scores are known.
        optimum: the strokes of the best possible play, or None where they are not known.

    Raises:
        ScoreError: `par` is no par.
    """

    par: int
    label: str | None = None
    optimum: int | None = None

    def __post_init__(self) -> None:
        if self.par not in PARS:
            raise ScoreError(f"a par of {self.par}: a hole has a par of {', '.join(map(str, PARS[:-1]))} or {PARS[-1]}")


@dataclass(frozen=True)
class Player:
    """Who plays, and what was scored.

    Attributes:
        name: for people.
        scores: strokes hole by hole, as far as was played.
    """

    name: str
    scores: tuple[Score, ...]

    @property
    def total(self) -> int | None:
        """Strokes so far; None where a hole is undecided."""
        return total(self.scores)


def holes_of(
    pars: Sequence[int], labels: Sequence[str] | None = None, optima: Sequence[int] | None = None
) -> tuple[Hole, ...]:
    """Holes with these pars, and with these deals and the strokes of their best play where they are known.

    Raises:
        ScoreError: there are not nine, or something is no par.
    """
    check_holes(pars)
    known: Sequence[str | None] = labels or [None] * len(pars)
    best: Sequence[int | None] = optima or [None] * len(pars)
    return tuple(Hole(*hole) for hole in zip(pars, known, best, strict=True))


def check_holes(holes: Sequence[object]) -> None:
    """Do nothing for nine holes.

    Raises:
        ScoreError: there are fewer or more.
    """
    if len(holes) != HOLES:
        raise ScoreError(f"{counted(len(holes), 'hole')}: a round has {HOLES}, so give {HOLES}")


def parse_pars(text: str) -> tuple[int, ...]:
    """Read the pars of a round, parted by blanks or commas: `3 4 5 4 3 5 4 4 3`.

    Raises:
        ScoreError: something in it is no par, or there are not nine.
    """
    pars = tuple(_whole(word, "par") for word in _words(text))
    check_holes(pars)
    return tuple(Hole(par).par for par in pars)


def parse_scores(text: str) -> tuple[Score, ...]:
    """Read strokes hole by hole, parted by blanks or commas: `3 -2 ? 4`, where `?` is a hole left undecided.

    Raises:
        ScoreError: something in it is no score.
    """
    return tuple(None if word == UNDECIDED else _whole(word, "score") for word in _words(text))


def check_scores(player: Player, layout: Layout) -> None:
    """Do nothing for strokes that a hole of this layout can take.

    Raises:
        ScoreError: there are fewer than the stock allows, or more than the tableau has cards.
    """
    for number, score in enumerate(player.scores, 1):
        if score is not None and not -layout.stock <= score <= layout.tableau:
            raise ScoreError(
                f"{counted(score, 'stroke')} of {player.name} on hole {number}: with a stock of "
                f"{counted(layout.stock, 'card')} a hole takes {-layout.stock} to {layout.tableau}"
            )


def check_best(player: Player, best: Sequence[Score]) -> None:
    """Do nothing for strokes that are no better than the best play's; None is a hole of which that is not known.

    Raises:
        ScoreError: they are.
    """
    for number, (score, fewest) in enumerate(zip(player.scores, best, strict=False), 1):
        if score is not None and fewest is not None and score < fewest:
            raise ScoreError(
                f"{counted(score, 'stroke')} of {player.name} on hole {number}: its best play comes to {fewest}, so "
                "give that or more"
            )


def _words(text: str) -> list[str]:
    return [word for word in re.split(r"[\s,]+", text) if word]


def _whole(word: str, what: str) -> int:
    if not re.fullmatch(r"[+-]?[0-9]{1,4}", word):
        raise ScoreError(f"'{word}' is no {what}: write whole numbers with blanks between them, such as '3 4 5'")
    return int(word)


def parse_names(text: str) -> tuple[str, ...]:
    """Read the names of players, parted by commas: `Ann, Bob`.

    Raises:
        ScoreError: one is empty, is there twice, or has characters that cannot be seen.
    """
    names, told = tuple(name.strip() for name in text.split(",")), in_one_line(text)
    if not all(names) or len(set(names)) < len(names):
        raise ScoreError(f"'{told}' names nobody, or somebody twice: write names with commas between them: 'Ann, Bob'")
    if not all(name.isprintable() for name in names):
        raise ScoreError(f"'{told}' has characters that cannot be seen: leave them out")
    return names


def score_text(score: Score) -> str:
    """A score as it is written."""
    return UNDECIDED if score is None else str(score)


def total(scores: Sequence[Score]) -> int | None:
    """All strokes together; None where one of the holes is undecided."""
    known = [score for score in scores if score is not None]
    return sum(known) if len(known) == len(scores) else None
