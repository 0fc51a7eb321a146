"""Measure the policies: deals a second on one core, shuffling included, each against the fastest of them."""

import argparse
from time import perf_counter

import numpy as np

from golf_cli.kernels.playout import POLICIES, play_rows
from golf_cli.kernels.shuffle import shuffle_rows
from golf_cli.rules import PRESETS, RuleSet


def deals_per_second(policy: str, rules: RuleSet, deals: int, batch: int) -> float:
    """Deal and play the numbers 0 ... deals - 1 in batches, once everything is compiled."""
    layout, fits = rules.layout, np.array(rules.fits, np.uint64)
    heights = np.full(layout.columns, layout.depth, np.uint8)
    deck = np.arange(layout.cards, dtype=np.uint8)

    def play(first: int, stop: int) -> None:
        numbers = np.arange(first, stop, dtype=np.uint64)
        play_rows(policy, shuffle_rows(numbers, deck), heights, not layout.open_foundation, fits, numbers)

    play(0, 1)
    start = perf_counter()
    for first in range(0, deals, batch):
        play(first, min(first + batch, deals))
    return deals / (perf_counter() - start)


def main() -> None:
    """Read the command line, measure, print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=1_000_000, help="deals for each policy (default: 1000000)")
    parser.add_argument("--batch", type=int, default=1 << 14, help="deals in one call (default: 16384)")
    parser.add_argument("--repeat", type=int, default=3, help="the best of so many measurements counts (default: 3)")
    parser.add_argument("--rules", choices=PRESETS, default="classic", help="rule set (default: classic)")
    options = parser.parse_args()
    if min(options.deals, options.batch, options.repeat) < 1:
        parser.error("--deals, --batch and --repeat: give 1 or more")
    rules = PRESETS[options.rules]

    speeds = {
        policy: max(deals_per_second(policy, rules, options.deals, options.batch) for _ in range(options.repeat))
        for policy in POLICIES
    }
    fastest = max(speeds.values())
    print(f"{'policy':<16}{'deals/s':>12}{'ns/deal':>10}{'ratio':>8}   rules: {rules}")
    for policy, speed in speeds.items():
        print(f"{policy:<16}{speed:>12,.0f}{1e9 / speed:>10.0f}{speed / fastest:>8.2f}")


if __name__ == "__main__":
    main()
