"""Pars: the games of the steady player held against plain Python, and nothing in them but the deal and the rules."""

import csv
import json
from io import StringIO
from pathlib import Path
from statistics import fmean, stdev

import numpy as np
import pytest
from naive_difficulty import laid_out as game_laid_out
from naive_lookahead import Player, laid_out
from naive_playout import RULES
from processes import call

from golf_cli.commands import golf
from golf_cli.conformance.check import assert_promises
from golf_cli.deals.boards import WRITERS
from golf_cli.deals.numberings import GO1
from golf_cli.deals.reference import resolve
from golf_cli.errors import DealError, SolverError
from golf_cli.par.rating import Rating, rate, rate_deal
from golf_cli.rules import PRESETS, RuleSet
from golf_cli.solvers import par, registry
from golf_cli.solvers.difficulty import Difficulty
from golf_cli.solvers.exact import solve, solve_rows
from golf_cli.solvers.outcome import Games, Outcomes
from golf_cli.solvers.policies import weights
from golf_cli.solvers.protocol import Deals, Solver
from golf_cli.sweep.dealing import deal_interval
from golf_cli.sweep.plan import Interval, Task
from golf_cli.sweep.playing import play_interval

CLASSIC = PRESETS["classic"]
FIRST = 10**8


def play(solver: Solver, deals: Deals, rules: RuleSet, seed: int = 0) -> Outcomes:
    outcomes = solver.prepare(rules, seed)(deals)
    assert isinstance(outcomes, Outcomes)
    return outcomes


def games(outcomes: Outcomes) -> list[Games]:
    assert outcomes.games is not None
    return [outcomes.games[place] for place in range(len(outcomes))]


def steady_games(row: list[int], rules: RuleSet, count: int) -> Games:
    """The games of the steady player, by the policy's description and by that of the games."""
    dealt = not rules.layout.open_foundation
    columns = [row[start : start + 5] for start in range(0, 35, 5)]
    player = Player(RULES[str(rules).partition(",")[0]], rules.draw_when_stuck, weights(rules).tolist(), slack=750)
    scores = []
    for game in range(count):
        cards, own = game_laid_out(columns, row[35 : 35 + dealt], row[35 + dealt :], 0, 0, game, "ties")
        actions = player.game(*laid_out(cards, [5] * 7, dealt), number=own)
        draws = actions.count("draw")
        left = 35 - (len(actions) - draws)
        scores.append(left or -(rules.layout.stock - draws))
    return Games(count, sum(score <= 0 for score in scores), sum(scores), sum(score**2 for score in scores))


