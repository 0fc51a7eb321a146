"""`golf dataset merge` and `golf dataset compact`: shards joined, and many files made few, byte for byte."""

import errno
import os
import random
import re
import shutil
import signal
import stat
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from processes import PATIENCE, call, parquet, started, until
from test_sweep import files, table

from golf_cli.errors import DatasetError, NumberError
from golf_cli.rules import PRESETS
from golf_cli.solvers.outcome import Outcome, Outcomes, Result
from golf_cli.sweep.audit import check
from golf_cli.sweep.joining import BATCH, compact, merge
from golf_cli.sweep.parts import encoded, file_name, read_part
from golf_cli.sweep.plan import Interval, Plan, Shard, Task, joined
from golf_cli.sweep.runner import collect
from golf_cli.sweep.store import Store

CLASSIC = PRESETS["classic"]
PLAN = Plan.of([CLASSIC], ["leftmost", "exact,max-states=3000"], 120)


def swept(plan: Plan, directory: Path, batch: int) -> Path:
    """A dataset, and nothing beside it."""
    return collect(plan, directory, batch=batch).directory


def shards(directory: Path, count: int, batch: int = 20, plan: Plan = PLAN) -> list[Path]:
    """What so many machines make of a plan."""
    machines = [plan.part(Shard(number, count)) for number in range(1, count + 1)]
    return [swept(part, directory / f"machine{place}" / "data", batch) for place, part in enumerate(machines, 1)]


@pytest.mark.parametrize("count", [1, 2, 8])
def test_shards_that_are_merged_and_made_compact_equal_one_run(tmp_path: Path, count: int) -> None:
    parts = shards(tmp_path, count)
    before = {path: files(path) for path in parts}
    report = merge(parts, tmp_path / "merged")
    assert report.is_whole
    assert report == check(tmp_path / "merged")
    assert parquet(tmp_path / "merged") == {name: content for path in parts for name, content in parquet(path).items()}
    assert {path: files(path) for path in parts} == before
    compact(tmp_path / "merged", batch=20)
    assert files(tmp_path / "merged") == files(swept(PLAN, tmp_path / "whole", 20))
    assert check(tmp_path / "merged").is_whole


def test_a_merge_that_had_made_a_tasks_directory_alone_goes_on(tmp_path: Path) -> None:
    parts = shards(tmp_path, 2)
    whole = files(merge(parts, tmp_path / "whole").directory)
    for kept in (0, 2):
        data = Path(shutil.copytree(tmp_path / "whole", tmp_path / f"data{kept}"))
        shutil.rmtree(data / PLAN.tasks[1].directory)
        for path in sorted(data.rglob("*.parquet"))[kept:]:
            path.unlink()
        merge(parts, data)
        assert files(data) == whole


def test_a_merge_tells_what_is_missing_of_what_was_asked_for(tmp_path: Path) -> None:
    one, two, three = shards(tmp_path, 3)
    gone = next(three.rglob("*100-*.parquet"))
    interval = read_part(gone).interval
    gone.unlink()
    report = merge([one, three], tmp_path / "merged")
    assert sorted(each.missing for each in report.holdings) == [(Interval(40, 80),), (Interval(40, 80), interval)]
    assert merge([two], tmp_path / "merged").missing == interval.size
    swept(PLAN, tmp_path / "merged", 20)
    assert check(tmp_path / "merged").is_whole


def test_a_merge_that_was_interrupted_goes_on_when_it_is_run_again(tmp_path: Path) -> None:
    parts = shards(tmp_path, 3)
    merge(parts, tmp_path / "merged")
    whole = files(tmp_path / "merged")
    merge(parts, tmp_path / "merged")
    assert files(tmp_path / "merged") == whole
    chance = random.Random(3)
    copied: list[tuple[str, int, int]] = []
    for _ in range(5):
        for path in chance.sample(sorted((tmp_path / "merged").rglob("*.parquet")), 4):
            path.unlink()
        merge(parts, tmp_path / "merged", lambda *told: copied.append(told))
        assert copied[-1] == ("copying", 4, 4)
        assert files(tmp_path / "merged") == whole


def damaged(path: Path) -> bytes:
    """A file whose footer is whole and whose rows are not."""
    content = path.read_bytes()
    return content[:4] + bytes(byte ^ 0xA5 for byte in content[4:400]) + content[400:]


def refused(inputs: Sequence[Path], output: Path, says: str) -> str:
    """See that a merge is refused and changes nothing, and return why."""
    before = files(output) if output.exists() else None
    with pytest.raises(DatasetError, match=says) as refusal:
        merge(inputs, output)
    assert (files(output) if output.exists() else None) == before
    return str(refusal.value)


