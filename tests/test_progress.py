"""What a running sweep tells: to a person by a bar, to a program by lines of JSON, and to later by its log."""

import fcntl
import json
import math
import os
import platform
import pty
import re
import socket
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Sequence
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

import faulty_plugins
import pytest
from hypothesis import given
from hypothesis import strategies as st
from processes import GOLF, PATIENCE, call, environment, logged

from golf_cli import __version__
from golf_cli.errors import DealsFailedError, PluginError
from golf_cli.rules import PRESETS
from golf_cli.solvers.outcome import Outcome
from golf_cli.solvers.protocol import Deals
from golf_cli.stats.progress import Progress
from golf_cli.sweep.events import Event, Failed, Lost, Played, Started
from golf_cli.sweep.plan import Interval, Plan
from golf_cli.sweep.runner import collect, run
from golf_cli.sweep.store import Store
from golf_cli.sweep.workers import Local

CLASSIC = PRESETS["classic"]
PLAN = Plan.of([CLASSIC], ["leftmost", "random"], 2000)


@st.composite
def histories(draw: st.DrawFn) -> list[tuple[float, Event]]:
    """What might happen in a sweep of two tasks, each event with the seconds that pass before it."""
    stored, left = draw(st.integers(0, 99)), draw(st.integers(5000, 9999))
    events: list[Event] = [Started(PLAN, PLAN.tasks, "2 workers", stored, left)]
    for task in PLAN.tasks:
        for _ in range(draw(st.integers(0, 6))):
            size = draw(st.integers(1, 100))
            cleared = draw(st.integers(0, size))
            undecided = draw(st.integers(0, size - cleared))
            played = Played(task, Interval(0, size), cleared, undecided, 1.0)
            others: list[Event] = [Lost(task, Interval(0, size)), Failed(task, Interval(7, 8), "it failed")]
            events.append(draw(st.sampled_from([played, *others])))
    return [(draw(st.floats(0, 100)), event) for event in events]


def wilson(hits: int, trials: int) -> tuple[float, float]:
    """The interval of a share, by trial: the shares that lie within z deviations of what was seen."""
    if not trials:
        return 0.0, 1.0
    z, seen = 1.959963984540054, hits / trials

    def end(inside: float, outside: float) -> float:
        for _ in range(60):
            middle = (inside + outside) / 2
            near = abs(seen - middle) <= z * math.sqrt(middle * (1 - middle) / trials)
            inside, outside = (middle, outside) if near else (inside, middle)
        return inside

    return end(seen, 0.0), end(seen, 1.0)


@given(histories(), st.floats(0, 100))
def test_progress_counts_as_a_person_would(history: list[tuple[float, Event]], after: float) -> None:
    now = [1000.0]
    progress = Progress(lambda: now[0])
    for wait, event in history:
        now[0] += wait
        progress.take(event)
    now[0] += after
    (first, started), *rest = history
    assert isinstance(started, Started)
    seconds = now[0] - (1000.0 + first)  # as the clock shows it, which rounds
    played = [event for _, event in rest if isinstance(event, Played)]
    failed = [event for _, event in rest if isinstance(event, Failed)]
    done = sum(event.interval.size for event in played) + len(failed)
    present = rest[-1][1].task if rest else None  # type: ignore[union-attr]
    deals = sum(event.interval.size for event in played if event.task == present)
    cleared = sum(event.cleared for event in played if event.task == present)
    undecided = sum(event.undecided for event in played if event.task == present)
    record = progress.record()
    assert (progress.stored, record["total"], record["done"]) == (started.stored, started.left, done)
    assert (record["failed"], record["lost"]) == (len(failed), len(rest) - len(played) - len(failed))
    assert record["task"] == (present.label if present else None)
    assert record["seconds"] == pytest.approx(seconds, abs=1e-3)
    assert progress.rate == pytest.approx(done / seconds if seconds > 1e-9 else progress.rate)
    if done and seconds > 1e-9:
        assert progress.seconds_left == pytest.approx((started.left - done) * seconds / done)
    assert record["win_rate"] == (cleared / (deals - undecided) if deals > undecided else None)
    assert record["win_low"] == pytest.approx(wilson(cleared, deals)[0], abs=1e-9)
    assert record["win_high"] == pytest.approx(wilson(cleared + undecided, deals)[1], abs=1e-9)
    assert json.loads(json.dumps(record)) == record


def test_progress_knows_no_rate_before_the_first_deal() -> None:
    progress = Progress(lambda: 5.0)
    progress.take(Started(PLAN, PLAN.tasks, "2 workers", 0, 100))
    assert (progress.rate, progress.seconds_left, progress.win_rate) == (0.0, None, None)


