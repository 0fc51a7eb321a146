"""A game in the terminal: what is said to each line, what is saved, and the real thing on a real terminal."""

import json
import os
import re
import signal
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from processes import PATIENCE, Terminal, call, until
from strategies import RULE_SETS, half_seen_deals

from golf_cli.cards import JOKER, RANKS, UNSEEN, Card, deck, parse_cards
from golf_cli.deals.deal import Deal
from golf_cli.deals.numberings import GO1
from golf_cli.deals.reference import Dealt, resolve
from golf_cli.game import Game, Status
from golf_cli.moves import Draw, PlayCard, PlayColumn, Undo
from golf_cli.par import levels
from golf_cli.par.daily import daily
from golf_cli.play.board import Look, board
from golf_cli.play.round import Round
from golf_cli.play.session import COMMANDS, Session, converse
from golf_cli.records.record import Record, read_record
from golf_cli.records.replay import State, Verdict, check_files, replay
from golf_cli.rounds.holes import Hole
from golf_cli.rounds.scorecard import Kind
from golf_cli.rules import PRESETS, RuleSet
from golf_cli.solvers.advice import advise
from golf_cli.solvers.exact import solve
from golf_cli.solvers.hints import hint, hint_text
from golf_cli.stats.advice import advice_text


@pytest.fixture
def documented() -> Session:
    return Session(resolve("GO1-E-AAAAAAB"))


def small(columns: list[str], top: str, stock: str = "", rules: RuleSet = PRESETS["classic"]) -> Session:
    deal = Deal(tuple(tuple(parse_cards(column)) for column in columns), Card.parse(top), tuple(parse_cards(stock)))
    return Session(Dealt(deal, rules, "small"))


class TestTheBoard:
    def test_shows_every_column_under_its_number_and_the_counts(self, documented: Session) -> None:
        documented.answer("draw 9C 8C")
        assert board(documented.game).splitlines() == [
            "   1   2   3   4   5   6   7",
            "  6C  2S  TC  3D  JH  TH  3S",
            "  5S  KC  AH  QH  3C  4H  7S",
            "  QS  4S  2D  AS  7D  7H  3H",
            "  TS  2C  5D  KD  8H  7C  9S",
            "  6H      JS  4C      8D  5C",
            "",
            "  foundation 8C   stock 15   strokes 33   points 20   moves 3",
        ]

    def test_of_an_open_foundation_and_an_empty_column(self) -> None:
        game = Game(Deal(((), tuple(parse_cards("9C 4D"))), None, ()), RuleSet())
        assert board(game).splitlines()[:4] == ["   1   2", "      9C", "      4D", ""]
        assert "foundation -   stock 0" in board(game)

    def test_looks_as_it_is_asked_to(self) -> None:
        text = "play TH from column 3, AS (KC) draw=JD; 35C"
        assert Look().dress(text) == text
        suits = "play T♥ from column 3, A♠ (K♣) draw=J♦; 35C"
        assert Look(symbols=True).dress(text) == suits
        red = "\x1b[31mT♥\x1b[0m"
        assert Look(symbols=True, colour=True).dress("TH TS.") == f"{red} T♠."
        assert Look(colour=True).dress("9D.") == "\x1b[31m9D\x1b[0m."


