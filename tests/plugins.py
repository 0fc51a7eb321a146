"""Solvers from outside golf, sound and broken, for the tests that load them by name."""

import os
from collections.abc import Sequence
from dataclasses import replace

from golf_cli.game import DRAW, Game
from golf_cli.rules import RuleSet
from golf_cli.solvers.outcome import Games, Outcome, Outcomes, Result
from golf_cli.solvers.protocol import Deals, Play, Solver


class Rightmost(Solver):
    """Plays the rightmost card that fits, through the game engine."""

    version = "1"
    summary = "plays the rightmost card that fits"
    batch = 16

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        return RightmostPlay(rules)


class RightmostPlay:
    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules

    def __call__(self, deals: Deals) -> Sequence[Outcome]:
        outcomes = []
        for _, deal in deals:
            game = Game(deal, self.rules)
            while actions := game.legal_actions():
                plays = [action for action in actions if action != DRAW]
                game.act(plays[-1] if plays else DRAW)
            result = Result.BLOCKED if game.cards_left else Result.CLEARED
            outcomes.append(Outcome(result, game.cards_left, game.stock_left))
        return outcomes


class CountsGames(Rightmost):
    """Says of every deal that three games of it had the strokes 3, 2 and -1."""

    counts_games = True

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        games = Games(3, 1, 4, 14)
        return lambda deals: [replace(outcome, games=games) for outcome in RightmostPlay(rules)(deals)]


class _Broken(Solver):
    version = "1"
    summary = "breaks"
    batch = 8


class Raises(_Broken):
    def __init__(self, at: str = "0") -> None:
        self.at = int(at)

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        def play(deals: Deals) -> Sequence[Outcome]:
            if self.at in deals.numbers:
                raise ZeroDivisionError("one over nothing")
            return RightmostPlay(rules)(deals)

        return play


class RaisesInProcess(Rightmost):
    """Fails only away from the process that started the sweep."""

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        return in_child


def in_child(deals: Deals) -> Sequence[Outcome]:
    if len(deals) > 1:
        os._exit(7)
    return RightmostPlay(RuleSet())(deals)


class TooFew(_Broken):
    def prepare(self, rules: RuleSet, seed: int) -> Play:
        return lambda deals: []


class ClearsWithCardsLeft(_Broken):
    def prepare(self, rules: RuleSet, seed: int) -> Play:
        return lambda deals: [Outcome(Result.CLEARED, 3, 0) for _ in deals]


class StopsEarly(_Broken):
    def prepare(self, rules: RuleSet, seed: int) -> Play:
        return lambda deals: [Outcome(Result.BLOCKED, 3, 5) for _ in deals]


class GivesUp(_Broken):
    """Leaves every deal undecided."""

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        return lambda deals: [Outcome(Result.OTHER_LIMIT, 30, 4) for _ in deals]


class Unprepared:
    version = "1"
    summary = "has no prepare"


class FailsToStart:
    def __init__(self) -> None:
        raise KeyError("no such table")


def not_a_solver() -> Outcomes:
    return Outcomes.of([])
