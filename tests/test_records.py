"""Records of games: written and read back, replayed action by action, and reviewed against the best play."""

import csv
import io
import json
import pickle
import random
import resource
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from processes import GOLF, call
from strategies import RULE_SETS, deals, half_seen_deals
from test_game import DOCUMENTED, WON_LINE, WON_STOCK

from golf_cli.cards import UNSEEN, Card, cards_text, deck, parse_cards
from golf_cli.deals.board_text import own_text
from golf_cli.deals.deal import Deal
from golf_cli.deals.numberings import GO1, PYSOL
from golf_cli.deals.reference import resolve
from golf_cli.errors import PlacedError, RecordError
from golf_cli.game import UNDO_LIMIT, Game, Status, Step, Undone
from golf_cli.moves import Draw, Move, MoveError, PlayCard, PlayColumn, Undo, play_moves
from golf_cli.records.files import Saved, read_records
from golf_cli.records.record import Record, Written, read_record
from golf_cli.records.replay import Checked, State, Verdict, check_files, check_records, replay
from golf_cli.records.review import Review
from golf_cli.records.written import Csv, Json, Steps, Table, checked_record, written
from golf_cli.rules import PRESETS, Layout, RuleSet
from golf_cli.scoring import penalty
from golf_cli.solvers.choices import choices
from golf_cli.solvers.exact import solve
from golf_cli.solvers.hints import hint

WON_GAME = Record(
    "GO1-E-AAAAAAB",
    stock=tuple(parse_cards(WON_STOCK)),
    moves=tuple(Draw() if column is None else PlayColumn(column) for column in WON_LINE),
)


def check(text: str, rules: RuleSet | None = None, deal: str | None = None) -> list[Checked]:
    return list(
        check_records(
            text.encode().splitlines(keepends=True), "games", rules, None if deal is None else resolve(deal, rules)
        )
    )


def the(checked: Iterable[Checked]) -> Checked:
    (one,) = checked
    return one


def unnamed(game: Game, deal: Deal) -> list[Card]:
    """The cards that may turn up next where the deal does not show which."""
    seen = {*deal.cards, *game.deal.stock[: game.drawn]}
    return [card for card in deck(len(deal.cards) - 52) if card not in seen]


def random_game(deal: Deal, rules: RuleSet, chance: random.Random) -> tuple[list[Move], list[State]]:
    """A game in which every sixth action or so is taken back, and how it stood before each action and at its end.

    What an undo leaves is taken from the states before, not from the engine.
    """
    game = Game(deal, rules)
    states = [State.of(game)]
    standing = [states[0]]
    moves: list[Move] = []
    while len(moves) < 120:
        legal: list[Move] = [PlayColumn(action.column) for action in game.legal_actions() if action.column is not None]
        legal += [PlayCard(game.columns[move.column][-1]) for move in legal if isinstance(move, PlayColumn)]
        playing = game.status is Status.PLAYING and game.stock_left
        if playing and not (legal and rules.draw_when_stuck):
            known = game.deal.stock[game.drawn] != UNSEEN
            named = known and deal.stock[game.drawn] == UNSEEN and chance.random() < 1 / 2
            legal.append(Draw(chance.choice(unnamed(game, deal))) if named or not known else Draw())
        if len(standing) > 1 and (not legal or chance.random() < 1 / 6):
            if not legal and chance.random() < 1 / 2:
                break
            move: Move = Undo()
        elif legal:
            move = chance.choice(legal)
        else:
            break
        move.make(game)
        moves.append(move)
        if isinstance(move, Undo):
            standing.pop()
            before = standing[-1]
            states.append(State(**{**vars(before), "moves": states[-1].moves}))
        else:
            standing.append(State.of(game))
            states.append(standing[-1])
    return moves, states


class TestTheDocumentedGame:
    def test_stands_as_documented_after_34_moves_and_goes_on_to_be_won(self) -> None:
        won = DOCUMENTED["won_game"]
        checked = the(check(WON_GAME.text()))
        assert checked.verdict is Verdict.SOUND
        assert checked.dealt is not None
        assert str(checked.dealt.rules) == won["rules"]
        assert checked.replay is not None
        turns = checked.replay.turns
        then = turns[won["after_moves"] - 1].after
        assert (str(then.top), then.stock_left, then.moves) == (
            won["foundation"],
            won["stock_left"],
            won["after_moves"],
        )
        assert (then.cards_left, then.points, then.strokes) == (35 - won["plays"], 10 * won["plays"], 35 - won["plays"])
        assert str(turns[won["after_moves"]].step) == won["next_move"]
        game = Game(checked.dealt.deal, checked.dealt.rules)
        replay(game, WON_GAME.moves[: won["after_moves"]])
        assert [cards_text(column) for column in game.columns] == won["columns"]
        end = checked.replay.end
        assert (end.status, end.points, end.strokes, end.moves) == (Status.WON, 350, -3, 48)

    def test_is_refused_under_classic_where_an_ace_meets_a_king(self) -> None:
        checked = the(check(WON_GAME.text(), PRESETS["classic"]))
        assert checked.verdict is Verdict.REFUSED
        assert checked.error is not None
        assert "move 29, '4': AS on KD: the rank must be one higher or one lower" in str(checked.error)

    @pytest.mark.parametrize(
        ("move", "says"),
        [
            ("6H", "6H on AC: the rank must be one higher or one lower"),
            ("TS", "TS in row 4, column 1: that card is blocked"),
        ],
    )
    def test_refuses_the_documented_tries_and_keeps_the_state(self, move: str, says: str) -> None:
        checked = the(check(f"deal: GO1-E-AAAAAAB\n{move}\n"))
        assert checked.replay is not None
        assert checked.replay.end == checked.replay.start
        assert str(checked.error) == f"games: line 2, column 1: move 1, '{move}': {says}"