def test_other_tasks_are_refused_line_by_line(tmp_path: Path) -> None:
    one = swept(Plan.of([CLASSIC], ["leftmost", "random"], 20, seed=1), tmp_path / "one", 20)
    two = swept(Plan.of([CLASSIC], ["leftmost", "random"], 20, first=20, seed=2), tmp_path / "two", 20)
    told = refused([one, two], tmp_path / "merged", "do not hold the same tasks")
    assert told.count(f"\n  seed: 1 in {one}, 2 in {two}") == 2
    assert told.count("\n  ") == 2
    three = swept(Plan.of([CLASSIC], ["leftmost"], 20, first=40, seed=1), tmp_path / "three", 20)
    told = refused([one, three], tmp_path / "merged", "do not hold the same tasks")
    assert f"go1-classic-random-{Task.of('go1', CLASSIC, 'random', 1).strong_id[:8]}: in {one} alone" in told
    assert "go1-classic-leftmost" not in told
    refused([three, one], tmp_path / "merged", "in .*one alone")
    assert not (tmp_path / "merged").exists()
    refused([three], two, "seed: 2 in .*two, 1 in .*three")


def test_another_version_of_a_solver_is_refused(tmp_path: Path) -> None:
    datasets = []
    for version in ("1", "2"):
        task = Task("go1", "1", CLASSIC, "some:Player", version)
        store = Store(tmp_path / version)
        with store.writing():
            store.prepare(task, [Interval(0, 5)])
            store.write(task, Interval(0, 5), Outcomes.of([Outcome(Result.BLOCKED, 3, 0)] * 5))
        datasets.append(store.directory)
    refused(datasets, tmp_path / "merged", rf"\n  solver version: 1 in {tmp_path}/1, 2 in {tmp_path}/2\n")


def test_the_same_deals_in_two_datasets_are_refused(tmp_path: Path) -> None:
    plan = Plan.of([CLASSIC], ["leftmost"], 100)
    one = swept(plan, tmp_path / "one", 40)
    two = swept(Plan.of([CLASSIC], ["leftmost"], 70, first=60), tmp_path / "two", 40)
    same = swept(plan, tmp_path / "same", 40)
    told = refused([one, two], tmp_path / "merged", "each counts once")
    for deals, mine, theirs in (("60..79", (40, 80), (60, 80)), ("80..99", (80, 100), (80, 120))):
        names = [next(path.rglob(file_name(Interval(*held)))) for path, held in ((one, mine), (two, theirs))]
        assert f"deals {deals}: in {names[0]} and in {names[1]}" in told
    refused([one, same], tmp_path / "merged", "each counts once")
    assert not (tmp_path / "merged").exists()
    # What the output holds already with the same interval and outcomes is passed over, and nothing else is.
    merge([one], same)
    assert files(same) == files(one)
    refused([two], same, rf"deals 60..79: in {same}.* and in {two}")
    refused([one, same], two, "each counts once")


def test_a_broken_input_or_output_is_refused(tmp_path: Path) -> None:
    one, two = shards(tmp_path, 2)
    path = next(one.rglob("*.parquet"))
    path.write_bytes(damaged(path))
    for inputs, output in (([one, two], tmp_path / "merged"), ([two], one)):
        told = refused(inputs, output, f"{re.escape(str(path))} (is|does)")
        assert f"golf dataset check --repair {one}" in told
    assert not (tmp_path / "merged").exists()


def test_an_output_among_the_inputs_is_refused_with_what_to_do(tmp_path: Path) -> None:
    one, two = shards(tmp_path, 2)
    refused([one, two], one, "leave it out of these; the others are added to what it holds")
    refused([one, one], tmp_path / "merged", "is given twice")
    refused([one, two], one / "merged", "lie one in the other")
    refused([one, one.parent], tmp_path / "merged", "lie one in the other")
    assert merge([two], one).is_whole


def test_an_output_that_holds_something_else_is_refused(tmp_path: Path) -> None:
    one, two = shards(tmp_path, 2)
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.txt").write_text("one")
    refused([one, two], tmp_path / "thesis", "holds something else")
    with Store(tmp_path / "busy").writing():
        refused([one, two], tmp_path / "busy", f"process {os.getpid()} .* is writing")
        refused([one, tmp_path / "busy"], tmp_path / "merged", "holds no sweep")
    (tmp_path / "empty").mkdir()
    assert merge([one, two], tmp_path / "empty").is_whole
    with pytest.raises(DatasetError, match="give one dataset at least"):
        merge([], tmp_path / "merged")


