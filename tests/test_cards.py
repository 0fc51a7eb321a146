"""Cards: their numbers, and how they are written and read."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from golf_cli.cards import UNSEEN, Card, cards_text, deck, parse_cards
from golf_cli.errors import CardError

ALL_CARDS = (*deck(2), UNSEEN)


def test_the_deck_runs_from_the_ace_of_clubs_to_the_king_of_spades() -> None:
    assert cards_text(deck()[:5]) == "AC AD AH AS 2C"
    assert cards_text(deck()[-2:]) == "KH KS"
    assert [int(card) for card in deck()] == list(range(52))


def test_jokers_come_after_the_kings() -> None:
    assert cards_text(deck(2)[51:]) == "KS X1 X2"
    assert deck(1) == deck(2)[:53]


@pytest.mark.parametrize("card", ALL_CARDS)
def test_a_card_is_read_back_from_its_text_in_either_case(card: Card) -> None:
    assert Card.parse(str(card)) == card
    assert Card.parse(f" {card.text.lower()} ") == card


@pytest.mark.parametrize("card", deck(2))
def test_a_card_is_its_rank_and_suit(card: Card) -> None:
    assert Card.of(card.rank, card.suit) == card
    assert card == 4 * card.rank + card.suit


@pytest.mark.parametrize(
    ("written", "text"),
    [("10H", "TH"), ("10h", "TH"), ("th", "TH"), ("Q♥", "QH"), ("a♣", "AC"), ("8♠", "8S"), ("10♦", "TD"), ("x2", "X2")],
)
def test_people_write_cards_in_many_ways(written: str, text: str) -> None:
    assert Card.parse(written).text == text


@pytest.mark.parametrize(
    "written", ["", "8", "S", "8SS", "1S", "0H", "11H", "110H", "ZS", "8Z", "X", "X0", "X3", "??", "T0"]
)
def test_a_text_that_is_no_card_is_refused_by_name(written: str) -> None:
    with pytest.raises(CardError, match="is no card") as refusal:
        Card.parse(written)
    assert f"'{written}'" in str(refusal.value)


@pytest.mark.parametrize(("rank", "suit"), [(-1, 0), (0, 4), (13, 2), (14, 0), (0, -1)])
def test_there_is_no_card_outside_the_deck(rank: int, suit: int) -> None:
    with pytest.raises(CardError, match=f"rank {rank} and suit {suit}"):
        Card.of(rank, suit)


@given(st.lists(st.sampled_from(ALL_CARDS)))
def test_a_row_of_cards_is_read_back_from_its_text(cards: list[Card]) -> None:
    assert list(parse_cards(cards_text(cards))) == cards
    assert list(parse_cards(", ".join(card.text for card in cards))) == cards


def test_a_card_travels_to_another_process() -> None:
    card = pickle.loads(pickle.dumps(Card.parse("8S")))
    assert (type(card), card.text, repr(card)) == (Card, "8S", "Card('8S')")
