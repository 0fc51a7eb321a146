"""A solver from outside golf that fails where it is told to, until it is mended: its version stays the same."""

import json
import os
import time
from collections.abc import Sequence
from pathlib import Path

from plugins import Rightmost, RightmostPlay

from golf_cli.rules import RuleSet
from golf_cli.solvers.outcome import Outcome, Result
from golf_cli.solvers.protocol import Deals, Play


class Mendable(Rightmost):
    """Plays as `Rightmost`, and fails at deals as `faults.json` in the current directory says, until it is gone."""

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        def play(deals: Deals) -> Sequence[Outcome]:
            told = Path("faults.json")
            faults = json.loads(told.read_text()) if told.exists() else {}
            outcomes = list(RightmostPlay(rules)(deals))
            for place, number in enumerate(deals.numbers.tolist()):
                match faults.get(str(number)):
                    case "raises":
                        raise ZeroDivisionError("one over nothing")
                    case "leaves":
                        raise SystemExit(0)
                    case "dies":
                        os._exit(0)
                    case "hangs":
                        time.sleep(3600)
                    case "lies":
                        outcomes[place] = Outcome(Result.CLEARED, 3, 0)
            return outcomes

        return play
