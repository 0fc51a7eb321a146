"""One game in play: the documented deal move by move, refusals, undo, scores, and what every game has in common."""

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from strategies import RULE_SETS, deals, half_seen_deals

from golf_cli import scoring
from golf_cli.cards import UNSEEN, Card, cards_text, deck, parse_cards
from golf_cli.deals.deal import Deal
from golf_cli.deals.numberings import GO1
from golf_cli.deals.registry import data_file
from golf_cli.errors import DealError
from golf_cli.game import DRAW, UNDO_LIMIT, Action, Game, Reason, Refused, Status
from golf_cli.rules import PRESETS, RuleSet

EASY, CLASSIC, HARD, STRICT = (PRESETS[name] for name in ("easy", "classic", "hard", "strict"))

DOCUMENTED: Any = json.loads(data_file("deals.json").read_text(encoding="utf-8"))["deals"][0]

WON_STOCK = "8S AD 2H 4D 9D 9H 6D TD QC JC 6S 5H JD QD KH KS"
"""One order of the unseen cards in which the documented game can be played to the end."""

WON_LINE = (
    *(None, 4, 1, None, 1, None, None, 6, 1, None, 4, 4, 5, 5, 0, 5, None, 0, 2, 0, None, 2, 3, 4, None, 6, None, 3, 3),
    *(2, 6, None, 3, 1, 2, 1, 3, None, 0, 0, 6, None, 5, 6, None, 2, 4, 5),
)
"""Columns played from, None for a draw: it reaches the documented state after 34 moves and clears the tableau."""


EASY_STOCK = "8S KH KS AD 6D 2H 5H 6S 4D 9H TD JD QD JC QC 9D"
"""One order of the unseen cards in which the deal can be cleared under Easy and not under Classic."""


def can_be_cleared(deal: Deal, rules: RuleSet) -> bool:
    """Whether some line clears the deal, found by trying every position there is."""
    to_try = [(deal.heights, deal.cards[35].rank, 0)]
    seen = set(to_try)
    while to_try:
        heights, top, drawn = to_try.pop()
        if not any(heights):
            return True
        reached = [(heights, deal.stock[drawn].rank, drawn + 1)] if drawn < len(deal.stock) else []
        for number, height in enumerate(heights):
            rank = deal.columns[number][height - 1].rank
            if height and rules.allows(rank, top):
                reached.append(((*heights[:number], height - 1, *heights[number + 1 :]), rank, drawn))
        to_try += [position for position in reached if position not in seen]
        seen.update(reached)
    return False


def actions(line: tuple[int | None, ...]) -> list[Action]:
    return [Action(column) for column in line]


def game_of(columns: list[str], foundation: str | None, stock: str = "", rules: RuleSet = CLASSIC) -> Game:
    """A game of a few cards."""
    return Game(
        Deal(
            tuple(tuple(parse_cards(column)) for column in columns),
            None if foundation is None else Card.parse(foundation),
            tuple(parse_cards(stock)),
        ),
        rules,
    )


def state(game: Game) -> tuple[Any, ...]:
    """All that a player sees."""
    columns = tuple(tuple(column) for column in game.columns)
    return columns, game.top, game.drawn, game.moves, game.points, game.status, tuple(game.legal_actions())


def refused(game: Game, action: Action) -> Refused:
    """The refusal of an action, which must leave the game as it was."""
    before = state(game)
    with pytest.raises(Refused) as refusal:
        game.act(action)
    assert state(game) == before
    return refusal.value


@pytest.fixture
def documented() -> Game:
    return Game(GO1.deal(1), EASY)


@pytest.fixture
def won_deal() -> Deal:
    return GO1.deal(1).with_unseen(list(parse_cards(WON_STOCK))[1:])


