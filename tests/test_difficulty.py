"""Many games of a deal: laid out and counted as described, with nothing known of the stock."""

from collections.abc import Sequence
from dataclasses import astuple, replace
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_difficulty import counted, laid_out
from naive_playout import RULES
from numpy.typing import NDArray

from golf_cli.conformance.check import assert_promises
from golf_cli.deals.deal import laid_out as deal_of
from golf_cli.deals.numbers import LAST_U64
from golf_cli.errors import PluginError, SolverError
from golf_cli.game import Game, Status
from golf_cli.kernels.variations import vary_rows
from golf_cli.rules import PRESETS, RuleSet
from golf_cli.solvers import difficulty, registry
from golf_cli.solvers.outcome import Games, Outcomes
from golf_cli.solvers.policies import Lookahead
from golf_cli.solvers.protocol import Deals
from golf_cli.sweep.dealing import deal_interval
from golf_cli.sweep.plan import Interval, Task
from golf_cli.sweep.playing import play_interval

VARY = ("orders", "ties", "both")
FAST = "max-states=1"
"""Where the best strokes are not looked at: they are left undecided."""


def play(text: str, deals: Deals, rules: RuleSet, seed: int = 0) -> Outcomes:
    outcomes = registry.find(text).solver.prepare(rules, seed)(deals)
    assert isinstance(outcomes, Outcomes)
    return outcomes


def games(outcomes: Outcomes) -> list[Games]:
    assert outcomes.games is not None
    return [outcomes.games[place] for place in range(len(outcomes))]


def dealt(rules: RuleSet, count: int, first: int = 0) -> Deals:
    return deal_interval("go1", Interval(first, first + count), rules.layout)


def with_stock(deals: Deals, order: Sequence[int]) -> Deals:
    """The deals with the cards of each stock in another order."""
    start = deals.cards.shape[1] - deals.layout.stock
    cards = np.hstack([deals.cards[:, :start], deals.cards[:, start:][:, order]])
    return replace(deals, cards=np.ascontiguousarray(cards))


@settings(max_examples=60)
@given(
    columns=st.integers(0, 8),
    depth=st.integers(0, 5),
    stock=st.integers(0, 18),
    dealt=st.booleans(),
    number=st.integers(0, LAST_U64),
    seed=st.sampled_from([0, 1, LAST_U64]),
    vary=st.sampled_from(VARY),
    dice=st.randoms(),
)
def test_games_are_laid_out_as_described(
    columns: int, depth: int, stock: int, dealt: bool, number: int, seed: int, vary: str, dice: Random
) -> None:
    cards = [dice.randrange(54) for _ in range(columns * depth + dealt + stock)]
    heights = np.full(columns, depth, np.uint8)
    row = np.array([cards, cards[::-1]], np.uint8)
    wanted = [0, 1, 7]
    rows, numbers = vary_rows(
        row,
        np.array([number, number ^ 1], np.uint64),
        heights,
        stock,
        seed,
        np.zeros(3, np.uint64),
        np.array(wanted, np.uint64),
        vary != "orders",
        vary != "ties",
    )
    piles = [cards[start : start + depth] for start in range(0, columns * depth, depth)] if depth else [[]] * columns
    top = cards[columns * depth : columns * depth + dealt]
    rest = cards[columns * depth + dealt :]
    for game, came, own in zip(wanted, rows.tolist(), numbers.tolist(), strict=True):
        assert (came, own) == laid_out(piles, top, rest, number, seed, game, vary)


def test_columns_of_different_heights_do_not_change_places() -> None:
    none: NDArray[np.uint64] = np.zeros(0, np.uint64)
    with pytest.raises(ValueError, match=r"columns of \[2, 1\] cards cannot change places"):
        vary_rows(np.zeros((0, 3), np.uint8), none, np.array([2, 1], np.uint8), 0, 0, none, none, True, False)


@pytest.mark.parametrize("vary", VARY)
@pytest.mark.parametrize("policy", ["random", "leftmost", "longest-column", "longest-run"])
@pytest.mark.parametrize(
    ("rules", "seed"), [("easy", 0), ("classic", 7), ("hard,jokers=2", LAST_U64), ("easy,foundation=open", 1)]
)
def test_the_counts_are_those_of_games_played_in_plain_python(rules: str, seed: int, policy: str, vary: str) -> None:
    played = RuleSet.parse(rules)
    deals = dealt(played, 6, first=100)
    came = games(play(f"difficulty,policy={policy},games=9,vary={vary},{FAST}", deals, played, seed))
    allowed = RULES[rules.partition(",")[0]]
    open_foundation = played.layout.open_foundation
    for number, row, counts in zip(deals.numbers.tolist(), deals.cards.tolist(), came, strict=True):
        assert counts == counted(policy, row, not open_foundation, allowed, number, seed, vary, 9)


