"""Solvers that fail on some deals: which are named, what is stored all the same, and what a rerun makes of it."""

import json
import math
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import faulty_plugins
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from processes import PATIENCE, call, environment, everything, logged
from test_sweep import files, table

from golf_cli.errors import DealsFailedError, NumberError, PluginError
from golf_cli.rules import PRESETS
from golf_cli.solvers.outcome import Outcome
from golf_cli.solvers.protocol import Deals
from golf_cli.sweep.events import Event, Failed, Played, Started
from golf_cli.sweep.plan import Plan, Task
from golf_cli.sweep.runner import HOPELESS, collect, run
from golf_cli.sweep.store import Store
from golf_cli.sweep.workers import TIMEOUT, Local

CLASSIC = PRESETS["classic"]
MENDABLE = ("sweep", "--solver", "mendable:Mendable", "-n", "60", "--workers", "2", "-o", "data", "-q")
RAISES = {0: "raises", 5: "lies", 6: "leaves", 17: "raises", 41: "lies", 59: "raises"}
NAMED = "0, 5..6, 17, 41, 59 of go1-classic-mendable_Mendable"


def failed_deals(directory: Path) -> list[int]:
    """The deals that the log of a dataset names as failed in the last sweep, in order."""
    log = logged(directory)
    last = max(place for place, line in enumerate(log) if line["event"] == "start")
    return sorted(line["number"] for line in log[last:] if line["event"] == "failed")


