"""Advice without knowing the stock, held against games in plain Python that share no code with it."""

import itertools
import json
import math
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from statistics import NormalDist, mean, stdev

import numpy as np
import pytest
from click.testing import CliRunner
from naive_outlook import Heights, Player, stops

from golf_cli.cards import UNSEEN, Card, deck, parse_cards
from golf_cli.commands import golf
from golf_cli.deals.deal import Deal
from golf_cli.deals.numberings import GO1
from golf_cli.deals.reference import resolve
from golf_cli.errors import DealError, NumberError, SolverError
from golf_cli.game import DRAW, Game, Status
from golf_cli.kernels.outlook import CLEAR, STROKES, values
from golf_cli.moves import play_moves
from golf_cli.rules import PRESETS, RuleSet
from golf_cli.solvers import advice as advices
from golf_cli.solvers.advice import CANDIDATES, Advice, Prospect, advise
from golf_cli.solvers.exact import position, solve
from golf_cli.stats.advice import Claim, advice_record, advice_text, reason, share_interval, strokes_interval

RULES = [*PRESETS.values(), RuleSet.parse("classic,jokers=2"), RuleSet.parse("hard,draw=when-stuck,foundation=open")]
OPEN = 14
KERNELS_WORD = {"clear": CLEAR, "strokes": STROKES}


def small_game(seed: int, rules: RuleSet, stock: int) -> Game:
    """A board of few ranks, so that much can be played, and a short stock."""
    dice = random.Random(seed)
    few = [card for card in deck(int(rules.jokers)) if card.rank in (*range(5), 11, 12, 13)]
    dice.shuffle(few)
    columns = tuple(tuple(few.pop() for _ in range(dice.randint(1, 3))) for _ in range(dice.randint(2, 4)))
    foundation = None if rules.layout.open_foundation else few.pop()
    return Game(Deal(columns, foundation, tuple(few[:stock])), rules)


def late_game(number: int, rules: RuleSet, left: int) -> Game:
    """A whole deal after a random game up to a stock of so many cards."""
    game = Game(GO1.deal(number, rules.layout), rules)
    dice = random.Random(number)
    while game.stock_left > left and (actions := game.legal_actions()):
        game.act(dice.choice([action for action in actions if action != DRAW] or actions))
    return game


def ranks(cards: tuple[Card, ...]) -> list[int]:
    return [card >> 2 for card in cards]


class Naive:
    """What a position's actions come to, by the values of stopping that the kernel gives and nothing else of it."""

    def __init__(self, game: Game, objective: str) -> None:
        left = game.left
        cards, heights, dealt = position(left)
        fits, self.strict = game.rules.fits, game.rules.draw_when_stuck
        table = values(KERNELS_WORD[objective], cards, heights, dealt, np.array(fits, np.uint64), self.strict)
        strides = [math.prod(h + 1 for h in left.heights[:column]) for column in range(len(left.heights))]
        self.value = lambda stop, q: int(table[sum(h * s for h, s in zip(stop, strides, strict=True)), q])
        self.columns, self.fits, self.heights = [ranks(column) for column in left.columns], fits, left.heights
        self.top, self.stock = OPEN if left.foundation is None else left.foundation >> 2, ranks(left.stock)
        self.player = Player(self.columns, fits, self.strict, self.value)

    def actions(self) -> dict[int | None, set[Heights]]:
        """The stops that each legal action leads to."""
        found: dict[int | None, set[Heights]] = {}
        for column, height in enumerate(self.heights):
            if height and self.fits[self.top] >> self.columns[column][height - 1] & 1:
                after = (*self.heights[:column], height - 1, *self.heights[column + 1 :])
                found[column] = stops(self.columns, after, self.columns[column][height - 1], self.fits, self.strict)
                if not all(any(stop) for stop in found[column]):
                    found[column] = {tuple(0 for _ in after)}
        if self.stock and any(self.heights) and not (found and self.strict):
            found[None] = {self.heights}
        return found

    def compared(self) -> dict[int | None, set[Heights]]:
        """Of these stops those that are compared by games."""
        found = self.actions()
        few = set()
        for reached in found.values():
            few |= set(sorted(reached, key=lambda stop: (-self.value(stop, len(self.stock)), stop[::-1]))[:CANDIDATES])
        return {action: reached & few for action, reached in found.items()}

    def games(self, stop: Heights) -> list[int]:
        """The strokes from a stop in every order of the stock."""
        return [self.player.strokes(stop, order) for order in itertools.permutations(self.stock)]


