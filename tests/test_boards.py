"""Boards: deals written as text and read back, and what a person is told about a mistake in one."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import PLAIN, deals, half_seen_deals

from golf_cli.cards import UNSEEN, cards_text
from golf_cli.deals.board_json import own_data, own_json, solvitaire_json
from golf_cli.deals.board_text import own_text, pysol_text
from golf_cli.deals.boards import WRITERS, read_board
from golf_cli.deals.deal import Deal
from golf_cli.deals.numberings import GO1, PYSOL
from golf_cli.errors import BoardError, DealError
from golf_cli.rules import Layout

PYSOL_24 = """\
Talon: TD KC 8H 8S 4S 4H KS 6D 8D 7C JD 9D 2H QD 3D AS
Foundations: JH
4C 7S 5S KH TC
5H 2C 6C 6S TS
QC QH 9C 7D AD
5D 9S 3C 8C 4D
2D 2S 6H AC QS
7H KD JC 9H 3H
AH JS TH 5C 3S
"""

BY_HAND = """\
# the deal with the ace of clubs on top

Stock: 8s ? ? ? ? ?  ? ? ? ? ?  ? ? ? ? ?   # nobody has seen the rest
foundation: a♣

6c 5s qs 10s 6h
2S,KC,4S,2C,8C
TC AH 2D 5D JS
\t3D QH AS KD 4C
JH 3C 7D 8H 9C
TH 4H 7H 7C 8D
3S 7S 3H 9S 5C
"""


def lines_of(board: str, *changes: tuple[int, str]) -> str:
    """A board with lines (from 1) put in the place of others."""
    lines = board.splitlines()
    for number, line in changes:
        lines[number - 1] = line
    return "\n".join(lines)


def refusal(board: str) -> BoardError:
    with pytest.raises(BoardError) as refused:
        read_board(board, "a.txt")
    assert str(refused.value).startswith("a.txt: ")
    return refused.value


class TestRoundTrips:
    @given(half_seen_deals())
    def test_text_holds_every_deal(self, deal: Deal) -> None:
        assert read_board(own_text(deal)) == deal

    @given(half_seen_deals())
    def test_json_holds_every_deal(self, deal: Deal) -> None:
        assert read_board(own_json(deal)) == deal

    @given(half_seen_deals(PLAIN))
    def test_pysol_text_holds_every_plain_deal(self, deal: Deal) -> None:
        assert read_board(pysol_text(deal)) == deal

    @given(deals(PLAIN))
    def test_solvitaire_holds_every_plain_deal_that_is_seen(self, deal: Deal) -> None:
        assert read_board(solvitaire_json(deal)) == deal

    @given(deals(PLAIN), st.sampled_from(sorted(WRITERS)), st.sampled_from(sorted(WRITERS)))
    def test_a_deal_can_be_turned_from_any_form_into_any_other(self, deal: Deal, first: str, second: str) -> None:
        assert WRITERS[second](read_board(WRITERS[first](deal))) == WRITERS[second](deal)

    @given(half_seen_deals())
    def test_a_form_holds_a_deal_or_says_that_it_cannot(self, deal: Deal) -> None:
        layout = deal.layout_of()
        holds = {
            "text": True,
            "json": True,
            "pysol": layout == Layout(),
            "solvitaire": layout == Layout() and UNSEEN not in deal.stock,
        }
        for form, write in WRITERS.items():
            if holds[form]:
                assert read_board(write(deal)) == deal
            else:
                with pytest.raises(DealError, match="write the deal as text or JSON"):
                    write(deal)


class TestForms:
    def test_pysol_text_is_what_black_hole_solver_reads(self) -> None:
        assert pysol_text(PYSOL.deal(24)) == PYSOL_24
        assert read_board(PYSOL_24) == PYSOL.deal(24)

    def test_a_board_may_be_written_by_hand(self) -> None:
        assert read_board(BY_HAND) == GO1.deal(1)

    def test_text_starts_with_the_foundation_and_the_stock(self) -> None:
        assert own_text(GO1.deal(1)).splitlines()[:3] == [
            "foundation: AC",
            "stock: 8S ? ? ? ? ? ? ? ? ? ? ? ? ? ? ?",
            "6C 5S QS TS 6H",
        ]

    def test_an_open_foundation_is_a_dash(self) -> None:
        board = own_text(GO1.deal(7, Layout(jokers=1, open_foundation=True)))
        assert board.startswith("foundation: -\n")
        assert read_board(board).layout_of() == Layout(jokers=1, open_foundation=True)

    def test_solvitaire_draws_the_last_card_of_its_stock_first(self) -> None:
        board = json.loads(solvitaire_json(PYSOL.deal(24)))
        assert board["stock"][-3:] == ["8H", "KC", "10D"]
        assert board["hole"] == "JH"
        assert board["tableau piles"][0] == ["4C", "7S", "5S", "KH", "10C"]
        assert list(board) == ["tableau piles", "hole", "stock"]

    def test_json_lists_the_unseen_cards_too(self) -> None:
        data = own_data(GO1.deal(1))
        assert data["unseen"] == cards_text(GO1.deal(1).unseen).split()
        assert data["stock"] == ["8S"] + ["?"] * 15
        assert json.loads(own_json(GO1.deal(1))) == data

    def test_json_may_hold_more_than_the_board(self) -> None:
        data = {
            "reference": "GO1-E-AAAAAAB",
            "rules": {"name": "easy"},
            **own_data(GO1.deal(1)),
            "notes": [1, None, "x"],
        }
        assert read_board(json.dumps(data)) == GO1.deal(1)
        written = own_json(GO1.deal(1), {"reference": "GO1-E-AAAAAAB"})
        assert json.loads(written) == {"reference": "GO1-E-AAAAAAB", **own_data(GO1.deal(1))}
        assert read_board(written) == GO1.deal(1)

    @pytest.mark.parametrize("form", [own_text, own_json, pysol_text, solvitaire_json])
    def test_line_ends_and_a_byte_order_mark_do_not_matter(self, form: Callable[[Deal], str]) -> None:
        board = form(PYSOL.deal(24))
        assert read_board("\ufeff" + board.replace("\n", "\r\n") + "\n\n") == PYSOL.deal(24)


class TestMistakesInText:
    def test_a_word_that_is_no_card_is_told_with_its_place(self) -> None:
        error = refusal(lines_of(PYSOL_24, (4, "5H 2C  6X 6S TS")))
        assert (error.source, error.line, error.column) == ("a.txt", 4, 8)
        assert str(error).startswith("a.txt: line 4, column 8: '6X' is no card")

    def test_a_card_that_stands_twice_is_told_where_it_stands_again(self) -> None:
        error = refusal(lines_of(PYSOL_24, (9, "AH JS TH 5C 4C")))
        assert (error.line, error.column) == (9, 13)
        assert error.message == "4C stands here and in line 3, column 1: each card lies in one place only"

    def test_a_column_of_six_is_told_at_its_sixth_card(self) -> None:
        error = refusal(lines_of(PYSOL_24, (5, "QC QH 9C 7D AD ?")))
        assert (error.line, error.column) == (5, 16)
        assert error.message == "column 3 has 6 cards: a column has 5, and this is card 6"

    def test_a_short_column_is_told_by_its_line(self) -> None:
        error = refusal(lines_of(PYSOL_24, (9, "AH JS TH 5C")))
        assert (error.line, error.message) == (9, "column 7 has 4 cards: a column has 5")

    def test_the_card_that_51_cards_lack_is_named(self) -> None:
        error = refusal(lines_of(PYSOL_24, (1, "Talon: TD KC 8H 8S 4S 4H KS 6D 8D 7C JD 9D 2H QD 3D")))
        assert "51 cards" in error.message
        assert "AS" in error.message

    def test_an_unseen_place_too_few_is_a_card_too_few(self) -> None:
        assert refusal(BY_HAND.replace("8s ?", "8s")).message.startswith("51 cards: a deck has 52")

    def test_an_unseen_place_too_many_is_a_joker_nobody_has_seen(self) -> None:
        deal = read_board(BY_HAND.replace("8s ?", "8s ? ?"))
        assert deal.layout_of() == Layout(jokers=1)
        assert deal.unseen[-1].text == "X1"

    def test_more_unseen_places_than_a_deck_with_jokers_has_are_refused(self) -> None:
        assert refusal(BY_HAND.replace("8s ?", "8s ? ? ? ?")).message.startswith("55 cards")

    @pytest.mark.parametrize(
        ("line", "told"),
        [(1, "there is no stock line"), (2, "there is no foundation line"), (3, "6 columns: a board has 7")],
    )
    def test_a_line_that_is_missing_is_named(self, line: int, told: str) -> None:
        assert told in refusal(lines_of(PYSOL_24, (line, ""))).message

    def test_what_comes_after_the_seventh_column_is_refused(self) -> None:
        error = refusal(PYSOL_24 + "\nand more")
        assert (error.line, error.column) == (11, 1)
        assert error.message == "a board ends after its 7 columns, and this is one more"

    def test_a_second_board_in_the_file_is_refused(self) -> None:
        assert refusal(PYSOL_24 + PYSOL_24).line == 10

    @pytest.mark.parametrize(
        ("line", "column", "text"), [(3, 4, "4C ? 5S KH TC"), (2, 14, "Foundations: ?")], ids=["tableau", "foundation"]
    )
    def test_only_stock_cards_may_be_unseen(self, line: int, column: int, text: str) -> None:
        error = refusal(lines_of(PYSOL_24, (line, text)))
        assert (error.line, error.column) == (line, column)
        assert "only stock cards may be unseen" in error.message

    def test_a_label_that_is_none_is_told_with_those_there_are(self) -> None:
        error = refusal(lines_of(PYSOL_24, (1, "  Talen: TD")))
        assert (error.line, error.column) == (1, 3)
        assert error.message == "no line of a board is called 'Talen': there are foundation, foundations, stock, talon"

    def test_two_cards_on_the_foundation_are_refused(self) -> None:
        error = refusal(lines_of(PYSOL_24, (2, "Foundations: JH QH")))
        assert (error.line, error.column) == (2, 17)

    def test_an_empty_foundation_line_is_no_open_foundation(self) -> None:
        assert "write its card, or '-'" in refusal(lines_of(PYSOL_24, (2, "Foundations:"))).message

    def test_a_second_stock_line_is_refused(self) -> None:
        assert refusal("stock: 8S\n" + PYSOL_24).line == 2

    def test_a_joker_in_the_place_of_a_card_is_refused(self) -> None:
        assert "4C lies nowhere" in refusal(lines_of(PYSOL_24, (3, "X1 7S 5S KH TC"))).message

    @pytest.mark.parametrize("board", ["", "  \n\n", "\ufeff"])
    def test_an_empty_text_is_no_board(self, board: str) -> None:
        assert "there is nothing here" in refusal(board).message


class TestMistakesInJson:
    @pytest.mark.parametrize("form", [own_json, solvitaire_json])
    def test_a_card_is_told_with_its_place(self, form: Callable[[Deal], str]) -> None:
        board = form(PYSOL.deal(24)).replace('"9S"', '"9X"')
        error = refusal(board)
        assert error.line is not None
        assert error.column is not None
        assert board.splitlines()[error.line - 1][error.column - 1 :].startswith('"9X"')
        assert "'9X' is no card" in error.message

    def test_a_card_that_stands_twice_is_told_where_it_stands_again(self) -> None:
        board = json.dumps({"note": 'a "quoted\\" text', **own_data(PYSOL.deal(24))}).replace('"7S"', '"4C"')
        error = refusal(board)
        assert (error.line, error.column) == (1, board.rindex('"4C"') + 1)

    def test_broken_json_is_told_with_its_place(self) -> None:
        error = refusal(own_json(PYSOL.deal(24)).replace('"QH",', '"QH"'))
        assert error.message.startswith("this is no JSON")
        assert (error.line, error.column) == (7, 17)

    @pytest.mark.parametrize(
        ("board", "told"),
        [
            ("[]", "a board is an object"),
            ("{}", "there is no 'columns'"),
            ('{"columns": 1, "foundation": null, "stock": []}', "'columns' is no list"),
            ('{"columns": [1], "foundation": null, "stock": []}', "'columns, column 1' is no list"),
            (
                '{"columns": [[1]], "foundation": null, "stock": []}',
                "'columns, column 1' holds something that is no card",
            ),
            ('{"columns": [], "foundation": 5, "stock": []}', "or null for an open foundation"),
            ('{"columns": [], "foundation": null, "stock": "8S"}', "'stock' is no list"),
            ('{"columns": [], "foundation": null, "stock": []}', "0 columns: a board has 7"),
            ('{"columns": [[],[],[],[],[],[],[],[]], "foundation": null, "stock": []}', "8 columns"),
            ('{"columns": [], "columns": []}', "'columns' stands twice"),
            ('{"tableau piles": [], "hole": "AS"}', "there is no 'stock'"),
            ('{"tableau piles": [], "stock": []}', "there is no 'hole'"),
            ('{"tableau piles": [], "hole": null, "stock": []}', "'hole' holds something that is no card"),
            ('{"tableau piles": [], "hole": "AS", "stock": [], "waste": []}', "'waste' is no part of Golf"),
            ('{"columns": ' + "[" * 100_000, "too deep"),
            ('{"columns": ' + "9" * 5000 + "}", "a number too long"),
        ],
    )
    def test_what_is_no_board_is_told(self, board: str, told: str) -> None:
        assert told in refusal(board).message


@given(st.text())
def test_any_text_is_a_board_or_a_board_error(text: str) -> None:
    with pytest.raises(BoardError):
        read_board(text)


@given(st.data())
def test_a_board_with_a_letter_changed_is_a_board_or_a_board_error(data: st.DataObject) -> None:
    board = data.draw(st.sampled_from([write(PYSOL.deal(24)) for write in WRITERS.values()]))
    place = data.draw(st.integers(0, len(board) - 1))
    change = data.draw(st.sampled_from('?-#:,"[]{}XA2TKCS\n\\') | st.characters())
    try:
        deal = read_board(board[:place] + change + board[place + 1 :])
    except BoardError:
        return
    assert deal.layout_of().tableau == 35


def test_the_boards_in_the_documentation_can_be_read() -> None:
    text = (Path(__file__).parents[1] / "docs" / "deals.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```\w*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    boards = [block for block in blocks if re.match(r"#|Talon|\{", block)]
    assert [read_board(board) for board in boards] == [GO1.deal(1), PYSOL.deal(24), PYSOL.deal(24)]


def test_an_error_without_a_file_names_none() -> None:
    with pytest.raises(BoardError) as refused:
        read_board("junk")
    assert refused.value.source is None