class TestTheDocumentedDeal:
    def test_nothing_fits_the_ace_of_clubs_at_the_start(self, documented: Game) -> None:
        assert str(documented.top) == "AC"
        assert documented.legal_actions() == [DRAW]
        assert (documented.cards_left, documented.stock_left) == (35, 16)

    def test_its_first_moves_are_those_that_are_documented(self, documented: Game) -> None:
        steps = [str(step) for step in documented.replay([DRAW, Action(4), Action(1)])]
        assert steps == DOCUMENTED["first_moves"]
        assert (documented.moves, documented.points, str(documented.top)) == (3, 20, "8C")

    def test_a_six_is_refused_on_the_ace(self, documented: Game) -> None:
        refusal = refused(documented, Action(0))
        assert refusal.reason is Reason.RANK
        assert str(refusal) == "6H on AC: the rank must be one higher or one lower"

    def test_a_covered_card_is_refused_as_blocked(self, documented: Game) -> None:
        before = state(documented)
        with pytest.raises(Refused) as refusal:
            documented.play_card(Card.parse("TS"))
        assert refusal.value.reason is Reason.COVERED
        assert str(refusal.value) == "TS in row 4, column 1: that card is blocked"
        assert state(documented) == before

    def test_a_card_of_the_stock_is_not_in_the_tableau(self, documented: Game) -> None:
        with pytest.raises(Refused, match="play 8S: that card is not in the tableau"):
            documented.play_card(Card.parse("8S"))

    def test_an_unseen_card_cannot_be_drawn(self, documented: Game) -> None:
        documented.draw()
        assert refused(documented, DRAW).reason is Reason.UNSEEN

    def test_the_documented_state_is_reached_after_34_moves(self, won_deal: Deal) -> None:
        expected = DOCUMENTED["won_game"]
        game = Game(won_deal, RuleSet.parse(expected["rules"]))
        list(game.replay(actions(WON_LINE[: expected["after_moves"]])))
        assert [cards_text(column) for column in game.columns] == expected["columns"]
        assert str(game.top) == expected["foundation"]
        assert (game.drawn, game.removed) == (expected["draws"], expected["plays"])
        assert (game.stock_left, game.moves) == (expected["stock_left"], expected["after_moves"])
        assert [str(step) for step in game.replay(actions(WON_LINE[34:35]))] == [expected["next_move"]]

    def test_move_35_puts_an_ace_on_a_king_which_classic_refuses(self, won_deal: Deal) -> None:
        columns = tuple(tuple(parse_cards(column)) for column in DOCUMENTED["won_game"]["columns"])
        after_34 = Deal(columns, Card.parse("KC"), won_deal.stock[10:])
        assert Action(2) in Game(after_34, EASY).legal_actions()
        refusal = refused(Game(after_34, CLASSIC), Action(2))
        assert str(refusal) == "AH on KC: the rank must be one higher or one lower"

    def test_it_is_won_under_easy_with_350_points(self, won_deal: Deal) -> None:
        game = Game(won_deal, EASY)
        list(game.replay(actions(WON_LINE)))
        assert game.status is Status.WON
        assert (game.points, game.strokes, game.moves) == (350, -3, 48)

    def test_the_same_line_is_no_game_under_classic(self, won_deal: Deal) -> None:
        with pytest.raises(Refused):
            list(Game(won_deal, CLASSIC).replay(actions(WON_LINE)))

    def test_it_can_be_winnable_under_easy_and_not_under_classic(self) -> None:
        deal = GO1.deal(1).with_unseen(list(parse_cards(EASY_STOCK))[1:])
        assert can_be_cleared(deal, EASY)
        assert not can_be_cleared(deal, CLASSIC)


class TestRefusals:
    @pytest.mark.parametrize("column", [-1, 7, 255])
    def test_there_are_only_so_many_columns(self, documented: Game, column: int) -> None:
        assert refused(documented, Action(column)).reason is Reason.NO_COLUMN

    def test_an_empty_column_has_nothing_to_play(self) -> None:
        game = game_of(["", "3C"], "AC", "5D")
        assert refused(game, Action(0)).reason is Reason.EMPTY_COLUMN

    def test_an_empty_stock_has_nothing_to_draw(self) -> None:
        assert refused(game_of(["2C"], "AC"), DRAW).reason is Reason.NO_STOCK

    def test_strict_draws_only_when_nothing_fits(self) -> None:
        game = game_of(["9H 2C"], "AC", "5D", STRICT)
        assert game.legal_actions() == [Action(0)]
        assert refused(game, DRAW).reason is Reason.CARD_FITS
        game.play(0)
        assert game.legal_actions() == [DRAW]

    def test_the_others_may_draw_while_a_card_fits(self) -> None:
        for rules in (EASY, CLASSIC, HARD):
            assert game_of(["9H 2C"], "AC", "5D", rules).legal_actions() == [Action(0), DRAW]

    def test_a_king_ends_the_run_under_hard_until_a_draw(self) -> None:
        game = game_of(["9H QC"], "KC", "JD", HARD)
        assert game.legal_actions() == [DRAW]
        game.draw()
        assert game.legal_actions() == [Action(0)]

    def test_nothing_goes_on_once_the_game_is_over(self) -> None:
        won = game_of(["2C"], "AC", "5D")
        won.play(0)
        blocked = game_of(["9C"], "AC")
        for game in (won, blocked):
            assert game.legal_actions() == []
            for action in (Action(0), DRAW):
                assert refused(game, action).reason is Reason.OVER
            with pytest.raises(Refused, match="the game is over"):
                game.play_card(Card.parse("9C"))


