"""The promises that are seen from outcomes."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from math import comb
from threading import Barrier
from typing import Final

import numpy as np

from golf_cli.cards import Card
from golf_cli.conformance.elsewhere import played_elsewhere
from golf_cli.conformance.report import Breach
from golf_cli.conformance.subject import Case, RulesRefused, first, in_turn, rows, words
from golf_cli.conformance.trial import Look, Trial
from golf_cli.deals.numbers import LAST_U64
from golf_cli.rules import PRESETS
from golf_cli.solvers.outcome import Outcomes, Result
from golf_cli.solvers.protocol import Deals
from golf_cli.wording import counted

THREADS: Final = 4
ROUNDS: Final = 3

FEW: Final = 8
"""Deals that are enough to disturb a solver, or to see whether it plays at all."""

CHANCE: Final = 1e-6
"""How unlikely it has to be that a player who does not know the stock gains so much by its own order."""

LARGE: Final = (1 << 32, (1 << 32) + 1, (1 << 35) - 1, 1 << 53 | 1, 1 << 63, LAST_U64)
"""Numbers that do not fit 32 bits, a signed number, or a fraction of 64 bits."""

_ATTRIBUTES: Final = ("version", "summary", "thoughtful", "compiled", "batch")


def attributes(trial: Trial) -> Look:
    """What the registry does not look at when it loads a solver: truth values, and whether they stay."""
    solver, again = trial.subject.named.solver, trial.subject.again().named.solver
    for name in ("thoughtful", "compiled"):
        value = getattr(solver, name)
        if type(value) is not bool:
            return _outside(f"{name} is True or False", f"{name} is {value!r}")
    for name in _ATTRIBUTES:
        value, later = getattr(solver, name), getattr(again, name)
        if value != later:
            return _outside(f"{name} is {value!r} again when it is made again", f"{name} is {later!r}")
    return None


def _outside(expected: str, came: str) -> Breach:
    return Breach(None, 0, None, expected, came)


def arrays(case: Case) -> Look:
    """Numbers and cards are as before once they were played."""
    given = rows(case.deals, range(len(case.deals)))
    case.player.answer(given)
    for place, column in np.argwhere(given.cards != case.deals.cards).tolist():
        before, after = (Card(deals.cards[place, column]) for deals in (case.deals, given))
        return case.breach(place, f"card {column + 1} of its row stays {before}", f"{after} once it was played")
    for place in np.flatnonzero(given.numbers != case.deals.numbers).tolist():
        number = int(case.deals.numbers[place])
        return case.breach(place, f"its number stays {number}", f"{given.numbers[place]} once it was played")
    return None


def same_twice(case: Case) -> Look:
    """The same deals again, by the same prepared solver and prepared anew; the same lines again, too."""
    anew = case.subject.prepared(case.rules, case.seed)
    for player, how in (
        (case.player, "when played again"),
        (case.player, "when played once more"),
        (anew, "when prepared and played again"),
    ):
        breach = case.differs(player(case.deals), how)
        if breach:
            return breach
    return _same_lines(case) if case.subject.shows_lines else None


def _same_lines(case: Case) -> Breach | None:
    for place, (number, deal) in enumerate(case.deals):
        line, again = case.line(number, deal), case.line(number, deal)
        if line != again:
            return case.breach(place, f"the same {len(line)} actions again", "another line when asked again")
    return None


def fresh_instance(case: Case) -> Look:
    """Two more instances, made with the same options."""
    for _ in range(2):
        again = case.subject.again().prepared(case.rules, case.seed)
        breach = case.differs(again(case.deals), "when the solver is made again")
        if breach:
            return breach
    return None


def fresh_process(trial: Trial) -> Look:
    """Two new processes with other hashes: the deals, and the deals with other stocks."""
    cases = trial.cases
    # The other stocks come first there, and second here: an answer kept by a deal's number shows.
    jobs = [(case.rules, case.seed, deals) for case in cases for deals in (case.reshuffled, case.deals)]
    here = [case.subject.again().prepared(case.rules, case.seed)(case.reshuffled) for case in cases]
    for answers in played_elsewhere(trial.subject.named.text, jobs):
        for case, other, strange, own in zip(cases, here, answers[::2], answers[1::2], strict=True):
            breach = case.differs(case.player.sound(own, case.deals), "in a new process")
            breach = breach or _differs_reshuffled(
                case, other, case.player.sound(strange, case.reshuffled), "in a new process"
            )
            if breach:
                return breach
    return None


def _differs_reshuffled(case: Case, expected: Outcomes, came: Outcomes, how: str) -> Breach | None:
    def look(place: int) -> Breach | None:
        if expected[place] == came[place]:
            return None
        return case.breach(
            place, f"{words(expected[place])}, with its stock shuffled anew", f"{words(came[place])}, {how}"
        )

    return first(look, len(case.deals))


def batches(case: Case) -> Look:
    """Cut, turned round and mixed in other ways, and after the same numbers with other cards."""
    for how, parts in _ways(len(case.deals), case):
        for places in filter(None, parts):
            breach = case.differs(case.player(rows(case.deals, places)), how, places)
            if breach:
                return breach
    among = case.player(in_turn([case.deals, case.strangers, case.reshuffled]))
    own = range(0, len(among), 3)
    breach = case.differs(among.at(own), "among other deals and other stocks under the same numbers")
    unspoilt = case.subject.again().prepared(case.rules, case.seed)(case.reshuffled)
    how = "when its number was played before with the stock in another order"
    return breach or _differs_reshuffled(case, unspoilt, case.player(case.reshuffled), how)


def _ways(count: int, case: Case) -> Iterator[tuple[str, list[list[int]]]]:
    places = list(range(count))
    yield "when played one by one", [[place] for place in places]
    yield "when played in halves", [places[: count // 2], places[count // 2 :]]
    yield "when played from the last deal to the first", [places[::-1]]
    order = places.copy()
    case.dice("order").shuffle(order)
    yield "when played in another order, seven at a time", [order[start : start + 7] for start in range(0, count, 7)]


def other_rules(case: Case) -> Look:
    """What was prepared before plays as before once another seed, and then other rules, were prepared and played."""
    count = min(len(case.deals), FEW)
    others = [(case.rules, case.seed ^ 1), *((rules, case.seed) for rules in PRESETS.values() if rules != case.rules)]
    for rules, seed in others:
        with suppress(RulesRefused):
            Case.of(case.subject, rules, seed, count)
        breach = case.differs(case.player(case.deals), f"once it played {rules} with the seed {seed}")
        if breach:
            return breach
    return None


def threads(case: Case) -> Look:
    """All the deals in each of several threads at once, in each from another deal on."""
    if not case.subject.named.solver.compiled:
        return "it is not compiled, and so never played in threads"
    count = len(case.deals)
    turned = [list(np.roll(range(count), -count * thread // THREADS)) for thread in range(THREADS)]
    start = Barrier(THREADS)

    def play(places: list[int]) -> Outcomes:
        deals = rows(case.deals, places)
        start.wait()
        return case.player(deals)

    with ThreadPoolExecutor(THREADS) as pool:
        for _ in range(ROUNDS):
            for places, outcomes in zip(turned, list(pool.map(play, turned)), strict=True):
                breach = case.differs(outcomes, f"when {THREADS} threads play at once", places)
                if breach:
                    return breach
    return None


def large_numbers(case: Case) -> Look:
    """Numbers beyond 32 bits end the same alone and among others, and the largest seed is taken."""
    count = min(len(case.deals), len(LARGE))
    few = rows(case.deals, range(count))
    large = Deals(np.array(LARGE[:count], np.uint64), few.cards, few.layout)
    alone = [case.player(rows(large, [place]))[0] for place in range(count)]
    mixed = case.player(in_turn([few, large]))
    case.subject.prepared(case.rules, LAST_U64)(large)
    for place in range(count):
        for index, expected, number in (
            (2 * place, case.outcomes[place], int(few.numbers[place])),
            (2 * place + 1, alone[place], LARGE[place]),
        ):
            if mixed[index] != expected:
                came = f"{words(mixed[index])}, when numbers up to 2^64 - 1 are in one batch"
                return Breach(case.rules, case.seed, number, words(expected), came)
    return None


def best_possible(case: Case) -> Look:
    """No outcome is better than the exact solver's, nor has an undecided deal fewer cards left than it can have."""

    def look(place: int) -> Breach | None:
        outcome, best = case.outcomes[place], case.best[place]
        if outcome.result.decided:
            better = case.outcomes.strokes[place] < case.best.strokes[place]
        else:
            better = outcome.cards_left < best.cards_left
        return case.breach(place, f"no better than {words(best)}", words(outcome)) if better else None

    return first(look, len(case.deals))


