"""Datasets on real disks: full ones, damaged files, odd names, and more in them than was asked for."""

import errno
import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from processes import call, parquet

from golf_cli.errors import DatasetError
from golf_cli.rules import PRESETS
from golf_cli.stats.tally import tally, tally_of
from golf_cli.sweep.parts import scan
from golf_cli.sweep.plan import Interval, Plan, Task
from golf_cli.sweep.runner import collect
from golf_cli.sweep.store import MARKER, TASK, Store
from golf_cli.sweep.workers import Answer, Local, answer

CLASSIC = PRESETS["classic"]
PLAN = Plan.of([CLASSIC], ["leftmost"], 100)


def everything(directory: Path) -> set[str]:
    return {path.name for path in directory.rglob("*") if path.is_file()}


def test_a_plan_is_read_without_what_else_a_dataset_holds(tmp_path: Path) -> None:
    store = collect(Plan.of([CLASSIC, PRESETS["easy"]], ["leftmost", "random"], 100), tmp_path / "data", batch=30)
    part = Plan.of([CLASSIC], ["leftmost"], 25, first=40)
    rows = store.scan(part).collect()
    assert rows["number"].sort().to_list() == list(range(40, 65))
    assert rows.select("rules", "solver").unique().rows() == [("classic", "leftmost")]
    assert [counted.deals for counted in tally(store.scan(part))] == [25]


@pytest.mark.parametrize(("first", "count"), [(0, 100), (10, 60), (30, 30), (31, 1), (89, 11)])
def test_a_plan_is_counted_as_its_rows_are(tmp_path: Path, first: int, count: int) -> None:
    rules, solvers = [CLASSIC, PRESETS["easy"]], ["random", "exact,max-states=5000"]
    store = collect(Plan.of(rules, solvers, 100, seed=3), tmp_path / "data", batch=30)
    plan = Plan.of(rules, solvers, count, first, seed=3)
    frame = store.scan(plan)
    assert [counted.deals for counted in tally_of(store, plan)] == [count] * 4
    assert tally_of(store, plan) == tally(frame)
    assert sorted(frame.collect()["number"].unique()) == list(range(first, first + count))


def test_deals_that_are_not_stored_are_none(tmp_path: Path) -> None:
    store = collect(PLAN, tmp_path / "data", batch=30)
    plan = Plan.of([CLASSIC], ["leftmost"], 10, first=100)
    assert store.scan(plan).collect().is_empty()
    with pytest.raises(DatasetError, match="has no rows"):
        tally_of(store, plan)


def test_a_sweeps_summary_counts_the_deals_that_were_asked_for(tmp_path: Path) -> None:
    for count, first in ((100, 0), (25, 40), (120, 0)):
        arguments = ("-n", str(count), "--first", str(first), "--solver", "random", "-o", "data", "--format", "json")
        (summary,) = json.loads(call("sweep", *arguments, cwd=tmp_path).stdout)
        assert summary["deals"] == count
        assert sum(each["deals"] for each in summary["distribution"]) == count


def test_a_disk_that_is_full_leaves_no_half_file_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = parquet(collect(PLAN, tmp_path / "whole", Local(1), batch=30).directory)
    fsync, flushed = os.fsync, []

    def fills_up(descriptor: int) -> None:
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            flushed.append(descriptor)
        if len(flushed) > 3:  # the record of what was asked for comes first
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        fsync(descriptor)

    with monkeypatch.context() as full:
        full.setattr(os, "fsync", fills_up)
        with pytest.raises(DatasetError, match=r"cannot be written \(No space left on device\): its deals are missing"):
            collect(PLAN, tmp_path / "data", Local(1), batch=30)
    assert parquet(tmp_path / "data").items() < whole.items()
    assert {Path(name).name for name in parquet(tmp_path / "data")} == everything(tmp_path / "data") - {MARKER, TASK}
    assert len(parquet(tmp_path / "data")) == 2
    assert parquet(collect(PLAN, tmp_path / "data", Local(1), batch=30).directory) == whole


def test_what_was_flushed_to_disk_is_what_gets_the_files_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flushed = []

    def watched(descriptor: int) -> None:
        told = os.fstat(descriptor)
        if stat.S_ISREG(told.st_mode):
            assert not list(tmp_path.rglob("*.parquet"))
            flushed.append(told.st_ino)

    monkeypatch.setattr(os, "fsync", watched)
    store = collect(PLAN, tmp_path / "data")
    (path,) = store.directory.rglob("*.parquet")
    assert flushed == [path.with_name(TASK).stat().st_ino, path.stat().st_ino]


def test_a_file_where_a_tasks_directory_should_be_is_told(tmp_path: Path) -> None:
    store = collect(Plan.of([CLASSIC], ["random"], 10), tmp_path / "data")
    in_the_way = store.directory / PLAN.tasks[0].directory
    in_the_way.write_text("mine")
    with pytest.raises(DatasetError, match=r"leftmost-\w+ cannot be written \(File exists\): give another one with -o"):
        collect(PLAN, store.directory)
    assert in_the_way.read_text() == "mine"


def test_a_directory_that_may_not_be_written_is_told_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = []

    def watched(task: Task, interval: Interval, timeout: float | None) -> Answer:
        played.append(interval)
        return answer(task, interval, timeout)

    monkeypatch.setattr("golf_cli.sweep.workers.answer", watched)
    # Root may write everywhere, whatever the mode of a directory.
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    with pytest.raises(DatasetError, match=r"cannot be written \(Permission denied\): give another one with -o"):
        collect(PLAN, tmp_path / "data")
    assert played == [Interval(0, 1)]  # the deal that is tried out


