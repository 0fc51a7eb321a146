"""What a solver from outside golf may answer, and what is told where it answers something else."""

from collections.abc import Callable, Iterator
from typing import Any

import faulty_plugins
import numpy as np
import pytest

from golf_cli.deals.numberings import NUMBERINGS
from golf_cli.errors import PluginError
from golf_cli.rules import PRESETS
from golf_cli.solvers import registry
from golf_cli.solvers.outcome import RESULTS, Games, GamesOfDeals, Outcome, Outcomes, Result
from golf_cli.solvers.protocol import Deals
from golf_cli.sweep.plan import Interval, Task
from golf_cli.sweep.playing import play_interval

CLEARED, BLOCKED, NOT_CLEARABLE, STATE_LIMIT, OTHER_LIMIT = range(5)
Answer = Callable[[Deals], Any]


def played(monkeypatch: pytest.MonkeyPatch, answer: Answer, solver: str = "Answers") -> Outcomes:
    """What a sweep makes of an answer for the deals 10, 11 and 12."""
    monkeypatch.setattr(faulty_plugins, "answer", answer)
    return play_interval(Task.of("go1", PRESETS["classic"], f"faulty_plugins:{solver}"), Interval(10, 13))


def ends(result: int, cards_left: int, stock_left: int) -> Answer:
    """The three columns of three deals: the middle one ends so, and the others are blocked at 35 cards."""
    rows = [(BLOCKED, 35, 0), (result, cards_left, stock_left), (BLOCKED, 35, 0)]
    return lambda deals: Outcomes(*(np.array(column) for column in zip(*rows, strict=True)))


@pytest.mark.parametrize(
    "end",
    [
        (CLEARED, 0, 0),
        (CLEARED, 0, 16),
        (BLOCKED, 1, 0),
        (BLOCKED, 35, 0),
        (STATE_LIMIT, 0, 0),
        (STATE_LIMIT, 35, 16),
        (OTHER_LIMIT, 17, 3),
    ],
)
def test_every_end_a_game_can_have_is_taken(monkeypatch: pytest.MonkeyPatch, end: tuple[int, int, int]) -> None:
    outcome = played(monkeypatch, ends(*end))[1]
    assert outcome == Outcome(RESULTS[end[0]], *end[1:])


@pytest.mark.parametrize("solver", ["Answers", "KnowsTheStock"])
@pytest.mark.parametrize(
    "end",
    [
        (-1, 3, 0),
        (-256, 3, 0),
        (len(RESULTS), 3, 0),
        (256 + BLOCKED, 3, 0),
        (BLOCKED, 36, 0),
        (BLOCKED, -1, 0),
        (BLOCKED, 256 + 3, 0),
        (BLOCKED, 3 - 256, 0),
        (STATE_LIMIT, 36, 0),
        (STATE_LIMIT, -1, 0),
        (STATE_LIMIT, 3, 17),
        (STATE_LIMIT, 3, -1),
        (CLEARED, 0, 17),
        (CLEARED, 0, -1),
        (CLEARED, 0, 256),
        (CLEARED, 0, -256),
        (CLEARED, 3, 0),
        (BLOCKED, 0, 0),
        (NOT_CLEARABLE, 0, 0),
        (BLOCKED, 3, 1),
        (NOT_CLEARABLE, 3, 1),
        (BLOCKED, 3, 256),
        (BLOCKED, 3, -256),
    ],
)
def test_an_end_that_no_game_has_is_refused_with_its_deal(
    monkeypatch: pytest.MonkeyPatch, end: tuple[int, int, int], solver: str
) -> None:
    result, cards, stock = end
    told = f"returned result {result} with {cards} cards and {stock} stock cards left for deal 11: no game ends so"
    with pytest.raises(PluginError, match=told):
        played(monkeypatch, ends(*end), solver)


