"""Solvers in plain Python that wait in their worker processes for files in the current directory, to be interrupted."""

import multiprocessing
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
    """Says in `worker-PID` that a worker plays, and plays once there is a file `go`."""

    version = "1"
    summary = "waits for a sign"
    batch = 8

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        def play(deals: Deals) -> Sequence[Outcome]:
            if multiprocessing.parent_process() is not None:
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
            return others(deals) if 0 not in deals.numbers else RightmostPlay(rules)(deals)

        return play


class HangsAtOnce(Waits):
    """Hangs in the process that starts the sweep, in the deal that is tried out."""

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        def play(deals: Deals) -> Sequence[Outcome]:
            Path(f"worker-{os.getpid()}").touch()
            wait_for("go")
            return RightmostPlay(rules)(deals)

        return play
