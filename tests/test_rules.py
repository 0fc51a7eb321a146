"""Rule sets: what fits on what under each preset, and how rules are written."""

from itertools import product

import pytest

from golf_cli.cards import JOKER, KING, RANKS
from golf_cli.errors import RulesError
from golf_cli.rules import (
    ALIASES,
    OPEN,
    PRESETS,
    Draw,
    Foundation,
    Jokers,
    Layout,
    OnAce,
    OnKing,
    RuleSet,
)

EVERY_RULE_SET = [RuleSet(*fields) for fields in product(OnKing, OnAce, Draw, Jokers, Foundation)]

NEIGHBOURS = {
    "A": "2", "2": "A3", "3": "24", "4": "35", "5": "46", "6": "57", "7": "68",
    "8": "79", "9": "8T", "T": "9J", "J": "TQ", "Q": "JK", "K": "Q",
}  # fmt: skip
"""What fits on each rank in the classic game."""

ON_KING_AND_ACE = {
    "easy": ("QA", "2K"),
    "classic": ("Q", "2"),
    "hard": ("", "2"),
    "strict": ("", "2"),
}


@pytest.mark.parametrize("preset", PRESETS)
def test_each_preset_lets_the_ranks_meet_that_it_should(preset: str) -> None:
    expected = NEIGHBOURS | dict(zip("KA", ON_KING_AND_ACE[preset], strict=True))
    rules = PRESETS[preset]
    for top in RANKS:
        fitting = {rank for rank in RANKS if rules.allows(RANKS.index(rank), RANKS.index(top))}
        assert fitting == set(expected[top]), f"on {top} under {preset}"


def test_a_king_goes_on_a_queen_under_every_rule_set_and_on_an_ace_only_where_it_is_allowed() -> None:
    for rules in EVERY_RULE_SET:
        assert rules.allows(KING, RANKS.index("Q"))
        assert rules.allows(KING, RANKS.index("A")) == (rules.on_ace is OnAce.TWO_OR_KING)


def test_only_strict_draws_when_nothing_can_be_played() -> None:
    assert [name for name, rules in PRESETS.items() if rules.draw_when_stuck] == ["strict"]


def test_every_card_plays_on_a_joker_and_on_an_open_foundation() -> None:
    for rules in EVERY_RULE_SET:
        for rank in range(14):
            assert rules.allows(rank, JOKER)
            assert rules.allows(rank, OPEN)


def test_a_joker_plays_on_every_card_except_on_a_king_that_takes_nothing() -> None:
    for rules in EVERY_RULE_SET:
        refused = [top for top in range(15) if not rules.allows(JOKER, top)]
        assert refused == ([KING] if rules.on_king is OnKing.NONE else [])


def test_what_fits_is_told_to_kernels_as_sixteen_numbers() -> None:
    for rules in EVERY_RULE_SET:
        assert len(rules.fits) == 16
        assert rules.fits[15] == 0
        assert all(
            bool(rules.fits[top] >> rank & 1) == rules.allows(rank, top) for top in range(15) for rank in range(14)
        )
        assert all(mask >> 14 == 0 for mask in rules.fits)


def test_every_rule_set_is_read_back_from_its_spelling() -> None:
    spellings = [str(rules) for rules in EVERY_RULE_SET]
    assert [RuleSet.parse(spelling) for spelling in spellings] == EVERY_RULE_SET
    assert len(set(spellings)) == len(EVERY_RULE_SET)


@pytest.mark.parametrize(
    ("written", "spelling"),
    [
        ("easy", "easy"),
        ("CLASSIC", "classic"),
        ("medium", "classic"),
        ("daily", "classic"),
        ("putt-putt", "easy"),
        ("Putt Putt", "easy"),
        ("classic,on-king=none", "hard"),
        ("hard, draw=when-stuck", "strict"),
        ("classic, jokers = 1", "classic,jokers=1"),
        ("strict,foundation=open,jokers=2", "strict,jokers=2,foundation=open"),
    ],
)
def test_rules_have_one_spelling_whatever_was_written(written: str, spelling: str) -> None:
    assert str(RuleSet.parse(written)) == spelling


def test_presets_and_aliases_do_not_collide() -> None:
    assert not set(PRESETS) & set(ALIASES)
    assert set(ALIASES.values()) <= set(PRESETS)


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("", "easy, classic, hard, strict"),
        ("esay", "'esay'"),
        ("classic,onking=none", "on-king, on-ace, draw, jokers, foundation"),
        ("classic,on-king=jack", "none, queen, queen-or-ace"),
        ("classic,jokers=3", "0, 1, 2"),
        ("classic,jokers", "''"),
        ("classic,", "''"),
    ],
)
def test_a_mistake_in_the_rules_is_told_with_what_there_is(written: str, told: str) -> None:
    with pytest.raises(RulesError) as refusal:
        RuleSet.parse(written)
    assert told in str(refusal.value)


@pytest.mark.parametrize(("letter", "preset"), [("E", "easy"), ("C", "classic"), ("N", "easy"), ("e", "easy")])
def test_a_codes_letter_sets_the_rules(letter: str, preset: str) -> None:
    assert RuleSet.of_letter(letter) == PRESETS[preset]


def test_another_letter_sets_none() -> None:
    with pytest.raises(RulesError, match="'X' is no rules letter"):
        RuleSet.of_letter("X")


@pytest.mark.parametrize(
    ("rules", "cards", "stock"),
    [
        ("classic", 52, 16),
        ("classic,jokers=1", 53, 17),
        ("classic,jokers=2", 54, 18),
        ("classic,foundation=open", 52, 17),
        ("easy,jokers=2,foundation=open", 54, 19),
    ],
)
def test_jokers_and_an_open_foundation_lengthen_the_stock(rules: str, cards: int, stock: int) -> None:
    layout = RuleSet.parse(rules).layout
    assert (layout.tableau, layout.cards, layout.stock) == (35, cards, stock)


def test_the_plain_layout_is_that_of_every_preset() -> None:
    assert {rules.layout for rules in PRESETS.values()} == {Layout()}
