"""Sweeps that are interrupted, killed, or meet in one directory: real processes and real signals."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from processes import PATIENCE, Terminal, call, environment, is_running, parquet, started, until, workers

from golf_cli.rules import PRESETS
from golf_cli.sweep.plan import Plan
from golf_cli.sweep.runner import collect

CLASSIC = PRESETS["classic"]
POLICY = ("sweep", "--solver", "longest-column", "-n", "1_500_000", "--batch", "30_000", "-o", "data")
WAITING = ("sweep", "--solver", "waiting_plugins:Waits", "-n", "60", "--workers", "2", "-o", "data")


def files(directory: Path) -> int:
    return len(list(directory.rglob("*.parquet")))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of `POLICY` where nothing disturbs it."""
    plan = Plan.of([CLASSIC], ["longest-column"], 1_500_000)
    return parquet(collect(plan, tmp_path_factory.mktemp("whole") / "data", batch=30_000).directory)


def test_a_sweep_that_is_interrupted_goes_on_and_ends_as_one_run_at_once(
    tmp_path: Path, whole: dict[str, bytes]
) -> None:
    with started(*POLICY, cwd=tmp_path) as process:
        until(lambda: files(tmp_path / "data") >= 2, process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (130, "")
    assert "Interrupted. What is stored stays in data; run the same command again to go on." in err
    assert "Traceback" not in err
    stored = parquet(tmp_path / "data")
    assert 2 <= len(stored) < len(whole) == 50
    assert stored.items() <= whole.items()
    assert call(*POLICY, "-q", cwd=tmp_path).returncode == 0
    assert parquet(tmp_path / "data") == whole


def test_what_a_killed_sweep_was_writing_is_not_taken_for_a_file(tmp_path: Path) -> None:
    plan = Plan.of([CLASSIC], ["leftmost"], 100)
    store = collect(plan, tmp_path / "data", batch=50)
    path = next(store.directory.rglob("*50.parquet"))
    half = path.read_bytes()[:100]
    path.rename(path.with_name(f"{path.name}.1.partial"))
    path.with_name(f"{path.name}.1.partial").write_bytes(half)
    assert sum(interval.size for interval in store.todo(plan)[plan.tasks[0]]) == 50
    assert collect(plan, store.directory, batch=50).scan(plan).collect().height == 100


@pytest.mark.parametrize("everybody", [False, True], ids=["golf alone", "the whole group"])
def test_an_interrupt_ends_golf_and_its_workers_though_a_solver_hangs(tmp_path: Path, everybody: bool) -> None:
    with started(*WAITING, cwd=tmp_path) as process:
        until(lambda: len(workers(tmp_path)) == 2, process)
        (os.killpg if everybody else os.kill)(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (130, "")
    assert "Interrupted." in err
    assert "Traceback" not in err
    assert not any(is_running(pid) for pid in workers(tmp_path))


def test_an_interrupt_is_heard_while_the_first_deal_is_tried_out(tmp_path: Path) -> None:
    with started("sweep", "--solver", "waiting_plugins:HangsAtOnce", "-n", "9", "-o", "data", cwd=tmp_path) as process:
        until(lambda: workers(tmp_path), process)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert not (tmp_path / "data").exists()


def test_an_interrupt_that_a_worker_gets_is_golfs_to_answer(tmp_path: Path) -> None:
    with started(*WAITING, "-q", cwd=tmp_path) as process:
        until(lambda: len(workers(tmp_path)) == 2, process)
        for pid in workers(tmp_path):
            os.kill(pid, signal.SIGINT)
        (tmp_path / "go").touch()
        _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, "")
    assert len(workers(tmp_path)) == 2
    assert files(tmp_path / "data") == 8


@pytest.mark.parametrize("command", [("par", "-", "--format", "json"), ("replay", "-")], ids=["deals", "records"])
def test_what_waits_for_input_on_a_terminal_ends_by_an_interrupt(tmp_path: Path, command: tuple[str, ...]) -> None:
    with Terminal(*command, cwd=tmp_path) as terminal:
        terminal.write("pysol:2\npysol:3\n" if command[0] == "par" else "deal: pysol:2\nAC\n\n")
        terminal.until('"par"' if command[0] == "par" else "sound")
        terminal.until("\n")
        terminal.until_it_waits()
        terminal.write("\x03")
        assert terminal.process.wait(PATIENCE) == 130


def test_two_sweeps_do_not_write_to_one_directory_at_once(tmp_path: Path) -> None:
    other = ("sweep", "--solver", "leftmost", "-n", "60", "-o", "data", "--format", "json")
    with started(*WAITING, cwd=tmp_path) as process:
        until(lambda: workers(tmp_path), process)
        refusal = call(*other, cwd=tmp_path)
        assert (refusal.returncode, refusal.stdout) == (2, "")
        told = " ".join(refusal.stderr.split())
        assert f"process {process.pid} on {os.uname().nodename} is writing to data: run the same command again" in told
        (tmp_path / "go").touch()
        _, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, err
    assert files(tmp_path / "data") == 8
    assert call(*other, cwd=tmp_path).returncode == 0
    assert files(tmp_path / "data") == 9


@pytest.mark.slow
def test_a_finished_sweep_is_read_while_another_writes_beside_it(tmp_path: Path) -> None:
    done = ("sweep", "--solver", "leftmost", "-n", "60", "-o", "data", "--format", "json")
    first = call(*done, cwd=tmp_path)
    with started(*WAITING, cwd=tmp_path) as process:
        until(lambda: workers(tmp_path), process)
        again = call(*done, cwd=tmp_path)
    assert (again.returncode, again.stdout) == (0, first.stdout)


def test_a_script_without_a_guard_is_told_to_have_one(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(
        "from pathlib import Path\n"
        "from golf_cli.rules import RuleSet\n"
        "from golf_cli.sweep.plan import Plan\n"
        "from golf_cli.sweep.runner import collect\n"
        "collect(Plan.of([RuleSet()], ['plugins:Rightmost'], 40), Path('data'))\n"
    )
    finished = subprocess.run(
        [sys.executable, "script.py"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert finished.returncode == 1
    *_, last = finished.stderr.strip().splitlines()
    assert last.startswith("golf_cli.errors.PluginError: the solver plugins:Rightmost ended its worker process")
    assert "if __name__ == '__main__':" in last