@pytest.mark.parametrize("vary", VARY)
@pytest.mark.parametrize("preset", PRESETS)
def test_the_games_counted_are_those_whose_lines_the_engine_replays(preset: str, vary: str) -> None:
    rules = PRESETS[preset]
    deals = dealt(rules, 8)
    line = Lookahead().prepare_line(rules, 0)
    ties, orders = vary != "orders", vary != "ties"
    places, numbers = np.divmod(np.arange(8 * 5, dtype=np.uint64), np.uint64(5))
    rows, _ = vary_rows(deals.cards, deals.numbers, deals.heights, 16, 0, places, numbers, ties, orders)
    scores: list[list[int]] = [[] for _ in range(8)]
    for place, row in zip(places.tolist(), rows.tolist(), strict=True):
        deal = deal_of(row, deals.layout)
        game = Game(deal, rules)
        list(game.replay(line(0, deal)))
        assert game.status in (Status.WON, Status.BLOCKED)
        scores[place].append(game.cards_left or -game.stock_left)
    came = games(play(f"difficulty,games=5,vary={vary}", deals, rules))
    assert came == [
        Games(5, sum(score <= 0 for score in each), sum(each), sum(score**2 for score in each)) for each in scores
    ]


@pytest.mark.parametrize("policy", ["lookahead", "random", "plugins:Rightmost"])
@given(order=st.permutations(range(16)))
@settings(max_examples=8)
def test_nothing_of_the_games_over_orders_depends_on_the_order_of_the_stock(policy: str, order: list[int]) -> None:
    deals = dealt(PRESETS["classic"], 12)
    text = f"difficulty,policy={policy},games=8,vary=orders,{FAST}"
    assert games(play(text, with_stock(deals, order), PRESETS["classic"])) == games(
        play(text, deals, PRESETS["classic"])
    )


def test_the_best_strokes_and_the_games_over_ties_are_of_the_deals_own_order() -> None:
    rules = PRESETS["easy"]
    deals = dealt(rules, 12)
    turned = with_stock(deals, range(16)[::-1])
    for text, same in (("vary=orders", True), ("vary=ties", False)):
        one, other = (play(f"difficulty,{text},games=8", each, rules) for each in (deals, turned))
        assert (games(one) == games(other)) is same
        assert one.strokes.tolist() == play("exact", deals, rules).strokes.tolist()
        assert one.strokes.tolist() != other.strokes.tolist()


def test_no_game_in_the_deals_own_order_is_better_than_the_best() -> None:
    for rules in PRESETS.values():
        outcomes = play("difficulty,vary=ties,games=16", dealt(rules, 40), rules)
        for outcome, strokes in zip(games(outcomes), outcomes.strokes.tolist(), strict=True):
            assert outcome.strokes >= strokes * outcome.games
            assert outcome.cleared == 0 or strokes <= 0
        assert sum(outcome.cleared for outcome in games(outcomes)) > 0


def test_the_games_of_many_deals_are_cleared_as_often_as_deals_are() -> None:
    rules = PRESETS["easy"]
    deals = dealt(rules, 4000)
    rate = play("leftmost", deals, rules).cleared.mean()
    assert rate > 0.05
    for vary in VARY:
        shares = np.array(
            [
                each.cleared / each.games
                for each in games(play(f"difficulty,policy=leftmost,games=16,vary={vary},{FAST}", deals, rules))
            ]
        )
        assert abs(shares.mean() - rate) < 4 * np.sqrt(rate * (1 - rate) / len(deals))


def test_each_game_is_another_one() -> None:
    for policy, vary in (("leftmost", "ties"), ("leftmost", "orders"), ("random", "ties")):
        outcomes = play(
            f"difficulty,policy={policy},games=32,vary={vary},{FAST}", dealt(PRESETS["classic"], 20), PRESETS["classic"]
        )
        spread = [each.games * each.strokes_squared - each.strokes**2 for each in games(outcomes)]
        assert sum(map(bool, spread)) >= 18


def test_counts_do_not_depend_on_how_games_are_laid_out_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    deals = dealt(PRESETS["classic"], 9)
    text = f"difficulty,policy=random,games=10,{FAST}"
    whole = games(play(text, deals, PRESETS["classic"]))
    for block in (1, 7, 10, 64):
        monkeypatch.setattr(difficulty, "BLOCK", block)
        assert games(play(text, deals, PRESETS["classic"])) == whole


