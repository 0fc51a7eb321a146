"""Counts of games beside the outcomes of deals: stored, joined, checked and read with nothing lost or added."""

from collections.abc import Callable, Sequence
from dataclasses import astuple
from fractions import Fraction
from math import floor
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from processes import call, parquet
from test_sweep import files

from golf_cli.errors import DatasetError
from golf_cli.rules import PRESETS
from golf_cli.solvers.outcome import MOST_GAMES, Games, Outcome, Outcomes, Result
from golf_cli.stats.tally import tally, tally_of
from golf_cli.sweep.audit import check, repair
from golf_cli.sweep.joining import compact, merge
from golf_cli.sweep.parts import encoded, file_name, first_difference, read_outcomes, read_part, scan
from golf_cli.sweep.plan import Interval, Plan, Shard
from golf_cli.sweep.playing import play_interval
from golf_cli.sweep.runner import collect
from golf_cli.sweep.schema import COUNTED_SCHEMA, GAMES_SCHEMA, SCHEMA
from golf_cli.sweep.workers import Local

CLASSIC = PRESETS["classic"]
HARD_FOR = "difficulty,games=6,policy=leftmost,vary=both"
LIMITED = "difficulty,games=3,max-states=20000"
IN_PYTHON = "plugins:CountsGames"
PLAN = Plan.of([CLASSIC], [HARD_FOR, LIMITED, "leftmost"], 120)
TASK = PLAN.tasks[0]