def test_only_a_solver_that_knows_the_stock_proves_that_a_deal_cannot_be_cleared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    proof = ends(NOT_CLEARABLE, 3, 0)
    assert played(monkeypatch, proof, "KnowsTheStock")[1] == Outcome(Result.NOT_CLEARABLE, 3, 0)
    with pytest.raises(PluginError, match="called deal 11 not clearable, which is a proof"):
        played(monkeypatch, proof)


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int64, np.uint8, np.uint64])
def test_whole_numbers_of_any_width_are_taken(monkeypatch: pytest.MonkeyPatch, dtype: type[np.integer[Any]]) -> None:
    column = np.array([1, 1, 1], dtype)
    outcomes = played(monkeypatch, lambda deals: Outcomes(column, column, 0 * column))
    assert [each.dtype for each in (outcomes.results, outcomes.cards_left, outcomes.stock_left)] == [np.uint8] * 3
    assert [outcomes[index] for index in range(3)] == [Outcome(Result.BLOCKED, 1, 0)] * 3


@pytest.mark.parametrize("dtype", [np.uint8, np.int64])
def test_an_answer_stays_what_it_was_when_a_solver_uses_its_arrays_again(
    monkeypatch: pytest.MonkeyPatch, dtype: type[np.integer[Any]]
) -> None:
    column = np.array([1, 1, 1], dtype)
    outcomes = played(monkeypatch, lambda deals: Outcomes(column, column, np.zeros(3, dtype)))
    column[:] = 99
    assert [outcomes[index] for index in range(3)] == [Outcome(Result.BLOCKED, 1, 0)] * 3


ONES = np.array([1, 1, 1])
ODD_COLUMNS = {
    "fractions": (ONES.astype(float), "returned float64 where whole numbers are needed"),
    "truths": (ONES.astype(bool), "returned bool where whole numbers are needed"),
    "objects": (ONES.astype(object), "returned object where whole numbers are needed"),
    "too few": (ONES[:2], r"returned outcomes of shape \(2,\) for 3 deals"),
    "too many": (np.ones(4, np.int64), r"returned outcomes of shape \(4,\) for 3 deals"),
    "none": (ONES[:0], r"returned outcomes of shape \(0,\) for 3 deals"),
    "a table": (ONES.reshape(3, 1), r"returned outcomes of shape \(3, 1\) for 3 deals"),
    "one number": (np.array(1), r"returned outcomes of shape \(\) for 3 deals"),
    "a list": ([1, 1, 1], "returned outcomes of shape list for 3 deals"),
    "nothing": (None, "returned outcomes of shape NoneType for 3 deals"),
}


@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize(("column", "told"), ODD_COLUMNS.values(), ids=ODD_COLUMNS)
def test_each_column_is_whole_numbers_one_a_deal(
    monkeypatch: pytest.MonkeyPatch, column: object, told: str, place: int
) -> None:
    columns: list[Any] = [ONES, ONES, 0 * ONES]
    columns[place] = column
    with pytest.raises(PluginError, match=told):
        played(monkeypatch, lambda deals: Outcomes(*columns))


def fails_halfway(deals: Deals) -> Iterator[Outcome]:
    yield Outcome(Result.BLOCKED, 35, 0)
    raise ZeroDivisionError("one over nothing")


ODD_ANSWERS: dict[str, tuple[Answer, str]] = {
    "nothing": (lambda deals: None, "TypeError: 'NoneType' object is not iterable"),
    "a number": (lambda deals: 3, "TypeError: 'int' object is not iterable"),
    "one outcome": (lambda deals: Outcome(Result.BLOCKED, 35, 0), "TypeError"),
    "tuples": (lambda deals: [(1, 35, 0)] * 3, "AttributeError: 'tuple' object has no attribute 'result'"),
    "a result in words": (lambda deals: [Outcome("blocked", 35, 0)] * 3, "AttributeError"),  # type: ignore[arg-type]
    "part of a card": (lambda deals: [Outcome(Result.BLOCKED, 1.5, 0)] * 3, "whole numbers"),  # type: ignore[arg-type]
    "a card in words": (lambda deals: [Outcome(Result.BLOCKED, "1", 0)] * 3, "whole numbers"),  # type: ignore[arg-type]
    "no card": (lambda deals: [Outcome(Result.BLOCKED, None, 0)] * 3, "whole numbers"),  # type: ignore[arg-type]
    "very many cards": (lambda deals: [Outcome(Result.BLOCKED, 10**30, 0)] * 3, "whole numbers"),
    "too few": (lambda deals: faulty_plugins.blocked(deals)[:2], r"shape \(2,\) for 3 deals"),
    "too many": (lambda deals: [*faulty_plugins.blocked(deals)] * 2, r"shape \(4,\) for 3 deals"),
    "a generator that fails": (fails_halfway, "ZeroDivisionError: one over nothing"),
}


