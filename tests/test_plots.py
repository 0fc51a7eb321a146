"""Figures: what they show, and that a figure is the same bytes every time."""

import math
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import matplotlib
import numpy as np
import polars as pl
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text
from naive_stats import BLOCKED, CLEARED, STATE_LIMIT, dataset, random_outcomes

from golf_cli.errors import DatasetError, GolfError
from golf_cli.plots.picture import PictureError, draw, kind_of, save
from golf_cli.plots.rates import win_rates_figure
from golf_cli.plots.strokes import strokes_figure
from golf_cli.plots.style import looks
from golf_cli.stats.intervals import ConfidenceError, win_interval
from golf_cli.stats.tally import Tally, tally

FIGURES = [strokes_figure, win_rates_figure]
SIGNATURES = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


def tallies_of(*frames: pl.DataFrame) -> tuple[Tally, ...]:
    return tally(pl.concat(frames).lazy())


@pytest.fixture(scope="module")
def many() -> tuple[Tally, ...]:
    """Twelve players: three solvers under four rule sets."""
    rng = random.Random(2)
    return tallies_of(
        *(
            dataset(*random_outcomes(rng, 200), rules=rules, solver=solver)
            for rules in ("easy", "classic", "hard", "strict")
            for solver in ("exact", "greedy", "random")
        )
    )


def texts(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.findobj(Text) if isinstance(text, Text)]


def bars(axes: Axes) -> list[tuple[float, float]]:
    """The ends of every bar, in the direction it runs."""
    ends = []
    for collection in axes.collections:
        for path in collection.get_paths():
            (x0, y0), (x1, y1) = np.asarray(path.vertices).tolist()
            ends.append((x0, x1) if y0 == y1 else (y0, y1))
    return ends


def points(axes: Axes, marker: str) -> list[tuple[float, float]]:
    return [
        (x, y)
        for line in axes.lines
        if line.get_marker() == marker
        for x, y in np.asarray(line.get_xydata()).tolist()
        if not math.isnan(y)
    ]


def marker_of(tallies: tuple[Tally, ...]) -> str:
    return looks(tallies)[tallies[0].solver, tallies[0].seed].marker


@pytest.mark.parametrize("figure_of", FIGURES)
def test_a_figure_names_rules_solver_numbering_and_the_deals_played(figure_of: Callable[..., Figure]) -> None:
    shown = "\n".join(texts(figure_of(tallies_of(dataset((CLEARED, 0), *[(BLOCKED, 4)] * 1299, STATE_LIMIT)))))
    for word in ("classic rules", "greedy", "golf deals", "1 undecided", "95 % Wilson"):
        assert word in shown
    assert "1,301 deals" in shown or "1 of 1,300" in shown


@pytest.mark.parametrize("figure_of", FIGURES)
def test_each_rule_set_has_a_panel(figure_of: Callable[..., Figure], many: tuple[Tally, ...]) -> None:
    titles = [axes.get_title(loc="left") for axes in figure_of(many).axes]
    assert titles == ["easy rules", "classic rules", "hard rules", "strict rules"]


@pytest.mark.parametrize("figure_of", FIGURES)
def test_two_numberings_have_panels_of_their_own(figure_of: Callable[..., Figure]) -> None:
    tallies = tallies_of(dataset((CLEARED, 0)), dataset((CLEARED, 0), numbering="pysol"))
    titles = [axes.get_title(loc="left") for axes in figure_of(tallies).axes]
    assert titles == ["classic rules, golf deals", "classic rules, pysol deals"]


def test_many_players_of_one_rule_set_are_spread_over_panels() -> None:
    tallies = tallies_of(*(dataset((BLOCKED, 3), solver=f"solver-{place:02}") for place in range(13)))
    axes = strokes_figure(tallies).axes
    assert [each.get_title(loc="left") for each in axes] == [f"classic rules, {n} of 3" for n in (1, 2, 3)]
    assert max(len(each.get_legend_handles_labels()[1]) for each in axes) <= 6


def test_no_two_of_fifty_players_look_alike_and_the_first_seven_differ_in_colour_and_marker() -> None:
    tallies = tallies_of(*(dataset((BLOCKED, 3), solver=f"solver-{place:02}") for place in range(50)))
    known = list(looks(tallies).values())
    assert len({(look.colour, look.marker) for look in known}) == 50
    assert len({look.colour for look in known[:7]}) == len({look.marker for look in known[:7]}) == 7


