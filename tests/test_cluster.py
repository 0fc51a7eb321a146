"""Sweeps on a Dask cluster: a real scheduler and real workers on this machine, and what happens when they go."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from clusters import NANNY_GIVES_UP, Scheduler, scheduler, session
from processes import GOLF, PATIENCE, call, environment, is_running, parquet, started, until, workers

import golf_cli
from golf_cli.errors import WorkerError
from golf_cli.sweep.cluster import Cluster

SOLVERS = ("exact", "leftmost", "difficulty,games=2", "plugins:Rightmost")
SWEEP = ("sweep", *(word for solver in SOLVERS for word in ("--solver", solver)), "-n", "300", "-q")
WAITING = ("sweep", "--solver", "waiting_plugins:Waits", "-n", "60", "-o", "data", "-q")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scheduler]:
    """A cluster of two workers, each with a nanny."""
    with scheduler(tmp_path_factory.mktemp("cluster"), NANNY_GIVES_UP) as shared:
        shared.worker("--nworkers", "2")
        yield shared


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, bytes]]:
    """What `SWEEP` prints and stores on one machine."""
    directory = tmp_path_factory.mktemp("alone")
    return call(*SWEEP, "-o", "data", cwd=directory).stdout, parquet(directory / "data")


@pytest.fixture(scope="module")
def waited(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What `WAITING` stores where nothing disturbs it."""
    directory = tmp_path_factory.mktemp("waited")
    (directory / "go").touch()
    assert call(*WAITING, cwd=directory).returncode == 0
    return parquet(directory / "data")


@pytest.mark.parametrize("where", ["a scheduler", "local:2"])
def test_a_cluster_stores_and_prints_to_the_byte_what_one_machine_does(
    tmp_path: Path, cluster: Scheduler, alone: tuple[str, dict[str, bytes]], where: str
) -> None:
    address = cluster.address if where == "a scheduler" else where
    finished = call(*SWEEP, "-o", "data", "--cluster", address, cwd=tmp_path)
    assert (finished.returncode, finished.stderr) == (0, "")
    assert (finished.stdout, parquet(tmp_path / "data")) == alone
    log = [json.loads(line) for line in (tmp_path / "data.log").read_text().splitlines()]
    assert log[0]["crew"] == f"the cluster {address}"
    assert {line["players"] for line in log if line["event"] == "task"} == {f"2 threads of the cluster {address}"}


@pytest.mark.slow
def test_what_a_solver_prints_is_not_in_what_golf_prints(tmp_path: Path) -> None:
    chatters = ("sweep", "--solver", "faulty_plugins:Chatters", "-n", "20", "--format", "json", "-q")
    finished = call(*chatters, "--cluster", "local:2", cwd=tmp_path)
    assert json.loads(finished.stdout)[0]["deals"] == 20
    assert set(finished.stderr.split()) == {"loaded", "prepared", "played"}


@pytest.mark.parametrize("nanny", [pytest.param("--nanny", marks=pytest.mark.slow), "--no-nanny"])
def test_the_deals_of_a_worker_that_was_killed_are_played_by_another(
    tmp_path: Path, waited: dict[str, bytes], nanny: str
) -> None:
    with scheduler(tmp_path, NANNY_GIVES_UP) as few:
        few.worker(nanny)
        few.worker(nanny)
        with started(*WAITING, "--cluster", few.address, cwd=tmp_path) as golf:
            until(lambda: len(workers(tmp_path)) == 2, golf)
            os.kill(workers(tmp_path)[0], signal.SIGKILL)
            (tmp_path / "go").touch()
            _, err = golf.communicate(timeout=PATIENCE)
    assert (golf.returncode, err) == (0, "")
    assert parquet(tmp_path / "data") == waited
    log = [json.loads(line) for line in (tmp_path / "data.log").read_text().splitlines()]
    assert "worker lost" in {line["event"] for line in log}


@pytest.mark.slow
def test_a_scheduler_that_plays_again_what_a_lost_worker_was_at_needs_no_help(
    tmp_path: Path, waited: dict[str, bytes]
) -> None:
    with scheduler(tmp_path) as few:
        few.worker("--nworkers", "2")
        with started(*WAITING, "--cluster", few.address, cwd=tmp_path) as golf:
            until(lambda: len(workers(tmp_path)) == 2, golf)
            os.kill(workers(tmp_path)[0], signal.SIGKILL)
            (tmp_path / "go").touch()
            _, err = golf.communicate(timeout=PATIENCE)
    assert (golf.returncode, err) == (0, "")
    assert parquet(tmp_path / "data") == waited


