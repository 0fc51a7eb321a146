"""Pars and holes in the forms a command writes."""

import json
from collections.abc import Mapping, Sequence
from datetime import date
from io import BytesIO
from typing import Any, Final, NamedTuple

import polars as pl

from golf_cli.deals.numberings import GO1
from golf_cli.deals.reference import rules_text, tells_rules
from golf_cli.deals.shuffle import VERSION
from golf_cli.rules import RuleSet
from golf_cli.solvers.par import DEFINITION, GAMES, STEADY
from golf_cli.stats.table import beside, left, right
from golf_cli.wording import counted

FORMS: Final = ("table", "csv", "json", "parquet", "markdown")

DECIMALS: Final = 4
"""Of numbers in CSV. The means of 1024 games are told apart by as many."""

_KINDS: Final = {
    "date": pl.Date(),
    "hole": pl.UInt32(),
    "deal": pl.String(),
    "number": pl.UInt64(),
    "rules": pl.String(),
    "par": pl.UInt8(),
    "mean_strokes": pl.Float64(),
    "standard_error": pl.Float64(),
    "win_probability": pl.Float64(),
    "clearable": pl.Boolean(),
    "optimum": pl.Int8(),
    "solution": pl.String(),
}
"""The columns that records may have."""

NOTES: Final = (
    f"par: the mean strokes of {GAMES:,} games of a steady player, rounded and held to 3..5; in brackets the standard\n"
    "error of the mean; wins: the share of these games that cleared the deal; best: with the stock known"
)

STEADY_PLAYER: Final = {"par_definition": DEFINITION, "player": STEADY, "games": GAMES}
"""What a par is made of, for JSON."""


def written_pars(records: Sequence[Mapping[str, Any]], form: str) -> str:
    """Rated deals as a `table` or as `csv`; at least one.

    Raises:
        ValueError: there is no such form.
    """
    if form == "table":
        return f"{_table(records)}\n\n{NOTES}\n"
    if form == "csv":
        return _csv(records)
    raise ValueError(f"no form is called {form!r}: there are table and csv")


def written_holes(
    records: Sequence[Mapping[str, Any]], form: str, rules: RuleSet, about: Mapping[str, Any]
) -> str | bytes:
    """Verified holes in one of the `FORMS`; at least one.

    Args:
        records: of the holes, each with its `hole` or its `date`, and with its `solution` or without.
        form: how they are written; `parquet` is bytes.
        rules: what all of them are played by.
        about: what decided which holes these are, for JSON.

    Raises:
        ValueError: there is no such form.
    """
    if form == "table":
        total = sum(record["par"] for record in records)
        head = f"{counted(len(records), 'hole')}, {rules_text(GO1, rules)}, par {total:,}"
        return f"{head}\n\n{_table(records)}\n\n{NOTES}\n"
    if form == "markdown":
        return _markdown(_columns(records, with_rules=not tells_rules(GO1, rules)))
    if form == "csv":
        return _csv(records)
    if form == "json":
        told = {**about, "rules": str(rules), "shuffle": f"golf {VERSION}", **STEADY_PLAYER, "holes": list(records)}
        return json.dumps(told, indent=2, default=_plain) + "\n"
    if form == "parquet":
        buffer = BytesIO()
        _frame(records).write_parquet(buffer)
        return buffer.getvalue()
    raise ValueError(f"no form is called {form!r}: there are {', '.join(FORMS)}")


def _frame(records: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    return pl.DataFrame(records, {name: _KINDS[name] for name in records[0]})


def _csv(records: Sequence[Mapping[str, Any]]) -> str:
    return _frame(records).write_csv(float_precision=DECIMALS)


def _plain(value: object) -> str:
    assert isinstance(value, date)  # the only value here that JSON does not have
    return value.isoformat()


class _Column(NamedTuple):
    """A column for people: its head, its cells, and whether they go to the right."""

    head: str
    cells: list[str]
    right: bool = True


def _table(records: Sequence[Mapping[str, Any]]) -> str:
    columns = [(right if column.right else left)(column.head, column.cells) for column in _columns(records)]
    return "\n".join(beside(columns))


def _markdown(columns: Sequence[_Column]) -> str:
    rows = zip(*([column.head, "---:" if column.right else "---", *column.cells] for column in columns), strict=True)
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _columns(records: Sequence[Mapping[str, Any]], with_rules: bool = False) -> list[_Column]:
    def cells(name: str) -> list[str]:
        return [str(record[name]) for record in records]

    strokes = [f"{record['mean_strokes']:.2f} ({record['standard_error']:.2f})" for record in records]
    best = [str(record["optimum"]) if record.get("clearable", True) else "not clearable" for record in records]
    columns = [
        *([_Column("hole", cells("hole"))] if "hole" in records[0] else []),
        *([_Column("date", cells("date"), right=False)] if "date" in records[0] else []),
        _Column("deal", cells("deal"), right=False),
        *([_Column("rules", cells("rules"), right=False)] if with_rules or len(set(cells("rules"))) > 1 else []),
        _Column("par", cells("par")),
        _Column("mean strokes", strokes),
        _Column("wins", [f"{100 * record['win_probability']:.1f} %" for record in records]),
        _Column("best", best),
    ]
    return [*columns, _Column("solution", cells("solution"), right=False)] if "solution" in records[0] else columns