def test_a_solver_looks_the_same_under_every_rule_set(many: tuple[Tally, ...]) -> None:
    assert len(looks(many)) == 3


def test_strokes_are_drawn_as_shares_with_their_intervals() -> None:
    tallies = tallies_of(dataset((CLEARED, -1), (BLOCKED, 1), (BLOCKED, 2), (BLOCKED, 2), STATE_LIMIT))
    [axes] = strokes_figure(tallies).axes
    assert points(axes, marker_of(tallies)) == [(-1, 0.25), (1, 0.25), (2, 0.5)]
    one, two = win_interval(1, 1, 5), win_interval(2, 1, 5)
    for interval in (one, two):
        assert any(bar == pytest.approx(tuple(interval)) for bar in bars(axes))


def test_strokes_that_did_not_occur_are_drawn_as_the_upper_end_alone() -> None:
    tallies = tallies_of(dataset((BLOCKED, 1), (BLOCKED, 3), STATE_LIMIT))
    [axes] = strokes_figure(tallies).axes
    assert 2 not in [x for x, _ in points(axes, marker_of(tallies))]
    assert points(axes, "_").count((2, win_interval(0, 1, 3).high)) == 1


def test_no_line_joins_cleared_deals_to_cards_left() -> None:
    tallies = tallies_of(dataset((CLEARED, 0), (BLOCKED, 1)))
    [axes] = strokes_figure(tallies).axes
    [line] = [line for line in axes.lines if line.get_marker() == marker_of(tallies)]
    (before, _), (between, gap), (after, _) = np.asarray(line.get_xydata()).tolist()
    assert (before, between, after) == (0, 0.5, 1)
    assert math.isnan(gap)


def test_the_strokes_axis_has_whole_numbers_and_parts_0_from_1() -> None:
    [axes] = strokes_figure(tallies_of(dataset((CLEARED, -7), (BLOCKED, 20)))).axes
    assert all(float(tick).is_integer() for tick in [*axes.get_xticks(), *axes.get_xticks(minor=True)])
    assert any([x for x, _ in np.asarray(line.get_xydata()).tolist()] == [0.5, 0.5] for line in axes.lines)


@pytest.mark.parametrize("name", ["{:02}", "solver-{:02}:some-option=10000,another-option=20000,a-third-option=3"])
@pytest.mark.parametrize("players", [1, 5, 15])
def test_legends_lie_beside_axes_of_some_size_and_inside_the_figure(players: int, name: str) -> None:
    frames = [dataset((CLEARED, 0), (BLOCKED, 3), STATE_LIMIT, solver=name.format(place)) for place in range(players)]
    frames.append(dataset(STATE_LIMIT, STATE_LIMIT, solver="nothing decided"))
    figure = strokes_figure(tallies_of(*frames))
    draw(figure, "svg")
    for axes in figure.axes:
        room, legend = axes.get_window_extent(), axes.get_legend()
        assert legend is not None
        beside = legend.get_window_extent()
        assert room.height / figure.dpi > 1.4
        assert room.width / figure.dpi > 5
        assert beside.x0 >= room.x1
        assert beside.x1 <= figure.bbox.x1
        assert room.y0 <= beside.y0
        assert beside.y1 <= room.y1 + 2


def test_a_win_rate_is_drawn_with_its_interval() -> None:
    tallies = tallies_of(dataset((CLEARED, 0), (BLOCKED, 1), (BLOCKED, 2), STATE_LIMIT))
    [axes] = win_rates_figure(tallies).axes
    assert points(axes, marker_of(tallies)) == [(1 / 3, 0)]
    assert bars(axes) == [pytest.approx(tuple(win_interval(1, 1, 4)))]


def test_a_player_that_cleared_nothing_is_drawn_as_the_upper_end_alone() -> None:
    tallies = tallies_of(dataset(*[(BLOCKED, 3)] * 40))
    figure = win_rates_figure(tallies)
    [axes] = figure.axes
    assert points(axes, marker_of(tallies)) == []
    assert points(axes, "|") == [(win_interval(0, 0, 40).high, 0)]
    assert any(text.startswith("0.0 % (0.0-8.8)  0 of 40") for text in texts(figure))


def test_a_player_with_nothing_decided_spans_the_whole_axis() -> None:
    [axes] = win_rates_figure(tallies_of(dataset(STATE_LIMIT))).axes
    assert bars(axes) == [(0, 1)]
    assert axes.get_xlim() == (0, 1)


