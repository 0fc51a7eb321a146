"""Rules, games and deals at their edges: values of other types, unseen cards, and stocks seen in part."""

import pickle
from dataclasses import replace
from typing import Any

import pytest

from golf_cli.cards import UNSEEN, Card, parse_cards
from golf_cli.deals.deal import Deal
from golf_cli.deals.numberings import GO1
from golf_cli.errors import DealError, RulesError
from golf_cli.game import DRAW, Action, Game, Reason, Refused
from golf_cli.rules import PRESETS, Draw, Foundation, Jokers, Layout, OnAce, OnKing, RuleSet

DOCUMENTED = GO1.deal(1, Layout())
WHOLE = GO1.deal(2, Layout())


def test_rules_made_of_text_are_the_rules_in_every_respect() -> None:
    hard: Any = RuleSet(on_king="none")  # type: ignore[arg-type]
    assert hard == PRESETS["hard"]
    assert hash(hard) == hash(PRESETS["hard"])
    assert (str(hard), repr(hard)) == ("hard", repr(PRESETS["hard"]))
    assert hard.on_king is OnKing.NONE
    assert hard.fits == PRESETS["hard"].fits
    assert not any(hard.allows(rank, 12) for rank in range(14))
    assert pickle.loads(pickle.dumps(hard)) == hard
    every: Any = RuleSet("queen-or-ace", "two-or-king", "when-stuck", 1, "open")  # type: ignore[arg-type]
    assert (
        every
        == RuleSet(OnKing.QUEEN_OR_ACE, OnAce.TWO_OR_KING, Draw.WHEN_STUCK, Jokers.ONE, Foundation.OPEN)
        == RuleSet.parse(str(every))
    )
    assert every.draw_when_stuck
    assert every.layout == Layout(jokers=1, open_foundation=True)


@pytest.mark.parametrize(
    ("field", "value", "there_are"),
    [
        ("on_king", "jack", "none, queen, queen-or-ace"),
        ("on_king", None, "none, queen, queen-or-ace"),
        ("on_king", "", "none, queen, queen-or-ace"),
        ("on_ace", "queen", "two, two-or-king"),
        ("draw", True, "any-time, when-stuck"),
        ("jokers", 3, "0, 1, 2"),
        ("jokers", -1, "0, 1, 2"),
        ("jokers", 1.0, "0, 1, 2"),
        ("foundation", "closed", "dealt, open"),
    ],
)
def test_rules_cannot_be_made_of_what_is_no_value(field: str, value: object, there_are: str) -> None:
    named = field.replace("_", "-")
    for make in (lambda: RuleSet(**{field: value}), lambda: replace(PRESETS["easy"], **{field: value})):  # type: ignore[arg-type]
        with pytest.raises(RulesError, match=f"'{value}' is no value of {named}: it is one of {there_are}"):
            make()


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("classic,jokers=1,jokers=1", "jokers"),
        ("classic,jokers=1,jokers=2", "jokers"),
        ("easy,on-king=none,draw=when-stuck,on-king=queen", "on-king"),
        ("easy, ON-KING = none , on-king=none", "on-king"),
    ],
)
def test_a_rule_set_twice_is_refused(text: str, field: str) -> None:
    with pytest.raises(RulesError, match=f"sets {field} twice: set it once"):
        RuleSet.parse(text)


def test_a_card_nobody_has_seen_cannot_be_drawn_and_is_not_offered() -> None:
    game = Game(DOCUMENTED, PRESETS["classic"])
    assert game.legal_actions()[-1] == DRAW
    game.draw()  # 8S, the one stock card that is known
    assert DOCUMENTED.stock[1] == UNSEEN
    assert DRAW not in game.legal_actions()
    assert game.legal_actions() == [
        Action(number) for number, column in enumerate(game.columns) if game.rules.allows(column[-1].rank, 7)
    ]
    with pytest.raises(Refused, match="the next stock card is not known") as refusal:
        game.draw()
    assert refusal.value.reason is Reason.UNSEEN
    assert (game.drawn, game.stock_left) == (1, 15)
    game.undo()
    assert DRAW in game.legal_actions()


@pytest.mark.parametrize("reason", Reason)
def test_a_refusal_keeps_its_reason_from_one_process_to_another(reason: Reason) -> None:
    refusal = Refused(reason, "play 9C")
    copy = pickle.loads(pickle.dumps(refusal))
    assert type(copy) is Refused
    assert copy.reason is reason
    assert (copy.detail, str(copy)) == ("play 9C", f"play 9C: {reason}") == (refusal.detail, str(refusal))


