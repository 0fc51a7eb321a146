"""Solvers that break one promise each, for the tests of what finds that out; and one that breaks none.

All play through the game engine, and differ in which of the cards that fit they take.
"""

import os
import random
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import count

from golf_cli.deals.deal import Deal
from golf_cli.deals.numberings import GO1
from golf_cli.errors import SolverError
from golf_cli.game import DRAW, Action, Game, Refused
from golf_cli.rules import PRESETS, RuleSet
from golf_cli.solvers.outcome import Games, Outcome, Result
from golf_cli.solvers.protocol import Deals, Line, Play, Solver

Choose = Callable[[Game, Sequence[Action]], Action]


def rightmost(game: Game, plays: Sequence[Action]) -> Action:
    return plays[-1]


def leftmost(game: Game, plays: Sequence[Action]) -> Action:
    return plays[0]


def line_of(deal: Deal, rules: RuleSet, choose: Choose = rightmost) -> list[Action]:
    """A game to its end: the play chosen of those that fit, else a draw."""
    game, line = Game(deal, rules), []
    while actions := game.legal_actions():
        plays = [action for action in actions if action != DRAW]
        line.append(choose(game, plays) if plays else DRAW)
        game.act(line[-1])
    return line


def end_of(deal: Deal, rules: RuleSet, choose: Choose = rightmost) -> Outcome:
    game = Game(deal, rules)
    for _ in game.replay(line_of(deal, rules, choose)):
        pass
    return Outcome(Result.BLOCKED if game.cards_left else Result.CLEARED, game.cards_left, game.stock_left)


def ends_by(rules: RuleSet, choose: Choose) -> Play:
    return lambda deals: [end_of(deal, rules, choose) for _, deal in deals]


class Faithful(Solver):
    version = "1"
    summary = "plays the rightmost card that fits"

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        return ends_by(rules, rightmost)


class FaithfulWithLines(Faithful):
    def prepare_line(self, rules: RuleSet, seed: int) -> Line:
        return lambda number, deal: line_of(deal, rules)


class NotTrueOrFalse(Faithful):
    thoughtful = "no"  # type: ignore[assignment]


class AnotherEachTime(Faithful):
    made = count()

    def __init__(self) -> None:
        self.batch = 8 + next(self.made)  # type: ignore[misc]


class StopsEarly(Faithful):
    """Gives up with cards in the stock, and says that it is blocked."""

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        return lambda deals: [
            Outcome(Result.BLOCKED, 35, 9) if number == 3 else end_of(deal, rules) for number, deal in deals
        ]


class OneShort(Faithful):
    """Answers one deal too few, as long as there are two."""

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        return lambda deals: [end_of(deal, rules) for _, deal in deals][: max(1, len(deals) - 1)]


class SortsTheStock(Faithful):
    """Uses the rows it is given as scratch paper."""

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        def play(deals: Deals) -> Sequence[Outcome]:
            ends = [end_of(deal, rules) for _, deal in deals]
            deals.cards[2:, -5:].sort(axis=1)
            return ends

        return play


class CountsNumbers(Faithful):
    """Puts something else where the deals' numbers were."""

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        def play(deals: Deals) -> Sequence[Outcome]:
            ends = [end_of(deal, rules) for _, deal in deals]
            deals.numbers[:] += 1
            return ends

        return play


class GlobalDice(Faithful):
    def prepare(self, rules: RuleSet, seed: int) -> Play:
        return ends_by(rules, lambda game, plays: random.choice(plays))


