"""Levels and daily holes: verified, the same for everyone, and none left out."""

import csv
import hashlib
import json
import time
from datetime import date, timedelta
from io import BytesIO, StringIO
from itertools import islice
from pathlib import Path

import click
import polars as pl
import pytest
from naive_shuffle import WORD, scrambled, splitmix64
from processes import call

from golf_cli.commands import golf
from golf_cli.deals.numberings import GO1
from golf_cli.deals.reference import resolve
from golf_cli.errors import GolfError, NumberError
from golf_cli.game import Game, Status
from golf_cli.moves import play_moves
from golf_cli.par import daily, dates, levels
from golf_cli.par.daily import DailyHole, candidate
from golf_cli.par.levels import LEVELS, candidates, holes, verified
from golf_cli.par.rating import Rating, rate_deal
from golf_cli.par.written import written_holes
from golf_cli.rules import PRESETS
from golf_cli.solvers.exact import clearable
from golf_cli.solvers.outcome import Games, Result

GOLDEN = 0x9E3779B97F4A7C15
TABLE = Path(__file__).parents[1] / "data" / "daily-2027.csv"
NEW_YEAR = date(2027, 1, 1)


def can_be_cleared(number: int, rules: str) -> bool:
    return clearable(GO1.deal(number), PRESETS[rules]).result is Result.CLEARED


@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("seed", [0, 7, WORD - 1])
def test_the_candidates_of_a_level_are_drawn_as_described(place: int, seed: int) -> None:
    level = list(LEVELS.values())[place]
    key = scrambled((place + scrambled((seed + GOLDEN) % WORD)) % WORD)
    drawn = [word >> 29 for word in islice(splitmix64(key), 200)]
    assert list(islice(candidates(level, seed), 200)) == drawn
    assert all(number < 1 << 35 for number in drawn)


def test_no_candidate_comes_twice_and_none_is_a_documented_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "BITS", 4)
    drawn = list(islice(candidates(LEVELS["easy"], 3), 15))
    assert sorted(drawn) == [number for number in range(16) if number != 1]


@pytest.mark.parametrize("name", LEVELS)
def test_the_holes_of_a_level_are_those_of_its_candidates_that_it_takes(name: str) -> None:
    level = LEVELS[name]
    rules = {"easy": "easy", "medium": "classic", "hard": "hard", "daily": "classic"}[name]
    assert str(level.rules) == rules
    first = list(islice(candidates(level, 7), 24))
    taken = []
    for number in first:
        rating = rate_deal(GO1.deal(number), level.rules)
        friendly = name != "easy" or rating.games.cleared >= 448
        if can_be_cleared(number, rules) and friendly and (name != "hard" or rating.par >= 4):
            taken.append((number, rating))
    assert 3 <= len(taken) < 24
    found = holes(level, len(taken), 7, workers=2)
    assert [(hole.number, hole.rating) for hole in found] == taken


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("easy", ["GO1-E-42XQST3", "GO1-E-B7PS2CH", "GO1-E-4SZQQYA"]),
        ("medium", ["GO1-C-QZDUH5X", "GO1-C-AKYCFUJ", "GO1-C-G6TRGYB"]),
        ("hard", ["M45JYNO", "4T277VK", "RSWE7UE"]),
        ("daily", ["GO1-C-AFGMVRP", "GO1-C-5C7QEWN", "GO1-C-PWVWGKZ"]),
    ],
)
def test_the_holes_of_a_seed_are_the_same_for_ever(name: str, codes: list[str]) -> None:
    assert [hole.reference for hole in holes(LEVELS[name], 3, 7)] == codes


def test_more_holes_begin_with_the_fewer_whoever_deals_them(monkeypatch: pytest.MonkeyPatch) -> None:
    level = LEVELS["medium"]
    many = list(holes(level, 9, 3, workers=3))
    assert list(holes(level, 4, 3, workers=1)) == many[:4]
    monkeypatch.setattr(levels, "CHUNK", 1)
    assert list(holes(level, 5, 3)) == many[:5]
    assert [hole.number for hole in holes(level, 3, 4)] != [hole.number for hole in many[:3]]


