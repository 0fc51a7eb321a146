"""Moves as people write them: what each word does, and what is said of a word that is none or that is refused."""

import pickle
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import RULE_SETS, deals

from golf_cli.cards import UNSEEN, Card, parse_cards
from golf_cli.deals.deal import Deal
from golf_cli.deals.numberings import GO1
from golf_cli.errors import DealError
from golf_cli.game import DRAW, Action, Game, Reason, Refused
from golf_cli.moves import Draw, Move, MoveError, PlayCard, PlayColumn, Undo, parse_move, play_moves
from golf_cli.rules import PRESETS, RuleSet


@pytest.fixture
def documented() -> Game:
    return Game(GO1.deal(1), PRESETS["easy"])


def seen(game: Game) -> tuple[Deal, int, int]:
    return game.left, game.drawn, game.moves


@pytest.mark.parametrize(
    "text",
    ["draw 9C 8C", "d,9c,8c", "  DRAW , 5\n2 ", "draw=8S 9♣ 8C", "D=8s 05 2"],
)
def test_the_documented_first_moves_may_be_written_in_many_ways(documented: Game, text: str) -> None:
    steps = [str(step) for step in play_moves(documented, text)]
    assert steps == ["draw 8S", "play 9C from column 5", "play 8C from column 2"]
    assert str(documented.top) == "8C"


def test_no_moves_leave_the_game_at_its_start(documented: Game) -> None:
    assert play_moves(documented, " ,, ") == []
    assert documented.moves == 0


def test_an_unseen_card_that_turned_up_is_drawn_by_its_name(documented: Game) -> None:
    play_moves(documented, "draw 9C 8C draw=JC draw=10d")
    assert str(documented.top) == "TD"
    assert documented.deal.stock[:4] == (*parse_cards("8S JC TD"), UNSEEN)
    assert len(documented.deal.unseen) == 13
    documented.undo()
    assert documented.draw() == Card.parse("TD")  # what was seen is not forgotten


def test_a_wrong_name_is_mended_by_drawing_again_after_an_undo(documented: Game) -> None:
    steps = play_moves(documented, "draw draw=JC undo draw=KH undo draw")
    assert [str(step) for step in steps][1:] == ["draw JC", "undo draw JC", "draw KH", "undo draw KH", "draw KH"]
    with pytest.raises(MoveError, match="draw JC, where 8S is next: another card is known"):
        play_moves(documented, "undo undo draw=JC")  # the deal itself documents the first


def test_an_undo_takes_back_the_last_action_that_stands_and_says_which(documented: Game) -> None:
    steps = [str(step) for step in play_moves(documented, "draw 9C UNDO u draw 5 undo")]
    assert steps[2:4] == ["undo play 9C from column 5", "undo draw 8S"]
    assert steps[-1] == "undo play 9C from column 5"
    assert (str(documented.top), documented.moves, documented.drawn) == ("8S", 4, 1)


def test_what_was_done_is_told_to_programs(documented: Game) -> None:
    draw, undone = (step.record() for step in play_moves(documented, "draw undo"))
    assert draw == {"action": "draw", "card": "8S"}
    assert undone == {"action": "undo", "undone": draw}


@pytest.mark.parametrize("move", [Draw(), Draw(Card.parse("JC")), PlayCard(Card.parse("TH")), PlayColumn(6), Undo()])
def test_a_move_is_written_in_one_way_that_is_read_back(move: Move) -> None:
    assert parse_move(str(move)) == parse_move(str(move).upper()) == move


