"""Outcomes as the rows of a dataset."""

import numpy as np
import polars as pl

from golf_cli import scoring
from golf_cli.rules import Layout
from golf_cli.solvers.outcome import RESULTS, Outcomes
from golf_cli.sweep.plan import Interval, Task
from golf_cli.sweep.schema import PLAYER, SCHEMA

_DECIDED = np.array([result.decided for result in RESULTS])


def rows(task: Task, interval: Interval, outcomes: Outcomes) -> pl.DataFrame:
    """The rows of an interval's outcomes, in the order of deal numbers, as `SCHEMA` has them."""
    layout = task.rules.layout
    cards_left, stock_left = (column.astype(np.int16) for column in (outcomes.cards_left, outcomes.stock_left))
    ends = {
        "cards_left": cards_left,
        "stock_left": stock_left,
        "strokes": outcomes.strokes,
        "points": _points(layout)[cards_left],
        "plays": layout.tableau - cards_left,
        "draws": layout.stock - stock_left,
    }
    decided = pl.Series(_DECIDED[outcomes.results])
    frame = pl.DataFrame(
        {
            "number": np.arange(interval.size, dtype=np.uint64) + np.uint64(interval.first),
            "result": pl.Series(outcomes.results).cat.to(SCHEMA["result"]),
            **ends,
        }
    )
    player = {"numbering": task.numbering, "rules": str(task.rules), "solver": task.solver, "seed": task.seed}
    return frame.with_columns(
        *(pl.lit(player[name], SCHEMA[name]).alias(name) for name in PLAYER),
        *(pl.when(decided).then(pl.col(name)).cast(SCHEMA[name]).alias(name) for name in ends),
    ).select(SCHEMA.names())


def _points(layout: Layout) -> np.ndarray[tuple[int], np.dtype[np.uint16]]:
    """App points by cards left, uint16[tableau + 1]."""
    left = range(layout.tableau + 1)
    return np.array([scoring.app_points(layout.tableau - cards, cards) for cards in left], np.uint16)
