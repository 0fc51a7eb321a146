"""Files of many deals: what they hold, in which order, and what is said of the deals that are none."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from processes import GOLF, call

from golf_cli.deals.boards import WRITERS
from golf_cli.deals.many import items
from golf_cli.deals.numberings import PYSOL
from golf_cli.deals.reference import Dealt, resolve_many
from golf_cli.errors import BoardError, GolfError
from golf_cli.rules import RuleSet

COMMENTS = st.sampled_from(["", "\n", "# a comment\n", "   \n\t\n"])
FORMS = st.sampled_from(["reference", *WRITERS])


def written(number: int, form: str) -> str:
    """A deal as a file may hold it."""
    return f"pysol:{number}\n" if form == "reference" else f"{WRITERS[form](PYSOL.deal(number)).rstrip()}\n"


def found(text: str, rules: RuleSet | None = None) -> list[Dealt | GolfError]:
    return list(resolve_many(["-"], rules, text.encode().splitlines(keepends=True)))


@given(st.lists(st.tuples(COMMENTS, st.integers(1, 400), FORMS), min_size=1, max_size=5))
def test_a_file_gives_its_deals_in_order_whatever_their_forms(deals: list[tuple[str, int, str]]) -> None:
    text = "".join(comment + written(number, form) for comment, number, form in deals)
    dealt = found(text)
    assert [each.deal for each in dealt if isinstance(each, Dealt)] == [PYSOL.deal(number) for _, number, _ in deals]


def test_a_board_among_others_is_named_by_its_line_and_a_lone_one_by_its_file(tmp_path: Path) -> None:
    path = tmp_path / "boards"
    path.write_text(f"# two\n{written(3, 'text')}\n{written(4, 'pysol')}")
    names = [each.reference for each in resolve_many([str(path)]) if isinstance(each, Dealt)]
    assert names == [f"{path}:2", f"{path}:12"]
    path.write_text(f"# one\n{written(3, 'text')}")
    assert [each.reference for each in resolve_many([str(path)]) if isinstance(each, Dealt)] == [str(path)]


def test_a_deal_that_cannot_be_had_is_told_by_its_line_and_the_next_one_follows() -> None:
    board = written(3, "text")
    text = f"pysol:2\nGO1-E-AAAAAA1\nms:0\n{board.replace(board.split()[-1], '1Z')}{written(4, 'json')}pysol:5\n"
    dealt = found(text)
    assert [type(each) for each in dealt] == [Dealt, BoardError, BoardError, BoardError, Dealt, Dealt]
    lines = [each.line for each in dealt if isinstance(each, BoardError)]
    assert lines == [2, 3, 12]
    assert "'1Z' is no card" in str(dealt[3])


@pytest.mark.parametrize("slip", ["hello", "AAAAAA", "nofile.txt", "pysoll:3", "pysoll: 3", "bad"])
def test_a_slip_costs_one_deal_alone(slip: str) -> None:
    dealt = found(f"pysol:1\n{slip}\npysol:2\n\npysol:3\n")
    assert [type(each) for each in dealt] == [Dealt, BoardError, Dealt, Dealt]
    assert isinstance(dealt[1], BoardError)
    assert dealt[1].line == 2


def test_a_code_or_a_number_ends_a_board_that_is_cut_short() -> None:
    board = "".join(written(3, "text").splitlines(keepends=True)[:5])
    dealt = found(f"{board}pysol:1\nGO1-C-AAAAAAC\n")
    assert [type(each) for each in dealt] == [BoardError, Dealt, Dealt]


def test_what_is_left_of_a_file_is_told_as_a_board_that_is_not_whole() -> None:
    (deal, rest) = found(written(2, "pysol") + "2C 3C\n")
    assert isinstance(deal, Dealt)
    assert isinstance(rest, BoardError)
    assert rest.line == 10


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n"])
def test_a_file_without_a_deal_is_an_error(text: str) -> None:
    (error,) = found(text)
    assert isinstance(error, BoardError)
    assert "no deal here" in str(error)


def test_a_file_is_read_only_as_far_as_deals_are_asked_for() -> None:
    def lines() -> Iterator[str]:
        yield from ["pysol:1\n", "pysol:2\n"]
        raise AssertionError("read on")

    first = items(lines())
    assert [next(first).text, next(first).text] == ["pysol:1", "pysol:2"]


def test_solve_streams_one_json_line_a_deal_and_goes_on_after_a_mistake(tmp_path: Path) -> None:
    path = tmp_path / "deals.txt"
    path.write_text(f"pysol:2\npysol:0\n{written(3, 'solvitaire')}")
    solved = call("solve", str(path), "pysol:4", "--format", "json", cwd=tmp_path)
    records = [json.loads(line) for line in solved.stdout.splitlines()]
    assert [record["reference"] for record in records] == ["pysol:2", f"{path}:3", "pysol:4"]
    assert [record["strokes"] for record in records] == [-5, 1, -2]
    assert solved.returncode == 2
    assert "line 2: '0' is out of range" in solved.stderr


def test_solve_answers_before_its_input_ends() -> None:
    with subprocess.Popen(
        [*GOLF, "solve", "-", "--format", "json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write("pysol:2\npysol:3\n")
        running.stdin.flush()
        assert json.loads(running.stdout.readline())["reference"] == "pysol:2"
        running.stdin.close()
        assert json.loads(running.stdout.readline())["reference"] == "pysol:3"
