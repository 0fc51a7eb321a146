"""Datasets for the statistics, and the slow, obvious figures to hold theirs against."""

import random
from collections.abc import Iterable, Sequence
from itertools import product
from math import floor

import polars as pl

from golf_cli.sweep.schema import SCHEMA

CLEARED, BLOCKED, NOT_CLEARABLE = "cleared", "blocked", "not clearable"
STATE_LIMIT, OTHER_LIMIT = "undecided: state limit", "undecided: other limit"


def dataset(
    *outcomes: tuple[str, int] | str,
    numbering: str = "golf",
    rules: str = "classic",
    solver: str = "greedy",
    seed: int | None = 0,
) -> pl.DataFrame:
    """Rows of one player: each outcome is a decided result and its strokes, or an undecided result."""
    rows = []
    for number, outcome in enumerate(outcomes):
        player = (numbering, rules, solver, seed, number)
        if isinstance(outcome, str):
            rows.append((*player, outcome, *[None] * 6))
            continue
        result, strokes = outcome
        left, stock = max(strokes, 0), max(-strokes, 0)
        points = max(0, 10 * (35 - left) - 10 * left)
        rows.append((*player, result, left, stock, strokes, points, 35 - left, 18 - stock))
    return pl.DataFrame(rows, SCHEMA, orient="row")


def random_outcomes(rng: random.Random, deals: int) -> list[tuple[str, int] | str]:
    """Outcomes of every kind, one in ten of them undecided."""
    kinds = [CLEARED, BLOCKED, NOT_CLEARABLE, STATE_LIMIT, OTHER_LIMIT]
    outcomes: list[tuple[str, int] | str] = []
    for kind in rng.choices(kinds, [4, 10, 4, 1, 1], k=deals):
        if kind in (STATE_LIMIT, OTHER_LIMIT):
            outcomes.append(kind)
        else:
            outcomes.append((kind, -rng.randint(0, 16) if kind == CLEARED else rng.randint(1, 34)))
    return outcomes


def quantile(strokes: Iterable[int], share: float) -> int:
    """The first of the sorted strokes up to which the share is reached."""
    ordered = sorted(strokes)
    return next(value for place, value in enumerate(ordered, 1) if place / len(ordered) >= share)


def par(strokes: Sequence[int]) -> int:
    """Mean strokes rounded half up, at least 3 and at most 5."""
    rounded = floor(sum(strokes) / len(strokes) + 0.5)
    return 3 if rounded < 3 else 5 if rounded > 5 else rounded


def chance_of_nine(strokes: Sequence[int], limit: int) -> float:
    """The share of all ordered choices of nine holes that total the limit or less: only for a few strokes."""
    totals = [sum(holes) for holes in product(strokes, repeat=9)]
    return sum(total <= limit for total in totals) / len(totals)