@pytest.mark.parametrize("name", LEVELS)
def test_the_solution_of_a_hole_clears_the_deal_of_its_code_with_the_best_strokes(name: str) -> None:
    for hole in holes(LEVELS[name], 3, seed=1):
        game = Game(resolve(hole.reference, hole.rules).deal, hole.rules)
        play_moves(game, hole.solution())
        assert (game.status, -game.stock_left) == (Status.WON, hole.rating.optimum)


@pytest.mark.parametrize(("cleared", "taken"), [(448, True), (447, False), (1024, True), (0, False)])
def test_a_friendly_deal_is_cleared_by_seven_games_in_sixteen(cleared: int, taken: bool) -> None:
    games = Games(1024, cleared, 4 * 1024, 20 * 1024)
    assert LEVELS["easy"].takes(Rating(games, clearable=True, optimum=-3)) is taken
    assert LEVELS["medium"].takes(Rating(games, clearable=True, optimum=-3))


@pytest.mark.parametrize("name", LEVELS)
def test_no_level_takes_a_deal_that_cannot_be_cleared(name: str) -> None:
    assert not LEVELS[name].takes(Rating(Games(1024, 1024, 4 * 1024, 20 * 1024), clearable=False, optimum=2))


@pytest.mark.slow
def test_a_third_of_the_easy_deals_that_can_be_cleared_are_friendly() -> None:
    easy = LEVELS["easy"]
    dealt = range(10**8, 10**8 + 400)
    clearable = sum(can_be_cleared(number, "easy") for number in dealt)
    friendly = sum(hole is not None for hole in verified(dealt, easy))
    assert friendly / clearable == pytest.approx(1 / 3, abs=0.06)


@pytest.mark.parametrize(("count", "seed", "workers"), [(0, 0, None), (10**6 + 1, 0, None), (1, -1, None), (1, 0, 0)])
def test_holes_that_cannot_be_dealt_are_refused(count: int, seed: int, workers: int | None) -> None:
    with pytest.raises(NumberError, match=r"give (0|1) to"):
        next(holes(LEVELS["easy"], count, seed, workers))


@pytest.mark.parametrize("salt", ["", "our club", "ä / 2"])
@pytest.mark.parametrize("place", [0, 1, 12])
def test_a_candidate_is_the_first_35_bits_of_a_hash(salt: str, place: int) -> None:
    digest = hashlib.sha256(f"golf daily 1 / {salt} / 2027-03-09 / {place}".encode()).digest()
    bits = "".join(f"{byte:08b}" for byte in digest)
    assert candidate(date(2027, 3, 9), place, salt) == int(bits[:35], 2)


@pytest.mark.parametrize(
    ("day", "salt", "code", "place"),
    [
        ("2027-01-01", "", "GO1-C-KXXCY7O", 3),
        ("2027-12-31", "", "GO1-C-ISCIBZZ", 1),
        ("2024-02-29", "", "GO1-C-KFNZL2G", 4),
        ("9999-12-31", "", "GO1-C-OPTT2LY", 1),
        ("2027-01-01", "our club", "GO1-C-WQNSM6K", 0),
    ],
)
def test_the_hole_of_a_day_is_the_same_for_ever_and_the_first_that_can_be_cleared(
    day: str, salt: str, code: str, place: int
) -> None:
    when = date.fromisoformat(day)
    (found,) = daily.daily(when, 1, salt)
    assert (found.day, found.hole.reference) == (when, code)
    numbers = [candidate(when, each, salt) for each in range(place + 1)]
    assert numbers[-1] == found.hole.number
    assert [can_be_cleared(number, "classic") for number in numbers] == [False] * place + [True]


def test_a_day_has_the_same_hole_whatever_days_are_asked_for_and_whoever_looks() -> None:
    week = list(daily.daily(NEW_YEAR, 19, workers=2))
    assert [each.day for each in week] == [NEW_YEAR + timedelta(day) for day in range(19)]
    assert list(daily.daily(date(2027, 1, 5), 12, workers=1)) == week[4:16]


