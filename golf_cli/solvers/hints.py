"""Hints: the best action of a position, with a reason that holds."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from golf_cli.cards import UNSEEN, Card
from golf_cli.game import Action, Game, Status
from golf_cli.solvers.choices import SAMPLES, Choice, best_choice, choices, run_opened
from golf_cli.solvers.sampled import all_orders
from golf_cli.wording import counted


class Claim(StrEnum):
    """What a hint's reason claims of the action it names; docs/analysis.md defines each.

    The first five say that it alone is best, the others why it was taken from several equally good actions.
    """

    ONLY_LEGAL = "only legal"
    ONLY_CLEARABLE = "only clearable"
    FEWEST_STROKES = "fewest strokes"
    MOST_ORDERS = "most orders"
    FEWEST_STROKES_IN_ORDERS = "fewest strokes in orders"
    LONGEST_RUN = "longest run"
    UNCOVERS_NEXT = "uncovers next"
    UNCOVERS_FOR_STOCK = "uncovers for stock"
    DRAW_NO_BETTER = "draw no better"
    LEFTMOST = "leftmost"


@dataclass(frozen=True)
class Hint:
    """What to do in a position, and why.

    Attributes:
        choice: the action and its value.
        claim: what the reason claims.
        reason: the reason in one line, to be read after `because`.
        choices: every legal action with its value: plays from left to right, then the draw.
        unseen: the stock cards nobody has seen.
        every_order: whether these were solved in every order there is, each once.
    """

    choice: Choice
    claim: Claim
    reason: str
    choices: tuple[Choice, ...]
    unseen: tuple[Card, ...]
    every_order: bool

    @property
    def certain(self) -> bool:
        """Whether the stock can lie in one order only, so that the values are exact."""
        return _in_one_order(self.unseen)


def hint(game: Game, samples: int = SAMPLES, seed: int = 0) -> Hint | None:
    """The action that keeps the tableau clearable with the best strokes, else the one that leaves the fewest cards.

    With unseen stock cards it is the action that keeps the tableau clearable in the most of their orders, and among
    those the one with the lowest mean strokes; each order is solved as if it were known, so the values are optimistic.
    Of equally good actions it is the play that opens the longest run, then the leftmost; a draw comes last.

    Args:
        game: as far as it has been played; it is left as it is.
        samples: as for `choices`.
        seed: as for `choices`.

    Returns:
        None once the game is over.

    Raises:
        DealError: as `choices` does.
        NumberError: as `choices` does.
    """
    found = choices(game, samples, seed)
    if not found:
        return None
    best = best_choice(game, found)
    others = [choice for choice in found if choice is not best]
    equals = [choice for choice in found if choice.worth == best.worth]
    unseen = game.deal.unseen
    if not others:
        claim, reason = Claim.ONLY_LEGAL, "it is the only legal action"
    elif len(equals) > 1:
        claim, reason = _preferred(game, best, equals)
    else:
        next_best = min(others, key=lambda choice: choice.worth)
        claim, reason = (_ahead if _in_one_order(unseen) else _ahead_in_orders)(best, next_best)
    return Hint(best, claim, reason, found, unseen, all_orders(unseen, samples))


def _in_one_order(unseen: Sequence[Card]) -> bool:
    """Whether unseen cards can lie in one order only."""
    return len(unseen) < 2


def _ahead(best: Choice, next_best: Choice) -> tuple[Claim, str]:
    """Why an action is better than all others, every card being known."""
    draw = best.step.action.is_draw
    if best.clearable and not next_best.clearable:
        if draw:
            return Claim.ONLY_CLEARABLE, "every play makes the tableau unclearable"
        return Claim.ONLY_CLEARABLE, "it is the only action that keeps the tableau clearable"
    lead = next_best.strokes - best.strokes
    more = f"at least {counted(lead, 'more stroke' if best.clearable else 'more card')}"
    rival = "every play" if draw else "any other action"
    return Claim.FEWEST_STROKES, f"{rival} {'ends with' if best.clearable else 'leaves'} {more}"


def _ahead_in_orders(best: Choice, next_best: Choice) -> tuple[Claim, str]:
    """Why an action is better than all others in the orders of the unseen cards."""
    draw = best.step.action.is_draw
    if best.cleared > next_best.cleared:
        rival = "any play" if draw else "any other action"
        counts = f"{best.cleared:,} of {best.orders:,}, at most {next_best.cleared:,} after {rival}"
        return Claim.MOST_ORDERS, f"it keeps the tableau clearable in the most orders: {counts}"
    lead = next_best.strokes - best.strokes
    rival = f"any {'play' if draw else 'other action'} that keeps as many orders clearable"
    more = f"at least {counted(lead, 'more stroke')}, all orders together"
    return Claim.FEWEST_STROKES_IN_ORDERS, f"{rival} ends with {more}"


def _preferred(game: Game, best: Choice, equals: Sequence[Choice]) -> tuple[Claim, str]:
    """Why a play was taken from several equally good actions."""
    column = best.step.action.column
    assert column is not None  # there is one draw at most, and it comes last
    runs = {
        other.step.action.column: run_opened(game, other.step.action.column)
        for other in equals
        if not other.step.action.is_draw
    }
    run = runs.pop(column)
    if runs and run > max(runs.values()):
        of = f"the {len(equals)} equally good actions"
        return Claim.LONGEST_RUN, f"it opens the longest run of {of}: {counted(run, 'card')} before the next draw"
    uncovered = _uncovered(game, column)
    if uncovered is not None:
        return uncovered
    if not runs:
        return Claim.DRAW_NO_BETTER, "a draw would be no better, and no other play is as good"
    alike = 1 + list(runs.values()).count(run)
    runs_text = f"opening equally long runs ({counted(run, 'card')})"
    return Claim.LEFTMOST, f"it is the leftmost of {alike} equally good plays {runs_text}"


def _uncovered(game: Game, column: int) -> tuple[Claim, str] | None:
    """What is needed of the card that a play uncovers; None where it is no more needed than others."""
    after = Game(game.left, game.rules)
    after.play(column)
    if not after.columns[column]:
        return None
    card = after.columns[column][-1]
    if [action for action in after.legal_actions() if not action.is_draw] == [Action(column)]:
        return Claim.UNCOVERS_NEXT, f"it uncovers {card}, the only available card that can be played on {after.top}"
    coming = [*(each for each in after.deal.stock if each != UNSEEN), *game.deal.unseen]
    tableau = [each for pile in after.columns for each in pile]
    for drawn in coming:
        if [each for each in tableau if game.rules.allows(each.rank, drawn.rank)] == [card]:
            what = f"the only card left that can be played on {drawn}, which is still in the stock"
            return Claim.UNCOVERS_FOR_STOCK, f"it uncovers {card}, {what}"
    return None


def hint_text(game: Game, found: Hint | None) -> str:
    """The action with its value and the reason, a line each; or how the game ended."""
    if found is None:
        return end_text(game)
    step, choice = found.choice.step, found.choice
    action = "draw" if step.action.is_draw and step.card == UNSEEN else str(step)
    lines = [f"{action}: {_value(choice) if found.certain else _orders_value(found)}", f"because {found.reason}"]
    if not found.certain:
        lines.append("each order was solved as if it were known, so the values are optimistic")
    return "\n".join(lines)


def end_text(game: Game) -> str:
    """How a game that is over ended."""
    if game.status is Status.WON:
        return f"the game is won: strokes {game.strokes}"
    return f"the game is blocked: {counted(game.cards_left, 'card')} left"


def standing_record(game: Game) -> dict[str, Any]:
    """How a game stands, as plain values for JSON."""
    return {
        "status": str(game.status),
        "top": None if game.top is None else str(game.top),
        "cards_left": game.cards_left,
        "stock_left": game.stock_left,
    }


def hint_record(game: Game, found: Hint | None) -> dict[str, Any]:
    """Plain values for JSON: how the game stands, the hint or null, and every legal action with its value."""
    record = {**standing_record(game), "hint": None, "choices": []}
    if found is not None:
        record["hint"] = {**found.choice.record(), "claim": str(found.claim), "reason": found.reason}
        record["choices"] = [choice.record() for choice in found.choices]
        record["every_order"] = found.every_order
    return record


def _value(choice: Choice) -> str:
    if choice.clearable:
        return f"the tableau can be cleared, best strokes {choice.strokes}"
    return f"the tableau cannot be cleared, fewest cards left {choice.strokes}"


def _orders_value(found: Hint) -> str:
    choice = found.choice
    orders = f"{choice.cleared:,} of {'all ' if found.every_order else ''}{choice.orders:,}"
    which = f"{orders} {'' if found.every_order else 'sampled '}orders of the {len(found.unseen)} unseen cards"
    return f"the tableau can be cleared in {which}, mean best strokes {choice.mean_strokes:.2f}"
