"""What a dataset holds and lacks in the forms a command writes: a table for people, JSON for programs."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from golf_cli.printable import in_one_line
from golf_cli.stats.table import beside, left, right
from golf_cli.sweep.audit import Flaw, Holding, Report
from golf_cli.sweep.plan import short
from golf_cli.wording import counted


def written(report: Report, form: str = "table") -> str:
    """A report in one of the forms `table` and `json`, ended by a newline.

    Raises:
        ValueError: there is no such form.
    """
    if form == "json":
        return json.dumps(_record(report), indent=2) + "\n"
    if form == "table":
        aside = [flaw for flaw in report.flaws if flaw.aside]
        blocks = [
            _table(report.holdings),
            _missing(report),
            _flaws(report, "broken files", report.broken),
            _flaws(report, "set aside", aside),
            _verdict(report),
        ]
        return "\n\n".join(filter(None, blocks)) + "\n"
    raise ValueError(f"no form is called {form!r}: there are table and json")


def _table(holdings: Sequence[Holding]) -> str:
    if not holdings:
        return ""
    tasks = [holding.task for holding in holdings]
    deals = [sum(interval.size for interval in holding.held) for holding in holdings]
    missing = [sum(interval.size for interval in holding.missing) for holding in holdings]
    columns = [
        left("id", [task.strong_id[:8] for task in tasks]),
        left("numbering", [task.numbering for task in tasks]),
        left("rules", [str(task.rules) for task in tasks]),
        left("solver", [task.solver for task in tasks]),
        right("seed", [str(task.seed) for task in tasks]),
        right("files", [f"{len(holding.parts):,}" for holding in holdings]),
        right("deals", [f"{number:,}" for number in deals]),
        right("missing", [f"{number:,}" for number in missing]),
    ]
    return "\n".join(beside(columns))


def _missing(report: Report) -> str:
    lines = [
        f"{holding.task.strong_id[:8]}  {short(holding.missing)}" for holding in report.holdings if holding.missing
    ]
    return "\n".join(["missing deals", *lines]) if lines else ""


def _flaws(report: Report, head: str, flaws: Sequence[Flaw]) -> str:
    """Files one by one, each with what is wrong and where it is now."""
    lines = []
    for flaw in flaws:
        lines += [_shown(flaw.path, report.directory), f"  {flaw.reason}"]
        if flaw.aside:
            lines.append(f"  now {_shown(flaw.aside, report.directory)}")
    return "\n".join([head, *lines]) if lines else ""


def _verdict(report: Report) -> str:
    notes = []
    if report.partials:
        notes.append(
            f"{counted(len(report.partials), 'half-written file')}: being written now, or left by a process that was "
            "killed; the next sweep clears them"
        )
    if not report.holdings:
        notes.append("there is no sweep in it")
    if report.broken:
        notes.append(
            f"{counted(len(report.broken), 'file')} broken: golf dataset check --repair {report.directory} sets aside "
            "what is broken"
        )
    if report.missing:
        notes.append(f"{counted(report.missing, 'deal')} missing: golf sweep of as many deals plays them")
    return "\n".join(notes if notes and not report.is_whole else [*notes, "nothing is broken, nothing is missing"])


def _shown(path: Path, directory: Path) -> str:
    """A path below the dataset; what is no UTF-8 or cannot be seen is written as escapes, for any terminal to show."""
    return in_one_line(os.fsencode(path.relative_to(directory)).decode(errors="backslashreplace"))


def _record(report: Report) -> dict[str, Any]:
    return {
        "directory": str(report.directory),
        "whole": report.is_whole,
        "tasks": [
            {
                "id": holding.task.strong_id,
                "directory": holding.task.directory,
                "numbering": holding.task.numbering,
                "numbering_version": holding.task.numbering_version,
                "rules": str(holding.task.rules),
                "solver": holding.task.solver,
                "solver_version": holding.task.solver_version,
                "seed": holding.task.seed,
                "files": len(holding.parts),
                "deals": sum(interval.size for interval in holding.held),
                "held": [[interval.first, interval.stop] for interval in holding.held],
                "asked": [[interval.first, interval.stop] for interval in holding.asked],
                "missing": [[interval.first, interval.stop] for interval in holding.missing],
            }
            for holding in report.holdings
        ],
        "broken": [
            {
                "file": _shown(flaw.path, report.directory),
                "reason": flaw.reason,
                "set_aside": _shown(flaw.aside, report.directory) if flaw.aside else None,
            }
            for flaw in report.flaws
        ],
        "half_written": [_shown(path, report.directory) for path in report.partials],
    }