UNSEEN_CARDS = DOCUMENTED.unseen


def stock_after(given: str) -> tuple[Card, ...]:
    return DOCUMENTED.with_stock(parse_cards(given)).stock


def test_the_documented_deal_has_one_stock_card_that_is_seen() -> None:
    assert DOCUMENTED.stock == (Card.parse("8S"),) + (UNSEEN,) * 15
    assert len(UNSEEN_CARDS) == 15


@pytest.mark.parametrize(
    ("given", "stock"),
    [
        ("", "8S"),
        ("8S", "8S"),
        ("8S JC", "8S JC"),
        ("JC", "8S JC"),
        ("JC 5H", "8S JC 5H"),
        ("8S JC 5H", "8S JC 5H"),
        ("8S ? 5H", "8S ? 5H"),
        ("? 5H", "8S ? 5H"),
    ],
)
def test_stock_cards_are_given_from_the_first_or_from_the_first_unseen(given: str, stock: str) -> None:
    known = tuple(parse_cards(stock))
    assert stock_after(given) == known + (UNSEEN,) * (16 - len(known))
    assert DOCUMENTED.with_stock(parse_cards(given)).columns == DOCUMENTED.columns


def test_a_stock_may_be_given_whole_with_its_known_card_or_without() -> None:
    given = (Card.parse("8S"), *reversed(UNSEEN_CARDS))
    for cards in (given, given[1:]):
        deal = DOCUMENTED.with_stock(cards)
        assert deal.stock == given
        assert deal.unseen == ()
    assert WHOLE.with_stock(WHOLE.stock) == WHOLE.with_stock(WHOLE.stock[:3]) == WHOLE.with_stock(()) == WHOLE


@pytest.mark.parametrize(
    ("deal", "given", "told"),
    [
        (DOCUMENTED, parse_cards("8S 8S"), "8S cannot be an unseen stock card: it lies elsewhere"),
        (DOCUMENTED, parse_cards("JC JC"), "JC: each card may lie in one place only"),
        (DOCUMENTED, DOCUMENTED.columns[0][:1], "cannot be an unseen stock card: it lies elsewhere"),
        (DOCUMENTED, (*UNSEEN_CARDS, UNSEEN_CARDS[0]), "16 stock cards given for 15 unseen places: give at most 15"),
        (DOCUMENTED, (Card.parse("8S"), *UNSEEN_CARDS, UNSEEN_CARDS[0]), "17 stock cards given for a stock of 16"),
        (
            WHOLE,
            WHOLE.stock[:1] + WHOLE.stock[2:3],
            f"stock card 2 is {WHOLE.stock[1]}, and {WHOLE.stock[2]} was given",
        ),
        (WHOLE, WHOLE.stock[1:2], "1 stock card given for 0 unseen places"),
        (WHOLE, (*WHOLE.stock, WHOLE.stock[0]), "17 stock cards given for a stock of 16"),
    ],
)
def test_stock_cards_that_cannot_be_are_refused(deal: Deal, given: tuple[Card, ...], told: str) -> None:
    with pytest.raises(DealError, match=told):
        deal.with_stock(given)


def test_a_known_card_in_the_middle_of_a_stock_must_be_given_as_it_is() -> None:
    first, second, third, fourth = UNSEEN_CARDS[:4]
    deal = replace(DOCUMENTED, stock=(first, UNSEEN, second, *[UNSEEN] * 13))
    assert deal.with_stock([first, third, second]).stock[:4] == (first, third, second, UNSEEN)
    assert deal.with_stock([third, fourth]).stock[:4] == (first, third, second, fourth)
    with pytest.raises(DealError, match=f"stock card 3 is {second}, and {fourth} was given for it"):
        deal.with_stock([first, third, fourth])


def test_a_stock_that_begins_unseen_takes_its_cards_in_order() -> None:
    deal = replace(DOCUMENTED, stock=(UNSEEN,) * 16)
    given = tuple(parse_cards("JC 8S"))
    assert deal.with_stock(given).stock == (*given, *[UNSEEN] * 14)
    with pytest.raises(DealError, match="17 stock cards given for 16 unseen places"):
        deal.with_stock([*deal.unseen, deal.unseen[0]])
    with pytest.raises(DealError, match="17 stock cards given for 16 unseen places"):
        deal.with_stock([UNSEEN] * 17)
