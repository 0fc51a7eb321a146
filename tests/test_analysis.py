"""The analysis of a deal, and hints and analyses on the command line."""

import json
import re
from math import log2
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from processes import call

from golf_cli.cards import Card, parse_cards
from golf_cli.commands import golf
from golf_cli.deals.boards import WRITERS
from golf_cli.deals.deal import Deal
from golf_cli.deals.numberings import GO1
from golf_cli.errors import DealError
from golf_cli.game import Game, Status
from golf_cli.rules import PRESETS, Layout, RuleSet
from golf_cli.solvers.analysis import Analysis, Mark, analyse, analysis_record, analysis_text
from golf_cli.solvers.exact import solve
from golf_cli.solvers.hints import hint
from golf_cli.solvers.outcome import Result

NUMBERS = (2, 5, 8, 17)


def small_deal(columns: str, foundation: str, stock: str = "") -> Deal:
    """A deal of a few cards; a comma between columns."""
    piles = tuple(tuple(parse_cards(column)) for column in columns.split(","))
    return Deal(piles, Card.parse(foundation), tuple(parse_cards(stock)))


@pytest.mark.parametrize("name", PRESETS)
def test_every_value_along_the_line_is_what_best_play_reaches_after_it(name: str) -> None:
    rules = PRESETS[name]
    for number in NUMBERS:
        deal = GO1.deal(number)
        analysis = analyse(deal, rules)
        solution = solve(deal, rules)
        assert analysis.strokes == solution.strokes
        assert analysis.clearable == (solution.result is Result.CLEARED)
        game = Game(deal, rules)
        for decision in analysis.decisions:
            assert (decision.top, decision.cards_left, decision.stock_left) == (
                game.top,
                game.cards_left,
                game.stock_left,
            )
            assert [choice.step.action for choice in decision.choices] == game.legal_actions()
            assert min(choice.strokes for choice in decision.choices) == analysis.strokes
            for choice in decision.choices:
                after = Game(game.left, rules)
                assert after.act(choice.step.action) == choice.step.card
                assert choice.strokes == solve(after.left, rules).strokes
            game.act(decision.taken.step.action)
        assert game.status is not Status.PLAYING
        assert game.strokes == analysis.strokes
        assert game.moves == len(analysis.decisions)


def test_the_line_is_the_one_that_hints_give() -> None:
    deal, rules = GO1.deal(9), PRESETS["easy"]
    game = Game(deal, rules)
    for step in analyse(deal, rules).line:
        given = hint(game)
        assert given is not None
        assert given.choice.step == step
        game.act(step.action)
    assert hint(game) is None


def test_a_small_deal_analysed_by_hand() -> None:
    # 2C 3D 2D AC and 2D AC 2C 3D both clear it without the stock card, and 2C 3D 2D AC clears it on the stock card too.
    analysis = analyse(small_deal("3D 2C,AC 2D", "AS", "3S"), PRESETS["classic"])
    first = analysis.decisions[0]
    assert [str(step) for step in analysis.line] == [
        "play 2C from column 1",
        "play 3D from column 1",
        "play 2D from column 2",
        "play AC from column 2",
    ]
    assert [(str(choice.step), choice.strokes) for choice in first.choices] == [
        ("play 2C from column 1", -1),
        ("play 2D from column 2", -1),
        ("draw 3S", 0),
    ]
    assert first.marks == (Mark.BEST, Mark.BEST, Mark.CLEARABLE)


@pytest.mark.parametrize("name", PRESETS)
def test_the_counts_are_those_of_the_actions(name: str) -> None:
    kinds = set()
    for number in range(2, 12):
        analysis = analyse(GO1.deal(number), PRESETS[name])
        legal = keeping = 0
        bits = 0.0
        for decision in analysis.decisions:
            strokes = [choice.strokes for choice in decision.choices]
            limit = 0 if analysis.strokes <= 0 else analysis.strokes
            kept = sum(each <= limit for each in strokes)
            assert decision.keeping == kept
            assert decision.is_choice == (len(strokes) > 1)
            assert decision.only_best == (len(strokes) > 1 and strokes.count(analysis.strokes) == 1)
            assert decision.only_clearable == (len(strokes) > 1 and analysis.strokes <= 0 and kept == 1)
            for each, mark in zip(strokes, decision.marks, strict=True):
                assert (mark is Mark.BEST) == (each == analysis.strokes)
                assert (mark is Mark.LOSES) == (each > limit)
            kinds |= set(decision.marks)
            legal, keeping = legal + len(strokes), keeping + kept
            bits -= log2(kept / len(strokes))
        assert (analysis.legal, analysis.keeping, analysis.share) == (legal, keeping, keeping / legal)
        assert analysis.narrowness == pytest.approx(bits)
    assert kinds >= {Mark.BEST, Mark.LOSES} or name == "strict"


