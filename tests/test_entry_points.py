"""Solvers of installed packages: found by their entry point, listed, and played in worker processes."""

import json
from pathlib import Path

import pytest
from processes import call

RIGHT = """
from golf_cli.rules import RuleSet
from golf_cli.solvers.protocol import Play, Solver
from plugins import RightmostPlay

class Player(Solver):
    version = "7"
    summary = "plays from the right, as its package says"
    def __init__(self, depth: str = "1") -> None: ...
    def prepare(self, rules: RuleSet, seed: int) -> Play:
        return RightmostPlay(rules)
"""


def install(site: Path, module: str, code: str, *points: str) -> Path:
    """Put a package into a directory as an installer would, with its entry points."""
    site.mkdir(exist_ok=True)
    (site / f"{module}.py").write_text(code)
    information = site / f"{module}-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module.replace('_', '-')}\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text("\n".join(["[golf.solvers]", *points, ""]))
    return site


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return install(
        tmp_path / "site",
        "right_player",
        RIGHT,
        "rightward = right_player:Player",
        "exact = right_player:Player",
        "gone = right_player:NoLonger",
    )


def test_a_packages_solver_is_played_by_name_in_worker_processes(site: Path, tmp_path: Path) -> None:
    by_name, by_module = (
        call("sweep", "--solver", solver, "-n", "40", "--workers", "2", "--format", "json", cwd=tmp_path, sites=(site,))
        for solver in ("rightward,depth=3", "plugins:Rightmost")
    )
    assert by_name.returncode == 0, by_name.stderr
    (named,), (rightmost,) = json.loads(by_name.stdout), json.loads(by_module.stdout)
    assert named["solver"] == "rightward,depth=3"
    assert named["distribution"] == rightmost["distribution"]
    assert (tmp_path / "golf-go1-classic-rightward+depth-3").is_dir()


def test_a_package_does_not_take_a_built_in_solvers_place_and_a_missing_one_is_told(site: Path, tmp_path: Path) -> None:
    exact = call("sweep", "--solver", "exact", "-n", "2", "-q", "--format", "json", cwd=tmp_path, sites=(site,))
    assert json.loads(exact.stdout)[0]["not_clearable"] + json.loads(exact.stdout)[0]["cleared"] == 2
    unknown = call("sweep", "--solver", "leftward", "-n", "2", cwd=tmp_path, sites=(site,))
    assert unknown.returncode == 2
    assert "no solver is called 'leftward': there are exact, random" in " ".join(unknown.stderr.split())
    assert "difficulty, par, gone, rightward;" in " ".join(unknown.stderr.split())


def test_solvers_of_packages_are_listed_with_what_they_say_of_themselves(tmp_path: Path) -> None:
    site = install(tmp_path / "site", "right_player", RIGHT, "rightward = right_player:Player")
    listed = call("solvers", cwd=tmp_path, sites=(site,))
    assert listed.returncode == 0, listed.stderr
    lines = [line.split(maxsplit=4) for line in listed.stdout.splitlines()]
    assert ["rightward", "visible", "version", "7", "plays from the right, as its package says"] in lines
    assert [line[0] for line in lines].count("exact") == 1


def test_a_packages_solver_is_checked_by_name(site: Path, tmp_path: Path) -> None:
    finished = call("solvers", "check", "rightward,depth=3", "-n", "2", cwd=tmp_path, sites=(site,))
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert finished.stdout.startswith("rightward,depth=3, version 7, visible\n")


def test_a_packages_broken_solver_is_that_solvers_fault(site: Path, tmp_path: Path) -> None:
    finished = call("sweep", "--solver", "gone", "-n", "2", cwd=tmp_path, sites=(site,))
    assert (finished.returncode, finished.stdout) == (3, "")
    assert "the solver gone could not be loaded: AttributeError" in finished.stderr
    assert "a fault of that solver, not of golf" in finished.stderr
    assert "gone" in call("solvers", cwd=tmp_path, sites=(site,)).stderr