@pytest.mark.slow
def test_golf_waits_for_a_first_worker_and_where_all_are_gone_for_a_new_one(
    tmp_path: Path, waited: dict[str, bytes]
) -> None:
    told = tmp_path / "told"
    with scheduler(tmp_path, NANNY_GIVES_UP) as few, told.open("w") as file:
        golf = subprocess.Popen(
            [*GOLF, *WAITING[:-1], "--cluster", few.address], cwd=tmp_path, env=environment(), stderr=file
        )
        try:
            waits = f"The cluster {few.address} has no worker now; waiting for one.\n"
            until(lambda: told.read_text() == waits, golf)
            first = few.worker("--no-nanny")
            until(lambda: workers(tmp_path), golf)
            time.sleep(2)  # longer than the workers go uncounted
            first.kill()
            until(lambda: told.read_text() == 2 * waits, golf)
            (tmp_path / "go").touch()
            few.worker("--no-nanny")
            assert golf.wait(PATIENCE) == 0
        finally:
            golf.kill()
            golf.wait()
    assert parquet(tmp_path / "data") == waited


@pytest.mark.slow
def test_a_worker_that_joins_late_plays_too(tmp_path: Path) -> None:
    with scheduler(tmp_path) as few:
        few.worker()
        with started(*WAITING, "--cluster", few.address, cwd=tmp_path) as golf:
            until(lambda: len(workers(tmp_path)) == 1, golf)
            few.worker()
            until(lambda: len(workers(tmp_path)) == 2, golf)
            (tmp_path / "go").touch()
            _, err = golf.communicate(timeout=PATIENCE)
    assert (golf.returncode, err) == (0, "")


@pytest.mark.slow
def test_two_pieces_a_thread_are_on_the_way_and_no_more(tmp_path: Path) -> None:
    with scheduler(tmp_path) as few:
        few.worker("--nworkers", "2")
        with started(*WAITING, "--cluster", few.address, cwd=tmp_path) as golf:
            until(lambda: len(workers(tmp_path)) == 2, golf)
            waits = "sum(task.state == 'processing' for task in dask_scheduler.tasks.values())"
            until(lambda: few.asked(waits) == "4", golf)
            time.sleep(2)  # longer than the workers go uncounted
            assert few.asked(waits) == "4"


def test_what_is_stored_stays_when_the_scheduler_goes_and_a_rerun_goes_on(
    tmp_path: Path, waited: dict[str, bytes]
) -> None:
    (tmp_path / "go").touch()
    assert call(*WAITING, "-n", "16", cwd=tmp_path).returncode == 0
    stored = parquet(tmp_path / "data")
    for path in [tmp_path / "go", *tmp_path.glob("worker-*")]:
        path.unlink()
    with scheduler(tmp_path) as few:
        few.worker()
        with started(*WAITING, "--cluster", few.address, cwd=tmp_path) as golf:
            until(lambda: workers(tmp_path), golf)
            few.process.kill()
            out, err = golf.communicate(timeout=PATIENCE)
    assert (golf.returncode, out) == (2, "")
    assert err == (
        f"Error: the scheduler of the cluster {few.address} is gone: what is stored stays; start it and run the same "
        "command again to go on\n"
    )
    assert parquet(tmp_path / "data") == stored
    (tmp_path / "go").touch()
    assert call(*WAITING, cwd=tmp_path).returncode == 0
    assert parquet(tmp_path / "data") == waited


@pytest.mark.slow
def test_a_scheduler_that_hangs_counts_as_one_that_is_gone(tmp_path: Path) -> None:
    with scheduler(tmp_path) as few:
        few.worker()
        with started(*WAITING, "--cluster", few.address, cwd=tmp_path) as golf:
            until(lambda: workers(tmp_path), golf)
            few.process.send_signal(signal.SIGSTOP)
            out, err = golf.communicate(timeout=PATIENCE)
    assert (golf.returncode, out) == (2, "")
    assert err.startswith(f"Error: the scheduler of the cluster {few.address} is gone: what is stored stays")


