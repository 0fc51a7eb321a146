"""Golf in processes of its own: to interrupt, to kill, and to run side by side."""

import codecs
import fcntl
import json
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

import golf_cli

GOLF = [sys.executable, "-m", "golf_cli"]
PATH = [str(Path(golf_cli.__file__).parents[1]), str(Path(__file__).parent), *filter(None, [os.getenv("PYTHONPATH")])]
PATIENCE = 60
"""Seconds after which a process counts as one that hangs."""


def environment(*sites: Path) -> dict[str, str]:
    """The environment of a process that finds golf, the plug-ins of the tests, and what lies in the sites."""
    return {**os.environ, "COLUMNS": "100", "PYTHONPATH": os.pathsep.join([*map(str, sites), *PATH])}


def call(
    *arguments: str | bytes,
    cwd: Path = Path(__file__).parent,
    sites: tuple[Path, ...] = (),
    stdin: str = "",
    stdout: int = subprocess.PIPE,
) -> subprocess.CompletedProcess[str]:
    """Run `golf` to its end; it never shows a traceback."""
    finished = subprocess.run(
        [*GOLF, *arguments],
        cwd=cwd,
        env=environment(*sites),
        input=stdin,
        stdout=stdout,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    assert "Traceback" not in finished.stderr, finished.stderr
    return finished


@contextmanager
def started(*arguments: str, cwd: Path) -> Iterator[subprocess.Popen[str]]:
    """Run `golf` beside the test, in a process group of its own; whatever is left of it at the end is killed."""
    pipe = subprocess.PIPE
    command = [*GOLF, *arguments]
    with subprocess.Popen(
        command,
        cwd=cwd,
        env=environment(),
        stdout=pipe,
        stderr=pipe,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


class Terminal:
    """Golf on a terminal of its own, which a test reads and types on; what is left of it at the end is killed.

    Attributes:
        process: that golf runs in; the terminal controls it.
        shown: what is on the terminal so far, what was typed included.
    """

    def __init__(self, *arguments: str, cwd: Path, **variables: str) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        self.shown = ""
        self._looked = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")()

        def control() -> None:
            signal.signal(signal.SIGHUP, signal.SIG_DFL)  # `nohup` starts tests deaf to it
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            [*GOLF, *arguments],
            cwd=cwd,
            env={**environment(), "TERM": "xterm", **variables},
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            preexec_fn=control,
        )
        os.close(slave)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(PATIENCE)
        os.close(self._master)

    def write(self, text: str) -> None:
        """Type a text."""
        os.write(self._master, text.encode())

    def until(self, text: str) -> None:
        """Read until a text is shown, in what has not been looked for before."""
        end = time.monotonic() + PATIENCE
        while text not in self.shown[self._looked :]:
            ready, _, _ = select.select([self._master], [], [], max(0, end - time.monotonic()))
            assert ready, f"waited in vain for {text!r}: {self.shown!r}"
            self._read()
        self._looked = self.shown.index(text, self._looked) + len(text)

    def until_it_waits(self) -> None:
        """Wait until golf, which has just asked for input, does nothing but wait for it."""
        until(lambda: _state(self.process.pid) == "S")

    def _read(self) -> None:
        try:
            content = os.read(self._master, 65536)
        except OSError:  # how Linux says that nobody has the other end open
            content = b""
        assert content, f"ended: {self.shown!r}"
        self.shown += self._decoder.decode(content)


def until(condition: Callable[[], object], process: subprocess.Popen[str] | None = None) -> None:
    """Wait until something holds; it is an error when the process ends before."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        assert process is None or process.poll() is None, process.communicate()
        time.sleep(0.01)


def is_running(pid: int) -> bool:
    """Whether there is such a process and it has not ended."""
    try:
        return _state(pid) not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def _state(pid: int) -> str:
    """What the main thread of a process is at, as the system says it: S for asleep."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def workers(directory: Path) -> list[int]:
    """The processes in which a plug-in of `waiting_plugins` has said that it waits."""
    return [int(path.name.removeprefix("worker-")) for path in directory.glob("worker-*")]


def parquet(directory: Path) -> dict[str, bytes]:
    """Every file of outcomes under a directory, by its path there."""
    return {str(path.relative_to(directory)): path.read_bytes() for path in directory.rglob("*.parquet")}


def everything(directory: Path) -> dict[str, bytes]:
    """Every file of a dataset by its path there, but for the one that says who wrote to it last."""
    paths = (path for path in directory.rglob("*") if path.is_file() and path.name != ".golf-dataset")
    return {str(path.relative_to(directory)): path.read_bytes() for path in paths}


def logged(directory: Path) -> list[dict[str, Any]]:
    """Every line of the log beside a dataset."""
    log = directory.with_name(f"{directory.name}.log")
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