class TestWhatIsSaid:
    def test_a_card_that_does_not_fit_is_explained_by_what_does(self, documented: Session) -> None:
        told = documented.answer("6H")
        assert told == "6H on AC: the rank must be one higher or one lower. On AC you can play 2 or K."
        assert documented.answer("1") == told

    def test_on_a_king_that_takes_nothing_only_a_draw_goes_on(self) -> None:
        session = small(["9C QH"], "KC", "2S", PRESETS["hard"])
        assert session.answer("QH").endswith("On KC you can play nothing: draw.")

    @pytest.mark.parametrize(
        ("top", "rules", "says"),
        [
            ("7C", "classic,jokers=1", "6, 8 or a joker."),
            ("KC", "classic,jokers=2", "Q or a joker."),
            ("KC", "easy,jokers=1", "A, Q or a joker."),
            ("KC", "hard,jokers=2", "nothing: draw."),
        ],
    )
    def test_a_joker_is_named_where_the_deck_has_one_and_it_fits(self, top: str, rules: str, says: str) -> None:
        session = small(["9C 3H"], top, "2S", RuleSet.parse(rules))
        assert session.answer("3H").endswith(f"On {top} you can play {says}")

    @given(st.sampled_from(deck(2)), RULE_SETS)
    def test_what_is_said_to_fit_is_what_the_engine_plays(self, top: Card, rules: RuleSet) -> None:
        cards = [card for card in deck(rules.layout.jokers) if card != top]
        played, refused = [], ""
        for card in cards:
            session = Session(Dealt(Deal(((card,),), top, (UNSEEN,)), rules, "small"))
            told = session.answer(str(card))
            if session.record.moves:
                played.append(card)
            elif "the rank must be" in told:
                refused = told.partition(" you can play ")[2].rstrip(".")
        if refused == "nothing: draw":
            assert played == []
        elif refused:
            named = set(refused.replace(" or ", ", ").split(", "))
            assert named == {"a joker" if card.rank == JOKER else RANKS[card.rank] for card in played}
        else:
            assert played == cards

    def test_a_covered_card_is_explained_by_what_lies_on_it(self, documented: Session) -> None:
        told = "TS in row 4, column 1: that card is blocked. 6H lies on it."
        assert documented.answer("ts") == told
        assert documented.answer("5S").endswith("that card is blocked. 6H TS QS lie on it.")

    def test_both_are_silent_where_the_rules_are_not_wanted(self) -> None:
        session = Session(resolve("GO1-E-AAAAAAB"), explains=False)
        for line in ("6H", "TS", "1"):
            assert session.answer(line) == ""
        assert session.answer("8") == "play from column 8: there is no such column."
        assert session.record.moves == ()

    def test_what_is_neither_a_move_nor_a_command_is_told(self, documented: Session) -> None:
        for line in ("zz", "draw=zz", "99999"):
            assert documented.answer(line) == f"'{line}' is neither a move nor a command; ? lists them"

    @pytest.mark.parametrize("word", ["d;4H", "boards/5C", "4H!", "(KC)"])
    def test_what_is_written_is_repeated_as_it_was_written(self, word: str) -> None:
        session = Session(replace(resolve("pysol:2"), reference="my 5C"), look=Look(symbols=True, colour=True))
        assert session.answer(word) == f"'{word}' is neither a move nor a command; ? lists them"
        assert session.opening().startswith("my 5C, rules classic")
        assert "9♣ in row 3" in session.answer("9C")
        unseen = Session(resolve("AAAAAAB"), look=Look(symbols=True))
        unseen.answer("d d")
        assert unseen.answer(word).startswith(f"'{word}' is no card")
        assert unseen.answer("9C").startswith("9♣ cannot be")

    def test_nothing_is_said_to_an_empty_line(self, documented: Session) -> None:
        assert documented.answer("  ") == ""

    def test_a_line_of_moves_ends_at_the_first_that_is_refused(self, documented: Session) -> None:
        told = documented.answer("draw 9C 6H 8C")
        assert told.startswith(board(documented.game))
        assert told.endswith("On 9C you can play 8 or T.")
        assert documented.record.moves == (Draw(), PlayCard(Card.parse("9C")))

    def test_help_lists_every_command(self, documented: Session) -> None:
        listed = documented.answer("?")
        assert all(", ".join(command.names) in listed and command.does in listed for command in COMMANDS)
        assert documented.answer("help") == listed

    def test_what_it_says_of_commands_stands_in_one_column(self, documented: Session, three_holes: Round) -> None:
        for listed in (documented.help(), three_holes.answer("?").partition("\n\n")[0]):
            _, *rows = listed.splitlines()
            assert len({len(row) - len(re.sub(r"^  .*?  +", "", row)) for row in rows}) == 1

    def test_a_hint_is_that_of_the_hint_command(self) -> None:
        session = Session(resolve("GO1-E-AAAAAAB"), seed=3)
        session.answer("draw")
        game = Game(GO1.deal(1), PRESETS["easy"])
        game.draw()
        assert session.answer("h") == session.answer("HINT") == hint_text(game, hint(game, seed=3))

    def test_advice_is_that_of_the_advise_command(self) -> None:
        session = small(["9H 3C 2C", "5S"], "AC", "4D 6H JC")
        assert session.answer("a") == session.answer("advise") == advice_text(session.game, advise(session.game))

    def test_a_block_is_told_with_its_score_and_can_be_taken_back(self) -> None:
        session = small(["9C 3H 2C", "5S"], "AC", "JH")
        told = session.answer("1 1 draw")
        assert told.endswith("Blocked, with 2 cards left: strokes 2, points 0, moves 3; u takes the last action back")
        assert not session.is_over
        assert "points 20   moves 3" in session.answer("u")
        assert session.answer("d u u u u").endswith("undo: there is nothing to take back.")

    def test_a_win_is_told_with_its_score_and_ends_the_game(self) -> None:
        session = small(["3C 2C"], "AC", "5D 6D")
        assert session.answer("1 1 q").endswith("Won, with 2 left in the stock: strokes -2, points 20, moves 2")
        assert session.is_over
        assert not session.left

    def test_leaving_tells_how_the_game_stands(self, documented: Session) -> None:
        documented.answer("draw")
        assert documented.answer("q") == "Left with 35 cards: strokes 35, points 0, moves 1"
        assert documented.is_over