@pytest.mark.parametrize(
    ("text", "place", "word", "says"),
    [
        ("8C", 1, "8C", "8C on AC: the rank must be one higher or one lower"),
        ("draw TS", 2, "TS", "TS in row 4, column 1: that card is blocked"),
        ("draw 8S", 2, "8S", "play 8S: that card is not in the tableau"),
        ("draw ?", 2, "?", "that card is not in the tableau"),
        ("draw 1", 2, "1", "6H on 8S: the rank must be"),
        ("draw 0", 2, "0", "play from column 0: there is no such column"),
        ("draw, 8", 2, "8", "play from column 8: there is no such column"),
        ("draw 99999", 2, "99999", "this is no move: write draw, draw=JC"),
        ("draw hit", 2, "hit", "this is no move"),
        ("draw 9C draw", 3, "draw", "the next stock card is not known: write the card that turned up, such as draw=AD"),
        ("draw 9C d=?", 3, "d=?", "the next stock card is not known"),
        ("draw 9C draw=9C", 3, "draw=9C", "9C cannot be an unseen stock card: it lies elsewhere"),
        ("draw 9C draw=", 3, "draw=", "'' is no card"),
        ("draw = 9C", 2, "=", "this is no move"),
        ("draw=JC", 1, "draw=JC", "draw JC, where 8S is next: another card is known to lie there"),
        ("draw 9C undo undo u", 5, "u", "undo: there is nothing to take back"),
        ("draw undo=9C", 2, "undo=9C", "this is no move"),
        ("play=9C", 1, "play=9C", "this is no move"),
    ],
)
def test_a_word_that_is_no_move_is_told_by_its_place(
    documented: Game, text: str, place: int, word: str, says: str
) -> None:
    with pytest.raises(MoveError) as caught:
        play_moves(documented, text)
    error = caught.value
    assert (error.place, error.word) == (place, word)
    assert says in error.reason
    assert str(error) == f"move {place}, '{word}': {error.reason}"
    before = text.replace(",", " ").split()[: place - 1]  # these are made, and it is not
    assert documented.moves == sum(each not in ("undo", "u") for each in before)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_nothing_is_played_once_the_game_is_over() -> None:
    game = Game(Deal((tuple(parse_cards("2C")),), Card.parse("AC"), tuple(parse_cards("5D"))), RuleSet())
    with pytest.raises(MoveError, match="move 2, 'draw': draw: the game is over"):
        play_moves(game, "1 draw")


def test_strict_rules_refuse_a_draw_while_a_card_fits(documented: Game) -> None:
    documented.rules = PRESETS["strict"]
    with pytest.raises(MoveError, match="move 2, 'draw=JC': draw: a card can be played"):
        play_moves(documented, "draw draw=JC")
    assert documented.deal == GO1.deal(1)  # a refused draw shows nothing


def test_a_card_that_turned_up_must_be_one_that_can_lie_there(documented: Game) -> None:
    before = seen(documented)
    with pytest.raises(Refused) as refusal:
        documented.draw(Card.parse("JC"))
    assert refusal.value.reason is Reason.OTHER_CARD
    assert seen(documented) == before
    assert documented.draw(Card.parse("8S")) == Card.parse("8S")
    before = seen(documented)
    with pytest.raises(DealError, match="6C cannot be an unseen stock card"):
        documented.draw(Card.parse("6C"))
    assert seen(documented) == before


@given(deals(), RULE_SETS, st.data())
@settings(max_examples=60)
def test_any_game_written_down_is_played_again(deal: Deal, rules: RuleSet, data: st.DataObject) -> None:
    game = Game(deal, rules)
    words = []
    while actions := game.legal_actions():
        action = data.draw(st.sampled_from(actions))
        card = game.act(action)
        if action.column is None:
            words.append(data.draw(st.sampled_from(["draw", "d", f"draw={card}"])))
        else:
            words.append(data.draw(st.sampled_from([str(card), str(card).lower(), str(action.column + 1)])))
    again = Game(deal, rules)
    steps = play_moves(again, " ".join(words))
    assert [step.action.is_draw for step in steps].count(True) == game.drawn
    assert seen(again) == seen(game)


@given(deals(), RULE_SETS, st.data())
@settings(max_examples=60)
def test_what_is_left_of_a_game_goes_on_as_the_game_does(deal: Deal, rules: RuleSet, data: st.DataObject) -> None:
    game = Game(deal, rules)
    for _ in range(data.draw(st.integers(0, 40))):
        if actions := game.legal_actions():
            game.act(data.draw(st.sampled_from(actions)))
    rest = Game(game.left, rules)
    while actions := game.legal_actions():
        assert rest.legal_actions() == actions
        action = data.draw(st.sampled_from(actions))
        assert rest.act(action) == game.act(action)
    assert (rest.status, rest.strokes, rest.left) == (game.status, game.strokes, game.left)


@given(st.text(max_size=30))
@settings(max_examples=200)
def test_no_text_is_worse_than_a_typed_error(text: str) -> None:
    game = Game(GO1.deal(1), PRESETS["easy"])
    with suppress(MoveError):
        play_moves(game, text)


def test_a_played_card_tells_its_column(documented: Game) -> None:
    documented.act(DRAW)
    assert Action(documented.play_card(Card.parse("9C"))) == Action(4)
