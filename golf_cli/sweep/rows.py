"""Outcomes as the rows of a dataset."""

from functools import cache
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from golf_cli import scoring
from golf_cli.rules import Layout
from golf_cli.solvers.outcome import GamesOfDeals, Outcomes
from golf_cli.sweep.plan import Interval, Task
from golf_cli.sweep.schema import BARE, COUNTED, GAMES_SCHEMA, PLAYER, SCHEMA, SCHEMAS


def rows(task: Task, interval: Interval, outcomes: Outcomes) -> pl.DataFrame:
    """The rows of an interval's outcomes, in the order of deal numbers, in the columns of their `version_of`."""
    layout = task.rules.layout
    cards_left, stock_left = outcomes.cards_left, outcomes.stock_left
    ends = {
        "cards_left": cards_left,
        "stock_left": stock_left,
        "strokes": outcomes.strokes.astype(np.int8),
        "points": _points(layout).take(cards_left),
        "plays": np.uint8(layout.tableau) - cards_left,
        "draws": np.uint8(layout.stock) - stock_left,
    }
    frame = pl.DataFrame(
        {
            "number": np.arange(interval.size, dtype=np.uint64) + np.uint64(interval.first),
            "result": pl.Series(outcomes.results).cat.to(SCHEMA["result"]),
            **ends,
            **({} if outcomes.games is None else _counts(outcomes.games)),
        }
    )
    undecided = outcomes.undecided
    if undecided.any():
        decided = pl.Series(~undecided)
        frame = frame.with_columns(pl.when(decided).then(pl.col(name)).alias(name) for name in ends)
    player = (pl.lit(value, SCHEMA[name]).alias(name) for name, value in player_of(task).items())
    return frame.with_columns(player).select(SCHEMAS[version_of(outcomes)].names())


def version_of(outcomes: Outcomes) -> int:
    """The version of the schema that has a column for all that outcomes tell, and no other column."""
    return BARE if outcomes.games is None else COUNTED


def player_of(task: Task) -> dict[str, str | int]:
    """What the rows of a task hold in the columns of `PLAYER`."""
    values = (task.numbering, str(task.rules), task.solver, task.seed)
    return dict(zip(PLAYER, values, strict=True))


def _counts(games: GamesOfDeals) -> dict[str, NDArray[Any]]:
    return {**dict(zip(GAMES_SCHEMA, games.columns, strict=True)), "par": games.pars}


@cache
def _points(layout: Layout) -> NDArray[np.uint16]:
    """App points by cards left, uint16[tableau + 1]."""
    left = range(layout.tableau + 1)
    return np.array([scoring.app_points(layout.tableau - cards, cards) for cards in left], np.uint16)
