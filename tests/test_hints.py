"""Values of actions and hints, held against a search and a walk in plain Python that share no code with them."""

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from naive_playout import RULES as NAIVE_RULES
from naive_search import best_end

from golf_cli.cards import UNSEEN, Card, deck, parse_cards
from golf_cli.deals.deal import Deal, laid_out
from golf_cli.deals.numberings import GO1
from golf_cli.errors import DealError, NumberError
from golf_cli.game import DRAW, Action, Game, Status
from golf_cli.rules import PRESETS, Layout, RuleSet
from golf_cli.solvers.choices import Choice, choices, run_opened
from golf_cli.solvers.exact import solve
from golf_cli.solvers.hints import Claim, Hint, hint, hint_record, hint_text
from golf_cli.solvers.sampled import solve_samples, stock_orders

OPEN = 14
Columns = tuple[tuple[int, ...], ...]
Worth = tuple[int, int]


def small_game(seed: int, name: str) -> Game:
    """A few random cards in four columns, a stock of at most six, now and then a joker or an open foundation."""
    chance = random.Random(seed)
    cards = chance.sample(deck(chance.choice((0, 0, 2))), 4 * 3 + 1 + 6)
    columns = tuple(tuple(cards[3 * i : 3 * i + chance.randint(0, 3)]) for i in range(4))
    foundation = None if chance.random() < 0.1 else cards[12]
    return Game(Deal(columns, foundation, tuple(cards[13 : 13 + chance.randint(0, 6)])), PRESETS[name])


def late_game(seed: int, name: str, unseen: int) -> Game:
    """A whole deal whose last stock cards nobody has seen, after a random game up to the draw of the last card seen."""
    chance = random.Random(seed)
    cards = list(deck())
    chance.shuffle(cards)
    whole = laid_out(cards, Layout())
    game = Game(Deal(whole.columns, whole.foundation, whole.stock[:-unseen] + (UNSEEN,) * unseen), PRESETS[name])
    while game.stock_left > unseen and (actions := game.legal_actions()):
        plays = [action for action in actions if action != DRAW]
        game.act(chance.choice(plays or actions))
    return game


def ends_of_games(name: str, numbers: Iterable[int]) -> Iterator[Game]:
    """Every position with two to ten cards left of whole deals that are played by hints."""
    for number in numbers:
        game = Game(GO1.deal(number), PRESETS[name])
        while given := hint(game):
            if 2 <= game.cards_left <= 10:
                yield Game(game.left, game.rules)
            game.act(given.choice.step.action)


def ranks(cards: Sequence[Card]) -> list[int]:
    return [card >> 2 for card in cards]


def naive_choices(game: Game, name: str, orders: Sequence[Sequence[int]]) -> dict[int | None, Worth]:
    """What every legal action is worth: minus the orders it clears, then the strokes of all orders together."""
    allowed, strict = NAIVE_RULES[name], name == "strict"
    columns = [ranks(column) for column in game.columns]
    top = OPEN if game.top is None else game.top >> 2
    if not any(columns):
        return {}
    playable = [i for i, column in enumerate(columns) if column and allowed(column[-1], top)]
    worths = {}
    for action in [*playable, *([None] if game.stock_left and not (strict and playable) else [])]:
        cleared = strokes = 0
        for order in orders:
            unseen = iter(order)
            stock = [next(unseen) >> 2 if card == UNSEEN else card >> 2 for card in game.deal.stock[game.drawn :]]
            after = [list(column) for column in columns]
            new_top = stock.pop(0) if action is None else after[action].pop()
            won, left = best_end(after, new_top, stock, allowed, strict)
            cleared += won
            strokes += -left if won else left
        worths[action] = (-cleared, strokes)
    return worths


def naive_run(columns: Columns, top: int, name: str) -> int:
    """The most cards that can be played in a row from here without a draw."""
    allowed = NAIVE_RULES[name]

    @cache
    def longest(columns: Columns, top: int) -> int:
        return max(
            (
                1 + longest((*columns[:i], column[:-1], *columns[i + 1 :]), column[-1])
                for i, column in enumerate(columns)
                if column and allowed(column[-1], top)
            ),
            default=0,
        )

    return longest(columns, top)


def naive_runs(game: Game, name: str, plays: Sequence[int]) -> dict[int, int]:
    columns = tuple(tuple(ranks(column)) for column in game.columns)
    return {
        play: 1 + naive_run((*columns[:play], columns[play][:-1], *columns[play + 1 :]), columns[play][-1], name)
        for play in plays
    }


