"""Sweeps and datasets where the surroundings, the records or the solvers are odder than usual."""

import ctypes
import json
import os
import subprocess
from pathlib import Path

import pytest
from processes import GOLF, PATIENCE, call, environment, parquet

from golf_cli.errors import DatasetError
from golf_cli.rules import PRESETS
from golf_cli.sweep.audit import check, repair
from golf_cli.sweep.events import Begun
from golf_cli.sweep.plan import Plan
from golf_cli.sweep.runner import collect, run
from golf_cli.sweep.store import TASK, Store

CLASSIC = PRESETS["classic"]
PLAN = Plan.of([CLASSIC], ["leftmost", "random"], 100)


def _without_privileges() -> None:
    """Root, too, is refused what the mode of a directory refuses: it gives up CAP_DAC_OVERRIDE and _READ_SEARCH."""
    for capability in (1, 2):
        ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)


def as_anybody(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run `golf` as a user for whom permissions count."""
    return subprocess.run(
        [*GOLF, *arguments],
        cwd=cwd,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        preexec_fn=_without_privileges,
    )


def test_a_directory_that_cannot_be_read_is_not_taken_for_an_empty_one(tmp_path: Path) -> None:
    data = collect(PLAN, tmp_path / "data").directory
    home = data / PLAN.tasks[1].directory
    home.chmod(0)
    try:
        for arguments in (
            ("dataset", "check", "data"),
            ("dataset", "merge", "data", "-o", "merged"),
            ("dataset", "compact", "data"),
            ("stats", "data"),
            ("sweep", "--solver", "random", "-n", "100", "-o", "data"),
        ):
            finished = as_anybody(*arguments, cwd=tmp_path)
            assert (finished.returncode, finished.stdout) == (2, ""), arguments
            assert "Permission denied" in finished.stderr
            assert "Traceback" not in finished.stderr
    finally:
        home.chmod(0o755)
    assert not (tmp_path / "merged").exists()
    assert check(data).is_whole


def test_a_dataset_in_a_directory_that_may_not_be_entered_is_told_as_such(tmp_path: Path) -> None:
    collect(PLAN, tmp_path / "closed" / "data")
    (tmp_path / "closed").chmod(0)
    try:
        finished = as_anybody("dataset", "check", "closed/data", cwd=tmp_path)
    finally:
        (tmp_path / "closed").chmod(0o755)
    assert (finished.returncode, finished.stdout) == (2, "")
    assert finished.stderr.startswith("Error: closed/data is no dataset (Permission denied)")


def test_what_every_task_is_asked_for_is_on_record_before_the_first_is_played(tmp_path: Path) -> None:
    events = run(PLAN, Store(tmp_path / "data"))
    assert isinstance(next(events), object)
    assert isinstance(next(events), Begun)
    events.close()  # type: ignore[attr-defined]  # it is a generator
    assert [holding.missing for holding in check(tmp_path / "data").holdings] == [(PLAN.interval,)] * 2


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[" * 100_000,
        '{"id": "ID", "task": "TASK", "asked": [[0, 1e400]]}',
        '{"id": "ID", "task": "TASK", "asked": [[0, 99999999999999999999999]]}',
        '{"id": "ID", "task": "TASK", "asked": [[0, true]]}',
        '{"id": "ID", "task": "TASK", "asked": [[5, 5]]}',
    ],
)
def test_a_record_of_nonsense_is_told_and_written_anew(tmp_path: Path, content: str) -> None:
    data = collect(PLAN, tmp_path / "data").directory
    task = PLAN.tasks[0]
    record = data / task.directory / TASK
    sound = record.read_bytes()
    record.write_text(content.replace("ID", task.strong_id).replace("TASK", json.dumps(task.canonical)[1:-1]))
    assert [flaw.path for flaw in check(data).broken] == [record]
    with pytest.raises(DatasetError, match="is not the record of what was asked for"):
        collect(Plan.of([CLASSIC], ["leftmost"], 120), data)
    assert repair(data).is_whole
    assert record.read_bytes() == sound


def test_a_directory_or_a_pipe_in_the_place_of_a_file_is_told(tmp_path: Path) -> None:
    data = collect(PLAN, tmp_path / "data").directory
    home = data / PLAN.tasks[0].directory
    os.mkfifo(home / "pipe.parquet")
    (home / TASK).unlink()
    (home / TASK).mkdir()
    finished = call("dataset", "check", "data", cwd=tmp_path)
    assert finished.returncode == 1
    assert "pipe.parquet\n  is no file" in finished.stdout
    assert f"{TASK}\n  is not the record of what was asked for" in finished.stdout
    assert call("sweep", "--solver", "leftmost", "-n", "120", "-o", "data", cwd=tmp_path).returncode == 2
    assert repair(data).is_whole


def test_a_dataset_within_a_dataset_is_refused(tmp_path: Path) -> None:
    data = collect(PLAN, tmp_path / "data").directory
    with pytest.raises(DatasetError, match=r"inner lies within the dataset .*data: give a directory outside of it"):
        collect(PLAN, data / "inner")
    assert check(data).is_whole


@pytest.mark.parametrize("stderr", ["2>&-", "2>/dev/full"])
@pytest.mark.parametrize("progress", ["bar", "json"])
def test_a_sweep_does_not_need_somebody_to_listen(tmp_path: Path, stderr: str, progress: str) -> None:
    command = f'"$@" sweep --solver leftmost -n 100 -o data --progress {progress} {stderr}'
    finished = subprocess.run(
        ["bash", "-c", command, "bash", *GOLF], cwd=tmp_path, env=environment(), timeout=PATIENCE, check=False
    )
    assert finished.returncode == 0
    assert len(parquet(tmp_path / "data")) == 1


@pytest.mark.parametrize("kind", ["KeyboardInterrupt", "SolverError", "UnpicklableError"])
def test_whatever_a_solver_raises_as_it_plays_is_its_own_fault(tmp_path: Path, kind: str) -> None:
    solver = f"faulty_plugins:Exits,kind={kind},when=play"
    finished = call("sweep", "--solver", solver, "-n", "8", "-o", "data", cwd=tmp_path)
    assert (finished.returncode, finished.stdout) == (3, "")
    assert f"failed on the deal 0 of go1: {'faulty_plugins.' * (kind == 'UnpicklableError')}" in finished.stderr
    assert f"{kind}: left at play" in finished.stderr


def test_an_answer_without_an_end_is_refused(tmp_path: Path) -> None:
    finished = call("sweep", "--solver", "faulty_plugins:Endless", "-n", "8", "-o", "data", cwd=tmp_path)
    assert finished.returncode == 3
    assert "it returned outcomes of shape (2,) for 1 deals" in finished.stderr


@pytest.mark.parametrize("threads", ["", ",threads=yes"])
def test_golf_ends_though_a_solver_leaves_a_thread_behind(tmp_path: Path, threads: str) -> None:
    solver = f"faulty_plugins:LeavesAThread{threads}"
    finished = call("sweep", "--solver", solver, "-n", "8", "-o", "data", "--workers", "2", cwd=tmp_path)
    assert finished.returncode == 0
    assert check(tmp_path / "data").is_whole
