"""Advice: what each legal action comes to for a player who has not seen the stock.

Nothing is solved as if the order of the stock were known. A player is supposed who after the action plays on to a stop,
draws, and stops every later run where the rest of the game is worth most in the mean over the unseen cards, as the
expert without its comparisons does. That player's games are played in many orders of the unseen cards.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from time import monotonic
from typing import Final

import numpy as np
from numpy.typing import NDArray

from golf_cli.cards import UNSEEN, Card
from golf_cli.deals.deal import Deal
from golf_cli.errors import DealError, NumberError, SolverError
from golf_cli.game import Action, Game, Step
from golf_cli.kernels.outlook import DRAW, Outlook, look_ahead, play_orders, run_to, stops_after
from golf_cli.solvers.exact import actions_of, position
from golf_cli.solvers.expert import OBJECTIVES
from golf_cli.solvers.sampled import MOST_SAMPLES, all_orders, check_sampling, every_order, sampled_orders

SAMPLES: Final = 10_240
"""Orders of the unseen cards that games are played in, unless asked for otherwise."""

FEWEST_SAMPLES: Final = 100

CANDIDATES: Final = 4
"""Stops after an action, those worth most, that are compared by games."""

CHOOSING: Final = 0.2
"""The part of the orders, or of the time, in which the stops are compared; the estimates rest on the others alone."""

Strokes = NDArray[np.int16]


@dataclass(frozen=True, eq=False)
class Prospect:
    """A legal action, and what comes of it.

    Attributes:
        step: the action, and the card it puts on the foundation: `UNSEEN` for a draw.
        run: the plays that follow before the next draw.
        clears: whether that clears the tableau.
        strokes: the strokes of a game in each order, int16[orders]; order by order the same for all actions.
    """

    step: Step
    run: tuple[Step, ...]
    clears: bool
    strokes: Strokes

    @property
    def plays(self) -> frozenset[Step]:
        """The cards that leave the tableau before the next draw, whatever their order."""
        return frozenset(step for step in (self.step, *self.run) if not step.action.is_draw)

    @cached_property
    def cleared(self) -> int:
        """The orders in which the tableau was cleared."""
        return int((self.strokes <= 0).sum())

    @cached_property
    def total(self) -> int:
        """The strokes of all orders together."""
        return int(self.strokes.sum(dtype=np.int64))

    def worth(self, objective: str) -> tuple[int, int]:
        """What actions are compared by, the lowest being best."""
        return _worth(self.strokes, objective)


@dataclass(frozen=True, eq=False)
class Advice:
    """What to do in a position.

    Attributes:
        prospects: every legal action with what comes of it, the best first.
        unseen: the cards of the stock, in order of their numbers: to the player all of them are unseen.
        objective: what is asked for, `strokes` or `clear`.
        every_order: whether the games were played in every order there is, each once, so that the figures are exact.
    """

    prospects: tuple[Prospect, ...]
    unseen: tuple[Card, ...]
    objective: str
    every_order: bool

    @property
    def certain(self) -> bool:
        """Whether the stock can lie in one order only, so that best play comes to these figures."""
        return len(self.unseen) < 2

    @property
    def orders(self) -> int:
        """The orders in which the games were played that the figures rest on."""
        return len(self.prospects[0].strokes)


def advise(
    game: Game, objective: str = "strokes", samples: int = SAMPLES, seed: int = 0, seconds: float | None = None
) -> Advice | None:
    """What each legal action comes to, the best first; of equally good ones plays from left to right, then the draw.

    The player sees the columns and the top and knows which cards are left in the stock, not where: cards of the stock
    that the deal states are unseen too. After a play the run goes on to one of the `CANDIDATES` stops of most value:
    the one whose games went best in the first of the orders. The estimates rest on the other orders, so that the stop
    was not chosen for its luck in them. Where there are no more orders than `samples`, all of them are played once, for
    the choice and the figures, which then are exact.

    What a prospect comes to is a floor: best play does no worse in the mean.

    Args:
        game: as far as it has been played; it is left as it is.
        objective: `strokes`, few strokes in the mean, or `clear`, to clear as often as can be.
        samples: orders to play, 100 to 1,000,000. Order i shuffles the unseen cards, in order of their numbers, as the
            project's shuffle does with the key `seed * 2^32 + i`.
        seed: 0 to 2^32 - 1.
        seconds: play until so much time is over instead, in up to 1,000,000 orders, and in 512 at least; `samples`
            then says only how many orders are few enough to play them all.

    Returns:
        None once the game is over.

    Raises:
        SolverError: there is no such objective.
        DealError: the unseen places do not match the missing cards, or the layout has too many values.
        NumberError: `samples`, `seed` or `seconds` is out of range.
    """
    if objective not in OBJECTIVES:
        raise SolverError(f"there is no objective '{objective}': give {' or '.join(OBJECTIVES)}")
    check_sampling(samples, seed, FEWEST_SAMPLES)
    if seconds is not None and not seconds > 0:
        raise NumberError(f"{seconds} seconds: give more than 0")
    shown = _as_seen(game)
    actions = Game(shown, game.rules).legal_actions()
    if not actions:
        return None
    outlook = _outlook(shown, game, objective)
    columns = [DRAW if action.column is None else action.column for action in actions]
    stops = _candidates(outlook, columns)
    every = all_orders(shown.stock, samples)
    if every:
        games = _played(outlook, stops, every_order(shown.stock))
        chosen = _chosen(stops, games, objective)
    else:
        begun, last = monotonic(), samples if seconds is None else MOST_SAMPLES
        time = math.inf if seconds is None else seconds
        first = int(last * CHOOSING)
        games = _played(outlook, stops, sampled_orders(shown.stock, range(first), seed), begun + time * CHOOSING)
        chosen = _chosen(stops, games, objective)
        rest = range(len(games[chosen[0]]), last)
        games = _played(outlook, [chosen], sampled_orders(shown.stock, rest, seed), begun + time)
    prospects = [
        _prospect(game, action, run_to(outlook, column, np.uint64(stop)), not stop, games[stop])
        for action, column, stop in zip(actions, columns, chosen, strict=True)
    ]
    best_first = sorted(prospects, key=lambda prospect: prospect.worth(objective))
    return Advice(tuple(best_first), shown.stock, objective, every)


def _as_seen(game: Game) -> Deal:
    """What is left of a game, the stock in order of its cards' numbers."""
    left = game.left
    known = [card for card in left.stock if card != UNSEEN]
    return replace(left, stock=tuple(sorted([*known, *game.deal.unseen])))