@pytest.mark.parametrize(("answer", "told"), ODD_ANSWERS.values(), ids=ODD_ANSWERS)
def test_an_answer_that_is_no_sequence_of_outcomes_is_the_solvers_fault(
    monkeypatch: pytest.MonkeyPatch, answer: Answer, told: str
) -> None:
    with pytest.raises(PluginError, match=f"faulty_plugins:Answers failed on the deals 10..12 of go1: .*{told}"):
        played(monkeypatch, answer)


def test_a_generator_of_outcomes_is_taken_as_a_list_is(monkeypatch: pytest.MonkeyPatch) -> None:
    outcomes = played(monkeypatch, lambda deals: (Outcome(Result.BLOCKED, cards, 0) for cards in (3, 4, 5)))
    assert outcomes.cards_left.tolist() == [3, 4, 5]


@pytest.mark.parametrize("kind", ["SystemExit", "GeneratorExit"])
@pytest.mark.parametrize("when", ["make", "prepare", "play"])
def test_a_solver_that_exits_does_not_end_golf_as_if_all_were_well(kind: str, when: str) -> None:
    with pytest.raises(PluginError, match=rf"{kind}: left at {when} \(.*faulty_plugins.py, line \d+\)"):
        play_interval(
            Task.of("go1", PRESETS["classic"], f"faulty_plugins:Exits,kind={kind},when={when}"), Interval(0, 1)
        )


def test_a_module_that_exits_when_it_is_imported_is_its_own_fault() -> None:
    with pytest.raises(PluginError, match=r"could not be loaded: SystemExit: no licence found \(.*leaves_at_import.py"):
        registry.find("leaves_at_import:Player")


def test_an_interrupt_while_a_solver_plays_is_an_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(deals: Deals) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        played(monkeypatch, interrupted)


@pytest.mark.parametrize(
    ("solver", "told"),
    [
        ("version_empty", "its version is ''"),
        ("version_of_two_lines", r"its version is '1\\nseed: 5': give one line"),
        ("version_number", "its version is 1"),
        ("version_none", "its version is None"),
        ("summary_empty", "its summary is ''"),
        ("summary_of_two_lines", r"its summary is 'plays\\nwell': give one line"),
        ("summary_missing", "its summary is None"),
        ("batch_of_none", "its batch is 0: give a whole number of deals from 1 on"),
        ("batch_negative", "its batch is -16"),
        ("batch_fraction", "its batch is 2.5"),
        ("batch_text", "its batch is '16'"),
        ("batch_truth", "its batch is True"),
    ],
)
def test_what_a_solver_says_of_itself_is_looked_at(solver: str, told: str) -> None:
    with pytest.raises(PluginError, match=f"faulty_plugins:{solver} could not be loaded: {told}"):
        registry.find(f"faulty_plugins:{solver}")


def test_what_cannot_be_prepared_is_the_solvers_fault() -> None:
    task = Task.of("go1", PRESETS["classic"], "faulty_plugins:prepare_is_no_function")
    with pytest.raises(PluginError, match="TypeError: 'str' object is not callable"):
        play_interval(task, Interval(0, 1))