@pytest.mark.slow
def test_an_interrupt_is_heard_though_the_scheduler_hangs(tmp_path: Path) -> None:
    with scheduler(tmp_path) as few:
        few.worker()
        with started(*WAITING, "--cluster", few.address, cwd=tmp_path) as golf:
            until(lambda: workers(tmp_path), golf)
            few.process.send_signal(signal.SIGSTOP)
            time.sleep(2)  # by now golf waits for the scheduler
            golf.send_signal(signal.SIGINT)
            assert golf.wait(5) == 130


@pytest.mark.parametrize(
    "everybody", [pytest.param(False, marks=pytest.mark.slow), True], ids=["golf alone", "the whole group"]
)
def test_an_interrupt_ends_golf_and_the_cluster_it_started(tmp_path: Path, everybody: bool) -> None:
    with started(*WAITING, "--cluster", "local:2", cwd=tmp_path) as golf:
        until(lambda: len(workers(tmp_path)) == 2, golf)
        (os.killpg if everybody else os.kill)(golf.pid, signal.SIGINT)
        out, err = golf.communicate(timeout=PATIENCE)
        until(lambda: not session(golf.pid))
    assert (golf.returncode, out) == (130, "")
    assert err.strip() == "Interrupted. What is stored stays in data; run the same command again to go on."


@pytest.mark.slow
def test_an_interrupt_while_the_cluster_starts_ends_it_too(tmp_path: Path) -> None:
    with started(*WAITING, "--cluster", "local:2", cwd=tmp_path) as golf:
        until(lambda: len(session(golf.pid)) > 2, golf)
        os.killpg(golf.pid, signal.SIGINT)
        out, err = golf.communicate(timeout=PATIENCE)
        until(lambda: not session(golf.pid))
    assert (golf.returncode, out) == (130, "")
    assert err.strip() == "Interrupted. What is stored stays in data; run the same command again to go on."
    assert not (tmp_path / "data").exists()


@pytest.mark.slow
def test_an_interrupt_leaves_the_workers_of_a_cluster_to_others(tmp_path: Path, cluster: Scheduler) -> None:
    polite = ("sweep", "--solver", "ending_plugins:Hangs,at=4", "-n", "8", "-o", "data", "-q", "--timeout", "5")
    with started(*polite, "--cluster", cluster.address, cwd=tmp_path) as golf:
        until(lambda: (tmp_path / "data").exists(), golf)
        golf.send_signal(signal.SIGINT)
        out, err = golf.communicate(timeout=PATIENCE)
    assert (golf.returncode, out) == (130, "")
    assert err.strip() == "Interrupted. What is stored stays in data; run the same command again to go on."
    again = call("sweep", "-n", "100", "-q", "--cluster", cluster.address, cwd=tmp_path)
    assert (again.returncode, again.stderr) == (0, "")


@pytest.mark.slow
def test_no_local_worker_outlives_a_golf_that_was_killed(tmp_path: Path) -> None:
    with started(*WAITING, "--cluster", "local:2", cwd=tmp_path) as golf:
        until(lambda: len(workers(tmp_path)) == 2, golf)
        golf.kill()
        golf.wait()
        until(lambda: not session(golf.pid))
    assert not any(is_running(pid) for pid in workers(tmp_path))


@pytest.mark.slow
def test_an_error_that_cannot_travel_is_told_as_on_one_machine(tmp_path: Path, cluster: Scheduler) -> None:
    sweep = ("sweep", "--solver", "faulty_plugins:Exits,kind=UnpicklableError,when=play", "-n", "8", "-q")
    here = call(*sweep, "--workers", "1", "-o", "here", cwd=tmp_path)
    there = call(*sweep, "--cluster", cluster.address, "-o", "there", cwd=tmp_path)
    assert (there.returncode, there.stdout) == (3, "")
    assert there.stderr.splitlines()[-2:] == here.stderr.splitlines()[-2:]


