"""The exact solver: the best strokes of a deal for a player who knows the stock, and a line that reaches them."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from golf_cli import scoring
from golf_cli.deals.deal import Deal
from golf_cli.deals.numbers import parse_number
from golf_cli.errors import DealError, NumberError, SolverError
from golf_cli.game import DRAW, Action, Game, line_text
from golf_cli.kernels import phases, two_ended
from golf_cli.rules import RuleSet
from golf_cli.solvers.outcome import Outcome, Outcomes, Result
from golf_cli.solvers.protocol import Deals, Line, Play, Solver
from golf_cli.wording import counted

_RESULTS: Final = {
    phases.CLEARED: Result.CLEARED,
    phases.NOT_CLEARABLE: Result.NOT_CLEARABLE,
    phases.UNDECIDED: Result.STATE_LIMIT,
}
_CODES: Final = np.array([_RESULTS[status].code for status in sorted(_RESULTS)], np.uint8)


@dataclass(frozen=True)
class Solution(Outcome):
    """The outcome of one deal, with a line that shows it.

    Attributes:
        states: states the search took.
        line: the actions from the start to the clearing play, or to the block that leaves the fewest cards; of an
            undecided deal, to the position with the fewest cards reached.
    """

    states: int
    line: tuple[Action, ...]

    @property
    def strokes(self) -> int | None:
        """The best strokes; None where the deal is undecided."""
        return scoring.strokes(self.cards_left, self.stock_left) if self.result.decided else None


class Exact(Solver):
    """Proves the best strokes of each deal, or that it cannot be cleared and how few cards can be left.

    Args:
        max_states: a deal whose search would take more states is undecided; 0 means no limit.

    Raises:
        SolverError: `max_states` is no whole number from 0 to 2^64 - 1.
    """

    version: ClassVar[str] = "1"
    summary: ClassVar[str] = "proves the best strokes with full knowledge of the stock"
    thoughtful: ClassVar[bool] = True
    compiled: ClassVar[bool] = True
    batch: ClassVar[int] = 1 << 13

    def __init__(self, max_states: str | int = 0) -> None:
        try:
            self.max_states = parse_number(str(max_states))
        except NumberError as error:
            raise SolverError(f"max-states={max_states}: {error}; 0 is no limit") from None

    def prepare(self, rules: RuleSet, seed: int) -> Play:  # noqa: ARG002 - nothing here is random
        """Fix the rules; the seed does not matter."""
        rooms = threading.local()

        def play(deals: Deals) -> Outcomes:
            # A workspace costs more to make than a deal to solve, and two threads must not share one.
            if not hasattr(rooms, "search"):
                rooms.search = _search(deals.heights, deals.dealt, rules, self.max_states)
            return _outcomes(rooms.search(deals.cards))

        return play

    def prepare_line(self, rules: RuleSet, seed: int) -> Line:  # noqa: ARG002 - as in `prepare`
        """Lines that reach the best strokes, found without a limit on states."""
        return lambda number, deal: solve(deal, rules).line  # noqa: ARG005 - the number does not matter either


def solve(deal: Deal, rules: RuleSet, max_states: int = 0) -> Solution:
    """Solve one deal, or what is left of one, and give a line.

    Args:
        deal: every card known.
        rules: the rules to play by.
        max_states: states of the search by phases, which gives the line, beyond which the deal is undecided; the states
            of batches, as `Exact` counts them, are others.

    Raises:
        DealError: the deal has unseen cards, or columns too many or too deep for the search.
    """
    row, heights, dealt = position(deal)
    fits = np.array(rules.fits, np.uint64)
    try:
        found = phases.solve_line(row, heights, dealt, fits, rules.draw_when_stuck, max_states)
    except ValueError as error:
        raise DealError(str(error)) from error
    return Solution(_RESULTS[found.status], found.cards_left, found.stock_left, found.states, actions_of(found.actions))


@dataclass(frozen=True)
class Clearability:
    """Whether a deal can be cleared at all.

    Attributes:
        result: cleared (some line clears it), not clearable (proved), or undecided at the limit on states.
        states: states the search took.
    """

    result: Result
    states: int


def clearable(deal: Deal, rules: RuleSet, max_states: int = 0) -> Clearability:
    """Find out whether a deal can be cleared, which takes a fraction of the time that the best strokes take.

    The arguments and errors are those of `solve`.
    """
    row, _, _ = position(deal)
    found = _found(row[np.newaxis], deal, rules, max_states, clear_only=True)
    return Clearability(_RESULTS[int(found.status[0])], int(found.states[0]))


def solve_rows(
    cards: NDArray[np.uint8], deal: Deal, rules: RuleSet, max_states: int = 0, clear_only: bool = False
) -> Outcomes:
    """Solve n deals that are laid out as `deal` is.

    Args:
        cards: uint8[n, m], a row a deal as in `Deals.cards`, with as many cards as `deal`.
        deal: one of them; only how it is laid out matters.
        rules: the rules to play by.
        max_states: as for `Exact`.
        clear_only: whether the results alone are asked for; cards and stock left then mean nothing.

    Raises:
        DealError: columns too many or too deep for the search.
    """
    return _outcomes(_found(cards, deal, rules, max_states, clear_only))


def _found(cards: NDArray[np.uint8], deal: Deal, rules: RuleSet, max_states: int, clear_only: bool) -> phases.Outcomes:
    _, heights, dealt = position(deal)
    try:
        return _search(heights, dealt, rules, max_states, clear_only)(cards)
    except ValueError as error:
        raise DealError(str(error)) from error


def solution_record(deal: Deal, rules: RuleSet, solution: Solution) -> dict[str, Any]:
    """Plain values for JSON: the outcome, and the line action by action; columns are counted from 1."""
    return {
        "result": str(solution.result),
        "strokes": solution.strokes,
        "cards_left": solution.cards_left,
        "stock_left": solution.stock_left,
        "states": solution.states,
        "line": [step.record() for step in Game(deal, rules).replay(solution.line)],
    }


def solution_text(deal: Deal, rules: RuleSet, solution: Solution) -> str:
    """A verdict and the line, for a terminal."""
    if solution.result is Result.CLEARED:
        verdict = f"can be cleared: best strokes {solution.strokes}"
    elif solution.result is Result.NOT_CLEARABLE:
        verdict = f"cannot be cleared (proved): fewest cards left {solution.cards_left}"
    else:
        verdict = f"{_given_up(solution)}: {counted(solution.cards_left, 'card')} left so far"
    return f"{verdict}\n\n{line_text(Game(deal, rules), solution.line)}"


def clearable_record(found: Clearability) -> dict[str, Any]:
    """Plain values for JSON."""
    return {"result": str(found.result), "states": found.states}


def clearable_text(found: Clearability) -> str:
    """A verdict for a terminal."""
    if found.result.decided:
        return "can be cleared" if found.result is Result.CLEARED else "cannot be cleared (proved)"
    return _given_up(found)


def _given_up(found: Solution | Clearability) -> str:
    return f"{found.result} after {counted(found.states, 'state')}"


def position(deal: Deal) -> tuple[NDArray[np.uint8], NDArray[np.uint8], bool]:
    """A deal as kernels take it: uint8[m] cards in dealing order, uint8[columns] heights, and whether one is dealt to
    the foundation."""
    return np.array(deal.cards, np.uint8), np.array(deal.heights, np.uint8), deal.foundation is not None


def actions_of(line: NDArray[np.uint8]) -> tuple[Action, ...]:
    """A line as kernels give it, uint8[actions], each a column from 0 or 255 for a draw, as actions."""
    return tuple(DRAW if action == phases.DRAW else Action(action) for action in line.tolist())


def _search(
    heights: NDArray[np.uint8], dealt: bool, rules: RuleSet, max_states: int, clear_only: bool = False
) -> Callable[[NDArray[np.uint8]], phases.Outcomes]:
    """The search for batches of one layout, in a memory of its own: from both ends where the rules allow it."""
    fits = np.array(rules.fits, np.uint64)
    if rules.draw_when_stuck:
        forward = phases.workspace(heights, strict=True)
        return lambda cards: phases.solve_batch(cards, heights, dealt, fits, True, max_states, forward)
    both = two_ended.workspace(heights)
    return lambda cards: two_ended.solve_batch(cards, heights, dealt, fits, clear_only, max_states, both)


def _outcomes(found: phases.Outcomes) -> Outcomes:
    return Outcomes(_CODES[found.status], found.cards_left, found.stock_left)