@pytest.mark.parametrize(
    "text", [*PRESETS, "hard,foundation=open", pytest.param("easy,jokers=2", marks=pytest.mark.slow)]
)
def test_the_games_are_those_of_the_steady_player_in_plain_python(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = RuleSet.parse(text)
    monkeypatch.setattr(par, "GAMES", 4)
    deals = deal_interval("go1", Interval(FIRST, FIRST + 2), rules.layout)
    came = games(play(par.Par(), deals, rules))
    assert came == [steady_games(row, rules, 4) for row in deals.cards.tolist()]


def test_the_games_are_as_many_as_the_definition_says_and_are_those_of_difficulty() -> None:
    deals = deal_interval("go1", Interval(FIRST, FIRST + 3), CLASSIC.layout)
    unnumbered = Deals(np.zeros(3, np.uint64), deals.cards, deals.layout)
    named = Difficulty("lookahead", 1024, "ties", slack="0.75")
    assert games(play(par.Par(), deals, CLASSIC)) == games(play(named, unnumbered, CLASSIC))


def test_a_par_is_of_the_cards_and_the_rules_alone(tmp_path: Path) -> None:
    deal = resolve("pysol:24").deal
    rating = rate_deal(deal, CLASSIC)
    boards = {"pysol:24", "ms:24"}
    for form, write in WRITERS.items():
        (tmp_path / form).write_text(write(deal), encoding="utf-8")
        boards.add(str(tmp_path / form))
    for reference in boards:
        assert rate_deal(resolve(reference).deal, CLASSIC) == rating
    for numbering in ("pysol", "ms"):
        for seed in (0, 9):
            swept = games(play_interval(Task.of(numbering, CLASSIC, "par", seed), Interval(23, 26)))
            assert swept[1] == rating.games
    assert rate_deal(deal, PRESETS["easy"]).games != rating.games


@pytest.mark.parametrize(
    ("reference", "rules", "counted"),
    [
        ("pysol:2", "classic", Games(1024, 186, 2331, 10365)),
        ("pysol:2", "easy", Games(1024, 694, -448, 4050)),
        ("GO1-C-KXXCY7O", "classic", Games(1024, 0, 6409, 48431)),
        ("AAAAAAA", "hard", Games(1024, 0, 14122, 198406)),
        ("AAAAAAA", "strict", Games(1024, 0, 11717, 134775)),
    ],
)
def test_pars_are_the_same_for_ever(reference: str, rules: str, counted: Games) -> None:
    # Where this fails, pars have another definition: a new number for it is due.
    assert par.DEFINITION == "1"
    assert rate_deal(resolve(reference).deal, PRESETS[rules]).games == counted


def test_a_rating_holds_the_best_strokes_and_deals_that_cannot_be_cleared_have_a_par_too() -> None:
    can, cannot = (rate_deal(resolve(reference).deal, CLASSIC) for reference in ("pysol:2", "pysol:3"))
    assert (can.clearable, can.optimum, can.par) == (True, -5, 3)
    assert (cannot.clearable, cannot.optimum, cannot.par) == (False, 1, 5)
    assert (cannot.win_probability, cannot.games.games) == (0, 1024)
    for rating, reference in ((can, "pysol:2"), (cannot, "pysol:3")):
        assert solve(resolve(reference).deal, CLASSIC).strokes == rating.optimum <= rating.mean_strokes


def test_the_mean_its_error_and_the_share_cleared_are_those_of_the_games() -> None:
    scores = [3, -1, 7, 0, 12, 4, 4]
    rating = Rating(Games(7, 2, sum(scores), sum(score**2 for score in scores)), clearable=True, optimum=-1)
    assert (rating.mean_strokes, rating.win_probability) == (fmean(scores), 2 / 7)
    assert rating.standard_error == pytest.approx(stdev(scores) / 7**0.5)
    assert rating.par == 4


def test_ratings_do_not_depend_on_which_deals_are_rated_together() -> None:
    deals = deal_interval("go1", Interval(FIRST, FIRST + 4), CLASSIC.layout)
    alone = [rate_deal(deal, CLASSIC) for _, deal in deals]
    assert rate(deals, CLASSIC) == alone


def test_a_deal_with_unseen_cards_or_of_another_layout_has_no_par() -> None:
    unseen = resolve("GO1-E-AAAAAAB").deal
    with pytest.raises(DealError, match=r"15 unseen stock cards \(AD 2H .*give their order with --stock"):
        rate_deal(unseen, PRESETS["easy"])
    assert rate_deal(unseen.with_unseen(unseen.unseen), PRESETS["easy"]).clearable
    with pytest.raises(DealError, match="not laid out as easy,jokers=1 rules lay deals out"):
        rate_deal(GO1.deal(2), RuleSet.parse("easy,jokers=1"))


def test_the_solver_takes_a_limit_on_states_and_nothing_else() -> None:
    assert registry.find("par,max-states=0").text == "par"
    limited = registry.find("par,max-states=1").solver
    deals = deal_interval("go1", Interval(FIRST, FIRST + 2), CLASSIC.layout)
    outcomes = play(limited, deals, CLASSIC)
    assert outcomes.undecided.all()
    assert games(outcomes) == games(play(par.Par(), deals, CLASSIC))
    with pytest.raises(SolverError, match="the solver par takes no option 'games': it takes max-states"):
        registry.find("par,games=3")


def test_its_version_holds_those_of_what_it_plays_by() -> None:
    assert par.Par().version == f"{par.DEFINITION} (difficulty {Difficulty(par.STEADY).version})"


@pytest.mark.slow
def test_it_keeps_what_golf_asks_of_solvers() -> None:
    assert_promises("par", deals=2, rules=[PRESETS["easy"]])


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["easy", "classic"])
def test_two_estimates_of_a_par_agree_for_95_of_100_deals_and_each_par_is_common(preset: str) -> None:
    rules = PRESETS[preset]
    dealt = deal_interval("go1", Interval(FIRST, FIRST + 1600), rules.layout)
    cleared = solve_rows(dealt.cards, GO1.deal(FIRST), rules, clear_only=True).cleared.nonzero()[0][:500]
    deals = Deals(dealt.numbers[cleared], dealt.cards[cleared], dealt.layout)
    one = play(par.Par(max_states=1), deals, rules).games
    other = play(Difficulty(par.STEADY, par.GAMES, "ties", max_states=1), deals, rules, seed=1).games
    assert one is not None
    assert other is not None
    assert (one.pars == other.pars).mean() >= 0.95
    if preset == "classic":
        assert abs(one.strokes.sum() / one.games.sum() - 4) < 0.25
        assert min((one.pars == each).mean() for each in (3, 4, 5)) >= 0.15