def test_documented_deals_are_no_daily_holes(monkeypatch: pytest.MonkeyPatch) -> None:
    (found,) = daily.daily(NEW_YEAR)
    monkeypatch.setattr(daily, "documented_numbers", lambda layout: (found.hole.number,))
    (other,) = daily.daily(NEW_YEAR)
    place = [candidate(NEW_YEAR, each) for each in range(30)].index(other.hole.number)
    assert place > [candidate(NEW_YEAR, each) for each in range(30)].index(found.hole.number)


def in_table(hole: DailyHole) -> str:
    text = written_holes([hole.record()], "csv", daily.LEVEL.rules, {})
    assert isinstance(text, str)
    return text.splitlines()[1]


def test_the_table_of_2027_has_the_holes_of_its_days() -> None:
    head, *rows = TABLE.read_text(encoding="utf-8").splitlines()
    assert head.split(",")[:5] == ["date", "deal", "number", "rules", "par"]
    assert [row[:10] for row in rows] == [str(NEW_YEAR + timedelta(day)) for day in range(365)]
    for place in range(3, 365, 60):
        (hole,) = daily.daily(NEW_YEAR + timedelta(place))
        assert rows[place] == in_table(hole)


@pytest.mark.slow
def test_the_whole_table_of_2027_is_what_the_days_have() -> None:
    rows = TABLE.read_text(encoding="utf-8").splitlines()[1:]
    assert [in_table(hole) for hole in daily.daily(NEW_YEAR, 365)] == rows


def test_all_holes_of_2027_are_different_and_each_par_is_there_as_often_as_it_should() -> None:
    rows = list(csv.DictReader(StringIO(TABLE.read_text(encoding="utf-8"))))
    assert len({row["deal"] for row in rows}) == 365
    assert all(-16 <= int(row["optimum"]) <= 0 for row in rows)
    pars = [int(row["par"]) for row in rows]
    assert all(pars.count(par) >= 0.15 * 365 for par in (3, 4, 5))
    assert 3.8 < sum(pars) / 365 < 4.2


@pytest.mark.parametrize(
    ("first", "days", "salt", "told"),
    [
        (NEW_YEAR, 0, "", "0 days from 2027-01-01 on: give 1 to"),
        (date(9999, 12, 30), 3, "", "give 1 to 2, the calendar ends with 9999-12-31"),
        (NEW_YEAR, 1, "\udcff", "is not UTF-8: give another one"),
    ],
)
def test_days_that_there_are_not_are_refused(first: date, days: int, salt: str, told: str) -> None:
    with pytest.raises(dates.DateError, match=told):
        next(daily.daily(first, days, salt))


@pytest.mark.parametrize("text", ["2027-1-1", "2027-02-29", "20270101", "tomorrow", "2027-01-01T00", ""])
def test_a_text_that_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(dates.DateError, match=r"is no date: write .* such as 2027-01-01"):
        dates.parse_date(text)
    assert dates.parse_date(" 2028-02-29 ") == date(2028, 2, 29)


