"""`golf dataset check`: what is broken and what is missing, and broken files set aside."""

import json
import os
import random
import re
import shutil
from collections.abc import Callable, Collection
from itertools import combinations
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from processes import call, parquet
from test_sweep import files

from golf_cli.errors import DatasetError, NumberError
from golf_cli.rules import PRESETS
from golf_cli.solvers.outcome import Outcome, Outcomes, Result
from golf_cli.stats.datasets import written
from golf_cli.sweep.audit import Report, _disjoint, check, repair
from golf_cli.sweep.parts import Part, encoded, file_name, read_outcomes, read_part, scan
from golf_cli.sweep.plan import Interval, Plan
from golf_cli.sweep.runner import collect
from golf_cli.sweep.store import SET_ASIDE, TASK, Store

PLAN = Plan.of([PRESETS["classic"]], ["leftmost", "random"], 120)
LEFTMOST, RANDOM = PLAN.tasks
FOREIGN = Plan.of([PRESETS["hard"]], ["leftmost"], 20)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of two tasks in six files each, which no test changes."""
    return collect(PLAN, tmp_path_factory.mktemp("whole") / "data", batch=20).directory


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of another sweep."""
    store = collect(FOREIGN, tmp_path_factory.mktemp("foreign") / "data")
    return next(store.directory.rglob("*.parquet"))


@pytest.fixture
def data(tmp_path: Path, whole: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "data"))


def at(data: Path, first: int, size: int = 20) -> Path:
    """The file of the task LEFTMOST that holds the deals from `first`."""
    return data / LEFTMOST.directory / file_name(Interval(first, first + size))


def sound(data: Path) -> dict[str, bytes]:
    """Every file of a dataset except what was set aside."""
    return {name: content for name, content in files(data).items() if not name.startswith(SET_ASIDE)}


def missing(report: Report) -> dict[str, list[Interval]]:
    return {each.task.solver: list(each.missing) for each in report.holdings if each.missing}


def refilled(data: Path) -> dict[str, bytes]:
    """The files of a dataset when the sweep has run again."""
    return sound(collect(PLAN, data, batch=20).directory)


def cut(share: float) -> Callable[[Path, Path], None]:
    def damage(path: Path, foreign: Path) -> None:
        content = path.read_bytes()
        path.write_bytes(content[: int(share * len(content))])

    return damage


def flip(path: Path, foreign: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 4] ^= 0x10
    path.write_bytes(content)


def older(path: Path, foreign: Path) -> None:
    metadata = pl.read_parquet_metadata(path)
    pl.read_parquet(path).write_parquet(path, metadata={**metadata, "golf.schema": "1"})


def replaced(path: Path, foreign: Path) -> None:
    path.write_bytes(foreign.read_bytes())


def another_task(path: Path, foreign: Path) -> None:
    shutil.copy(str(path).replace(LEFTMOST.directory, RANDOM.directory), path)


def renamed(path: Path, foreign: Path) -> None:
    path.rename(path.with_name("part.parquet"))


def not_by_a_sweep(path: Path, foreign: Path) -> None:
    pl.read_parquet(path).write_parquet(path)


def forged(change: Callable[[pl.DataFrame], pl.DataFrame]) -> Callable[[Path, Path], None]:
    """Other rows under the same metadata."""

    def damage(path: Path, foreign: Path) -> None:
        metadata = pl.read_parquet_metadata(path)
        change(pl.read_parquet(path)).write_parquet(path, metadata=metadata)

    return damage


def told_otherwise(key: str, value: str) -> Callable[[Path, Path], None]:
    """The same rows under other metadata."""

    def damage(path: Path, foreign: Path) -> None:
        metadata = pl.read_parquet_metadata(path)
        pl.read_parquet(path).write_parquet(path, metadata={**metadata, key: value})

    return damage