def worth(strokes: list[int], objective: str) -> tuple[int, int]:
    cleared = sum(each <= 0 for each in strokes)
    return (sum(strokes), -cleared) if objective == "strokes" else (-cleared, sum(strokes))


def stop_of(game: Game, prospect: Prospect) -> Heights:
    """The heights at which a prospect's next draw is made, through the engine."""
    after = Game(game.left, game.rules)
    for step in (prospect.step, *prospect.run):
        if step.action != DRAW:
            assert after.act(step.action) == step.card
    if not prospect.step.action.is_draw:
        assert prospect.clears == (after.status is Status.WON)
        assert prospect.clears or not after.stock_left or DRAW in after.legal_actions()
    return after.left.heights


@pytest.mark.parametrize("objective", ["strokes", "clear"])
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_of_few_unseen_cards_every_order_is_played_and_the_figures_are_exact(rules: RuleSet, objective: str) -> None:
    several = 0
    for seed in range(120):
        game = small_game(seed, rules, stock=seed % 6)
        naive = Naive(game, objective)
        compared = naive.compared()
        found = advise(game, objective)
        assert (found is None) == (not compared) == (game.status is not Status.PLAYING)
        if found is None:
            continue
        assert found.every_order
        assert found.orders == math.factorial(seed % 6)
        assert {prospect.step.action.column for prospect in found.prospects} == set(compared)
        for prospect in found.prospects:
            games = naive.games(stop_of(game, prospect))
            assert sorted(prospect.strokes.tolist()) == sorted(games)
            assert (prospect.total, prospect.cleared) == (sum(games), sum(each <= 0 for each in games))
            others = compared[prospect.step.action.column]
            assert worth(games, objective) == min(worth(naive.games(stop), objective) for stop in others)
            several += len(others) > 1
            (low, high), mean_strokes = strokes_interval(found, prospect), prospect.total / found.orders
            assert low == high == mean_strokes
        worths = [prospect.worth(objective) for prospect in found.prospects]
        assert worths == sorted(worths)
    assert several > 10


def test_the_intervals_of_sampled_orders_hold_the_exact_figures_about_as_often_as_they_say() -> None:
    within = tried = 0
    for board in range(8):
        game = small_game(100 + board, PRESETS["classic"], stock=6)
        naive = Naive(game, "strokes")
        exact: dict[Heights, list[int]] = {}
        for seed in range(40):
            found = advise(game, samples=500, seed=seed)
            if found is None:
                break
            assert not found.every_order
            assert found.orders == 400
            for prospect in found.prospects:
                stop = stop_of(game, prospect)
                games = exact.setdefault(stop, naive.games(stop))
                if prospect.clears:
                    continue
                low, high = strokes_interval(found, prospect)
                within += low <= mean(games) <= high
                low, high = share_interval(found, prospect)
                within += low <= mean(each <= 0 for each in games) <= high
                tried += 2
    assert tried > 500
    assert 0.93 <= within / tried <= 0.98


@pytest.mark.parametrize("rules", ["easy", "strict"])
def test_what_the_stock_holds_next_has_no_part_in_the_advice(rules: str) -> None:
    deal = GO1.deal(3)
    game = Game(deal, PRESETS[rules])
    found = advise(game, samples=100)
    told, record = advice_text(game, found), advice_record(game, found)
    for stock in (deal.stock[8:] + deal.stock[7::-1], (UNSEEN,) * 16, deal.stock[:5] + (UNSEEN,) * 11):
        other = Game(replace(deal, stock=stock), PRESETS[rules])
        found = advise(other, samples=100)
        assert advice_text(other, found) == told
        assert advice_record(other, found) == record