class TestUndo:
    def test_takes_back_the_card_the_points_and_the_penalty_of_a_block_but_never_the_counter(self) -> None:
        game = Game(PYSOL.deal(4), RuleSet())
        plays: list[Move] = [PlayCard(game.act(game.legal_actions()[0])) for _ in range(2)]
        moves = [*plays, *[Draw()] * 16, Undo(), Undo(), Draw(), Draw()]
        turns = replay(Game(PYSOL.deal(4), RuleSet()), moves).turns
        before, blocked, undone, twice, _, again = [turn.after for turn in turns[16:]]
        assert (before.status, before.points, before.moves) == (Status.PLAYING, 20, 17)
        assert (blocked.status, blocked.points, blocked.moves) == (Status.BLOCKED, 0, 18)
        assert (undone.status, undone.points, undone.top, undone.moves) == (Status.PLAYING, 20, before.top, 18)
        assert (twice.stock_left, twice.points, twice.moves) == (2, 20, 18)
        assert (again.status, again.points, again.moves) == (Status.BLOCKED, 0, 20)

    @given(st.data(), st.randoms(use_true_random=False))
    @settings(max_examples=60)
    def test_leaves_what_there_was_before_the_action(self, data: st.DataObject, chance: random.Random) -> None:
        deal, rules = data.draw(half_seen_deals()), data.draw(RULE_SETS)
        moves, states = random_game(deal, rules, chance)
        replayed = replay(Game(deal, rules), moves)
        assert replayed.refusal is None
        assert [replayed.start, *(turn.after for turn in replayed.turns)] == states
        for before, after in pairwise(states):
            if after.status is Status.BLOCKED and before.status is Status.PLAYING and after.moves > before.moves:
                removed = before.cards_left - after.cards_left
                assert after.points == max(0, before.points + 10 * removed - penalty(after.cards_left))

    def test_takes_back_a_whole_game_of_the_largest_deck_again_and_again(self) -> None:
        rules = RuleSet.parse("easy,jokers=2,foundation=open")
        game = Game(GO1.deal(5, rules.layout), rules)
        words = []
        while game.status is Status.PLAYING:
            action = game.legal_actions()[-1]
            card = game.act(action)
            words.append("draw" if action.is_draw else str(card))
        text = f"deal: go1:5\nrules: {rules}\n" + f"{' '.join(words)}\n{'undo ' * len(words)}\n" * 3
        checked = the(check(text))
        assert checked.verdict is Verdict.SOUND
        assert checked.replay is not None
        assert replace(checked.replay.end, moves=0) == checked.replay.start
        assert checked.replay.end.moves == 3 * len(words)
        refused = the(check(f"{text}undo\n")).error
        assert refused is not None
        assert (refused.line, refused.column) == (9, 1)
        assert refused.message.endswith("there is nothing to take back")

    def test_of_more_than_the_last_hundred_actions_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        # No record reaches a hundred: 54 actions at most stand, and one that is taken back makes room for another.
        largest = Layout(jokers=2, open_foundation=True)
        assert largest.tableau + largest.stock == 54 < UNDO_LIMIT
        monkeypatch.setattr("golf_cli.game.UNDO_LIMIT", 3)
        checked = the(check(f"deal: pysol:2\n{'draw ' * 5}\nundo undo undo draw undo\nundo\n"))
        assert str(checked.error) == "games: line 4, column 1: move 11, 'undo': undo: there is nothing to take back"
        assert checked.replay is not None
        assert (checked.replay.end.stock_left, checked.replay.end.moves) == (14, 6)

    def test_of_nothing_is_refused(self) -> None:
        checked = the(check("deal: pysol:2\ndraw undo\n  undo\n"))
        assert str(checked.error) == "games: line 3, column 3: move 3, 'undo': undo: there is nothing to take back"