def lines(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def test_lines_of_json_follow_a_sweep_and_add_up(tmp_path: Path) -> None:
    arguments = ("sweep", "--solver", "leftmost", "--solver", "random", "-n", "5000", "-o", "data", "--format", "json")
    finished = call(*arguments, "--progress", "json", cwd=tmp_path)
    assert finished.returncode == 0
    *told, note = lines(finished.stderr)
    assert note == {"event": "note", "text": "data: deals 0..4999 of go1, dealt by golf's own shuffle"}
    assert {line["event"] for line in told} == {"progress", "end"}
    end = told[-1]
    assert (end["event"], end["done"], end["total"], end["failed"], end["lost"]) == ("end", 10_000, 10_000, 0, 0)
    assert (end["task"], end["seconds_left"]) == ("go1-classic-random", 0.0)
    (random,) = (player for player in json.loads(finished.stdout) if player["solver"] == "random")
    assert end["win_rate"] == random["win_rate"]
    assert all(line.keys() == end.keys() for line in told)
    dones = [line["done"] for line in told]
    assert dones == sorted(dones, key=lambda done: int(str(done)))
    again = call(*arguments, "--progress", "json", cwd=tmp_path)
    end, note = lines(again.stderr)
    assert (end["event"], end["done"], end["total"]) == ("end", 0, 0)
    assert str(note["text"]).endswith("all stored already")
    assert again.stdout == finished.stdout


def test_lines_of_json_tell_what_went_wrong_and_end_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "faults.json").write_text('{"7": "raises", "8": "dies"}')
    arguments = ("--solver", "mendable:Mendable", "-n", "20", "--workers", "1", "-o", "data", "--keep-going")
    finished = call("sweep", *arguments, "--progress", "json", cwd=tmp_path)
    assert finished.returncode == 3
    told, error = finished.stderr.split("\nError: ")
    assert error.startswith("2 deals failed and are not stored: 7..8 of go1-classic-mendable_Mendable")
    failed = {line["number"]: line for line in lines(told) if line["event"] == "failed"}
    assert failed.keys() == {7, 8}
    assert "ZeroDivisionError" in str(failed[7]["why"])
    lost = [line for line in lines(told) if line["event"] == "worker lost"]
    assert lost
    assert {line["task"] for line in (*failed.values(), *lost)} == {"go1-classic-mendable_Mendable"}
    end = lines(told)[-1]
    assert (end["event"], end["done"], end["total"], end["failed"], end["lost"]) == ("end", 20, 20, 2, len(lost))


