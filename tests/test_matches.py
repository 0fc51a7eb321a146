"""Matches: stroke play and match play, one hole by hole and many at once, against pencil and paper."""

import re
from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive_rounds import match_end, told

from golf_cli.deals.boards import WRITERS
from golf_cli.deals.numberings import NUMBERINGS
from golf_cli.deals.reference import resolve
from golf_cli.errors import DealError, NumberError, ReferenceError, ScoreError, SolverError  # noqa: A004
from golf_cli.rounds.course import Course
from golf_cli.rounds.holes import Player, Score
from golf_cli.rounds.match import Match, MatchPlay, format_match
from golf_cli.rounds.matches import Matches, match_ends
from golf_cli.rounds.playing import Scores, play_holes
from golf_cli.rules import PRESETS, RuleSet
from golf_cli.stats.intervals import win_interval
from golf_cli.sweep.events import Event, Started
from golf_cli.sweep.plan import Interval, Plan, Task
from golf_cli.sweep.runner import collect
from golf_cli.sweep.workers import Local

CLASSIC = PRESETS["classic"]

scores_of_both = st.integers(1, 18).flatmap(
    lambda holes: st.lists(st.tuples(st.integers(-3, 6), st.integers(-3, 6)), min_size=holes, max_size=holes)
)


