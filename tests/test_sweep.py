"""Sweeps: dealt, played, stored, resumed and read back, in real directories with real workers."""

import random
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from plugins import RightmostPlay

from golf_cli import scoring
from golf_cli.deals.numberings import LAST_MS_OF_PYSOL, NUMBERINGS
from golf_cli.deals.registry import complete
from golf_cli.errors import DatasetError, PluginError
from golf_cli.rules import PRESETS, Layout, RuleSet
from golf_cli.solvers.exact import solve
from golf_cli.solvers.outcome import Outcome, Outcomes, Result
from golf_cli.solvers.protocol import Deals
from golf_cli.sweep.dealing import deal_interval
from golf_cli.sweep.events import Event, Played
from golf_cli.sweep.parts import read_part, scan
from golf_cli.sweep.plan import Interval, Plan, Task
from golf_cli.sweep.rows import rows
from golf_cli.sweep.runner import collect, run
from golf_cli.sweep.schema import SCHEMA
from golf_cli.sweep.store import MARKER, Store
from golf_cli.sweep.workers import Local

CLASSIC = PRESETS["classic"]


def files(directory: Path) -> dict[str, bytes]:
    """Every file under a directory, by its path there; who wrote a dataset last is left out."""
    paths = (path for path in directory.rglob("*") if path.is_file() and path.name != MARKER)
    return {str(path.relative_to(directory)): path.read_bytes() for path in paths}


def played_by(events: Iterable[Event]) -> list[Played]:
    return [event for event in events if isinstance(event, Played)]


def table(directory: Path) -> pl.DataFrame:
    return scan([directory]).sort("rules", "solver", "number").collect()


@pytest.mark.parametrize(
    ("numbering", "first", "layout"),
    [
        ("go1", 0, Layout()),
        ("go1", (1 << 35) - 20, Layout()),
        ("go1", 0, Layout(jokers=2)),
        ("go1", 0, Layout(open_foundation=True)),
        ("ms", 1, Layout()),
        ("ms", (1 << 33) - 20, Layout()),
        ("pysol", LAST_MS_OF_PYSOL - 9, Layout()),
        ("pysol", 1, Layout()),
        ("pysol", 10**19, Layout()),
    ],
)
def test_an_interval_is_dealt_as_its_numbers_are_one_by_one(numbering: str, first: int, layout: Layout) -> None:
    deals = deal_interval(numbering, Interval(first, first + 20), layout)
    assert deals.numbers.tolist() == list(range(first, first + 20))
    for number, deal in deals:
        expected = NUMBERINGS[numbering].deal(number, layout)
        assert deal == (complete(number, layout) if expected.unseen else expected)


def test_the_documented_deal_is_completed_for_a_sweep() -> None:
    documented = NUMBERINGS["go1"].deal(1, Layout())
    (_, whole), *_ = list(deal_interval("go1", Interval(1, 3), Layout()))
    assert whole.columns == documented.columns
    assert whole.stock[0] == documented.stock[0]
    assert set(whole.stock[1:]) == set(documented.unseen)


def test_every_row_says_what_came_of_its_deal(tmp_path: Path) -> None:
    rules = [PRESETS["easy"], PRESETS["strict"], RuleSet.parse("hard,jokers=1")]
    store = collect(Plan.of(rules, ["exact"], 30, first=100), tmp_path / "data")
    frame = table(store.directory)
    assert frame.schema == SCHEMA
    assert frame.height == 90
    for row in frame.iter_rows(named=True):
        played = RuleSet.parse(row["rules"])
        solution = solve(NUMBERINGS["go1"].deal(row["number"], played.layout), played)
        assert row == {
            "numbering": "go1",
            "rules": row["rules"],
            "solver": "exact",
            "seed": 0,
            "number": row["number"],
            "result": str(solution.result),
            "cards_left": solution.cards_left,
            "stock_left": solution.stock_left,
            "strokes": solution.strokes,
            "points": scoring.app_points(35 - solution.cards_left, solution.cards_left),
            "plays": sum(not action.is_draw for action in solution.line),
            "draws": sum(action.is_draw for action in solution.line),
        }


