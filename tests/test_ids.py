"""Strong ids: what they are taken over, what changes them, and how they are printed and read back."""

import hashlib
import json
import subprocess
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from processes import call
from strategies import RULE_SETS

from golf_cli.deals.numbers import LAST_U64
from golf_cli.errors import DatasetError
from golf_cli.rules import PRESETS
from golf_cli.sweep.parts import read_part
from golf_cli.sweep.plan import Plan, Task
from golf_cli.sweep.runner import collect

NAMES = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), min_size=1, max_size=20)
LINES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"), min_size=1, max_size=30)
TASKS = st.builds(Task, NAMES, LINES, RULE_SETS, LINES, LINES, st.integers(0, LAST_U64))


def sha256sum(text: str) -> str:
    """The digest of a text by another program than golf."""
    return subprocess.check_output(["sha256sum"], input=text.encode()).decode().split()[0]


def printed(*arguments: str, cwd: Path) -> list[dict[str, str]]:
    finished = call("sweep", "--print-id", "--format", "json", *arguments, cwd=cwd)
    assert (finished.returncode, finished.stderr) == (0, "")
    records: list[dict[str, str]] = json.loads(finished.stdout)
    return records


def test_the_printed_ids_are_the_digests_of_the_printed_texts_and_those_of_the_files(tmp_path: Path) -> None:
    arguments = (
        "--solver",
        "leftmost",
        "--solver",
        "exact,max-states=1e3",
        "--rules",
        "easy",
        "--rules",
        "hard,jokers=1",
    )
    records = printed(*arguments, "--seed", "7", cwd=tmp_path)
    assert len({record["id"] for record in records}) == 4
    for record in records:
        assert record["id"] == sha256sum(record["task"])
        assert record["directory"].endswith(record["id"][:8])
    assert list(tmp_path.iterdir()) == []
    table = call("sweep", "--print-id", *arguments, "--seed", "7", cwd=tmp_path)
    assert table.stdout == "".join(f"{record['id']}  {record['directory']}\n" for record in records)
    csv = call("sweep", "--print-id", "--format", "csv", *arguments, "--seed", "7", cwd=tmp_path)
    assert pl.read_csv(csv.stdout.encode()).to_dicts() == records
    assert list(tmp_path.iterdir()) == []
    tasks = [Task.read(record["task"]) for record in records]
    store = collect(Plan(tuple(tasks), Plan.of([PRESETS["easy"]], ["leftmost"], 5).interval), tmp_path / "data")
    for record in records:
        (path,) = (store.directory / record["directory"]).glob("*.parquet")
        part = read_part(path)
        assert (part.strong_id, part.task) == (record["id"], record["task"])
        assert json.loads((path.parent / "task.json").read_text())["id"] == record["id"]


def test_what_is_asked_of_a_sweep_beside_its_rows_changes_no_id(tmp_path: Path) -> None:
    plain = printed(cwd=tmp_path)
    others = ("-n", "1e6", "--first", "10", "--shard", "3/8", "--workers", "1", "--batch", "7", "--timeout", "5")
    assert printed(*others, "--keep-going", "-o", "data", cwd=tmp_path) == plain
    assert list(tmp_path.iterdir()) == []


def test_print_id_refuses_what_a_sweep_would_refuse(tmp_path: Path) -> None:
    for arguments, told in (
        (("--solver", "nobody"), "nobody"),
        (("--seed", str(LAST_U64 + 1)), "seed"),
        (("--numbering", "ms", "--rules", "easy,jokers=2"), "joker"),
    ):
        finished = call("sweep", "--print-id", *arguments, cwd=tmp_path)
        assert (finished.returncode, finished.stdout) == (2, "")
        assert told in finished.stderr


@given(TASKS)
def test_a_canonical_text_is_read_back_as_its_task(task: Task) -> None:
    assert Task.read(task.canonical) == task
    assert task.strong_id == hashlib.sha256(task.canonical.encode()).hexdigest()
    assert task.canonical.count("\n") == 6


@given(TASKS, TASKS)
def test_two_tasks_have_one_id_when_they_are_one(one: Task, other: Task) -> None:
    assert (one.strong_id == other.strong_id) == (one == other)


@given(TASKS, st.data())
def test_every_ingredient_changes_the_id(task: Task, data: st.DataObject) -> None:
    other = data.draw(TASKS)
    for name in ("numbering", "numbering_version", "rules", "solver", "solver_version", "seed"):
        changed = replace(task, **{name: getattr(other, name)})
        assert (changed.strong_id == task.strong_id) == (getattr(task, name) == getattr(other, name))


CANONICAL = Task.of("go1", PRESETS["classic"], "exact,max-states=1000", seed=7).canonical


@pytest.mark.parametrize(
    "text",
    [
        "",
        "golf",
        CANONICAL[:-1],
        CANONICAL + "\n",
        CANONICAL + "more: 1\n",
        " " + CANONICAL,
        CANONICAL.replace("golf sweep: 1", "golf sweep: 2"),
        CANONICAL.replace("\n", "\r\n"),
        CANONICAL.replace("seed: 7", "seed: 07"),
        CANONICAL.replace("seed: 7", "seed: -7"),
        CANONICAL.replace("seed: 7", "seed: 7 "),
        CANONICAL.replace("seed: 7", "seed: ٧"),
        CANONICAL.replace("seed: 7", f"seed: {LAST_U64 + 1}"),
        CANONICAL.replace("jokers=0", "jokers=3"),
        CANONICAL.replace("jokers=0", "jokers=0 jokers=0"),
        CANONICAL.replace(" jokers=0", ""),
        CANONICAL.replace("on-king=queen on-ace=two", "on-ace=two on-king=queen"),
        CANONICAL.replace("on-king=queen", "on-king=Queen"),
        CANONICAL.replace("solver version: 1\n", ""),
        CANONICAL.replace("solver version: 1", "solver version: "),
        CANONICAL.replace("go1 shuffle", "go1"),
        "".join(reversed(CANONICAL.splitlines(keepends=True))),
    ],
)
def test_a_text_that_no_task_has_is_refused(text: str) -> None:
    with pytest.raises(DatasetError, match=r"no sweep is written as .*--print-id shows"):
        Task.read(text)


@given(st.integers(0, len(CANONICAL) - 1), st.characters(exclude_categories=["Cs"]))
def test_a_text_that_is_read_is_written_as_it_was(place: int, letter: str) -> None:
    text = CANONICAL[:place] + letter + CANONICAL[place + 1 :]
    try:
        task = Task.read(text)
    except DatasetError:
        return
    assert task.canonical == text
    assert (task.strong_id == Task.read(CANONICAL).strong_id) == (text == CANONICAL)
