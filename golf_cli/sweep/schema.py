"""The columns of a dataset: one row a deal."""

from typing import Final

import polars as pl

from golf_cli.solvers.outcome import RESULTS

SCHEMA_VERSION: Final = 2

SCHEMA: Final = pl.Schema(
    {
        "numbering": pl.String(),
        "rules": pl.String(),
        "solver": pl.String(),
        "seed": pl.UInt64(),
        "number": pl.UInt64(),
        "result": pl.Enum([str(result) for result in RESULTS]),
        "cards_left": pl.UInt8(),
        "stock_left": pl.UInt8(),
        "strokes": pl.Int8(),
        "points": pl.UInt16(),
        "plays": pl.UInt8(),
        "draws": pl.UInt8(),
    }
)
"""The four columns of who played what, the deal's number, and what came of it.

`rules` is the canonical text of a rule set, `solver` that of a solver with its options. From `cards_left` on the
columns are null where the solver left the deal undecided. `points` are app points.
"""

PLAYER: Final = ("numbering", "rules", "solver", "seed")
"""The columns that tell one player's rows from another's: what statistics are grouped by."""