@pytest.mark.parametrize("text", ["classic", "easy,jokers=2", "hard,foundation=open"])
def test_rows_of_every_end_there_is_are_scored_as_one_game_is(text: str) -> None:
    rules = RuleSet.parse(text)
    layout = rules.layout
    ends = [
        Outcome(result, cards_left, stock_left)
        for result in Result
        for cards_left in range(layout.tableau + 1)
        for stock_left in range(layout.stock + 1)
    ]
    random.Random(5).shuffle(ends)
    first = (1 << 35) - len(ends)
    frame = rows(Task.of("go1", rules, "leftmost", seed=2**64 - 1), Interval(first, 1 << 35), Outcomes.of(ends))
    assert frame.schema == SCHEMA
    for number, (row, end) in enumerate(zip(frame.iter_rows(), ends, strict=True), first):
        scores: list[int | None] = [
            end.cards_left,
            end.stock_left,
            scoring.strokes(end.cards_left, end.stock_left),
            scoring.app_points(layout.tableau - end.cards_left, end.cards_left),
            layout.tableau - end.cards_left,
            layout.stock - end.stock_left,
        ]
        told = scores if end.result.decided else [None] * 6
        assert row == ("go1", str(rules), "leftmost", 2**64 - 1, number, str(end.result), *told)


def test_a_million_rows_take_less_than_six_megabytes(tmp_path: Path) -> None:
    store = collect(Plan.of([CLASSIC], ["longest-column"], 1_000_000), tmp_path / "data")
    assert scan([store.directory]).select(pl.len()).collect().item() == 1_000_000
    assert sum(map(len, files(store.directory).values())) < 6_000_000


@pytest.mark.parametrize("solver", ["exact", "random", "longest-run", "plugins:Rightmost"])
def test_the_same_sweep_gives_the_same_bytes_whatever_the_workers(tmp_path: Path, solver: str) -> None:
    plan = Plan.of([CLASSIC], [solver], 200, first=50, seed=3)
    one, two, shifted = (
        collect(plan, tmp_path / name, Local(workers), batch).directory
        for name, workers, batch in (("one", 1, 64), ("two", 2, 64), ("shifted", 2, 33))
    )
    assert files(one) == files(two)
    assert len(files(one)) == 4 + 1  # the record of what was asked for
    # Another batch size cuts the rows into other files; the rows are the same.
    assert len(files(shifted)) == 7 + 1
    assert table(shifted).equals(table(one))


def test_a_finished_sweep_is_not_played_again(tmp_path: Path) -> None:
    plan = Plan.of([CLASSIC], ["leftmost"], 100)
    before = files(collect(plan, tmp_path / "data", batch=40).directory)
    store = Store(tmp_path / "data")
    assert store.todo(plan) == {}
    assert list(run(plan, store)) == []
    assert files(store.directory) == before


def test_a_half_finished_sweep_goes_on_and_ends_as_one_run_at_once(tmp_path: Path) -> None:
    plan = Plan.of([CLASSIC], ["leftmost", "random"], 300)
    whole = files(collect(plan, tmp_path / "whole", batch=64).directory)
    half = collect(plan, tmp_path / "half", batch=64).directory
    for path in random.Random(1).sample(sorted(half.rglob("*.parquet")), 5):
        path.unlink()
    assert sum(played.interval.size for played in played_by(run(plan, Store(half), batch=64))) < 600
    assert files(half) == whole


def test_a_sweep_grows_by_what_is_missing_alone(tmp_path: Path) -> None:
    first = collect(Plan.of([CLASSIC], ["leftmost"], 100), tmp_path / "data", batch=50)
    events = run(Plan.of([CLASSIC], ["leftmost"], 170), first, Local(1), batch=50)
    grown = [played.interval for played in played_by(events)]
    assert sorted(number for each in grown for number in range(each.first, each.stop)) == list(range(100, 170))
    assert len(list(first.directory.rglob("*.parquet"))) == 4
    assert table(first.directory)["number"].to_list() == list(range(170))


def test_tasks_share_a_directory_and_do_not_mix(tmp_path: Path) -> None:
    for rules, solver, seed in ((CLASSIC, "random", 0), (CLASSIC, "random", 1), (PRESETS["easy"], "leftmost", 0)):
        collect(Plan.of([rules], [solver], 50, seed=seed), tmp_path / "data")
    counts = scan([tmp_path / "data"]).group_by("rules", "solver", "seed").len().collect()
    assert sorted(counts.rows()) == [
        ("classic", "random", 0, 50),
        ("classic", "random", 1, 50),
        ("easy", "leftmost", 0, 50),
    ]


