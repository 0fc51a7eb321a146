"""The strong ids of a plan, for people and for programs."""

import json

import polars as pl

from golf_cli.sweep.plan import Plan


def written_ids(plan: Plan, form: str) -> str:
    """Each task's strong id and directory, as lines of a `table`; `json` and `csv` have its canonical text too.

    Raises:
        ValueError: there is no such form.
    """
    records = [{"id": task.strong_id, "directory": task.directory, "task": task.canonical} for task in plan.tasks]
    if form == "table":
        return "".join(f"{record['id']}  {record['directory']}\n" for record in records)
    if form == "json":
        return json.dumps(records, indent=2) + "\n"
    if form == "csv":
        return pl.DataFrame(records).write_csv()
    raise ValueError(f"no form is called {form!r}: there are table, json and csv")
