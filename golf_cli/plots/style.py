"""What the figures have in common: how a player looks, the style, the layout."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from matplotlib.figure import Figure

from golf_cli.stats.tally import Tally

_COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#56B4E9", "#E69F00")
"""Okabe and Ito, Color universal design (2008), without yellow, which is too pale for thin lines on white."""

_MARKERS: Final = ("o", "s", "^", "D", "v", "P", "X", "*")
_DASHES: Final = ("-", "--", "-.", ":")

_SETTINGS: Final[dict[Any, Any]] = {
    "font.size": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "legend.frameon": False,
    # A solver's text is not mathematics, whatever signs are in it.
    "text.parse_math": False,
    # Without a salt of its own every SVG has other element ids.
    "svg.hashsalt": "golf",
}

STYLE: Final[list[str | Path | dict[str, Any]]] = ["default", _SETTINGS]
"""What figures are built and drawn under: no user's configuration of matplotlib changes a figure."""

TITLE_SIZE: Final = 12
LINE_HEIGHT: Final = 0.17
"""Height of a line of text, in inches."""

PALE: Final = "#F0F0F0"
LINE: Final = "#808080"


class Look(NamedTuple):
    """How a player is drawn. Marker and dashes tell players apart where colours cannot, as in grey print."""

    colour: str
    marker: str
    dashes: str


def looks(tallies: Sequence[Tally]) -> dict[tuple[str, int | None], Look]:
    """A look for each solver and seed, the same under every rule set and numbering."""
    solvers = sorted(
        {(tally.solver, tally.seed) for tally in tallies},
        key=lambda each: (each[0], -1 if each[1] is None else each[1]),
    )
    return {
        solver: Look(_COLOURS[place % 7], _MARKERS[place % 8], _DASHES[place % 4])
        for place, solver in enumerate(solvers)
    }


def by_rules(tallies: Sequence[Tally]) -> dict[str, list[Tally]]:
    """The tallies of each rule set under the title of its panel, which names the numbering where there are several."""
    several = len({tally.numbering for tally in tallies}) > 1
    panels: dict[str, list[Tally]] = {}
    for tally in tallies:
        title = f"{tally.rules} rules, {tally.numbering} deals" if several else f"{tally.rules} rules"
        panels.setdefault(title, []).append(tally)
    return panels


def title_of(what: str, tallies: Sequence[Tally]) -> str:
    """The title of a figure: what it shows, and of which numbering's deals where all are of one."""
    numberings = {tally.numbering for tally in tallies}
    return f"{what}, {numberings.pop()} deals" if len(numberings) == 1 else what


def lay_out(figure: Figure) -> None:
    """Find room for everything in the figure, once: the engine would find other room each time the figure is drawn."""
    figure.set_layout_engine("constrained")
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
