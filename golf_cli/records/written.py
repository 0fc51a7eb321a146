"""What came of records, in the forms a command writes: rows for people, JSON and CSV for programs."""

import csv
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from io import StringIO
from typing import Any, Final, Protocol

from golf_cli.game import Step
from golf_cli.records.replay import Checked, Replay, State, Turn, Verdict
from golf_cli.wording import counted

_STATE: Final = tuple(field.name for field in fields(State))
_ROW: Final = ("source", "line", "verdict", "deal", "rules", "actions", *_STATE, "lost")
_ERROR: Final = ("error_line", "error_column", "reason")
_STEP: Final = ("source", "line", "deal", "rules", "place", "action", "card", "column", *_STATE, "lost", "best")

_CELLS: Final = "  {:13}  {:8}  {:>7}  {:7}  {:>7}  {:>6}  {:>5}  "
"""Of a table whose rows are not known beforehand: a longer cell moves those behind it."""

_STEP_CELLS: Final = "{:>3}  {:26}  {:3}  {:5}  {:7}  {:>7}  {:>6}  {:>5}"
_LOST: Final = "{:>5}  "


class Form(Protocol):
    """A form in which what came of records is written, line by line as they are checked."""

    def head(self) -> Iterable[str]:
        """The lines before all records."""

    def lines(self, checked: Checked) -> Iterable[str]:
        """The lines of one record."""

    def foot(self, counts: Mapping[Verdict, int]) -> Iterable[str]:
        """The lines after all records, of which there were so many of each verdict."""


def written(checked: Iterable[Checked], form: Form, counts: Counter[Verdict]) -> Iterator[str]:
    """What came of records in a form, line by line as they are checked; they are counted by their verdicts."""
    yield from form.head()
    for each in checked:
        counts[each.verdict] += 1
        yield from form.lines(each)
    yield from form.foot(counts)


@dataclass(frozen=True)
class Table:
    """A row a record for people, and how many there were.

    Attributes:
        width: for the file and the line that name a record.
        review: whether there is a column for the strokes lost.
    """

    width: int
    review: bool = False

    def head(self) -> Iterable[str]:
        """The names of the columns."""
        names = ("deal", "rules", "actions", "status", "strokes", "points", "moves")
        return [self._row("record", names, "lost", "verdict")]

    def lines(self, checked: Checked) -> Iterable[str]:
        """The row of a record."""
        dealt, replay = checked.dealt, checked.replay
        if dealt is None or replay is None:
            return [self._row(_place(checked), ("-",) * 7, "-", _verdict(checked))]
        end = replay.end
        cells = (dealt.reference, dealt.rules, len(replay.turns), end.status, end.strokes, end.points, end.moves)
        return [self._row(_place(checked), cells, _decimal(replay.lost), _verdict(checked))]

    def foot(self, counts: Mapping[Verdict, int]) -> Iterable[str]:
        """How many records there were."""
        return ["", _counted(counts)]

    def _row(self, place: str, cells: Iterable[object], lost: str, verdict: str) -> str:
        row = f"{place:{self.width}}{_CELLS.format(*map(str, cells))}"
        return f"{row}{_LOST.format(lost) if self.review else ''}{verdict}"


@dataclass(frozen=True)
class Steps:
    """A table a record for people, with a row for every action, and how many records there were.

    Attributes:
        review: whether there are columns for the strokes lost and the best action.
    """

    review: bool = False

    def head(self) -> Iterable[str]:
        """Nothing."""
        return ()

    def lines(self, checked: Checked) -> Iterator[str]:
        """The actions of a record, and what is wrong with it."""
        dealt, replay = checked.dealt, checked.replay
        yield _place(checked) if dealt is None else f"{_place(checked)}: {dealt.reference}, rules {dealt.rules}"
        if replay is not None:
            yield ""
            yield from self._rows(replay)
            yield ""
            if replay.lost is not None:
                yield f"strokes lost by the actions that stand: {_decimal(replay.lost)}"
        yield _verdict(checked)
        yield ""

    def foot(self, counts: Mapping[Verdict, int]) -> Iterable[str]:
        """How many records there were."""
        return [_counted(counts)]

    def _rows(self, replay: Replay) -> Iterator[str]:
        names = ("#", "action", "top", "left", "status", "strokes", "points", "moves")
        yield self._row(names, "lost", "best")
        yield self._row(("", "start", *_standing(replay.start)), "", "")
        for place, turn in enumerate(replay.turns, start=1):
            yield self._row((place, turn.step, *_standing(turn.after)), _decimal(turn.lost), _name(turn.best))

    def _row(self, cells: Iterable[object], lost: str, best: str) -> str:
        row = _STEP_CELLS.format(*map(str, cells))
        return (f"{row}  {_LOST.format(lost)}{best}" if self.review else row).rstrip()


