"""Scorecards: pars, names of results, running scores, and when a round is won."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from golf_cli.errors import ScoreError
from golf_cli.rounds.holes import (
    TRADITION_PARS,
    Hole,
    Player,
    check_scores,
    holes_of,
    parse_names,
    parse_pars,
    parse_scores,
)
from golf_cli.rounds.scorecard import Kind, Scorecard, Verdict, format_cards, marked
from golf_cli.rules import Layout

PARS = (3, 4, 5, 4, 3, 5, 4, 4, 3)
HOLES = holes_of(PARS)
TRADITION = holes_of(TRADITION_PARS)


def card(*scores: int | None) -> Scorecard:
    return Scorecard(HOLES, scores)


def tradition(*scores: int | None) -> Scorecard:
    return Scorecard(TRADITION, scores, kind=Kind.TRADITION)


@pytest.mark.parametrize("par", [3, 4, 5])
def test_a_hole_has_a_par_of_three_four_or_five(par: int) -> None:
    assert Hole(par).par == par


@pytest.mark.parametrize("par", [-4, 0, 2, 6, 72])
def test_no_hole_has_another_par(par: int) -> None:
    with pytest.raises(ScoreError, match=f"a par of {par}: a hole has a par of 3, 4 or 5"):
        Hole(par)


def test_a_round_is_nine_holes() -> None:
    assert len(HOLES) == len(TRADITION) == 9
    for pars in (PARS[:8], (*PARS, 4), ()):
        with pytest.raises(ScoreError, match=f"{len(pars)} holes: a round has 9"):
            holes_of(pars)


@pytest.mark.parametrize(
    ("strokes", "name"),
    [
        (-1, "-5"),
        (1, "albatross"),
        (2, "eagle"),
        (3, "birdie"),
        (4, "par"),
        (5, "bogey"),
        (6, "double bogey"),
        (7, "triple bogey"),
        (8, "+4"),
    ],
)
def test_a_result_is_named_by_its_distance_from_the_holes_par(strokes: int, name: str) -> None:
    row = Scorecard((Hole(4),), (strokes,)).rows()[0]
    assert (row["over"], row["result"]) == (strokes - 4, name)


@pytest.mark.parametrize(
    ("strokes", "shown"),
    [
        (-16, "((-16))"),
        (1, "((1))"),
        (2, "((2))"),
        (3, "(3) "),
        (4, "4  "),
        (5, "[5] "),
        (6, "[[6]]"),
        (17, "[[17]]"),
    ],
)
def test_birdies_are_circled_and_bogeys_boxed_and_what_lies_beyond_twice(strokes: int, shown: str) -> None:
    assert marked(strokes, strokes - 4) == shown


def test_the_running_score_is_against_the_pars_of_the_holes_played_and_e_for_even() -> None:
    halfway = card(4, 4, 3, 4)
    assert halfway.running == (1, 1, -1, -1)
    assert halfway.told == "unfinished, 15 strokes on 4 of 9 holes, -1 against the par of 16"
    assert card(3, 4).record()["against_par"] == "E"
    assert card(4).record()["against_par"] == "+1"


def test_a_round_at_or_under_its_total_par_is_won_and_over_it_is_still_finished() -> None:
    at, under, over = card(*PARS), card(-16, *PARS[1:]), card(*PARS[:8], 4)
    assert [each.verdict for each in (at, under, over)] == [Verdict.WON, Verdict.WON, Verdict.FINISHED]
    assert [each.is_won for each in (at, under, over)] == [True, True, False]
    assert all(each.is_finished for each in (at, under, over))
    assert at.told == "won, 35 strokes, E against the par of 35"
    assert over.told == "finished, 36 strokes, +1 against the par of 35"


def test_an_unfinished_round_is_neither_won_nor_lost() -> None:
    for scores in ((), (-16,), PARS[:8], (35,) * 8):
        unfinished = card(*scores)
        assert (unfinished.verdict, unfinished.is_won) == (Verdict.UNFINISHED, None)
    assert card().told == "no hole played yet, par 35"


def test_a_round_with_an_undecided_hole_has_no_total_and_is_not_lost() -> None:
    undecided = card(*PARS[:4], None, *PARS[5:])
    assert (undecided.total, undecided.is_won, undecided.verdict) == (None, None, Verdict.UNDECIDED)
    assert undecided.running == (0, 0, 0, 0, None, None, None, None, None)
    assert undecided.told == "undecided, 1 of 9 holes left undecided"


@pytest.mark.parametrize(
    ("scores", "verdict", "won"),
    [
        ((5,) * 9, Verdict.PAR, True),
        ((*(5,) * 8, 6), Verdict.OVER_PAR, False),
        ((0,) * 9, Verdict.PERFECT, True),
        ((*(0,) * 8, 1), Verdict.PAR, True),
        ((*(0,) * 8, -1), Verdict.PERFECT, True),
        ((-16, *(35,) * 8), Verdict.OVER_PAR, False),
        ((0,) * 8, Verdict.UNFINISHED, None),
    ],
)
def test_in_the_tradition_45_over_nine_deals_is_par_and_0_or_less_perfect(
    scores: tuple[int, ...], verdict: Verdict, won: bool | None
) -> None:
    assert tradition().par == 45
    assert (tradition(*scores).verdict, tradition(*scores).is_won) == (verdict, won)


def test_the_tradition_has_no_other_par() -> None:
    with pytest.raises(ScoreError, match="a total par of 35: in the tradition it is 45"):
        Scorecard(HOLES, (), kind=Kind.TRADITION)


def test_more_scores_than_holes_are_refused() -> None:
    with pytest.raises(ScoreError, match="10 scores of player for 9 holes"):
        card(*PARS, 4)


@given(st.lists(st.tuples(st.sampled_from([3, 4, 5]), st.integers(-19, 35)), min_size=9, max_size=9))
def test_a_card_adds_up(played: list[tuple[int, int]]) -> None:
    pars, scores = [par for par, _ in played], [strokes for _, strokes in played]
    full = Scorecard(holes_of(pars), tuple(scores))
    assert full.total == sum(scores)
    assert full.over == sum(scores) - sum(pars) == full.running[-1]
    assert full.is_won == (sum(scores) <= sum(pars))
    assert [row["running"] for row in full.rows()] == [sum(scores[:n]) - sum(pars[:n]) for n in range(1, 10)]


def test_the_record_of_a_card_survives_json_and_has_nulls_for_what_was_not_played() -> None:
    holes = (*HOLES[:8], Hole(3, "GO1-C-AAAAAAC", optimum=-4))
    record = json.loads(json.dumps(Scorecard(holes, (2, 4, None), "Ann").record()))
    assert (record["player"], record["verdict"], record["won"], record["played"]) == ("Ann", "unfinished", None, 3)
    assert [hole["strokes"] for hole in record["holes"]] == [2, 4, None, *[None] * 6]
    assert record["holes"][0] == {
        "hole": 1,
        "deal": None,
        "par": 3,
        "optimum": None,
        "strokes": 2,
        "over": -1,
        "result": "birdie",
        "running": -1,
        "cleared": False,
    }
    assert (record["holes"][8]["deal"], record["holes"][8]["optimum"]) == ("GO1-C-AAAAAAC", -4)


def test_a_card_is_shown_hole_by_hole() -> None:
    assert format_cards([card(2, 4, None, 7)]).splitlines() == [
        " hole  par  player  so far  result",
        "    1    3    (2)       -1  birdie",
        "    2    4     4        -1  par",
        "    3    5     ?         ?",
        "    4    4   [[7]]       ?  triple bogey",
        "    5    3",
        "    6    5",
        "    7    4",
        "    8    4",
        "    9    3",
        "total   35     ?         ?",
        "",
        "player: unfinished, 1 of 4 holes left undecided",
    ]


def test_cards_over_the_same_holes_stand_side_by_side() -> None:
    holes = tuple(Hole(4, label, optimum) for label, optimum in [("ms:1", -2), ("ms:2", 0)])
    cards = [Scorecard(holes, (4, 3), "Ann"), Scorecard(holes, (-1, 12), "Bob")]
    assert format_cards(cards).splitlines() == [
        " hole  deal  par  best   Ann  so far     Bob  so far",
        "    1  ms:1    4    -2   4         E  ((-1))      -5",
        "    2  ms:2    4     0  (3)       -1  [[12]]      +3",
        "total          8         7        -1    11        +3",
        "",
        "Ann: won, 7 strokes, -1 against the par of 8",
        "Bob: finished, 11 strokes, +3 against the par of 8",
    ]


def test_a_daily_hole_is_done_only_when_it_is_cleared() -> None:
    daily = Scorecard(HOLES, (3, 0, -5, 1, None), "Ann", Kind.DAILY)
    assert daily.cleared == (False, True, True, False, None)
    assert [row["cleared"] for row in daily.rows()] == [False, True, True, False, *[None] * 5]
    assert daily.record()["cleared"] == 2
    assert format_cards([daily]).splitlines() == [
        " hole  par     Ann  so far  done  result",
        "    1    3     3         E        par",
        "    2    4   ((0))      -4  done  -4",
        "    3    5  ((-5))     -14  done  -10",
        "    4    4   ((1))     -17        albatross",
        "    5    3     ?         ?  ?",
        "    6    5",
        "    7    4",
        "    8    4",
        "    9    3",
        "total   35     ?         ?  2",
        "",
        "Ann: unfinished, 1 of 5 holes left undecided; 2 of 5 days done",
    ]
    won = Scorecard(HOLES, (1, *PARS[1:]), "Ann", Kind.DAILY)
    assert won.told == "won, 33 strokes, -2 against the par of 35; 0 of 9 days done"


def test_no_score_is_better_than_the_best_play_of_its_hole() -> None:
    holes = (Hole(4, "ms:1", -2), Hole(4, "ms:2"), Hole(4, "ms:3", 3))
    assert Scorecard(holes, (-2, -16, 3), "Ann").total == -15
    told = "-3 strokes of Ann on hole 1: its best play comes to -2, so give that or more"
    with pytest.raises(ScoreError, match=told):
        Scorecard(holes, (-3,), "Ann")
    with pytest.raises(ScoreError, match="2 strokes of player on hole 3"):
        Scorecard(holes, (None, 3, 2))


def test_a_hole_takes_from_all_the_stock_below_zero_to_all_the_tableau() -> None:
    check_scores(Player("Ann", (-16, None, 35)), Layout())
    check_scores(Player("Ann", (-19,)), Layout(jokers=2, open_foundation=True))
    for score, layout, told in (
        (36, Layout(), "36 strokes of Ann on hole 2: with a stock of 16 cards a hole takes -16 to 35"),
        (-17, Layout(), "-17 strokes of Ann on hole 2: with a stock of 16 cards"),
        (-18, Layout(jokers=1), "with a stock of 17 cards a hole takes -17 to 35"),
    ):
        with pytest.raises(ScoreError, match=told):
            check_scores(Player("Ann", (3, score)), layout)


def test_scores_are_read_as_people_write_them() -> None:
    assert parse_scores(" 3, -2  +4 ?\n0 ") == (3, -2, 4, None, 0)
    assert parse_scores("") == ()
    assert parse_pars("3,4,5, 4,3,5, 4,4,3") == PARS
    assert parse_names("Ann,  Bob B. ") == ("Ann", "Bob B.")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("3 x", "'x' is no score: write whole numbers"),
        ("3.5", "'3.5' is no score"),
        ("9" * 5000, "is no score"),
    ],
)
def test_what_is_no_score_is_refused(text: str, told: str) -> None:
    with pytest.raises(ScoreError, match=told):
        parse_scores(text)


@pytest.mark.parametrize(("text", "told"), [("3 4", "2 holes"), ("6 " * 9, "a par of 6"), ("? " * 9, "no par")])
def test_what_are_no_pars_is_refused(text: str, told: str) -> None:
    with pytest.raises(ScoreError, match=told.replace("?", r"\?")):
        parse_pars(text)


@pytest.mark.parametrize("text", ["", "Ann,", "Ann, Ann", "Ann\n,Ann"])
def test_names_that_tell_nobody_apart_are_refused(text: str) -> None:
    with pytest.raises(ScoreError, match="write names with commas between them"):
        parse_names(text)
