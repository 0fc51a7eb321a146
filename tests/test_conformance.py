"""A solver that breaks a promise is told which, where and how; one that keeps them all is left in peace."""

import json
import re
import shutil
from pathlib import Path

import pytest
import unfaithful_plugins
from processes import call

from golf_cli.conformance import check as checks
from golf_cli.conformance.check import assert_promises, check
from golf_cli.conformance.promises import PROMISES
from golf_cli.conformance.report import Report, Verdict, written
from golf_cli.errors import NumberError, PluginError, SolverError
from golf_cli.rules import PRESETS, RuleSet
from golf_cli.solvers.registry import BUILT_IN

EASY = [PRESETS["easy"]]
LINES = {"legal actions", "lines", "no peeking"}


def checked(name: str, deals: int = 8, rules: str = "easy") -> Report:
    return check(f"unfaithful_plugins:{name}", deals, [RuleSet.parse(rules)])


def shown(report: Report, verdict: Verdict) -> set[str]:
    return {finding.promise for finding in report.findings if finding.verdict is verdict}


def breaks(name: str, promise: str, deals: int = 8, rules: str = "easy", slow: bool = False) -> object:
    return pytest.param(name, promise, deals, rules, id=name, marks=[pytest.mark.slow] if slow else [])


@pytest.mark.parametrize(
    ("name", "promise", "deals", "rules"),
    [
        breaks("NotTrueOrFalse", "attributes", slow=True),
        breaks("AnotherEachTime", "attributes"),
        breaks("StopsEarly", "ends"),
        breaks("OneShort", "ends"),
        breaks("SortsTheStock", "arrays"),
        breaks("CountsNumbers", "arrays", slow=True),
        breaks("GlobalDice", "same twice"),
        breaks("Clock", "same twice"),
        breaks("CountsCalls", "same twice"),
        breaks("UnsteadyLines", "same twice"),
        breaks("CountsInstances", "made again"),
        breaks("HashesTexts", "new process"),
        breaks("KnowsItsProcess", "new process", slow=True),
        breaks("RemembersEverywhere", "new process"),
        breaks("LooksAtTheBatch", "batches"),
        breaks("LooksAtTheFirst", "batches", slow=True),
        breaks("RemembersNumbers", "batches"),
        breaks("KeepsTheRules", "other rules"),
        breaks("KeepsTheSeed", "other rules"),
        breaks("OneRoomForAll", "threads"),
        breaks("ThirtyTwoBits", "large numbers"),
        breaks("CountsOtherGames", "same twice"),
        breaks("CountsTooMany", "ends"),
        breaks("CountsUnasked", "ends"),
        breaks("OneBetter", "best possible"),
        breaks("BetterThanItsLimit", "best possible", rules="hard", slow=True),
        breaks("ProvesTooMuch", "proofs"),
        breaks("ProvesBlindly", "proofs", slow=True),
        breaks("PlaysWhatDoesNotFit", "legal actions"),
        breaks("DrawsFirst", "legal actions", rules="strict", slow=True),
        breaks("SpeaksInNumbers", "legal actions", slow=True),
        breaks("OneWorse", "lines"),
        breaks("LeavesTheTable", "lines", slow=True),
        breaks("Peeks", "no peeking"),
        breaks("PeeksUntold", "no peeking", deals=32),
        breaks("KnowsTheNumbers", "no oracle", deals=26),
        breaks("NoJokers", "other layouts"),
        breaks("JokersAreNoCards", "other layouts", slow=True),
    ],
)
def test_a_solver_fails_at_exactly_the_promise_it_breaks(name: str, promise: str, deals: int, rules: str) -> None:
    assert shown(checked(name, deals, rules), Verdict.BROKEN) == {promise}


SLOW = ("expert", "par")
QUICK = [{"difficulty": "difficulty,games=2"}.get(name, name) for name in BUILT_IN if name not in SLOW]