def both(holes: list[tuple[int, int]]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return tuple(ours for ours, _ in holes), tuple(theirs for _, theirs in holes)


def match_of(holes: list[tuple[int, int]]) -> MatchPlay:
    return MatchPlay(*both(holes), len(holes))


def won(*winners: int) -> list[tuple[int, int]]:
    """Holes won by the first (1), halved (0) or lost (-1)."""
    return [(4 - winner, 4) for winner in winners]


def all_scores(rows: list[list[Score]]) -> Scores:
    strokes = np.array([[0 if score is None else score for score in row] for row in rows], np.int8)
    return Scores(strokes, np.array([[score is not None for score in row] for row in rows]))


@given(scores_of_both)
def test_a_match_ends_as_with_pencil_and_paper(holes: list[tuple[int, int]]) -> None:
    match = match_of(holes)
    assert (match.up, match.left) == match_end(*both(holes))
    assert match.is_over
    assert match.result == told(match.up, match.left)


@given(scores_of_both)
def test_the_hole_that_decides_is_the_earliest_after_which_nobody_can_catch_up(holes: list[tuple[int, int]]) -> None:
    match = match_of(holes)
    played = len(holes) - match.left
    for hole in range(1, played):
        assert not MatchPlay(*both(holes[:hole]), len(holes)).is_over
    assert MatchPlay(*both(holes[:played]), len(holes)).is_over
    assert not match.left or abs(match.up) > match.left


@given(scores_of_both)
def test_the_other_player_sees_the_match_mirrored(holes: list[tuple[int, int]]) -> None:
    match = match_of(holes)
    ours, theirs = both(holes)
    mirror = MatchPlay(theirs, ours, len(holes))
    assert mirror.ups == tuple(-up for up in match.ups)
    assert (mirror.left, mirror.result) == (match.left, match.result)
    swapped = {"up": "down", "down": "up", "dormie": "other dormie", "other dormie": "dormie"}
    for standing, seen in zip(match.standings[: len(match.ups) - 1], mirror.standings, strict=False):
        count, side, dormie = re.fullmatch(r"(\w+) (\w+)(?:, (.*))?", standing).groups()  # type: ignore[union-attr]
        expected = f"{count} {swapped.get(side, side)}"
        assert seen == (f"{expected}, {swapped[dormie]}" if dormie else expected)


@given(scores_of_both, st.data())
def test_holes_after_the_end_do_not_count(holes: list[tuple[int, int]], data: st.DataObject) -> None:
    match = match_of(holes)
    played = len(holes) - match.left
    rest = [(ours, data.draw(st.integers(-3, 6))) for ours, _ in holes[played:]]
    assert match_of([*holes[:played], *rest]).result == match.result


@pytest.mark.parametrize("holes", [1, 2, 3, 4, 7])
def test_many_matches_end_as_each_does_in_every_way_there_is(holes: int) -> None:
    every = [won(*winners) for winners in product((1, 0, -1), repeat=holes)]
    ours, theirs = (np.array(side, np.int8) for side in zip(*map(both, every), strict=True))
    up, left = match_ends(ours, theirs)
    assert list(zip(up.tolist(), left.tolist(), strict=True)) == [match_end(*both(match)) for match in every]


@pytest.mark.parametrize(
    ("winners", "standings"),
    [
        ((1, 1, -1, 0), ["one up", "two up, dormie", "one up, dormie", "won one up"]),
        ((-1, -1, -1, 1), ["one down", "two down, other dormie", "lost 3 & 1"]),
        ((1, 1, 1, 0), ["one up", "two up, dormie", "won 3 & 1"]),
        ((1, 0, 1, 1, 1, 1), ["one up", "one up", "two up", "won 3 & 2"]),
        ((1, 0, 0, 1), ["one up", "one up", "one up, dormie", "won two up"]),
        ((1, 0, -1, 0), ["one up", "one up", "all square", "all square"]),
        ((-1, -1, -1, 1, -1, -1, -1), ["one down", "two down", "three down", "two down", "lost 3 & 2"]),
        ((-1, 0), ["one down, other dormie", "lost one up"]),
    ],
)
def test_a_match_is_told_on_the_way(winners: tuple[int, ...], standings: list[str]) -> None:
    assert list(match_of(won(*winners)).standings) == standings


def test_the_largest_win_over_eighteen_holes_is_10_and_8() -> None:
    assert match_of(won(*[1] * 18)).result == "10 & 8"
    assert MatchPlay((3,) * 10, (4,) * 10).result == "10 & 8"
    assert not MatchPlay((3,) * 9, (4,) * 9).is_over
    assert MatchPlay((3,) * 9, (4,) * 9).standings[-1] == "nine up, dormie"


def test_a_match_that_is_not_over_has_no_result() -> None:
    match = MatchPlay((3, 4), (4, 4, 1))
    assert (match.up, match.left, match.is_over, match.result) == (1, 16, False, None)


def test_a_match_with_an_undecided_hole_is_set_apart_even_after_its_end() -> None:
    early, late = MatchPlay((3, None, 3), (4, 4, 4), 3), MatchPlay((3, 3, None), (4, 4, 4), 3)
    assert early.ups == (1,)
    assert [match.result for match in (early, late)] == [None, None]
    assert all(match.is_undecided for match in (early, late))


def test_stroke_play_ranks_by_the_total_and_equals_share_a_place() -> None:
    players = (Player("a", (4, 4)), Player("b", (5, 2)), Player("c", (4, 3)))
    match = Match(players, (None, None))
    assert [(place, player.name) for place, player in match.ranking] == [(1, "b"), (1, "c"), (3, "a")]
    assert [match.margin(*pair) for pair in ((0, 1), (1, 0), (1, 2))] == [-1, 1, 0]


@pytest.mark.parametrize("scores", [(1,), (1, None)])
def test_stroke_play_has_no_places_before_all_totals_are_there(scores: tuple[Score, ...]) -> None:
    match = Match((Player("a", (4, 4)), Player("b", (5, 2)), Player("c", scores)), (None, None))
    assert match.ranking == []
    assert [player["place"] for player in match.record()["players"]] == [None, None, None]
    assert [match.margin(*pair) for pair in ((0, 1), (0, 2))] == [-1, None]


def test_the_card_of_a_match_shows_every_hole_and_how_it_stands() -> None:
    match = Match((Player("Ann", (3, 4, -1)), Player("Bob", (4, 4, 2))), ("ms:1", "ms:2", "ms:3"))
    assert format_match(match).splitlines() == [
        " hole  deal  Ann  Bob  match",
        "    1  ms:1    3    4  one up",
        "    2  ms:2    4    4  one up, dormie",
        "    3  ms:3   -1    2  won two up",
        "total          6   10",
        "",
        "stroke play: 1. Ann 6, 2. Bob 10",
        "match play: Ann beats Bob two up",
    ]


def test_the_card_of_three_has_a_column_a_pair() -> None:
    players = Player("Ann", (3, 4)), Player("Bob", (4, 3)), Player("Cy", (4,)), Player("Di", (None, 3))
    lines = format_match(Match(players, (None, None))).splitlines()
    assert [head.strip() for head in re.split(r" {2,}", lines[0])[-6:]] == [
        f"#{one} against #{two}" for one, two in [(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)]
    ]
    assert lines[5:9] == ["#1 Ann", "#2 Bob", "#3 Cy", "#4 Di"]
    assert lines[10:] == [
        "stroke play: Ann 7, Bob 7, Cy 4 on 1 of 2, Di ?; no places before all totals are there",
        "match play: Ann and Bob are all square",
        "match play: Ann against Cy: one up, dormie, 1 to play",
        "match play: Ann and Di are undecided: a hole of theirs is",
        "match play: Bob against Cy: all square, 1 to play",
        "match play: Bob and Di are undecided: a hole of theirs is",
        "match play: Cy and Di are undecided: a hole of theirs is",
    ]


three_players = st.integers(1, 4).flatmap(
    lambda holes: st.tuples(
        st.just(holes),
        st.integers(1, 6).flatmap(
            lambda matches: st.lists(
                st.lists(st.none() | st.integers(-2, 3), min_size=holes * matches, max_size=holes * matches),
                min_size=3,
                max_size=3,
            )
        ),
    )
)


@given(three_players)
def test_many_matches_are_counted_as_one_after_another(played: tuple[int, list[list[Score]]]) -> None:
    holes, rows = played
    matches = Matches(["a", "b", "c"], all_scores(rows), holes)
    single = [
        Match(
            tuple(Player(name, tuple(row[at : at + holes])) for name, row in zip("abc", rows, strict=True)),
            (None,) * holes,
        )
        for at in range(0, len(rows[0]), holes)
    ]
    assert matches.count == len(single)
    for ours, theirs in ((0, 1), (0, 2), (1, 2), (2, 1)):
        strokes, by_holes = matches.stroke_play(ours, theirs), matches.match_play(ours, theirs)
        decided = [match for match in single if not match.match_play(ours, theirs).is_undecided]
        margins = [match.margin(ours, theirs) or 0 for match in decided]
        ends = Counter((match.match_play(ours, theirs).up, match.match_play(ours, theirs).left) for match in decided)
        ups = [up for up, _ in ends.elements()]
        for series, ahead in ((strokes, margins), (by_holes, ups)):
            assert (series.won, series.halved, series.lost) == (
                sum(each > 0 for each in ahead),
                sum(each == 0 for each in ahead),
                sum(each < 0 for each in ahead),
            )
            assert (series.matches, series.apart) == (len(single), len(single) - len(decided))
            assert series.mean_margin == (sum(ahead) / len(ahead) if ahead else None)
        assert by_holes.ends == ends
    complete = [match for match in single if len(match.ranking) == 3]
    for ranking in matches.rankings():
        first = [match for match in complete if (1, ranking.player) in places(match)]
        alone = [match for match in first if [place for place, _ in places(match)].count(1) == 1]
        assert (ranking.matches, ranking.apart) == (len(complete), len(single) - len(complete))
        assert (ranking.first, ranking.shared) == (len(alone), len(first) - len(alone))


def places(match: Match) -> list[tuple[int, str]]:
    return [(place, player.name) for place, player in match.ranking]


def test_swapping_the_players_mirrors_every_figure() -> None:
    strokes = np.random.default_rng(3).integers(-2, 8, (2, 18 * 500)).astype(np.int8)
    scores = Scores(strokes, np.ones(strokes.shape, np.bool_))
    for one, other in zip(
        Matches("ab", scores, 18).series(),
        Matches("ba", Scores(strokes[::-1], scores.decided), 18).series(),
        strict=True,
    ):
        assert (one.won, one.halved, one.lost) == (other.lost, other.halved, other.won)
        assert one.margins == -other.margins
        assert one.ends == {(-up, left): count for (up, left), count in other.ends.items()}
        assert sum(one.ends.values()) in (0, 500)


def test_matches_set_apart_widen_the_interval_and_are_not_lost() -> None:
    matches = Matches(["a", "b"], all_scores([[1, 1, None, 5], [2, 2, 0, 0]]), 1)
    series = matches.match_play(0, 1)
    assert (series.won, series.lost, series.apart) == (2, 1, 1)
    assert series.share(series.won) == 2 / 3
    assert series.interval(series.won) == win_interval(2, 1, 4)


def test_ends_come_from_the_clearest_win_to_the_clearest_loss() -> None:
    every = [won(*winners) for winners in product((1, 0, -1), repeat=4)]
    rows: list[list[Score]] = [[score for match in every for score in both(match)[side]] for side in (0, 1)]
    ends = list(Matches(["a", "b"], all_scores(rows), 4).match_play(0, 1).ends)
    assert ends == [(3, 1), (2, 1), (2, 0), (1, 0), (0, 0), (-1, 0), (-2, 0), (-2, 1), (-3, 1)]


def tasks(*solvers: str, numbering: str = "go1") -> list[Task]:
    return [Task.of(numbering, CLASSIC, solver, 5) for solver in solvers]


@pytest.mark.parametrize("other", ["random", pytest.param("plugins:Rightmost", marks=pytest.mark.slow)])
def test_holes_are_scored_as_a_sweep_stores_them(tmp_path: Path, other: str) -> None:
    players = ["exact", other]
    scores = play_holes(tasks(*players), [Interval(300, 340)], Local(2))
    plan = Plan.of([CLASSIC], players, 40, 300, seed=5)
    stored = collect(plan, tmp_path / "data").scan(plan).sort("number").collect()
    for place, player in enumerate(players):
        assert list(scores.of(place)) == stored.filter(solver=player)["strokes"].to_list()


def test_match_i_is_over_the_eighteen_deals_from_18_i_on() -> None:
    players = tasks("longest-run", "random")
    many = Matches("ab", Course.of(CLASSIC, 3 * 18, 100).play(players), 18)
    single = []
    for first in (100, 118, 136):
        course = Course.of(CLASSIC, 18, first)
        scores = course.play(players)
        single.append(Match((Player("a", scores.of(0)), Player("b", scores.of(1))), course.labels))
    assert many.stroke_play(0, 1).margins == sum(match.margin(0, 1) or 0 for match in single)
    assert many.match_play(0, 1).ends == Counter(
        (end.up, end.left) for end in (each.match_play(0, 1) for each in single)
    )


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_scores_do_not_depend_on_who_plays(workers: int) -> None:
    deals = [Interval(0, 90), Interval(2000, 2090)]
    solvers = tasks("random", "exact,max-states=60000")
    scores = play_holes(solvers, deals, Local(workers))
    alone = play_holes(solvers[1:], [Interval(2000, 2090)], Local(1))
    assert scores.of(1)[90:] == alone.of(0)
    assert 0 < scores.of(1).count(None) < 180
    assert scores.of(0).count(None) == 0


def test_holes_come_in_the_order_asked_for_and_may_come_twice() -> None:
    one, two = tasks("leftmost", "random")
    deals = [Interval(9, 12), Interval(3, 5), Interval(10, 11)]
    scores = play_holes([one, two, one], deals)
    whole = play_holes([one, two], [Interval(0, 20)])
    order = [9, 10, 11, 3, 4, 10]
    for place, player in ((0, 0), (1, 1), (2, 0)):
        assert scores.of(place) == tuple(whole.of(player)[number] for number in order)


def test_playing_is_told_as_it_happens() -> None:
    events: list[Event] = []
    play_holes(tasks("leftmost", "random"), [Interval(0, 30), Interval(50, 60)], watch=events.extend)
    assert isinstance(events[0], Started)
    assert events[0].left == 80


def test_too_many_games_are_refused() -> None:
    with pytest.raises(NumberError, match="give at most 100,000,000"):
        play_holes(tasks("leftmost", "random"), [Interval(0, 60_000_000)])


def test_a_course_is_consecutive_numbers_or_the_deals_of_references() -> None:
    course = Course.of(CLASSIC, 18, 7, "pysol")
    assert course.labels == tuple(f"pysol:{number}" for number in range(7, 25))
    named = Course.of_references(["GO1-E-AAAAAAC", "aaaaaad", "go1:0"], PRESETS["easy"])
    assert named.labels == ("GO1-E-AAAAAAC", "GO1-E-AAAAAAD", "GO1-E-AAAAAAA")
    assert str(named) == "deals 0, 2..3 of go1, rules easy"


@pytest.mark.parametrize(("first", "labels"), [(None, "ACDE"), (0, "ACDE"), (1, "CDEF"), (2, "CDEF")])
def test_a_course_passes_over_documented_deals_of_which_not_every_card_is_known(first: int | None, labels: str) -> None:
    course = Course.of(CLASSIC, 4, first)
    assert course.labels == tuple(f"GO1-C-AAAAAA{letter}" for letter in labels)
    assert [resolve(label).own_shuffle for label in course.labels] == [True] * 4
    assert course.own_shuffle
    players = tasks("lookahead")
    numbers = [resolve(label).number for label in course.labels]
    stored = {number: play_holes(players, [Interval(number, number + 1)]).of(0) for number in range(6)}
    assert course.play(players).of(0) == tuple(stored[number][0] for number in numbers)


def test_where_no_deal_is_documented_none_is_passed_over() -> None:
    assert Course.of(RuleSet.parse("classic,jokers=1"), 2, 0).labels == ("AAAAAAA", "AAAAAAB")
    assert Course.of(CLASSIC, 2, 1, "ms").labels == ("ms:1", "ms:2")


def test_a_documented_deal_that_is_asked_for_has_scores_and_no_solver() -> None:
    course = Course.of_references(["GO1-C-AAAAAAC", "GO1-C-AAAAAAB"])
    assert course.labels == ("GO1-C-AAAAAAC", "GO1-C-AAAAAAB")
    with pytest.raises(DealError, match="GO1-C-AAAAAAB is documented without all of its stock cards"):
        course.play(tasks("leftmost"))


def test_who_counts_games_plays_no_match() -> None:
    for solver in ("difficulty,games=4", "par"):
        with pytest.raises(SolverError, match=f"{solver}.* counts many games of a deal"):
            Course.of(CLASSIC, 18).tasks([solver, "leftmost"])


@pytest.mark.parametrize(
    ("references", "told"),
    [
        (["ms:1", "pysol:1"], "'pysol:1' is dealt by pysol .* give deals of one numbering"),
        (["ms:1", "ms:2", "ms:1"], "'ms:1' is there twice: each hole is another deal"),
        (["GO1-E-AAAAAAC", "GO1-C-AAAAAAC"], "'GO1-C-AAAAAAC' .* played by classic .* their rules with --rules"),
    ],
)
def test_a_course_is_of_one_numbering_and_rules(references: list[str], told: str) -> None:
    with pytest.raises(ReferenceError, match=told):
        Course.of_references(references)


def test_a_board_without_a_number_is_no_hole_of_a_course(tmp_path: Path) -> None:
    board = tmp_path / "board"
    board.write_text(WRITERS["text"](NUMBERINGS["ms"].deal(1)))
    with pytest.raises(ReferenceError, match="is a board without a number: give the holes as codes or numbers"):
        Course.of_references(["ms:1", str(board)])


def test_nobody_plays_against_itself() -> None:
    with pytest.raises(SolverError, match="random is there twice"):
        Course.of(CLASSIC, 18).tasks(["random", "leftmost", "random"])


def test_a_match_has_two_players_or_more_and_some_holes() -> None:
    with pytest.raises(ScoreError, match="1 player for a match: give two or more"):
        Match((Player("a", ()),))
    with pytest.raises(ScoreError, match="over 0 holes: give 1 to 100"):
        Match((Player("a", ()), Player("b", ())), ())
    with pytest.raises(ScoreError, match="2 scores of a for 1 hole:"):
        Match((Player("a", (1, 2)), Player("b", ())), (None,))