class TestUnseenCards:
    def test_a_draw_asks_which_card_turned_up(self, documented: Session) -> None:
        documented.answer("draw 9C")
        assert documented.prompt == "> "
        assert documented.answer("d").endswith("which one turned up? An empty line leaves it.")
        assert documented.prompt == "turned up> "
        assert documented.record.moves[-1] == PlayCard(Card.parse("9C"))
        assert "foundation JC" in documented.answer("jc")
        assert documented.prompt == "> "
        assert documented.record.moves[-1] == Draw(Card.parse("JC"))

    def test_it_asks_until_it_is_told_a_card_that_can_lie_there(self, documented: Session) -> None:
        documented.answer("draw d")
        assert "9C cannot be an unseen stock card" in documented.answer("9C")
        assert documented.answer("zz") == (
            "'zz' is no card: write a rank (A23456789TJQK, or 10) and a suit (CDHS), such as 8S. "
            "An empty line leaves it."
        )
        assert documented.answer("5").endswith("An empty line leaves it.")
        assert documented.prompt == "turned up> "
        assert documented.answer("") == "Nothing is drawn."
        assert documented.prompt == "> "

    def test_draws_and_undo_mean_there_what_they_always_do(self, documented: Session) -> None:
        asked = documented.answer("draw d").partition("\n")[0]
        assert documented.answer("d") == asked
        assert documented.answer("u") == "Nothing is drawn."
        assert (documented.prompt, len(documented.record.moves)) == ("> ", 1)
        documented.answer("d d=JC")
        assert documented.record.moves[-1] == Draw(Card.parse("JC"))

    @pytest.mark.parametrize(("jokers", "says"), [(0, ""), (1, "; X1 is a joker"), (2, "; X1 or X2 is a joker")])
    def test_jokers_are_named_where_the_deck_has_them(self, jokers: int, says: str) -> None:
        session = small(["9C"], "KC", "? 2S", RuleSet.parse(f"classic,jokers={jokers}"))
        session.answer("d")
        for word in ("zz", *["X1", "X2"][jokers:]):
            told = f"'{word}' is no card: write a rank (A23456789TJQK, or 10) and a suit (CDHS), such as 8S{says}. "
            assert session.answer(word).startswith(told)

    def test_a_wrong_name_is_mended_after_an_undo(self, documented: Session) -> None:
        documented.answer("draw d JC u d=JD")
        assert "foundation JD" in documented.shown()
        assert "foundation JD" in documented.answer("u d")

    def test_the_answer_may_stand_in_the_same_line(self, documented: Session) -> None:
        documented.answer("draw d JC d=TD")
        assert documented.record.moves == (Draw(), Draw(Card.parse("JC")), Draw(Card.parse("TD")))

    def test_what_was_seen_is_not_asked_for_again(self, documented: Session) -> None:
        documented.answer("draw d JC u d")
        assert documented.record.moves == (Draw(), Draw(Card.parse("JC")), Undo(), Draw())

    def test_other_commands_are_heard_while_it_asks(self, documented: Session) -> None:
        assert documented.answer("draw d ?").endswith(documented.help() + "\n" + board(documented.game))
        assert documented.prompt == "turned up> "
        documented.answer("q")
        assert documented.is_over

    def test_a_draw_that_is_refused_in_any_case_asks_nothing(self) -> None:
        session = Session(resolve("AAAAAAB", PRESETS["strict"]))
        assert "these rules draw only when none can" in session.answer("draw d")
        assert session.prompt == "> "


WORDS = st.sampled_from([*"1234567", "d", "u", "?", "q", "draw", "undo", "JC", "draw=TD", "9C", "zz", ","])