@given(half_seen_deals(), RULE_SETS, st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_any_game_is_written_read_back_and_replayed(deal: Deal, rules: RuleSet, chance: random.Random) -> None:
    layout = deal.layout_of()
    rules = RuleSet(rules.on_king, rules.on_ace, rules.draw, *_shape(layout.jokers, layout.open_foundation))
    moves, states = random_game(deal, rules, chance)
    record = Record(deal, rules, moves=tuple(moves))
    for text in (record.text(), record.json()):
        assert read_record(text).record == record
        checked = the(check(text))
        assert checked.verdict is Verdict.SOUND
        assert checked.replay is not None
        assert [turn.after for turn in checked.replay.turns] == states[1:]


def _shape(jokers: int, is_open: bool) -> tuple[str, str]:
    return str(jokers), "open" if is_open else "dealt"


MOVES = st.one_of(
    st.builds(Draw),
    st.builds(Draw, st.sampled_from(list(map(Card, range(54))))),
    st.builds(PlayCard, st.sampled_from(list(map(Card, range(54))))),
    st.builds(PlayColumn, st.integers(-1, 9998)),
    st.builds(Undo),
)
NAMED = st.builds(
    Record,
    st.sampled_from(["pysol:24", "GO1-C-AAAAAAC", "AAAAAAB", "nonsense"]),
    st.none() | RULE_SETS,
    st.lists(st.sampled_from(list(map(Card, range(54))))).map(tuple),
    st.lists(MOVES).map(tuple),
)


@given(NAMED | st.builds(Record, deals(), st.none() | RULE_SETS, moves=st.lists(MOVES).map(tuple)))
def test_text_and_json_say_the_same(record: Record) -> None:
    assert read_record(record.json()).record == read_record(record.text()).record == record
    assert read_record(read_record(record.text()).record.json()).record.text() == record.text()


def test_a_record_is_written_with_a_row_for_each_draw() -> None:
    text = "deal: AAAAAAB\nrules: hard\nstock: 8S JC\n9C draw 8C undo draw=JC 5\n"
    assert read_record(text).record.text() == (
        "deal: AAAAAAB\nrules: hard\nstock: 8S JC\n9C\ndraw 8C undo\ndraw=JC 5\n"
    )


SOUND = "deal: pysol:2\nAC draw\n"


@pytest.mark.parametrize(
    ("text", "line", "column", "says"),
    [
        ("deal: pysol:2 # two\n\tAC\n\ndraw", 7, None, "there is no deal line"),
        ("deal: pysol:0\ndraw", 4, 7, "'0' is out of range"),
        ("deal: board.txt\ndraw", 4, 7, "'board.txt' is no deal"),
        ("deal: pysol:2\nrules: chess", 5, 8, "no rule set is called 'chess'"),
        ("deal: pysol:2\nstock: 8Z", 5, 8, "'8Z' is no card"),
        ("deal: AAAAAAB\nstock: AC", 5, 8, "AC cannot be an unseen stock card"),
        ("deal: AAAAAAB\nrules: easy\nstock: 8S  9C JC\ndraw", 6, 12, "9C cannot be an unseen stock card"),
        ("deal: pysol:2\nstock: 3S 4S", 5, 11, "stock card 2 is "),
        ("deel: pysol:2", 4, 1, "no line of a record is called 'deel'"),
        ("deal: pysol:2\ndeal: pysol:3", 5, None, "a second deal line"),
        ("deal: pysol:2\nfoundation: AC", 5, 13, "names its deal and has a board"),
        ("foundation: AC\nstock: 8S\n2C 3C", 6, None, "column 1 has 2 cards"),
        ("\xff", 4, None, "not UTF-8"),
        ('{"deal": "pysol:2", "rules": "chess", "moves": []}', 4, 30, "no rule set is called 'chess'"),
        ('{"deal": "pysol:0", "moves": []}', 4, 10, "'0' is out of range"),
        ('{"deal": "pysol:2", "foundation": "AC", "moves": []}', 4, 10, "names its deal and has a board"),
        ('{"deal": "pysol:2", "foundation": null, "moves": []}', 4, 10, "names its deal and has a board"),
        ('{"deal": "pysol:2", "columns": [], "moves": []}', 4, 10, "names its deal and has a board"),
        ('{"foundation": "AC", "moves": []}', 4, None, "there is no 'columns'"),
        ('{"deal": "pysol:2", "moves": [3]}', 4, None, "'moves' is no list of texts"),
        ('{"deal": 2, "moves": []}', 4, None, "'deal' is no text"),
        ('{"deal": "pysol:2", ', 4, 20, "this is no JSON"),
        ('{"moves": []}', 4, None, "there is no deal line"),
    ],
)
def test_a_record_that_is_none_is_told_by_its_place_and_the_others_are_checked(
    text: str, line: int, column: int | None, says: str
) -> None:
    written = f"{SOUND}\n{text}\n\n{SOUND}".encode("latin-1")
    first, *bad, last = check_records(written.splitlines(keepends=True), "games")
    assert first.verdict is last.verdict is Verdict.SOUND
    error = bad[-1].error
    assert (bad[-1].verdict, bad[-1].replay) == (Verdict.UNREADABLE, None)
    assert bad[0].line == 4
    assert error is not None
    assert (error.source, error.line) == ("games", line)
    assert error.column == column
    assert says in error.message
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


NO_MOVE = "this is no move: write draw, draw=JC for an unseen card that turned up"


@pytest.mark.parametrize(
    ("words", "made", "place", "says"),
    [
        (["AC", "dra", "hit"], 1, 2, f"move 2, 'dra': {NO_MOVE}"),
        (["AC", "9C", "dra"], 1, 2, "move 2, '9C': 9C in row 3, column 2: that card is blocked"),
        (["8", "0", "-1"], 0, 1, "move 1, '8': play from column 8: there is no such column"),
        (["AC", "draw", "-1", "9C"], 2, 3, f"move 3, '-1': {NO_MOVE}"),
        (["draw", "draw=zz"], 1, 2, "move 2, 'draw=zz': 'zz' is no card"),
    ],
)
def test_a_record_is_refused_at_its_first_fault_be_it_against_the_rules_or_no_move(
    words: list[str], made: int, place: int, says: str
) -> None:
    data = json.dumps({"deal": "pysol:2", "moves": words})
    text = f"deal: pysol:2\n{' '.join(words)}\n"
    found = check(f"{SOUND}\n{text}\n{data}\n{SOUND}")
    assert [each.line for each in found] == [1, 4, 7, 8]
    assert found[0].verdict is found[-1].verdict is Verdict.SOUND
    before = State.of(_after(words[:made]))
    columns = 1 + len(" ".join(words[: place - 1])) + (place > 1), 1 + data.index(f'"{words[place - 1]}"')
    for each, line, column in zip(found[1:3], (5, 7), columns, strict=True):
        assert each.verdict is Verdict.REFUSED
        assert each.replay is not None
        assert (len(each.replay.turns), each.replay.end) == (made, before)
        assert each.error is not None
        assert (each.error.line, each.error.column) == (line, column)
        assert each.error.message.startswith(says)


def _after(words: list[str]) -> Game:
    game = Game(PYSOL.deal(2), RuleSet())
    play_moves(game, " ".join(words))
    return game


@given(st.lists(st.sampled_from(["AC", "draw", "4H", "undo", "hit", "9C", "0", "3"]), max_size=8))
def test_the_first_fault_is_where_the_moves_of_other_commands_end(words: list[str]) -> None:
    checked = the(check(f"deal: pysol:2\n{' '.join(words)}\n"))
    assert checked.replay is not None
    expected: tuple[str | None, int] = (None, len(words))
    try:
        _after(words)
    except MoveError as error:
        expected = (str(error), error.place - 1)
    assert (checked.error and checked.error.message, len(checked.replay.turns)) == expected


def test_what_was_read_holds_the_moves_before_the_first_word_that_is_none() -> None:
    written = read_record("deal: pysol:2\nAC draw hit 4H")
    assert written.record.moves == (PlayCard(Card.parse("AC")), Draw())
    assert [word.text for word in written.moves] == ["AC", "draw", "hit", "4H"]
    assert (written.fault or "").startswith(NO_MOVE)
    assert read_record("deal: pysol:2\nAC draw").fault is None


def test_a_record_is_told_by_the_line_it_starts_on_in_every_form(tmp_path: Path) -> None:
    path = tmp_path / "games"
    path.write_text(
        "# the first\ndeal: pysol:2\nrules: chess\n\n---\ndeal: pysol:2\nAC\n\n  hit\n\ndeal: AAAAAAB\n 9C\n"
    )
    found = list(check_files([path]))
    assert [(each.line, each.error and each.error.line) for each in found] == [(2, 3), (6, None), (9, 9), (11, 12)]
    rows = "".join(f"{line}\n" for line in written(found, Table(len(str(path))), Counter()))
    assert f"{path}:2  " in rows
    assert "unreadable at line 3, column 8: no rule set is called 'chess'" in rows
    (first, *_) = (json.loads(line) for line in written(found, Json(), Counter()))
    assert (first["line"], first["error"]["line"], first["error"]["column"]) == (2, 3, 8)
    (row, *_) = csv.DictReader(written(found, Csv(), Counter()))
    assert (row["line"], row["error_line"], row["error_column"]) == ("2", "3", "8")


def test_a_line_too_long_for_a_record_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "games"
    path.write_text(f"{SOUND}\n{'draw ' * 500_000}\n\n{SOUND}")
    found = list(check_files([path]))
    assert [(each.line, each.verdict) for each in found] == [
        (1, Verdict.SOUND),
        (4, Verdict.UNREADABLE),
        (6, Verdict.SOUND),
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("character", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"])
def test_lines_and_comments_end_where_an_editor_ends_them(end: str, character: str) -> None:
    text = f"deal: pysol:2\n# a comment{character}draw\nAC{character}draw\n 9C\n".replace("\n", end)
    checked = the(check_records(text.encode().splitlines(keepends=True), "games"))
    assert checked.replay is not None
    assert len(checked.replay.turns) == 2
    assert checked.error is not None
    assert (checked.error.line, checked.error.column) == (4, 2)


UNSEEN_WORDS = "\x1b[31m\x07\x9b2J\u202eé"


@pytest.mark.parametrize("where", ["deal: {}\n", "deal: pysol:2\nrules: {}\n", "deal: pysol:2\nAC {}\n", "{}: 1\n"])
def test_what_would_steer_a_terminal_is_shown_as_its_escape(where: str) -> None:
    checked = the(check(where.format(UNSEEN_WORDS)))
    assert checked.error is not None
    assert r"\x1b[31m\x07\x9b2j\u202eé" in checked.error.message.lower()
    for form in (Table(9), Steps(), Csv(), Json()):
        assert all(line.isprintable() for line in written([checked], form, Counter()))


def test_a_word_of_json_cannot_pass_for_a_row_of_its_own() -> None:
    word = "hit\ngames:9  pysol:2  classic  sound\x1b[K"
    checked = the(check(json.dumps({"deal": "pysol:2", "moves": [word]})))
    assert [line for line in written([checked], Table(9), Counter()) if line.startswith("games:9")] == []
    assert r"move 1, 'hit\ngames:9  pysol:2  classic  sound\x1b[K'" in str(checked.error)


def test_records_are_separated_by_empty_lines_or_rules_and_json_takes_a_line() -> None:
    line = '{"deal": "AAAAAAB"}\n'
    text = f"\ufeff# games\n\n{SOUND}---\n# again\n{SOUND}# the end\n\n\n{line}{line}{SOUND}{line}---\n"
    found = [(each.line, each.verdict) for each in check(text)]
    assert found == [(first, Verdict.SOUND) for first in (3, 7, 12, 13, 14, 16)]


def test_a_record_may_hold_a_board() -> None:
    checked = the(check(f"{own_text(PYSOL.deal(2))}rules: easy\nAC draw\n4H\n"))
    assert checked.dealt is not None
    assert (checked.dealt.deal, checked.dealt.reference, str(checked.dealt.rules)) == (PYSOL.deal(2), "games:1", "easy")
    assert checked.replay is not None
    assert checked.replay.end.cards_left == 33


def test_a_record_without_a_deal_is_one_of_the_deal_that_is_given() -> None:
    assert the(check("draw 9C 8C", deal="GO1-E-AAAAAAB")).verdict is Verdict.SOUND
    assert the(check('{"moves": ["draw"]}', deal="GO1-E-AAAAAAB")).verdict is Verdict.SOUND
    other = the(check("deal: pysol:2\nAC", deal="GO1-E-AAAAAAB"))
    assert other.dealt is not None
    assert other.dealt.reference == "pysol:2"


@pytest.mark.parametrize("text", ["", "\n\n---\n", "# nothing\n"])
def test_a_file_without_a_record_is_not_sound(text: str) -> None:
    checked = the(check(text))
    assert checked.verdict is Verdict.UNREADABLE
    assert "there is no record here" in str(checked.error)


def test_a_file_is_read_only_as_far_as_records_are_asked_for() -> None:
    def lines() -> Iterator[bytes]:
        yield from f"{SOUND}\n{SOUND}\n".encode().splitlines(keepends=True)
        raise AssertionError("read on")

    records = read_records(lines())
    assert [each.line for each in (next(records), next(records)) if isinstance(each, Written)] == [1, 4]


def test_what_never_ends_is_no_record_and_the_next_one_is_checked() -> None:
    def lines() -> Iterator[bytes]:
        yield from [b"draw " * 1000 + b"\n"] * 1000
        yield from f"\n{SOUND}".encode().splitlines(keepends=True)

    endless, sound = check_records(lines(), "games")
    assert str(endless.error) == "games: line 1: more than 1048576 bytes: this is no record"
    assert (sound.line, sound.verdict) == (1002, Verdict.SOUND)


@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
@settings(max_examples=200)
def test_no_file_is_worse_than_a_typed_error(content: bytes) -> None:
    for each in check_records(content.splitlines(keepends=True), "games"):
        assert (each.error is None) == (each.verdict is Verdict.SOUND)
        assert each.error is None or each.error.line


class TestReview:
    @pytest.mark.parametrize("name", PRESETS)
    def test_what_stands_has_lost_what_the_best_play_would_have_gained(self, name: str) -> None:
        rules = PRESETS[name]
        losses = []
        for number in range(3, 9):
            moves, states = random_game(GO1.deal(number), rules, random.Random(number))
            replayed = replay(Game(GO1.deal(number), rules), moves, Review())
            game = Game(GO1.deal(number), rules)
            best = solve(game.left, rules).strokes
            assert best is not None
            lost = 0
            for turn, move in zip(replayed.turns, moves, strict=True):
                move.make(game)
                after = solve(game.left, rules).strokes
                assert after is not None
                losses.append(after - best)
                lost += losses[-1]
                assert turn.lost == after - best
                assert (turn.best is None) == isinstance(turn.step, Undone)
                best = after
            assert replayed.lost == lost
            if states[-1].status is not Status.PLAYING:
                assert replayed.lost == states[-1].strokes - (solve(GO1.deal(number), rules).strokes or 0)
        assert min(losses) < 0 < max(losses)

    def test_with_unseen_cards_it_is_the_mean_over_the_orders_in_which_hints_are_found(self) -> None:
        game = Game(GO1.deal(1), PRESETS["easy"])
        moves = [Draw(), PlayColumn(4), PlayColumn(1)]
        review = Review(samples=20, seed=3)
        replayed = replay(game, moves, review)
        again = Game(GO1.deal(1), PRESETS["easy"])
        for turn, move in zip(replayed.turns, moves, strict=True):
            strokes = {each.step.action: each.strokes for each in choices(again, 20, 3)}
            move.make(again)
            assert isinstance(turn.step, Step)
            assert turn.lost == Fraction(strokes[turn.step.action] - min(strokes.values()), 20)
        assert replayed.lost
        assert replayed == replay(Game(GO1.deal(1), PRESETS["easy"]), moves, review)

    @pytest.mark.parametrize("name", PRESETS)
    def test_of_equally_good_actions_the_best_is_the_one_a_hint_would_take(self, name: str) -> None:
        review, among_equals = Review(), []
        for number in range(3, 7):
            game, chance = Game(GO1.deal(number), PRESETS[name]), random.Random(number)
            while game.status is Status.PLAYING:
                found, values = hint(game), review(game)
                assert found is not None
                assert values.best == found.choice.step
                fewest = min(choice.strokes for choice in found.choices)
                equals = [choice.step for choice in found.choices if choice.strokes == fewest]
                among_equals.append((values.best != equals[0], values.best != equals[-1]))
                game.act(chance.choice(game.legal_actions()))
        assert [any(others) for others in zip(*among_equals, strict=True)] == [True, True]

    def test_nothing_is_lost_where_nothing_was_asked(self) -> None:
        assert replay(Game(PYSOL.deal(2), RuleSet()), [Draw()]).lost is None


DRAW, PLAY_9C, PLAY_8C, PLAY_8H = (
    {"action": "draw", "card": "8S"},
    *({"action": "play", "card": card, "column": column} for card, column in (("9C", 5), ("8C", 2), ("8H", 5))),
)


def standing(top: str, cards_left: int, points: int, moves: int) -> dict[str, object]:
    """How a game goes on after one draw."""
    return {
        "status": "playing",
        "top": top,
        "cards_left": cards_left,
        "stock_left": 15,
        "strokes": cards_left,
        "points": points,
        "moves": moves,
    }


class TestWhatProgramsAreTold:
    @pytest.fixture
    def reviewed(self) -> list[Checked]:
        """One game, whose stock is not known, up to a card that is blocked."""
        lines = [b"deal: GO1-E-AAAAAAB\n", b"draw\n", b"9C 8C undo 8C 9S\n"]
        return list(check_records(lines, "games", judge=Review(samples=20, seed=3)))

    def test_a_reviewed_game_in_json(self, reviewed: list[Checked]) -> None:
        record = {
            "source": "games",
            "line": 1,
            "verdict": "refused",
            "deal": "GO1-E-AAAAAAB",
            "rules": "easy",
            "own_shuffle": False,
            "actions": 5,
            **standing("8C", 33, 20, 4),
            "lost": 4.3,
            "error": {
                "line": 3,
                "column": 15,
                "reason": "move 6, '9S': 9S in row 4, column 7: that card is blocked",
            },
        }
        steps = [
            {**DRAW, **standing("8S", 35, 0, 1), "lost": 0, "best": DRAW},
            {**PLAY_9C, **standing("9C", 34, 10, 2), "lost": 0, "best": PLAY_9C},
            {**PLAY_8C, **standing("8C", 33, 20, 3), "lost": 4.3, "best": PLAY_8H},
            {"action": "undo", "undone": PLAY_8C, **standing("9C", 34, 10, 3), "lost": -4.3, "best": None},
            {**PLAY_8C, **standing("8C", 33, 20, 4), "lost": 4.3, "best": PLAY_8H},
        ]
        assert [json.loads(line) for line in written(reviewed, Json(), Counter())] == [record]
        assert [json.loads(line) for line in written(reviewed, Json(True), Counter())] == [{**record, "steps": steps}]

    def test_a_reviewed_game_in_csv(self, reviewed: list[Checked]) -> None:
        assert list(written(reviewed, Csv(), Counter())) == [
            "source,line,verdict,deal,rules,actions,status,top,cards_left,stock_left,strokes,points,moves,lost,"
            "error_line,error_column,reason",
            "games,1,refused,GO1-E-AAAAAAB,easy,5,playing,8C,33,15,33,20,4,4.3,"
            "3,15,\"move 6, '9S': 9S in row 4, column 7: that card is blocked\"",
        ]
        assert list(written(reviewed, Csv(True), Counter())) == [
            "source,line,deal,rules,place,action,card,column,status,top,cards_left,stock_left,strokes,points,moves,"
            "lost,best",
            "games,1,GO1-E-AAAAAAB,easy,1,draw,8S,,playing,8S,35,15,35,0,1,0,draw",
            "games,1,GO1-E-AAAAAAB,easy,2,play,9C,5,playing,9C,34,15,34,10,2,0,9C",
            "games,1,GO1-E-AAAAAAB,easy,3,play,8C,2,playing,8C,33,15,33,20,3,4.3,8H",
            "games,1,GO1-E-AAAAAAB,easy,4,undo,8C,2,playing,9C,34,15,34,10,3,-4.3,",
            "games,1,GO1-E-AAAAAAB,easy,5,play,8C,2,playing,8C,33,15,33,20,4,4.3,8H",
        ]

    @pytest.mark.parametrize(
        ("head", "own"),
        [
            ("deal: AAAAAAC", True),
            ("deal: go1:5", True),
            ("deal: GO1-E-AAAAAAB", False),
            ("deal: go1:1\nrules: hard", False),
            ("deal: go1:1\nrules: classic,jokers=2", True),
            ("deal: pysol:2", False),
            ("deal: ms:24", False),
            (own_text(PYSOL.deal(2)).strip(), False),
            ("deal: nonsense", None),
        ],
    )
    def test_whose_cards_they_are(self, head: str, own: bool | None) -> None:
        assert checked_record(the(check(f"{head}\n")))["own_shuffle"] is own


class TestTheCommand:
    def test_says_by_its_exit_code_whether_every_record_is_sound(self, tmp_path: Path) -> None:
        path = tmp_path / "games"
        path.write_text(f"{SOUND}\n{SOUND}")
        sound = call("replay", str(path), cwd=tmp_path)
        assert (sound.returncode, sound.stderr) == (0, "")
        assert sound.stdout.splitlines()[-1] == "2 records: 2 sound"
        path.write_text(f"{SOUND}\n{SOUND}9C\n\nnonsense\n\n{SOUND}")
        found = call("replay", str(path), str(path), cwd=tmp_path)
        assert found.returncode == 1
        assert "refused at line 6, column 1: move 3, '9C': 9C in row 3, column 2: that card is blocked" in found.stdout
        assert "unreadable at line 8: there is no deal line" in found.stdout
        assert found.stdout.splitlines()[-1] == "8 records: 4 sound, 2 refused, 2 unreadable"

    def test_tells_programs_the_same_as_the_library(self) -> None:
        text = f"{SOUND}undo draw 4H\n\n{SOUND}9C\n\nnonsense\n"
        expected = [checked_record(each, steps=True) for each in check(text)]
        shown = call("replay", "-", "--format", "json", "--steps", stdin=text)
        records = [json.loads(line) for line in shown.stdout.splitlines()]
        assert [{**each, "source": "games"} for each in records] == expected
        assert [step["action"] for step in records[0]["steps"]] == ["play", "draw", "undo", "draw", "play"]
        assert records[1]["error"] == {
            "line": 7,
            "column": 1,
            "reason": "move 3, '9C': 9C in row 3, column 2: that card is blocked",
        }
        rows = list(csv.DictReader(io.StringIO(call("replay", "-", "--format", "csv", stdin=text).stdout)))
        assert [row["verdict"] for row in rows] == ["sound", "refused", "unreadable"]
        assert (rows[0]["points"], rows[0]["moves"], rows[1]["error_line"]) == ("20", "4", "7")
        steps = call("replay", "-", "--format", "csv", "--steps", stdin=text).stdout
        rows = list(csv.DictReader(io.StringIO(steps)))
        assert [(row["line"], row["place"], row["action"], row["card"]) for row in rows][2:6] == [
            ("1", "3", "undo", "3S"),
            ("1", "4", "draw", "3S"),
            ("1", "5", "play", "4H"),
            ("5", "1", "play", "AC"),
        ]

    def test_reviews_a_game_step_by_step(self) -> None:
        shown = call("replay", "-", "--review", "--steps", stdin="deal: pysol:2\ndraw undo AC\n").stdout.splitlines()
        assert [line.split()[-2:] for line in shown[4:7]] == [["4", "AC"], ["1", "-4"], ["0", "AC"]]
        assert "strokes lost by the actions that stand: 0" in shown

    def test_reviews_the_deal_that_is_given_in_the_orders_that_are_asked_for(self) -> None:
        moves, deal = "draw 9C 8C\n", "GO1-E-AAAAAAB"
        asked, *others = (
            the(check_records([moves.encode()], "-", deal=resolve(deal), judge=Review(samples, seed)))
            for samples, seed in ((20, 3), (200, 3), (20, 0), (200, 0))
        )
        assert asked.replay is not None
        assert asked.replay.lost not in [other.replay and other.replay.lost for other in others]
        options = ("--deal", deal, "--review", "--samples", "20", "--seed", "3", "--format", "json", "--steps")
        assert json.loads(call("replay", "-", *options, stdin=moves).stdout) == checked_record(asked, steps=True)

    def test_takes_other_rules_than_those_of_the_records(self) -> None:
        text = "deal: GO1-C-AAAAAAB\nrules: classic\ndraw draw=JC\n"
        assert the(check(text)).verdict is Verdict.SOUND
        strict = call("replay", "-", "--rules", "strict", "-q", stdin=text)
        assert strict.returncode == 1
        assert "these rules draw only when none can" in strict.stdout

    def test_takes_the_deal_of_records_from_any_reference_before_it_reads(self, tmp_path: Path) -> None:
        (tmp_path / "board").write_text(own_text(PYSOL.deal(2)))
        for deal in ("pysol:2", "board"):
            found = call("replay", "-", "--deal", deal, cwd=tmp_path, stdin="AC draw 4H\n\nrules: easy\nAC\n")
            assert (found.returncode, found.stderr) == (0, "")
            assert [row.split()[1:3] for row in found.stdout.splitlines()[1:3]] == [[deal, "classic"], [deal, "easy"]]
        for deal, rules, says in (
            ("nosuch", "easy", "there is no file 'nosuch'"),
            ("-", "easy", "give the board of --deal as a file"),
            ("pysol:2", "easy,jokers=2", "pysol numbers deal 52 cards"),
        ):
            refused = call("replay", "-", "--deal", deal, "--rules", rules, cwd=tmp_path, stdin=SOUND)
            assert (refused.returncode, refused.stdout) == (2, "")
            assert says in " ".join(refused.stderr.split())

    def test_notes_once_that_the_cards_are_not_the_apps(self) -> None:
        shown = call("replay", "-", stdin="deal: AAAAAAC\n\ndeal: AAAAAAD\n")
        assert shown.stderr.count("the app has other cards") == 1

    def test_a_file_that_is_not_there_is_a_usage_error(self, tmp_path: Path) -> None:
        missing = call("replay", "missing", cwd=tmp_path)
        assert (missing.returncode, missing.stdout) == (2, "")
        assert "'missing' does not exist" in missing.stderr

    def test_answers_before_its_input_ends(self) -> None:
        with subprocess.Popen(
            [*GOLF, "replay", "-", "--format", "json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as running:
            assert running.stdin is not None
            assert running.stdout is not None
            running.stdin.write(f"{SOUND}\n")
            running.stdin.flush()
            assert json.loads(running.stdout.readline())["deal"] == "pysol:2"
            running.stdin.write(f"{SOUND}9C\n")
            running.stdin.close()
            assert json.loads(running.stdout.readline())["verdict"] == "refused"


class TestSaving:
    def test_a_file_that_is_there_is_not_touched(self, tmp_path: Path) -> None:
        path = tmp_path / "game"
        path.write_text("mine")
        with pytest.raises(RecordError, match="there is such a file: give another, or --overwrite"):
            Saved(path)
        assert path.read_text() == "mine"

    def test_what_is_saved_is_the_whole_record_each_time(self, tmp_path: Path) -> None:
        path = tmp_path / "game"
        saved = Saved(path)
        for moves in ((), (Draw(),), (Draw(), Undo())):
            saved.save([Record("pysol:2", RuleSet(), moves=moves)])
            assert read_record(path.read_text()).record.moves == moves
        assert [each.name for each in tmp_path.iterdir()] == ["game"]
        Saved(path, overwrite=True).save([Record("pysol:3")])
        assert path.read_text() == "deal: pysol:3\n"

    @pytest.mark.parametrize("there", [True, False])
    def test_a_link_stays_one_and_its_file_is_written(self, tmp_path: Path, there: bool) -> None:
        (tmp_path / "link").symlink_to("game")
        if there:
            (tmp_path / "game").write_text("mine")
        Saved(tmp_path / "link", overwrite=there).save([Record("pysol:3")])
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "game").read_text() == "deal: pysol:3\n"

    def test_a_disk_that_fails_is_told_once_and_tried_again(self, tmp_path: Path) -> None:
        told: list[str] = []
        home = tmp_path / "home"
        home.mkdir()
        saved = Saved(home / "game", warn=told.append)
        saved.save([Record("pysol:3")])
        (home / "game").rename(tmp_path / "aside")
        home.rmdir()
        for _ in range(2):
            saved.save([Record("pysol:4")])
        assert len(told) == 1
        assert saved.unsaved == "No such file or directory"
        home.mkdir()
        saved.save([Record("pysol:5")])
        assert saved.unsaved is None
        assert (home / "game").read_text() == "deal: pysol:5\n"

    def test_what_was_saved_is_whole_when_a_disk_is_full_half_way(self, tmp_path: Path) -> None:
        told: list[str] = []
        saved = Saved(tmp_path / "game", warn=told.append)
        saved.save([Record("pysol:3")])
        limit, most = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (5, most))
        try:
            saved.save([Record("pysol:4")])
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, most))
        assert saved.unsaved == "File too large"
        assert len(told) == 1
        assert [each.name for each in tmp_path.iterdir()] == ["game"]
        assert (tmp_path / "game").read_text() == "deal: pysol:3\n"
        saved.save([Record("pysol:4")])
        assert (tmp_path / "game").read_text() == "deal: pysol:4\n"

    @pytest.mark.parametrize(("path", "says"), [("no/game", "cannot be written"), ("/dev/null", "is no plain file")])
    def test_what_cannot_be_a_file_is_a_typed_error(self, tmp_path: Path, path: str, says: str) -> None:
        with pytest.raises(PlacedError, match=says):
            Saved(tmp_path / path, overwrite=path.startswith("/")).save([Record("pysol:3")])