def followed(game: Game, objective: str) -> None:
    """Play a game to its end as advised, each action checked by the engine."""
    while found := advise(game, objective, samples=100):
        action = found.prospects[0].step.action
        columns = {prospect.step.action.column for prospect in found.prospects}
        assert columns == {each.column for each in game.legal_actions()}
        card = game.act(action)
        assert action == DRAW or card == found.prospects[0].step.card
    assert game.status in (Status.WON, Status.BLOCKED)
    best = solve(game.deal, game.rules).strokes
    assert best is not None
    assert game.strokes >= best


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_a_game_that_follows_the_advice_comes_to_an_end(rules: RuleSet) -> None:
    for number in (4, 5):
        game = late_game(number, rules, left=8)
        followed(Game(game.left, rules), "strokes" if number == 4 else "clear")


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_whole_games_that_follow_the_advice_come_to_an_end(rules: RuleSet) -> None:
    for number in range(2, 22):
        followed(Game(GO1.deal(number, rules.layout), rules), "strokes" if number % 2 else "clear")


@pytest.mark.parametrize("objective", ["strokes", "clear"])
def test_a_run_that_was_begun_as_advised_comes_to_what_was_said_or_better(objective: str) -> None:
    begun = 0
    for rules in RULES:
        for seed in range(40):
            game = small_game(seed, rules, stock=4)
            found = advise(game, objective)
            while found and found.prospects[0].run:
                game.act(found.prospects[0].step.action)
                after = advise(game, objective)
                if after is None:
                    assert found.prospects[0].clears or not game.stock_left
                else:
                    assert after.prospects[0].worth(objective) <= found.prospects[0].worth(objective)
                    begun += 1
                found = after
    assert begun > 50


def cases(objective: str) -> Iterator[Advice]:
    for rules in RULES:
        for seed in range(40):
            for stock, samples in ((seed % 5, 100), (6, 100), (6, 500)):
                game = small_game(seed, rules, stock)
                if found := advise(game, objective, samples):
                    yield found


@pytest.mark.parametrize("objective", ["strokes", "clear"])
def test_a_reason_claims_nothing_that_is_not_so(objective: str) -> None:
    claims = set()
    for found in cases(objective):
        claim, told = reason(found)
        claims.add((claim, found.every_order))
        best, *others = found.prospects
        different = [other for other in others if other.plays != best.plays]
        numbers = [float(number) for number in re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])", told)]
        match claim:
            case Claim.ONLY_LEGAL:
                assert not others
            case Claim.CLEARS:
                assert best.strokes.tolist() == [-len(found.unseen)] * found.orders
            case Claim.SAME_STOP:
                assert others
                assert not different
                assert numbers == [len(found.prospects)]
                columns = [prospect.step.action.column for prospect in found.prospects]
                assert columns == sorted(columns)
            case _:
                rival = different[0]
                short = [
                    (a <= 0) - (b <= 0) if objective == "clear" else b - a
                    for a, b in zip(best.strokes.tolist(), rival.strokes.tolist(), strict=True)
                ]
                name = "a draw" if rival.step.action == DRAW else f"{rival.step.card} from column"
                assert f"the next best, {name}" in told
                assert all(other.worth(objective) >= rival.worth(objective) for other in different)
                check_shortfall(claim, short, found.every_order, told, objective)
    for claim in (Claim.ONLY_LEGAL, Claim.CLEARS, Claim.SAME_STOP, Claim.BETTER, Claim.NO_BETTER):
        assert (claim, True) in claims
    assert {(Claim.BETTER, False), (Claim.WITHIN_CHANCE, False)} <= claims
    assert (Claim.WITHIN_CHANCE, True) not in claims


def check_shortfall(claim: Claim, short: list[int], every: bool, told: str, objective: str) -> None:
    """What is said of how much the next best action comes short, in the orders one by one."""
    numbers = [float(number) for number in re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])", told.split(",", 2)[2])]
    if claim is Claim.NO_BETTER:
        assert not any(short) or (every and not sum(short))
        assert numbers == []
    elif every:
        assert claim is Claim.BETTER
        assert numbers[0] == sum(short) > 0
    else:
        scale = 100 if objective == "clear" else 1
        reach = NormalDist().inv_cdf(0.975) * stdev(short) / math.sqrt(len(short))
        expected = [scale * each for each in (mean(short), mean(short) - reach, mean(short) + reach)]
        assert numbers == pytest.approx(expected, abs=0.051 if objective == "clear" else 0.0051)
        assert (claim is Claim.BETTER) == (expected[1] > 0)
        assert claim in (Claim.BETTER, Claim.WITHIN_CHANCE)


def test_the_game_is_left_as_it_is() -> None:
    game = Game(GO1.deal(1), PRESETS["easy"])
    game.draw()
    before = (game.left, game.moves, game.drawn)
    advise(game, samples=100)
    assert (game.left, game.moves, game.drawn) == before