def test_forced_steps_are_no_choice_and_cost_nothing() -> None:
    forced = analyse(small_deal("3C 2C", "AS"), PRESETS["classic"])
    assert [decision.is_choice for decision in forced.decisions] == [False, False]
    assert (forced.narrowness, forced.share, forced.strokes) == (0, 1, 0)
    two_ways = analyse(small_deal("3C,2C,5C", "AS", "4C"), PRESETS["classic"])
    assert [len(decision.choices) for decision in two_ways.decisions] == [2, 2, 1, 1]
    assert [decision.only_clearable for decision in two_ways.decisions] == [True, True, False, False]
    assert two_ways.narrowness == 2


def test_a_game_that_is_over_from_the_start_has_no_decisions() -> None:
    for deal, strokes in ((small_deal("9C,9D", "AS"), 2), (Deal(((),), Card.parse("AS"), (Card.parse("2C"),)), -1)):
        analysis = analyse(deal, PRESETS["classic"])
        assert analysis == Analysis(strokes, ())
        assert (analysis.share, analysis.narrowness, analysis.line) == (1, 0, ())
        assert "narrowness       0.0 bits" in analysis_text(analysis)


def test_a_deal_with_unseen_cards_is_refused() -> None:
    with pytest.raises(DealError, match=r"15 unseen stock cards, .*--stock.*golf hint"):
        analyse(GO1.deal(1), PRESETS["easy"])


def test_rules_with_jokers_and_an_open_foundation_are_analysed() -> None:
    rules = RuleSet.parse("classic,jokers=1,foundation=open")
    deal = GO1.deal(1, rules.layout)
    analysis = analyse(deal, rules)
    assert analysis.strokes == solve(deal, rules).strokes
    assert analysis.decisions[0].top is None
    assert len(analysis.decisions[0].choices) == 8


def test_the_plain_values_and_the_table_say_the_same() -> None:
    for name in PRESETS:
        analysis = analyse(GO1.deal(4), PRESETS[name])
        record = analysis_record(analysis)
        assert json.loads(json.dumps(record)) == record
        lines = analysis_text(analysis).splitlines()
        column = lines[2].index("critical")
        for row, step in zip(lines[3:], record["steps"], strict=False):
            marks = [choice["mark"] for choice in step["choices"]]
            assert row.split()[0] == str(step["step"])
            assert row[column : column + 8].strip() == (step["critical"] or "")
            assert row.count("*") == marks.count("best")
            assert len(re.findall(r"\dx", row)) == marks.count("loses")
            assert all(str(choice["strokes"]) in row for choice in step["choices"])
        assert lines[3 + len(record["steps"])] == ""
        assert lines[-1] == f"narrowness       {record['narrowness']:.1f} bits"
        for kind in ("clear", "best"):
            (told,) = [line for line in lines if line.startswith(f"critical: {kind}")]
            assert int(told.split()[2].rstrip(",")) == record[f"critical_{kind}"]