@pytest.mark.parametrize("name", ["exact", "leftmost", "lookahead"])
def test_golfs_own_solvers_keep_every_promise_made_to_them(name: str) -> None:
    report = check(name, 8, [PRESETS["easy"], PRESETS["strict"]])
    assert shown(report, Verdict.BROKEN) == set()
    assert shown(report, Verdict.NOT_SHOWN) <= (
        {"no peeking", "no oracle"} if name == "exact" else {"proofs", "no oracle"}
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", [*QUICK, "exact,max-states=20000"])
def test_golfs_own_solvers_keep_every_promise_on_many_deals(name: str) -> None:
    thoughtful = name.startswith(("exact", "difficulty"))
    report = check(name, 32, [*PRESETS.values(), RuleSet.parse("easy,jokers=2,draw=when-stuck")], seed=5)
    assert shown(report, Verdict.BROKEN) == set()
    assert shown(report, Verdict.NOT_SHOWN) == ({"no peeking", "no oracle"} if thoughtful else {"proofs"})


@pytest.mark.slow
@pytest.mark.parametrize(("objective", "rules"), [("clear", "strict"), ("strokes", "classic")])
def test_the_expert_keeps_every_promise(objective: str, rules: str) -> None:
    report = check(f"expert,objective={objective},samples=8", 1, [PRESETS[rules]])
    assert shown(report, Verdict.BROKEN) == set()
    assert shown(report, Verdict.NOT_SHOWN) <= {"proofs", "no oracle"}


def test_a_solver_that_draws_early_by_what_it_sees_and_by_its_seed_keeps_every_promise() -> None:
    assert shown(checked("DrawsWhenItLikes"), Verdict.BROKEN) == set()
    assert "no peeking" in shown(checked("DrawsWhenItLikes", 4), Verdict.KEPT)


def test_what_a_solver_without_lines_leaves_open_is_not_taken_for_kept() -> None:
    report = checked("Faithful")
    assert shown(report, Verdict.NOT_SHOWN) == {*LINES, "threads", "proofs", "no oracle"}
    reasons = {finding.promise: finding.reason for finding in report.findings}
    assert all("offers no lines" in reasons[promise] for promise in LINES)
    assert "give more deals" in reasons["no oracle"]
    assert shown(checked("FaithfulWithLines"), Verdict.KEPT) >= LINES


def test_a_breach_names_its_first_deal_and_what_was_expected_there() -> None:
    (finding,) = checked("StopsEarly").broken
    assert finding.breach
    assert finding.breach.place == "deal 3, rules easy, seed 0"
    assert "with the stock drawn out" in finding.breach.expected
    assert finding.breach.came == "blocked, 35 left in the columns and 9 in the stock"


def test_a_report_is_written_for_people_and_for_programs() -> None:
    report = checked("PlaysWhatDoesNotFit")
    table, record = written(report), json.loads(written(report, "json"))
    assert [line.split()[0] for line in table.splitlines()[4:21]] == [promise.name.split()[0] for promise in PROMISES]
    assert "legal actions: broken at deal 0, rules easy, seed 0\n  expected  legal actions alone\n" in table
    assert table.endswith("1 of 17 promises broken\n")
    (broken,) = (each for each in record["promises"] if each["verdict"] == "broken")
    assert broken["breach"] | {"came": ""} == {
        "deal": 0,
        "rules": "easy",
        "seed": 0,
        "expected": "legal actions alone",
        "came": "",
    }
    assert (record["broken"], record["deals"], record["rules"]) == (1, 8, ["easy"])
    with pytest.raises(ValueError, match="no form is called 'csv'"):
        written(report, "csv")


def test_every_promise_needs_promises_that_are_tried_before_it() -> None:
    before: set[str] = set()
    for promise in PROMISES:
        assert set(promise.needs) <= before
        before.add(promise.name)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("FallsOver", r"failed when asked to play deal 2, rules easy, seed 0: ZeroDivisionError: one over"),
        ("FallsOverElsewhere", "played in a new process, ended it with exit code 7"),
        ("LosesInterest", "refuses, when tried for 'same twice', rules that it played before: enough"),
    ],
)
def test_a_solver_that_raises_is_at_fault_with_the_deal_named(name: str, told: str) -> None:
    with pytest.raises(PluginError, match=told):
        checked(name)