def test_a_full_disk_stops_a_merge_and_a_compact_with_nothing_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = shards(tmp_path, 2)
    fsync = os.fsync
    written = 0

    def fills_up(descriptor: int) -> None:
        nonlocal written
        written += stat.S_ISREG(os.fstat(descriptor).st_mode)
        if written > 6:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        fsync(descriptor)

    for work, whole in (
        (lambda: merge(parts, tmp_path / "merged"), swept(PLAN, tmp_path / "by20", 20)),
        (lambda: compact(tmp_path / "merged", 33), swept(PLAN, tmp_path / "by33", 33)),
    ):
        written = 0
        with monkeypatch.context() as full:
            full.setattr(os, "fsync", fills_up)
            with pytest.raises(DatasetError, match=r"No space left on device\).*run the same command again to go on"):
                work()
        work()
        assert files(tmp_path / "merged") == files(whole)


def test_merge_says_what_the_dataset_holds_now(tmp_path: Path) -> None:
    one, two = shards(tmp_path, 2)
    finished = call("dataset", "merge", str(one), "-o", "data", cwd=tmp_path)
    assert (finished.returncode, finished.stderr) == (0, "")
    assert "nothing is broken, nothing is missing" in finished.stdout
    checked = call("dataset", "check", "data", "-n", "120", cwd=tmp_path)
    assert checked.returncode == 1
    finished = call("dataset", "merge", str(two), "-o", "data", cwd=tmp_path)
    assert finished.stdout == call("dataset", "check", "data", "-n", "120", cwd=tmp_path).stdout
    again = call("dataset", "merge", str(one), "data", "-o", "data", cwd=tmp_path)
    assert (again.returncode, again.stdout) == (2, "")
    assert "data is to be written and is among the datasets to merge: leave it out" in " ".join(again.stderr.split())


