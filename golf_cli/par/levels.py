"""Levels: holes that are verified to be clearable under the rules of their level, drawn by a seed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final

from golf_cli.deals.deal import Deal
from golf_cli.deals.numberings import GO1
from golf_cli.deals.numbers import LAST_U64
from golf_cli.deals.reference import number_text
from golf_cli.deals.registry import documented_numbers
from golf_cli.deals.shuffle import GOLDEN, mix64, own_deal, stream
from golf_cli.errors import NumberError
from golf_cli.game import DRAW, Game, Status
from golf_cli.par.rating import Rating, deals_of, rate
from golf_cli.par.threads import in_order
from golf_cli.rules import PRESETS, RuleSet
from golf_cli.scoring import PARS
from golf_cli.solvers.exact import solve, solve_rows

BITS: Final = 35
"""Bits of a number that has a deal code."""

MOST_HOLES: Final = 1_000_000

CHUNK: Final = 8
"""Candidates looked at by a thread at a time."""

FRIENDLY: Final = 7 / 16
"""What share of the steady player's games must clear a deal that is friendly: they do so with a third of the deals that
can be cleared under the easy rules. See docs/par.md."""


@dataclass(frozen=True)
class Level:
    """What the holes of a level have to be, beside clearable.

    Attributes:
        name: of the level.
        rules: what its holes are played by.
        pars: the pars they may have.
        friendly: the share of the steady player's games that must clear them.
    """

    name: str
    rules: RuleSet
    pars: tuple[int, ...] = PARS
    friendly: float = 0.0

    def takes(self, rating: Rating) -> bool:
        """Whether a deal that is rated so may be a hole of this level."""
        return rating.clearable and rating.par in self.pars and rating.win_probability >= self.friendly


LEVELS: Final = {
    level.name: level
    for level in (
        Level("easy", PRESETS["easy"], friendly=FRIENDLY),
        Level("medium", PRESETS["classic"]),
        Level("hard", PRESETS["hard"], pars=PARS[1:]),
        Level("daily", PRESETS["classic"]),
    )
}
"""The levels of the site, in the order that decides on their numbers."""


@dataclass(frozen=True)
class VerifiedHole:
    """A numbered deal of golf's own shuffle that can be cleared, with its par.

    Attributes:
        number: of the deal, below 2^35.
        rules: what it is played by.
        rating: its par, and what stands beside it.
    """

    number: int
    rules: RuleSet
    rating: Rating

    @property
    def reference(self) -> str:
        """The deal's code, with the letter of the rules where a letter sets them."""
        return number_text(GO1, self.number, self.rules)

    @property
    def deal(self) -> Deal:
        """The cards."""
        return own_deal(self.number, self.rules.layout)

    def solution(self) -> str:
        """A line that clears the deal with the best strokes, as `golf hint --moves` takes it: `AC draw 4H`.

        It was played by the rules, and came to these strokes.
        """
        game = Game(self.deal, self.rules)
        words = [
            "draw" if step.action == DRAW else str(step.card) for step in game.replay(solve(self.deal, self.rules).line)
        ]
        assert (game.status, -game.stock_left) == (Status.WON, self.rating.optimum)
        return " ".join(words)

    def record(self, solution: bool = False) -> dict[str, Any]:
        """Plain values, with a `solution` where it is asked for."""
        told = {"deal": self.reference, "number": self.number, "rules": str(self.rules), **self.rating.record()}
        del told["clearable"]
        return {**told, "solution": self.solution()} if solution else told


def holes(level: Level, count: int, seed: int = 0, workers: int | None = None) -> Iterator[VerifiedHole]:
    """Draw holes of a level: of the candidates those that the level takes, in their order. Lazy.

    Which they are depends on the level and the seed alone; more holes of one seed begin with the fewer.

    Args:
        level: of `LEVELS`.
        count: how many holes, at most `MOST_HOLES`.
        seed: 0 to 2^64 - 1.
        workers: threads that look at candidates; as many as there are processors if None.

    Raises:
        NumberError: `count`, `seed` or `workers` is out of range.
    """
    if not 1 <= count <= MOST_HOLES:
        raise NumberError(f"{count} holes: give 1 to {MOST_HOLES}")
    if not 0 <= seed <= LAST_U64:
        raise NumberError(f"seed {seed}: give 0 to {LAST_U64}")
    return islice(_holes(level, seed, workers), count)


def _holes(level: Level, seed: int, workers: int | None) -> Iterator[VerifiedHole]:
    numbers = candidates(level, seed)
    chunks = iter(lambda: list(islice(numbers, CHUNK)), [])
    for found in in_order(lambda chunk: verified(chunk, level), chunks, workers):
        yield from (hole for hole in found if hole is not None)


def candidates(level: Level, seed: int) -> Iterator[int]:
    """The endless numbers of the deals that may be holes of a level, none of them twice.

    They are the upper 35 bits of the outputs of the SplitMix64 stream whose key is mix64(l + mix64(s + golden)), for
    the level's place l in `LEVELS`, from 0, and the seed s. Numbers that came before, and those of documented deals, of
    which not every card is known, are passed over.
    """
    place = list(LEVELS).index(level.name)
    met = set(documented_numbers(level.rules.layout))
    for word in stream(mix64(place + mix64(seed + GOLDEN & LAST_U64) & LAST_U64)):
        number = word >> 64 - BITS
        if number not in met:
            met.add(number)
            yield number


def verified(numbers: Sequence[int], level: Level) -> list[VerifiedHole | None]:
    """For each number its hole, or None where the level does not take the deal."""
    dealt = [own_deal(number, level.rules.layout) for number in numbers]
    deals = deals_of(dealt)
    clearable = solve_rows(deals.cards, dealt[0], level.rules, clear_only=True).cleared
    ratings = iter(rate(replace(deals, numbers=deals.numbers[clearable], cards=deals.cards[clearable]), level.rules))
    found: list[VerifiedHole | None] = []
    for number, cleared in zip(numbers, clearable.tolist(), strict=True):
        rating = next(ratings) if cleared else None
        found.append(VerifiedHole(number, level.rules, rating) if rating and level.takes(rating) else None)
    return found