def damaged(path: Path, start: float, length: float) -> None:
    """Overwrite a share of a Parquet file's pages; its footer stays."""
    content = bytearray(path.read_bytes())
    footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    first = 4 + int(start * (footer - 4))
    stop = min(footer, first + max(1, int(length * (footer - 4))))
    content[first:stop] = bytes(byte ^ 0xA5 for byte in content[first:stop])
    path.write_bytes(content)


def test_damaged_pages_under_a_whole_footer_are_told_with_what_to_do(tmp_path: Path) -> None:
    store = collect(PLAN, tmp_path / "data")
    (path,) = store.directory.rglob("*.parquet")
    damaged(path, 0, 1)
    for read in (lambda: tally(scan([store.directory])), lambda: tally_of(store, PLAN)):
        with pytest.raises(DatasetError, match="a file in it is damaged; move it out of the dataset"):
            read()
    for arguments in (
        ("stats", "data"),
        ("plot", "data", "-o", "x.png"),
        ("sweep", "--solver", "leftmost", "-n", "100", "-o", "data"),
    ):
        finished = call(*arguments, cwd=tmp_path)
        assert (finished.returncode, finished.stdout) == (2, "")
        assert "a file in it is damaged; move it out of the dataset, and a rerun" in " ".join(finished.stderr.split())


@pytest.mark.parametrize("place", range(24))
def test_damage_anywhere_is_an_error_of_golfs_own_kind_or_harmless(tmp_path: Path, place: int) -> None:
    store = collect(PLAN, tmp_path / "data")
    (path,) = store.directory.rglob("*.parquet")
    damaged(path, place / 24, 1 / 24)
    try:
        counted = tally(scan([store.directory]))
    except DatasetError as error:
        assert "move it out of the dataset" in str(error) or "was not written by a sweep" in str(error)  # noqa: PT017
    else:
        assert sum(each.deals for each in counted) == 100


LIES: dict[str, Callable[[pl.DataFrame], pl.DataFrame]] = {
    "fewer rows": lambda rows: rows.head(99),
    "more rows": lambda rows: pl.concat([rows, rows.head(1)]),
    "no rows": lambda rows: rows.head(0),
    "a column less": lambda rows: rows.drop("plays"),
    "a column more": lambda rows: rows.with_columns(mine=1),
    "another type": lambda rows: rows.with_columns(pl.col("points").cast(pl.UInt32)),
    "another order": lambda rows: rows.select(reversed(rows.columns)),
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
def test_a_file_that_does_not_hold_what_it_says_is_told(
    tmp_path: Path, lie: Callable[[pl.DataFrame], pl.DataFrame]
) -> None:
    store = collect(PLAN, tmp_path / "data")
    (path,) = store.directory.rglob("*.parquet")
    lie(pl.read_parquet(path)).write_parquet(path, metadata=pl.read_parquet_metadata(path))
    for read in (lambda: scan([store.directory]), lambda: store.todo(PLAN)):
        with pytest.raises(DatasetError, match=f"{path.name} does not hold the 100 deals 0..99 that it says it holds"):
            read()


@pytest.mark.parametrize("key", ["golf.first", "golf.stop", "golf.id", "golf.task", "golf.outcomes"])
def test_a_file_that_does_not_say_what_it_holds_is_told(tmp_path: Path, key: str) -> None:
    store = collect(PLAN, tmp_path / "data")
    (path,) = store.directory.rglob("*.parquet")
    metadata = pl.read_parquet_metadata(path)
    pl.read_parquet(path).write_parquet(path, metadata={name: metadata[name] for name in metadata if name != key})
    with pytest.raises(DatasetError, match="does not say which deals of which sweep it holds"):
        scan([store.directory])


@pytest.mark.parametrize("name", ["run?", "a[1]", "*", "a{b,c}", "**", "[!x]", " ", "~", "%41", "file:"])
def test_names_that_a_shell_would_expand_are_read_as_they_stand(tmp_path: Path, name: str) -> None:
    for number, other in enumerate(("runX", "a1", "b", "ab", "A")):
        collect(Plan.of([CLASSIC], ["random"], 10, seed=number + 1), tmp_path / other)
    store = collect(PLAN, tmp_path / name, batch=60)
    (path, _) = sorted(store.directory.rglob("*.parquet"))
    assert [each.deals for each in tally(scan([store.directory]))] == [100]
    assert [each.deals for each in tally(store.scan(PLAN))] == [100]
    assert [each.deals for each in tally(scan([path]))] == [60]
    assert Store(store.directory).todo(PLAN) == {}


NOT_UTF8 = b"caf\xe9"


def test_a_directory_whose_name_is_not_utf8_is_refused(tmp_path: Path) -> None:
    directory = tmp_path / os.fsdecode(NOT_UTF8)
    for read in (lambda: Store(directory), lambda: scan([directory]), lambda: collect(PLAN, directory / "data")):
        with pytest.raises(DatasetError, match=r"caf\\udce9(/data)?' is not UTF-8: give a directory whose name is"):
            read()
    assert list(tmp_path.iterdir()) == []


def test_commands_refuse_a_name_that_is_not_utf8_wherever_it_stands(tmp_path: Path) -> None:
    here = tmp_path / os.fsdecode(NOT_UTF8)
    here.mkdir()
    commands: list[tuple[Path, tuple[str | bytes, ...]]] = [
        (tmp_path, ("sweep", "-n", "10", "-o", NOT_UTF8)),
        (tmp_path, ("stats", NOT_UTF8)),
        (here, ("sweep", "-n", "10", "-o", "data")),
    ]
    for cwd, arguments in commands:
        finished = call(*arguments, cwd=cwd)
        assert (finished.returncode, finished.stdout) == (2, "")
        assert "is not UTF-8" in finished.stderr
    assert list(here.iterdir()) == []
