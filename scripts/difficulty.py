"""How well a deal's difficulty orders deals: its rank correlation with how often random play fails to clear them.

    python scripts/difficulty.py --deals 200 --games 3000

Takes the classic deals go1:2 on that can be cleared. Beside the difficulty stands the best strokes alone.
"""

import argparse

import numpy as np
from scipy.stats import spearmanr

from golf_cli.deals.numberings import GO1
from golf_cli.kernels.playout import play_rows
from golf_cli.rules import PRESETS
from golf_cli.solvers.analysis import analyse
from golf_cli.solvers.exact import position


def main() -> None:
    parser = argparse.ArgumentParser(description="How well a deal's difficulty orders deals.")
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--games", type=int, default=3000, help="random games of each deal")
    arguments = parser.parse_args()
    rules = PRESETS["classic"]
    fits = np.array(rules.fits, np.uint64)
    difficulty, strokes, failing = [], [], []
    for number in range(2, 2 + arguments.deals):
        deal = GO1.deal(number)
        analysis = analyse(deal, rules)
        if analysis.strokes > 0:
            continue
        row, heights, dealt = position(deal)
        games = np.repeat(row[np.newaxis], arguments.games, axis=0)
        ends = play_rows("random", games, heights, dealt, fits, np.arange(arguments.games, dtype=np.uint64))
        difficulty.append(analysis.difficulty)
        strokes.append(analysis.strokes)
        failing.append(np.count_nonzero(ends.cards_left) / arguments.games)
    print(f"{len(failing)} classic deals that can be cleared, {arguments.games} random games each")
    print(f"rank correlation with the share of games that fail: difficulty {spearmanr(difficulty, failing)[0]:.2f},")
    print(f"best strokes {spearmanr(strokes, failing)[0]:.2f}")


if __name__ == "__main__":
    main()
