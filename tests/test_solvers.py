"""Solvers by name, and the exact solver and policies behind it."""

import random
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from golf_cli import scoring
from golf_cli.cards import UNSEEN, Card, deck
from golf_cli.deals.deal import Deal, laid_out
from golf_cli.deals.numberings import GO1
from golf_cli.errors import DealError, NumberError, PluginError, SolverError
from golf_cli.game import Game, Status
from golf_cli.rules import PRESETS, Layout, RuleSet
from golf_cli.solvers import registry
from golf_cli.solvers.exact import clearable, solve
from golf_cli.solvers.outcome import Outcome, Outcomes, Result
from golf_cli.solvers.protocol import Deals
from golf_cli.solvers.sampled import solve_samples

RULES = [
    *PRESETS.values(),
    RuleSet.parse("easy,jokers=2"),
    RuleSet.parse("strict,jokers=1"),
    RuleSet.parse("classic,foundation=open"),
    RuleSet.parse("easy,draw=when-stuck"),
]
EXPERT = "expert,candidates=3,samples=4"
POLICIES = [
    "random",
    "leftmost",
    "longest-column",
    "longest-run",
    "keep-options",
    "lookahead",
    "lookahead,depth=1",
    "lookahead,slack=0.75",
    "lookahead,depth=1,slack=1000",
    EXPERT,
]


def random_deal(seed: int, layout: Layout) -> Deal:
    cards = list(deck(layout.jokers))
    random.Random(seed).shuffle(cards)
    return laid_out(cards, layout)


def batch(deals: list[Deal], layout: Layout) -> Deals:
    numbers = np.arange(len(deals), dtype=np.uint64)
    return Deals(numbers, np.array([deal.cards for deal in deals], np.uint8), layout)


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_the_engine_replays_an_exact_line_to_exactly_its_outcome(rules: RuleSet) -> None:
    for seed in range(12):
        deal = random_deal(seed, rules.layout)
        solution = solve(deal, rules)
        game = Game(deal, rules)
        for _ in game.replay(solution.line):
            pass
        assert (game.cards_left, game.strokes) == (solution.cards_left, solution.strokes)
        cleared = solution.result is Result.CLEARED
        assert game.status is (Status.WON if cleared else Status.BLOCKED)
        assert game.stock_left == (solution.stock_left if cleared else 0)


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_a_batch_has_the_outcomes_of_its_deals_one_by_one(rules: RuleSet) -> None:
    deals = [random_deal(seed, rules.layout) for seed in range(6)]
    outcomes = registry.find("exact").solver.prepare(rules, 0)(batch(deals, rules.layout))
    assert isinstance(outcomes, Outcomes)
    for index, deal in enumerate(deals):
        solution = solve(deal, rules)
        assert outcomes[index] == Outcome(solution.result, solution.cards_left, solution.stock_left)


def test_stricter_rules_never_take_fewer_strokes() -> None:
    for number in range(2, 202):
        deal = GO1.deal(number, Layout())
        best = [solve(deal, PRESETS[name]).strokes for name in ("strict", "hard", "classic", "easy")]
        assert None not in best
        assert best == sorted(best, key=lambda strokes: -(strokes or 0)), number


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_whether_a_deal_can_be_cleared_agrees_with_its_best_strokes(rules: RuleSet) -> None:
    for seed in range(12):
        deal = random_deal(seed, rules.layout)
        assert clearable(deal, rules).result is solve(deal, rules).result
    assert clearable(random_deal(0, rules.layout), rules, max_states=1).result is Result.STATE_LIMIT


