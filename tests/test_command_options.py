"""What is asked for on the command line reaches what it is for."""

import json
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from processes import GOLF, PATIENCE, environment, parquet

from golf_cli.commands import golf
from golf_cli.deals.numberings import GO1
from golf_cli.errors import NumberError
from golf_cli.rules import PRESETS, Layout
from golf_cli.solvers.sampled import solve_samples
from golf_cli.stats.intervals import wilson
from golf_cli.stats.samples import samples_record, samples_text
from golf_cli.stats.tally import tally
from golf_cli.sweep.parts import scan
from golf_cli.sweep.plan import Plan
from golf_cli.sweep.runner import collect

EASY = PRESETS["easy"]


def asked(*arguments: str | Path) -> Result:
    """What `golf` answers, in this process; what it raises is raised here."""
    return CliRunner().invoke(golf, [str(each) for each in arguments], catch_exceptions=False, standalone_mode=False)


def solved(*arguments: str | Path) -> dict[str, Any]:
    """What `golf solve` answers, as JSON."""
    answer: dict[str, Any] = json.loads(asked("solve", *arguments, "--format", "json").stdout)
    return answer


def counted(*arguments: str | Path) -> dict[str, Any]:
    """The one record of `golf sweep` or `golf stats`."""
    record: dict[str, Any]
    (record,) = json.loads(asked(*arguments, "--format", "json").stdout)
    return record


def test_the_batch_size_decides_the_files(tmp_path: Path) -> None:
    for batch, files in ((30, 4), (100, 1), (7, 15)):
        directory = tmp_path / str(batch)
        asked("sweep", "-n", "100", "--batch", str(batch), "-o", directory, "-q")
        assert len(parquet(directory)) == files


def test_the_number_of_workers_reaches_the_sweep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    executor, used = "golf_cli.sweep.workers.ThreadPoolExecutor", []

    class Watched(ThreadPoolExecutor):
        def __init__(self, workers: int) -> None:
            used.append(workers)
            super().__init__(workers)

    monkeypatch.setattr(executor, Watched)
    asked("sweep", "-n", "10", "--workers", "3", "-o", tmp_path / "data")
    assert used == [3]
    with pytest.raises(NumberError, match="2000 workers: give 1 to 1024"):
        asked("sweep", "-n", "10", "--workers", "2000", "-o", tmp_path / "more")
    with pytest.raises(NumberError, match="10000001 deals in a file: give 1 to 10000000"):
        asked("sweep", "-n", "10", "--batch", "10_000_001", "-o", tmp_path / "more")
    assert not (tmp_path / "more").exists()


def test_the_seed_of_a_sweep_reaches_solvers_that_choose_at_random(tmp_path: Path) -> None:
    five, six, again = (
        counted("sweep", "-n", "500", "--solver", "random", "--seed", seed, "-o", tmp_path / name)
        for seed, name in (("5", "five"), ("6", "six"), ("5", "again"))
    )
    assert (five["seed"], six["seed"]) == (5, 6)
    assert five == again
    assert five["distribution"] != six["distribution"]


def test_the_seed_of_samples_decides_the_orders() -> None:
    documented = GO1.deal(1, Layout())
    found = {}
    for seed in (0, 4, 5):
        answer = solved("GO1-E-AAAAAAB", "--samples", "30", "--seed", str(seed))
        expected = solve_samples(documented, EASY, 30, seed).strokes
        assert answer["seed"] == seed
        found[seed] = {each["strokes"]: each["orders"] for each in answer["strokes"]}
        assert found[seed] == expected
    assert found[4] != found[5]
    default = solved("GO1-E-AAAAAAB", "--samples", "30")
    assert {each["strokes"]: each["orders"] for each in default["strokes"]} == found[0]


SEEN = "QC JC 6S KS 2H 5H 9H KH AD 4D 6D 9D 10D"
"""An order of all unseen cards of the documented deal but JD and QD."""


@pytest.mark.parametrize("rules", ["easy", "strict"])
def test_a_share_of_every_order_is_exact_and_one_of_samples_is_not(rules: str) -> None:
    asking = ("GO1-E-AAAAAAB", "--rules", rules, "--stock", SEEN)
    every = solved(*asking)
    assert (every["orders"], every["every_order"], every["confidence"]) == (2, True, None)
    assert every["low"] == every["share"] == every["high"]
    some = solved(*asking, "--samples", "1")
    assert (some["orders"], some["every_order"], some["confidence"]) == (1, False, 0.95)
    assert (some["low"], some["high"]) == wilson(some["cleared"], 1)
    assert some["low"] < some["high"]
    assert "Wilson" not in asked("solve", *asking).stdout
    assert "Wilson" in asked("solve", *asking, "--samples", "1").stdout


