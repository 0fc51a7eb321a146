"""Solvers from outside golf that answer as a test tells them to, that exit, or that take options."""

import itertools
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from plugins import Rightmost, RightmostPlay

from golf_cli.errors import SolverError
from golf_cli.rules import RuleSet
from golf_cli.solvers.outcome import Outcome, Result
from golf_cli.solvers.protocol import Deals, Play, Solver


def blocked(deals: Deals) -> Sequence[Outcome]:
    """What a game may always end in."""
    return [Outcome(Result.BLOCKED, 35, 0) for _ in deals]


answer: Callable[[Deals], Any] = blocked
"""What `Answers` and `KnowsTheStock` play by: tests put their own in its place."""


class Answers(Solver):
    version = "1"
    summary = "answers as it is told"

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        return lambda deals: answer(deals)


class KnowsTheStock(Answers):
    thoughtful = True


class AnswersWithGames(Answers):
    counts_games = True


class AnswersInThreads(Answers):
    compiled = True
    batch = 7


class UnpicklableError(Exception):
    """Holds what no process can send to another."""

    def __init__(self, told: str) -> None:
        super().__init__(told)
        self.lock = threading.Lock()


class Exits(Answers):
    """Raises what is no `Exception`, when it is made, prepared or asked to play."""

    def __init__(self, kind: str, when: str) -> None:
        kinds = (SystemExit, GeneratorExit, KeyboardInterrupt, SolverError, UnpicklableError)
        self.kind = {each.__name__: each for each in kinds}[kind]
        self.when = when
        self._leave("make")

    def _leave(self, moment: str) -> None:
        if self.when == moment:
            raise self.kind(f"left at {moment}")

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        self._leave("prepare")

        def play(deals: Deals) -> Sequence[Outcome]:
            self._leave("play")
            return blocked(deals)

        return play


class Endless(Answers):
    """Never comes to the end of its answer."""

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        return lambda deals: itertools.repeat(Outcome(Result.BLOCKED, 35, 0))  # type: ignore[return-value]


class LeavesAThread(Answers):
    """Starts a thread that goes on for minutes after the last deal."""

    def __init__(self, threads: str = "") -> None:
        self.compiled = bool(threads)

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        def play(deals: Deals) -> Sequence[Outcome]:
            threading.Thread(target=time.sleep, args=(300,)).start()
            return blocked(deals)

        return play


class Gated(Solver):
    """On threads: plays deal 0 at once, and waits for the gate before any other."""

    version = "1"
    summary = "waits"
    compiled = True
    gate = threading.Event()
    played: list[int] = []  # noqa: RUF012 - a test reads it

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        def play(deals: Deals) -> Sequence[Outcome]:
            self.played.extend(deals.numbers.tolist())
            if 0 not in deals.numbers:
                self.gate.wait(30)
            return blocked(deals)

        return play


class WithOptions(Rightmost):
    def __init__(self, beam_width: str = "8", depth: str = "2") -> None:
        self.told = {"beam_width": beam_width, "depth": depth}


class WithAnyOptions(Rightmost):
    def __init__(self, **options: str) -> None:
        self.told = options


class NeedsAnOption(Rightmost):
    def __init__(self, table: str) -> None:
        self.told = {"table": table}


class Chatters(Rightmost):
    """Prints on standard output at every turn."""

    print("loaded")

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        print("prepared")

        def play(deals: Deals) -> Sequence[Outcome]:
            print("played")
            return RightmostPlay(rules)(deals)

        return play


def told_attributes(**attributes: object) -> Callable[[], Solver]:
    """A maker of solvers with other attributes."""

    def make() -> Solver:
        return type("Odd", (Rightmost,), attributes)()

    return make


version_empty = told_attributes(version="")
version_of_two_lines = told_attributes(version="1\nseed: 5")
version_number = told_attributes(version=1)
version_none = told_attributes(version=None)
summary_empty = told_attributes(summary="")
summary_of_two_lines = told_attributes(summary="plays\nwell")
summary_missing = told_attributes(summary=None)
batch_of_none = told_attributes(batch=0)
batch_negative = told_attributes(batch=-16)
batch_fraction = told_attributes(batch=2.5)
batch_text = told_attributes(batch="16")
batch_truth = told_attributes(batch=True)
prepare_is_no_function = told_attributes(prepare="soon")