def test_a_limit_leaves_a_deal_undecided_and_never_gives_a_wrong_answer() -> None:
    rules = PRESETS["classic"]
    kinds = set()
    for seed in range(30):
        deal = random_deal(seed, rules.layout)
        limited, full = solve(deal, rules, max_states=150_000), solve(deal, rules)
        kinds.add(limited.result)
        if limited.result is Result.STATE_LIMIT:
            assert limited.strokes is None
            assert limited.cards_left >= full.cards_left
        else:
            assert limited == full
    assert {Result.STATE_LIMIT, Result.CLEARED} <= kinds


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_the_engine_replays_a_policys_game_to_its_outcome(name: str, rules: RuleSet) -> None:
    deals = [random_deal(seed, rules.layout) for seed in range(2 if name == EXPERT else 20)]
    solver = registry.find(name).solver
    outcomes, line = solver.prepare(rules, 5)(batch(deals, rules.layout)), solver.prepare_line(rules, 5)
    for index, deal in enumerate(deals):
        game = Game(deal, rules)
        for action in line(index, deal):
            game.act(action)
        result = Result.CLEARED if game.status is Status.WON else Result.BLOCKED
        assert game.status is not Status.PLAYING
        assert outcomes[index] == Outcome(result, game.cards_left, game.stock_left)


def test_no_policy_beats_the_exact_solver() -> None:
    for rules in PRESETS.values():
        deals = [random_deal(seed, rules.layout) for seed in range(30)]
        best = [solve(deal, rules).strokes for deal in deals]
        for name in POLICIES:
            played = deals[: 3 if name == EXPERT else None]
            outcomes = registry.find(name).solver.prepare(rules, 0)(batch(played, rules.layout))
            for outcome, strokes in zip(outcomes, best, strict=False):
                assert strokes is not None
                assert (outcome.cards_left or -outcome.stock_left) >= strokes


def test_a_deal_too_large_for_the_search_is_refused() -> None:
    cards = deck()
    wide = Deal(tuple((cards[2 * i], cards[2 * i + 1]) for i in range(16)), cards[40], ())
    with pytest.raises(DealError, match="too large"):
        solve(wide, RuleSet())


UNSEEN_STOCK = GO1.deal(1, Layout())


def with_unseen(deal: Deal, places: int) -> Deal:
    stock = deal.stock[: len(deal.stock) - places] + (UNSEEN,) * places
    return Deal(deal.columns, deal.foundation, stock)


def test_few_unseen_cards_are_solved_in_every_order() -> None:
    whole = random_deal(3, Layout())
    sampled = solve_samples(with_unseen(whole, 3), RuleSet())
    assert (sampled.count, sampled.every_order) == (6, True)
    strokes: dict[int, int] = {}
    for order in permutations(whole.stock[-3:]):
        best = solve(Deal(whole.columns, whole.foundation, whole.stock[:-3] + order), RuleSet()).strokes
        assert best is not None
        strokes[best] = strokes.get(best, 0) + 1
    assert sampled.strokes == dict(sorted(strokes.items()))


def test_sampled_orders_are_the_same_for_the_same_seed_and_prefix() -> None:
    deal = UNSEEN_STOCK
    rules = PRESETS["easy"]
    fifty, hundred = (solve_samples(deal, rules, samples, seed=4) for samples in (50, 100))
    assert not fifty.every_order
    assert hundred.outcomes.results[:50].tolist() == fifty.outcomes.results.tolist()
    assert solve_samples(deal, rules, 50, seed=4).strokes == fifty.strokes
    assert solve_samples(deal, rules, 50, seed=5).outcomes.stock_left.tolist() != fifty.outcomes.stock_left.tolist()


def test_samples_count_undecided_orders_apart() -> None:
    sampled = solve_samples(UNSEEN_STOCK, PRESETS["easy"], 20, max_states=1)
    assert (sampled.count, sampled.undecided, sampled.cleared, sampled.share) == (20, 20, 0, None)
    assert sampled.strokes == {}


def test_samples_and_seeds_out_of_range_are_refused() -> None:
    for samples, seed in ((0, 0), ((1 << 32) + 1, 0), (1, -1), (1, 1 << 32)):
        with pytest.raises(NumberError):
            solve_samples(UNSEEN_STOCK, RuleSet(), samples, seed)


