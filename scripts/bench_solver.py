"""Measure the exact solver: time a deal on one thread, states a deal, memory, and ratios against two older searches.

The searches take turns block by block over the same random deals, so that what else the machine does falls on all of
them alike. Every answer is compared with that of the plain search.
"""

import argparse
from collections.abc import Callable
from time import perf_counter_ns

import numpy as np
from numpy.typing import NDArray
from plain_phases import solve_rows as solve_plain

from golf_cli.kernels import phases, two_ended
from golf_cli.kernels.shuffle import shuffle_rows
from golf_cli.rules import PRESETS, RuleSet

Answers = tuple[NDArray[np.integer], NDArray[np.integer], NDArray[np.integer]]
"""Cards left, stock left and states of each deal of a batch."""

BEST, CLEAR, PHASES, PLAIN = "best strokes", "clear only", "phases kernel", "plain phases"


def searches(rules: RuleSet) -> tuple[dict[str, Callable[[NDArray[np.uint8]], Answers]], int]:
    """The searches by name, each with a workspace of its own, and the bytes of the solver's."""
    heights, fits = np.full(rules.layout.columns, rules.layout.depth, np.uint8), np.array(rules.fits, np.uint64)
    strict = rules.draw_when_stuck
    forward, both = phases.workspace(heights, strict), two_ended.workspace(heights)

    def of_phases(cards: NDArray[np.uint8]) -> Answers:
        return phases.solve_batch(cards, heights, True, fits, strict, 0, forward)[1:]

    def of_both_ends(clear_only: bool) -> Callable[[NDArray[np.uint8]], Answers]:
        return lambda cards: two_ended.solve_batch(cards, heights, True, fits, clear_only, 0, both)[1:]

    def of_plain(cards: NDArray[np.uint8]) -> Answers:
        cards_left, stock_left, states = solve_plain(cards, heights, True, fits, strict).T
        return cards_left, stock_left, states

    if strict:
        return {BEST: of_phases, PLAIN: of_plain}, size_of(forward)
    both_ends = {BEST: of_both_ends(False), CLEAR: of_both_ends(True)}
    return {**both_ends, PHASES: of_phases, PLAIN: of_plain}, size_of(both)


def size_of(work: phases.Workspace | two_ended.Workspace) -> int:
    """The bytes of a workspace's arrays, those that are never touched included."""
    arrays = [*work, *work.layout]
    return sum(array.nbytes for array in arrays if isinstance(array, np.ndarray))


def measure(rules: RuleSet, deals: int, block: int) -> tuple[dict[str, NDArray[np.float64]], dict[str, float], int]:
    """Milliseconds of each deal and mean states by search, and the bytes of the solver's workspace."""
    by_name, size = searches(rules)
    rows = shuffle_rows(np.arange(deals, dtype=np.uint64), np.arange(rules.layout.cards, dtype=np.uint8))
    times = {name: np.empty(deals) for name in by_name}
    states = dict.fromkeys(by_name, 0.0)
    for search in by_name.values():
        search(rows[:2])
    for first in range(0, deals, block):
        answers = {}
        for name, search in by_name.items():
            answers[name] = []
            for i in range(first, min(first + block, deals)):
                start = perf_counter_ns()
                answer = search(rows[i : i + 1])
                times[name][i] = (perf_counter_ns() - start) / 1e6
                states[name] += int(answer[2][0]) / deals
                answers[name].append((int(answer[0][0]), int(answer[1][0])))
        for name in by_name:
            compare(rules, name, answers[name], answers[PLAIN])
    return times, states, size


def compare(rules: RuleSet, name: str, found: list[tuple[int, int]], expected: list[tuple[int, int]]) -> None:
    """Stop if the answers of a search are not those of the plain one."""
    if name == CLEAR:
        expected = [(min(cards_left, 1), 0) for cards_left, _ in expected]
    if found != expected:
        raise SystemExit(f"{rules}: {name} and the plain search differ")


def main() -> None:
    """Read the command line, measure, print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=2500, help="deals for each rule set (default: 2500)")
    parser.add_argument("--block", type=int, default=50, help="deals in a turn of one search (default: 50)")
    options = parser.parse_args()
    if min(options.deals, options.block) < 1:
        parser.error("--deals and --block: give 1 or more")

    print(f"{options.deals} random deals a rule set, one thread; milliseconds a deal; ratios of the mean times\n")
    print(
        f"{'rules':<9}{'search':<16}{'mean':>8}{'median':>9}{'p99':>8}{'states':>10}{'vs phases':>11}{'vs plain':>10}"
    )
    sizes = []
    for name, rules in PRESETS.items():
        times, states, size = measure(rules, options.deals, options.block)
        sizes.append(f"{name} {size / 2**20:.1f} MB")
        for search, taken in times.items():
            ratios = "".join(
                f"{times[other].mean() / taken.mean():>{width}.1f}"
                if other in times and other != search
                else " " * width
                for other, width in ((PHASES, 11), (PLAIN, 10))
            )
            print(
                f"{name:<9}{search:<16}{taken.mean():>8.3f}{np.median(taken):>9.3f}{np.percentile(taken, 99):>8.2f}"
                f"{states[search]:>10,.0f}{ratios}".rstrip()
            )
        print()
    print(f"workspace of a thread, at most: {', '.join(sizes)}")


if __name__ == "__main__":
    main()
