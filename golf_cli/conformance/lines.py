"""The promises that are seen from lines, and what outcomes alone show of them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from golf_cli.cards import cards_text
from golf_cli.conformance.report import Breach
from golf_cli.conformance.subject import Case, first, rows, shuffled, standing, words
from golf_cli.conformance.trial import Look
from golf_cli.game import Action, Game, Refused, Status
from golf_cli.solvers.outcome import Outcome, Result

NO_LINES: Final = "it offers no lines: see prepare_line"
ORDERS: Final = 2
"""How often the hidden cards of a deal are shuffled before each of its draws."""

TIMES: Final = 4
"""Orders of the cards left over that a cleared deal is played again with, where there are no lines."""


def legal_lines(case: Case) -> Look:
    """Every action of every line is one that the game allows."""
    if not case.subject.shows_lines:
        return NO_LINES

    def look(place: int) -> Breach | None:
        ((number, deal),) = rows(case.deals, [place])
        game = Game(deal, case.rules)
        for step, action in enumerate(case.line(number, deal), start=1):
            if not _is_action(action):
                return case.breach(place, "actions of golf_cli.game", f"action {step} is {action!r}")
            try:
                game.act(action)
            except Refused as refused:
                return case.breach(place, "legal actions alone", f"action {step} of its line is refused: {refused}")
        return None

    return first(look, len(case.deals))


def _is_action(action: object) -> bool:
    return isinstance(action, Action) and (action.column is None or isinstance(action.column, int | np.integer))


def lines_and_outcomes(case: Case) -> Look:
    """The game is over at the end of a line, and stands as the outcome says."""
    if not case.subject.shows_lines:
        return NO_LINES
    if all(not case.outcomes[place].result.decided for place in range(len(case.deals))):
        return "it decided no deal"

    def look(place: int) -> Breach | None:
        outcome = case.outcomes[place]
        if not outcome.result.decided:
            return None
        ((number, deal),) = rows(case.deals, [place])
        game = Game(deal, case.rules)
        steps = len(list(game.replay(case.line(number, deal))))
        if _is_end(game, outcome):
            return None
        came = f"{game.status}, {standing(game.cards_left, game.stock_left)}, after the {steps} actions of its line"
        return case.breach(place, f"a line to its outcome: {words(outcome)}", came)

    return first(look, len(case.deals))


def _is_end(game: Game, outcome: Outcome) -> bool:
    status = Status.WON if outcome.result is Result.CLEARED else Status.BLOCKED
    stands = (game.status, game.cards_left, game.stock_left)
    return stands == (status, outcome.cards_left, outcome.stock_left)


def no_peeking(case: Case) -> Look:
    """What is done before a card is drawn does not depend on the order of the cards that are drawn later."""
    if case.subject.named.solver.thoughtful:
        return "it is thoughtful, and may look"
    if not case.subject.shows_lines:
        return _outcomes_of_cleared(case)
    dice = case.dice("hidden")

    def look(place: int) -> Breach | None:
        ((number, deal),) = rows(case.deals, [place])
        line = case.line(number, deal)
        draws = sum(action.is_draw for action in line)
        for drawn in ORDERS * list(range(min(draws, len(deal.stock) - 2) + 1)):
            hidden = shuffled(deal.stock[drawn:], dice)
            other = case.line(number, replace(deal, stock=(*deal.stock[:drawn], *hidden)))
            parted = _parted(line, other, drawn)
            if parted:
                step, action, came = parted
                return case.breach(
                    place,
                    f"action {step}, with {drawn} stock cards drawn, is {_named(action)} whatever the others are",
                    f"{_named(came)} with the others as {cards_text(hidden)}",
                )
        return None

    return first(look, len(case.deals))


def _parted(
    line: Sequence[Action], other: Sequence[Action], drawn: int
) -> tuple[int, Action | None, Action | None] | None:
    """The first step, from 1, in which two lines differ up to the draw after `drawn` draws, and its two actions.

    An action is None where a line is over.
    """
    draws = 0
    for step, (action, came) in enumerate(zip(_padded(line), _padded(other), strict=False), start=1):
        if action != came:
            return step, action, came
        draws += action is not None and action.is_draw
        if action is None or draws > drawn:
            return None
    return None


def _padded(line: Sequence[Action]) -> Iterator[Action | None]:
    yield from line
    yield None


def _named(action: Action | None) -> str:
    if action is None:
        return "none: the line is over"
    return "a draw" if action.column is None else f"a play from column {action.column + 1}"


def _outcomes_of_cleared(case: Case) -> Look:
    """Deals that were cleared are cleared as well whatever the order of the stock cards that were left over."""
    cleared = [place for place in range(len(case.deals)) if case.outcomes[place].result is Result.CLEARED]
    places = [place for place in cleared if case.outcomes[place].stock_left > 1]
    dice = case.dice("left over")
    for _ in range(TIMES if places else 0):
        again = rows(case.deals, places)
        for cards, place in zip(again.cards, places, strict=True):
            left = case.outcomes[place].stock_left
            cards[-left:] = shuffled(cards[-left:].tolist(), dice)
        breach = case.differs(case.player(again), "with the stock cards it left over in another order", places)
        if breach:
            return breach
    return f"{NO_LINES}; its outcomes show nothing against it"
