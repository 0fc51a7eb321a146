"""The evidence for par and for the levels: why this steady player, why so many games, and what a friendly deal is.

    python scripts/par_evidence.py --deals 1000 -o docs/par.svg

Takes deals from number 10^8 on that can be cleared. First, under classic rules, the steady player with other slacks:
the mean strokes over deals, how deals and the games of a deal spread, and what share of the deals has which par. Then,
under three rule sets, the share of deals for which two estimates from so many games each, all of them other games, give
the same par, and the share of its games that clear a deal, of which some deals do not have more. The picture shows the
mean strokes of the classic deals, in the games that make their par.
"""

import argparse
from collections.abc import Iterator
from itertools import islice, pairwise
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from matplotlib.style import context
from matplotlib.ticker import PercentFormatter
from numpy.typing import NDArray

from golf_cli.deals.numberings import GO1
from golf_cli.plots.picture import save
from golf_cli.plots.style import LINE, STYLE, lay_out
from golf_cli.rules import PRESETS, RuleSet
from golf_cli.scoring import PARS, par_of_mean
from golf_cli.solvers.difficulty import Difficulty, Vary
from golf_cli.solvers.exact import solve_rows
from golf_cli.solvers.outcome import GamesOfDeals, Outcomes
from golf_cli.solvers.par import GAMES, STEADY, Par
from golf_cli.solvers.protocol import Deals, Play
from golf_cli.sweep.dealing import deal_interval
from golf_cli.sweep.plan import Interval

FIRST = 10**8
SLACKS = ("0", "0.25", "0.5", "0.75", "1", "1.5")
PIECE = GAMES // 4
PIECES = 16
QUANTILES = (1 / 3, 1 / 2, 2 / 3)
COLOURS = dict(zip(PARS, ("#56B4E9", "#009E73", "#E69F00"), strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--deals", type=int, default=1000, help="deals that can be cleared (default: 1000)")
    parser.add_argument("-o", type=Path, help="a picture of the mean strokes: .svg, .png or .pdf")
    arguments = parser.parse_args()
    count = arguments.deals
    deals = {name: clearable_deals(PRESETS[name], count) for name in ("easy", "classic", "hard")}
    print(f"{count} classic deals that can be cleared, {PIECE} games each")
    print("slack   mean  sd of deals  sd of games  par 3  par 4  par 5")
    for slack in SLACKS:
        (games,) = islice(estimates(deals["classic"], PRESETS["classic"], f"lookahead,slack={slack}"), 1)
        means = games.strokes / PIECE
        within = np.sqrt(np.mean(games.strokes_squared / PIECE - means**2))
        between = np.sqrt(np.var(means, ddof=1) - within**2 / PIECE)
        print(f"{slack:<5}  {means.mean():>5.2f}  {between:>11.2f}  {within:>11.2f}  {par_shares(means)}", flush=True)
    print()
    widths = [1 << step for step in range(4)]
    print("two estimates of a par that agree, by the games of each; wins that a share of the deals do not exceed")
    heads = [*(f"par {par}" for par in PARS), *(PIECE * width for width in widths), *(f"{at:.0%}" for at in QUANTILES)]
    print(f"rules    {'  '.join(f'{head:>5}' for head in heads)}")
    for name, those in deals.items():
        pieces = list(islice(estimates(those, PRESETS[name], STEADY), PIECES))
        strokes = np.array([piece.strokes for piece in pieces], np.int64)
        agreed = "  ".join(f"{agreement(strokes, width):>5.1%}" for width in widths)
        cleared = np.sum([piece.cleared for piece in pieces], axis=0) / (PIECES * PIECE)
        quantiles = "  ".join(f"{quantile:>5.1%}" for quantile in np.quantile(cleared, QUANTILES))
        print(f"{name:<7}  {par_shares(strokes.sum(0) / (PIECES * PIECE))}  {agreed}  {quantiles}", flush=True)
    if arguments.o:
        games = counted(Par(max_states=1).prepare(PRESETS["classic"], 0), deals["classic"])
        save(picture(games.strokes / GAMES), arguments.o)


def clearable_deals(rules: RuleSet, count: int) -> Deals:
    """The first deals that can be cleared."""
    deals = deal_interval("go1", Interval(FIRST, FIRST + 8 * count), rules.layout)
    cleared = solve_rows(deals.cards, GO1.deal(FIRST), rules, clear_only=True).cleared.nonzero()[0][:count]
    assert len(cleared) == count
    return Deals(deals.numbers[cleared], deals.cards[cleared], deals.layout)


def estimates(deals: Deals, rules: RuleSet, policy: str) -> Iterator[GamesOfDeals]:
    """What comes of `PIECE` games of each deal, again and again, of other games each time."""
    solver = Difficulty(policy, PIECE, Vary.TIES, max_states=1)
    for seed in range(1 << 62):
        yield counted(solver.prepare(rules, seed), deals)


def counted(play: Play, deals: Deals) -> GamesOfDeals:
    outcomes = play(deals)
    assert isinstance(outcomes, Outcomes)
    assert outcomes.games is not None
    return outcomes.games


def par_shares(means: NDArray[np.float64]) -> str:
    """The share of the deals with each par."""
    pars = [par_of_mean(mean) for mean in means.tolist()]
    return "  ".join(f"{pars.count(par) / len(pars):>5.1%}" for par in PARS)


def agreement(pieces: NDArray[np.int64], width: int) -> float:
    """The share of equal pars in pairs of estimates, each from so many pieces of its own."""
    means = pieces.reshape(-1, width, pieces.shape[1]).sum(1) / (width * PIECE)
    pars = [[par_of_mean(mean) for mean in row] for row in means.tolist()]
    pairs = list(pairwise(pars))[::2]
    return float(np.mean([one == other for ours, theirs in pairs for one, other in zip(ours, theirs, strict=True)]))


@context(STYLE)
def picture(means: NDArray[np.float64]) -> Figure:
    """The distribution of the mean strokes, with the borders between the pars."""
    figure = Figure(figsize=(8, 3.6))
    axes = figure.subplots()
    step = 0.25
    edges = np.arange(np.floor(means.min()), np.ceil(means.max()) + step, step)
    shares, _ = np.histogram(means, edges)
    pars = np.array([par_of_mean(edge) for edge in edges[:-1].tolist()])
    for par in PARS:
        those = pars == par
        share = shares[those].sum() / len(means)
        label = f"par {par}: {share:.0%} of the deals"
        axes.bar(edges[:-1][those], shares[those] / len(means), step, align="edge", color=COLOURS[par], label=label)
    for border in (PARS[0] + 0.5, PARS[-1] - 0.5):
        axes.axvline(border, color=LINE, linewidth=0.8)
    axes.set_title(f"{len(means):,} classic deals that can be cleared", loc="left")
    axes.set_xlabel(f"mean strokes of the steady player, {GAMES:,} games of each deal")
    axes.set_ylabel("share of the deals")
    axes.yaxis.set_major_formatter(PercentFormatter(1, symbol=" %"))
    axes.legend(loc="upper right")
    lay_out(figure)
    return figure


if __name__ == "__main__":
    main()