@pytest.mark.parametrize(
    ("solver", "options"),
    [
        pytest.param("plugins:Raises,at=5", [], marks=pytest.mark.slow),
        pytest.param("ending_plugins:Ends,at=5", [], marks=pytest.mark.slow),
        pytest.param("ending_plugins:Ends,at=5", ["--keep-going"], marks=pytest.mark.slow),
        pytest.param("ending_plugins:Hangs,at=5", ["--timeout", "1"], marks=pytest.mark.slow),
        ("plugins:Raises,at=5", ["--keep-going"]),
        pytest.param("ending_plugins:Hangs,at=5", ["--timeout", "1", "--keep-going"], marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_a_solver_that_fails_is_answered_as_on_one_machine(
    tmp_path: Path, cluster: Scheduler, solver: str, options: list[str]
) -> None:
    sweep = ("sweep", "--solver", solver, "-n", "8", "-q", *options)
    here = call(*sweep, "--workers", "2", "-o", "here", cwd=tmp_path)
    there = call(*sweep, "--cluster", cluster.address, "-o", "there", cwd=tmp_path)
    assert "the deal 5 of go1" in there.stderr
    # A cluster's workers are started by somebody else.
    told = re.sub(r", or the process could not start: .*`if __name__ == '__main__':`", "", here.stderr)
    assert (there.returncode, there.stdout, there.stderr) == (3, here.stdout, told)
    if "--keep-going" in options:
        assert parquet(tmp_path / "there") == parquet(tmp_path / "here") != {}


def refusal(tmp_path: Path, solver: str, **modules: str) -> str:
    """What golf says of a cluster whose one worker has other modules; it is no fault of a solver."""
    site = tmp_path / "site"
    for name, code in modules.items():
        (site / name).mkdir(parents=True)
        (site / name / "__init__.py").write_text(code)
    arguments = ("sweep", "--solver", solver, "-n", "20", "-q", "-o", str(tmp_path / "data"))
    with scheduler(tmp_path / "cluster") as few:
        few.worker(variables=environment(site))
        finished = call(*arguments, "--cluster", few.address, cwd=tmp_path)
    assert (finished.returncode, finished.stdout) == (2, "")
    assert not (tmp_path / "data").exists()
    return finished.stderr


def test_a_worker_with_another_golf_is_refused(tmp_path: Path) -> None:
    inside = f"__version__ = '0.0.1'\n__path__ = [{str(Path(golf_cli.__file__).parent)!r}]\n"
    told = refusal(tmp_path, "leftmost", golf_cli=inside)
    assert told.startswith("Error: the worker tcp://127.0.0.1:")
    assert told.endswith(
        f" of the cluster has golf 0.0.1, and this is golf {golf_cli.__version__}: install the same there\n"
    )


@pytest.mark.slow
def test_a_worker_without_golf_is_told_from_a_solver_that_fails(tmp_path: Path) -> None:
    told = refusal(tmp_path, "leftmost", golf_cli="raise ModuleNotFoundError('there is no golf_cli')")
    assert told.startswith("Error: a worker of the cluster tcp://127.0.0.1:")
    assert told.endswith(f" cannot play (there is no golf_cli): install golf {golf_cli.__version__} there\n")


@pytest.mark.slow
def test_a_worker_without_the_plug_in_is_told_from_a_solver_that_fails(tmp_path: Path) -> None:
    told = refusal(tmp_path, "plugins:Rightmost", plugins="raise ModuleNotFoundError('there are no plugins')")
    assert " of the cluster lacks a solver: the solver plugins:Rightmost could not be loaded: ModuleNotFound" in told


@pytest.mark.slow
def test_a_worker_with_another_version_of_the_plug_in_is_refused(tmp_path: Path) -> None:
    other = "from golf_cli.solvers.protocol import Solver\n"
    other += "class Ends(Solver):\n    version = '2'\n    summary = 'other'\n    def __init__(self, at): ...\n"
    other += "    def prepare(self, rules, seed): ...\n"
    told = refusal(tmp_path, "ending_plugins:Ends,at=3", ending_plugins=other)
    assert told.endswith(
        " has version 2 of the solver ending_plugins:Ends,at=3, and version 1 is to be played: "
        "install that there, and start the worker again\n"
    )


@pytest.mark.parametrize(
    "address",
    [
        "",
        "nowhere",
        "local",
        "local:",
        "local:0",
        "local:-1",
        "local:two",
        "local:5000",
        "http://host:80",
        "tcp://host",
    ],
)
def test_what_is_no_address_of_a_cluster_is_refused(address: str) -> None:
    with pytest.raises(WorkerError, match=re.escape(f"'{address}' is no cluster: give the address of its scheduler")):
        Cluster(address)


def test_an_address_that_is_none_is_a_mistake_of_the_user(tmp_path: Path) -> None:
    finished = call("sweep", "-n", "20", "-o", "data", "--cluster", "nowhere", cwd=tmp_path)
    assert (finished.returncode, finished.stdout) == (2, "")
    assert finished.stderr == (
        "Error: 'nowhere' is no cluster: give the address of its scheduler, such as tcp://host:8786, or local:4 "
        "for one of 4 processes on this machine (at most 1024)\n"
    )
    assert not (tmp_path / "data").exists()


@pytest.mark.slow
@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "tcp://no.such.host.invalid:8786"])
def test_a_cluster_that_is_not_there_is_an_error(tmp_path: Path, address: str) -> None:
    finished = call("sweep", "-n", "20", "-o", "data", "--cluster", address, cwd=tmp_path)
    assert (finished.returncode, finished.stdout) == (2, "")
    assert finished.stderr.startswith(f"Error: the cluster {address} cannot be reached (")
    assert finished.stderr.endswith("): see that its scheduler runs\n")
    assert finished.stderr.count("\n") == 1
    assert not (tmp_path / "data").exists()


def test_a_cluster_has_the_workers_it_has(tmp_path: Path) -> None:
    finished = call("sweep", "-n", "20", "--workers", "2", "--cluster", "local:2", cwd=tmp_path)
    assert (finished.returncode, finished.stdout) == (2, "")
    assert "Error: --workers is for this machine alone: a cluster has the workers it has" in finished.stderr


def test_a_script_without_a_guard_is_told_to_have_one(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(
        "from pathlib import Path\n"
        "from golf_cli.rules import RuleSet\n"
        "from golf_cli.sweep.cluster import Cluster\n"
        "from golf_cli.sweep.plan import Plan\n"
        "from golf_cli.sweep.runner import collect\n"
        "collect(Plan.of([RuleSet()], ['leftmost'], 40), Path('data'), Cluster('local:1'))\n"
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
    assert last.startswith("golf_cli.errors.WorkerError: the cluster local:1 cannot be started (")
    assert last.endswith("): a script that starts one does so under `if __name__ == '__main__':`")


def test_golf_without_its_extra_says_how_to_install_it(tmp_path: Path) -> None:
    (tmp_path / "distributed").mkdir()
    (tmp_path / "distributed" / "__init__.py").write_text("raise ImportError('not installed')")
    without = call("sweep", "-n", "20", "-q", "--cluster", "local:2", cwd=tmp_path, sites=(tmp_path,))
    assert (without.returncode, without.stdout) == (2, "")
    told = "a cluster needs Dask's distributed, the extra 'cluster' of golf: pip install distributed"
    assert without.stderr == f"Error: {told}\n"
    assert call("sweep", "-n", "20", "-q", cwd=tmp_path, sites=(tmp_path,)).returncode == 0


@pytest.mark.parametrize("arguments", [["--help"], ["sweep", "--help"], ["sweep", "-n", "20", "-q"]], ids=" ".join)
def test_golf_without_a_cluster_does_not_load_dask(tmp_path: Path, arguments: list[str]) -> None:
    code = (
        "import sys\nfrom golf_cli.commands import golf\n"
        f"golf.main({arguments}, standalone_mode=False)\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules} & {'dask', 'distributed', 'tornado'}))"
    )
    finished = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=True
    )
    assert finished.stdout.endswith("\n[]\n")


@pytest.mark.slow
def test_machines_whose_caches_are_empty_store_the_same(tmp_path: Path, alone: tuple[str, dict[str, bytes]]) -> None:
    with scheduler(tmp_path / "cluster") as few:
        for machine, workers_there in (("one", "1"), ("other", "2")):
            few.worker(
                "--nworkers", workers_there, variables={**environment(), "XDG_CACHE_HOME": str(tmp_path / machine)}
            )
        finished = call(*SWEEP, "-o", "data", "--cluster", few.address, cwd=tmp_path)
    assert (finished.returncode, finished.stderr) == (0, "")
    assert (finished.stdout, parquet(tmp_path / "data")) == alone
    assert all(list((tmp_path / machine).rglob("*.nbc")) for machine in ("one", "other"))