class TestOnTheCommandLine:
    def done(self, *arguments: str | Path) -> str:
        words = [*map(str, arguments), "-q"]
        return CliRunner().invoke(golf, words, catch_exceptions=False, standalone_mode=False).output

    def asked(self, *arguments: str | Path) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self.done(*arguments, "--format", "json"))
        return answer

    def test_hints_follow_the_documented_first_moves(self, tmp_path: Path) -> None:
        reference, few = "GO1-E-AAAAAAB", ("--samples", "20")
        start = call("hint", reference, *few, cwd=tmp_path).stdout
        assert start.startswith("draw 8S: the tableau can be cleared in ")
        assert "\nbecause it is the only legal action\n" in start
        drawn = self.asked("hint", reference, *few, "--moves", "draw")
        assert (drawn["top"], drawn["hint"]["card"], drawn["hint"]["column"]) == ("8S", "9C", 5)
        assert [choice["action"] for choice in drawn["choices"]] == ["play", "draw"]
        after = self.asked("hint", reference, *few, "--moves", "draw 9C 8C draw=JC")
        assert [step["card"] for step in after["moves"]] == ["8S", "9C", "8C", "JC"]
        assert (after["top"], after["cards_left"], after["stock_left"], len(after["unseen"])) == ("JC", 33, 14, 14)
        assert after["stock"][:3] == ["8S", "JC", "?"]
        given = self.asked("hint", reference, *few, "--stock", "8S JC", "--moves", "d 5 2 d")
        assert given == after

    def test_a_hint_of_a_known_deal_and_of_one_that_is_over(self) -> None:
        best = solve(GO1.deal(2), PRESETS["easy"])
        text = self.done("hint", "go1:2", "--rules", "easy")
        assert f"the tableau can be cleared, best strokes {best.strokes}\nbecause " in text
        line = analyse(GO1.deal(2), PRESETS["easy"]).line
        moves = " ".join("draw" if step.action.is_draw else str(step.card) for step in line)
        over = ("hint", "go1:2", "--rules", "easy", "--moves", moves)
        assert self.done(*over) == f"the game is won: strokes {best.strokes}\n"
        answer = self.asked(*over)
        assert (answer["status"], answer["hint"], answer["choices"]) == ("won", None, [])
        assert len(answer["moves"]) == len(line)

    def test_an_analysis_as_a_table_and_as_json(self, tmp_path: Path) -> None:
        board = tmp_path / "board"
        board.write_text(WRITERS["text"](GO1.deal(7, Layout())))
        analysis = analyse(GO1.deal(7), PRESETS["hard"])
        answer = self.asked("analyse", board, "--rules", "hard")
        assert (answer["reference"], answer["rules"]) == (str(board), "hard")
        assert {key: answer[key] for key in analysis_record(analysis)} == analysis_record(analysis)
        table = self.done("analyse", board, "--rules", "hard")
        assert table == f"{board}, rules hard\n{analysis_text(analysis)}\n"
        stock = "QC JC 6S KS 2H 5H 9H KH AD 4D 6D 9D TD JD QD"
        answer = self.asked("analyse", "GO1-E-AAAAAAB", "--stock", stock)
        assert answer["unseen"] == []
        assert answer["steps"][0]["card"] == "8S"

    @pytest.mark.parametrize(
        ("arguments", "says"),
        [
            (("hint", "pysol:2", "--moves", "AC 9C"), "move 2, '9C': 9C in row 3, column 2: that card is blocked"),
            (("hint", "pysol:2", "--moves", "AC 8"), "move 2, '8': play from column 8: there is no such column"),
            (("hint", "pysol:2", "--moves", "draw hit"), "move 2, 'hit': this is no move"),
            (("hint", "GO1-E-AAAAAAB", "--moves", "draw draw"), "write the card that turned up, such as draw=AD"),
            (("hint", "GO1-E-AAAAAAB", "--moves", "draw draw=9C"), "9C cannot be an unseen stock card"),
            (("hint", "GO1-E-AAAAAAB", "--samples", "0"), "from 1"),
            (("hint", "GO1-E-AAAAAAB", "--samples", "1e7"), "from 1 to 1000000"),
            (("hint", "GO1-E-AAAAAAB", "--seed", "1e10"), "seed 10000000000"),
            (("hint", "pysol:2", "--stock", "8S"), "unseen places"),
            (("hint", "nowhere.txt"), "no such file"),
            (("analyse", "GO1-E-AAAAAAB"), "15 unseen stock cards"),
            (("analyse", "GO1-E-AAAAAAB", "--stock", "8S JC"), "14 unseen stock cards"),
            (("analyse", "pysol:2", "--rules", "easiest"), "no rule set"),
        ],
        ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
    )
    def test_a_mistake_is_told_with_exit_code_2(self, tmp_path: Path, arguments: tuple[str, ...], says: str) -> None:
        finished = call(*arguments, cwd=tmp_path)
        assert (finished.returncode, finished.stdout) == (2, "")
        assert says in " ".join(finished.stderr.split())