@pytest.mark.parametrize(("before", "after"), [(7, 20), (7, 64), (20, 7), (40, 20), (1, 1000), (33, 33), (120, 50)])
def test_a_compact_dataset_is_what_a_sweep_would_have_written(tmp_path: Path, before: int, after: int) -> None:
    data = swept(PLAN, tmp_path / "data", before)
    done = compact(data, after)
    assert files(data) == files(swept(PLAN, tmp_path / "whole", after))
    assert (done.before, done.after) == (2 * -(-120 // before), 2 * -(-120 // after))
    assert compact(data, after).after == done.after


SPANS = st.lists(st.tuples(st.integers(0, 80), st.integers(1, 30), st.sampled_from([1, 6, 25])), min_size=1, max_size=4)


@settings(max_examples=15)
@given(SPANS, st.integers(1, 90))
def test_datasets_with_holes_become_what_sweeps_of_their_runs_would_have_written(
    tmp_path_factory: pytest.TempPathFactory, spans: list[tuple[int, int, int]], batch: int
) -> None:
    here = tmp_path_factory.mktemp("holes")
    asked = []
    for first, size, cut in spans:
        swept(Plan.of([CLASSIC], ["leftmost"], size, first=first), here / "data", cut)
        asked.append(Interval(first, first + size))
    compact(here / "data", batch)
    for run in joined(asked):
        swept(Plan.of([CLASSIC], ["leftmost"], run.size, first=run.first), here / "whole", batch)
    assert files(here / "data") == files(here / "whole")


def test_files_that_are_right_already_are_not_touched(tmp_path: Path) -> None:
    data = swept(PLAN, tmp_path / "data", 50)
    (data / PLAN.tasks[0].directory / file_name(Interval(0, 50))).unlink()
    swept(PLAN, data, 10)
    kept = {path: path.stat() for path in data.rglob("*.parquet") if read_part(path).interval.size == 50}
    assert len(kept) == 3
    compact(data, 50)
    assert {path: path.stat().st_ino for path in kept} == {path: told.st_ino for path, told in kept.items()}
    assert parquet(data) == parquet(swept(PLAN, tmp_path / "whole", 50))


def test_a_file_is_removed_when_those_that_replace_it_are_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = swept(PLAN, tmp_path / "data", 30)
    unlink, seen = Path.unlink, []

    def watched(path: Path, missing_ok: bool = False) -> None:
        if path.suffix == ".parquet":
            held = read_part(path).interval
            others = [read_part(each).interval for each in path.parent.glob("*.parquet") if each != path]
            assert not held.without(others)
            assert not list(path.parent.glob("*.partial"))
            seen.append(path)
        unlink(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", watched)
    compact(data, 45)
    assert len(seen) == 6
    assert parquet(data) == parquet(swept(PLAN, tmp_path / "whole", 45))


def test_files_that_hold_the_same_deals_with_the_same_outcomes_become_one(tmp_path: Path) -> None:
    data = swept(PLAN, tmp_path / "data", 20)
    for batch in (33, 70):
        for name, content in parquet(swept(PLAN, tmp_path / str(batch), batch)).items():
            (data / name).write_bytes(content)
    compact(data, 50)
    assert parquet(data) == parquet(swept(PLAN, tmp_path / "whole", 50))


def test_files_that_tell_different_outcomes_are_refused_and_both_kept(tmp_path: Path) -> None:
    data = swept(Plan.of([CLASSIC], ["leftmost"], 120), tmp_path / "data", 20)
    task, held = PLAN.tasks[0], Interval(30, 50)
    lie = Outcomes.of([Outcome(Result.CLEARED, 0, 16)] * held.size)
    (data / task.directory / file_name(held)).write_bytes(encoded(task, held, lie))
    before = parquet(data)
    with pytest.raises(DatasetError, match=r"another outcome of deal 3\d than .*: golf dataset check --repair .*data$"):
        compact(data)
    assert parquet(data) == before


def test_a_broken_file_is_not_made_compact(tmp_path: Path) -> None:
    data = swept(PLAN, tmp_path / "data", 20)
    path = next(data.rglob("*.parquet"))
    for content in (path.read_bytes()[:-9], b"", damaged(path)):
        path.write_bytes(content)
        held = parquet(data)
        with pytest.raises(DatasetError, match=path.name):
            compact(data)
        assert parquet(data) == held


def test_compact_takes_sizes_that_make_sense(tmp_path: Path) -> None:
    data = swept(PLAN, tmp_path / "data", 20)
    for batch in (0, -1, 10_000_001):
        with pytest.raises(NumberError, match="deals in a file: give 1 to 10000000"):
            compact(data, batch)
    with Store(data).writing(), pytest.raises(DatasetError, match="is writing to"):
        compact(data)
    finished = call("dataset", "compact", "data", cwd=tmp_path)
    assert (finished.returncode, finished.stdout) == (0, "data: 12 files before, 2 now; the rows are the same\n")
    assert f"{BATCH}]" in call("dataset", "compact", "--help").stdout


@pytest.mark.slow
def test_a_compact_that_is_killed_at_any_moment_loses_nothing_and_goes_on(tmp_path: Path) -> None:
    plan = Plan.of([CLASSIC], ["leftmost"], 600_000)
    small = swept(plan, tmp_path / "small", 3_000)
    whole = parquet(swept(plan, tmp_path / "whole", 50_000))
    rows = table(small)
    moments = random.Random(8)
    halfway = 0
    data = tmp_path / "data"
    for turn in range(12):
        shutil.copytree(small, data)
        command = ("dataset", "compact", "data", "--batch", "50_000")
        some = moments.randint(0, 180)
        with started(*command, cwd=tmp_path) as process:
            until(lambda some=some: len(parquet_names(data)) <= 200 - some or process.poll() is not None)
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(PATIENCE)
        names = parquet_names(data)
        halfway += 12 < len(names) < 200
        held = [read_part(path).interval for path in names]
        assert joined(held) == [Interval(0, 600_000)]
        if turn % 3 == 2:  # repaired first: what is superfluous is set aside, and no deal is missing
            checked = call("dataset", "check", "data", "--repair", cwd=tmp_path)
            assert (checked.returncode, checked.stderr) == (0, "")
            assert table(data).equals(rows)
        again = call(*command, cwd=tmp_path)
        assert (again.returncode, again.stderr) == (0, "")
        assert parquet(data) == whole
        assert not list(data.rglob("*.partial"))
        shutil.rmtree(data)
    assert halfway >= 5


@pytest.mark.slow
def test_a_merge_that_is_killed_at_any_moment_goes_on(tmp_path: Path) -> None:
    plan = Plan.of([CLASSIC], ["leftmost"], 200_000)
    parts = [str(path) for path in shards(tmp_path, 2, 500, plan)]
    whole = parquet(swept(plan, tmp_path / "whole", 500))
    moments = random.Random(9)
    for _ in range(4):
        with started("dataset", "merge", *parts, "-o", "data", cwd=tmp_path) as process:
            some = len(parquet_names(tmp_path / "data")) + moments.randint(1, 90)
            until(lambda some=some: len(parquet_names(tmp_path / "data")) >= some, process)
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(PATIENCE)
        assert parquet(tmp_path / "data").items() < whole.items()
    assert call("dataset", "merge", *parts, "-o", "data", cwd=tmp_path).returncode == 0
    assert parquet(tmp_path / "data") == whole


def parquet_names(directory: Path) -> list[Path]:
    return list(directory.rglob("*.parquet"))


def test_logs_beside_the_shards_are_passed_over(tmp_path: Path) -> None:
    for part in (1, 2):
        collect(PLAN.part(Shard(part, 2)), tmp_path / f"part-{part}")
    finished = call("dataset", "merge", *sorted(path.name for path in tmp_path.iterdir()), "-o", "all", cwd=tmp_path)
    assert (finished.returncode, finished.stderr) == (0, "")
    assert check(tmp_path / "all").is_whole
    (tmp_path / "notes.log").write_text("mine")
    refused = call("dataset", "merge", "part-1", "notes.log", "-o", "more", cwd=tmp_path)
    assert refused.returncode == 2
    assert "notes.log" in refused.stderr
