"""Numberings: which cards a number deals, and how numbers are written."""

import pickle
import random
import re
from itertools import islice
from pathlib import Path

import naive_shuffle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysol_cards.cards import CardRenderer
from pysol_cards.deal_game import Game as PysolGame
from pysol_cards.random import RandomBase
from strategies import LAYOUTS

from golf_cli.cards import cards_text, deck
from golf_cli.deals.board_text import pysol_text
from golf_cli.deals.deal import Deal
from golf_cli.deals.numberings import GO1, LAST_MS, LAST_MS_OF_PYSOL, MS, NUMBERINGS, PYSOL, Numbering, numbering
from golf_cli.deals.numbers import parse_count, parse_number
from golf_cli.deals.registry import complete, documented_deal, documented_numbers, fill_unseen
from golf_cli.deals.shuffle import mix64, own_deal, shuffled, stream
from golf_cli.errors import DealError, NumberError
from golf_cli.rules import Layout

U64 = st.integers(0, 2**64 - 1)
NUMBERS = st.integers(0, 2**35 - 1)


def published() -> list[tuple[int, str]]:
    """Key and deck of every published vector of shuffle version 1."""
    text = (Path(__file__).parent / "golden" / "shuffle_v1.txt").read_text(encoding="utf-8")
    lines = [line.split(":") for line in text.splitlines() if line and not line.startswith("#")]
    return [(int(key), cards.strip()) for key, cards in lines]


def dealt_by_pysol_cards(number: int, which: int) -> str:
    return str(PysolGame("golf", number, which).calc_layout_string(CardRenderer(print_ts=True)))


class TestTheProjectsOwnShuffle:
    def test_its_stream_is_splitmix64(self) -> None:
        assert list(islice(stream(0), 3)) == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
        assert list(islice(stream(1234567), 3)) == [6457827717110365317, 3203168211198807973, 9817491932198370423]

    @given(U64)
    def test_the_stream_of_a_key_is_mix64_of_a_counter(self, key: int) -> None:
        golden = 0x9E3779B97F4A7C15
        assert list(islice(stream(key), 5)) == [mix64((key + k * golden) % 2**64) for k in range(1, 6)]

    @pytest.mark.parametrize(("key", "cards"), published())
    def test_it_deals_the_published_decks(self, key: int, cards: str) -> None:
        jokers = cards.count("X")
        assert cards_text(map(deck(2).__getitem__, shuffled(key, deck(jokers)))) == cards

    def test_the_documentation_shows_two_of_them(self) -> None:
        text = (Path(__file__).parents[1] / "docs" / "deals.md").read_text(encoding="utf-8")
        table = text.partition("number 0  ")[2].partition("```")[0]
        left, right = zip(*(re.split(r" {3,}", line) for line in table.splitlines()[1:]), strict=True)
        assert " ".join(left) == cards_text(own_deal(0).cards)
        assert " ".join(right) == cards_text(own_deal(2**35 - 1).cards)

    @given(U64, st.integers(0, 2))
    def test_it_deals_as_its_twin_does(self, key: int, jokers: int) -> None:
        assert shuffled(key, deck(jokers)) == naive_shuffle.shuffled(key, list(range(52 + jokers)))

    @given(NUMBERS)
    def test_a_deal_is_the_columns_then_the_foundation_then_the_stock(self, number: int) -> None:
        order, deal = shuffled(number, deck()), own_deal(number)
        assert [list(column) for column in deal.columns] == [order[start : start + 5] for start in range(0, 35, 5)]
        assert deal.foundation == order[35]
        assert list(deal.stock) == order[36:]

    @given(NUMBERS, st.integers(0, 2))
    def test_an_open_foundation_puts_its_card_first_in_the_stock(self, number: int, jokers: int) -> None:
        dealt = own_deal(number, Layout(jokers=jokers))
        opened = own_deal(number, Layout(jokers=jokers, open_foundation=True))
        assert opened == Deal(dealt.columns, None, dealt.cards[35:])

    @given(NUMBERS, LAYOUTS)
    def test_every_deal_is_a_whole_deal_of_its_layout(self, number: int, layout: Layout) -> None:
        deal = own_deal(number, layout)
        assert deal.layout_of() == layout
        assert sorted(deal.cards) == list(deck(layout.jokers))


