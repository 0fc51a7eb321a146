"""The compiled shuffles: the project's own against its twin, Microsoft's against PySolFC, and how evenly they mix."""

from itertools import islice

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from naive_shuffle import WORD, shuffled, splitmix64, written
from numpy.typing import NDArray
from pysol_cards.cards import CardRenderer
from pysol_cards.deal_game import Game
from pysol_cards.random import LCRandom31
from scipy.stats import chi2

from golf_cli.kernels.shuffle import LAST_MS_NUMBER, ms_rows, shuffle_rows

DECK = np.arange(52, dtype=np.uint8)
DEALS = 200_000
ONE_IN_A_MILLION = 1e-6

PUBLISHED = {
    0: (
        "4C 9S 3C KC AH KD KS 3S 8C 7D 5H 4D 6S JD AS KH 8D 4H TC AC 2C 8H TH QC 9D JS "
        "QH 7C 3D JH TS 9C 7S 2H TD 5D 5S 7H 6D 6C 8S 5C JC 3H 9H 2S 4S 2D QS AD 6H QD"
    ),
    1: (
        "QS QD TD JH AC 9D KH TC 2D 8H 5S 3H 4S 9C 3S TS 3D 2C 7S 2S JS 7D 6H 7H 5D 4D "
        "AD 3C AS 4H 8S AH KS QH 8C QC 2H JD 6C 5H 7C 5C 9H 4C 6S JC 9S KD 6D KC TH 8D"
    ),
    2: (
        "7S KC 3H KD JC KS AS 3C 5H KH JH 8C AH 6C 6S 2C 6D 7C TS 2D QC 7H 9C AC 4S 4D "
        "5S 7D 3D JS QH AD 2H 9H 4C TC 2S 9S JD 6H 5D QS 8S 3S QD 9D 5C 4H TD 8D TH 8H"
    ),
    2**35 - 1: (
        "AC 2D 6C 4C 4D 9D KH 7S QC TS AD TC 6D 8S 8C 6S 7H 9H 3H 4H 5S 9S 7D QD 9C 2C "
        "2S 4S 5C JC KC 3C 5H AH AS 7C QH JD TD KS KD JH JS 5D TH 6H 3D 3S 2H 8D 8H QS"
    ),
    2**63: (
        "7D TC 6S 6C 8C TD 3H QS 9H QH 7H 2C TH 4C 9S AC 2S 9C 5H JC JH JS AS 2H KD KH "
        "6D AD 8H 4D JD 7S QD 3D 3C 9D 3S 2D 8D QC 4S 6H 5C 8S KC 7C KS AH 5D 5S TS 4H"
    ),
    2**64 - 1: (
        "4S 5S 4C 5D KH AH TC 9C 7H 6H TD 3D 7S 8D 7D AD 9H KD 8H 3C 6S AS TS 5H 8S 6D "
        "5C 8C 2D 9S KC QC 4D 2C 2H 4H 7C 2S JC JD QD JH AC QS 3S JS TH 9D 6C 3H KS QH"
    ),
}


def own_deals(first: int, n: int) -> NDArray[np.uint8]:
    return shuffle_rows(np.arange(first, first + n, dtype=np.uint64), DECK)


@pytest.mark.parametrize("number", PUBLISHED)
def test_the_published_decks_are_dealt(number: int) -> None:
    (row,) = shuffle_rows(np.array([number], np.uint64), DECK)
    assert written(row.tolist()) == PUBLISHED[number]
    assert written(shuffled(number, list(range(52)))) == PUBLISHED[number]


def test_the_stream_is_the_splitmix64_others_know() -> None:
    first_words = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    assert list(islice(splitmix64(1234567), 4)) == first_words


@given(keys=st.lists(st.integers(0, WORD - 1), max_size=5), start=st.lists(st.integers(0, 255), max_size=120))
def test_any_cards_are_shuffled_as_the_description_says(keys: list[int], start: list[int]) -> None:
    rows = shuffle_rows(np.array(keys, np.uint64), np.array(start, np.uint8))
    assert rows.shape == (len(keys), len(start))
    assert rows.tolist() == [shuffled(key, start) for key in keys]


def test_a_deck_with_jokers_and_two_decks_are_shuffled_the_same_way() -> None:
    for start in ([*range(54)], [*range(52), *range(52)]):
        rows = shuffle_rows(np.arange(200, dtype=np.uint64), np.array(start, np.uint8))
        assert rows.tolist() == [shuffled(key, start) for key in range(200)]


# How evenly the shuffle mixes. Both statistics have a known distribution under a fair shuffle; the biased shuffles
# further down are caught by the same statistics from as many deals.


def places_statistic(rows: NDArray[np.uint8]) -> float:
    """How unevenly each card falls on each place: chi-square with 51 * 51 degrees of freedom.

    It catches a swap partner drawn from the wrong range, which favours some places for a card. A place for a card is
    a cell of a permutation matrix; its dependence on the other cells makes the usual sum 52/51 of a chi-square.
    """
    cells = rows.astype(np.int64) * 52 + np.arange(52)
    counts = np.bincount(cells.ravel(), minlength=52 * 52)
    expected = len(rows) / 52
    return float(((counts - expected) ** 2 / expected).sum() * 51 / 52)