def other_outcome(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows of other outcomes, sound in themselves: those of the first two deals change places."""
    numbers = rows["number"]
    first, second = rows[0], rows[1]
    assert first.drop("number").rows() != second.drop("number").rows()
    return pl.concat([second, first, rows[2:]]).with_columns(numbers)


def put(name: str, value: int | str | None) -> Callable[[Path, Path], None]:
    def change(rows: pl.DataFrame) -> pl.DataFrame:
        third = pl.int_range(pl.len()) == 3
        return rows.with_columns(pl.when(third).then(pl.lit(value, rows.schema[name])).otherwise(name).alias(name))

    return forged(change)


DAMAGE: dict[str, tuple[Callable[[Path, Path], None], str]] = {
    "cut short": (cut(0.7), "is no whole Parquet file"),
    "of zero length": (cut(0), "is no whole Parquet file"),
    "one bit flipped": (flip, "is damaged|does not hold"),
    "of an older schema": (older, "has version 1 of the schema, this golf reads 2 and 4"),
    "of another sweep": (replaced, "lies in the wrong directory: it is of the task go1-hard-leftmost"),
    "of another task here": (another_task, "lies in the wrong directory: it is of the task go1-classic-random"),
    "renamed": (renamed, "has the wrong name: it holds 0+20-0+40"),
    "written by something else": (not_by_a_sweep, "was not written by a sweep"),
    "other outcomes": (forged(other_outcome), "does not hold the outcomes that were written to it"),
    "a number changed": (put("number", 99), "does not hold the rows of the deals 20..39"),
    "points changed": (put("points", 1), "does not hold the rows"),
    "another player": (put("solver", "exact"), "does not hold the rows"),
    "more cards than there are": (put("cards_left", 200), "does not hold the rows"),
    "more stock than there is": (put("stock_left", 17), "does not hold the rows"),
    "no result": (put("result", None), "does not hold the rows"),
    "no cards left where decided": (put("cards_left", None), "does not hold the rows"),
    "a row less": (forged(lambda rows: rows.head(19)), "does not hold the 20 deals 20..39 that it says it holds"),
    "a column more": (forged(lambda rows: rows.with_columns(mine=1)), "does not hold the 20 deals"),
    "another interval": (told_otherwise("golf.first", "0"), "does not hold the 40 deals"),
    "a negative interval": (told_otherwise("golf.first", "-1"), "does not say which deals"),
    "another id": (told_otherwise("golf.id", "0" * 64), "has the strong id 0+, which is not its task's"),
    "a task of no sweep": (told_otherwise("golf.task", "solitaire"), "is of no sweep: .*'solitaire'"),
    "another digest": (told_otherwise("golf.outcomes", "0" * 64), "does not hold the outcomes"),
}


@pytest.mark.parametrize(("damage", "reason"), DAMAGE.values(), ids=DAMAGE)
def test_a_broken_file_is_told_and_set_aside_and_a_rerun_fills_the_gap(
    data: Path, whole: Path, foreign: Path, damage: Callable[[Path, Path], None], reason: str
) -> None:
    damage(at(data, 20), foreign)
    path = next(filter(Path.exists, [at(data, 20).with_name("part.parquet"), at(data, 20)]))
    broken, before = path.read_bytes(), files(data)
    found = check(data)
    assert [flaw.path for flaw in found.flaws] == [path]
    assert re.search(reason, found.flaws[0].reason), found.flaws[0].reason
    assert missing(found) == {"leftmost": [Interval(20, 40)]}
    assert not found.is_whole
    assert files(data) == before
    repaired = repair(data)
    (flaw,) = repaired.flaws
    assert (flaw.path, flaw.reason) == (path, found.flaws[0].reason)
    assert flaw.aside is not None
    assert flaw.aside.read_bytes() == broken
    assert (missing(repaired), repaired.broken, check(data).flaws) == (missing(found), [], ())
    assert refilled(data) == files(whole)
    assert check(data).is_whole


def test_damage_at_any_byte_is_told_or_harmless(tmp_path: Path) -> None:
    data = collect(Plan.of([PRESETS["classic"]], ["leftmost"], 20), tmp_path / "data").directory
    path = at(data, 0)
    content, outcomes = path.read_bytes(), read_outcomes(read_part(path))
    moments = random.Random(4)
    told = 0
    for _ in range(200):
        damaged = bytearray(content)
        place = moments.randrange(len(content))
        damaged[place] ^= 1 << moments.randrange(8)
        path.write_bytes(damaged)
        report = check(data)
        assert {flaw.path for flaw in report.flaws} <= {path}
        told += len(report.flaws)
        if not report.flaws:
            again = read_outcomes(read_part(path))
            assert not again.unlike(outcomes).any()
    assert told > 50


def test_a_sound_dataset_is_whole_and_repair_changes_nothing(data: Path) -> None:
    before = files(data)
    for report in (check(data), repair(data)):
        assert report.is_whole
        assert [(each.task, len(each.parts), each.held) for each in report.holdings] == [
            (LEFTMOST, 6, [Interval(0, 120)]),
            (RANDOM, 6, [Interval(0, 120)]),
        ]
        assert report.flaws == report.partials == ()
    assert files(data) == before


def test_what_was_asked_for_lies_between_or_is_asked_now_is_missing_where_no_file_has_it(data: Path) -> None:
    for first in (0, 40, 100):
        at(data, first).unlink()
    asked_for = [Interval(0, 20), Interval(40, 60), Interval(100, 120)]
    assert missing(check(data)) == {"leftmost": asked_for}
    assert missing(check(data, 130, 90)) == {
        "leftmost": [*asked_for[:2], Interval(100, 220)],
        "random": [Interval(120, 220)],
    }
    (at(data, 20).parent / TASK).unlink()
    assert missing(check(data)) == {"leftmost": [Interval(40, 60)]}
    with pytest.raises(NumberError, match="the last number of go1 is"):
        check(data, 1 << 40)
    assert refilled(data) == files(collect(PLAN, data.with_name("again"), batch=20).directory)


def test_a_part_of_a_larger_sweep_lacks_nothing(tmp_path: Path) -> None:
    data = collect(Plan.of([PRESETS["classic"]], ["leftmost"], 30, first=70), tmp_path / "data", batch=20).directory
    assert check(data).is_whole


def test_what_is_no_parquet_file_is_no_error(data: Path) -> None:
    (data / "notes.txt").write_text("mine")
    at(data, 0).with_name("notes.csv").write_text("mine")
    (data / "mine").mkdir()
    (data / "mine" / TASK).write_text("mine")
    assert check(data).is_whole


@pytest.mark.parametrize("place", ["", "elsewhere", f"{LEFTMOST.directory}/deeper"])
def test_a_parquet_file_outside_its_tasks_directory_is_broken(data: Path, whole: Path, place: str) -> None:
    stray = data / place / at(data, 0).name
    stray.parent.mkdir(exist_ok=True)
    shutil.copy(at(data, 0), stray)
    (flaw,) = check(data).flaws
    assert (flaw.path, flaw.reason) == (stray, f"lies in the wrong directory: it is of the task {LEFTMOST.directory}")
    (flaw,) = repair(data).flaws
    assert flaw.aside == data / SET_ASIDE / place / f"{stray.name}.1"
    assert check(data).is_whole
    assert sound(data) == files(whole)


def test_what_is_set_aside_is_never_overwritten_and_nothing_reads_it(data: Path, whole: Path) -> None:
    for time in range(1, 4):
        at(data, 20).write_bytes(b"broken" * time)
        (flaw,) = repair(data).flaws
        assert flaw.aside == data / SET_ASIDE / LEFTMOST.directory / f"{at(data, 20).name}.{time}"
        assert refilled(data) == files(whole)
    aside = sorted((data / SET_ASIDE).rglob("*.parquet.*"))
    assert [path.read_bytes() for path in aside] == [b"broken" * time for time in range(1, 4)]
    assert parquet(data) == parquet(whole)
    assert scan([data]).collect().height == 240
    assert {path.parent.parent for path in data.glob("*/*.parquet")} == {data}


def test_directories_and_dead_links_with_the_name_of_a_file_are_set_aside(data: Path, whole: Path) -> None:
    at(data, 20).unlink()
    at(data, 20).mkdir()
    shutil.copy(at(data, 0), at(data, 20) / "inside.parquet")
    at(data, 200).symlink_to("nowhere")
    assert len(repair(data).flaws) == 3
    assert refilled(data) == files(whole)


@pytest.mark.parametrize(
    "content",
    [b"", b"mine", b"[]", b'{"id": "0"}', b"\xff\xfe", FOREIGN.tasks[0].canonical.encode()],
    ids=["empty", "no JSON", "no record", "half a record", "no UTF-8", "canonical text"],
)
def test_a_broken_record_is_set_aside_and_written_anew_from_what_is_there(
    data: Path, whole: Path, content: bytes
) -> None:
    record = at(data, 0).with_name(TASK)
    record.write_bytes(content)
    at(data, 100).unlink()
    (flaw,) = check(data).flaws
    assert (flaw.path, flaw.reason) == (record, "is not the record of what was asked for")
    (flaw,) = repair(data).flaws
    assert flaw.aside is not None
    assert flaw.aside.read_bytes() == content
    assert json.loads(record.read_bytes())["asked"] == [[0, 100]]
    assert refilled(data) == files(whole)


def test_the_record_of_another_task_is_broken(data: Path, whole: Path) -> None:
    shutil.copy(data / RANDOM.directory / TASK, data / LEFTMOST.directory / TASK)
    (flaw,) = repair(data).flaws
    assert flaw.path == data / LEFTMOST.directory / TASK
    assert sound(data) == files(whole)


def test_a_task_of_which_no_file_is_whole_is_known_by_its_record(data: Path, whole: Path) -> None:
    for path in at(data, 0).parent.glob("*.parquet"):
        path.write_bytes(b"")
    report = repair(data)
    assert len(report.flaws) == 6
    assert missing(report) == {"leftmost": [Interval(0, 120)]}
    assert refilled(data) == files(whole)


def added(data: Path, interval: Interval, outcomes: Outcomes) -> Path:
    """One more file of the task LEFTMOST."""
    path = at(data, interval.first, interval.size)
    path.write_bytes(encoded(LEFTMOST, interval, outcomes))
    return path


def of(data: Path, interval: Interval) -> Outcomes:
    """The outcomes of LEFTMOST in a dataset with whole files of 20 deals."""
    parts = [read_outcomes(read_part(at(data, first))) for first in range(0, 120, 20)]
    return Outcomes.joined(parts).at(slice(interval.first, interval.stop))


@pytest.mark.parametrize("held", [Interval(20, 30), Interval(35, 45), Interval(20, 60), Interval(10, 90)])
def test_a_file_whose_deals_are_in_others_is_superfluous(data: Path, whole: Path, held: Interval) -> None:
    extra = added(data, held, of(data, held))
    with pytest.raises(DatasetError, match="each deal counts once"):
        scan([data])
    report = repair(data)
    # As many deals as can be stay, in as few files as can be.
    assert {flaw.path for flaw in report.flaws} == (
        {at(data, 20), at(data, 40)} if held == Interval(20, 60) else {extra}
    )
    assert all("superfluous: all its deals lie in" in flaw.reason for flaw in report.flaws)
    assert report.is_whole
    assert check(data).is_whole
    assert scan([data]).sort("solver", "number").collect().equals(scan([whole]).sort("solver", "number").collect())


def test_of_files_that_overlap_in_part_those_stay_that_hold_the_most_deals(data: Path, whole: Path) -> None:
    for first in (20, 40, 60):
        at(data, first).unlink()
    for held in (Interval(20, 45), Interval(40, 70), Interval(65, 80)):
        added(data, held, of(whole, held))
    report = repair(data)
    (flaw,) = report.flaws
    assert flaw.path == at(data, 40, 30)
    assert "with the same outcomes: golf dataset compact joins them" in flaw.reason
    assert missing(report) == {"leftmost": [Interval(45, 65)]}


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(1, 6)), max_size=7, unique=True))
def test_what_stays_of_overlapping_files_holds_as_many_deals_in_as_few_files_as_can_be(
    spans: list[tuple[int, int]],
) -> None:
    parts = [Part(Path(str(span)), "", "", Interval(span[0], sum(span)), "", 2) for span in spans]

    def worth(chosen: Collection[Part]) -> tuple[int, int]:
        return sum(part.interval.size for part in chosen), -len(chosen)

    choices = [some for count in range(len(parts) + 1) for some in combinations(parts, count)]
    disjoint = [some for some in choices if not any(a.interval.overlaps(b.interval) for a, b in combinations(some, 2))]
    kept = _disjoint(parts)
    assert not any(a.interval.overlaps(b.interval) for a, b in combinations(kept, 2))
    assert worth(kept) == max(map(worth, disjoint))


@pytest.mark.parametrize("held", [Interval(20, 30), Interval(35, 45), Interval(20, 60), Interval(10, 90)])
def test_of_files_that_tell_different_outcomes_none_stays(data: Path, whole: Path, held: Interval) -> None:
    liar = added(data, held, Outcomes.of([Outcome(Result.CLEARED, 0, 16)] * held.size))
    touched = {at(data, first) for first in range(0, 120, 20) if held.overlaps(Interval(first, first + 20))}
    for report in (check(data), repair(data)):
        assert {flaw.path for flaw in report.flaws} == {liar, *touched}
        assert all("tells another outcome of deal" in flaw.reason for flaw in report.flaws)
    assert f"tells another outcome of deal {held.first} than" in next(
        flaw.reason for flaw in report.flaws if flaw.path == liar
    )
    assert refilled(data) == files(whole)


def test_any_mixture_of_damage_is_repaired(tmp_path: Path, whole: Path, foreign: Path) -> None:
    chance = random.Random(11)
    kinds = [damage for damage, _ in DAMAGE.values()]
    for turn in range(12):
        data = Path(shutil.copytree(whole, tmp_path / f"data{turn}"))
        for first in chance.sample(range(60, 120, 20), chance.randint(1, 3)):
            chance.choice([*kinds, lambda path, foreign: path.unlink()])(at(data, first), foreign)
        # Among whole files, for a lie that nothing contradicts cannot be told.
        for first in chance.sample(range(59), 2):
            held = Interval(first, chance.randint(first + 1, 60))
            lie = Outcomes.of([Outcome(Result.CLEARED, 0, 16)] * held.size)
            if not at(data, held.first, held.size).exists():
                added(data, held, chance.choice([of(whole, held), lie]))
        count = len(list(data.rglob("*.parquet*")))
        repair(data)
        assert len(list(data.rglob("*.parquet*"))) == count
        assert check(data).flaws == ()
        collect(PLAN, data, batch=20)
        assert check(data).is_whole
        assert scan([data]).sort("solver", "number").collect().equals(scan([whole]).sort("solver", "number").collect())


def test_repair_waits_for_nobody(data: Path) -> None:
    at(data, 20).write_bytes(b"")
    before = files(data)
    with Store(data).writing():
        refused = call("dataset", "check", "--repair", str(data))
        looked = call("dataset", "check", str(data), "--format", "json")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert f"process {os.getpid()}" in refused.stderr
    assert files(data) == before
    assert (looked.returncode, len(json.loads(looked.stdout)["broken"])) == (1, 1)


def test_a_file_that_goes_while_it_is_read_is_passed_over(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def goes(path: Path) -> None:
        if path == at(data, 20):
            path.unlink()
        return read_part(path)

    monkeypatch.setattr("golf_cli.sweep.audit.read_part", goes)
    report = check(data)
    assert report.flaws == ()
    assert missing(report) == {"leftmost": [Interval(20, 40)]}


def test_what_is_half_written_is_mentioned_and_no_error(data: Path) -> None:
    partial = at(data, 20).with_name(f"{at(data, 20).name}.1.partial")
    partial.write_bytes(b"half")
    report = check(data)
    assert report.is_whole
    assert report.partials == (partial,)
    assert "1 half-written file: " in written(report)
    assert json.loads(written(report, "json"))["half_written"] == [str(partial.relative_to(data))]


def test_the_command_says_what_is_wrong_and_what_to_do(data: Path) -> None:
    def told(*arguments: str, code: int) -> str:
        finished = call("dataset", "check", "data", *arguments, cwd=data.parent)
        assert (finished.returncode, finished.stderr) == (code, "")
        return finished.stdout

    assert told(code=0).endswith("\n\nnothing is broken, nothing is missing\n")
    assert told("-n", "120", code=0) == told(code=0)
    assert "120, 122 and 1 more" not in told("-n", "1e3", code=1)
    for first in range(0, 120, 40):
        at(data, first).unlink()
    at(data, 20).write_bytes(b"")
    text = told(code=1)
    assert f"{LEFTMOST.strong_id[:8]}  0..59, 80..99\n" in text
    assert "1 file broken: golf dataset check --repair data sets aside what is broken" in text
    assert "80 deals missing: golf sweep of as many deals plays them" in text
    record = json.loads(told("--format", "json", code=1))
    assert record["tasks"][0]["missing"] == [[0, 60], [80, 100]]
    assert [record["tasks"][0][key] for key in ("id", "files", "deals")] == [LEFTMOST.strong_id, 2, 40]
    assert [each["set_aside"] for each in record["broken"]] == [None]
    aside = f"{SET_ASIDE}/{at(data, 20).relative_to(data)}.1"
    assert f"  now {aside}\n" in told("--repair", code=1)
    assert call("sweep", "--solver", "leftmost", "-n", "120", "-o", "data", cwd=data.parent).returncode == 0
    assert "nothing is broken, nothing is missing" in told(code=0)


def test_many_missing_intervals_are_shortened_in_the_table_alone(tmp_path: Path) -> None:
    data = collect(Plan.of([PRESETS["classic"]], ["leftmost"], 60), tmp_path / "data", batch=2).directory
    for first in range(0, 60, 4):
        at(data, first, 2).unlink()
    report = check(data)
    assert "28..29 and 14 more" in written(report)
    assert len(json.loads(written(report, "json"))["tasks"][0]["missing"]) == 15


@pytest.mark.parametrize("command", [("check",), ("check", "--repair"), ("compact",), ("merge", "-o", "out")])
def test_what_is_no_dataset_is_refused_and_left_alone(tmp_path: Path, command: tuple[str, ...]) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.txt").write_text("one")
    for name, says in (
        ("nowhere", "nowhere is no dataset (No such file or directory)"),
        ("empty", "empty is no dataset, it is empty"),
        ("thesis", "thesis is no dataset, it holds something else (chapter.txt)"),
        ("thesis/chapter.txt", "chapter.txt is no dataset (Not a directory)"),
    ):
        finished = call("dataset", *command, name, cwd=tmp_path)
        assert (finished.returncode, finished.stdout) == (2, ""), finished
        assert f"{says}: give a directory that golf sweep wrote" in " ".join(finished.stderr.split())
    assert files(tmp_path) == {"thesis/chapter.txt": b"one"}


def test_a_dataset_without_a_sweep_is_not_whole(tmp_path: Path) -> None:
    with Store(tmp_path / "data").writing():
        pass
    assert not check(tmp_path / "data").is_whole
    assert written(check(tmp_path / "data")) == "there is no sweep in it\n"


def test_first_without_a_count_is_a_mistake(data: Path) -> None:
    finished = call("dataset", "check", str(data), "--first", "7")
    assert (finished.returncode, finished.stdout) == (2, "")
    assert "--first says where the deals of -n start: give -n as well" in " ".join(finished.stderr.split())


def test_names_that_are_not_utf8_are_told_in_escapes(data: Path) -> None:
    shutil.copy(at(data, 0), at(data, 0).with_name(os.fsdecode(b"caf\xe9.parquet")))
    finished = call("dataset", "check", "--repair", str(data))
    assert finished.returncode == 0, finished.stderr
    assert f"{LEFTMOST.directory}/caf\\xe9.parquet\n" in finished.stdout
    assert check(data).is_whole