def test_undecided_deals_are_stored_without_a_score(tmp_path: Path) -> None:
    store = collect(Plan.of([CLASSIC], ["exact,max-states=10", "plugins:GivesUp"], 20), tmp_path / "data")
    frame = table(store.directory)
    assert set(frame["result"]) == {"undecided: state limit", "undecided: other limit"}
    for column in ("cards_left", "stock_left", "strokes", "points", "plays", "draws"):
        assert frame[column].null_count() == 40


def test_nothing_is_made_before_something_is_played(tmp_path: Path) -> None:
    run(Plan.of([CLASSIC], ["leftmost"], 10), Store(tmp_path / "data"))
    assert not (tmp_path / "data").exists()


def test_a_directory_that_holds_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("chapter one")
    with pytest.raises(DatasetError, match=r"holds something else \(thesis.txt\)"):
        Store(tmp_path)
    with pytest.raises(DatasetError, match="Not a directory"):
        Store(tmp_path / "thesis.txt")
    assert files(tmp_path) == {"thesis.txt": b"chapter one"}


def test_a_stray_file_in_a_dataset_is_no_error(tmp_path: Path) -> None:
    plan = Plan.of([CLASSIC], ["leftmost"], 10)
    store = collect(plan, tmp_path / "data")
    (store.directory / "notes.txt").write_text("what I found")
    (store.directory / plan.tasks[0].directory / "more.txt").write_text("what I found there")
    assert Store(store.directory).todo(plan) == {}
    assert table(store.directory).height == 10


@pytest.fixture
def swept(tmp_path: Path) -> tuple[Plan, Store, list[Path]]:
    plan = Plan.of([CLASSIC], ["leftmost"], 100)
    store = collect(plan, tmp_path / "data", batch=50)
    return plan, store, sorted(store.directory.rglob("*.parquet"))


@pytest.mark.parametrize("keep", [0, 10, 0.5, -1])
def test_a_broken_file_is_named_and_left_alone(swept: tuple[Plan, Store, list[Path]], keep: float) -> None:
    plan, store, (_, path) = swept
    whole = path.read_bytes()
    path.write_bytes(whole[: int(keep * len(whole)) if isinstance(keep, float) else keep])
    before = files(store.directory)
    for read in (lambda: scan([store.directory]), lambda: list(run(plan, store))):
        with pytest.raises(DatasetError, match=f"{path.name} is no whole Parquet file"):
            read()
    assert files(store.directory) == before


def test_a_parquet_file_from_elsewhere_is_named(swept: tuple[Plan, Store, list[Path]]) -> None:
    plan, store, (path, _) = swept
    pl.DataFrame({"number": [1]}).write_parquet(path.with_name("x.parquet"))
    for read in (lambda: scan([store.directory]), lambda: list(run(plan, store))):
        with pytest.raises(DatasetError, match=r"x\.parquet was not written by a sweep"):
            read()


def test_another_schema_version_is_named(swept: tuple[Plan, Store, list[Path]]) -> None:
    _, store, (path, _) = swept
    metadata = pl.read_parquet_metadata(path)
    pl.read_parquet(path).write_parquet(path, metadata={**metadata, "golf.schema": "0"})
    with pytest.raises(DatasetError, match="has version 0 of the schema"):
        scan([store.directory])


def test_the_same_deals_twice_are_refused(swept: tuple[Plan, Store, list[Path]], tmp_path: Path) -> None:
    plan, store, paths = swept
    other = collect(plan, tmp_path / "other", batch=70)
    with pytest.raises(DatasetError, match="hold the same deals of the same sweep"):
        scan([store.directory, other.directory])
    assert scan([store.directory, paths[0].parent, paths[0]]).collect().height == 100
    stolen = next(other.directory.rglob("*.parquet"))
    (paths[0].parent / stolen.name).write_bytes(stolen.read_bytes())
    with pytest.raises(DatasetError, match="each deal counts once"):
        list(run(plan, Store(store.directory)))