def test_holes_come_in_every_form(tmp_path: Path) -> None:
    expected = [each.record(solution=True) for each in daily.daily(NEW_YEAR, 3)]

    def shown(form: str) -> str:
        text = written_holes(expected, form, daily.LEVEL.rules, {})
        assert isinstance(text, str)
        return text

    rows = list(csv.DictReader(StringIO(shown("csv"))))
    assert list(rows[0]) == list(expected[0])
    assert [row["solution"] for row in rows] == [each["solution"] for each in expected]
    assert [float(row["mean_strokes"]) for row in rows] == [round(each["mean_strokes"], 4) for each in expected]
    head, rule, *lines = shown("markdown").splitlines()
    assert head == "| date | deal | par | mean strokes | wins | best | solution |"
    assert rule == "| --- | --- | ---: | ---: | ---: | ---: | --- |"
    assert [line.split(" | ")[1] for line in lines] == [each["deal"] for each in expected]
    table = shown("table").splitlines()
    assert table[0] == "3 holes, rules classic, par 11"
    assert [line.split()[:3] for line in table[3:6]] == [
        [str(each["date"]), each["deal"], str(each["par"])] for each in expected
    ]
    finished = call("daily", "--from", "2027-01-01", "--days", "3", "--solutions", "--format", "json", "-q")
    assert finished.stderr == ""
    told = json.loads(finished.stdout)
    assert (told["salt"], told["rules"], told["shuffle"], told["player"]) == (
        *("", "classic", "golf 1", "lookahead,slack=0.75"),
    )
    assert told["holes"] == [{**each, "date": each["date"].isoformat()} for each in expected]
    data = written_holes(expected, "parquet", daily.LEVEL.rules, {})
    assert isinstance(data, bytes)
    frame = pl.read_parquet(BytesIO(data))
    assert frame.rows(named=True) == expected
    assert frame.schema["date"] == pl.Date()
    path = tmp_path / "holes.parquet"
    finished = call("holes", "--level", "hard", "-n", "2", "--seed", "7", "--format", "parquet", "-o", str(path))
    assert "golf's own shuffle" in finished.stderr
    assert pl.read_parquet(path).select("hole", "deal").rows() == [(1, "M45JYNO"), (2, "4T277VK")]
    assert "solution" not in pl.read_parquet(path).columns


def test_where_a_code_does_not_tell_the_rules_the_holes_do() -> None:
    (hard,), (medium,) = ([hole.record() for hole in holes(LEVELS[name], 1, 7)] for name in ("hard", "medium"))
    for record, rules, head, columns in (
        (
            hard,
            PRESETS["hard"],
            "1 hole, rules hard (give --rules hard with these deals), par 5",
            "| deal | rules | par |",
        ),
        (medium, PRESETS["classic"], "1 hole, rules classic, par 4", "| deal | par |"),
    ):
        table, markdown = (written_holes([record], form, rules, {}) for form in ("table", "markdown"))
        assert isinstance(table, str)
        assert isinstance(markdown, str)
        assert table.splitlines()[0] == head
        assert markdown.startswith(columns)
    shown = call("round", "--level", "hard", "--seed", "7", "-q").stdout
    assert shown.startswith("level hard, seed 7, rules hard (give --rules hard with these deals)\n")
    shown = call("play", "--round", "--level", "hard", "--seed", "7", "-q", stdin="q\n").stdout
    assert shown.startswith("level hard, seed 7, rules hard (give --rules hard with these deals), par ")


