"""The solver under check: made, prepared and asked, with what it does wrong said of it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import astuple, dataclass
from functools import cached_property
from random import Random
from typing import Self

import numpy as np

from golf_cli.cards import Card
from golf_cli.conformance.report import Breach
from golf_cli.deals.deal import Deal
from golf_cli.errors import PluginError, SolverError
from golf_cli.game import Action
from golf_cli.rules import RuleSet
from golf_cli.solvers import registry
from golf_cli.solvers.answers import COUNTS, ENDS, can_count, can_end, columns, counted, counts_games
from golf_cli.solvers.exact import Exact
from golf_cli.solvers.outcome import RESULTS, Outcome, Outcomes
from golf_cli.solvers.protocol import Deals, Line, Play, ShowsLines
from golf_cli.sweep.dealing import deal_interval
from golf_cli.sweep.plan import Interval

NUMBERING = "go1"


class RulesRefused(Exception):  # noqa: N818 - it may be the solver's good right
    """The solver said, by a SolverError, that it does not play these rules."""


class NoEnd(Exception):  # noqa: N818 - the game's word for it
    """The solver gave an outcome that no game ends in."""

    def __init__(self, breach: Breach) -> None:
        super().__init__(breach.came)
        self.breach = breach


@dataclass(frozen=True)
class Subject:
    """A solver, made once."""

    named: registry.Named

    @classmethod
    def of(cls, text: str) -> Self:
        """The solver of a name and options.

        Raises:
            SolverError: as `registry.find`.
        """
        return cls(registry.find(text))

    def again(self) -> "Subject":
        """The same solver, made anew."""
        return Subject.of(self.named.text)

    def prepared(self, rules: RuleSet, seed: int) -> "Player":
        """The solver made ready for a rule set and a seed.

        Raises:
            RulesRefused: it does not play these rules.
            PluginError: it raised anything but a SolverError.
        """
        with self.asked(f"to be prepared for the rules {rules} and the seed {seed}"):
            return Player(self, rules, seed, self.named.solver.prepare(rules, seed))

    @property
    def shows_lines(self) -> bool:
        """Whether the solver offers the actions of its games."""
        return isinstance(self.named.solver, ShowsLines)

    def line(self, rules: RuleSet, seed: int) -> Line:
        """The solver's lines, each as a tuple.

        Raises:
            RulesRefused: as `prepared`, and so does the function returned.
            PluginError: as `prepared`, and so does the function returned.
        """
        solver = self.named.solver
        assert isinstance(solver, ShowsLines)  # asked before
        with self.asked(f"to be prepared to give lines for the rules {rules} and the seed {seed}"):
            prepared = solver.prepare_line(rules, seed)

        def line(number: int, deal: Deal) -> Sequence[Action]:
            with self.asked(f"for its line of deal {number}, rules {rules}, seed {seed}"):
                return tuple(prepared(number, deal))

        return line

    @contextmanager
    def asked(self, what: str) -> Iterator[None]:
        """Within the block the solver is asked something, and is to blame for what is raised.

        Raises:
            RulesRefused: it raised a SolverError.
            PluginError: it raised anything else.
        """
        failing = f"the solver {self.named.text} failed when asked {what}"
        try:
            with nullcontext() if self.named.built_in else registry.blaming(failing):
                yield
        except PluginError:
            raise
        except SolverError as error:
            raise RulesRefused(str(error)) from error


@dataclass(frozen=True)
class Player:
    """A solver prepared for a rule set and a seed. It is given copies, so that it can spoil nothing."""

    subject: Subject
    rules: RuleSet
    seed: int
    play: Play

    def __call__(self, deals: Deals) -> Outcomes:
        """Play a batch.

        Raises:
            NoEnd: an outcome is none that a game ends in.
            RulesRefused: it does not play these rules.
            PluginError: it raised anything but a SolverError.
        """
        try:
            answer = self.answer(rows(deals, range(len(deals))))
        except PluginError:
            for place in range(len(deals)):  # the first deal it fails on says more than all of them
                self.answer(rows(deals, [place]))
            raise
        return self.sound(answer, deals)

    def answer(self, deals: Deals) -> Outcomes | Sequence[Outcome]:
        """What the solver makes of a batch, which it is given as it is, not a copy."""
        words = f"deal {deals.numbers[0]}" if len(deals) == 1 else f"{len(deals)} deals from {deals.numbers[0]} on"
        with self.subject.asked(f"to play {words}, rules {self.rules}, seed {self.seed}"):
            answer = self.play(deals)
            return answer if isinstance(answer, Outcomes) else list(answer)

    def sound(self, answer: Outcomes | Sequence[Outcome], deals: Deals) -> Outcomes:
        """An answer as outcomes that games of these deals can end in.

        Raises:
            NoEnd: it is none; the breach names the first deal.
        """
        try:
            found = columns(answer, len(deals), counts_games(self.subject.named.solver))
        except (PluginError, AttributeError, TypeError) as error:
            raise self._no_end(deals, 0, "an outcome for each deal", str(error)) from error
        possible = can_end(found[:3], deals.layout)
        if not possible.all():
            place = int(np.argmin(possible))
            result, cards_left, stock_left = (int(column[place]) for column in found[:3])
            name = str(RESULTS[result]) if 0 <= result < len(RESULTS) else f"result {result}, of which there is none"
            came = f"{name}, {standing(cards_left, stock_left)}"
            raise self._no_end(deals, place, f"an end that a game can have: {ENDS}", came)
        possible = can_count(found[3:], deals.layout)
        if not possible.all():
            place = int(np.argmin(possible))
            came = counted([int(column[place]) for column in found[3:]])
            raise self._no_end(deals, place, f"counts that games can add up to: {COUNTS}", came)
        return Outcomes.of_columns(found)

    def _no_end(self, deals: Deals, place: int, expected: str, came: str) -> NoEnd:
        return NoEnd(Breach(self.rules, self.seed, int(deals.numbers[place]), expected, came))


@dataclass(frozen=True)
class Case:
    """Deals played under one rule set, and what the solver first made of them."""

    player: Player
    deals: Deals
    outcomes: Outcomes

    @classmethod
    def of(cls, subject: Subject, rules: RuleSet, seed: int, count: int) -> Self:
        """The deals from number 0 on.

        Raises:
            RulesRefused, NoEnd, PluginError: as `Player`.
        """
        deals = deal_interval(NUMBERING, Interval(0, count), rules.layout)
        player = subject.prepared(rules, seed)
        return cls(player, deals, player(deals))

    @property
    def subject(self) -> Subject:
        """The solver."""
        return self.player.subject

    @property
    def rules(self) -> RuleSet:
        """The rules played by."""
        return self.player.rules

    @property
    def seed(self) -> int:
        """The seed the solver was prepared with."""
        return self.player.seed

    @cached_property
    def best(self) -> Outcomes:
        """The exact outcomes of the deals."""
        best = Exact().prepare(self.rules, 0)(self.deals)
        assert isinstance(best, Outcomes)
        return best

    @cached_property
    def line(self) -> Line:
        """The solver's lines."""
        return self.subject.line(self.rules, self.seed)

    @cached_property
    def strangers(self) -> Deals:
        """As many other deals."""
        count = len(self.deals)
        return deal_interval(NUMBERING, Interval(count, 2 * count), self.rules.layout)

    @cached_property
    def reshuffled(self) -> Deals:
        """The deals under their own numbers with their stocks in another order."""
        cards = self.deals.cards.copy()
        stock = cards.shape[1] - self.deals.layout.stock
        for row in cards:
            row[stock:] = shuffled(row[stock:].tolist(), self.dice("stocks"))
        return Deals(self.deals.numbers, cards, self.deals.layout)

    def dice(self, what: str) -> Random:
        """Random numbers for a purpose, the same every time."""
        return Random(f"{what} {self.rules} {self.seed}")  # a text is hashed alike in every process

    def breach(self, place: int, expected: str, came: str) -> Breach:
        """A breach at the deal in this place."""
        return Breach(self.rules, self.seed, int(self.deals.numbers[place]), expected, came)

    def differs(self, came: Outcomes, how: str, places: Sequence[int] | None = None) -> Breach | None:
        """The first of the deals in `places` (None: all) that ends otherwise than at first."""
        for index, place in enumerate(range(len(self.deals)) if places is None else places):
            if came[index] != self.outcomes[place]:
                return self.breach(place, words(self.outcomes[place]), f"{words(came[index])}, {how}")
        return None