def test_a_file_of_another_sweep_is_refused(swept: tuple[Plan, Store, list[Path]], tmp_path: Path) -> None:
    plan, store, paths = swept
    foreign = next(collect(Plan.of([CLASSIC], ["random"], 100), tmp_path / "other").directory.rglob("*.parquet"))
    paths[1].write_bytes(foreign.read_bytes())
    with pytest.raises(DatasetError, match="belongs to another sweep"):
        list(run(plan, Store(store.directory)))


def test_two_versions_of_a_solver_do_not_add_up(tmp_path: Path) -> None:
    store = Store(tmp_path / "data")
    outcomes = Outcomes.of([Outcome(Result.BLOCKED, 3, 0)] * 5)
    for version, first in (("1", 0), ("2", 5)):
        task = Task("go1", "1", CLASSIC, "some:Player", version)
        store.prepare(task, [Interval(first, first + 5)])
        store.write(task, Interval(first, first + 5), outcomes)
    with pytest.raises(DatasetError, match="different versions"):
        scan([store.directory])


def test_a_stored_interval_is_never_overwritten(swept: tuple[Plan, Store, list[Path]]) -> None:
    plan, store, (path, _) = swept
    before = path.read_bytes()
    with pytest.raises(DatasetError, match="was not overwritten"):
        store.write(plan.tasks[0], Interval(0, 50), Outcomes.of([Outcome(Result.CLEARED, 0, 16)] * 50))
    assert path.read_bytes() == before


def test_a_directory_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    for directory in (tmp_path / "file" / "data", Path("/proc/golf")):
        with pytest.raises(DatasetError, match="cannot be"):
            collect(Plan.of([CLASSIC], ["leftmost"], 10), directory)


def test_no_dataset_to_scan_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="no such directory"):
        scan([tmp_path / "nowhere"])
    with pytest.raises(DatasetError, match="holds no Parquet file"):
        scan([tmp_path])


def test_a_file_names_its_sweep_and_interval(swept: tuple[Plan, Store, list[Path]]) -> None:
    plan, _, (path, _) = swept
    part = read_part(path)
    task = plan.tasks[0]
    assert (part.strong_id, part.task, part.interval) == (task.strong_id, task.canonical, Interval(0, 50))


def test_a_plugin_in_plain_python_plays_in_worker_processes(tmp_path: Path) -> None:
    store = collect(Plan.of([CLASSIC], ["plugins:Rightmost"], 40), tmp_path / "data", Local(2))
    deals = deal_interval("go1", Interval(0, 40), Layout())
    expected = rows(
        Task.of("go1", CLASSIC, "plugins:Rightmost"), Interval(0, 40), Outcomes.of(list(RightmostPlay(CLASSIC)(deals)))
    )
    assert table(store.directory).equals(expected)


@pytest.mark.parametrize(
    ("solver", "says"),
    [
        ("plugins:Raises", r"the deal 0 of go1: ZeroDivisionError: one over nothing \(.*plugins.py, line \d+\)"),
        ("plugins:Raises,at=20", r"failed on the deals 16..23 of go1: ZeroDivisionError"),
        ("plugins:TooFew", "it returned outcomes of shape \\(0,\\) for 1 deals"),
        ("plugins:ClearsWithCardsLeft", "result 0 with 3 cards and 0 stock cards left for deal 0"),
        ("plugins:StopsEarly", "result 1 with 3 cards and 5 stock cards left for deal 0"),
        ("plugins:RaisesInProcess", r"ended its worker process, .* `if __name__ == '__main__':`"),
    ],
)
def test_a_broken_plugin_is_told_from_a_broken_golf(tmp_path: Path, solver: str, says: str) -> None:
    with pytest.raises(PluginError, match=says):
        collect(Plan.of([CLASSIC], [solver], 40), tmp_path / "data", Local(1))


def test_a_fault_of_golf_itself_is_not_blamed_on_a_plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("golf_cli.solvers.policies.play_rows", broken)
    with pytest.raises(ZeroDivisionError):
        collect(Plan.of([CLASSIC], ["leftmost"], 40, seed=987), tmp_path / "data")


def test_batches_reach_a_solver_as_arrays_of_its_layout() -> None:
    deals = deal_interval("go1", Interval(0, 4), Layout(jokers=1))
    assert isinstance(deals, Deals)
    assert deals.cards.shape == (4, 53)
    assert deals.heights.tolist() == [5] * 7
    assert (deals.cards.dtype, deals.numbers.dtype) == (np.uint8, np.uint64)