def test_other_seeds_are_other_games() -> None:
    deals = dealt(PRESETS["classic"], 20)
    seeds = [
        games(play(f"difficulty,policy=leftmost,games=8,{FAST}", deals, PRESETS["classic"], seed)) for seed in range(3)
    ]
    assert all(one != other for one, other in pairwise(seeds))


def test_games_are_counted_of_deals_whose_best_strokes_are_left_undecided() -> None:
    deals = dealt(PRESETS["classic"], 20)
    limited, whole = (
        play(f"difficulty,games=8{limit}", deals, PRESETS["classic"]) for limit in (",max-states=10000", "")
    )
    assert 0 < limited.undecided.sum() < 20
    assert games(limited) == games(whole)
    assert not whole.undecided.any()


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("difficulty", "difficulty"),
        ("difficulty,policy=lookahead,games=64,vary=orders,max-states=0,depth=0", "difficulty"),
        ("difficulty,vary=ties,games=1e2", "difficulty,games=100,vary=ties"),
        ("difficulty,depth=1", "difficulty,depth=1"),
        ("difficulty,policy=random,max-states=5", "difficulty,max-states=5,policy=random"),
        ("difficulty,policy=expert,samples=8,games=2,objective=strokes", "difficulty,games=2,policy=expert,samples=8"),
        (
            "difficulty,policy=faulty_plugins:WithAnyOptions,wit=none",
            "difficulty,policy=faulty_plugins:WithAnyOptions,wit=none",
        ),
    ],
)
def test_there_is_one_text_for_it_and_its_policy(written: str, text: str) -> None:
    assert registry.find(written).text == text
    assert registry.find(text).text == text


def test_its_version_holds_those_of_the_solvers_it_plays_by() -> None:
    class Later(Lookahead):
        version = "later"

    solver = difficulty.Difficulty()
    before = solver.version
    solver.policy = replace(solver.policy, solver=Later())
    assert before != solver.version == before.replace("policy 1", "policy later")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("difficulty,policy=exact", "exact looks at the stock, which people cannot"),
        ("difficulty,policy=difficulty", "difficulty looks at the stock"),
        ("difficulty,policy=nobody", "no solver is called 'nobody'"),
        ("difficulty,policy=leftmost,depth=1", "the solver leftmost takes no option 'depth'"),
        ("difficulty,depth=7", "depth=7"),
        ("difficulty,games=0", "a number of games is from 1 to 1000000"),
        ("difficulty,games=1000001", "a number of games is from 1 to 1000000"),
        ("difficulty,games=many", "'many' is not a number of games"),
        ("difficulty,vary=nothing", "cannot vary 'nothing': give orders, ties, both"),
        ("difficulty,max-states=-1", "max-states=-1"),
    ],
)
def test_options_that_say_nothing_are_refused(text: str, told: str) -> None:
    with pytest.raises(SolverError, match=told):
        registry.find(text)


def test_a_policy_from_outside_golf_is_played_and_blamed_as_such() -> None:
    def played(policy: str) -> Outcomes:
        text = f"difficulty,policy={policy},games=4"
        named = registry.find(text)
        assert (named.built_in, named.solver.compiled, named.solver.thoughtful) == (False, False, True)
        return play_interval(Task.of("go1", PRESETS["easy"], text), Interval(10, 13))

    assert [astuple(each)[0] for each in games(played("plugins:Rightmost"))] == [4, 4, 4]
    with pytest.raises(
        PluginError, match=r"policy=plugins:TooFew failed on the deals 10\.\.12 of go1: .* for 12 deals"
    ):
        played("plugins:TooFew")
    with pytest.raises(PluginError, match="left for deal 10: no game ends so"):
        played("plugins:StopsEarly")
    with pytest.raises(PluginError, match="the policy plugins:GivesUp left game 0 of deal 10 undecided"):
        played("plugins:GivesUp")


@pytest.mark.parametrize("preset", PRESETS)
def test_its_outcomes_are_those_of_the_exact_solver(preset: str) -> None:
    rules = PRESETS[preset]
    deals = dealt(rules, 30)
    for limit in ("0", "5000"):
        exact = play(f"exact,max-states={limit}", deals, rules)
        came = play(f"difficulty,games=1,max-states={limit}", deals, rules)
        assert not Outcomes.of_columns(came.columns[:3]).unlike(exact).any()


@pytest.mark.parametrize("text", ["difficulty,games=3", "difficulty,policy=plugins:Rightmost,games=2,vary=both"])
def test_it_keeps_what_golf_asks_of_solvers(text: str) -> None:
    assert_promises(text, deals=4, rules=[PRESETS["easy"]])
