"""`golf round` and `golf match`, as a person runs them."""

import csv
import json
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

import click
import pytest
from processes import call

from golf_cli.commands import golf
from golf_cli.errors import GolfError, PluginError
from golf_cli.rounds.course import Course
from golf_cli.rules import RuleSet
from golf_cli.stats.intervals import win_interval

PARS = "3 4 5 4 3 5 4 4 3"


def done(*arguments: str) -> str:
    """What a command prints."""
    printed = StringIO()
    with redirect_stdout(printed):
        golf.main(arguments, standalone_mode=False)
    return printed.getvalue()


def test_a_round_of_given_scores_is_a_card() -> None:
    shown = done("round", "--pars", PARS, "--scores", "3 -3 5", "--names", "Ann")
    assert "    2    4  ((-3))      -7  -7" in shown.splitlines()
    assert shown.endswith("Ann: unfinished, 5 strokes on 3 of 9 holes, -7 against the par of 12\n")


def test_a_round_is_played_on_numbered_or_given_deals_and_the_rules_are_named() -> None:
    numbered = call("round", "--tradition", "--play", "leftmost", "--first", "2", "--rules", "easy", "--format", "json")
    data = json.loads(numbered.stdout)
    assert (data["rules"], data["deals"], data["shuffle"], data["seed"]) == ("easy", [[2, 11]], "golf 1", 0)
    assert "golf's own shuffle" in numbered.stderr
    references = [hole["deal"] for hole in data["cards"][0]["holes"]]
    assert references[0] == "GO1-E-AAAAAAC"
    given = json.loads(done("round", "--tradition", "--play", "leftmost", *references, "--format", "json", "-q"))
    assert given["cards"] == data["cards"]


def test_the_best_play_is_a_score_that_can_be_given_and_a_documented_deal_is_not_held_against_any() -> None:
    best = json.loads(done("round", "--tradition", "--first", "5", "--play", "exact", "--format", "json", "-q"))
    scores = " ".join(str(hole["strokes"]) for hole in best["cards"][0]["holes"])
    given = json.loads(done("round", "--tradition", "--first", "5", "--scores", scores, "--format", "json", "-q"))
    assert given["cards"][0]["total"] == best["cards"][0]["total"]
    shown = done("match", "--first", "5", "--scores", scores, "--play", "exact", "--holes", "9", "-q")
    assert "match play: player and exact are all square\n" in shown
    documented = ("round", "--tradition", *(f"go1:{number}" for number in range(9)), "--scores", "-16", "-q")
    assert done(*documented).splitlines()[3].split()[:4] == ["1", "GO1-C-AAAAAAA", "5", "((-16))"]


def test_cards_come_as_csv_too() -> None:
    text = done("round", "--pars", PARS, "--scores", "3 ? 4", "--scores", "4", "--format", "csv")
    rows = list(csv.DictReader(StringIO(text)))
    assert len(rows) == 18
    assert [rows[place]["strokes"] for place in (0, 1, 2, 3, 9, 10)] == ["3", "", "4", "", "4", ""]
    assert rows[9]["player"] == "player 2"


def test_a_round_without_players_is_an_empty_card() -> None:
    assert "nothing" not in (shown := done("round", "--pars", PARS))
    assert shown.endswith("strokes: no hole played yet, par 35\n")


def test_one_match_is_a_card_and_given_scores_may_meet_a_solver() -> None:
    shown = done(
        "match", "--scores", "4 2", "--play", "exact", "--first", "2", "--holes", "3", "--names", "Ann, best", "-q"
    )
    head, blank, columns, *_ = shown.splitlines()
    assert (head, blank) == ("deals 2..4 of go1, rules classic", "")
    one = done("match", "--scores", "18", "--scores", "17", "--first", "200", "--holes", "1", "--rules", "hard")
    assert one.startswith("deal 200 of go1, rules hard (give --rules hard with these deals)\n")
    assert columns.split() == ["hole", "deal", "Ann", "best", "match"]


def test_many_matches_are_counted_the_same_whoever_plays_them() -> None:
    arguments = ("match", "--play", "longest-run", "--play", "random", "-n", "200", "--format", "json", "-q")
    one, three = (done(*arguments, "--workers", workers) for workers in ("1", "3"))
    assert one == three
    data = json.loads(one)
    assert (data["matches"], data["deals"], data["rules"]) == (200, [[0, 1], [2, 3601]], "classic")
    strokes, by_holes = data["series"]
    assert [each["form"] for each in data["series"]] == ["stroke play", "match play"]
    assert strokes["won"] + strokes["halved"] + strokes["lost"] == 200
    assert sum(end["matches"] for end in by_holes["ends"]) == 200
    assert by_holes["won_low"] < by_holes["won_rate"] < by_holes["won_high"]