@given(half_seen_deals(), RULE_SETS, st.lists(st.lists(WORDS).map(" ".join) | st.text(max_size=8), max_size=30))
@settings(max_examples=80)
def test_whatever_is_written_the_record_is_the_game(deal: Deal, rules: RuleSet, written: list[str]) -> None:
    session = Session(Dealt(deal, rules, "any"))
    kept: list[Sequence[Record]] = []
    lines = iter(written)
    converse(session, lambda _: next(lines, None), lambda _: None, kept.append)
    assert session.is_over
    assert kept[-1] == (session.record,)
    replayed = replay(Game(deal, rules), kept[-1][0].moves)
    assert replayed.refusal is None
    assert replayed.end == State.of(session.game)


def test_a_session_is_saved_at_its_start_and_after_every_change() -> None:
    kept: list[int] = []
    lines = iter(["6H", "draw 9C", "?", "u", "h" * 9])
    session = Session(resolve("GO1-E-AAAAAAB"))
    said: list[str] = []
    converse(session, lambda _: next(lines, None), said.append, lambda records: kept.append(len(records[0].moves)))
    assert kept == [0, 2, 3]
    assert said[0] == Session(resolve("GO1-E-AAAAAAB")).opening()
    assert said[-1] == "Left with 35 cards: strokes 35, points 0, moves 2"


def test_a_board_that_has_no_name_is_in_its_record() -> None:
    dealt = replace(resolve("pysol:2"), numbering=None, number=None, reference="board.txt")
    session = Session(dealt)
    session.answer("AC d 2")
    assert read_record(session.record.text()).record == session.record
    assert session.record.deal == dealt.deal
    assert session.record.moves == (PlayCard(Card.parse("AC")), Draw(), PlayColumn(1))


def three(kind: Kind = Kind.ROUND) -> Round:
    """Of three holes the first and the last can be cleared; `1 d` blocks the second with four cards left."""
    deals = [small(["3C 2C"], "AC", "5D 6D"), small(["9C TH 7H 2C", "5S"], "AC", "JH"), small(["3D 2D"], "AD", "5D")]
    return Round([Hole(4), Hole(3), Hole(5)], [each.dealt for each in deals], "a small course", kind=kind)


def test_a_seed_of_more_bits_than_orders_have_counts_by_its_lowest() -> None:
    dealt = resolve("GO1-E-AAAAAAB")
    told = [Session(dealt, seed=seed).answer("h") for seed in (5_000_000_000, 5_000_000_000 - (1 << 32), 0)]
    assert told[0] == told[1] != told[2]


@pytest.fixture
def three_holes() -> Round:
    return three()


