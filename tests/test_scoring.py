"""Scores: strokes, app points, the words of par, rounds and matches."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from golf_cli import scoring


@pytest.mark.parametrize(
    ("cards_left", "stock_left", "strokes"), [(4, 0, 4), (1, 0, 1), (0, 0, 0), (0, 5, -5), (0, 16, -16), (35, 0, 35)]
)
def test_strokes_count_cards_left_and_a_cleared_tableau_scores_minus_the_stock(
    cards_left: int, stock_left: int, strokes: int
) -> None:
    assert scoring.strokes(cards_left, stock_left) == strokes


@pytest.mark.parametrize(("removed", "points"), [(35, 350), (31, 270), (30, 250), (25, 150), (18, 10), (17, 0), (0, 0)])
def test_app_points_of_a_finished_game(removed: int, points: int) -> None:
    assert scoring.app_points(removed, 35 - removed) == points


def test_a_block_costs_ten_points_a_card_left() -> None:
    assert [scoring.penalty(left) for left in (0, 1, 4, 35)] == [0, 10, 40, 350]


@pytest.mark.parametrize(
    ("over", "name"),
    [
        (-4, "-4"),
        (-3, "albatross"),
        (-2, "eagle"),
        (-1, "birdie"),
        (0, "par"),
        (1, "bogey"),
        (2, "double bogey"),
        (3, "triple bogey"),
        (4, "+4"),
        (-20, "-20"),
    ],
)
def test_a_hole_against_par_has_a_name(over: int, name: str) -> None:
    assert scoring.par_name(over) == name


@pytest.mark.parametrize(("over", "shown"), [(0, "E"), (-2, "-2"), (3, "+3"), (12, "+12")])
def test_a_running_score_is_shown_against_par(over: int, shown: str) -> None:
    assert scoring.against_par(over) == shown


@pytest.mark.parametrize(
    ("mean", "par"), [(-16.0, 3), (3.49, 3), (3.5, 4), (4.0, 4), (4.49, 4), (4.5, 5), (5.5, 5), (35.0, 5)]
)
def test_par_is_the_mean_rounded_half_up_and_held_to_three_to_five(mean: float, par: int) -> None:
    assert scoring.par_of_mean(mean) == par


def test_a_round_is_nine_holes_won_at_or_under_the_total_par() -> None:
    pars = [4] * scoring.HOLES
    assert scoring.HOLES == 9
    assert scoring.round_is_won([4] * 9, pars)
    assert scoring.round_is_won([-5, 12, *[4] * 7], pars)
    assert not scoring.round_is_won([5, *[4] * 8], pars)


def test_a_round_needs_a_score_a_hole() -> None:
    with pytest.raises(ValueError, match="2 scores for 3 holes"):
        scoring.round_is_won([4, 4], [4, 4, 4])


@pytest.mark.parametrize(
    ("total", "word"), [(-3, "perfect"), (0, "perfect"), (1, "par"), (45, "par"), (46, "over par"), (315, "over par")]
)
def test_nine_deals_are_par_at_45_and_perfect_at_0(total: int, word: str) -> None:
    assert scoring.nine_deals_verdict(total) == word


def test_match_play_counts_holes_won_not_strokes() -> None:
    assert scoring.holes_up([3, 3, 20], [4, 4, -16]) == 1
    assert scoring.holes_up([4, 4], [4, 4]) == 0
    with pytest.raises(ValueError, match="1 holes against 2"):
        scoring.holes_up([1], [1, 2])


@pytest.mark.parametrize(
    ("up", "told"),
    [(2, "two up"), (-3, "three down"), (0, "all square"), (1, "one up"), (18, "eighteen up"), (-19, "19 down")],
)
def test_match_play_is_told_in_words(up: int, told: str) -> None:
    assert scoring.match_standing(up) == told


@given(st.lists(st.tuples(st.integers(-16, 35), st.integers(-16, 35)), max_size=18))
def test_two_players_see_the_same_match_from_both_sides(holes: list[tuple[int, int]]) -> None:
    ours, theirs = [a for a, _ in holes], [b for _, b in holes]
    assert scoring.holes_up(ours, theirs) == -scoring.holes_up(theirs, ours)