def record(*arguments: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(done(*arguments, "--format", "json", "-q"))
    return data


def test_the_seed_of_a_round_and_of_a_match_is_that_of_its_solvers() -> None:
    played = {}
    for seed in ("0", "5"):
        card = record("round", "--tradition", "--first", "2", "--play", "random", "--seed", seed)["cards"][0]
        match = record(
            "match", "--first", "2", "--play", "random", "--play", "leftmost", "--holes", "9", "--seed", seed
        )
        many = record("match", "--first", "2", "--play", "random", "--play", "leftmost", "-n", "30", "--seed", seed)
        played[seed] = [hole["strokes"] for hole in card["holes"]]
        assert match["players"][0]["strokes"] == played[seed]
        assert (match["seed"], many["seed"]) == (int(seed), int(seed))
        course = Course.of(RuleSet(), 30 * 18, 2)
        random, leftmost = (course.play(course.tasks(["random", "leftmost"], int(seed))).strokes.sum(axis=1)).tolist()
        totals = {each["player"]: each["mean_total"] for each in many["players"]}
        assert totals == {"random": random / 30, "leftmost": leftmost / 30}
    assert played["0"] != played["5"]


def test_the_confidence_of_many_matches_is_the_one_asked_for() -> None:
    players = ("match", "--play", "longest-run", "--play", "exact,max-states=60000", "--holes", "2", "-n", "20")
    half = record(*players, "--confidence", "0.5")
    for each in half["series"]:
        for name in ("won", "halved", "lost"):
            low, high = win_interval(each[name], each["apart"], 20, 0.5)
            assert (each[f"{name}_low"], each[f"{name}_high"], each["confidence"]) == (low, high, 0.5)
    for each in half["players"]:
        assert (each["first_low"], each["first_high"]) == tuple(win_interval(each["first"], each["apart"], 20, 0.5))
    assert half["players"][0]["apart"] > 0


def test_one_match_is_a_record_and_rows() -> None:
    players = (
        "match",
        "--scores",
        "4 3",
        "--scores",
        "3 3",
        "--scores",
        "5 ?",
        "--names",
        "Ann, Bob, Cy",
        "--holes",
        "2",
    )
    row = {"against": "Bob", "stroke_play": {"margin": -1}}
    apart = {"over": False, "undecided": True, "up": 1, "left": 1, "result": None, "standings": ["one up, dormie"]}
    assert record(*players) == {
        "holes": 2,
        "deals": [None, None],
        "players": [
            {"player": "Ann", "strokes": [4, 3], "total": 7, "place": None},
            {"player": "Bob", "strokes": [3, 3], "total": 6, "place": None},
            {"player": "Cy", "strokes": [5, None], "total": None, "place": None},
        ],
        "pairs": [
            {
                "player": "Ann",
                **row,
                "match_play": {
                    "over": True,
                    "undecided": False,
                    "up": -1,
                    "left": 0,
                    "result": "one up",
                    "standings": ["one down, other dormie", "lost one up"],
                },
            },
            {"player": "Ann", "against": "Cy", "stroke_play": {"margin": None}, "match_play": apart},
            {"player": "Bob", "against": "Cy", "stroke_play": {"margin": None}, "match_play": apart},
        ],
    }
    ranked = record("match", "--scores", "4 3", "--scores", "3 3", "--holes", "2")["players"]
    assert [each["place"] for each in ranked] == [2, 1]
    assert done(*players, "--format", "csv") == (
        "hole,deal,player,strokes\n1,,Ann,4\n1,,Bob,3\n1,,Cy,5\n2,,Ann,3\n2,,Bob,3\n2,,Cy,\n"
    )


def test_who_shares_the_lowest_total_is_counted_beside_who_has_it_alone() -> None:
    players = (
        "match",
        "--play",
        "longest-run",
        "--play",
        "leftmost",
        "--play",
        "longest-column",
        "--holes",
        "1",
        "-n",
        "40",
    )
    course = Course.of(RuleSet(), 40)
    strokes = course.play(course.tasks(["longest-run", "leftmost", "longest-column"])).strokes.T.tolist()
    names = ("longest-run", "leftmost", "longest-column")
    told = {each["player"]: (each["first"], each["shared"]) for each in record(*players)["players"]}
    for place, name in enumerate(names):
        lowest = [hole for hole in strokes if hole[place] == min(hole)]
        alone = sum(hole.count(min(hole)) == 1 for hole in lowest)
        assert told[name] == (alone, len(lowest) - alone)
    assert all(first != shared for first, shared in told.values())


def test_undecided_matches_are_set_apart_and_said() -> None:
    players = ("--play", "longest-run", "--play", "exact,max-states=60000", "--holes", "2", "-n", "20", "-q")
    _, by_holes = json.loads(done("match", *players, "--format", "json"))["series"]
    assert 0 < by_holes["apart"] < 20
    assert by_holes["won"] + by_holes["halved"] + by_holes["lost"] + by_holes["apart"] == 20
    assert f"{by_holes['apart']} of 20 matches had a hole that a player left undecided" in done("match", *players)


def test_ends_have_a_head_even_where_every_match_is_set_apart() -> None:
    text = done(
        *("match", "--play", "leftmost", "--play", "exact,max-states=1", "-n", "2", "--format", "csv", "--ends", "-q")
    )
    assert text == "player,against,outcome,result,up,left,matches,share\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("round", "--scores", "3"), "Give the holes' pars, such as --pars"),
        (("round", "--tradition", "--pars", PARS), "or --tradition"),
        (("round", "--pars", "3 4 5"), "3 holes: a round has 9"),
        (("round", "--pars", PARS, "--scores", "3 four"), "'four' is no score: write whole numbers"),
        (("round", "--tradition", "--scores", "1 " * 10), "10 scores of player for 9 holes"),
        (("round", "--tradition", "--scores", "1", "--names", "Ann, Bob"), "2 names for 1 player (player): name each"),
        (("round", "--tradition", "--play", "leftmost", "ms:1"), "1 deal for 9 holes: give one deal a hole"),
        (("round", "--tradition", "--play", "leftmost", "ms:1", "--first", "3"), "give one of them"),
        (("round", "--tradition", "--play", "nobody"), "no solver is called 'nobody'"),
        (("round", "--pars", PARS, "--scores", "3 -17"), "-17 strokes of player on hole 2: with a stock of 16 cards"),
        (
            ("round", "--tradition", "--play", "leftmost", *(f"go1:{n}" for n in range(9))),
            "GO1-C-AAAAAAB is documented",
        ),
        (("round", "--tradition", "--play", "par"), "par counts many games of a deal"),
        (("match", "--play", "leftmost", "--play", "difficulty"), "counts many games of a deal"),
        (("match", "--scores", "36", "--scores", "1"), "36 strokes of player 1 on hole 1: with a stock of 16 cards"),
        (("match", "--scores", "1", "--scores", "-18", "--rules", "classic,jokers=1"), "takes -17 to 35"),
        (("round", "--tradition", "--first", "5", "--scores", "-16"), "-16 strokes of player on hole 1: its best play"),
        (("match", "--first", "5", "--scores", "2 -16", "--scores", "2 2"), "of player 1 on hole 2: its best play"),
        (
            ("match", "--scores", "2", "--play", "exact", "--scores", "-16", "--first", "5"),
            "player 2 on hole 1: its best",
        ),
        (("match", "--play", "leftmost", "--play", "random", "-n", "2", "--ends"), "--ends is for --format csv"),
        (("match", "--play", "leftmost", "--play", "random", "--ends", "--format", "csv"), "--ends is for"),
        (("match", "--scores", "1", "--scores", "1", "--names", "A\nB,C"), r"'A\nB,C' has characters"),
        (("match", "--play", "leftmost"), "1 player for a match: give two or more"),
        (("match", "--play", "random", "--play", "random"), "random is there twice"),
        (("match", "--scores", "1", "--scores", "2", "-n", "2"), "leave out -n"),
        (("match", "--scores", "1 2", "--scores", "2", "--holes", "1"), "say over how many holes the match is"),
        (("match", "--play", "leftmost", "--play", "random", "--holes", "101"), "over 101 holes: give 1 to 100"),
        (("match", "--play", "leftmost", "--play", "random", "-n", "1e8"), "give at most 100,000,000"),
        (("match", "--play", "leftmost", "--play", "random", "--numbering", "ms", "--first", "0"), "out of range"),
        (("stats", "nowhere", "--rounds", "--distribution"), "give one of them"),
    ],
)
def test_what_cannot_be_is_refused_with_a_remedy(arguments: tuple[str, ...], told: str) -> None:
    with pytest.raises((GolfError, click.ClickException)) as refused:
        golf.main(arguments, standalone_mode=False)
    assert not isinstance(refused.value, PluginError)
    assert told in getattr(refused.value, "message", str(refused.value))


def test_a_refusal_is_a_usage_error() -> None:
    for arguments in (("round", "--tradition", "--scores", "1 " * 10), ("match", "--play", "leftmost")):
        finished = call(*arguments)
        assert (finished.returncode, finished.stdout) == (2, "")
        assert "give" in finished.stderr


@pytest.mark.slow
def test_a_solver_that_fails_is_that_solvers_fault() -> None:
    finished = call("match", "--play", "leftmost", "--play", "plugins:Raises,at=20", "-n", "2")
    assert (finished.returncode, finished.stdout) == (3, "")
    assert "one over nothing" in finished.stderr