@pytest.mark.parametrize("zone", ["XXX-14", "XXX+12"])
def test_today_is_the_day_in_utc_wherever_one_is(zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        before, today, after = (time.gmtime()[:3], dates.today(), time.gmtime()[:3])
        assert date(*before) <= today <= date(*after)
    finally:
        monkeypatch.undo()
        time.tzset()


def test_today_is_the_day_where_none_is_given(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(dates, "today", lambda: NEW_YEAR)
    golf.main(["daily", "--format", "csv", "-q"], standalone_mode=False)
    assert capsys.readouterr().out.splitlines()[1].startswith("2027-01-01,GO1-C-KXXCY7O,11533378542,classic,5,")


def test_a_round_of_a_level_has_its_holes_and_their_pars() -> None:
    finished = call("round", "--level", "medium", "--seed", "7", "--play", "exact", "--format", "json", "-q")
    (card,) = json.loads(finished.stdout)["cards"]
    expected = list(holes(LEVELS["medium"], 9, 7))
    for hole, row in zip(expected, card["holes"], strict=True):
        assert (row["deal"], row["par"]) == (hole.reference, hole.rating.par)
        assert row["strokes"] == row["optimum"] == hole.rating.optimum
    told = json.loads(finished.stdout)
    assert (told["level"], told["seed"], told["rules"], told["par_definition"], told["games"]) == (
        *("medium", 7, "classic", "1", 1024),
    )
    assert told["deals"] == [[hole.number, hole.number + 1] for hole in expected]
    assert card["won"] is True
    assert card["par"] == sum(hole.rating.par for hole in expected)


def test_a_round_of_nine_days_takes_scores() -> None:
    finished = call("round", "--level", "daily", "--from", "2027-01-01", "--scores", "5 -4")
    assert finished.stdout.splitlines()[0] == "the days from 2027-01-01 on, rules classic"
    rows = [line.split() for line in finished.stdout.splitlines()[3:5]]
    assert rows == [
        ["1", "GO1-C-KXXCY7O", "5", "-1", "5", "E", "par"],
        ["2", "GO1-C-DYYQYSG", "3", "-4", "((-4))", "-7", "done", "-7"],
    ]
    assert finished.stdout.endswith("1 stroke on 2 of 9 holes, -7 against the par of 8; 1 of 2 days done\n")
    assert "golf's own shuffle" in finished.stderr


def test_a_calendar_of_ones_own_has_rounds_too() -> None:
    own = [each.hole.reference for each in daily.daily(NEW_YEAR, 9, "club")]
    days = ("--level", "daily", "--from", "2027-01-01", "--salt", "club")
    shown = call("round", *days, "-q").stdout.splitlines()
    assert shown[0] == "the days from 2027-01-01 on, salt club, rules classic"
    assert [line.split()[1] for line in shown[3:12]] == own
    told = json.loads(call("round", *days, "--format", "json", "-q").stdout)
    assert (told["level"], told["from"], told["salt"]) == ("daily", "2027-01-01", "club")
    shown = call("play", "--round", *days, "-q", stdin="q\n").stdout.splitlines()
    assert shown[0].startswith("the days from 2027-01-01 on, salt club, rules classic, par ")
    assert shown[2].startswith(f"Hole 1 of 9: {own[0]}, par ")


def test_a_score_better_than_the_best_play_of_a_hole_is_refused() -> None:
    for level, scores, told in (
        (("daily", "--from", "2027-01-01"), "5 -5", "-5 strokes of player on hole 2: its best play comes to -4"),
        (("medium", "--seed", "7"), "-4", "-4 strokes of player on hole 1: its best play comes to -3"),
    ):
        finished = call("round", "--level", *level, "--scores", scores, "-q")
        assert (finished.returncode, finished.stdout) == (2, "")
        assert told in finished.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("round", "--level", "medium", "--tradition"), "one of them"),
        (
            ("round", "--level", "medium", "--from", "2027-01-01"),
            "--from and --salt are of --level daily",
        ),
        (("round", "--tradition", "--from", "2027-01-01"), "add it, or leave them out"),
        (("round", "--level", "medium", "--salt", "club"), "add it, or leave them out"),
        (("round", "--level", "medium", "--first", "3"), "--level says which deals are played"),
        (("round", "--level", "medium", "--rules", "easy"), "--level says which deals are played"),
        (("round", "--level", "medium", "pysol:2"), "give nothing else for that"),
        (("round", "--level", "medium", "--numbering", "ms"), "give nothing else for that"),
        (("holes",), "--level"),
        (("holes", "--level", "expert"), "'expert' is not one of"),
        (("holes", "--level", "easy", "-n", "0"), "a count is from 1"),
        (("holes", "--level", "easy", "-n", "1000001"), "1000001 holes: give 1 to 1000000"),
        (("daily", "--from", "2027-02-30"), "'2027-02-30' is no date"),
        (("daily", "--from", "9999-12-31", "--days", "2"), "give 1 to 1, the calendar ends"),
        (("daily", "--workers", "5000"), "5000 workers: give 1 to"),
    ],
)
def test_what_cannot_be_is_refused_with_a_remedy(arguments: tuple[str, ...], told: str) -> None:
    with pytest.raises((GolfError, click.ClickException)) as refused:
        golf.main(arguments, standalone_mode=False)
    error = refused.value
    assert told in (error.format_message() if isinstance(error, click.ClickException) else str(error))