def test_one_card_left_in_the_stock_is_no_secret() -> None:
    for number in range(2, 10):
        game = late_game(number, PRESETS["classic"], left=1)
        found = advise(game)
        if found is None:
            continue
        assert found.certain
        assert found.prospects[0].strokes.tolist() == [solve(game.left, game.rules).strokes]
        assert "in the only order of the stock" in advice_text(game, found)


def test_more_time_is_more_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    game = late_game(2, PRESETS["classic"], left=9)
    orders = []
    for seconds in (1e-9, 10, 20):
        clock = itertools.count()
        monkeypatch.setattr(advices, "monotonic", lambda clock=clock: float(next(clock)))
        found = advise(game, seconds=seconds)
        assert found is not None
        assert not found.every_order
        orders.append(found.orders)
    # A block of 256 orders a second: the first fifth chooses the stops.
    assert orders == [256, 8 * 256, 16 * 256]


def test_no_order_is_both_one_that_chooses_a_stop_and_one_that_an_estimate_rests_on() -> None:
    game = late_game(2, PRESETS["classic"], left=9)
    taken: list[list[bytes]] = []
    real = advices.play_orders
    try:
        advices.play_orders = lambda outlook, stops, orders: (
            taken.append([order.tobytes() for order in orders]) or real(outlook, stops, orders)
        )
        advise(game, samples=100)
    finally:
        advices.play_orders = real
    assert [len(block) for block in taken] == [20, 80]
    assert not set(taken[0]) & set(taken[1])


def test_what_cannot_be_advised_on_is_refused() -> None:
    game = Game(GO1.deal(1), RuleSet())
    with pytest.raises(SolverError, match="no objective 'points'"):
        advise(game, "points")
    for seconds in (0, -1, math.nan):
        with pytest.raises(NumberError, match="give more than 0"):
            advise(tiny(), seconds=seconds)
    for samples, seed in ((99, 0), (1_000_001, 0), (100, -1), (100, 1 << 32)):
        with pytest.raises(NumberError):
            advise(game, samples=samples, seed=seed)
    lost = Game(Deal((tuple(parse_cards("3C 2C")),), Card.parse("AC"), (UNSEEN,)), RuleSet())
    with pytest.raises(DealError, match="1 unseen stock card for"):
        advise(lost)
    cards = deck()
    wide = Game(Deal(tuple(cards[4 * i : 4 * i + 4] for i in range(10)), cards[40], cards[41:]), RuleSet())
    with pytest.raises(DealError, match="too many values"):
        advise(wide)


def test_a_game_that_is_over_is_said_to_be_over() -> None:
    won = Game(Deal((tuple(parse_cards("2C")),), Card.parse("AC"), tuple(parse_cards("5D"))), RuleSet())
    won.play(0)
    assert advise(won) is None
    assert advice_text(won, None) == "the game is won: strokes -1"
    assert (advice_record(won, None)["status"], advice_record(won, None)["advice"]) == ("won", None)
    blocked = Game(Deal((tuple(parse_cards("9C")),), Card.parse("AC"), ()), RuleSet())
    assert advice_text(blocked, advise(blocked)) == "the game is blocked: 1 card left"


def tiny() -> Game:
    columns = (tuple(parse_cards("KC 2C")), tuple(parse_cards("4D")))
    return Game(Deal(columns, Card.parse("3C"), tuple(parse_cards("5D AD 9H QS QD KD KH"))), RuleSet())


def test_advice_in_text() -> None:
    assert advice_text(tiny(), advise(tiny(), samples=100)).splitlines() == [
        "play 2C from column 1, then draw",
        "because the next best, 4D from column 2, takes 0.78 more strokes (0.18 to 1.37) in the same orders",
        "",
        "action  clears                strokes                 then",
        "2C(1)   100.0 % (95.4-100.0)  -2.27 (-2.61 to -1.94)  draw",
        "4D(2)   72.5 % (61.9-81.1)    -1.50 (-1.95 to -1.05)  draw",
        "draw    72.5 % (61.9-81.1)    -0.79 (-1.11 to -0.46)",
        "",
        "in 80 orders of the 7 unseen cards; in brackets the 95 % intervals",
        "for a player who stops every later run where it is worth most; best play does no worse in the mean",
    ]
    told = advice_text(tiny(), advise(tiny(), "clear")).splitlines()
    assert told[1:6:2] == [
        # Without the draw of AD nobody plays 2C, and without a queen after it nobody KC: 2 of 3 orders have one.
        "because the next best, 4D from column 2, clears the tableau in 1,680 fewer of all 5,040 orders of the 7 unseen"
        " cards",
        "action  clears   strokes  then",
        "4D(2)   66.7 %   -1.00    draw",
    ]
    assert told[-2:] == [
        "in all 5,040 orders of the 7 unseen cards",
        "for a player who stops every later run where it is worth most; best play does no worse in the mean",
    ]