class Clock(Faithful):
    def prepare(self, rules: RuleSet, seed: int) -> Play:
        return ends_by(rules, lambda game, plays: plays[time.perf_counter_ns() // 64 % len(plays)])


class CountsCalls(Faithful):
    def prepare(self, rules: RuleSet, seed: int) -> Play:
        calls = count()

        def play(deals: Deals) -> Sequence[Outcome]:
            return ends_by(rules, (rightmost, leftmost)[next(calls) % 2])(deals)

        return play


class UnsteadyLines(FaithfulWithLines):
    """Plays alike, and tells another line each time."""

    def prepare_line(self, rules: RuleSet, seed: int) -> Line:
        return lambda number, deal: line_of(deal, rules, lambda game, plays: random.choice(plays))


class CountsInstances(Faithful):
    made = count()

    def __init__(self) -> None:
        self.choose = (rightmost, leftmost)[next(self.made) % 2]

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        return ends_by(rules, self.choose)


class HashesTexts(Faithful):
    """Plays by the hash of a text, which is another in every process."""

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        return ends_by(rules, lambda game, plays: plays[hash(f"{game.top} {game.moves}") % len(plays)])


class KnowsItsProcess(Faithful):
    first = os.environ.setdefault("UNFAITHFUL_PROCESS", str(os.getpid()))

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        return ends_by(rules, rightmost if self.first == str(os.getpid()) else leftmost)


class LooksAtTheBatch(Faithful):
    """Plays every other deal of a batch in another way."""

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        return lambda deals: [
            end_of(deal, rules, (rightmost, leftmost)[place % 2]) for place, (_, deal) in enumerate(deals)
        ]


class LooksAtTheFirst(Faithful):
    """Plays a whole batch by what its first deal has on the foundation."""

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        return lambda deals: ends_by(rules, (rightmost, leftmost)[int(deals.cards[0, 35]) % 2])(deals)


class RemembersNumbers(Faithful):
    """Takes a deal's number for its cards."""

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        known: dict[int, Outcome] = {}
        return lambda deals: [known.setdefault(number, end_of(deal, rules)) for number, deal in deals]


class RemembersEverywhere(Faithful):
    """The same, for as long as the process lasts."""

    known: dict[tuple[RuleSet, int], Outcome] = {}  # noqa: RUF012 - that is its fault

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        return lambda deals: [self.known.setdefault((rules, number), end_of(deal, rules)) for number, deal in deals]


class KeepsTheRules(Faithful):
    """Plays by the rules it was prepared for last."""

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        self.rules = rules
        return lambda deals: ends_by(self.rules, rightmost)(deals)


class KeepsTheSeed(Faithful):
    """Plays by the seed it was prepared for last."""

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        self.seed = seed
        return ends_by(rules, lambda game, plays: plays[(self.seed + game.moves) % len(plays)])


class OneRoomForAll(Faithful):
    """Says that it may be called from threads, and writes down in one place what all of them play."""

    compiled = True

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        room: list[Deals] = []

        def play(deals: Deals) -> Sequence[Outcome]:
            room[:] = [deals]
            if threading.active_count() > 1:
                time.sleep(0.02)  # long enough for another to come in
            return [end_of(deal, rules) for _, deal in room[0]]

        return play


class ThirtyTwoBits(Faithful):
    """Keeps numbers in too few bits, the larger ones at the cost of the others."""

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        def play(deals: Deals) -> Sequence[Outcome]:
            large = bool((deals.numbers >> 32).any())
            return [
                end_of(deal, rules, leftmost if large and number < 1 << 32 else rightmost) for number, deal in deals
            ]

        return play


class OneBetter(Faithful):
    """Forgets a card that it left."""

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        return lambda deals: [Outcome(Result.CLEARED, 0, 16) for _ in deals]


class BetterThanItsLimit(Faithful):
    """Leaves every deal undecided, with one card left that it says to have reached."""

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        return lambda deals: [Outcome(Result.OTHER_LIMIT, 1, 0) for _ in deals]


def proved(outcome: Outcome) -> Outcome:
    return replace(outcome, result=Result.NOT_CLEARABLE) if outcome.cards_left else outcome


class ProvesTooMuch(Faithful):
    """Takes every game that it loses for one that cannot be won."""

    thoughtful = True

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        return lambda deals: [proved(end_of(deal, rules)) for _, deal in deals]


class ProvesBlindly(ProvesTooMuch):
    thoughtful = False


class PlaysWhatDoesNotFit(FaithfulWithLines):
    """Ends its lines with a play that the rules do not allow."""

    def prepare_line(self, rules: RuleSet, seed: int) -> Line:
        return lambda number, deal: [*line_of(deal, rules), Action(0)]


class DrawsFirst(FaithfulWithLines):
    """Draws while a card fits, under rules that forbid it."""

    def prepare_line(self, rules: RuleSet, seed: int) -> Line:
        return lambda number, deal: [DRAW, *line_of(deal, rules)]


class SpeaksInNumbers(FaithfulWithLines):
    def prepare_line(self, rules: RuleSet, seed: int) -> Line:
        return lambda number, deal: [
            255 if action.column is None else action.column  # type: ignore[misc]
            for action in line_of(deal, rules)
        ]


class OneWorse(FaithfulWithLines):
    """Counts a card too many when it is blocked."""

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        def worse(outcome: Outcome) -> Outcome:
            return replace(outcome, cards_left=outcome.cards_left + (outcome.result is Result.BLOCKED))

        return lambda deals: [worse(end_of(deal, rules)) for _, deal in deals]


class LeavesTheTable(FaithfulWithLines):
    """Ends its lines before the game is over."""

    def prepare_line(self, rules: RuleSet, seed: int) -> Line:
        return lambda number, deal: line_of(deal, rules)[:-1]


def by_the_next(game: Game, plays: Sequence[Action]) -> Action:
    """Chooses by the card that will be drawn next."""
    return plays[int(game.deal.stock[game.drawn]) % len(plays) if game.stock_left else 0]


class Peeks(Faithful):
    def prepare(self, rules: RuleSet, seed: int) -> Play:
        return ends_by(rules, by_the_next)

    def prepare_line(self, rules: RuleSet, seed: int) -> Line:
        return lambda number, deal: line_of(deal, rules, by_the_next)


def by_the_last(game: Game, plays: Sequence[Action]) -> Action:
    """Chooses by the card that will be drawn last: the longest column, or the rightmost."""
    longest = max(plays, key=lambda play: len(game.columns[play.column or 0]))
    return (longest, plays[-1])[game.deal.stock[-1].suit % 2]


class PeeksUntold(Faithful):
    """Peeks, and tells no lines."""

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        return ends_by(rules, by_the_last)


@cache
def best_line(deal: Deal, rules: RuleSet) -> Sequence[Action]:
    from golf_cli.solvers.exact import solve

    return () if deal.unseen else solve(deal, rules).line


class KnowsTheNumbers(Faithful):
    """Deals the number for itself, and follows the best line of that deal as long as it can."""

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        def play(deals: Deals) -> Sequence[Outcome]:
            return [self.end(GO1.deal(number % (1 << 35), rules.layout), deal, rules) for number, deal in deals]

        return play

    def end(self, dealt: Deal, deal: Deal, rules: RuleSet) -> Outcome:
        game = Game(deal, rules)
        with suppress(Refused):
            for _ in game.replay(best_line(dealt, rules)):
                pass
        for _ in game.replay(line_of(game.left, rules)):
            pass
        return Outcome(Result.BLOCKED if game.cards_left else Result.CLEARED, game.cards_left, game.stock_left)


class NoJokers(Faithful):
    """Falls over a deck with more than 52 cards."""

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        def play(deals: Deals) -> Sequence[Outcome]:
            assert deals.cards.shape[1] == 52
            return [end_of(deal, rules) for _, deal in deals]

        return play


class JokersAreNoCards(FaithfulWithLines):
    """Takes a joker for a card that fits nothing."""

    def prepare_line(self, rules: RuleSet, seed: int) -> Line:
        plain = replace(rules, jokers="0")
        return lambda number, deal: [
            *line_of(replace(deal, stock=tuple(card for card in deal.stock if card < 52)), plain)
        ]


class RefusesJokers(FaithfulWithLines):
    """Says what it does not play."""

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        if rules.layout.jokers or rules.layout.open_foundation:
            raise SolverError("jokers and open foundations are beyond it")
        return super().prepare(rules, seed)


class EasyAlone(Faithful):
    def prepare(self, rules: RuleSet, seed: int) -> Play:
        if rules != PRESETS["easy"]:
            raise SolverError(f"{rules} is beyond it")
        return super().prepare(rules, seed)


class LosesInterest(Faithful):
    """Refuses in the end what it has played before."""

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        calls = count()

        def play(deals: Deals) -> Sequence[Outcome]:
            if next(calls) > 1:
                raise SolverError("enough")
            return [end_of(deal, rules) for _, deal in deals]

        return play


class FallsOver(Faithful):
    """Raises at one deal."""

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        def play(deals: Deals) -> Sequence[Outcome]:
            if 2 in deals.numbers:
                raise ZeroDivisionError("one over nothing")
            return [end_of(deal, rules) for _, deal in deals]

        return play


class FallsOverElsewhere(Faithful):
    """Ends every process but the first."""

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        if os.environ.setdefault("UNFAITHFUL_PROCESS", str(os.getpid())) != str(os.getpid()):
            os._exit(7)
        return super().prepare(rules, seed)


class Talks(FaithfulWithLines):
    """Prints whatever it does."""

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        print("prepared")
        return super().prepare(rules, seed)

    def prepare_line(self, rules: RuleSet, seed: int) -> Line:
        print("asked for lines")
        return super().prepare_line(rules, seed)


class DrawsWhenItLikes(Faithful):
    """Draws before it has to where the rules allow it, by what it sees."""

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        line = self.prepare_line(rules, seed)

        def play(deals: Deals) -> Sequence[Outcome]:
            return [self.end(Game(deal, rules), line(number, deal)) for number, deal in deals]

        return play

    def end(self, game: Game, line: Sequence[Action]) -> Outcome:
        for _ in game.replay(line):
            pass
        return Outcome(Result.BLOCKED if game.cards_left else Result.CLEARED, game.cards_left, game.stock_left)

    def prepare_line(self, rules: RuleSet, seed: int) -> Line:
        def line(number: int, deal: Deal) -> Sequence[Action]:
            game, made = Game(deal, rules), []
            while actions := game.legal_actions():
                made.append(actions[(number + seed + game.moves * game.cards_left) % len(actions)])
                game.act(made[-1])
            return made

        return line


class _CountsGames(Faithful):
    """Counts three games of each deal, two of them blocked at 2 cards and one cleared with the last stock card."""

    counts_games = True

    def games(self) -> Games:
        return Games(3, 1, 4, 8)

    def prepare(self, rules: RuleSet, seed: int) -> Play:
        def play(deals: Deals) -> Sequence[Outcome]:
            games = self.games()
            return [replace(end_of(deal, rules), games=games) for _, deal in deals]

        return play


class CountsOtherGames(_CountsGames):
    """Counts other strokes each time."""

    def __init__(self) -> None:
        self.calls = count()

    def games(self) -> Games:
        return Games(3, 1, next(self.calls) % 2 * 2, 8)


class CountsTooMany(_CountsGames):
    """Counts more cleared games than there were."""

    def games(self) -> Games:
        return Games(3, 4, 0, 0)


class CountsUnasked(_CountsGames):
    """Does not say that it counts games."""

    counts_games = False
