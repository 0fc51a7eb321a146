"""A Dask cluster on this machine: a scheduler and workers, real processes, for as long as a test needs them."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from processes import PATIENCE, environment, until

NANNY_GIVES_UP = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}
"""The scheduler leaves it to golf to play again what a lost worker was at."""


@contextmanager
def _process(arguments: list[str], directory: Path, variables: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """A process with all of its own, in a group that is killed at the end."""
    with (
        (directory / f"{arguments[1].rpartition('.')[2]}.log").open("ab") as log,
        subprocess.Popen(
            [sys.executable, *arguments],
            cwd=directory,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        ) as process,
    ):
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


class Scheduler:
    """A scheduler, and the workers that are told to join it.

    Attributes:
        address: where it is.
        process: what it runs in.
    """

    def __init__(self, directory: Path, block: ExitStack, settings: dict[str, str]) -> None:
        self._directory = directory
        self._block = block
        file = directory / "scheduler.json"
        arguments = ["-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
        self.process = block.enter_context(
            _process([*arguments, "--scheduler-file", str(file)], directory, {**environment(), **settings})
        )
        until(lambda: file.exists() and file.read_text().endswith("}"), self.process)
        self.address = str(json.loads(file.read_text())["address"])

    def worker(self, *options: str, variables: dict[str, str] | None = None) -> subprocess.Popen[bytes]:
        """Have a worker of one thread join, in the scheduler's directory; with a nanny unless options say otherwise."""
        arguments = ["-m", "distributed.cli.dask_worker", self.address, "--nthreads", "1", "--no-dashboard"]
        scratch = ["--local-directory", str(self._directory / "scratch")]
        return self._block.enter_context(
            _process(
                [*arguments, *scratch, *options], self._directory, environment() if variables is None else variables
            )
        )

    def asked(self, question: str) -> str:
        """What an expression comes to on the scheduler, which it knows as `dask_scheduler`."""
        script = (
            "import sys; from distributed import Client\n"
            f"print(Client(sys.argv[1]).run_on_scheduler(lambda dask_scheduler: {question}))"
        )
        told = subprocess.run(
            [sys.executable, "-c", script, self.address], capture_output=True, text=True, check=True, timeout=PATIENCE
        )
        return told.stdout.strip()


@contextmanager
def scheduler(directory: Path, settings: dict[str, str] | None = None) -> Iterator[Scheduler]:
    """A scheduler that, with its workers, ends with the block."""
    directory.mkdir(exist_ok=True)
    with ExitStack() as block:
        yield Scheduler(directory, block, settings or {})


def session(leader: int) -> list[int]:
    """Every process that runs in the session of a process that was started in one of its own."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(FileNotFoundError, ProcessLookupError):
            state, _, _, belongs, *_ = path.read_text().rpartition(")")[2].split()
            if int(belongs) == leader and state not in "ZX":
                found.append(int(path.parent.name))
    return found