def test_advice_in_plain_values() -> None:
    record = advice_record(tiny(), advise(tiny()), 0.9)
    assert record["columns"] == [["KC", "2C"], ["4D"]]
    assert record["unseen"] == ["AD", "5D", "9H", "QD", "QS", "KD", "KH"]
    assert (record["orders"], record["every_order"], record["confidence"]) == (5040, True, None)
    assert record["advice"] == {**record["actions"][0], "claim": "better", "reason": reason(advise(tiny()))[1]}
    assert [action["card"] for action in record["actions"]] == ["2C", "4D", "?"]
    sampled = advice_record(tiny(), advise(tiny(), samples=100), 0.9)
    assert (sampled["orders"], sampled["every_order"], sampled["confidence"]) == (80, False, 0.9)
    second = sampled["actions"][1]
    assert second["share_low"] < second["share"] == second["cleared"] / 80 < second["share_high"]
    assert second["strokes_low"] < second["mean_strokes"] < second["strokes_high"]
    assert json.loads(json.dumps(sampled)) == sampled


def asked(*arguments: str) -> str:
    finished = CliRunner().invoke(golf, ["advise", *arguments, "-q"], catch_exceptions=False, standalone_mode=False)
    return finished.stdout


def test_the_command_says_what_the_library_says() -> None:
    dealt = resolve("GO1-E-AAAAAAB")
    game = Game(dealt.deal, dealt.rules)
    moves = "draw 9C 8C draw=JC"
    play_moves(game, moves)
    options = ("--moves", moves, "--samples", "500", "--seed", "3", "--objective", "clear")
    found = advise(game, "clear", 500, 3)
    assert asked("GO1-E-AAAAAAB", *options) == advice_text(game, found) + "\n"
    record = json.loads(asked("GO1-E-AAAAAAB", *options, "--format", "json", "--confidence", "0.8"))
    assert record.items() >= advice_record(game, found, 0.8).items()
    assert (record["rules"], record["seed"], record["moves"][-1]) == ("easy", 3, {"action": "draw", "card": "JC"})


def test_the_command_plays_for_a_time() -> None:
    record = json.loads(asked("GO1-E-AAAAAAB", "--time", "0.3", "--format", "json"))
    assert record["orders"] % 256 == 0
    assert record["orders"] > 0


@pytest.mark.parametrize("option", ["--time", "--confidence"])
def test_what_is_no_number_is_refused_before_anything_is_played(option: str) -> None:
    refused = CliRunner().invoke(golf, ["advise", "GO1-E-AAAAAAB", option, "nan"])
    assert refused.exit_code == 2
    assert f"Invalid value for '{option}': 'nan' is not a number." in refused.stderr


def test_the_reference_deal_is_followed_from_the_shell() -> None:
    """Each action advised is added to the moves, a draw with the card that turned up, to the end of the game."""
    dealt = resolve("GO1-E-AAAAAAB")
    unseen = [str(card) for card in dealt.deal.unseen]
    random.Random(1).shuffle(unseen)
    waiting = iter(["draw", *(f"draw={card}" for card in unseen)])
    moves: list[str] = []
    while True:
        record = json.loads(asked("GO1-E-AAAAAAB", "--moves", " ".join(moves), "--samples", "100", "--format", "json"))
        if record["status"] != "playing":
            break
        taken = record["advice"]
        moves.append(next(waiting) if taken["action"] == "draw" else taken["card"])
    game = Game(dealt.deal, dealt.rules)
    play_moves(game, " ".join(moves))
    assert game.status in (Status.WON, Status.BLOCKED)
    assert record["advice"] is None
    assert len(moves) > 20
