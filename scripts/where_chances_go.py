"""At which draw a player who does not see the stock loses the deals that could have been cleared.

    python scripts/where_chances_go.py --rules classic --deals 1000

Follows a policy's games, and asks the exact solver before each draw whether somebody who sees the stock could still
clear the tableau. Where that is lost, nobody need have made a mistake: what comes is not known when a run is stopped.
"""

import argparse
from collections import Counter

from golf_cli.deals.numberings import GO1
from golf_cli.game import Game
from golf_cli.rules import PRESETS
from golf_cli.solvers import registry
from golf_cli.solvers.exact import clearable
from golf_cli.solvers.outcome import Result
from golf_cli.solvers.protocol import ShowsLines


def main() -> None:
    """Read the command line, follow the games, print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rules", choices=PRESETS, default="classic")
    parser.add_argument("--solver", default="expert,objective=clear")
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--first", type=int, default=10**8, help="number of the first deal (default: 10^8)")
    arguments = parser.parse_args()
    rules = PRESETS[arguments.rules]
    named = registry.find(arguments.solver)
    solver, solver_text = named.solver, named.text
    assert isinstance(solver, ShowsLines)
    line_of = solver.prepare_line(rules, 0)
    stages = ["dealt", *(f"draw {draw}" for draw in range(1, rules.layout.stock + 1)), "end"]
    alive = Counter[str]()
    for number in range(arguments.first, arguments.first + arguments.deals):
        game = Game(GO1.deal(number), rules)
        alive["dealt"] += _can_be_cleared(game)
        for action in line_of(number, game.deal):
            if action.is_draw:
                alive[f"draw {game.drawn + 1}"] += _can_be_cleared(game)
            game.act(action)
        for stage in stages[game.drawn + 1 :]:
            alive[stage] += not game.cards_left
    print(f"{arguments.rules}, {solver_text}, {arguments.deals} deals from {arguments.first} on")
    print("before     can still be cleared")
    for stage in stages:
        print(f"{stage:<9}  {alive[stage] / arguments.deals:>7.1%}")


def _can_be_cleared(game: Game) -> bool:
    return clearable(game.left, game.rules).result is Result.CLEARED


if __name__ == "__main__":
    main()
