"""Solvers that wait, or never end, in worker processes or in threads, until a test interrupts or kills something.

They tell by files in the current directory how far they are, and go on when they find one there."""

import os
import time
from collections.abc import Sequence
from pathlib import Path

from plugins import RightmostPlay

from golf_cli.rules import RuleSet
from golf_cli.solvers.outcome import Outcome
from golf_cli.solvers.protocol import Deals, Play, Solver


def wait_for(pattern: str) -> None:
    while not list(Path().glob(pattern)):
        time.sleep(0.02)


class Waits(Solver):
    """Plays deal 0, which is tried out, at once. Says in `worker-PID` that it waits, and plays once there is `go`."""

    version = "1"
    summary = "waits for a sign"
    batch = 8

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        def play(deals: Deals) -> Sequence[Outcome]:
            if 0 not in deals.numbers:
                Path(f"worker-{os.getpid()}").touch()
                wait_for("go")
            return RightmostPlay(rules)(deals)

        return play


class FailsWhileAnotherHangs(Waits):
    """Fails at deal 1 as soon as another worker waits for a sign that never comes."""

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        others = super().prepare(rules, seed)

        def play(deals: Deals) -> Sequence[Outcome]:
            if 1 in deals.numbers:
                wait_for("worker-*")
                raise ZeroDivisionError("one over nothing")
            return others(deals)

        return play


class HangsAtOnce(Waits):
    """Hangs in the deal that is tried out."""

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        def play(deals: Deals) -> Sequence[Outcome]:
            Path(f"worker-{os.getpid()}").touch()
            wait_for("go")
            return RightmostPlay(rules)(deals)

        return play


class WaitsInThreads(Waits):
    """Its threads wait in golf's own process."""

    compiled = True


class FailsInAThread(FailsWhileAnotherHangs):
    """One thread fails, and another waits for a sign that never comes."""

    compiled = True


class MovesTheDataset(Waits):
    """One thread moves the dataset away, so that it cannot be written, while another waits for a sign that never comes.

    The dataset lies in `data`."""

    compiled = True
    batch = 1

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        others = super().prepare(rules, seed)

        def play(deals: Deals) -> Sequence[Outcome]:
            if 1 not in deals.numbers:
                return others(deals)
            wait_for("worker-*")
            Path("data").rename("moved")
            return RightmostPlay(rules)(deals)

        return play


class NeverRests(Waits):
    """Says in `worker-PID` that it plays, and runs in Python code without an end."""

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        def play(deals: Deals) -> Sequence[Outcome]:
            if 0 not in deals.numbers:
                Path(f"worker-{os.getpid()}").touch()
                while True:
                    pass
            return RightmostPlay(rules)(deals)

        return play