def counts_of(frame: pl.DataFrame) -> list[tuple[int, ...]]:
    return frame.sort("number").select(GAMES_SCHEMA.names()).rows()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All of `PLAN` by one worker, in files of 40 deals."""
    return collect(PLAN, tmp_path_factory.mktemp("whole") / "data", Local(1), batch=40).directory


@pytest.mark.parametrize("solver", [HARD_FOR, LIMITED])
def test_a_row_holds_what_the_games_of_its_deal_came_to(whole: Path, solver: str) -> None:
    task = next(each for each in PLAN.tasks if each.solver == solver)
    outcomes = play_interval(task, Interval(0, 120))
    frame = scan([whole / task.directory]).collect().sort("number")
    assert outcomes.games is not None
    assert counts_of(frame) == [astuple(outcomes.games[place]) for place in range(120)]
    assert frame["result"].to_list() == [str(outcomes[place].result) for place in range(120)]
    assert frame["strokes"].null_count() == outcomes.undecided.sum()
    assert bool(outcomes.undecided.sum()) is (solver == LIMITED)


def test_only_files_of_solvers_that_count_games_have_columns_of_them(whole: Path) -> None:
    for task in PLAN.tasks:
        for path in (whole / task.directory).glob("*.parquet"):
            counts = task.solver != "leftmost"
            assert pl.read_parquet_schema(path) == (COUNTED_SCHEMA if counts else SCHEMA)
            assert pl.read_parquet_metadata(path)["golf.schema"] == ("4" if counts else "2")


def test_in_the_rows_of_a_mixed_dataset_games_that_were_not_counted_are_null(whole: Path) -> None:
    mixed = scan([whole]).collect()
    assert mixed.schema == COUNTED_SCHEMA
    plain = mixed.filter(pl.col("solver") == "leftmost")
    counts = [*GAMES_SCHEMA.names(), "par"]
    assert plain.select(counts).null_count().row(0) == (120,) * 5
    assert mixed.filter(pl.col("solver") == HARD_FOR).select(counts).null_count().row(0) == (0,) * 5
    alone = scan([whole / PLAN.tasks[2].directory]).collect()
    assert alone.schema == SCHEMA
    assert alone.equals(plain.select(SCHEMA.names()))


@pytest.mark.parametrize(
    "how", ["two workers", pytest.param("processes", marks=pytest.mark.slow), "shards", "grown", "in small files"]
)
def test_the_files_depend_on_the_plan_alone(tmp_path: Path, whole: Path, how: str) -> None:
    data = tmp_path / "data"
    if how == "two workers":
        collect(PLAN, data, Local(2), batch=40)
    elif how == "processes":
        collect(PLAN, data, Local(2, timeout=300), batch=40)
    elif how == "shards":
        shards = [tmp_path / f"shard{part}" / "data" for part in (1, 2, 3)]
        for part, shard in enumerate(shards, 1):
            collect(PLAN.part(Shard(part, 3)), shard, batch=40)
        assert merge(shards, data).is_whole
    elif how == "grown":
        collect(Plan.of([CLASSIC], [task.solver for task in PLAN.tasks], 80), data, batch=40)
        collect(PLAN, data, batch=40)
    else:
        collect(PLAN, data, batch=7)
        compact(data, batch=40)
    assert parquet(data) == parquet(whole)
    assert check(data).is_whole


def test_an_interrupted_sweep_goes_on(tmp_path: Path, whole: Path) -> None:
    data = collect(PLAN, tmp_path / "data", batch=40).directory
    for path in sorted(data.rglob("*.parquet"))[1::2]:
        path.unlink()
    assert check(data).missing == 4 * 40
    collect(PLAN, data, batch=40)
    assert files(data) == files(whole)


def test_a_solver_in_plain_python_counts_games_too(tmp_path: Path) -> None:
    plan = Plan.of([CLASSIC], [IN_PYTHON], 30)
    one, two = (collect(plan, tmp_path / str(count) / "data", Local(count), batch=8).directory for count in (1, 2))
    assert files(one) == files(two)
    assert counts_of(scan([one]).collect())[3] == (3, 1, 4, 14)


def test_a_row_holds_the_par_that_its_games_come_to(whole: Path) -> None:
    for solver in (HARD_FOR, LIMITED):
        frame = scan([whole]).filter(solver=solver).collect()
        means = [Fraction(strokes, games) for games, strokes in frame.select("games", "games_strokes").rows()]
        assert frame["par"].to_list() == [min(max(floor(mean + Fraction(1, 2)), 3), 5) for mean in means]
        assert set(frame["par"]) == {3, 4, 5}


@given(games=st.integers(1, MOST_GAMES), data=st.data())
def test_a_par_is_the_mean_rounded_half_up_whatever_the_numbers(games: int, data: st.DataObject) -> None:
    near = st.integers(-2, 2).map(lambda off: (2 * data.draw(st.integers(2, 5)) + 1) * games // 2 + off)
    strokes = data.draw(near | st.integers(-18 * games, 35 * games))
    par = min(max(floor(Fraction(strokes, games) + Fraction(1, 2)), 3), 5)
    counts = Outcomes.of([Outcome(Result.BLOCKED, 1, 0, games=Games(games, 0, strokes, 0))]).games
    assert counts is not None
    assert (counts[0].par, counts.pars.tolist(), counts.pars.dtype) == (par, [par], "u1")


def changed(path: Path, column: str, by: int) -> None:
    """Another value in the fourth row, under the same metadata."""
    rows = pl.read_parquet(path)
    fourth = pl.int_range(pl.len()) == 3
    rows = rows.with_columns(pl.when(fourth).then(pl.col(column) + by).otherwise(column).cast(rows.schema[column]))
    rows.write_parquet(path, metadata=pl.read_parquet_metadata(path))


@pytest.mark.parametrize("column", [*GAMES_SCHEMA, "par"])
def test_another_count_in_a_file_is_found(tmp_path: Path, column: str) -> None:
    data = collect(Plan.of([CLASSIC], [HARD_FOR], 40), tmp_path / "data", batch=20).directory
    path = min(data.rglob("*.parquet"))
    changed(path, column, 1)
    (flaw,) = check(data).flaws
    follows = column == "par"
    assert flaw.path == path
    assert flaw.reason == (
        "does not hold the rows of the deals 0..19" if follows else "does not hold the outcomes that were written to it"
    )
    assert repair(data).flaws[0].aside
    assert check(data).missing == 20


def test_a_count_that_is_missing_in_a_file_is_found(tmp_path: Path) -> None:
    data = collect(Plan.of([CLASSIC], [HARD_FOR], 20), tmp_path / "data").directory
    (path,) = data.rglob("*.parquet")
    rows = pl.read_parquet(path).with_columns(pl.lit(None, pl.Int32()).alias("games_strokes"))
    rows.write_parquet(path, metadata=pl.read_parquet_metadata(path))
    assert [flaw.reason for flaw in check(data).flaws] == ["does not hold the rows of the deals 0..19"]


def without_games(outcomes: Outcomes) -> Outcomes:
    return Outcomes.of_columns(outcomes.columns[:3])


def one_more_stroke(outcomes: Outcomes) -> Outcomes:
    *columns, strokes, squares = outcomes.columns
    return Outcomes.of_columns([*columns, strokes + 2, squares])


@pytest.mark.parametrize("lie", [without_games, one_more_stroke])
def test_files_that_tell_other_counts_of_the_same_deals_are_not_joined(
    tmp_path: Path, lie: Callable[[Outcomes], Outcomes]
) -> None:
    data = collect(Plan.of([CLASSIC], [HARD_FOR], 40), tmp_path / "data", batch=20).directory
    held = Interval(10, 30)
    outcomes = lie(play_interval(TASK, held))
    path = data / TASK.directory / file_name(held)
    path.write_bytes(encoded(TASK, held, outcomes))
    first = next(part for part in map(read_part, sorted(data.rglob("*.parquet"))) if part.interval == Interval(0, 20))
    assert first_difference((held, outcomes), (first.interval, read_outcomes(first))) == 10
    with pytest.raises(DatasetError, match="tells another outcome of deal 10"):
        compact(data, batch=40)
    assert all("tells another outcome" in flaw.reason for flaw in check(data).flaws)


def test_files_of_one_solver_with_counts_and_without_are_not_joined_either(tmp_path: Path) -> None:
    data = collect(Plan.of([CLASSIC], [HARD_FOR], 20), tmp_path / "data", batch=20).directory
    held = Interval(20, 40)
    path = data / TASK.directory / file_name(held)
    path.write_bytes(encoded(TASK, held, without_games(play_interval(TASK, held))))
    with pytest.raises(DatasetError, match="tells another outcome of deal 20"):
        compact(data, batch=40)


@pytest.mark.parametrize(("first", "count"), [(0, 120), (10, 60), (45, 10)])
def test_a_mixed_plan_is_counted_as_its_rows_are(whole: Path, first: int, count: int) -> None:
    plan = Plan.of([CLASSIC], [task.solver for task in PLAN.tasks], count, first)
    store = collect(plan, whole)
    counted = tally_of(store, plan)
    assert counted == tally(store.scan(plan))
    assert [each.skill is not None for each in counted] == [True, True, False]
    assert [each.skill.deals for each in counted if each.skill] == [count, count]


def test_outcomes_keep_their_counts_however_they_are_cut_and_joined() -> None:
    one = Outcomes.of([Outcome(Result.CLEARED, 0, place, games=Games(3, 1, place, 10)) for place in range(6)])
    other = Outcomes.joined([one.at(slice(0, 2)), one.at([2, 3]), one.at(slice(4, 6))])
    assert [other[place] for place in range(6)] == [one[place] for place in range(6)]
    assert not one.unlike(other).any()
    assert one.unlike(without_games(one)).all()
    assert one.at([0, 1]).unlike(one.at([0, 2])).tolist() == [False, True]
    assert [column.dtype for column in other.columns] == ["u1", "u1", "u1", "u4", "u4", "i4", "u4"]


@pytest.mark.slow
def test_a_cluster_stores_the_same_counts(tmp_path: Path) -> None:
    sweep: Sequence[str] = ("sweep", "--solver", HARD_FOR, "--solver", IN_PYTHON, "-n", "60", "-q", "-o", "data")
    for name, where in (("alone", ()), ("cluster", ("--cluster", "local:2"))):
        (tmp_path / name).mkdir()
        finished = call(*sweep, *where, cwd=tmp_path / name)
        assert (finished.returncode, finished.stderr) == (0, "")
    assert parquet(tmp_path / "alone") == parquet(tmp_path / "cluster")
