"""Measure the policies: deals a second of CPU time on one core, dealing included, and how well they play.

The deals are the numbers from 10^8 on, which no policy has learnt from. Win rates have their 95 % Wilson interval.
"""

import argparse
from time import thread_time

import numpy as np

from golf_cli.kernels.shuffle import shuffle_rows
from golf_cli.rules import PRESETS, RuleSet
from golf_cli.solvers import registry
from golf_cli.solvers.outcome import Outcomes
from golf_cli.solvers.protocol import Deals
from golf_cli.stats.intervals import wilson

FIRST = 10**8
POLICIES = [name for name in registry.BUILT_IN if not registry.find(name).solver.thoughtful]


def measured(policy: str, rules: RuleSet, deals: int, batch: int) -> tuple[Outcomes, float]:
    """Deal and play so many numbers in batches, once everything is compiled: the outcomes, and the seconds of CPU it took."""
    play = registry.find(policy).solver.prepare(rules, 0)
    deck = np.arange(rules.layout.cards, dtype=np.uint8)

    def outcomes(first: int, stop: int) -> Outcomes:
        numbers = np.arange(first, stop, dtype=np.uint64)
        played = play(Deals(numbers, shuffle_rows(numbers, deck), rules.layout))
        assert isinstance(played, Outcomes)
        return played

    outcomes(0, 1)
    start = thread_time()
    parts = [outcomes(first, min(first + batch, FIRST + deals)) for first in range(FIRST, FIRST + deals, batch)]
    seconds = thread_time() - start
    return Outcomes.joined(parts), seconds


def main() -> None:
    """Read the command line, measure, print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("policies", nargs="*", default=POLICIES, help="default: all that are golf's own")
    parser.add_argument("--deals", type=int, default=100_000, help="deals for each policy (default: 100000)")
    parser.add_argument("--batch", type=int, default=1 << 14, help="deals in one call (default: 16384)")
    parser.add_argument("--repeat", type=int, default=3, help="the best of so many measurements counts (default: 3)")
    parser.add_argument("--rules", choices=PRESETS, nargs="+", default=["classic"], help="presets (default: classic)")
    options = parser.parse_args()
    if min(options.deals, options.batch, options.repeat) < 1:
        parser.error("--deals, --batch and --repeat: give 1 or more")

    print(f"{'rules':<9}{'policy':<19}{'deals/s':>11}{'us/deal':>9}{'ratio':>8}   {'win rate':<26}{'strokes':>7}")
    for name in options.rules:
        times: list[float] = []
        for policy in options.policies:
            runs = [measured(policy, PRESETS[name], options.deals, options.batch) for _ in range(options.repeat)]
            outcomes = runs[0][0]
            times.append(min(seconds for _, seconds in runs) / options.deals)
            cleared = int(outcomes.cleared.sum())
            low, high = wilson(cleared, options.deals)
            rate = f"{cleared / options.deals:.2%} ({low:.2%} - {high:.2%})"
            speed = f"{1 / times[-1]:>11,.0f}{times[-1] * 1e6:>9.2f}{times[-1] / times[0]:>8.1f}"
            print(f"{name:<9}{policy:<19}{speed}   {rate:<26}{outcomes.strokes.mean():>7.3f}")


if __name__ == "__main__":
    main()
