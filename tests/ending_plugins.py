"""Solvers in plain Python that end their worker process, or hang, at one deal; all others they play."""

import os
import time
from collections.abc import Sequence

from plugins import Rightmost, RightmostPlay

from golf_cli.rules import RuleSet
from golf_cli.solvers.outcome import Outcome
from golf_cli.solvers.protocol import Deals, Play


class Ends(Rightmost):
    def __init__(self, at: str) -> None:
        self.at = int(at)

    def spoil(self) -> None:
        os._exit(7)

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        def play(deals: Deals) -> Sequence[Outcome]:
            if self.at in deals.numbers:
                self.spoil()
            return RightmostPlay(rules)(deals)

        return play


class Hangs(Ends):
    def spoil(self) -> None:
        time.sleep(600)