class TestOpenFoundationAndJokers:
    def test_any_available_card_opens_an_open_foundation(self) -> None:
        game = game_of(["9C 4D", "KH"], None, "AS")
        assert game.legal_actions() == [Action(0), Action(1), DRAW]
        game.play(1)
        assert str(game.top) == "KH"
        game.undo()
        assert game.top is None

    def test_a_joker_stands_for_any_rank(self) -> None:
        game = game_of(["4D X1"], "9C", "AS")
        game.play(0)
        assert game.legal_actions() == [Action(0), DRAW]
        game.play(0)
        assert game.status is Status.WON

    def test_a_joker_does_not_go_on_a_king_that_takes_nothing(self) -> None:
        assert game_of(["4D X1"], "KC", "AS", HARD).legal_actions() == [DRAW]
        assert game_of(["4D X1"], "KC", "AS", CLASSIC).legal_actions() == [Action(0), DRAW]


class TestPointsAndUndo:
    def test_a_block_takes_ten_points_a_card_left_and_undo_gives_them_back(self) -> None:
        game = game_of(["9C 3H 2C", "5S"], "AC", "JH")
        game.play(0)
        game.play(0)
        assert game.points == 20
        game.draw()
        assert (game.status, game.points, game.strokes) == (Status.BLOCKED, 0, 2)
        game.undo()
        assert (game.status, game.points, game.moves) == (Status.PLAYING, 20, 3)

    def test_points_never_fall_below_zero(self) -> None:
        game = game_of(["9C 3H"], "AC", "JH")
        game.draw()
        assert (game.status, game.points) == (Status.BLOCKED, 0)

    def test_the_play_that_blocks_counts_before_the_penalty(self) -> None:
        game = game_of(["9C 3H 2C"], "AC")
        game.play(0)
        game.play(0)
        assert (game.status, game.points) == (Status.BLOCKED, 10)

    def test_a_draw_is_a_move_worth_nothing_and_undo_is_no_move(self, documented: Game) -> None:
        documented.draw()
        assert (documented.moves, documented.points) == (1, 0)
        documented.undo()
        assert (documented.moves, documented.drawn, str(documented.top)) == (1, 0, "AC")
        documented.draw()
        assert documented.moves == 2

    def test_there_is_nothing_to_undo_at_the_start(self, documented: Game) -> None:
        with pytest.raises(Refused, match="undo: there is nothing to take back"):
            documented.undo()

    def test_a_win_can_be_taken_back(self) -> None:
        game = game_of(["2C"], "AC")
        game.play(0)
        game.undo()
        assert (game.status, game.points, game.cards_left) == (Status.PLAYING, 0, 1)

    def test_taking_back_and_making_again_uses_up_no_undo(self) -> None:
        game = game_of(["9C"], "AC", cards_text(card for card in deck() if str(card) not in ("9C", "AC")))
        for _ in range(3):
            for _ in range(50):
                game.draw()
            for _ in range(50):
                game.undo()
        assert (game.moves, game.drawn) == (150, 0)

    def test_actions_before_the_last_hundred_stay(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert UNDO_LIMIT == 100
        monkeypatch.setattr("golf_cli.game.UNDO_LIMIT", 3)  # one deck is played out before a hundred actions
        game = game_of(["9C"], "AC", "2D 4H 6S KS QH")
        for _ in range(5):
            game.draw()
        for _ in range(3):
            game.undo()
        assert str(game.top) == "4H"
        with pytest.raises(Refused):
            game.undo()
        assert str(game.top) == "4H"


@given(deals(), RULE_SETS, st.randoms(use_true_random=False))
@settings(max_examples=150)
def test_a_game_played_to_its_end_without_undo_scores_by_the_table(
    deal: Deal, rules: RuleSet, chance: random.Random
) -> None:
    game = Game(deal, rules)
    while game.status is Status.PLAYING:
        game.act(chance.choice(game.legal_actions()))
    assert game.moves == game.drawn + game.removed
    assert game.points == scoring.app_points(game.removed, game.cards_left)
    if game.status is Status.WON:
        assert game.points == 350
        assert game.strokes == -game.stock_left
    else:
        assert game.stock_left == 0
        assert game.strokes == game.cards_left


class TestCardsNamedByDraws:
    def test_after_an_undo_another_name_takes_the_place_of_a_wrong_one(self, documented: Game) -> None:
        documented.draw()
        for name in ("JC", "JD", "KH"):
            assert str(documented.draw(Card.parse(name))) == str(documented.top) == name
            documented.undo()
        assert str(documented.draw()) == "KH"
        assert cards_text(documented.deal.stock[:3]) == "8S KH ?"
        assert str(documented.draw(Card.parse("JC"))) == "JC"  # which lies nowhere any more

    def test_a_card_named_further_on_may_turn_out_to_lie_here(self, documented: Game) -> None:
        documented.draw()
        for name in ("JC", "KH", "4D"):
            documented.draw(Card.parse(name))
        for _ in range(3):
            documented.undo()
        documented.draw(Card.parse("KH"))
        assert cards_text(documented.deal.stock[:5]) == "8S KH ? 4D ?"
        assert refused(documented, DRAW).reason is Reason.UNSEEN

    def test_a_card_known_from_the_start_is_never_renamed(self, documented: Game) -> None:
        documented.draw()
        documented.undo()
        with pytest.raises(Refused, match="draw JC, where 8S is next: another card is known to lie there"):
            documented.draw(Card.parse("JC"))
        game = Game(Deal(documented.deal.columns, documented.top, (UNSEEN, Card.parse("5H"), *[UNSEEN] * 14)), EASY)
        game.draw(Card.parse("JC"))
        game.undo()
        with pytest.raises(DealError, match="5H cannot be an unseen stock card"):
            game.draw(Card.parse("5H"))
        assert str(game.draw()) == "JC"

    @given(half_seen_deals(), st.randoms(use_true_random=False))
    @settings(max_examples=100)
    def test_the_last_name_of_a_place_and_of_a_card_holds(self, deal: Deal, chance: random.Random) -> None:
        game = Game(deal, EASY)
        named: dict[int, Card] = {}
        drawn = 0
        for _ in range(60):
            if drawn and (drawn == len(deal.stock) or chance.random() < 0.4):
                game.undo()
                drawn -= 1
                continue
            if game.status is not Status.PLAYING:
                break
            card = deal.stock[drawn]
            if card == UNSEEN and (drawn not in named or chance.random() < 0.5):
                taken = {*deal.cards, *(named[place] for place in range(drawn) if place in named)}
                card = chance.choice([each for each in deck(len(deal.cards) - 52) if each not in taken])
                named = {place: name for place, name in named.items() if name != card or place < drawn}
                named[drawn] = card
                assert game.draw(card) == card
            else:
                assert game.draw() == named.get(drawn, card)
            drawn += 1
            assert game.top == named.get(drawn - 1, card)
            stock = tuple(named.get(place, card) for place, card in enumerate(deal.stock))
            assert game.deal == Deal(deal.columns, deal.foundation, stock)


class AnyGame(RuleBasedStateMachine):
    """A player who tries everything, legal or not, against a full history of what was seen."""

    @initialize(deal=deals(), rules=RULE_SETS)
    def start(self, deal: Deal, rules: RuleSet) -> None:
        self.game = Game(deal, rules)
        self.history: list[tuple[Any, ...]] = []
        self.moves = 0

    @rule(column=st.one_of(st.none(), st.integers(-1, 7)))
    def try_an_action(self, column: int | None) -> None:
        before = state(self.game)
        if Action(column) in self.game.legal_actions():
            self.game.act(Action(column))
            self.history.append(before)
            self.moves += 1
        else:
            refused(self.game, Action(column))

    @rule(choice=st.integers(0, 7))
    def do_something_legal(self, choice: int) -> None:
        legal = self.game.legal_actions()
        if legal:
            self.history.append(state(self.game))
            self.game.act(legal[choice % len(legal)])
            self.moves += 1

    @precondition(lambda self: self.history)
    @rule()
    def take_back(self) -> None:
        self.game.undo()
        then, now = self.history.pop(), state(self.game)
        assert now[:3] + now[4:] == then[:3] + then[4:]  # all but the move counter

    @invariant()
    def every_card_is_somewhere(self) -> None:
        played = {card for column in self.game.deal.columns for card in column}
        left = {card for column in self.game.columns for card in column}
        assert left <= played
        assert self.game.removed == len(played - left)
        for now, dealt in zip(self.game.columns, self.game.deal.columns, strict=True):
            assert tuple(now) == dealt[: len(now)]

    @invariant()
    def the_counters_agree(self) -> None:
        assert self.game.moves == self.moves
        assert 0 <= self.game.points <= 350
        assert self.game.points % 10 == 0
        assert self.game.drawn + self.game.stock_left == len(self.game.deal.stock)

    @invariant()
    def a_game_is_over_exactly_when_nothing_is_legal(self) -> None:
        assert (self.game.status is Status.PLAYING) == bool(self.game.legal_actions())


TestAnyGame = AnyGame.TestCase
TestAnyGame.settings = settings(max_examples=40, stateful_step_count=60)