def rows(deals: Deals, places: Sequence[int]) -> Deals:
    """Copies of the deals in these places."""
    index = np.array(places, np.intp)
    return Deals(deals.numbers[index], deals.cards[index], deals.layout)


def in_turn(batches: Sequence[Deals]) -> Deals:
    """The first deal of each batch, then the second of each, and so on; all are of one size and layout."""
    numbers = np.stack([deals.numbers for deals in batches], axis=1).reshape(-1)
    cards = np.stack([deals.cards for deals in batches], axis=1)
    return Deals(numbers, cards.reshape(-1, cards.shape[2]), batches[0].layout)


def shuffled(cards: Sequence[int], dice: Random) -> list[Card]:
    """The cards in another order, unless there is none."""
    order = list(cards)
    while len(order) > 1 and order == list(cards):
        dice.shuffle(order)
    return [Card(card) for card in order]


def words(outcome: Outcome) -> str:
    """An outcome in a few words."""
    told = f"{outcome.result}, {standing(outcome.cards_left, outcome.stock_left)}"
    return told if outcome.games is None else f"{told}; {counted(astuple(outcome.games))}"


def standing(cards_left: int, stock_left: int) -> str:
    """What is left, in a few words."""
    return f"{cards_left} left in the columns and {stock_left} in the stock"


def first(look: Callable[[int], Breach | None], count: int) -> Breach | None:
    """The first breach there is among the places 0 to `count` - 1."""
    return next((breach for breach in map(look, range(count)) if breach), None)