@pytest.mark.parametrize("solver", ["plugins:Rightmost", "leftmost"])
def test_a_solver_that_changed_since_it_was_planned_is_not_played(solver: str) -> None:
    task = Task("go1", NUMBERINGS["go1"].version, PRESETS["classic"], solver, "0.9")
    with pytest.raises(PluginError, match=r"version 1 here, and version 0.9 is to be played: it changed while"):
        play_interval(task, Interval(0, 5))


def with_games(*counts: int, dtype: type[np.integer[Any]] = np.int64) -> Answer:
    """Three deals blocked at 3 cards; the games of the middle one come to these counts."""
    rows = [(4, 1, 11, 57), counts, (1, 0, 35, 35**2)]
    columns = [np.array(column).astype(dtype) for column in zip(*rows, strict=True)]
    return lambda deals: Outcomes(ONES, 3 * ONES, 0 * ONES, GamesOfDeals(*columns))


@pytest.mark.parametrize(
    "counts",
    [(1, 0, 1, 1), (1, 1, 0, 0), (1, 1, -16, 256), (2, 1, 19, 1481), (1_000_000, 0, 35_000_000, 1_225_000_000)],
)
def test_counts_that_games_add_up_to_are_taken(monkeypatch: pytest.MonkeyPatch, counts: tuple[int, ...]) -> None:
    outcomes = played(monkeypatch, with_games(*counts), "AnswersWithGames")
    assert outcomes[1] == Outcome(Result.BLOCKED, 3, 0, games=Games(*counts))
    assert [column.dtype for column in outcomes.columns[3:]] == [np.uint32, np.uint32, np.int32, np.uint32]


@pytest.mark.parametrize(
    "counts",
    [
        (0, 0, 0, 0),
        (-1, 0, 0, 0),
        (1_000_001, 0, 1_000_001, 1_000_001),
        (1 << 62, 1, 1, 1),
        (3, -1, 4, 4),
        (3, 4, 0, 0),
        (2, 0, 1, 1),
        (2, 0, 71, 2521),
        (2, 2, -33, 545),
        (2, 0, 4, 6),
        (2, 0, 4, 9),
        (2, 0, 2, 1),
        (2, 0, 36, 2452),
        (2, 1, 0, 1482),
        (1, 1, 0, -1),
        (1, 1, 0, 1 << 62),
        (1, 1, 1 << 62, 0),
        (1, 1, 0, 257),
    ],
)
def test_counts_that_no_games_add_up_to_are_refused_with_their_deal(
    monkeypatch: pytest.MonkeyPatch, counts: tuple[int, ...]
) -> None:
    games, cleared, strokes, squares = counts
    told = rf"counted, for deal 11, {cleared} of {games} games cleared, with {strokes} strokes \({squares} squared\)"
    with pytest.raises(PluginError, match=told):
        played(monkeypatch, with_games(*counts), "AnswersWithGames")


def test_small_counts_of_any_width_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = with_games(2, 0, 4, 8, dtype=np.int16)
    assert played(monkeypatch, answer, "AnswersWithGames")[1].games == Games(2, 0, 4, 8)


def test_a_solver_says_whether_it_counts_games(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PluginError, match="with counts of games: one that has them says so by counts_games = True"):
        played(monkeypatch, with_games(2, 0, 4, 8))
    with pytest.raises(PluginError, match="without counts of games, and says by counts_games that it has them"):
        played(monkeypatch, lambda deals: Outcomes(ONES, ONES, 0 * ONES), "AnswersWithGames")


@pytest.mark.parametrize(("solver", "told"), [("Answers", "with counts of"), ("AnswersWithGames", "without counts of")])
def test_games_are_counted_of_all_deals_or_of_none(monkeypatch: pytest.MonkeyPatch, solver: str, told: str) -> None:
    plain = Outcome(Result.BLOCKED, 3, 0)
    counted = Outcome(Result.BLOCKED, 3, 0, games=Games(2, 0, 4, 8))
    for mixed in ([plain, counted, plain], [counted, plain, counted]):
        with pytest.raises(PluginError, match="counts of games"):
            played(monkeypatch, lambda deals, mixed=mixed: mixed, solver)