def to_play(directory: Path) -> int:
    """How many deals were left to the last sweep, as its log has it."""
    return int([line for line in logged(directory) if line["event"] == "start"][-1]["left"])


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The dataset of `MENDABLE` where nothing fails."""
    return collect(Plan.of([CLASSIC], ["mendable:Mendable"], 60), tmp_path_factory.mktemp("sound") / "data").directory


def is_completed(tmp_path: Path, sound: Path) -> bool:
    """Whether the solver once mended, the same sweep completes the dataset as if nothing had been."""
    (tmp_path / "faults.json").unlink()
    finished = call(*MENDABLE, cwd=tmp_path)
    assert (finished.returncode, finished.stderr) == (0, "")
    return table(tmp_path / "data").equals(table(sound))


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("raises", r"ZeroDivisionError: one over nothing \(.*mendable.py, line \d+\)"),
        pytest.param("dies", "ended its worker process, over the deals? [0-9.]+ of go1", marks=pytest.mark.slow),
    ],
)
def test_a_solver_that_fails_ends_a_sweep_that_names_the_deals_and_keeps_what_is_stored(
    tmp_path: Path, sound: Path, fault: str, told: str
) -> None:
    (tmp_path / "faults.json").write_text(json.dumps({"41": fault}))
    finished = call(*MENDABLE, cwd=tmp_path)
    assert (finished.returncode, finished.stdout) == (3, "")
    error = " ".join(finished.stderr.split())
    assert re.search(rf"the solver mendable:Mendable .*{told}", error)
    assert error.endswith("This is a fault of that solver, not of golf.")
    first, last = re.search(r"the deals? (\d+)(?:\.\.(\d+))? of go1", error).groups()  # type: ignore[union-attr]
    assert int(first) <= 41 <= int(last or first)
    assert logged(tmp_path / "data")[-1]["how"].startswith("PluginError: the solver mendable:Mendable")
    kept = table(tmp_path / "data")["number"].to_list()
    assert kept
    assert 41 not in kept
    assert is_completed(tmp_path, sound)


def test_a_sweep_that_keeps_going_stores_all_deals_but_those_that_fail_and_names_these(
    tmp_path: Path, sound: Path
) -> None:
    (tmp_path / "faults.json").write_text(json.dumps(RAISES))
    for left in (60, len(RAISES)):
        finished = call(*MENDABLE, "--keep-going", "--format", "json", cwd=tmp_path)
        assert finished.returncode == 3
        assert json.loads(finished.stdout)[0]["deals"] == 60 - len(RAISES)
        error = " ".join(finished.stderr.split())
        assert error.startswith("Error: 6 deals failed and are not stored: " + NAMED)
        assert "The first: the solver mendable:Mendable failed on the deal 0 of go1: ZeroDivisionError" in error
        assert ". Each is in the log, data.log" in error
        assert table(tmp_path / "data")["number"].to_list() == sorted(set(range(60)) - RAISES.keys())
        assert failed_deals(tmp_path / "data") == sorted(RAISES)
        assert to_play(tmp_path / "data") == left
    assert is_completed(tmp_path, sound)
    assert call("dataset", "compact", "data", "--batch", "16", "-q", cwd=tmp_path).returncode == 0
    assert everything(tmp_path / "data") == everything(sound)


def test_one_deal_that_fails_is_told_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails_at_41(deals: Deals) -> Sequence[Outcome]:
        if 41 in deals.numbers:
            raise ZeroDivisionError
        return faulty_plugins.blocked(deals)

    monkeypatch.setattr(faulty_plugins, "answer", fails_at_41)
    plan = Plan.of([CLASSIC], ["faulty_plugins:AnswersInThreads"], 60)
    told = "^1 deal failed and is not stored: 41 of go1-classic-faulty_plugins_AnswersInThreads. The first: "
    with pytest.raises(DealsFailedError, match=told) as raised:
        collect(plan, tmp_path / "data", keep_going=True)
    assert "Each is in" not in str(raised.value)


@pytest.mark.slow
def test_deals_that_hang_or_end_their_process_are_passed_over_as_others_are(tmp_path: Path, sound: Path) -> None:
    faults = {0: "hangs", 7: "dies", 8: "dies", 23: "hangs", 50: "raises", 59: "dies"}
    (tmp_path / "faults.json").write_text(json.dumps(faults))
    finished = call(*MENDABLE, "--keep-going", "--timeout", "3", cwd=tmp_path)
    assert finished.returncode == 3
    named = "6 deals failed and are not stored: 0, 7..8, 23, 50, 59 of go1-classic-mendable_Mendable"
    assert named in " ".join(finished.stderr.split())
    assert table(tmp_path / "data")["number"].to_list() == sorted(set(range(60)) - faults.keys())
    assert failed_deals(tmp_path / "data") == sorted(faults)
    whys = {line["number"]: line["why"] for line in logged(tmp_path / "data") if line["event"] == "failed"}
    assert "took longer than 3 seconds over the deal 23 of go1, and was ended; --timeout gives it more" in whys[23]
    assert "over the deal 7 of go1" in whys[7]
    assert "ZeroDivisionError" in whys[50]
    assert any(line["event"] == "worker lost" for line in logged(tmp_path / "data"))
    assert is_completed(tmp_path, sound)


@pytest.mark.slow
def test_a_solver_that_hangs_is_ended_and_its_deals_are_named(tmp_path: Path) -> None:
    (tmp_path / "faults.json").write_text(json.dumps({"41": "hangs"}))
    finished = call(*MENDABLE, "--timeout", "2", cwd=tmp_path)
    assert (finished.returncode, finished.stdout) == (3, "")
    error = " ".join(finished.stderr.split())
    assert re.search(r"Mendable took longer than 2 seconds over the deals? [0-9.]+ of go1, and was ended", error)
    assert table(tmp_path / "data").height


@settings(max_examples=6)
@given(
    failing=st.sets(st.integers(100, 199), min_size=1, max_size=99),
    workers=st.integers(1, 4),
    batch=st.none() | st.integers(1, 120),
    seed=st.integers(0, 99),
)
def test_what_is_stored_is_what_does_not_fail_wherever_failures_lie(
    failing: set[int], workers: int, batch: int | None, seed: int
) -> None:
    plan = Plan.of([CLASSIC], ["faulty_plugins:AnswersInThreads"], 100, first=100, seed=seed)

    def fails_at_some(deals: Deals) -> Sequence[Outcome]:
        if failing & set(deals.numbers.tolist()):
            raise ZeroDivisionError
        return faulty_plugins.blocked(deals)

    with TemporaryDirectory() as directory, pytest.MonkeyPatch.context() as patch:
        store = Store(Path(directory) / "data")
        patch.setattr(faulty_plugins, "answer", fails_at_some)
        events: list[Event] = []
        with pytest.raises(DealsFailedError) as raised:
            events.extend(run(plan, store, Local(workers), batch, keep_going=True))
        assert {event.interval.first for event in events if isinstance(event, Failed)} == failing
        assert all(event.interval.size == 1 for event in events if isinstance(event, Failed))
        assert sum(event.interval.size for event in events if isinstance(event, Played)) == 100 - len(failing)
        assert table(store.directory)["number"].to_list() == sorted(set(range(100, 200)) - failing)
        assert f"{len(failing)} deal" in str(raised.value)
        patch.setattr(faulty_plugins, "answer", faulty_plugins.blocked)
        started, *_ = run(plan, store, Local(workers), batch)
        assert isinstance(started, Started)
        assert (started.stored, started.left) == (100 - len(failing), len(failing))
        whole = collect(plan, Path(directory) / "whole", Local(1))
        assert table(store.directory).equals(table(whole.directory))


def test_a_solver_that_fails_on_every_deal_is_given_up_soon(tmp_path: Path) -> None:
    arguments = ("--solver", "plugins:StopsEarly", "-n", "1e6", "--keep-going", "-o", "data", "-q")
    finished = call("sweep", *arguments, cwd=tmp_path)
    assert (finished.returncode, finished.stdout) == (3, "")
    error = " ".join(finished.stderr.split())
    assert "of go1-classic-plugins_StopsEarly, of which none could be played: it was given up" in error
    assert len(failed_deals(tmp_path / "data")) == HOPELESS
    assert not list((tmp_path / "data").rglob("*.parquet"))


@pytest.mark.parametrize("count", [3, pytest.param(2 * HOPELESS, marks=pytest.mark.slow)])
def test_a_task_that_is_given_up_keeps_no_other_from_being_played(tmp_path: Path, count: int) -> None:
    solvers = ("--solver", "plugins:TooFew", "--solver", "leftmost", "--solver", "random")
    arguments = (*solvers, "-n", str(count), "--workers", "1", "-o", "data", "--format", "json", "-q")
    alone = call("sweep", *arguments, cwd=tmp_path)
    assert (alone.returncode, alone.stdout, (tmp_path / "data").exists()) == (3, "", False)
    finished = call("sweep", *arguments, "--keep-going", cwd=tmp_path)
    assert finished.returncode == 3
    summary = {player["solver"]: player["deals"] for player in json.loads(finished.stdout)}
    assert summary == {"leftmost": count, "random": count}
    assert "it returned outcomes of shape (0,) for 1 deals" in " ".join(finished.stderr.split())
    assert failed_deals(tmp_path / "data") == list(range(min(count, HOPELESS)))


def test_a_later_task_that_fails_leaves_the_earlier_ones_stored(tmp_path: Path) -> None:
    (tmp_path / "faults.json").write_text(json.dumps({"41": "raises"}))
    solvers = ("--solver", "leftmost", "--solver", "mendable:Mendable")
    finished = call("sweep", *solvers, "-n", "60", "--workers", "1", "-o", "data", "-q", cwd=tmp_path)
    assert (finished.returncode, finished.stdout) == (3, "")
    counts = dict(table(tmp_path / "data").group_by("solver").len().rows())
    assert counts["leftmost"] == 60
    assert counts["mendable:Mendable"] < 60


def test_a_solver_that_played_before_is_not_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solver = "faulty_plugins:AnswersInThreads"
    store = collect(Plan.of([CLASSIC], [solver], 5), tmp_path / "data")

    def fails(deals: Deals) -> Sequence[Outcome]:
        raise ZeroDivisionError

    monkeypatch.setattr(faulty_plugins, "answer", fails)
    with pytest.raises(
        DealsFailedError, match=f"{2 * HOPELESS} deals failed and are not stored: 5..{2 * HOPELESS + 4}"
    ):
        collect(Plan.of([CLASSIC], [solver], 2 * HOPELESS + 5), store.directory, keep_going=True)
    with pytest.raises(PluginError) as raised:
        collect(Plan.of([CLASSIC], [solver], 5, first=1000), tmp_path / "other", keep_going=True)
    assert not isinstance(raised.value, DealsFailedError)  # nothing is stored that could be shown


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["raises", pytest.param("dies", marks=pytest.mark.slow)])
def test_deals_on_the_edges_of_files_fail_alone(tmp_path: Path, sound: Path, fault: str) -> None:
    failing = {0, 15, 16, 31, 59} if fault == "raises" else {15, 16}
    (tmp_path / "faults.json").write_text(json.dumps(dict.fromkeys(failing, fault)))
    assert call(*MENDABLE, "--keep-going", cwd=tmp_path).returncode == 3
    assert table(tmp_path / "data")["number"].to_list() == sorted(set(range(60)) - failing)
    assert is_completed(tmp_path, sound)


def test_a_timeout_lets_compiled_solvers_play_in_processes_and_gives_the_same_bytes(tmp_path: Path) -> None:
    plan = Plan.of([CLASSIC], ["exact"], 120)
    threads, processes, no_limit = (
        collect(plan, tmp_path / name, Local(2, timeout), batch=50)
        for name, timeout in (("threads", None), ("processes", 600), ("no-limit", 0))
    )
    assert files(processes.directory) == files(threads.directory) == files(no_limit.directory)
    players = [logged(store.directory)[1]["players"] for store in (threads, processes, no_limit)]
    assert players == ["2 threads", "2 processes", "2 threads"]


def test_a_solver_of_golfs_own_that_takes_too_long_is_told_too(tmp_path: Path) -> None:
    finished = call("sweep", "--solver", "exact", "-n", "5", "--timeout", "0.001", "-o", "data", cwd=tmp_path)
    assert (finished.returncode, finished.stdout, (tmp_path / "data").exists()) == (2, "", False)
    told = "the solver exact took longer than 0.001 seconds over the deal 0 of go1, and was ended; --timeout gives it"
    assert told in " ".join(finished.stderr.split())


def test_a_timeout_of_zero_is_none_and_the_default_is_for_plain_python() -> None:
    plain, compiled = (Task.of("go1", CLASSIC, solver) for solver in ("plugins:Rightmost", "leftmost"))
    for timeout, expected in ((None, (TIMEOUT, None)), (0, (None, None)), (2.5, (2.5, 2.5))):
        with Local(1, timeout).team(plain) as one, Local(1, timeout).team(compiled) as other:
            assert (one.timeout, other.timeout) == expected


@pytest.mark.parametrize("timeout", [-1, math.nan, math.inf, 1e300])
def test_a_timeout_that_cannot_be_kept_is_refused(tmp_path: Path, timeout: float) -> None:
    with pytest.raises(NumberError, match=r"a timeout of .* seconds: give 0 \(none\) to \d+"):
        Local(1, timeout)
    finished = call("sweep", "-n", "10", "--timeout", str(timeout), "-o", "data", cwd=tmp_path)
    assert (finished.returncode, finished.stdout, (tmp_path / "data").exists()) == (2, "", False)


WATCHED = {
    "a block within its time": ("with within(0.4): pass\ntime.sleep(0.6)", True),
    "no limit": ("with within(None): time.sleep(0.6)", True),
    "a block that raises": (
        "with suppress(ValueError), within(0.4):\n    raise ValueError\ntime.sleep(0.6)",
        True,
    ),
    "a sleep": ("with within(0.2): time.sleep(3600)", False),
    "a loop in Python": ("with within(0.2):\n    while True: pass", False),
    "compiled code that keeps the interpreter": ("with within(0.2): re.match('(a+)+$', 'a' * 60 + 'b')", False),
    "a long block around a short one": ("with within(0.2):\n    with within(3600): pass\n    time.sleep(3600)", False),
    "a short block in a long one": ("with within(3600):\n    with within(0.4): pass\n    time.sleep(0.6)", True),
    "a thread that hangs while others are in time": (
        "def hang():\n"
        "    with within(0.4): time.sleep(3600)\n"
        "threading.Thread(target=hang, daemon=True).start()\n"
        "while True:\n"
        "    with within(3600): time.sleep(0.01)\n",
        False,
    ),
    "threads that are all in time": (
        "def play():\n"
        "    for _ in range(200):\n"
        "        with within(60): time.sleep(0.001)\n"
        "threads = [threading.Thread(target=play) for _ in range(4)]\n"
        "for each in threads: each.start()\n"
        "for each in threads: each.join()\n",
        True,
    ),
}


@pytest.mark.parametrize(("code", "lives"), WATCHED.values(), ids=WATCHED)
def test_a_process_ends_when_a_block_takes_too_long_and_not_before(code: str, lives: bool) -> None:
    imports = (
        "import re, threading, time\nfrom contextlib import suppress\nfrom golf_cli.sweep.watchdog import within\n"
    )
    finished = subprocess.run(
        [sys.executable, "-c", f"{imports}{code}\nprint('alive')"],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (finished.returncode, finished.stdout, finished.stderr) == ((0, "alive\n", "") if lives else (1, "", ""))