def test_a_solver_is_named_by_one_text_however_it_is_written() -> None:
    assert registry.find(" exact , max-states = 1e6 ".replace(" = ", "=")).text == "exact,max-states=1000000"
    assert registry.find("exact").text == "exact"
    assert registry.find("lookahead,depth=0").text == "lookahead"
    assert registry.find("lookahead,depth=1").text == "lookahead,depth=1"
    assert registry.find("lookahead,slack=0.0").text == "lookahead"
    assert registry.find("lookahead,slack=0.75,depth=0").text == "lookahead,slack=0.75"
    assert registry.find("lookahead,slack=2.0").text == "lookahead,slack=2"
    assert registry.find("plugins:Raises,at=1_0").text == "plugins:Raises,at=10"


def test_every_built_in_solver_says_what_it_is() -> None:
    for name in registry.BUILT_IN:
        solver = registry.find(name).solver
        assert solver.version
        assert solver.summary
        assert solver.compiled
        assert solver.thoughtful == (name in ("exact", "difficulty"))


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("nobody", SolverError, "no solver is called 'nobody': there are exact, random"),
        ("leftmost,depth=3", SolverError, "takes no option 'depth': it takes none"),
        ("lookahead,depth=2", SolverError, "depth=2: '2' is out of range: a depth is from 0 to 1"),
        ("lookahead,slack=-1", SolverError, "slack=-1: '-1' is not a slack: write strokes, to the thousandth"),
        ("lookahead,slack=0.5001", SolverError, "to the thousandth"),
        ("lookahead,slack=0.50", SolverError, "with no zero too many: 0.5"),
        ("lookahead,slack=1000.001", SolverError, "'1000.001' is out of range: a slack is from 0 to 1000 strokes"),
        ("keep-options,depth=1", SolverError, "takes no option 'depth': it takes none"),
        ("exact,depth=3", SolverError, "takes no option 'depth': it takes max-states"),
        ("exact,max-states", SolverError, "is no option"),
        ("exact,max-states=-1", SolverError, "whole number"),
        ("plugins:Raises,depth=3", SolverError, "takes no option 'depth': it takes at"),
        ("nowhere:Nobody", PluginError, "No module named 'nowhere'"),
        ("plugins:Nobody", PluginError, "has no attribute 'Nobody'"),
        ("plugins:FailsToStart", PluginError, "KeyError: 'no such table'"),
        ("plugins:Unprepared", PluginError, "without thoughtful, compiled, batch, prepare"),
        ("plugins:not_a_solver", PluginError, "without version"),
    ],
)
def test_a_solver_that_cannot_be_had_is_told_by_whose_fault(text: str, error: type[SolverError], says: str) -> None:
    with pytest.raises(error, match=says) as caught:
        registry.find(text)
    assert type(caught.value) is error


@settings(max_examples=50)
@given(st.lists(st.tuples(st.sampled_from(Result), st.integers(0, 35), st.integers(0, 16)), max_size=20))
def test_outcomes_hold_what_they_were_made_of(rows: list[tuple[Result, int, int]]) -> None:
    made = [Outcome(*row) for row in rows]
    outcomes = Outcomes.of(made)
    assert [outcomes[index] for index in range(len(outcomes))] == made
    assert outcomes.cleared.tolist() == [row[0] is Result.CLEARED for row in rows]
    assert outcomes.strokes.tolist() == [scoring.strokes(row[1], row[2]) for row in rows]
    assert outcomes.undecided.tolist() == [not row[0].decided for row in rows]


def test_a_batch_of_deals_gives_numbers_and_deals() -> None:
    deals = [random_deal(seed, Layout()) for seed in range(3)]
    assert list(batch(deals, Layout())) == list(enumerate(deals))
    assert isinstance(deals[0].columns[0][0], Card)
