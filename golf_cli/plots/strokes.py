"""The strokes distribution, a panel a rule set."""

import math
from collections.abc import Sequence
from textwrap import fill
from typing import Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.style import context
from matplotlib.ticker import MultipleLocator, PercentFormatter

from golf_cli.errors import DatasetError
from golf_cli.plots.style import LINE, LINE_HEIGHT, PALE, STYLE, TITLE_SIZE, Look, by_rules, lay_out, looks, title_of
from golf_cli.stats.intervals import CONFIDENCE, percent, win_interval
from golf_cli.stats.table import name_of
from golf_cli.stats.tally import Tally
from golf_cli.wording import counted

_TOGETHER: Final = 6
"""Players in one panel; more of them go to a panel below."""

_BOUNDARY: Final = 0.5
"""Where the strokes axis parts cleared deals (0 and less) from cards left."""


@context(STYLE)
def strokes_figure(tallies: Sequence[Tally], confidence: float = CONFIDENCE) -> Figure:
    """Share of the decided deals by strokes, with intervals, a panel a rule set and a line a player.

    All panels share both axes. A strokes value that did not occur between two that did is drawn as the upper end of
    its interval alone. Undecided deals widen each interval on both sides.

    Raises:
        ConfidenceError: `confidence` is not strictly between 0 and 1.
        DatasetError: no player has a decided deal.
    """
    occurring = [strokes for tally in tallies for strokes in tally.strokes]
    if not occurring:
        raise DatasetError("no deal is decided, so there are no strokes to draw: sweep with a higher limit")
    panels = _panels(tallies)
    legends = [sum(_label(tally, tallies).count("\n") + 1.5 for tally in players) for _, players in panels]
    figure = Figure(figsize=(11, 1.3 + max(2.5, 0.9 + LINE_HEIGHT * max(legends)) * len(panels)))
    figure.suptitle(title_of("Strokes", tallies), fontsize=TITLE_SIZE)
    rooms = figure.subplots(len(panels), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
    known = looks(tallies)
    low, high = min(*occurring, 0), max(*occurring, 1)
    for axes, (title, players) in zip(rooms, panels, strict=True):
        _prepare(axes, title, low, high)
        for place, tally in enumerate(players):
            beside = 0.5 * (place - (len(players) - 1) / 2) / len(players)
            _draw_player(axes, tally, beside, known[tally.solver, tally.seed], _label(tally, tallies), confidence)
        axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), borderaxespad=0.0, handlelength=3.2)
    rooms[0].set_ylim(bottom=0)
    rooms[-1].set_xlabel(
        "strokes: cards left in the tableau, or minus the cards left in the stock once it is cleared\n"
        f"bars: {percent(confidence)} % Wilson intervals; a bar without a marker: strokes that did not occur"
    )
    lay_out(figure)
    return figure


def _panels(tallies: Sequence[Tally]) -> list[tuple[str, list[Tally]]]:
    panels = []
    for title, players in by_rules(tallies).items():
        rows = [players[first : first + _TOGETHER] for first in range(0, len(players), _TOGETHER)]
        for place, row in enumerate(rows, 1):
            panels.append((title if len(rows) == 1 else f"{title}, {place} of {len(rows)}", row))
    return panels


def _label(tally: Tally, among: Sequence[Tally]) -> str:
    label = fill(name_of(tally, among), 36) + f"\n{counted(tally.deals, 'deal')}"
    return f"{label}, {tally.undecided:,} undecided" if tally.undecided else label


def _prepare(axes: Axes, title: str, low: int, high: int) -> None:
    # Above the words at the boundary, which may stand anywhere along the axis.
    axes.set_title(title, loc="left", fontweight="bold", fontsize="medium", pad=16)
    axes.set_ylabel("share of decided deals")
    axes.set_xlim(low - 1, high + 1)
    axes.axvspan(low - 1, _BOUNDARY, color=PALE, zorder=0)
    axes.axvline(_BOUNDARY, color=LINE, linewidth=0.8, zorder=0.5)
    for text, offset, side in (("cleared", -4, "right"), ("cards left", 4, "left")):
        axes.annotate(
            text,
            (_BOUNDARY, 1),
            (offset, 2),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            horizontalalignment=side,
            color="#505050",
        )
    axes.xaxis.set_major_locator(MultipleLocator(5))
    axes.xaxis.set_minor_locator(MultipleLocator(1))
    axes.yaxis.set_major_formatter(PercentFormatter(1, symbol=" %"))
    axes.grid(axis="y", color="#DDDDDD", linewidth=0.6)
    axes.tick_params(labelbottom=True)


def _draw_player(axes: Axes, tally: Tally, beside: float, look: Look, label: str, confidence: float) -> None:
    """One player's points, bars and lines, `beside` strokes to the right so that players do not hide each other."""
    # A place without a share breaks the line: where no deal ended, and between cleared deals and cards left.
    places: list[float] = []
    shares: list[float] = []
    below: list[float] = []
    above: list[float] = []
    for strokes in range(min(tally.strokes, default=0), max(tally.strokes, default=-1) + 1):
        deals = tally.strokes.get(strokes, 0)
        interval = win_interval(deals, tally.undecided, tally.deals, confidence)
        share = deals / tally.decided if deals else math.nan
        if strokes == 1:
            places.append(_BOUNDARY)
            shares.append(math.nan)
            below.append(math.nan)
            above.append(math.nan)
        places.append(strokes + beside)
        shares.append(share)
        below.append(share - interval.low)
        above.append(interval.high - share)
        if not deals:
            axes.plot(strokes + beside, interval.high, marker="_", markersize=4, color=look.colour)
            axes.vlines(strokes + beside, 0, interval.high, color=look.colour, linewidth=0.7)
    drawn = axes.errorbar(
        places,
        shares,
        [below, above],
        label=label,
        color=look.colour,
        marker=look.marker,
        markersize=3.5,
        linestyle=look.dashes,
        linewidth=0.9,
        elinewidth=0.7,
        capsize=1.2,
        clip_on=False,
    )
    # Not clipped, the points of a player with nothing decided would count as lying at a corner of the figure.
    for artist in drawn.get_children():
        artist.set_in_layout(False)