def _outlook(shown: Deal, game: Game, objective: str) -> Outlook:
    fits = np.array(game.rules.fits, np.uint64)
    try:
        return look_ahead(OBJECTIVES[objective], *position(shown), fits, game.rules.draw_when_stuck)
    except ValueError as error:
        raise DealError(f"no advice on a board of so many cards in so many columns: {error}") from error


def _candidates(outlook: Outlook, columns: Sequence[int]) -> list[list[int]]:
    """After each action the stops to compare: the few of most value, and those of other actions it leads to as well."""
    reached = [stops_after(outlook, column) for column in columns]
    few = [stops[np.lexsort((stops, -outlook.value(stops).astype(np.int64)))][:CANDIDATES] for stops in reached]
    known = np.concatenate(few)
    return [np.intersect1d(known, stops).tolist() for stops in reached]


def _played(
    outlook: Outlook, stops: Sequence[Sequence[int]], orders: Iterable[NDArray[np.uint8]], until: float = math.inf
) -> dict[int, Strokes]:
    """The strokes of the games from each stop, in the same orders: one block of them at least, others until then."""
    each = sorted(set(chain.from_iterable(stops)))
    played = []
    for block in orders:
        played.append(play_orders(outlook, np.array(each, np.uint64), block))
        if monotonic() >= until:
            break
    return dict(zip(each, np.concatenate(played, axis=1), strict=True))


def _chosen(stops: Sequence[Sequence[int]], games: Mapping[int, Strokes], objective: str) -> list[int]:
    """After each action the stop whose games went best; of equals the first."""
    return [min(among, key=lambda stop: _worth(games[stop], objective)) for among in stops]


def _worth(strokes: Strokes, objective: str) -> tuple[int, int]:
    cleared, total = int((strokes <= 0).sum()), int(strokes.sum(dtype=np.int64))
    return (total, -cleared) if objective == "strokes" else (-cleared, total)


def _prospect(game: Game, action: Action, run: NDArray[np.uint8], clears: bool, strokes: Strokes) -> Prospect:
    if action.column is None:
        return Prospect(Step(action, UNSEEN), (), clears, strokes)
    step, *plays = Game(game.left, game.rules).replay([action, *actions_of(run)])
    return Prospect(step, tuple(plays), clears, strokes)
