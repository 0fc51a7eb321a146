"""Kernels that several processes need at once, with nothing in the cache."""

import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest
from processes import PATIENCE, environment

KERNELS = """
import numba
from numba.core import event
from golf_cli.kernels.compiler import kernel

class Compiled(event.Listener):
    names = []
    def on_start(self, event):
        self.names.append(event.data["dispatcher"].__name__)
    def on_end(self, event): ...

event.register("numba:compile", Compiled())

@kernel
def double(number):
    return 2 * number

@kernel
def eightfold(number):
    return double(double(double(number)))
"""

CALLS = "import kernels; print(kernels.eightfold(3), kernels.eightfold(0.5), *sorted(kernels.Compiled.names))"


@pytest.fixture(autouse=True)
def cold_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    (tmp_path / "kernels.py").write_text(KERNELS)


def test_of_processes_that_start_together_one_compiles_for_all(tmp_path: Path) -> None:
    together = [
        subprocess.Popen(
            [sys.executable, "-c", CALLS], cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, text=True
        )
        for _ in range(3)
    ]
    told = sorted(process.communicate(timeout=PATIENCE)[0].split() for process in together)
    assert [answers[:2] for answers in told] == [["24", "4.0"]] * 3
    # One at a time holds for each kernel and type, so that two processes may have compiled different ones.
    assert sorted(chain(*(answers[2:] for answers in told))) == ["double", "double", "eightfold", "eightfold"]
    assert list((tmp_path / "cache").rglob("*.nbc"))


@pytest.mark.slow
def test_a_cache_where_nothing_can_be_locked_is_used_all_the_same(tmp_path: Path) -> None:
    locked = f"import fcntl, kernels\ndef flock(*_): raise OSError('no locks')\nfcntl.flock = flock\n{CALLS}"
    for compiled in (["double", "double", "eightfold", "eightfold"], []):
        told = subprocess.run(
            [sys.executable, "-c", locked],
            cwd=tmp_path,
            env=environment(),
            capture_output=True,
            text=True,
            check=True,
            timeout=PATIENCE,
        )
        assert told.stdout.split() == ["24", "4.0", *compiled]
