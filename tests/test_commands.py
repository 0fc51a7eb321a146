"""The command line, as a person runs it: real processes, their output, errors and exit codes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import polars as pl
import pytest
from processes import GOLF, call

from golf_cli.commands import COMMANDS, golf
from golf_cli.deals.boards import WRITERS
from golf_cli.deals.numberings import GO1
from golf_cli.rules import Layout
from golf_cli.stats.tally import tally
from golf_cli.sweep.parts import scan

TESTS = Path(__file__).parent


def done(*arguments: str, cwd: Path = TESTS, stdin: str = "") -> str:
    """Run `golf`, expect it to succeed, and return its standard output."""
    finished = call(*arguments, cwd=cwd, stdin=stdin)
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def refused(*arguments: str, cwd: Path = TESTS, stdin: str = "") -> str:
    """Run `golf`, expect a usage error and nothing on standard output, and return what it says."""
    finished = call(*arguments, cwd=cwd, stdin=stdin)
    assert (finished.returncode, finished.stdout) == (2, ""), finished
    return " ".join(finished.stderr.split())


def modules_after(code: str) -> set[str]:
    """The packages outside the standard library that a fresh interpreter imports for some code."""
    shown = f"{code}\nimport sys; print(*{{name.partition('.')[0] for name in sys.modules}})"
    modules = subprocess.check_output([sys.executable, "-c", shown], text=True).splitlines()[-1].split()
    return set(modules) - sys.stdlib_module_names


def test_help_imports_click_alone() -> None:
    base = modules_after("import click")
    code = "from golf_cli.commands import golf\ngolf.main(['--help'], standalone_mode=False)"
    assert modules_after(code) - base == {"golf_cli"}
    assert "click" in base


@pytest.mark.parametrize("name", COMMANDS)
def test_help_on_a_command_imports_nothing_heavy(name: str) -> None:
    code = f"from golf_cli.commands import golf\ngolf.main(['{name}', '--help'], standalone_mode=False)"
    assert not modules_after(code) & {"polars", "numba", "numpy", "matplotlib", "tqdm"}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_tells_each_as_its_own_help_does(name: str) -> None:
    command = golf.get_command(golf.make_context("golf", ["--help"], resilient_parsing=True), name)
    assert command is not None
    assert (command.help or "").splitlines()[0] == COMMANDS[name]
    assert all(option.help for option in command.params if isinstance(option, click.Option))


def test_version_and_help_answer() -> None:
    assert done("--version").startswith("golf 0.")
    assert "sweep" in done("--help")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_a_script_for_the_golf_command(shell: str) -> None:
    script = done("completion", shell)
    assert "_GOLF_COMPLETE" in script
    assert "golf" in script


def test_completion_completes_commands() -> None:
    environment = {**os.environ, "_GOLF_COMPLETE": "bash_complete", "COMP_WORDS": "golf s", "COMP_CWORD": "1"}
    completed = subprocess.check_output(GOLF, env=environment, text=True)
    assert completed.split() == ["plain,solve", "plain,sweep", "plain,stats", "plain,solvers"]


@pytest.mark.parametrize("form", WRITERS)
def test_a_deal_is_shown_in_each_form_and_read_back(form: str, tmp_path: Path) -> None:
    board = done("deal", "pysol:24", "--format", form)
    path = tmp_path / "board"
    path.write_text(board)
    for reference, stdin in ((str(path), ""), ("-", board)):
        assert done("deal", reference, "--format", "pysol", stdin=stdin) == done(
            "deal", "pysol:24", "--format", "pysol"
        )


def test_a_deal_by_the_own_shuffle_says_so_on_standard_error_and_in_json() -> None:
    shown = call("deal", " go1-e-aaaaaac ", "--format", "json")
    assert "golf's own shuffle" in shown.stderr
    data = json.loads(shown.stdout)
    assert (data["reference"], data["rules"], data["shuffle"]) == ("GO1-E-AAAAAAC", "easy", "golf 1")
    assert call("deal", "GO1-E-AAAAAAC", "-q").stderr == ""
    documented = call("deal", "GO1-N-AAAAAAB", "--format", "json")
    assert documented.stderr == ""
    assert json.loads(documented.stdout)["shuffle"] is None


def test_rules_that_overrule_a_letter_are_named() -> None:
    shown = call("solve", "GO1-E-AAAAAAC", "--rules", "medium", "--format", "json")
    assert "overrules the code's letter E" in shown.stderr
    data = json.loads(shown.stdout)
    assert (data["rules"], data["overruled_letter"]) == ("classic", "E")


def test_solve_shows_the_best_strokes_and_a_line() -> None:
    data = json.loads(done("solve", "pysol:24", "--rules", "easy", "--format", "json"))
    assert data["result"] == "cleared"
    assert data["strokes"] == -data["stock_left"]
    assert [step["action"] for step in data["line"]].count("play") == 35
    text = done("solve", "pysol:24", "--rules", "easy")
    assert text.startswith(f"pysol:24, rules easy\ncan be cleared: best strokes {data['strokes']}\n")
    assert "cannot be cleared (proved): fewest cards left 3" in done("solve", "pysol:24", "--rules", "classic")
    assert "undecided: state limit after" in done("solve", "pysol:24", "--max-states", "10")


def test_solve_tells_whether_a_deal_can_be_cleared_without_a_line() -> None:
    assert done("solve", "pysol:2", "--objective", "clear") == "pysol:2, rules classic\ncan be cleared\n"
    assert "cannot be cleared (proved)" in done("solve", "pysol:24", "--objective", "clear")
    assert "undecided: state limit after" in done("solve", "pysol:24", "--objective", "clear", "--max-states", "10")
    sampled = ("solve", "GO1-C-AAAAAAB", "--samples", "60", "--format", "json")
    clear, strokes = (json.loads(done(*sampled, "--objective", objective)) for objective in ("clear", "strokes"))
    assert clear["cleared"] == strokes["cleared"]
    assert (clear["strokes"], len(strokes["strokes"]) > 3) == ([], True)
    data = json.loads(done("solve", "pysol:2", "--objective", "clear", "--format", "json"))
    assert data["result"] == "cleared"
    assert "line" not in data


def test_solve_samples_the_orders_of_unseen_cards() -> None:
    text = done("solve", "GO1-E-AAAAAAB", "--samples", "50")
    assert "15 unseen stock cards: AD 2H 4D 5H 6D 6S 9D 9H TD JC JD QC QD KH KS" in text
    assert "solved in 50 orders of them (sampled): 50 can be cleared" in text
    assert "share: 100.0 % (92.9-100.0), the 95 % Wilson interval in brackets" in text
    data = json.loads(done("solve", "GO1-E-AAAAAAB", "--samples", "50", "--format", "json"))
    assert (data["orders"], data["every_order"], len(data["unseen"])) == (50, False, 15)
    assert sum(each["orders"] for each in data["strokes"]) == 50
    assert data["low"] <= data["share"] <= data["high"]


def test_solve_takes_the_stock_cards_seen_since() -> None:
    seen = "QC jc 6S KS 2H 5H 9H KH AD 4D 6D 9D 10D"
    for stock in (seen, f"8S {seen}"):
        data = json.loads(done("solve", "GO1-E-AAAAAAB", "--stock", stock, "--format", "json"))
        assert (data["orders"], data["every_order"], data["unseen"]) == (2, True, ["JD", "QD"])
    data = json.loads(done("solve", "GO1-E-AAAAAAB", "--stock", f"{seen} JD QD", "--format", "json"))
    assert data["result"] in ("cleared", "not clearable")
    assert data["unseen"] == []


def test_the_main_job_from_sweep_to_statistics_and_figures(tmp_path: Path) -> None:
    summary = done("sweep", "--rules", "classic", "-n", "1_000", cwd=tmp_path)
    dataset = tmp_path / "golf-go1-classic-longest-column"
    assert dataset.is_dir()
    assert "longest-column  1,000" in summary
    again = call("sweep", "--rules", "classic", "-n", "1e3", cwd=tmp_path)
    assert again.stdout == summary
    assert "all stored already" in again.stderr
    table = done("stats", str(dataset))
    assert table.startswith(summary.rstrip("\n"))
    records = json.loads(done("stats", str(dataset), "--format", "json"))
    (counted,) = tally(scan([dataset]))
    assert records[0]["cleared"] == counted.cleared
    assert pl.read_csv(done("stats", str(dataset), "--format", "csv").encode())["deals"].to_list() == [1000]
    out = tmp_path / "strokes.parquet"
    done("stats", str(dataset), "--format", "parquet", "--distribution", "-o", str(out))
    assert pl.read_parquet(out)["deals"].sum() == 1000
    for figure in ("strokes", "win-rates"):
        for suffix, head in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")):
            picture = tmp_path / f"{figure}.{suffix}"
            done("plot", str(dataset), "--figure", figure, "-o", str(picture))
            assert picture.read_bytes().startswith(head)


def test_a_sweep_is_quiet_when_asked_and_never_draws_a_bar_off_a_terminal(tmp_path: Path) -> None:
    done("sweep", "-n", "10", "-q", cwd=tmp_path)
    assert call("sweep", "-n", "20", "-q", cwd=tmp_path).stderr == ""
    assert call("sweep", "-n", "30", cwd=tmp_path).stderr == (
        "golf-go1-classic-longest-column: deals 0..29 of go1, dealt by golf's own shuffle\n"
    )


def test_a_sweep_names_its_directory_after_what_it_holds(tmp_path: Path) -> None:
    arguments = (
        "--rules",
        "easy",
        "--rules",
        "hard",
        "--solver",
        "leftmost",
        "--solver",
        "random",
        "--numbering",
        "ms",
    )
    table = done("sweep", *arguments, "-n", "20", "--seed", "5", cwd=tmp_path)
    assert (tmp_path / "golf-ms-easy+hard-leftmost+random").is_dir()
    assert len(table.splitlines()) == 8


def test_a_plugin_sweeps_by_name(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_bytes((TESTS / "plugins.py").read_bytes())
    assert "mine:Rightmost" in done("sweep", "--solver", "mine:Rightmost", "-n", "20", cwd=tmp_path)


def test_a_broken_plugin_is_named_with_an_exit_code_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_bytes((TESTS / "plugins.py").read_bytes())
    finished = call("sweep", "--solver", "mine:Raises,at=3", "-n", "20", cwd=tmp_path)
    assert finished.returncode == 3
    assert "ZeroDivisionError: one over nothing" in finished.stderr
    assert "a fault of that solver, not of golf" in finished.stderr


WRONG = [
    (("deal", "GO1-E-AAAAAA1"), "'1'"),
    (("deal", "GO1-E-AAAAAA"), "has 7"),
    (("deal", "GO1-X-AAAAAAB"), "'X' is no rules letter"),
    (("deal", "GO2-E-AAAAAAB"), "GO1"),
    (("deal", "pysol:0"), "out of range"),
    (("deal", "ms:1e99"), "out of range"),
    (("deal", "pysol:1.5"), "not whole"),
    (("deal", "acme:5"), "no numbering is called 'acme'"),
    (("deal", "nowhere.txt"), "no such file"),
    (("deal", "."), "directory"),
    (("deal", "pysol:24", "--rules", "easiest"), "no rule set is called 'easiest'"),
    (("deal", "pysol:24", "--rules", "classic,on-king=jack"), "'jack' is no value of on-king"),
    (("deal", "pysol:24", "--rules", "classic,jokers=1"), "jokers"),
    (("deal", "GO1-E-AAAAAAB", "--format", "solvitaire"), "unseen"),
    (("solve", "GO1-E-AAAAAAB", "--stock", "8S 6C"), "6C cannot be an unseen stock card"),
    (("solve", "GO1-E-AAAAAAB", "--stock", "6C"), "6C cannot be an unseen stock card"),
    (("solve", "GO1-E-AAAAAAB", "--stock", "1S"), "'1S' is no card"),
    (("solve", "GO1-E-AAAAAAB", "--samples", "0"), "from 1 to 1000000"),
    (("hint", "GO1-E-AAAAAAB", "--samples", "2e6"), "from 1 to 1000000"),
    (("advise", "GO1-E-AAAAAAB", "--samples", "99"), "from 100 to 1000000"),
    (("advise", "GO1-E-AAAAAAB", "--samples", "500", "--time", "5"), "--samples and --time: give one of them"),
    (("advise", "GO1-E-AAAAAAB", "--time", "0"), "--time"),
    (("advise", "GO1-E-AAAAAAB", "--seed", "1e10"), "seed 10000000000: give 0 to 4294967295"),
    (("advise", "GO1-E-AAAAAAB", "--moves", "draw draw"), "move 2, 'draw': the next stock card is not known"),
    (("advise", "pysol:24", "--objective", "points"), "'points' is not one of"),
    (("solve", "pysol:24", "--stock", "8S"), "unseen places"),
    (("sweep", "-n", "0"), "from 1"),
    (("sweep", "-n", "1.5"), "not whole"),
    (("sweep", "-n", "1e99"), "out of range"),
    (("sweep", "-n", "-5"), "-5"),
    (("sweep", "-n", "many"), "'many'"),
    (("sweep",), "-n"),
    (("sweep", "-n", "10", "--first", "1e12"), "out of range"),
    (("sweep", "-n", "1e11"), "the last number of go1 is"),
    (("sweep", "-n", "10", "--seed", "1e20"), "out of range"),
    (("sweep", "-n", "10", "--solver", "nobody"), "no solver is called 'nobody'"),
    (("sweep", "-n", "10", "--solver", "exact,depth=2"), "takes no option 'depth'"),
    (("sweep", "-n", "10", "--rules", "easiest"), "no rule set is called 'easiest'"),
    (("sweep", "-n", "10", "--numbering", "acme"), "'acme' is not one of"),
    (("sweep", "-n", "10", "--numbering", "ms", "--rules", "easy,jokers=1"), "jokers"),
    (("sweep", "-n", "10", "-o", "/proc/golf"), "/proc/golf"),
    (("stats", "nowhere"), "no such directory"),
    (("stats", "."), "holds no Parquet file"),
    (("plot", ".", "-o", "x.png"), "holds no Parquet file"),
    (("solve", "pysol:24", "--nope"), "--nope"),
    (("swept",), "swept"),
]


@pytest.mark.parametrize(
    ("arguments", "says"), WRONG, ids=lambda value: " ".join(value) if isinstance(value, tuple) else ""
)
def test_a_mistake_is_told_with_exit_code_2_and_nothing_written(
    tmp_path: Path, arguments: tuple[str, ...], says: str
) -> None:
    assert says in refused(*arguments, cwd=tmp_path)
    assert list(tmp_path.iterdir()) == []


BOARD = WRITERS["text"](GO1.deal(5, Layout()))


@pytest.mark.parametrize(
    ("board", "says"),
    [
        (BOARD.rsplit(" ", 1)[0] + "\n", "column 7"),
        (BOARD.replace("\n", " 2C\n", 3).replace(" 2C\n", "\n", 2), "line 3"),
        (BOARD.replace(BOARD.split()[-1], BOARD.split()[-2]), "line 9"),
        (BOARD.replace(BOARD.split()[-1], "1Z"), "line 9, column 13: '1Z'"),
        ("", "here: "),
        ("\0\1\2", "binary"),
    ],
)
def test_a_broken_board_is_told_by_line_and_column(tmp_path: Path, board: str, says: str) -> None:
    assert says in refused("solve", "-", stdin=board, cwd=tmp_path)
    (tmp_path / "board.txt").write_text(board)
    told = refused("deal", "board.txt", cwd=tmp_path)
    assert says in told
    assert "board.txt" in told


def test_a_sweep_into_a_directory_that_holds_something_else_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    assert "holds something else (letter.txt)" in refused("sweep", "-n", "10", "-o", ".", cwd=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_a_parquet_file_cut_in_half_is_named_by_every_command(tmp_path: Path) -> None:
    done("sweep", "-n", "1000", "-o", "data", cwd=tmp_path)
    (path,) = tmp_path.rglob("*.parquet")
    half = path.read_bytes()[: path.stat().st_size // 2]
    path.write_bytes(half)
    for arguments in (("sweep", "-n", "1000", "-o", "data"), ("stats", "data"), ("plot", "data", "-o", "x.png")):
        assert f"{path.name} is no whole Parquet file" in refused(*arguments, cwd=tmp_path)
    assert path.read_bytes() == half
    assert not (tmp_path / "x.png").exists()


def test_a_picture_of_an_unknown_kind_is_refused(tmp_path: Path) -> None:
    done("sweep", "-n", "10", "-o", "data", cwd=tmp_path)
    assert ".png" in refused("plot", "data", "-o", "x.jpeg", cwd=tmp_path)
    assert not (tmp_path / "x.jpeg").exists()


def test_an_output_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    done("sweep", "-n", "10", "-o", "data", cwd=tmp_path)
    for arguments in (
        ("deal", "pysol:24", "-o", "nowhere/x"),
        ("stats", "data", "-o", "nowhere/x"),
        ("plot", "data", "-o", "nowhere/x.png"),
    ):
        assert "nowhere" in refused(*arguments, cwd=tmp_path)


def test_a_closed_pipe_is_no_traceback(tmp_path: Path) -> None:
    done("sweep", "-n", "1000", "-o", "data", cwd=tmp_path)
    command = f"{' '.join(GOLF)} stats data --format csv | true"
    finished = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert finished.stderr == ""
