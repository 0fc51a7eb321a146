"""What a sweep is: its tasks' strong ids and its intervals."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from golf_cli.deals.numberings import NUMBERINGS
from golf_cli.errors import DealError, NumberError, SolverError
from golf_cli.rules import PRESETS, RuleSet
from golf_cli.sweep.plan import Interval, Plan, Task, asked

CLASSIC = PRESETS["classic"]
CANONICAL = """\
golf sweep: 1
numbering: go1 shuffle-1+deals-1
rules: on-king=queen on-ace=two draw=any-time jokers=0 foundation=dealt
solver: exact,max-states=1000
solver version: 1
seed: 7
"""


def test_the_canonical_text_names_everything_a_row_depends_on() -> None:
    assert Task.of("go1", CLASSIC, "exact,max-states=1e3", seed=7).canonical == CANONICAL


def test_the_strong_id_is_the_sha256_of_the_canonical_text() -> None:
    task = Task.of("go1", CLASSIC, "exact,max-states=1000", seed=7)
    assert task.strong_id == hashlib.sha256(CANONICAL.encode()).hexdigest()
    assert task.strong_id == "8589a8d4b4dc109e396df0fc5a90acf68e6379b3c065fc4588687abc0a2835b1"


def test_a_task_directory_is_named_by_label_and_id() -> None:
    task = Task.of("go1", RuleSet.parse("classic,jokers=1"), "exact,max-states=1000")
    assert task.directory == f"go1-classic+jokers-1-exact+max-states-1000-{task.strong_id[:8]}"


@pytest.mark.parametrize(
    "other",
    [
        Task.of("ms", CLASSIC, "random", 0),
        Task.of("go1", PRESETS["easy"], "random", 0),
        Task.of("go1", CLASSIC, "leftmost", 0),
        Task.of("go1", CLASSIC, "random", 1),
        Task("go1", NUMBERINGS["go1"].version, CLASSIC, "random", "2", 0),
    ],
)
def test_whatever_changes_a_row_changes_the_strong_id(other: Task) -> None:
    assert other.strong_id != Task.of("go1", CLASSIC, "random", 0).strong_id


def test_rules_spelled_in_two_ways_are_one_task() -> None:
    spelled = Task.of("go1", RuleSet.parse("classic,on-king=none"), "leftmost")
    assert spelled == Task.of("go1", PRESETS["hard"], "leftmost")


def test_a_plan_holds_every_rule_set_with_every_solver_once() -> None:
    plan = Plan.of([CLASSIC, PRESETS["hard"], CLASSIC], ["leftmost", "random"], 10)
    assert [(str(task.rules), task.solver) for task in plan.tasks] == [
        ("classic", "leftmost"),
        ("classic", "random"),
        ("hard", "leftmost"),
        ("hard", "random"),
    ]
    assert plan.directory == "golf-go1-classic+hard-leftmost+random"


def test_a_plan_starts_at_the_first_number_of_its_numbering() -> None:
    assert Plan.of([CLASSIC], ["leftmost"], 10).interval == Interval(0, 10)
    assert Plan.of([CLASSIC], ["leftmost"], 10, numbering="pysol").interval == Interval(1, 11)
    assert Plan.of([CLASSIC], ["leftmost"], 10, first=5).interval == Interval(5, 15)


def test_a_count_must_be_positive_and_end_within_the_numbering() -> None:
    last = NUMBERINGS["go1"].last
    assert asked(NUMBERINGS["go1"], last, 1) == Interval(last, last + 1)
    for first, count in ((0, 0), (0, -1), (last, 2), (last + 1, 1), (0, last + 2)):
        with pytest.raises(NumberError):
            asked(NUMBERINGS["go1"], first, count)


def test_a_plan_refuses_what_cannot_be_played() -> None:
    with pytest.raises(NumberError, match="no numbering"):
        Plan.of([CLASSIC], ["leftmost"], 1, numbering="acme")
    with pytest.raises(NumberError, match="seed"):
        Plan.of([CLASSIC], ["leftmost"], 1, seed=1 << 64)
    with pytest.raises(SolverError, match="nobody"):
        Plan.of([CLASSIC], ["nobody"], 1)
    with pytest.raises(DealError, match="joker"):
        Plan.of([RuleSet.parse("easy,jokers=2")], ["leftmost"], 1, numbering="ms")


INTERVALS = st.tuples(st.integers(0, 60), st.integers(1, 20)).map(lambda pair: Interval(pair[0], sum(pair)))


@given(INTERVALS, st.lists(INTERVALS, max_size=6))
def test_what_is_missing_is_what_no_stored_interval_holds(interval: Interval, stored: list[Interval]) -> None:
    held = {number for each in stored for number in range(each.first, each.stop)}
    left = interval.without(stored)
    numbers = [number for each in left for number in range(each.first, each.stop)]
    assert numbers == [number for number in range(interval.first, interval.stop) if number not in held]
    assert all(each.size > 0 for each in left)


@given(INTERVALS, st.integers(1, 30))
def test_cuts_lie_at_multiples_of_the_size_wherever_the_interval_starts(interval: Interval, size: int) -> None:
    parts = list(interval.cut(size))
    assert [number for part in parts for number in range(part.first, part.stop)] == list(
        range(interval.first, interval.stop)
    )
    assert all(part.first % size == 0 for part in parts[1:])
    assert all(part.size <= size for part in parts)


@given(INTERVALS, INTERVALS)
def test_intervals_overlap_when_a_number_lies_in_both(one: Interval, other: Interval) -> None:
    assert one.overlaps(other) == bool(set(range(one.first, one.stop)) & set(range(other.first, other.stop)))