def pairs_statistic(rows: NDArray[np.uint8]) -> float:
    """The largest over the 51 pairs of neighbouring places of: how unevenly the pairs of cards fall on them.

    For one pair of places it is a chi-square with 52 * 51 - 1 degrees of freedom. It catches cards that stay together,
    even when every card is equally likely in every place.
    """
    expected = len(rows) / (52 * 51)
    apart = ~np.eye(52, dtype=bool).ravel()
    pairs = rows[:, :-1].astype(np.int64) * 52 + rows[:, 1:]
    counts = (np.bincount(pairs[:, place], minlength=52 * 52)[apart] for place in range(51))
    return max(float(((count - expected) ** 2 / expected).sum()) for count in counts)


PLACES_LIMIT = float(chi2.isf(ONE_IN_A_MILLION, 51 * 51))
PAIRS_LIMIT = float(chi2.isf(ONE_IN_A_MILLION / 51, 52 * 51 - 1))


def swapped(swap_range: str) -> NDArray[np.uint8]:
    """Decks shuffled by swaps whose partner comes from the wrong range."""
    rng = np.random.default_rng(52)
    rows = np.tile(DECK, (DEALS, 1))
    deals = np.arange(DEALS)
    for last in range(51, 0, -1):
        size = {"the whole deck": 52, "all but the card itself": last}[swap_range]
        other = rng.integers(size, size=DEALS)
        rows[:, last], rows[deals, other] = rows[deals, other], rows[:, last].copy()
    return rows


def test_every_card_is_as_likely_in_every_place() -> None:
    assert places_statistic(own_deals(0, DEALS)) < PLACES_LIMIT


def test_every_pair_of_cards_is_as_likely_side_by_side() -> None:
    assert pairs_statistic(own_deals(0, DEALS)) < PAIRS_LIMIT


@pytest.mark.parametrize("swap_range", ["the whole deck", "all but the card itself"])
def test_a_partner_drawn_from_the_wrong_range_would_be_caught(swap_range: str) -> None:
    assert places_statistic(swapped(swap_range)) > PLACES_LIMIT


def test_a_deck_that_is_only_cut_would_be_caught_by_its_pairs_alone() -> None:
    cuts = np.random.default_rng(52).integers(52, size=DEALS)
    rows = ((DECK + cuts[:, None]) % 52).astype(np.uint8)
    assert places_statistic(rows) < PLACES_LIMIT
    assert pairs_statistic(rows) > PAIRS_LIMIT


def test_a_deal_tells_nothing_about_the_next_number() -> None:
    rows = own_deals(0, 2 * DEALS).astype(np.int64)
    expected = DEALS / 52**2
    for place in (0, 34, 51):
        counts = np.bincount(rows[::2, place] * 52 + rows[1::2, place], minlength=52**2)
        assert ((counts - expected) ** 2 / expected).sum() < chi2.isf(ONE_IN_A_MILLION, 52**2 - 1)


def pysol_row(number: int) -> list[str]:
    """PySolFC's Microsoft deal of a number, as the cards of one of our rows."""
    text = Game("golf", number, LCRandom31.DEALS_MS).calc_layout_string(CardRenderer(print_ts=True))
    talon, foundation, *columns = text.splitlines()
    return " ".join([*columns, foundation.removeprefix("Foundations: "), talon.removeprefix("Talon: ")]).split()


def test_microsoft_deals_are_pysolfcs() -> None:
    for number, row in enumerate(ms_rows(1, 2000), 1):
        assert written(row.tolist()).split() == pysol_row(number), number


@given(st.integers(1, LAST_MS_NUMBER))
@example(2**31 - 1)
@example(2**32 - 1)
@example(LAST_MS_NUMBER - 1)
def test_microsoft_deals_are_pysolfcs_at_any_number(number: int) -> None:
    for each, row in enumerate(ms_rows(number, 2 if number < LAST_MS_NUMBER else 1), number):
        assert written(row.tolist()).split() == pysol_row(each)


@pytest.mark.parametrize(("first", "n"), [(0, 1), (-5, 10), (LAST_MS_NUMBER + 1, 1), (LAST_MS_NUMBER, 2)])
def test_a_number_that_is_no_microsoft_deal_is_refused(first: int, n: int) -> None:
    with pytest.raises(ValueError, match=r"numbers go from 1 to 8589934591"):
        ms_rows(first, n)


def test_no_deals_at_all_are_no_rows() -> None:
    assert own_deals(0, 0).shape == (0, 52)
    assert ms_rows(LAST_MS_NUMBER + 5, 0).shape == (0, 52)
    with pytest.raises(ValueError, match="ask for none or more"):
        ms_rows(1, -1)
