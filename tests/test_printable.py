"""What golf repeats of files and arguments steers no terminal: characters that cannot be seen are shown as escapes."""

import json
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from processes import call

from golf_cli.deals.board_text import own_text
from golf_cli.deals.numberings import PYSOL
from golf_cli.deals.reference import resolve, resolve_many
from golf_cli.errors import GolfError, PlacedError, ScoreError
from golf_cli.play.session import Session
from golf_cli.printable import in_one_line, printable
from golf_cli.rounds.holes import parse_names
from golf_cli.rules import PRESETS
from golf_cli.stats.datasets import written
from golf_cli.sweep import audit
from golf_cli.sweep.plan import Plan
from golf_cli.sweep.runner import collect

EVIL = "\x1b]0;x\x07\x9b2J\u202e\x7f"
SHOWN = r"\x1b]0;x\x07\x9b2J\u202e\x7f"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Jürgen Πέτρος 太郎 ♥ 🃏", "Jürgen Πέτρος 太郎 ♥ 🃏"),
        (EVIL, SHOWN),
        ("a\tb\r\u2028\udc80", r"a\tb\r\u2028\udc80"),
        ("\\x1b", "\\x1b"),
        ("two\nlines", "two\nlines"),
    ],
)
def test_what_cannot_be_seen_is_shown_as_its_escape_and_letters_stay(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(st.text())
def test_nothing_is_left_that_cannot_be_seen(text: str) -> None:
    assert all(line.isprintable() for line in printable(text).split("\n"))
    assert in_one_line(text).isprintable()
    assert printable(printable(text)) == printable(text)


@given(st.text(), st.none() | st.text())
def test_an_error_repeats_nothing_that_cannot_be_seen(text: str, source: str | None) -> None:
    assert str(GolfError(text)) == printable(text)
    placed = PlacedError(text, source, 1, 2)
    assert str(placed).isprintable()
    assert placed.message.isprintable()
    assert str(pickle.loads(pickle.dumps(placed))) == str(placed)


BOARD = own_text(PYSOL.deal(2))


@pytest.mark.parametrize(
    "board",
    [
        BOARD.replace("AC", EVIL),
        f"{BOARD}{EVIL}: 8S\n",
        json.dumps({"columns": [], "foundation": EVIL, "stock": []}),
        json.dumps({"columns": [["8S", EVIL]] * 7, "foundation": "AC", "stock": []}),
        f'{{"{EVIL[3:5]}\u202e": 1, "{EVIL[3:5]}\u202e": 1}}',
        f"{EVIL}\n",
    ],
)
def test_a_file_of_deals_cannot_steer_the_terminal(tmp_path: Path, board: str) -> None:
    path = tmp_path / "deals"
    path.write_text(f"{board}\n{BOARD}", encoding="utf-8")
    errors = [str(each) for each in resolve_many([str(path)]) if isinstance(each, GolfError)]
    assert errors
    assert all(error.isprintable() for error in errors)


def test_nor_can_the_name_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "\x1b[31m\udcffé\ndeal"
    path.write_text(BOARD)
    assert resolve(str(path)).reference == rf"{tmp_path}/\x1b[31m\udcffé\ndeal"
    solved = call("solve", str(path), str(path) + "s")
    assert r"\x1b[31m\udcffé\ndeal, rules classic" in solved.stdout
    assert "\\x1b[31m\\udcffé\ndeals' refers to no deal" in solved.stderr
    path.write_text("deal: pysol:2\nAC\n")
    assert rf"{tmp_path}/\x1b[31m\udcffé\ndeal:1 " in call("replay", str(path)).stdout


def test_nor_can_that_of_a_file_in_a_dataset(tmp_path: Path) -> None:
    data = collect(Plan.of([PRESETS["classic"]], ["leftmost"], 100), tmp_path / "data").directory
    (data / f"{EVIL}\n.parquet").touch()
    shown = written(audit.check(data))
    assert rf"{SHOWN}\n.parquet" in shown
    assert all(line.isprintable() for line in shown.split("\n"))


@pytest.mark.parametrize("arguments", [[f"a{EVIL}"], ["deal", f"--{EVIL}"], ["replay", EVIL], ["deal", EVIL]])
def test_nor_can_an_argument(arguments: list[str]) -> None:
    refused = call(*arguments)
    assert refused.returncode == 2
    assert SHOWN in refused.stderr
    assert all(line.isprintable() for line in refused.stderr.splitlines())


def test_nor_can_what_a_pipe_writes_to_a_game() -> None:
    assert Session(resolve("pysol:2")).answer(EVIL) == f"'{SHOWN}' is neither a move nor a command; ? lists them"
    played = call("play", "pysol:2", "--ascii", stdin=f"{EVIL}\n")
    assert f"> {SHOWN}\n'{SHOWN}' is neither" in played.stdout
    assert all(line.isprintable() for line in played.stdout.splitlines())


@pytest.mark.parametrize("name", [EVIL, "Ann\u202e", "Bo\tb"])
def test_nobody_has_such_a_name(name: str) -> None:
    with pytest.raises(ScoreError, match="characters that cannot be seen: leave them out"):
        parse_names(f"{name}, Jürgen")
    assert parse_names("Ann, Jürgen Πέτρος") == ("Ann", "Jürgen Πέτρος")