class TestARound:
    def test_announces_each_hole_with_its_number_deal_and_par(self, three_holes: Round) -> None:
        first = "a small course, par 12; ? lists what you can write\n\nHole 1 of 3: small, par 4\n\n   1\n  3C"
        assert three_holes.opening().startswith(first)
        assert "\n\nHole 2 of 3: small, par 3\n\n   1   2\n" in three_holes.answer("1 1")

    def test_names_the_result_of_a_hole_and_shows_the_running_score(self, three_holes: Round) -> None:
        assert "moves 2\nHole 1: -6, strokes -2, par 4; so far -6\n" in three_holes.answer("1 1 1 1")
        assert three_holes.answer("1 d").endswith("u takes the last action back, n goes on")
        assert three_holes.answer("n").startswith("Hole 2: bogey, strokes 4, par 3; so far -5\n\nHole 3 of 3: ")
        assert three_holes.card.running == (-6, -5)

    def test_a_block_that_is_given_up_in_the_same_line_offers_nothing_more(self, three_holes: Round) -> None:
        three_holes.answer("1 1")
        told = three_holes.answer("1 d n")
        assert "Blocked, with 4 cards left: strokes 4" in told
        assert "takes the last action back" not in told

    def test_a_block_is_taken_back_until_the_player_goes_on(self, three_holes: Round) -> None:
        three_holes.answer("1 1")
        three_holes.answer("1 d")
        assert three_holes.card.scores == (-2,)
        assert "stock 1" in three_holes.answer("u")
        assert three_holes.answer("n").endswith("next: the hole is not over; play and draw until it is won or blocked.")
        assert "Hole 3 of 3" in three_holes.answer("d n 1")  # the line ends with its hole
        assert three_holes.records[-1].moves == ()
        assert three_holes.card.scores == (-2, 4)
        assert three_holes.answer("u").endswith("there is nothing to take back.")

    def test_ends_with_the_card_won_at_or_under_par(self, three_holes: Round) -> None:
        three_holes.answer("1 1")
        three_holes.answer("1 d n")
        told = three_holes.answer("1 1")
        assert three_holes.is_over
        assert told.endswith("player: won, 1 stroke, -11 against the par of 12")
        assert [len(record.moves) for record in three_holes.records] == [2, 2, 2]

    def test_leaving_shows_the_card_so_far_with_a_block_on_it(self, three_holes: Round) -> None:
        three_holes.answer("1 1")
        assert three_holes.answer("q").endswith(
            "player: unfinished, -2 strokes on 1 of 3 holes, -6 against the par of 4"
        )
        assert three_holes.is_over

    def test_a_blocked_hole_that_is_left_counts(self, three_holes: Round) -> None:
        three_holes.answer("1 1")
        three_holes.answer("1 d")
        assert "Hole 2: bogey, strokes 4, par 3; so far -5" in three_holes.leave()

    def test_of_days_tells_at_each_end_whether_the_days_hole_is_done(self, three_holes: Round) -> None:
        days = three(Kind.DAILY)
        assert "so far -6; the day's hole is done\n\nHole 2" in days.answer("1 1")
        days.answer("1 d")
        assert "so far -5; the day's hole is not done: it counts only when cleared\n\nHole 3" in days.answer("n")
        assert "-5 against the par of 7" in (told := days.leave())
        assert "1 of 2 days done" in told
        assert "day" not in three_holes.answer("1 1")

    def test_next_is_no_command_of_a_game_alone(self, documented: Session, three_holes: Round) -> None:
        assert documented.answer("n") == "'n' is neither a move nor a command; ? lists them"
        assert "n, next" in three_holes.answer("?")
        assert "n, next" not in documented.answer("?")

    def test_all_games_are_saved_after_every_change(self, three_holes: Round) -> None:
        kept: list[list[int]] = []
        lines = iter(["1 1", "1", "?", "d", "n", "1"])
        converse(
            three_holes,
            lambda _: next(lines, None),
            lambda _: None,
            lambda records: kept.append([len(record.moves) for record in records]),
        )
        assert kept == [[0], [2, 0], [2, 1], [2, 2], [2, 2, 0], [2, 2, 1]]


def test_a_round_through_a_pipe_is_replayed_to_its_card(tmp_path: Path) -> None:
    out = "d " * 16  # and three plays, after which the hole is blocked
    played = call(
        "play", "--round", "--seed", "7", "--ascii", "-q", "--record", "round", cwd=tmp_path, stdin=f"{out}5S 4S 5D\n"
    )
    assert (played.returncode, played.stderr) == (0, "")
    assert played.stdout.startswith("level medium, seed 7, rules classic, par 34; ? lists what you can write\n")
    assert "Hole 1: +28, strokes 32, par 4; so far +28\n" in played.stdout
    assert played.stdout.endswith("player: unfinished, 32 strokes on 1 of 9 holes, +28 against the par of 4\n")
    (checked,) = check_files([tmp_path / "round"])
    assert checked.replay is not None
    assert (checked.verdict, checked.replay.end.strokes, checked.replay.end.moves) == (Verdict.SOUND, 32, 19)


def test_every_hole_of_a_round_has_its_seed_and_its_silence() -> None:
    dealt = [small(["3C 2C"], "AC", "5D 6D").dealt, resolve("GO1-E-AAAAAAB")]
    course = Round([Hole(4), Hole(4)], dealt, "a small course", explains=False, seed=3)
    assert course.answer("3C") == ""
    course.answer("1 1")
    course.answer("d")
    assert course.answer("TS") == ""
    game = Game(GO1.deal(1), PRESETS["easy"])
    game.draw()
    told = {
        seed: (hint_text(game, hint(game, seed=seed)), advice_text(game, advise(game, seed=seed))) for seed in (0, 3)
    }
    assert (course.answer("h"), course.answer("a")) == told[3]
    assert not set(told[0]) & set(told[3])


def test_a_round_through_a_pipe_takes_the_seed_of_its_advice_and_its_silence() -> None:
    played = call(
        "play", "--round", "--seed", "7", "--ascii", "-q", "--no-interactive-rules", stdin="8H\n5H\na\n"
    ).stdout
    game = Game(GO1.deal(next(levels.holes(levels.LEVELS["medium"], 1, seed=7)).number), PRESETS["classic"])
    told = {seed: advice_text(game, advise(game, seed=seed)) for seed in (0, 7)}
    assert told[0] != told[7]
    assert f"\n> 8H\n> 5H\n> a\n{told[7]}\n> \n" in played