@dataclass(frozen=True)
class Json:
    """An object a record, on a line of its own.

    Attributes:
        steps: whether it has every action.
    """

    steps: bool = False

    def head(self) -> Iterable[str]:
        """Nothing."""
        return ()

    def lines(self, checked: Checked) -> Iterable[str]:
        """The object."""
        return [json.dumps(checked_record(checked, self.steps))]

    def foot(self, counts: Mapping[Verdict, int]) -> Iterable[str]:  # noqa: ARG002
        """Nothing."""
        return ()


@dataclass(frozen=True)
class Csv:
    """A row a record or, with `steps`, a row an action that was made."""

    steps: bool = False

    def head(self) -> Iterable[str]:
        """The names of the columns."""
        return [_csv_line(_STEP if self.steps else _ROW + _ERROR)]

    def lines(self, checked: Checked) -> Iterator[str]:
        """The rows of a record."""
        record, error = checked_record(checked, self.steps), checked.error
        if not self.steps:
            told = [None] * len(_ERROR) if error is None else [error.line, error.column, error.message]
            yield _csv_line([*(record[name] for name in _ROW), *told])
            return
        for place, step in enumerate(record["steps"], start=1):
            row = {**record, **step.get("undone", {}), **step, "place": place}
            best = step["best"]
            row["best"] = best and (best["action"] if best["action"] == "draw" else best["card"])
            yield _csv_line([row.get(name) for name in _STEP])

    def foot(self, counts: Mapping[Verdict, int]) -> Iterable[str]:  # noqa: ARG002
        """Nothing."""
        return ()


def checked_record(checked: Checked, steps: bool = False) -> dict[str, Any]:
    """Plain values for JSON: where the record is, how its game ended, and what is wrong with it.

    Args:
        checked: one record.
        steps: whether to add every action with the state after it.
    """
    dealt, replay, error = checked.dealt, checked.replay, checked.error
    record: dict[str, Any] = {
        "source": checked.source,
        "line": checked.line,
        "verdict": str(checked.verdict),
        "deal": dealt and dealt.reference,
        "rules": dealt and str(dealt.rules),
        "own_shuffle": dealt and dealt.own_shuffle,
        "actions": None if replay is None else len(replay.turns),
        **(dict.fromkeys(_STATE) if replay is None else replay.end.record()),
        "lost": None if replay is None else _number(replay.lost),
        "error": error and {"line": error.line, "column": error.column, "reason": error.message},
    }
    if steps:
        record["steps"] = [] if replay is None else list(map(_turn_record, replay.turns))
    return record


def _turn_record(turn: Turn) -> dict[str, Any]:
    best = None if turn.best is None else turn.best.record()
    return {**turn.step.record(), **turn.after.record(), "lost": _number(turn.lost), "best": best}


def _csv_line(row: Iterable[object]) -> str:
    line = StringIO()
    csv.writer(line, lineterminator="").writerow(row)
    return line.getvalue()


def _standing(state: State) -> tuple[object, ...]:
    top = "" if state.top is None else state.top
    left = f"{state.cards_left:2}+{state.stock_left}"
    return top, left, state.status, state.strokes, state.points, state.moves


def _place(checked: Checked) -> str:
    return f"{checked.source}:{checked.line}"


def _verdict(checked: Checked) -> str:
    error = checked.error
    if error is None:
        return str(checked.verdict)
    column = f", column {error.column}" if error.column else ""
    return f"{checked.verdict} at line {error.line}{column}: {error.message}"


def _counted(counts: Mapping[Verdict, int]) -> str:
    total = sum(counts.values())
    found = ", ".join(f"{counts[verdict]:,} {verdict}" for verdict in Verdict if counts[verdict])
    return f"{counted(total, 'record')}: {found}"


def _number(lost: Fraction | None) -> int | float | None:
    if lost is None:
        return None
    return lost.numerator if lost.denominator == 1 else float(lost)


def _decimal(lost: Fraction | None) -> str:
    number = _number(lost)
    if number is None:
        return ""
    return f"{number:.2f}" if isinstance(number, float) else str(number)


def _name(best: Step | None) -> str:
    """The best action in one word of a record."""
    if best is None:
        return ""
    return "draw" if best.action.is_draw else str(best.card)