class TestGo1:
    def test_the_documented_deal_is_dealt_as_documented(self) -> None:
        deal = GO1.deal(1)
        assert deal == documented_deal(1)
        assert cards_text(deal.columns[0]) == "6C 5S QS TS 6H"
        assert cards_text(deal.columns[6]) == "3S 7S 3H 9S 5C"
        assert str(deal.foundation) == "AC"
        assert cards_text(deal.stock) == "8S" + " ?" * 15
        assert cards_text(deal.unseen) == "AD 2H 4D 5H 6D 6S 9D 9H TD JC JD QC QD KH KS"

    @given(NUMBERS.filter(lambda number: number != 1))
    def test_every_other_number_is_dealt_by_the_own_shuffle(self, number: int) -> None:
        assert GO1.deal(number) == own_deal(number)

    @given(LAYOUTS.filter(lambda layout: layout != Layout()))
    def test_no_deal_is_documented_in_a_layout_the_app_does_not_have(self, layout: Layout) -> None:
        assert documented_numbers(layout) == ()
        assert GO1.deal(1, layout) == own_deal(1, layout)
        with pytest.raises(NumberError, match="no documented deal of this layout"):
            complete(1, layout)

    def test_a_documented_deal_is_completed_in_the_order_of_the_numbers_own_shuffle(self) -> None:
        known, whole = documented_deal(1), complete(1)
        assert (whole.columns, whole.foundation, whole.stock[0]) == (known.columns, known.foundation, known.stock[0])
        assert list(whole.stock[1:]) == [card for card in shuffled(1, deck()) if card in known.unseen]
        assert cards_text(whole.stock) == "8S QD TD 9D KH 4D AD KS QC 2H JD 5H 9H 6S JC 6D"

    def test_a_deal_without_unseen_cards_is_complete(self) -> None:
        assert fill_unseen(7, own_deal(24)) == own_deal(24)

    def test_its_version_names_the_shuffle_and_the_registry(self) -> None:
        assert GO1.version == "shuffle-1+deals-1"
        assert documented_numbers() == (1,), "a documented deal more or less is another edition of data/deals.json"


class TestPysol:
    @pytest.mark.parametrize("first", range(1, 2001, 500))
    def test_it_deals_as_pysol_cards_does(self, first: int) -> None:
        for number in range(first, first + 500):
            assert pysol_text(PYSOL.deal(number)) == dealt_by_pysol_cards(number, RandomBase.DEALS_PYSOLFC)

    @pytest.mark.parametrize("number", [31999, 32000, 32001, 2**31, 2**32, 2**33, 2**63, 2**64 - 1])
    def test_it_deals_as_pysol_cards_does_around_every_border(self, number: int) -> None:
        assert pysol_text(PYSOL.deal(number)) == dealt_by_pysol_cards(number, RandomBase.DEALS_PYSOLFC)

    @given(U64.filter(bool))
    def test_it_deals_as_pysol_cards_does_for_any_number(self, number: int) -> None:
        assert pysol_text(PYSOL.deal(number)) == dealt_by_pysol_cards(number, RandomBase.DEALS_PYSOLFC)

    def test_up_to_32000_it_deals_the_microsoft_deals_and_then_no_more(self) -> None:
        assert LAST_MS_OF_PYSOL == 32000
        assert PYSOL.deal(32000) == MS.deal(32000)
        assert PYSOL.deal(32001) != MS.deal(32001)

    def test_deal_24_is_the_one_that_is_known(self) -> None:
        known = "TD KC 8H 8S 4S 4H KS 6D 8D 7C JD 9D 2H QD 3D AS"
        assert cards_text(PYSOL.deal(24).stock) == known
        assert cards_text(PYSOL.deal(24).columns[0]) == "4C 7S 5S KH TC"


class TestMicrosoft:
    @given(st.one_of(st.integers(1, 2**31), st.integers(2**31, 2**32), st.integers(2**32, LAST_MS)))
    def test_it_deals_as_pysol_cards_does(self, number: int) -> None:
        assert pysol_text(MS.deal(number)) == dealt_by_pysol_cards(number, RandomBase.DEALS_MS)

    @pytest.mark.parametrize("number", [1, 32001, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**33 - 1])
    def test_it_deals_as_pysol_cards_does_around_every_border(self, number: int) -> None:
        assert pysol_text(MS.deal(number)) == dealt_by_pysol_cards(number, RandomBase.DEALS_MS)