class TestThroughAPipe:
    def test_hints_and_advice_are_those_of_the_commands_by_the_same_seed(self) -> None:
        deal = ("GO1-E-AAAAAAB", "--seed", "3")
        hinted, advised = (call(command, *deal, "--moves", "draw").stdout for command in ("hint", "advise"))
        game = Game(GO1.deal(1), PRESETS["easy"])
        game.draw()
        assert hinted != f"{hint_text(game, hint(game))}\n"
        assert advised != f"{advice_text(game, advise(game))}\n"
        played = call("play", *deal, "--ascii", stdin="d\nh\na\n").stdout
        assert f"\n> h\n{hinted}> a\n{advised}> \n" in played

    def test_the_rules_that_are_given_set_those_of_the_code_aside(self, tmp_path: Path) -> None:
        played = call(
            "play", "GO1-E-AAAAAAB", "--rules", "hard", "--ascii", "--record", "game", cwd=tmp_path, stdin="d\n"
        )
        assert played.stdout.startswith("AAAAAAB, rules hard; ")
        assert (tmp_path / "game").read_text() == "deal: AAAAAAB\nrules: hard\ndraw\n"

    def test_the_lines_are_shown_with_their_answers_and_the_game_is_saved(self, tmp_path: Path) -> None:
        played = call("play", "pysol:2", "--ascii", "--record", "game", cwd=tmp_path, stdin="AC d\n9C\nu")
        assert (played.returncode, played.stderr) == (0, "")
        assert "> 9C\n9C in row 3, column 2: that card is blocked. 4H 5D lie on it.\n> u\n" in played.stdout
        assert played.stdout.endswith("> \nLeft with 34 cards: strokes 34, points 10, moves 2\n")
        assert (tmp_path / "game").read_text() == "deal: pysol:2\nrules: classic\nAC\ndraw undo\n"
        (checked,) = check_files([tmp_path / "game"])
        assert checked.verdict is Verdict.SOUND

    def test_a_whole_game_played_by_its_solution_is_won(self, tmp_path: Path) -> None:
        deal = resolve("pysol:2").deal
        line = solve(deal, RuleSet()).line
        moves = ["d" if action.column is None else str(action.column + 1) for action in line]
        played = call("play", "pysol:2", "--ascii", "--record", "game", cwd=tmp_path, stdin=f"{' '.join(moves)}\nd\n")
        assert played.stdout.endswith("Won, with 5 left in the stock: strokes -5, points 350, moves 46\n")
        replayed = replay(Game(deal, RuleSet()), read_record((tmp_path / "game").read_text()).record.moves)
        assert (replayed.refusal, replayed.end.strokes) == (None, -5)

    def test_suits_are_letters_where_nothing_else_can_be_written(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert "  6♣  2♠" in call("play", "AAAAAAB", stdin="é").stdout
        monkeypatch.setenv("PYTHONIOENCODING", "ascii")
        shown = call("play", "AAAAAAB", stdin="é")
        assert shown.returncode == 0
        assert "  6C  2S" in shown.stdout
        assert "neither a move nor a command" in shown.stdout

    def test_a_file_that_is_there_is_a_typed_error_before_the_game(self, tmp_path: Path) -> None:
        (tmp_path / "game").write_text("mine")
        refused = call("play", "pysol:2", "--record", "game", cwd=tmp_path, stdin="AC")
        assert (refused.returncode, refused.stdout) == (2, "")
        assert "game: there is such a file: give another, or --overwrite" in refused.stderr
        assert (tmp_path / "game").read_text() == "mine"
        assert call("play", "pysol:2", "--record", "game", "--overwrite", cwd=tmp_path, stdin="AC").returncode == 0
        assert (tmp_path / "game").read_text().endswith("AC\n")

    def test_a_board_on_standard_input_leaves_no_room_for_moves(self) -> None:
        refused = call("play", "-", stdin="foundation: AC")
        assert refused.returncode == 2
        assert "give the board as a file" in refused.stderr

    @pytest.mark.parametrize(
        ("arguments", "remedy"),
        [
            (["pysol:2", "--round"], "leave out REF and --rules"),
            (["--round", "--rules", "easy"], "leave out REF and --rules"),
            (["--round", "--from", "2027-01-01"], "are of --level daily: add it"),
            (["--round", "--level", "easy", "--salt", "club"], "are of --level daily: add it"),
            (["pysol:2", "--level", "easy"], "add --round"),
            (["pysol:2", "--salt", "club"], "add --round"),
            (["pysol:2", "--record", "-"], "--record takes a file"),
            ([], "or --round for nine holes"),
        ],
    )
    def test_what_says_two_things_names_the_remedy(self, arguments: list[str], remedy: str) -> None:
        refused = call("play", *arguments)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert remedy in " ".join(refused.stderr.split())

    def test_silence_about_the_rules(self) -> None:
        told = call("play", "pysol:2", "--ascii", "--no-interactive-rules", stdin="9C\n").stdout
        assert "blocked" not in told
        assert told.splitlines()[-3:] == ["> 9C", "> ", "Left with 35 cards: strokes 35, points 0, moves 0"]


def blocked(hole: levels.VerifiedHole) -> str:
    """Moves that end a hole by a block: all draws, and then whatever fits."""
    game = Game(GO1.deal(hole.number), hole.rules)
    words = []
    while game.status is Status.PLAYING:
        action = game.legal_actions()[-1]
        game.act(action)
        words.append("d" if action.column is None else str(action.column + 1))
    assert game.status is Status.BLOCKED
    return " ".join(words)


MEDIUM = ("--level", "medium", "--seed", "7")
DAYS = ("--level", "daily", "--from", "2027-01-01")


@pytest.fixture(scope="module")
def nine_holes() -> dict[tuple[str, ...], list[levels.VerifiedHole]]:
    return {
        MEDIUM: list(levels.holes(levels.LEVELS["medium"], 9, seed=7)),
        DAYS: [each.hole for each in daily(date(2027, 1, 1), 9)],
    }


class TestARoundOnATerminal:
    @pytest.mark.parametrize(
        ("which", "cleared", "verdict"),
        [(MEDIUM, {3}, "finished"), (MEDIUM, set(range(1, 10)) - {8}, "won"), (DAYS, {2, 9}, "finished")],
    )
    def test_nine_holes_are_played_to_their_card(
        self,
        tmp_path: Path,
        nine_holes: dict[tuple[str, ...], list[levels.VerifiedHole]],
        which: tuple[str, ...],
        cleared: set[int],
        verdict: str,
    ) -> None:
        holes = nine_holes[which]
        with Terminal("play", "--round", *which, "--record", "round", cwd=tmp_path) as terminal:
            for number, hole in enumerate(holes, start=1):
                terminal.until(f"Hole {number} of 9: {hole.reference}, par {hole.rating.par}")
                terminal.until("> ")
                if number in cleared:
                    terminal.write(f"{hole.solution()}\n")
                else:
                    terminal.write(f"{blocked(hole)}\n")
                    terminal.until("n goes on")
                    terminal.write("n\n")
                terminal.until(f"Hole {number}: ")
                if which is DAYS:
                    done = "the day's hole is " + ("done" if number in cleared else "not done: it counts only when")
                    terminal.until(done)
            par = sum(hole.rating.par for hole in holes)
            terminal.until(f"against the par of {par}")
            if which is DAYS:
                terminal.until(f"{len(cleared)} of 9 days done")
            assert terminal.process.wait(PATIENCE) == 0
        replayed = call("replay", "round", "--format", "json", cwd=tmp_path)
        assert (replayed.returncode, replayed.stderr.count("Error")) == (0, 0)
        games = [json.loads(line) for line in replayed.stdout.splitlines()]
        assert [game["deal"] for game in games] == [hole.reference for hole in holes]
        assert [game["status"] for game in games] == ["won" if n in cleared else "blocked" for n in range(1, 10)]
        total = sum(game["strokes"] for game in games)
        assert (total <= par) == (verdict == "won")
        assert f"player: {verdict}, {total} strokes, {total - par:+d} against the par of {par}" in terminal.shown
        assert ("days done" in terminal.shown) == (which is DAYS)

    @pytest.mark.parametrize(
        ("end", "told", "code"),
        [
            ("\x03", "Interrupted. The round is saved in round.", 130),
            ("\x04", "player: unfinished, ", 0),
            (signal.SIGKILL, "", -signal.SIGKILL),
        ],
        ids=["interrupt", "end of input", "kill"],
    )
    def test_a_round_that_ends_in_its_third_hole_keeps_what_was_played(
        self,
        tmp_path: Path,
        nine_holes: dict[tuple[str, ...], list[levels.VerifiedHole]],
        end: str | signal.Signals,
        told: str,
        code: int,
    ) -> None:
        first, second, third, *_ = nine_holes[MEDIUM]
        with Terminal("play", "--round", *MEDIUM, "--record", "round", cwd=tmp_path) as terminal:
            terminal.until("> ")
            terminal.write(f"{blocked(first)}\nn\n{second.solution()}\n")
            terminal.until("Hole 3 of 9")
            terminal.until("> ")
            terminal.write("d\n")
            terminal.until("moves 1\r\n> ")
            terminal.until_it_waits()
            if isinstance(end, signal.Signals):
                os.kill(terminal.process.pid, end)
            else:
                terminal.write(end)
            terminal.until(told)
            assert terminal.process.wait(PATIENCE) == code
        assert [path.name for path in tmp_path.iterdir()] == ["round"]
        found = list(check_files([tmp_path / "round"]))
        assert {each.verdict for each in found} == {Verdict.SOUND}
        played = [(each.dealt.reference, each.replay.end) for each in found if each.dealt and each.replay]
        assert [reference for reference, _ in played] == [hole.reference for hole in (first, second, third)]
        assert [end.status for _, end in played] == [Status.BLOCKED, Status.WON, Status.PLAYING]
        assert played[1][1].strokes == second.rating.optimum
        assert played[2][1].moves == 1


class TestOnATerminal:
    def test_a_game_is_played_in_colour(self, tmp_path: Path) -> None:
        with Terminal("play", "pysol:2", "--record", "game", cwd=tmp_path) as terminal:
            terminal.until("> ")
            assert "\x1b[31m4♥\x1b[0m" in terminal.shown
            terminal.write("AC\n")
            terminal.until("points 10   moves 1")
            terminal.write("d\nu\nq\n")
            terminal.until("Left with 34 cards")
            assert terminal.process.wait(60) == 0
        assert (tmp_path / "game").read_text() == "deal: pysol:2\nrules: classic\nAC\ndraw undo\n"
        assert terminal.shown.count("> AC") == 1  # what was typed is not shown again

    def test_no_colour_where_it_is_not_wanted(self, tmp_path: Path) -> None:
        for variables in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            with Terminal("play", "pysol:2", cwd=tmp_path, **variables) as terminal:
                terminal.until("> ")
                assert "4♥" in terminal.shown
                assert "\x1b[" not in terminal.shown

    @pytest.mark.parametrize("asked", ["", "a\n"], ids=["at once", "after advice"])
    def test_an_interrupt_ends_it_with_the_game_saved(self, tmp_path: Path, asked: str) -> None:
        with Terminal("play", "pysol:2", "--record", "game", cwd=tmp_path) as terminal:
            terminal.until("> ")
            terminal.write("AC d\n")
            terminal.until("moves 2\r\n> ")
            if asked:
                terminal.write(asked)
                terminal.until("\r\n> ")
            terminal.until_it_waits()
            terminal.write("\x03")
            terminal.until("Interrupted. The game is saved in game.")
            assert terminal.process.wait(60) == 130
        assert (tmp_path / "game").read_text().endswith("AC\ndraw\n")

    def test_the_end_of_input_is_a_farewell(self, tmp_path: Path) -> None:
        with Terminal("play", "pysol:2", cwd=tmp_path) as terminal:
            terminal.until("> ")
            terminal.write("\x04")
            terminal.until("\r\nLeft with 35 cards")
            assert terminal.process.wait(60) == 0

    def test_a_disk_that_fails_ends_no_game_and_is_told_at_the_end(self, tmp_path: Path) -> None:
        home = tmp_path / "home"
        home.mkdir()
        with Terminal("play", "pysol:2", "--record", "home/game", cwd=tmp_path) as terminal:
            terminal.until("> ")
            home.rename(tmp_path / "gone")
            terminal.write("AC\n")
            terminal.until("Warning: home/game cannot be written (No such file or directory)")
            terminal.write("d\nq\n")
            terminal.until("the end of the game is not saved: home/game cannot be written")
            assert terminal.process.wait(60) == 1
        assert terminal.shown.count("Warning") == 1

    @pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGKILL])
    def test_a_terminal_that_is_closed_loses_no_move(self, tmp_path: Path, number: signal.Signals) -> None:
        with Terminal("play", "pysol:2", "--record", "game", cwd=tmp_path) as terminal:
            terminal.until("> ")
            terminal.write("AC\n")
            until(lambda: (tmp_path / "game").read_text().endswith("AC\n"))
            os.kill(terminal.process.pid, number)
            assert terminal.process.wait(60) == -number
        assert [path.name for path in tmp_path.iterdir()] == ["game"]