def column_of(choice: Choice) -> int | None:
    return choice.step.action.column


def check(game: Game, name: str, given: Hint, worths: dict[int | None, Worth]) -> None:
    """A hint gives the right values, takes the right action, and claims nothing that is not so."""
    assert {column_of(choice): choice.worth for choice in given.choices} == worths
    taken = column_of(given.choice)
    best = worths[taken]
    assert best == min(worths.values())
    equals = [action for action, worth in worths.items() if worth == best]
    others = {action: worth for action, worth in worths.items() if action != taken}
    runs = naive_runs(game, name, [action for action in equals if action is not None])
    if taken is None:
        assert equals == [None]
    else:
        assert taken == min(play for play, run in runs.items() if run == max(runs.values()))
    numbers = [int(number) for number in re.findall(r"(?<![A-Z0-9])\d+(?![A-Z0-9])", given.reason)]
    cards = [Card.parse(word) for word in re.findall(r"\b(?:[A2-9TJQK][CDHS]|X[12])\b", given.reason)]
    clearable = best[0] == -given.choice.orders
    assert (taken is None) == (given.choice.step.action == DRAW)
    match given.claim:
        case Claim.ONLY_LEGAL:
            assert not others
        case Claim.ONLY_CLEARABLE:
            assert clearable
            assert others
            assert all(cleared == 0 for cleared, _ in others.values())
            assert ("every play" in given.reason) == (taken is None)
        case Claim.FEWEST_STROKES:
            assert numbers == [min(strokes for _, strokes in others.values()) - best[1]]
            assert numbers[0] > 0
            assert ("stroke" in given.reason) == clearable
            assert ("card" in given.reason) == (not clearable)
            assert clearable or all(cleared == 0 for cleared, _ in worths.values())
        case Claim.MOST_ORDERS:
            next_most = max(-cleared for cleared, _ in others.values())
            assert numbers == [-best[0], given.choice.orders, next_most]
            assert next_most < -best[0]
        case Claim.FEWEST_STROKES_IN_ORDERS:
            assert min(cleared for cleared, _ in others.values()) == best[0]
            assert numbers == [min(strokes for cleared, strokes in others.values() if cleared == best[0]) - best[1]]
            assert numbers[0] > 0
        case _:
            assert taken is not None
            check_preference(game, name, given.claim, taken, equals, runs, numbers, cards)


def check_preference(
    game: Game,
    name: str,
    claim: Claim,
    taken: int,
    equals: list[int | None],
    runs: dict[int, int],
    numbers: list[int],
    cards: list[Card],
) -> None:
    """What is said of one of several equally good plays."""
    assert len(equals) > 1
    allowed = NAIVE_RULES[name]
    after = [list(column) for column in game.columns]
    played = after[taken].pop()
    match claim:
        case Claim.LONGEST_RUN:
            assert numbers == [len(equals), runs[taken]]
            assert [play for play, run in runs.items() if run >= runs[taken]] == [taken]
            assert len(runs) > 1
        case Claim.UNCOVERS_NEXT:
            assert cards == [after[taken][-1], played]
            assert [column[-1] for column in after if column and allowed(column[-1] >> 2, played >> 2)] == cards[:1]
        case Claim.UNCOVERS_FOR_STOCK:
            uncovered, drawn = cards
            assert uncovered == after[taken][-1]
            assert drawn in (*game.deal.stock[game.drawn :], *game.deal.unseen)
            fitting = [card for column in after for card in column if allowed(card >> 2, drawn >> 2)]
            assert fitting == [uncovered]
        case Claim.DRAW_NO_BETTER:
            assert set(equals) == {taken, None}
        case Claim.LEFTMOST:
            alike = [play for play, run in runs.items() if run == runs[taken]]
            assert numbers == [len(alike), runs[taken]]
            assert len(alike) > 1
            assert taken == min(alike)
        case _:
            pytest.fail(f"no reason is called {claim}")


