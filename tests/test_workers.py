"""Workers of a sweep: what each has for itself, how much is on the way at a time, and what is given up at an error."""

import inspect
import json
import multiprocessing
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import ClassVar, TypeVar

import pytest
from faulty_plugins import Gated
from processes import call, is_running, parquet, workers

from golf_cli.deals import registry
from golf_cli.deals.numberings import GO1
from golf_cli.rules import PRESETS, Layout
from golf_cli.solvers.exact import Exact
from golf_cli.solvers.outcome import Outcome
from golf_cli.solvers.protocol import Deals
from golf_cli.sweep import workers as workers_of_golf
from golf_cli.sweep.dealing import deal_interval
from golf_cli.sweep.events import Begun, Played, Started
from golf_cli.sweep.plan import Interval, Plan
from golf_cli.sweep.runner import collect, run
from golf_cli.sweep.store import Store
from golf_cli.sweep.workers import Local

CLASSIC = PRESETS["classic"]
T = TypeVar("T")


@pytest.mark.parametrize("rules", ["classic", "strict"])
def test_the_exact_solver_says_the_same_on_one_thread_and_on_four(tmp_path: Path, rules: str) -> None:
    plan = Plan.of([PRESETS[rules]], ["exact"], 240, first=1000)
    one, four = (parquet(collect(plan, tmp_path / str(n), Local(n), batch=60).directory) for n in (1, 4))
    assert len(one) == 4 + 1  # 1000 is no multiple of 60
    assert four == one


def test_threads_that_search_at_the_same_time_do_not_disturb_each_other() -> None:
    play = Exact().prepare(CLASSIC, 0)
    batches = [deal_interval("go1", Interval(first, first + 60), Layout()) for first in (5, 105, 205)]
    alone = [list(play(batch)) for batch in batches]  # type: ignore[arg-type]  # what a sequence offers is enough
    start = threading.Barrier(len(batches), timeout=30)

    def together(batch: Deals) -> list[Outcome]:
        start.wait()
        return list(play(batch))  # type: ignore[arg-type]

    with ThreadPoolExecutor(len(batches)) as threads:
        for _ in range(2):
            assert list(threads.map(together, batches)) == alone


@pytest.mark.parametrize("layout", [Layout(), Layout(jokers=1), Layout(open_foundation=True)], ids=str)
@pytest.mark.parametrize(("first", "stop"), [(0, 1), (0, 2), (1, 2), (1, 4), (2, 3), (2, 5)])
def test_the_documented_deal_lies_at_its_number_wherever_an_interval_ends(
    layout: Layout, first: int, stop: int
) -> None:
    for number, deal in deal_interval("go1", Interval(first, stop), layout):
        documented = number in registry.documented_numbers(layout)
        assert documented == (number == 1 and layout == Layout())
        assert deal == (registry.complete(number, layout) if documented else GO1.deal(number, layout))


class Counting(ThreadPoolExecutor):
    """Threads that count the pieces they were given."""

    submitted: ClassVar[int] = 0

    def submit(self, play: Callable[..., T], /, *piece: object) -> Future[T]:  # type: ignore[override]
        type(self).submitted += 1
        return super().submit(play, *piece)


@pytest.mark.parametrize("workers", [1, 3])
def test_twice_as_many_pieces_as_workers_are_on_the_way_and_never_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    monkeypatch.setattr(workers_of_golf, "ThreadPoolExecutor", Counting)
    monkeypatch.setattr(Counting, "submitted", 0)
    events = run(Plan.of([CLASSIC], ["leftmost"], 90), Store(tmp_path / "data"), Local(workers), batch=1)
    assert isinstance(next(events), Started)
    assert isinstance(next(events), Begun)
    # The deal that was tried out is one more.
    on_the_way = [Counting.submitted - 1 - finished for finished, _ in enumerate(events)]
    assert len(on_the_way) == Counting.submitted - 1 == 90
    assert max(on_the_way) == 2 * workers


def test_a_sweep_of_all_there_is_begins_at_once(tmp_path: Path) -> None:
    plan = Plan.of([CLASSIC], ["leftmost"], 1 << 35)
    played = run(plan, Store(tmp_path / "data"), Local(2), batch=4)
    started, *begun = islice(played, 20)
    played.close()  # type: ignore[attr-defined]  # it is a generator
    assert isinstance(started, Started)
    assert started.left == 1 << 35
    assert min(event.interval for event in begun if isinstance(event, Played)).first == 0


def test_an_interval_is_cut_as_its_parts_are_asked_for() -> None:
    cut = Interval(5, 10**18).cut(7)
    assert inspect.isgenerator(cut)
    assert list(islice(cut, 3)) == [Interval(5, 7), Interval(7, 14), Interval(14, 21)]


def test_a_sweep_that_is_given_up_does_not_play_what_was_waiting(tmp_path: Path) -> None:
    Gated.played.clear()
    Gated.gate.clear()
    played = run(Plan.of([CLASSIC], ["faulty_plugins:Gated"], 100), Store(tmp_path / "data"), Local(2), batch=10)
    assert isinstance(next(played), Started)
    assert isinstance(next(played), Begun)
    first = next(played)
    assert isinstance(first, Played)
    assert first.interval == Interval(0, 1)
    # Pieces 1 and 2 are being played until the gate opens, and piece 3 waits for a thread.
    opener = threading.Timer(0.5, Gated.gate.set)
    opener.start()
    played.close()  # type: ignore[attr-defined]  # it is a generator
    opener.join()
    assert 3 not in Gated.played
    assert max(Gated.played) <= 2


def test_an_error_ends_a_sweep_though_another_piece_would_never_end(tmp_path: Path) -> None:
    arguments = ("--solver", "waiting_plugins:FailsWhileAnotherHangs", "-n", "40", "--workers", "2", "-o", "data")
    finished = call("sweep", *arguments, cwd=tmp_path)
    assert (finished.returncode, finished.stdout) == (3, "")
    assert "ZeroDivisionError: one over nothing" in finished.stderr
    hung = workers(tmp_path)
    assert hung
    assert not any(is_running(pid) for pid in hung)


def test_what_a_solver_prints_is_not_in_what_golf_prints(tmp_path: Path) -> None:
    arguments = ("--solver", "faulty_plugins:Chatters", "-n", "20", "--workers", "2", "--format", "json")
    finished = call("sweep", *arguments, cwd=tmp_path)
    assert json.loads(finished.stdout)[0]["deals"] == 20
    assert "prepared\nplayed\n" in finished.stderr


def test_the_seed_of_a_sweep_reaches_workers_of_both_kinds(tmp_path: Path) -> None:
    for workers_of in ("random", "plugins:Rightmost"):
        store = collect(Plan.of([CLASSIC], [workers_of], 40, seed=9), tmp_path / workers_of[:6])
        assert store.scan(Plan.of([CLASSIC], [workers_of], 40, seed=9)).collect()["seed"].unique().to_list() == [9]


def test_a_sweep_that_is_left_early_ends_no_process_but_its_own(tmp_path: Path) -> None:
    bystander = multiprocessing.get_context("spawn").Process(target=time.sleep, args=(60,))
    bystander.start()
    try:
        playing = run(Plan.of([PRESETS["classic"]], ["plugins:Rightmost"], 500), Store(tmp_path / "data"), Local(1))
        assert len(list(islice(playing, 3))) == 3
        playing.close()
        assert multiprocessing.active_children() == [bystander]
        assert bystander.is_alive()
    finally:
        bystander.kill()
        bystander.join()
