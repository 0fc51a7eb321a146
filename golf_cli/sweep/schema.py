"""The columns of a dataset: one row a deal."""

from typing import Final

import polars as pl

from golf_cli.solvers.outcome import RESULTS

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

GAMES_SCHEMA: Final = pl.Schema(
    {
        "games": pl.UInt32(),
        "games_cleared": pl.UInt32(),
        "games_strokes": pl.Int32(),
        "games_strokes_squared": pl.UInt32(),
    }
)
"""The columns that follow where a solver counts games, in the order of `golf_cli.solvers.outcome.Games`.

Neither they nor `par` are ever null in a file. Where the rows of a dataset come from several solvers, they are null in
the rows of those that count no games.
"""

COUNTED_SCHEMA: Final = pl.Schema({**SCHEMA, **GAMES_SCHEMA, "par": pl.UInt8()})
"""All columns where a solver counts games.

The last is the deal's par for who plays them, which follows from the counts: their mean strokes, rounded half up and
held to 3..5.
"""

BARE: Final = 2
"""The version of a file without counts of games."""

COUNTED: Final = 4
"""The version of a file with them."""

SCHEMAS: Final = {BARE: SCHEMA, COUNTED: COUNTED_SCHEMA}
"""The columns of a file by the version of the schema that it names."""

PLAYER: Final = ("numbering", "rules", "solver", "seed")
"""The columns that tell one player's rows from another's: what statistics are grouped by."""
