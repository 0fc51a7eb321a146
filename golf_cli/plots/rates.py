"""Win rates with their intervals, a panel a rule set."""

from collections.abc import Sequence
from textwrap import fill

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.style import context
from matplotlib.ticker import PercentFormatter

from golf_cli.errors import DatasetError
from golf_cli.plots.style import LINE_HEIGHT, STYLE, TITLE_SIZE, Look, by_rules, lay_out, looks, title_of
from golf_cli.stats.intervals import CONFIDENCE, percent
from golf_cli.stats.table import format_rate, name_of
from golf_cli.stats.tally import Tally


@context(STYLE)
def win_rates_figure(tallies: Sequence[Tally], confidence: float = CONFIDENCE) -> Figure:
    """Win rates of the decided deals with their intervals, a panel a rule set and a row a player.

    A player that cleared nothing is drawn as the upper end of the interval alone, one that cleared every deal as the
    lower end alone. Undecided deals widen the interval on both sides. The axis starts at 0.

    Raises:
        ConfidenceError: `confidence` is not strictly between 0 and 1.
        DatasetError: there are no players.
    """
    if not tallies:
        raise DatasetError("there are no players, so there are no win rates to draw: sweep some deals first")
    panels = by_rules(tallies)
    names = [[fill(name_of(tally, tallies), 40) for tally in players] for players in panels.values()]
    row = LINE_HEIGHT * (1 + max(name.count("\n") + 1 for group in names for name in group))
    figure = Figure(figsize=(11, 1.6 + sum(0.35 + row * len(group) for group in names)))
    figure.suptitle(title_of("Win rates", tallies), fontsize=TITLE_SIZE)
    rooms = figure.subplots(len(panels), 1, sharex=True, squeeze=False, height_ratios=[len(group) for group in names])[
        :, 0
    ]
    known = looks(tallies)
    for axes, (title, players), group in zip(rooms, panels.items(), names, strict=True):
        axes.set_title(title, loc="left", fontweight="bold", fontsize="medium")
        axes.grid(axis="x", color="#DDDDDD", linewidth=0.6)
        axes.set_yticks(range(len(players)), group)
        axes.set_ylim(len(players) - 0.4, -0.6)
        axes.tick_params(axis="y", length=0)
        axes.xaxis.set_major_formatter(PercentFormatter(1, symbol=" %"))
        for place, tally in enumerate(players):
            _draw_player(axes, place, tally, known[tally.solver, tally.seed], confidence)
    highest = max(tally.win_interval(confidence).high for tally in tallies)
    rooms[0].set_xlim(0, 1.0 if highest > 0.8 else 1.05 * highest)
    rooms[-1].set_xlabel(
        "cleared of the decided deals\n"
        f"bars: {percent(confidence)} % Wilson intervals, which allow for undecided deals; "
        "a bar without a marker: no deal, or every deal, was cleared"
    )
    lay_out(figure)
    return figure


def _draw_player(axes: Axes, row: int, tally: Tally, look: Look, confidence: float) -> None:
    interval = tally.win_interval(confidence)
    # Each end of the bar has its cap, unless the interval goes on to the end of the axis.
    ends = [end for end in interval if 0 < end < 1]
    axes.hlines(row, interval.low, interval.high, color=look.colour, linewidth=1.2)
    axes.plot(ends, [row] * len(ends), linestyle="none", marker="|", color=look.colour)
    if tally.win_rate is not None and 0 < tally.win_rate < 1:
        axes.plot(tally.win_rate, row, marker=look.marker, markersize=6, color=look.colour, clip_on=False)
    axes.annotate(
        _figures(tally, confidence),
        (1, row),
        (8, 0),
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        verticalalignment="center",
    )


def _figures(tally: Tally, confidence: float) -> str:
    rate = format_rate(tally.win_rate, tally.win_interval(confidence))
    text = f"{rate}  {tally.cleared:,} of {tally.decided:,}"
    return f"{text}, {tally.undecided:,} undecided" if tally.undecided else text