@pytest.mark.parametrize("figure_of", FIGURES)
def test_a_solvers_text_is_no_mathematics(figure_of: Callable[..., Figure]) -> None:
    figure = figure_of(tallies_of(dataset((CLEARED, 0), (BLOCKED, 2), solver="mine:$x_{1}$")))
    drawn = [text for text in figure.findobj(Text) if isinstance(text, Text) and "mine:$x_{1}$" in text.get_text()]
    assert drawn
    assert not any(text.get_parse_math() for text in drawn)


@pytest.mark.parametrize("kind", SIGNATURES)
@pytest.mark.parametrize("figure_of", FIGURES)
def test_two_saves_are_the_same_bytes(
    kind: str, figure_of: Callable[..., Figure], many: tuple[Tally, ...], tmp_path: Path
) -> None:
    figure = figure_of(many[2:4])
    save(figure, tmp_path / f"first.{kind}")
    save(figure, tmp_path / f"again.{kind}")
    save(figure_of(many[2:4]), tmp_path / f"other.{kind}")
    first = (tmp_path / f"first.{kind}").read_bytes()
    assert first.startswith(SIGNATURES[kind])
    assert (tmp_path / f"again.{kind}").read_bytes() == first
    assert (tmp_path / f"other.{kind}").read_bytes() == first


@pytest.mark.parametrize("kind", ["svg", "pdf"])
def test_a_picture_carries_no_date(kind: str, many: tuple[Tally, ...]) -> None:
    picture = draw(win_rates_figure(many[:1]), kind)
    assert b"CreationDate" not in picture
    assert b"<dc:date>" not in picture


def test_a_users_configuration_changes_nothing(many: tuple[Tally, ...]) -> None:
    usual = draw(win_rates_figure(many[:2]), "svg")
    with matplotlib.rc_context({"svg.hashsalt": None, "font.size": 20, "lines.linewidth": 9, "axes.grid": True}):
        assert draw(win_rates_figure(many[:2]), "svg") == usual


def test_drawing_leaves_the_settings_of_matplotlib_alone(many: tuple[Tally, ...]) -> None:
    before = dict(matplotlib.rcParams)
    draw(strokes_figure(many[:1]), "png")
    assert dict(matplotlib.rcParams) == before


def test_drawing_needs_no_pyplot() -> None:
    code = "import sys, golf_cli.plots.picture, golf_cli.plots.rates, golf_cli.plots.strokes as s; "
    code += "sys.exit('matplotlib.pyplot' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("path", ["wins.jpg", "wins", "wins.", ".png/wins", "-"])
def test_another_suffix_is_refused_and_the_three_are_named(path: str, many: tuple[Tally, ...]) -> None:
    with pytest.raises(PictureError, match=r"\.png, \.svg or \.pdf") as caught:
        save(win_rates_figure(many[:1]), path)
    assert isinstance(caught.value, GolfError)
    assert path in str(caught.value)


def test_a_suffix_is_read_in_any_case() -> None:
    assert [kind_of(path) for path in ("a.PNG", "b.Svg", Path("c.pdf"))] == ["png", "svg", "pdf"]


def test_an_unknown_kind_is_refused(many: tuple[Tally, ...]) -> None:
    with pytest.raises(PictureError, match="'jpg' is no kind of picture: there are png, svg and pdf"):
        draw(win_rates_figure(many[:1]), "jpg")


def test_a_file_that_cannot_be_written_is_said_so(many: tuple[Tally, ...], tmp_path: Path) -> None:
    with pytest.raises(PictureError, match=r"missing.wins\.png: cannot be written \(No such file or directory\)"):
        save(win_rates_figure(many[:1]), tmp_path / "missing" / "wins.png")


def test_strokes_of_nothing_decided_are_refused() -> None:
    with pytest.raises(DatasetError, match=r"no deal is decided.*higher limit"):
        strokes_figure(tallies_of(dataset(STATE_LIMIT)))


def test_win_rates_of_nobody_are_refused() -> None:
    with pytest.raises(DatasetError, match="no players"):
        win_rates_figure(())


@pytest.mark.parametrize("figure_of", FIGURES)
def test_a_confidence_in_percent_is_refused(figure_of: Callable[..., Figure], many: tuple[Tally, ...]) -> None:
    with pytest.raises(ConfidenceError, match="95 is no confidence"):
        figure_of(many, 95)
