"""What a solver answers, checked against what a game can end in."""

from collections.abc import Sequence
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from golf_cli.errors import PluginError
from golf_cli.rules import Layout
from golf_cli.solvers.outcome import MOST_GAMES, RESULTS, Outcome, Outcomes, Result, counts_of
from golf_cli.solvers.protocol import Deals, Solver

ENDS: Final = "cleared means no cards left, and a game with cards left ends with the stock drawn out"
"""What an outcome has to be, in words."""

COUNTS: Final = "a game has as many strokes as cards are left, or, cleared, minus as many as the stock has left"
"""What counts of games have to be, in words."""


def checked(played: Outcomes | Sequence[Outcome], deals: Deals, solver: Solver) -> Outcomes:
    """Outcomes that some game of these deals can end in.

    Raises:
        PluginError: they are none; it names the first deal that has none.
    """
    found = columns(played, len(deals), counts_games(solver))
    results, cards_left, stock_left = ends = found[:3]
    sound = can_end(ends, deals.layout)
    if not sound.all():
        worst = int(np.argmin(sound))
        raise PluginError(
            f"it returned result {results[worst]} with {cards_left[worst]} cards and {stock_left[worst]} stock cards "
            f"left for deal {deals.numbers[worst]}: no game ends so; {ENDS}"
        )
    proved = results == Result.NOT_CLEARABLE.code
    if proved.any() and not solver.thoughtful:
        raise PluginError(
            f"it called deal {deals.numbers[int(np.argmax(proved))]} not clearable, which is a proof, and does not "
            "look at the stock: a game that ends with cards left is blocked"
        )
    sound = can_count(found[3:], deals.layout)
    if not sound.all():
        worst = int(np.argmin(sound))
        raise PluginError(
            f"it counted, for deal {deals.numbers[worst]}, {counted([int(column[worst]) for column in found[3:]])}: "
            f"no games add up to that; {COUNTS}"
        )
    return Outcomes.of_columns(found)


def counts_games(solver: Solver) -> bool:
    """Whether outcomes of a solver carry counts of games; one that says nothing of it has none."""
    return bool(getattr(solver, "counts_games", False))


def can_end(ends: Sequence[NDArray[np.integer]], layout: Layout) -> NDArray[np.bool_]:
    """bool[n]: which of n outcomes, given as `columns` gives the first three, some game of this layout can end in."""
    results, cards_left, stock_left = ends
    cleared = results == Result.CLEARED.code
    undecided = np.isin(results, [result.code for result in Result if not result.decided])
    sound: NDArray[np.bool_] = (
        (results >= 0)
        & (results < len(RESULTS))
        & (cards_left >= 0)
        & (cards_left <= layout.tableau)
        & (stock_left >= 0)
        & (stock_left <= layout.stock)
        & (undecided | (cleared == (cards_left == 0)))
        & (cleared | undecided | (stock_left == 0))
    )
    return sound


def can_count(counts: Sequence[NDArray[np.integer]], layout: Layout) -> NDArray[np.bool_]:
    """bool[n]: which of n counts, given as `columns` gives the last four, some games of this layout can add up to.

    A single True where there are no counts. What is seen is the range of the sums, and that the mean of the squares is
    no less than the square of the mean.
    """
    if not counts:
        return np.ones(1, np.bool_)
    games, cleared, strokes, squares = (column.astype(np.int64) for column in counts)
    # What is out of range may not be multiplied: it could come back into the range.
    some = (games >= 1) & (games <= MOST_GAMES) & (cleared >= 0) & (cleared <= games)
    games, cleared = np.where(some, games, 1), np.where(some, cleared, 0)
    blocked = games - cleared
    sound: NDArray[np.bool_] = (
        some
        & (strokes >= blocked - cleared * layout.stock)
        & (strokes <= blocked * layout.tableau)
        & (squares >= blocked)
        & (squares <= blocked * layout.tableau**2 + cleared * layout.stock**2)
    )
    strokes, squares = np.where(sound, strokes, 0), np.where(sound, squares, 0)
    sound &= (games * squares >= strokes**2) & ((squares - strokes) % 2 == 0)
    return sound


def counted(counts: Sequence[int]) -> str:
    """Counts of games in a few words."""
    games, cleared, strokes, squares = counts
    return f"{cleared} of {games} games cleared, with {strokes} strokes ({squares} squared)"


def columns(played: Outcomes | Sequence[Outcome], count: int, counts: bool = False) -> list[NDArray[np.integer]]:
    """Copies of the columns of outcomes, as `Outcomes.columns` has them: uint8[count] or int64[count] each.

    Args:
        played: what a solver returned.
        count: how many deals it was given.
        counts: whether it is to have counted games.

    Raises:
        PluginError: they are anything else.
    """
    width = 7 if counts else 3
    if isinstance(played, Outcomes):
        found = list(played.columns)
        sound = len(found) == width
    else:
        # Of an endless answer no more than shows that it is too long.
        rows = [
            (outcome.result.code, outcome.cards_left, outcome.stock_left, *counts_of(outcome.games))
            for outcome in islice(played, count + 1)
        ]
        sound = all(len(row) == width for row in rows)
        found = [np.array(column) for column in zip(*rows, strict=False)] or [np.empty(0)] * width
    if not sound:
        raise PluginError(
            "it returned outcomes without counts of games, and says by counts_games that it has them"
            if counts
            else "it returned outcomes with counts of games: one that has them says so by counts_games = True"
        )
    for column in found:
        if not isinstance(column, np.ndarray) or column.shape != (count,):
            shape = getattr(column, "shape", type(column).__name__)
            raise PluginError(f"it returned outcomes of shape {shape} for {count} deals: one a deal is needed")
        if column.dtype.kind not in "iu":
            raise PluginError(f"it returned {column.dtype} where whole numbers are needed")
    # Bytes are what golf's own solvers return, and as such they are looked at in a fifth of the time.
    return [column.astype(np.uint8 if column.dtype == np.uint8 else np.int64) for column in found]
