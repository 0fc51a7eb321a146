"""Kernels that several processes need at once, with nothing in the cache."""

import ast
import re
import shutil
import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest
from processes import PATIENCE, environment

import golf_cli
from golf_cli.kernels import compiler
from golf_cli.kernels.compiler import SHARED

KERNELS_ROOM = "golf_cli.kernels."

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


LANES = """
import numpy as np
from golf_cli.kernels.compiler import kernel
from golf_cli.kernels.lanes import lowest_bit

@kernel
def place(number):
    return lowest_bit(number)

print(place(np.uint64(8)))
"""


def test_a_kernel_is_compiled_anew_where_a_file_that_kernels_share_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "lowest.py").write_text(LANES)
    package = Path(golf_cli.__file__).parent
    for name in ("__init__.py", *(f"kernels/{name}" for name in ("__init__.py", "compiler.py", *SHARED))):
        (tmp_path / "golf_cli" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(package / name, tmp_path / "golf_cli" / name)
    lanes = tmp_path / "golf_cli" / "kernels" / "lanes.py"
    for instruction, told in (("cttz", "3"), ("ctlz", "60")):
        lanes.write_text(re.sub("ct[tl]z", instruction, lanes.read_text()))
        run = [sys.executable, "-c", "import lowest"]
        answer = subprocess.run(run, cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=PATIENCE)
        assert (answer.stdout.strip(), answer.stderr) == (told, "")
    assert len(list((tmp_path / "cache" / "golf").glob(f"{golf_cli.__version__}-*"))) == 2


def test_kernels_call_functions_of_their_own_file_and_of_those_that_are_shared() -> None:
    shared = set()
    for file in Path(compiler.__file__).parent.glob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        imported = {
            name.asname or name.name: f"{node.module.removeprefix(KERNELS_ROOM)}.py"
            for node in tree.body
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(KERNELS_ROOM)
            for name in node.names
        }
        for function in tree.body:
            if isinstance(function, ast.FunctionDef) and "kernel" in map(ast.unparse, function.decorator_list):
                names = {node.id for line in function.body for node in ast.walk(line) if isinstance(node, ast.Name)}
                shared |= {imported[name] for name in names & imported.keys()}
    assert shared == set(SHARED)


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