def test_an_undecided_order_leaves_the_share_open_even_where_every_order_was_solved() -> None:
    deal = GO1.deal(1, Layout()).with_stock(())
    every = solved("GO1-E-AAAAAAB", "--stock", SEEN, "--max-states", "1")
    assert (every["undecided"], every["share"], every["low"], every["high"]) == (2, None, 0, 1)
    samples = solve_samples(deal, EASY, 40, seed=1)
    record = samples_record(samples, 0.5)
    assert (record["low"], record["high"]) == wilson(samples.cleared, 40, 0.5)
    assert record["confidence"] == 0.5
    assert "the 50 % Wilson interval" in samples_text(samples, 0.5)


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return collect(Plan.of([EASY], ["leftmost"], 400), tmp_path_factory.mktemp("swept") / "data").directory


@pytest.mark.parametrize("confidence", ["0.5", "0.95", "0.999", "0.9999999999999999", "1e-17"])
def test_the_confidence_of_statistics_is_the_one_asked_for(dataset: Path, confidence: str) -> None:
    record = counted("stats", dataset, "--confidence", confidence)
    (played,) = tally(scan([dataset]))
    assert record["confidence"] == float(confidence)
    assert (record["win_low"], record["win_high"]) == wilson(played.cleared, 400, float(confidence))
    assert 0 <= record["win_low"] <= record["win_rate"] <= record["win_high"] <= 1
    assert (record["win_low"] < record["win_high"]) == (confidence != "1e-17")
    for form in ("table", "csv"):
        assert asked("stats", dataset, "--confidence", confidence, "--format", form).exit_code == 0


def test_the_confidence_of_a_figure_is_the_one_asked_for(dataset: Path) -> None:
    half, default, wide, again, widest, least = (
        asked("plot", dataset, "--figure", "win-rates", "--format", "svg", "-o", "-", *confidence).stdout_bytes
        for confidence in (
            ("--confidence", "0.5"),
            (),
            ("--confidence", "0.999"),
            ("--confidence", "0.95"),
            ("--confidence", "0.9999999999999999"),
            ("--confidence", "1e-17"),
        )
    )
    assert default == again
    assert len({half, default, wide, widest, least}) == 5


@pytest.mark.parametrize("form", ["png", "svg", "pdf"])
def test_a_picture_on_standard_output_is_the_one_a_file_holds(dataset: Path, tmp_path: Path, form: str) -> None:
    shown = asked("plot", dataset, "-o", "-", "--format", form).stdout_bytes
    assert shown.startswith({"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[form])
    asked("plot", dataset, "-o", tmp_path / f"x.{form}")
    assert (tmp_path / f"x.{form}").read_bytes() == shown
    asked("plot", dataset, "-o", tmp_path / "x", "--format", form)
    assert (tmp_path / "x").read_bytes() == shown


def run(command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a line of the shell in which `golf` stands for the command."""
    line = command.replace("golf", " ".join(GOLF), 1)
    return subprocess.run(
        ["bash", "-c", line], cwd=cwd, env=environment(), capture_output=True, text=True, timeout=PATIENCE, check=False
    )


def test_a_picture_on_standard_output_needs_its_kind(dataset: Path) -> None:
    finished = run("golf plot data -o -", dataset.parent)
    assert (finished.returncode, finished.stdout) == (2, "")
    assert "a picture on standard output needs --format png, svg or pdf" in " ".join(finished.stderr.split())


@pytest.mark.parametrize(
    "command",
    [
        "--help",
        "--version",
        "deal --help",
        "deal pysol:24",
        "solve pysol:24",
        "solvers",
        "completion bash",
        "sweep -n 400 --rules easy --solver leftmost -o data -q",
        "stats data",
        "stats data --format parquet",
        "plot data -o - --format png",
    ],
)
def test_a_full_disk_behind_standard_output_is_told_with_exit_code_1(dataset: Path, command: str) -> None:
    finished = run(f"golf {command} > /dev/full", dataset.parent)
    told = [line for line in finished.stderr.splitlines() if not line.startswith("Compiling golf's kernels")]
    assert told == ["Error: the output cannot be written: No space left on device"]
    assert finished.returncode == 1


def test_a_full_disk_behind_a_file_is_told_as_a_mistake_in_the_output(dataset: Path) -> None:
    for command in ("deal pysol:24", "stats data", "plot data --format png"):
        finished = run(f"golf {command} -o /dev/full", dataset.parent)
        assert (finished.returncode, finished.stdout) == (2, "")
        assert "'/dev/full' cannot be written (No space left on device)" in " ".join(finished.stderr.split())
