"""How well a deal's narrowness orders deals: its rank correlation with how seldom players clear them.

    python scripts/narrowness.py --deals 200

Takes the classic deals go1:2 on that can be cleared. Beside the narrowness stands the best strokes alone.
"""

import argparse

import numpy as np
from scipy.stats import spearmanr

from golf_cli.deals.numberings import GO1
from golf_cli.rules import PRESETS
from golf_cli.solvers.analysis import analyse
from golf_cli.sweep.plan import Interval, Task
from golf_cli.sweep.playing import play_interval

FIRST = 2
PLAYERS = ("policy=random,vary=ties,games=3000", "policy=lookahead,vary=orders,games=300")


def main() -> None:
    parser = argparse.ArgumentParser(description="How well a deal's narrowness orders deals.")
    parser.add_argument("--deals", type=int, default=200)
    deals = Interval(FIRST, FIRST + parser.parse_args().deals)
    rules = PRESETS["classic"]
    analyses = [analyse(GO1.deal(number), rules) for number in range(deals.first, deals.stop)]
    clearable = np.array([analysis.clearable for analysis in analyses])
    measures = {
        "narrowness": np.array([analysis.narrowness for analysis in analyses]),
        "best strokes": np.array([analysis.strokes for analysis in analyses]),
    }
    print(f"{clearable.sum()} classic deals that can be cleared; rank correlation with the share of games that fail")
    for player in PLAYERS:
        games = play_interval(Task.of("go1", rules, f"difficulty,{player},max-states=1"), deals).games
        assert games is not None
        failing = 1 - games.cleared / games.games
        for name, values in measures.items():
            print(f"{player:40}  {name:12}  {spearmanr(values[clearable], failing[clearable])[0]:.2f}")


if __name__ == "__main__":
    main()
