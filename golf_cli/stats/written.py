"""Statistics in the forms a command writes: a table for people, JSON, CSV or Parquet for programs."""

import json
from collections.abc import Sequence
from io import BytesIO

from golf_cli.stats.intervals import CONFIDENCE
from golf_cli.stats.summary import records, rounds_distribution, strokes_distribution, summary
from golf_cli.stats.table import format_distribution, format_games, format_pars, format_rounds, format_table
from golf_cli.stats.tally import Tally


def written(
    tallies: Sequence[Tally],
    form: str,
    confidence: float = CONFIDENCE,
    distribution: bool = False,
    rounds: bool = False,
) -> str | bytes:
    """The statistics in one of the forms `table`, `json`, `csv` and `parquet`; the last is bytes.

    Args:
        tallies: one a player; at least one.
        form: JSON always holds the strokes distributions beside the summary.
        confidence: of the intervals.
        distribution: whether a table has the strokes distributions below the summary, and whether CSV and Parquet hold
            them in place of it.
        rounds: the same for the totals over nine holes, of which a table has the quantiles; JSON holds them too then.

    Raises:
        ConfidenceError: `confidence` is not strictly between 0 and 1.
        ValueError: there is no such form.
    """
    if form == "table":
        blocks = [
            format_table(tallies, confidence),
            format_games(tallies, confidence),
            format_pars(tallies),
            *([format_rounds(tallies)] if rounds else []),
            *([format_distribution(tallies)] if distribution else []),
        ]
        return "\n\n".join(filter(None, blocks)) + "\n"
    if form == "json":
        return json.dumps(records(tallies, confidence, rounds), indent=2) + "\n"
    if rounds:
        frame = rounds_distribution(tallies)
    else:
        frame = strokes_distribution(tallies) if distribution else summary(tallies, confidence)
    if form == "csv":
        return frame.write_csv()
    if form == "parquet":
        buffer = BytesIO()
        frame.write_parquet(buffer)
        return buffer.getvalue()
    raise ValueError(f"no form is called {form!r}: there are table, json, csv and parquet")