@pytest.mark.parametrize("each", NUMBERINGS.values(), ids=NUMBERINGS)
class TestEveryNumbering:
    def test_it_deals_from_its_first_number_to_its_last_and_names_them_otherwise(self, each: Numbering) -> None:
        for number in (each.first, each.last):
            assert each.deal(number).layout_of() == Layout()
        for number in (each.first - 1, each.last + 1, -1):
            with pytest.raises(NumberError, match=f"{each.name} deals the numbers {each.first} to {each.last}"):
                each.deal(number)

    def test_a_number_always_deals_the_same_cards(self, each: Numbering) -> None:
        random.seed(1)
        before = each.deal(40000)
        random.seed(2)
        assert each.deal(40000) == before

    def test_a_deal_is_no_matter_of_the_process(self, each: Numbering) -> None:
        assert pickle.loads(pickle.dumps(each)).deal(12345) == each.deal(12345)

    def test_it_is_found_by_its_name(self, each: Numbering) -> None:
        assert numbering(f" {each.name.upper()} ") is each


@pytest.mark.parametrize("each", [PYSOL, MS], ids=["pysol", "ms"])
def test_pysol_and_microsoft_deal_the_plain_layout_only(each: Numbering) -> None:
    for layout in (Layout(jokers=1), Layout(open_foundation=True), Layout(columns=8)):
        with pytest.raises(DealError, match=f"{each.name} numbers deal 52 cards"):
            each.deal(24, layout)


def test_an_unknown_numbering_is_told_with_those_there_are() -> None:
    with pytest.raises(NumberError, match="'freecell': there are go1, pysol, ms"):
        numbering("freecell")


class TestNumbersAsPeopleWriteThem:
    @pytest.mark.parametrize(
        ("written", "number"),
        [
            ("0", 0),
            ("00024", 24),
            ("1e6", 10**6),
            ("1E+6", 10**6),
            ("1_000_000", 10**6),
            (" 2.5e6 ", 2_500_000),
            ("12.50e1", 125),
            ("0e99", 0),
            ("7.0", 7),
            ("18446744073709551615", 2**64 - 1),
            ("1.8446744073709551615e19", 2**64 - 1),
            ("0" * 5000 + "7", 7),
        ],
    )
    def test_they_are_read_exactly(self, written: str, number: int) -> None:
        assert parse_number(written) == number

    @given(U64)
    def test_every_number_is_read_back_in_every_way_of_writing_it(self, number: int) -> None:
        assert parse_number(str(number)) == number
        assert parse_number(f"{number:_}") == number
        assert parse_number(f"{number}e0") == number

    @pytest.mark.parametrize(
        "written", ["", "abc", "-3", "+3", "1e", "e6", "1e-6", "1__0", "_1", "1_", ".5", "٣", "0x10"]
    )
    def test_what_is_no_number_is_refused_by_name(self, written: str) -> None:
        with pytest.raises(NumberError, match="is not a number: write a whole number") as refusal:
            parse_number(written)
        assert f"'{written}'" in str(refusal.value)

    @pytest.mark.parametrize("written", ["1.5", "1.25e1", "0.1", "1.8446744073709551615e18"])
    def test_what_is_not_whole_is_refused(self, written: str) -> None:
        with pytest.raises(NumberError, match="it is not whole"):
            parse_number(written)

    @pytest.mark.parametrize("written", ["18446744073709551616", "1e99", "1e999999999999", "9" * 5000, "1.5e400"])
    def test_what_is_too_large_is_refused_with_the_bounds(self, written: str) -> None:
        with pytest.raises(NumberError, match="out of range: a number is from 0 to 18446744073709551615"):
            parse_number(written)

    def test_bounds_of_ones_own_are_named(self) -> None:
        assert parse_number("5", 5, 7) == 5
        for written in ("4", "8"):
            with pytest.raises(NumberError, match="a hole is from 5 to 7"):
                parse_number(written, 5, 7, "a hole")

    def test_a_count_is_at_least_one(self) -> None:
        assert parse_count("1e3") == 1000
        with pytest.raises(NumberError, match="a count is from 1"):
            parse_count("0")

    def test_a_numbering_reads_its_own_numbers(self) -> None:
        assert PYSOL.parse("1e3") == 1000
        with pytest.raises(NumberError, match="a deal number of ms is from 1 to 8589934591"):
            MS.parse("1e10")
