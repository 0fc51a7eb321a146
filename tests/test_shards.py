"""Parts of a sweep for many machines: what each plays, and that together they are one run."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from processes import call, everything
from test_sweep import table

from golf_cli.errors import NumberError
from golf_cli.rules import PRESETS
from golf_cli.sweep.plan import Interval, Plan, Shard
from golf_cli.sweep.runner import collect

CLASSIC = PRESETS["classic"]


@given(st.integers(0, 2**64), st.integers(1, 2**40), st.data())
def test_shards_are_equal_parts_that_follow_each_other(first: int, size: int, data: st.DataObject) -> None:
    whole = Interval(first, first + size)
    count = data.draw(st.integers(1, min(size, 300)))
    parts = [whole.shard(Shard(part, count)) for part in range(1, count + 1)]
    assert (parts[0].first, parts[-1].stop) == (whole.first, whole.stop)
    assert all(one.stop == other.first for one, other in pairwise(parts))
    sizes = {part.size for part in parts}
    assert 1 <= min(sizes) <= max(sizes) <= min(sizes) + 1


def test_more_parts_than_deals_are_refused() -> None:
    assert Interval(5, 8).shard(Shard(3, 3)) == Interval(7, 8)
    with pytest.raises(NumberError, match="3 deals in 4 parts: give at most 3"):
        Interval(5, 8).shard(Shard(1, 4))


def test_a_shard_is_written_as_which_of_how_many() -> None:
    assert Shard.parse("3/8") == Shard(3, 8)
    assert Shard.parse("8/8") == Shard(8, 8)
    assert Shard.parse("1/1e3") == Shard(1, 1000)


@pytest.mark.parametrize("text", ["0/8", "9/8", "-1/8", "3", "", "3/0", "3/", "/8", "1/2/3", "3\\8", "1.5/8", "a/b"])
def test_a_text_that_is_no_shard_is_refused(text: str) -> None:
    with pytest.raises(
        NumberError, match=f"^'{re.escape(text)}' is no shard: write K/N, such as 3/8, with K from 1 to N"
    ):
        Shard.parse(text)


def test_the_command_refuses_what_is_no_shard(tmp_path: Path) -> None:
    for shard, told in (("9/8", "'--shard'"), ("3", "such as 3/8"), ("1/101", "100 deals in 101 parts")):
        finished = call("sweep", "-n", "100", "--shard", shard, cwd=tmp_path)
        assert (finished.returncode, finished.stdout) == (2, "")
        assert told in " ".join(finished.stderr.split())
    assert list(tmp_path.iterdir()) == []


def test_a_shard_plays_its_part_into_a_directory_that_says_so(tmp_path: Path) -> None:
    arguments = ("--solver", "leftmost", "-n", "100", "--first", "50", "--shard", "3/8")
    finished = call("sweep", *arguments, cwd=tmp_path)
    assert finished.returncode == 0
    assert finished.stderr.startswith("golf-go1-classic-leftmost-3-of-8: deals 75..86 of go1")
    assert {path.name for path in tmp_path.iterdir()} == {
        "golf-go1-classic-leftmost-3-of-8",
        "golf-go1-classic-leftmost-3-of-8.log",
    }
    assert table(tmp_path / "golf-go1-classic-leftmost-3-of-8")["number"].to_list() == list(range(75, 87))


def test_shards_have_the_strong_ids_of_the_whole_and_names_of_their_own() -> None:
    plan = Plan.of([CLASSIC], ["leftmost", "random"], 100)
    parts = [plan.part(Shard(part, 8)) for part in range(1, 9)]
    assert {part.tasks for part in parts} == {plan.tasks}
    assert len({part.directory for part in (*parts, plan)}) == 9
    long = Plan.of([CLASSIC], [f"exact,max-states={number}" for number in range(1000, 1020)], 100)
    assert long.part(Shard(1, 2)).directory == f"{long.directory}-1-of-2"


def test_eight_shards_that_are_merged_and_made_compact_are_one_run(tmp_path: Path) -> None:
    plan = Plan.of([CLASSIC, PRESETS["easy"]], ["leftmost"], 1000, first=7)
    whole = collect(plan, tmp_path / "whole", batch=100).directory
    for part in range(1, 9):
        collect(plan.part(Shard(part, 8)), tmp_path / f"data-{part}-of-8", batch=100)
    merged = call("dataset", "merge", *(f"data-{part}-of-8" for part in range(1, 9)), "-o", "data", cwd=tmp_path)
    assert merged.returncode == 0, merged.stderr
    assert table(tmp_path / "data").equals(table(whole))
    assert len(everything(tmp_path / "data")) > len(everything(whole))
    assert call("dataset", "compact", "data", "--batch", "100", cwd=tmp_path).returncode == 0
    assert everything(tmp_path / "data") == everything(whole)


def test_a_shard_that_is_run_into_the_dataset_of_the_others_fills_its_part(tmp_path: Path) -> None:
    plan = Plan.of([CLASSIC], ["leftmost"], 1000)
    for part in (2, 1, 2):
        store = collect(plan.part(Shard(part, 2)), tmp_path / "data", batch=250)
    assert store.todo(plan) == {}
    assert everything(store.directory) == everything(collect(plan, tmp_path / "whole", batch=250).directory)
