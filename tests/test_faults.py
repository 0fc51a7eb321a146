"""Sweeps that are killed, run out of disk, or meet damage: real processes, signals and disks, and a rerun of each."""

import json
import os
import random
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import polars as pl
import pytest
from processes import GOLF, PATIENCE, call, environment, everything, is_running, logged, started, until, workers
from test_sweep import table

from golf_cli.rules import PRESETS
from golf_cli.sweep.audit import repair
from golf_cli.sweep.plan import Plan
from golf_cli.sweep.runner import collect

SEARCH = ("sweep", "--solver", "exact", "-n", "8000", "--batch", "80", "-o", "data", "-q")
PLAIN = ("sweep", "--solver", "plugins:Rightmost", "-n", "4000", "--workers", "2", "-o", "data", "-q")
WAITING = ("sweep", "--solver", "waiting_plugins:Waits", "-n", "60", "--workers", "2", "-o", "data")
NEVER_RESTS = ("sweep", "--solver", "waiting_plugins:NeverRests", "-n", "60", "--workers", "2", "-o", "data")


@pytest.fixture(scope="module")
def waited(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of `WAITING` where nothing disturbs it."""
    return undisturbed(WAITING, tmp_path_factory.mktemp("waiting") / "whole")


def undisturbed(arguments: tuple[str, ...], directory: Path) -> dict[str, bytes]:
    """The files that a sweep into `data` leaves where nothing disturbs it."""
    directory.mkdir()
    (directory / "go").touch()
    finished = call(*arguments, cwd=directory)
    assert finished.returncode == 0, finished.stderr
    return everything(directory / "data")


def stored(directory: Path) -> int:
    return len(list(directory.rglob("*.parquet")))


def moment(process: subprocess.Popen[str], directory: Path, choice: random.Random) -> str:
    """Wait for a moment at random: while golf starts, while it plays, or while it writes a file."""
    phase = choice.choice(["starting", "playing", "writing"])
    if phase == "starting":
        time.sleep(choice.uniform(0, 1.5))
        return phase
    more = stored(directory) + choice.randint(1, 3)
    until(lambda: stored(directory) >= more, process)
    if phase == "playing":
        time.sleep(choice.uniform(0, 0.1))
        return phase
    end = time.monotonic() + PATIENCE
    while not any(directory.rglob("*.partial")) and process.poll() is None:
        assert time.monotonic() < end
    return phase


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "kills"), [(SEARCH, 20), (PLAIN, 6)], ids=["threads, 20 times", "processes, 6 times"]
)
def test_a_sweep_that_is_killed_at_random_moments_ends_as_one_that_nothing_disturbs(
    tmp_path: Path, arguments: tuple[str, ...], kills: int
) -> None:
    whole = undisturbed(arguments, tmp_path / "whole")
    here = tmp_path / "killed"
    here.mkdir()
    choice, phases = random.Random(kills), set()
    for turn in range(kills):
        with started(*arguments, cwd=here) as process:
            phases.add(moment(process, here, choice))
            (os.killpg if turn % 2 else os.kill)(process.pid, signal.SIGKILL)
            assert process.wait(PATIENCE) == -signal.SIGKILL
        found = {name: content for name, content in everything(here).items() if name.endswith(".parquet")}
        assert {name.removeprefix("data/"): content for name, content in found.items()}.items() < whole.items()
    assert phases == {"starting", "playing", "writing"}
    again = call(*arguments, cwd=here)
    assert (again.returncode, again.stderr) == (0, "")
    assert everything(here / "data") == whole
    assert call("dataset", "check", "data", cwd=here).returncode == 0


@pytest.mark.slow
def test_workers_end_with_a_golf_that_was_killed_though_their_solver_never_rests(tmp_path: Path) -> None:
    with started(*NEVER_RESTS, "--timeout", "0", cwd=tmp_path) as process:
        until(lambda: len(workers(tmp_path)) == 2, process)
        process.send_signal(signal.SIGKILL)
        assert process.wait(PATIENCE) == -signal.SIGKILL
        until(lambda: not any(is_running(pid) for pid in workers(tmp_path)))


def test_a_sweep_survives_a_worker_that_is_killed(tmp_path: Path, waited: dict[str, bytes]) -> None:
    with started(*WAITING, "-q", cwd=tmp_path) as process:
        until(lambda: len(workers(tmp_path)) == 2, process)
        os.kill(workers(tmp_path)[0], signal.SIGKILL)
        (tmp_path / "go").touch()
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, "")
    assert "60" in out
    assert everything(tmp_path / "data") == waited
    log = logged(tmp_path / "data")
    lost = [line for line in log if line["event"] == "worker lost"]
    assert lost
    assert all(0 <= line["deals"][0] < line["deals"][1] <= 60 for line in lost)
    assert log[-1]["how"] == "done"


def test_an_interrupt_does_not_wait_for_a_thread_that_hangs(tmp_path: Path) -> None:
    with started("sweep", "--solver", "waiting_plugins:WaitsInThreads", "-n", "60", "-o", "data", cwd=tmp_path) as golf:
        until(lambda: workers(tmp_path), golf)
        golf.send_signal(signal.SIGINT)
        out, err = golf.communicate(timeout=PATIENCE)  # the sign that its threads wait for never comes
    assert (golf.returncode, out) == (130, "")
    assert "Interrupted. What is stored stays in data; run the same command again to go on." in err
    assert "Traceback" not in err
    assert logged(tmp_path / "data")[-1]["how"] == "interrupted"


@pytest.mark.parametrize(
    ("solver", "code", "told"),
    [
        pytest.param("FailsInAThread", 3, "ZeroDivisionError: one over nothing", marks=pytest.mark.slow),
        ("MovesTheDataset", 2, "cannot be written (No such file or directory): its deals are missing"),
    ],
)
def test_an_error_does_not_wait_for_a_thread_that_hangs(tmp_path: Path, solver: str, code: int, told: str) -> None:
    arguments = ("--solver", f"waiting_plugins:{solver}", "-n", "40", "--workers", "2", "-o", "data")
    finished = call("sweep", *arguments, cwd=tmp_path)
    assert (finished.returncode, finished.stdout) == (code, "")
    assert workers(tmp_path)
    assert told in " ".join(finished.stderr.split())


def test_the_lock_of_a_sweep_that_was_killed_holds_nobody_up(tmp_path: Path, waited: dict[str, bytes]) -> None:
    with started(*WAITING, cwd=tmp_path) as process:
        until(lambda: len(workers(tmp_path)) == 2, process)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(PATIENCE)
    holder = f"process {process.pid} on {os.uname().nodename}\n"
    assert (tmp_path / "data" / ".golf-dataset").read_text() == holder
    (tmp_path / "go").touch()
    again = call(*WAITING, "-q", cwd=tmp_path)
    assert (again.returncode, again.stderr) == (0, "")
    assert (tmp_path / "data" / ".golf-dataset").read_text() != holder
    assert everything(tmp_path / "data") == waited


class SmallDisk:
    """A tmpfs that this and the processes it starts see alone."""

    def __init__(self, keeper: subprocess.Popen[str], place: Path, user: bool) -> None:
        options = ["--user", "--preserve-credentials"] if user else []
        self._enter = ["nsenter", f"--target={keeper.pid}", "--mount", *options]
        self.place = place

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command in the disk's directory, to its end."""
        return subprocess.run(
            [*self._enter, "bash", "-c", 'cd "$1" && shift && exec "$@"', "bash", str(self.place), *command],
            env=environment(),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def golf(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        finished = self.run(*GOLF, *arguments)
        assert "Traceback" not in finished.stderr, finished.stderr
        return finished

    def resize(self, size: str) -> None:
        self.run("mount", "-o", f"remount,size={size}", str(self.place)).check_returncode()

    def copy(self, name: str, to: Path) -> Path:
        """A file or directory of the disk, copied to where it can be seen."""
        self.run("cp", "-r", name, str(to)).check_returncode()
        return to / name


@contextmanager
def small_disk(place: Path, size: str) -> Iterator[SmallDisk]:
    """A disk of so many bytes at a place; the test is skipped where nobody may mount one."""
    place.mkdir()
    user = ["--user", "--map-root-user"] if os.getuid() else []
    script = 'mount -t tmpfs -o size="$1" none "$2" && echo mounted && read'
    command = ["unshare", "--mount", *user, "bash", "-c", script, "bash", size, str(place)]
    try:
        keeper = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
    except FileNotFoundError as error:
        pytest.skip(f"no disk can be mounted here: {error}")
    with keeper:
        assert keeper.stdout is not None
        if keeper.stdout.readline() != "mounted\n":
            pytest.skip(f"no disk can be mounted here: {keeper.communicate()[1].strip()}")
        yield SmallDisk(keeper, place, bool(user))
        keeper.communicate("\n")


FILLING = ("sweep", "-n", "2e5", "--batch", "1e4", "-o", "data", "-q")


def test_a_full_disk_is_told_and_a_rerun_on_a_larger_one_goes_on(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "500k") as disk:
        full = disk.golf(*FILLING)
        assert (full.returncode, full.stdout) == (2, "")
        told = (
            r"Error: data/go1-classic-longest-column-\w+/\d+-\d+\.parquet cannot be written "
            r"\(No space left on device\): its deals are missing; run the same command again"
        )
        assert re.fullmatch(told, " ".join(full.stderr.split()))
        check = json.loads(disk.golf("dataset", "check", "data", "--format", "json").stdout)
        assert (check["broken"], check["half_written"]) == ([], [])
        assert 0 < check["tasks"][0]["deals"] < 200_000
        again = disk.golf(*FILLING)
        assert again.returncode == 2
        assert re.fullmatch(told, " ".join(again.stderr.split()))
        disk.resize("8m")
        assert disk.golf(*FILLING).returncode == 0
        assert disk.golf("dataset", "check", "data").returncode == 0
        seen = disk.copy("data", tmp_path)
        disk.copy("data.log", tmp_path)
    assert everything(seen) == undisturbed(FILLING, tmp_path / "whole")
    assert logged(seen)[-1]["how"] == "done"


@pytest.mark.parametrize("left", [0, *(pytest.param(left, marks=pytest.mark.slow) for left in (1, 2, 3))])
def test_a_disk_without_room_for_anything_is_told_as_such(tmp_path: Path, left: int) -> None:
    with small_disk(tmp_path / "disk", "64k") as disk:
        disk.run("bash", "-c", f"head -c {(16 - left) * 4096} /dev/zero >ballast").check_returncode()
        sweep = ("sweep", "-n", "2e4", "--batch", "1e4", "-o", "data", "-q")
        full = disk.golf(*sweep)
        assert (full.returncode, full.stdout) == (2, "")
        assert "cannot be written (No space left on device)" in " ".join(full.stderr.split())
        disk.run("rm", "ballast").check_returncode()
        disk.resize("1m")
        assert disk.golf(*sweep).returncode == 0
        seen = disk.copy("data", tmp_path)
        disk.copy("data.log", tmp_path)
    assert logged(seen)[-1]["how"] == "done"
    assert table(seen).height == 20_000


@pytest.mark.slow
def test_a_line_of_the_log_that_a_full_disk_cuts_short_spoils_no_other(tmp_path: Path) -> None:
    sweep = ("sweep", "--solver", "leftmost", "-o", "data", "-q", "-n")
    with small_disk(tmp_path / "disk", "256k") as disk:
        assert disk.golf(*sweep, "10").returncode == 0
        # The log ends 100 bytes before the end of its last block, and there is no other block left.
        filling = 16384 - 100 - int(disk.run("stat", "-c", "%s", "data.log").stdout) - len('{"event": ""}\n')
        disk.run("bash", "-c", f"""printf '{{"event": "%0{filling}d"}}\\n' 0 >>data.log""").check_returncode()
        assert disk.run("stat", "-c", "%s", "data.log").stdout == "16284\n"
        disk.run("bash", "-c", "cat /dev/zero >ballast")
        assert disk.golf(*sweep, "1000").returncode == 2
        disk.run("rm", "ballast").check_returncode()
        assert disk.golf(*sweep, "1000").returncode == 0
        disk.copy("data", tmp_path)
        log = disk.copy("data.log", tmp_path)
    assert log.stat().st_size > 16384
    assert [line["how"] for line in logged(tmp_path / "data") if line["event"] == "end"] == ["done", "done"]


PLAN = Plan.of([PRESETS["classic"]], ["leftmost"], 120)


def cut_short(path: Path, tmp_path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def emptied(path: Path, tmp_path: Path) -> None:
    path.write_bytes(b"")


def foreign(path: Path, tmp_path: Path) -> None:
    pl.DataFrame({"number": [1, 2, 3]}).write_parquet(path)


def of_another_sweep(path: Path, tmp_path: Path) -> None:
    other = collect(Plan.of([PRESETS["classic"]], ["random"], 120), tmp_path / "other", batch=40)
    path.write_bytes(next(other.directory.rglob(path.name)).read_bytes())


def of_an_older_schema(path: Path, tmp_path: Path) -> None:
    metadata = {**pl.read_parquet_metadata(path), "golf.schema": "0"}
    pl.read_parquet(path).write_parquet(path, metadata=metadata)


DAMAGE: Mapping[Callable[[Path, Path], None], str] = {
    cut_short: "is no whole Parquet file",
    emptied: "is no whole Parquet file",
    foreign: "was not written by a sweep",
    of_another_sweep: "belongs to another sweep",
    of_an_older_schema: "has version 0 of the schema",
}


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda damage: damage.__name__)
def test_a_sweep_names_a_broken_file_and_fills_its_place_once_it_is_set_aside(
    tmp_path: Path, damage: Callable[[Path, Path], None]
) -> None:
    data = collect(PLAN, tmp_path / "data", batch=40).directory
    whole = everything(data)
    path = sorted(data.rglob("*.parquet"))[1]
    damage(path, tmp_path)
    broken = path.read_bytes()
    refused = call("sweep", "--solver", "leftmost", "-n", "120", "--batch", "40", "-o", "data", "-q", cwd=tmp_path)
    assert (refused.returncode, refused.stdout) == (2, "")
    told = " ".join(refused.stderr.split())
    assert f"{path.relative_to(tmp_path)} {DAMAGE[damage]}" in told
    assert "golf dataset check --repair" in told
    assert path.read_bytes() == broken
    report = repair(data)
    assert (report.broken, report.missing) == ([], 40)
    now = everything(collect(PLAN, data, batch=40).directory)
    (aside,) = (name for name in now if name.startswith(".set-aside"))
    assert now.pop(aside) == broken
    assert now == whole