def test_a_hint_of_known_cards_claims_nothing_that_is_not_so() -> None:
    claims = set()
    for name in PRESETS:
        for game in [*(small_game(seed, name) for seed in range(300)), *ends_of_games(name, range(40, 52))]:
            given = hint(game)
            worths = naive_choices(game, name, [()])
            assert (given is None) == (not worths)
            if given is not None:
                check(game, name, given, worths)
                claims.add((given.claim, given.choice.step.action.is_draw, given.choice.clearable))
    assert {claim for claim, _, _ in claims} == set(Claim) - {Claim.MOST_ORDERS, Claim.FEWEST_STROKES_IN_ORDERS}
    for claim in (Claim.ONLY_CLEARABLE, Claim.FEWEST_STROKES):
        assert {draw for each, draw, _ in claims if each is claim} == {True, False}
    assert {clearable for each, _, clearable in claims if each is Claim.FEWEST_STROKES} == {True, False}


def test_a_hint_of_unseen_cards_claims_nothing_that_is_not_so() -> None:
    claims = set()
    for name in PRESETS:
        for seed in range(40):
            game = late_game(seed, name, unseen=3)
            given = hint(game, samples=6)
            assert given is not None
            assert given.every_order
            orders = [order for block in stock_orders(game.deal.unseen, 6, 0) for order in block.tolist()]
            check(game, name, given, naive_choices(game, name, orders))
            claims.add((given.claim, given.choice.step.action.is_draw))
    assert claims >= {(claim, False) for claim in (Claim.MOST_ORDERS, Claim.FEWEST_STROKES_IN_ORDERS)}
    assert claims & {(claim, True) for claim in (Claim.MOST_ORDERS, Claim.FEWEST_STROKES_IN_ORDERS)}
    assert not {claim for claim, _ in claims} & {Claim.ONLY_CLEARABLE, Claim.FEWEST_STROKES}


def test_values_are_those_of_the_positions_after_the_actions() -> None:
    for name, rules in PRESETS.items():
        for number in (5, 6, 7):
            game = Game(GO1.deal(number), rules)
            for choice in choices(game):
                after = Game(game.deal, rules)
                after.act(choice.step.action)
                assert choice.strokes == solve(after.left, rules).strokes, (name, number, str(choice.step))
            assert [choice.step.action for choice in choices(game)] == game.legal_actions()


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("number", [2, 3, 4, 8, 33])
def test_a_game_played_by_hints_ends_with_the_best_strokes(name: str, number: int) -> None:
    game = Game(GO1.deal(number), PRESETS[name])
    best = solve(game.deal, game.rules).strokes
    while given := hint(game):
        assert given.choice.strokes == best
        game.act(given.choice.step.action)
    assert game.strokes == best
    assert game.status is not Status.PLAYING


def test_the_game_is_left_as_it_is() -> None:
    game = Game(GO1.deal(1), PRESETS["easy"])
    game.draw()
    before = (game.left, game.moves, game.drawn)
    hint(game, samples=3)
    assert (game.left, game.moves, game.drawn) == before


def test_a_run_is_the_most_cards_that_can_be_played_in_a_row() -> None:
    lengths = set()
    for name in PRESETS:
        for seed in range(60):
            game = small_game(seed, name)
            plays = [action.column for action in game.legal_actions() if action.column is not None]
            found = {play: run_opened(game, play) for play in plays}
            assert found == naive_runs(game, name, plays)
            lengths |= set(found.values())
    assert lengths >= {1, 2, 3, 4}
    assert run_opened(game, None) == 0