def proofs(case: Case) -> Look:
    """What is called not clearable is, and the cards left are the fewest; only who knows the stock can tell."""
    proved = [place for place in range(len(case.deals)) if case.outcomes[place].result is Result.NOT_CLEARABLE]
    if not proved:
        return "it called no deal not clearable"
    if not case.subject.named.solver.thoughtful:
        return case.breach(
            proved[0], "blocked, as it says that it does not look at the stock", words(case.outcomes[proved[0]])
        )

    def look(index: int) -> Breach | None:
        place = proved[index]
        outcome, best = case.outcomes[place], case.best[place]
        refuted = outcome.cards_left > best.cards_left
        return case.breach(place, f"no proof against {words(best)}", words(outcome)) if refuted else None

    return first(look, len(proved))


def no_oracle(trial: Trial) -> Look:
    """Whether deals end better with the stock that belongs to their number than with it shuffled anew.

    To a player who does not see the stock all orders are alike, so that of the deals whose strokes differ each is as
    likely to end better with the one as with the other: a sign test over all cases.
    """
    if trial.subject.named.solver.thoughtful:
        return "it is thoughtful, and may know the stock"
    better = differing = 0
    for case in trial.cases:
        other = case.player(case.reshuffled)
        decided = ~(case.outcomes.undecided | other.undecided)
        own, strange = case.outcomes.strokes[decided], other.strokes[decided]
        better += int((own < strange).sum())
        differing += int((own != strange).sum())
    if 0.5**differing > CHANCE:
        return f"only {counted(differing, 'deal')} to end otherwise with another stock: give more deals"
    if sum(comb(differing, count) for count in range(better, differing + 1)) > CHANCE * 2**differing:
        return None
    return trial.cases[0].breach(
        0,
        f"of {differing} deals that end otherwise with another stock, about half better with that of their number",
        f"{better} better: it finds the stock by the number",
    )