def test_rules_that_a_solver_refuses_in_words_are_no_breach() -> None:
    report = check("unfaithful_plugins:EasyAlone", 4, PRESETS.values())
    assert (report.rules, report.broken) == ((PRESETS["easy"],), ())
    assert [str(rules) for rules, _ in report.refused] == ["classic", "hard", "strict"]
    assert "not played: hard (hard is beyond it)" in str(report)
    assert "other layouts" in shown(report, Verdict.KEPT)
    with pytest.raises(SolverError, match="plays by none of the rules it was to be checked by: hard is beyond it"):
        check("unfaithful_plugins:EasyAlone", 4, [PRESETS["hard"]])


@pytest.mark.slow
def test_without_a_number_of_deals_a_check_takes_as_many_as_the_time_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "SECONDS", 0.0)
    assert check("leftmost", rules=EASY).deals == 2
    monkeypatch.setattr(checks, "SECONDS", 1e9)
    monkeypatch.setattr(checks, "MOST", 5)
    assert check("leftmost", rules=EASY).deals == 5


def test_deals_and_seeds_out_of_range_are_refused() -> None:
    for deals, seed in ((0, 0), (1, -1), (1, 1 << 64)):
        with pytest.raises(NumberError):
            check("leftmost", deals, EASY, seed)


def test_the_watch_hears_of_every_promise() -> None:
    heard: list[tuple[str, int, int]] = []
    check("leftmost", 2, EASY, watch=lambda promise, done, total: heard.append((promise, done, total)))
    assert heard == [(name, done, 17) for done, name in enumerate([*(each.name for each in PROMISES), ""])]


def test_a_test_of_two_lines_shows_the_report() -> None:
    assert_promises("leftmost", 2, EASY)
    with pytest.raises(AssertionError, match="same twice: broken at deal"):
        assert_promises("unfaithful_plugins:GlobalDice", 8, EASY)


def test_the_example_of_the_docs_keeps_its_promises(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document = Path(__file__).parents[1] / "docs" / "solvers.md"
    (example,) = re.findall(r"```python\n(# file: rightmost.py\n.*?)```", document.read_text("utf-8"), re.DOTALL)
    (tmp_path / "rightmost.py").write_text(example, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    report = check("rightmost:Rightmost", 6)
    assert shown(report, Verdict.BROKEN) == set()
    assert shown(report, Verdict.NOT_SHOWN) <= {"threads", "proofs", "no oracle"}


def test_the_command_says_by_its_exit_code_what_came(tmp_path: Path) -> None:
    shutil.copy(unfaithful_plugins.__file__, tmp_path)
    few = ("-n", "4", "--rules", "easy")
    kept = call("solvers", "check", "unfaithful_plugins:Talks", *few, "--format", "json", "-q", cwd=tmp_path)
    assert (kept.returncode, json.loads(kept.stdout)["broken"]) == (0, 0)
    assert "prepared" in kept.stderr
    broken = call("solvers", "check", "unfaithful_plugins:CountsCalls", *few, cwd=tmp_path)
    assert (broken.returncode, "same twice: broken at" in broken.stdout) == (1, True)
    raising = call("solvers", "check", "unfaithful_plugins:FallsOver", *few, cwd=tmp_path)
    assert (raising.returncode, raising.stdout) == (3, "")
    assert "a fault of that solver, not of golf" in raising.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["nobody"], 2, "no solver is called 'nobody'"),
        (["leftmost,depth=3"], 2, "takes no option 'depth'"),
        (["no_such_module:Player"], 3, "could not be loaded: ModuleNotFoundError"),
        (["leftmost", "-n", "0"], 2, "Invalid value for '-n'"),
        ([], 2, "Missing argument 'NAME'"),
    ],
)
def test_a_solver_that_is_not_there_is_a_usage_error_and_one_that_does_not_load_is_its_own(
    arguments: list[str], code: int, told: str
) -> None:
    finished = call("solvers", "check", *arguments)
    assert (finished.returncode, finished.stdout) == (code, "")
    assert told in " ".join(finished.stderr.split())


def test_the_list_of_solvers_is_what_the_group_prints_on_its_own() -> None:
    lines = call("solvers").stdout.splitlines()
    assert [line.split()[0] for line in lines][: len(BUILT_IN)] == list(BUILT_IN)
    assert [line.split()[1] for line in lines][:2] == ["thoughtful", "visible"]
