"""Measure what `golf sweep` costs beside its kernels: wall time against dealing and playing alone, and peak memory.

The kernels and the whole command (start-up, storing and the summary included) take turns over the same deals, so that
what else the machine does falls on both alike. Both use as many threads as there are processors.
"""

import argparse
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from subprocess import run
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np

from golf_cli.kernels.playout import POLICIES, play_rows
from golf_cli.kernels.shuffle import shuffle_rows
from golf_cli.rules import PRESETS, RuleSet

KERNEL_BATCH = 1 << 14
"""Deals in one call of the kernels: their rows fit into a processor's cache."""

MEMORY_AT = (1_000_000, 10_000_000)


def kernels(policy: str, rules: RuleSet, deals: int, threads: int) -> float:
    """Seconds to deal and play the numbers 0 ... deals - 1, and to do nothing with what comes of it."""
    layout, fits = rules.layout, np.array(rules.fits, np.uint64)
    heights = np.full(layout.columns, layout.depth, np.uint8)
    deck = np.arange(layout.cards, dtype=np.uint8)

    def play(first: int) -> None:
        numbers = np.arange(first, min(first + KERNEL_BATCH, deals), dtype=np.uint64)
        play_rows(policy, shuffle_rows(numbers, deck), heights, not layout.open_foundation, fits, numbers)

    start = perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        for _ in pool.map(play, range(0, deals, KERNEL_BATCH)):
            pass
    return perf_counter() - start


LAUNCHER = """
import os, sys, time
start = time.perf_counter()
pid = os.posix_spawn(sys.executable, [sys.executable, "-m", "golf_cli", *sys.argv[1:]], os.environ)
_, status, usage = os.wait4(pid, 0)
print(time.perf_counter() - start, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024), file=sys.stderr)
sys.exit(os.waitstatus_to_exitcode(status))
"""
"""Starts golf from a small process: where it is started from a large one, that one's memory counts as golf's peak."""


def command(policy: str, rules: RuleSet, deals: int, threads: int) -> tuple[float, float]:
    """Seconds, and peak memory in millions of bytes, of a sweep of as many deals into an empty directory."""
    with TemporaryDirectory() as directory:
        arguments = (
            *("sweep", "-q", "-n", str(deals), "--rules", str(rules), "--solver", policy, "--workers", str(threads)),
            *("-o", str(Path(directory) / "data")),
        )
        finished = run([sys.executable, "-c", LAUNCHER, *arguments], capture_output=True, text=True, check=False)
    if finished.returncode:
        raise SystemExit(f"golf {' '.join(arguments)} failed:\n{finished.stderr}")
    seconds, peak = finished.stderr.split()[-2:]
    return float(seconds), int(peak) / 1e6


def main() -> None:
    """Read the command line, measure, print two tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=10_000_000, help="deals in a sweep (default: 10000000)")
    parser.add_argument("--repeat", type=int, default=5, help="pairs of measurements (default: 5)")
    parser.add_argument("--solver", choices=POLICIES, default="leftmost", help="who plays (default: leftmost)")
    parser.add_argument("--rules", choices=PRESETS, default="classic", help="rule set (default: classic)")
    options = parser.parse_args()
    if min(options.deals, options.repeat) < 1:
        parser.error("--deals and --repeat: give 1 or more")
    policy, rules, threads = options.solver, PRESETS[options.rules], os.cpu_count() or 1

    kernels(policy, rules, KERNEL_BATCH, threads)
    command(policy, rules, 1, threads)  # compiles what is not in the cache yet
    print(f"{options.deals:,} deals, {rules}, {policy}, {threads} threads\n")
    print(f"{'pair':<8}{'kernels s':>11}{'sweep s':>11}{'ratio':>8}")
    pairs = []
    for pair in range(options.repeat):
        pairs.append(
            (kernels(policy, rules, options.deals, threads), command(policy, rules, options.deals, threads)[0])
        )
        alone, whole = pairs[-1]
        print(f"{pair + 1:<8}{alone:>11.2f}{whole:>11.2f}{whole / alone:>8.2f}", flush=True)
    ratios = sorted(whole / alone for alone, whole in pairs)
    alone, whole = (median(seconds) for seconds in zip(*pairs, strict=True))
    print(f"{'median':<8}{alone:>11.2f}{whole:>11.2f}{median(ratios):>8.2f}   best {ratios[0]:.2f}")

    peaks = [command(policy, rules, deals, threads)[1] for deals in MEMORY_AT]
    print("\npeak memory: " + ", ".join(f"{peak:.0f} MB at {n:,}" for n, peak in zip(MEMORY_AT, peaks, strict=True)))
    print(f"ratio {peaks[1] / peaks[0]:.2f}")


if __name__ == "__main__":
    main()
