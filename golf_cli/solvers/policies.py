"""The policies: players who do not see the stock."""

import json
import re
from functools import cache, partial
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from golf_cli.deals.deal import Deal
from golf_cli.deals.numbers import parse_number
from golf_cli.deals.registry import data_file
from golf_cli.errors import NumberError, SolverError
from golf_cli.game import Action
from golf_cli.kernels import lookahead
from golf_cli.kernels.ends import Ends
from golf_cli.kernels.playout import play_line, play_rows
from golf_cli.rules import OnKing, RuleSet
from golf_cli.solvers.exact import actions_of, position
from golf_cli.solvers.outcome import Outcomes, Result
from golf_cli.solvers.protocol import Deals, Line, Play, Solver


class _Policy(Solver):
    """A policy whose games a kernel plays."""

    name: ClassVar[str]
    version = "1"
    compiled = True
    batch = 1 << 17

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        """Fix the rules and the seed; the seed matters to policies that choose at random."""
        return partial(_play, self.name, np.array(rules.fits, np.uint64), seed)

    def prepare_line(self, rules: RuleSet, seed: int) -> Line:
        """The games that `prepare` plays, action by action."""
        return partial(_line, self.name, np.array(rules.fits, np.uint64), seed)


def _play(name: str, fits: NDArray[np.uint64], seed: int, deals: Deals) -> Outcomes:
    return outcomes(play_rows(name, deals.cards, deals.heights, deals.dealt, fits, deals.numbers, seed))


def _line(name: str, fits: NDArray[np.uint64], seed: int, number: int, deal: Deal) -> tuple[Action, ...]:
    cards, heights, dealt = position(deal)
    return actions_of(play_line(name, cards, heights, dealt, fits, number, seed))


def outcomes(ends: Ends) -> Outcomes:
    """Games played to their end as outcomes: cleared or blocked."""
    results = np.where(ends.cards_left == 0, np.uint8(Result.CLEARED.code), np.uint8(Result.BLOCKED.code))
    return Outcomes(results, ends.cards_left, ends.stock_left)


class Random(_Policy):
    """Plays a card that fits, each as likely as another; draws when none fits."""

    name = "random"
    summary = "plays a card that fits, each as likely as another; draws when none fits"


class Leftmost(_Policy):
    """Plays the leftmost card that fits; draws when none fits."""

    name = "leftmost"
    summary = "plays the leftmost card that fits; draws when none fits"


class LongestColumn(_Policy):
    """Plays from the longest column whose card fits, the leftmost of equals; draws when none fits."""

    name = "longest-column"
    summary = "plays from the longest column whose card fits, the leftmost of equals; draws when none fits"


class LongestRun(_Policy):
    """Plays the longest run the tableau allows before the next draw."""

    name = "longest-run"
    summary = "plays the longest run of cards the tableau allows, then draws"


class KeepOptions(_Policy):
    """Stops where few cards are left and many unseen cards would fit."""

    name = "keep-options"
    summary = "of all ways to play on, the one that leaves few cards, and many unseen cards that fit"
    batch = 1 << 15

    def prepare(self, rules: RuleSet, seed: int) -> Play:  # noqa: ARG002 - nothing here is random
        """Fix the rules; the seed does not matter."""
        return partial(_play_stops, self.name, rules, np.empty(0, np.int32), 0, 0, 0)

    def prepare_line(self, rules: RuleSet, seed: int) -> Line:  # noqa: ARG002
        """The games that `prepare` plays, action by action."""
        return partial(_line_of_stops, self.name, rules, np.empty(0, np.int32), 0, 0, 0)


class Lookahead(_Policy):
    """Stops where positions of the kind have come to the fewest strokes.

    Args:
        depth: 0 to weigh the stops before the next draw, 1 to weigh what each unseen card would then allow, too.
        slack: strokes, to the thousandth, that a stop may be worth more than the best and still be taken as often; with
            0 the best is taken. A run that clears is always played.

    Raises:
        SolverError: an option has no such value.
    """

    name = "lookahead"
    summary = "of all ways to play on, the one that has come to the fewest strokes in such positions"
    batch = 1 << 15

    def __init__(self, depth: str | int = 0, slack: str | float = 0) -> None:
        try:
            self.depth = parse_number(str(depth), 0, 1, "a depth")
        except NumberError as error:
            raise SolverError(f"depth={depth}: {error}") from None
        self.slack = _thousandths(str(slack).removesuffix(".0"))

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        """Fix the rules and the seed; the seed matters where there is slack."""
        return partial(_play_stops, self.name, rules, weights(rules), self.depth, self.slack, seed)

    def prepare_line(self, rules: RuleSet, seed: int) -> Line:
        """The games that `prepare` plays, action by action."""
        return partial(_line_of_stops, self.name, rules, weights(rules), self.depth, self.slack, seed)


def _thousandths(slack: str) -> int:
    """A slack in strokes, of which one spelling is taken: a solver's text names it in a sweep's strong id."""
    match = re.fullmatch(r"(0|[1-9][0-9]{0,8})(?:\.([0-9]{0,2}[1-9]))?", slack)
    if not match:
        raise SolverError(
            f"slack={slack}: '{slack}' is not a slack: write strokes, to the thousandth, with no zero too many: 0.5"
        )
    thousandths = int(match[1]) * lookahead.UNIT + int((match[2] or "").ljust(3, "0"))
    if thousandths > lookahead.MOST_SLACK:
        most = lookahead.MOST_SLACK // lookahead.UNIT
        raise SolverError(f"slack={slack}: '{slack}' is out of range: a slack is from 0 to {most} strokes")
    return thousandths


def _play_stops(
    name: str, rules: RuleSet, tables: NDArray[np.int32], depth: int, slack: int, seed: int, deals: Deals
) -> Outcomes:
    fits, strict = np.array(rules.fits, np.uint64), rules.draw_when_stuck
    ends = lookahead.play_rows(
        name, deals.cards, deals.heights, deals.dealt, fits, strict, tables, depth, slack, deals.numbers, seed
    )
    return outcomes(ends)


def _line_of_stops(
    name: str, rules: RuleSet, tables: NDArray[np.int32], depth: int, slack: int, seed: int, number: int, deal: Deal
) -> tuple[Action, ...]:
    cards, heights, dealt = position(deal)
    fits, strict = np.array(rules.fits, np.uint64), rules.draw_when_stuck
    numbers = np.array([number], np.uint64)
    (line,) = lookahead.play_lines(
        name, cards.reshape(1, -1), heights, dealt, fits, strict, tables, depth, slack, numbers, seed
    )
    return actions_of(line)


def weights(rules: RuleSet) -> NDArray[np.int32]:
    """The tables `lookahead` plays by under these rules: those learnt under the preset most like them.

    What may be played on a king decides, and where that is nothing, when a draw is allowed.
    """
    preset = {OnKing.QUEEN_OR_ACE: "easy", OnKing.QUEEN: "classic", OnKing.NONE: "hard"}[rules.on_king]
    return _tables()["strict" if preset == "hard" and rules.draw_when_stuck else preset]


@cache
def _tables() -> dict[str, NDArray[np.int32]]:
    """The tables in `data/lookahead.json` by preset, as scripts/fit_lookahead.py has written them."""
    tables = json.loads(data_file("lookahead.json").read_text(encoding="utf-8"))["tables"]
    return {preset: np.array(table, np.int32) for preset, table in tables.items()}