def test_par_shows_deals_side_by_side_and_names_the_rules_where_they_differ(tmp_path: Path) -> None:
    (tmp_path / "deals.txt").write_text("pysol:2\nGO1-E-AAAAAAC\n")
    shown = call("par", "deals.txt", cwd=tmp_path)
    assert shown.returncode == 0, shown.stderr
    head, first, second, *_ = shown.stdout.splitlines()
    assert head.split() == ["deal", "rules", "par", "mean", "strokes", "wins", "best"]
    assert first.split()[:3] == ["pysol:2", "classic", "3"]
    assert second.split()[:2] == ["GO1-E-AAAAAAC", "easy"]
    assert "GO1-E-AAAAAAC is dealt by golf's own shuffle" in shown.stderr


def test_par_goes_on_after_a_deal_that_has_none(tmp_path: Path) -> None:
    shown = call("par", "pysol:2", "GO1-E-AAAAAAB", "pysol:0", "pysol:3", "--format", "json", "-q", cwd=tmp_path)
    assert shown.returncode == 2
    assert "15 unseen stock cards" in shown.stderr
    assert "'0' is out of range" in shown.stderr
    two, three = map(json.loads, shown.stdout.splitlines())
    assert (two["reference"], two["rules"], two["par"], two["optimum"], two["clearable"]) == (
        *("pysol:2", "classic", 3, -5, True),
    )
    assert (three["par"], three["clearable"], three["optimum"]) == (5, False, 1)
    assert (two["player"], two["games"], two["par_definition"]) == ("lookahead,slack=0.75", 1024, "1")
    assert two["mean_strokes"] == rate_deal(resolve("pysol:2").deal, CLASSIC).mean_strokes


def test_par_takes_the_stock_as_it_was_seen() -> None:
    stock = "8S AD 2H 4D 5H 6D 6S 9D 9H TD JC JD QC QD KH KS"
    shown = call("par", "GO1-E-AAAAAAB", "--stock", stock, "--format", "csv", "-q")
    (row,) = csv.DictReader(StringIO(shown.stdout))
    assert (row["deal"], row["rules"], row["clearable"]) == ("GO1-E-AAAAAAB", "easy", "true")


def test_a_sweep_of_pars_is_one_of_that_solver(capsys: pytest.CaptureFixture[str]) -> None:
    def players(*options: str) -> list[str]:
        golf.main(["sweep", *options, "--print-id"], standalone_mode=False)
        return [line.split()[1].removeprefix("go1-classic-") for line in capsys.readouterr().out.splitlines()]

    assert players("--par") == players("--solver", "par") != players()
    assert [name.rpartition("-")[0] for name in players("--par", "--solver", "leftmost")] == ["leftmost", "par"]
    assert [name.rpartition("-")[0] for name in players()] == ["longest-column"]