class TestUnseenCards:
    def test_the_actions_are_solved_in_the_orders_that_are_sampled(self) -> None:
        game = Game(GO1.deal(1), PRESETS["easy"])
        (only,) = choices(game, samples=40, seed=7)
        sampled = solve_samples(game.deal, game.rules, 40, 7)
        assert only.step.action == DRAW
        assert (only.orders, only.cleared) == (sampled.count, sampled.cleared)
        assert only.strokes == sum(strokes * orders for strokes, orders in sampled.strokes.items())

    def test_every_action_is_solved_in_the_same_orders(self) -> None:
        game = late_game(2, "easy", unseen=5)
        game = Game(game.deal, game.rules)
        for action in (DRAW, DRAW, DRAW):
            game.act(action)
        orders = np.concatenate(list(stock_orders(game.deal.unseen, 10, 3)))
        expected: dict[Action, Worth] = {}
        for order in orders:
            seen = Game(game.deal.with_unseen(map(Card, order.tolist())), game.rules)
            for _ in range(game.drawn):
                seen.draw()
            for action in seen.legal_actions():
                after = Game(seen.left, game.rules)
                after.act(action)
                strokes = solve(after.left, game.rules).strokes
                assert strokes is not None
                cleared, total = expected.get(action, (0, 0))
                expected[action] = (cleared - (strokes <= 0), total + strokes)
        found = choices(game, samples=10, seed=3)
        assert {choice.step.action: choice.worth for choice in found} == expected
        assert {choice.orders for choice in found} == {10}
        assert len(found) > 1

    def test_a_draw_of_an_unseen_card_is_an_action_whose_card_is_not_known(self) -> None:
        game = Game(GO1.deal(1), PRESETS["easy"])
        game.draw()
        *plays, draw = choices(game, samples=5)
        assert (draw.step.action, draw.step.card) == (DRAW, UNSEEN)
        assert [str(choice.step) for choice in plays] == ["play 9C from column 5"]

    def test_strict_rules_draw_it_only_when_nothing_fits(self) -> None:
        game = Game(GO1.deal(1), PRESETS["strict"])
        game.draw()
        assert [str(choice.step) for choice in choices(game, samples=5)] == ["play 9C from column 5"]

    def test_one_unseen_card_can_only_be_the_missing_one(self) -> None:
        for seed in range(30):
            game = late_game(seed, "classic", unseen=1)
            given = hint(game)
            if given is None:
                assert game.status is Status.WON
                continue
            known = Game(replace(game.left, stock=game.deal.unseen), game.rules)
            exact = hint(known)
            assert exact is not None
            assert (given.claim, given.reason) == (exact.claim, exact.reason)
            assert "orders" not in hint_text(game, given)

    def test_the_values_are_said_to_be_optimistic(self) -> None:
        game = Game(GO1.deal(1), PRESETS["easy"])
        lines = hint_text(game, hint(game, samples=8)).splitlines()
        assert re.fullmatch(
            r"draw 8S: the tableau can be cleared in 8 of 8 sampled orders of the 15 unseen cards, "
            r"mean best strokes -\d+\.\d\d",
            lines[0],
        )
        assert lines[1:] == [
            "because it is the only legal action",
            "each order was solved as if it were known, so the values are optimistic",
        ]

    def test_cards_that_cannot_be_missing_and_samples_out_of_range_are_refused(self) -> None:
        lost = Game(Deal((tuple(parse_cards("3C 2C")),), Card.parse("AC"), (UNSEEN,)), RuleSet())
        with pytest.raises(DealError, match="1 unseen stock card for"):
            hint(lost)
        for samples, seed in ((0, 0), (1_000_001, 0), (1, -1), (1, 1 << 32)):
            with pytest.raises(NumberError):
                hint(Game(GO1.deal(1), RuleSet()), samples, seed)


def test_a_game_that_is_over_is_said_to_be_over() -> None:
    won = Game(Deal((tuple(parse_cards("2C")),), Card.parse("AC"), tuple(parse_cards("5D"))), RuleSet())
    won.play(0)
    blocked = Game(Deal((tuple(parse_cards("9C")),), Card.parse("AC"), ()), RuleSet())
    assert hint(won) is None
    assert hint(blocked) is None
    assert hint_text(won, None) == "the game is won: strokes -1"
    assert hint_text(blocked, None) == "the game is blocked: 1 card left"
    assert hint_record(won, None)["status"] == "won"
    assert hint_record(blocked, None)["hint"] is None


def test_a_hint_in_text_and_in_plain_values() -> None:
    game = Game(Deal(tuple(tuple(parse_cards(cards)) for cards in ("5H 2C", "2D")), Card.parse("AC"), ()), RuleSet())
    given = hint(game)
    assert hint_text(game, given).splitlines() == [
        "play 2C from column 1: the tableau cannot be cleared, fewest cards left 2",
        "because it is the leftmost of 2 equally good plays opening equally long runs (1 card)",
    ]
    record = hint_record(game, given)
    assert record["hint"] == {
        "action": "play",
        "card": "2C",
        "column": 1,
        "orders": 1,
        "cleared": 0,
        "share": 0.0,
        "mean_strokes": 2.0,
        "claim": "leftmost",
        "reason": "it is the leftmost of 2 equally good plays opening equally long runs (1 card)",
    }
    assert [choice["card"] for choice in record["choices"]] == ["2C", "2D"]
    assert (record["top"], record["cards_left"], record["stock_left"]) == ("AC", 3, 0)