def shown_on_a_terminal(*arguments: str, cwd: Path) -> str:
    """What golf writes to standard error where that is a terminal."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    with subprocess.Popen(
        [*GOLF, *arguments], cwd=cwd, env=environment(), stdout=subprocess.DEVNULL, stderr=slave
    ) as process:
        os.close(slave)
        shown = b""
        try:
            while content := os.read(master, 65536):
                shown += content
        except OSError:  # how Linux says that nobody has the other end open
            pass
        assert process.wait(PATIENCE) == 0
    os.close(master)
    return shown.decode()


def test_a_bar_on_a_terminal_shows_the_win_rate_with_its_interval(tmp_path: Path) -> None:
    sweep = ("sweep", "--solver", "leftmost", "-n", "20000")
    shown = shown_on_a_terminal(*sweep, "-o", "data", cwd=tmp_path)
    assert re.search(r"100%\|.*20\.0k/20\.0k \[.* deals/s, win rate 0\.\d+ % \(0\.\d+-\d\.\d+\)\]", shown)
    assert "data: deals 0..19999 of go1, dealt by golf's own shuffle" in shown
    assert "win rate" not in shown_on_a_terminal(*sweep, "-o", "data", cwd=tmp_path)  # nothing was left to play
    assert shown_on_a_terminal(*sweep, "-o", "quiet", "-q", "--progress", "bar", cwd=tmp_path) == ""
    without = shown_on_a_terminal(*sweep, "-o", "none", "--progress", "none", cwd=tmp_path)
    assert without == "none: deals 0..19999 of go1, dealt by golf's own shuffle\r\n"


def test_no_bar_goes_to_what_is_no_terminal(tmp_path: Path) -> None:
    sweep = ("sweep", "--solver", "leftmost", "-n", "2000")
    assert (
        call(*sweep, "-o", "data", cwd=tmp_path).stderr == "data: deals 0..1999 of go1, dealt by golf's own shuffle\n"
    )
    for silent in ("bar", "json"):
        assert call(*sweep, "-o", f"quiet-{silent}", "-q", "--progress", silent, cwd=tmp_path).stderr == ""


def test_the_log_says_what_ran_where_and_adds_up(tmp_path: Path) -> None:
    store = collect(PLAN, tmp_path / "data", Local(2), batch=300)
    start, *tasks, end = logged(store.directory)
    versions = {"golf": __version__, "python": platform.python_version()}
    versions |= {name: version(name) for name in ("numpy", "numba", "polars")}
    assert {name: start[name] for name in versions} == versions
    assert (start["host"], start["process"], start["machine"]) == (
        socket.gethostname(),
        os.getpid(),
        platform.machine(),
    )
    assert (start["system"], start["processors"], start["command"]) == (platform.platform(), os.cpu_count(), sys.argv)
    assert (start["deals"], start["stored"], start["left"]) == ([0, 2000], 0, 4000)
    assert start["crew"] == "2 workers of this machine"
    assert start["tasks"] == {task.label: task.strong_id for task in PLAN.tasks}
    assert [line["players"] for line in tasks] == ["2 threads"] * 2
    assert [line["event"] for line in (start, *tasks, end)] == ["start", "task", "task", "end"]
    for line, task in zip(tasks, PLAN.tasks, strict=True):
        rows = store.scan(PLAN).filter(solver=task.solver).collect()
        assert (line["task"], line["id"], line["deals"]) == (task.label, task.strong_id, 2000)
        assert line["cleared"] == rows.filter(result="cleared").height
        assert line["cleared"] > 0
        assert (line["undecided"], line["failed"]) == (0, 0)
        assert 0 < line["worker_seconds"] <= 2 * (line["seconds"] + 0.001)  # there are two workers
    assert sum(line["seconds"] for line in tasks) <= end["seconds"] + 0.002
    assert end["how"] == "done"
    moments = [datetime.fromisoformat(line["time"]) for line in (start, *tasks, end)]
    assert moments == sorted(moments)
    assert all(moment.utcoffset() is not None for moment in moments)


def test_the_time_of_a_task_begins_before_its_first_deal_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def rests(deals: Deals) -> Sequence[Outcome]:
        time.sleep(0.05)
        return faulty_plugins.blocked(deals)

    monkeypatch.setattr(faulty_plugins, "answer", rests)
    rules = [CLASSIC, PRESETS["easy"]]
    store = collect(Plan.of(rules, ["faulty_plugins:AnswersInThreads"], 1), tmp_path / "data", Local(1))
    for task in logged(store.directory)[1:3]:
        assert 0 < task["worker_seconds"] <= task["seconds"] + 0.001


def test_the_log_grows_by_each_sweep_that_plays_something(tmp_path: Path) -> None:
    collect(PLAN, tmp_path / "data")
    before = logged(tmp_path / "data")
    collect(PLAN, tmp_path / "data")
    assert logged(tmp_path / "data") == before
    collect(Plan.of([CLASSIC], ["leftmost"], 2500), tmp_path / "data")
    grown = logged(tmp_path / "data")
    assert grown[: len(before)] == before
    start, task, end = grown[len(before) :]
    assert (start["stored"], start["left"], task["deals"], end["how"]) == (2000, 500, 500, "done")


def test_the_log_says_how_a_sweep_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, error, how in (
        ("interrupted", KeyboardInterrupt(), "interrupted"),
        ("failed", PluginError("it failed"), "PluginError: it failed"),
        ("golf's own fault", ZeroDivisionError("one over nothing"), "ZeroDivisionError: one over nothing"),
    ):
        raised = error

        def breaks(*_: object, raised: BaseException = raised) -> None:
            raise raised

        playing = run(PLAN, Store(tmp_path / name), batch=300)
        assert isinstance(next(playing), Started)
        with monkeypatch.context() as patch:
            patch.setattr(Store, "put", breaks)
            with pytest.raises(type(error)):
                list(playing)
        assert logged(tmp_path / name)[-1]["how"] == how
    playing = run(PLAN, Store(tmp_path / "left"))
    next(playing)
    playing.close()  # type: ignore[attr-defined]  # it is a generator
    assert logged(tmp_path / "left")[-1]["how"] == "left early"


def test_undecided_and_failed_deals_are_in_the_log(tmp_path: Path) -> None:
    collect(Plan.of([CLASSIC], ["exact,max-states=1"], 50), tmp_path / "data")
    (_, task, _) = logged(tmp_path / "data")
    assert 0 < task["undecided"] <= 50
    with pytest.raises(DealsFailedError):
        collect(Plan.of([CLASSIC], ["plugins:Raises,at=5"], 8), tmp_path / "other", Local(1), keep_going=True)
    log = logged(tmp_path / "other")
    assert [line["event"] for line in log] == ["start", "failed", "task", "end"]
    assert (log[1]["number"], log[2]["deals"], log[2]["failed"]) == (5, 7, 1)
    assert log[1]["task"] == log[2]["task"] == "go1-classic-plugins_Raises+at-5"
    assert log[3]["how"].startswith("DealsFailedError: 1 deal failed and is not stored: 5 of")


def test_a_log_that_cannot_be_written_ends_no_sweep(tmp_path: Path) -> None:
    (tmp_path / "data.log").mkdir()
    finished = call("sweep", "--solver", "leftmost", "-n", "100", "-o", "data", cwd=tmp_path)
    assert finished.returncode == 0
    assert "100" in finished.stdout
    assert list((tmp_path / "data.log").iterdir()) == []


def test_a_log_lies_beside_a_directory_of_any_name(tmp_path: Path) -> None:
    for name in ("data.log", ".", "a b.c", ".hidden"):
        where = tmp_path / f"{len(name)}" / name
        where.resolve().parent.mkdir(exist_ok=True)
        where.mkdir(exist_ok=True)
        store = collect(Plan.of([CLASSIC], ["leftmost"], 5), where)
        assert logged(store.directory.resolve())[-1]["how"] == "done"
        assert not list(store.directory.glob("*.log"))
