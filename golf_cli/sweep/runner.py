"""A plan played: pieces handed to workers, and one writer that stores what comes back."""

import sys
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, redirect_stdout
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from golf_cli.errors import DealsFailedError, NumberError, PluginError, WorkerError
from golf_cli.interrupts import hearing
from golf_cli.solvers.outcome import Outcomes
from golf_cli.sweep.events import Begun, Event, Failed, Lost, Played, Started
from golf_cli.sweep.log import recorded
from golf_cli.sweep.pieces import Gathering, Piece, Pieces
from golf_cli.sweep.plan import Interval, Plan, Task, short
from golf_cli.sweep.playing import named_solver
from golf_cli.sweep.store import MOST_IN_A_FILE, Store
from golf_cli.sweep.waiting import first_done
from golf_cli.sweep.workers import Answer, Crew, Local, Team
from golf_cli.wording import counted, noun

HOPELESS: Final = 100
"""Deals that fail one and all before a sweep that keeps going takes the solver for broken altogether."""


def collect(
    plan: Plan, directory: Path, crew: Crew | None = None, batch: int | None = None, keep_going: bool = False
) -> Store:
    """Play what a directory does not hold yet of a plan, store it there, and return the dataset.

    The arguments and errors are those of `run` and `Store`.
    """
    store = Store(directory)
    for _ in run(plan, store, crew, batch, keep_going):
        pass
    return store


def run(
    plan: Plan, store: Store, crew: Crew | None = None, batch: int | None = None, keep_going: bool = False
) -> Iterator[Event]:
    """Play what the store does not hold yet of a plan, store it, and log it. Lazy: nothing happens before `next`.

    The rows stored depend on the plan alone. A file holds one batch; batches are cut at multiples of the batch size,
    so that the files too depend on nothing but the plan and the batch size, whatever the number of workers and the
    order in which they finish. Deals whose worker was lost are played again.

    Args:
        plan: what to play.
        store: where to store it.
        crew: who plays; `Local()` if None.
        batch: deals in a file; the solver's own figure if None.
        keep_going: whether to pass over deals on which a solver fails. They are told as `Failed`, no row is stored, and
            a rerun plays them again.

    Raises:
        NumberError: `batch` is out of range.
        DatasetError: the store holds something else, or cannot be written.
        PluginError: a solver from outside golf failed.
        DealsFailedError: deals were passed over; everything else is played and stored. A task of which `HOPELESS` deals
            failed and none was ever played is not gone on with; the others are.
        WorkerError: workers were lost over and over.
    """
    if batch is not None and not 1 <= batch <= MOST_IN_A_FILE:
        raise NumberError(f"{batch} deals in a file: give 1 to {MOST_IN_A_FILE}")
    return _run(plan, store, crew or Local(), batch, keep_going)


def play(
    tasks: Sequence[Task],
    intervals: Sequence[Interval],
    keep: Callable[[Task, Interval, Outcomes], object],
    crew: Crew | None = None,
) -> Iterator[Event]:
    """Play deals as a sweep does, and store nothing. Lazy: nothing happens before `next`.

    Args:
        tasks: what to play, each once, one after the other.
        intervals: the deals that each task plays, none of them twice.
        keep: is given what was played, in parts that come in any order.
        crew: who plays; `Local()` if None.

    Raises:
        PluginError: a solver from outside golf failed.
        WorkerError: workers were lost over and over.
    """
    crew = crew or Local()
    with ExitStack() as block:
        block.enter_context(hearing())
        block.enter_context(crew)
        teams = _Teams(crew, block)
        # A plan has one interval: that of all these, with what lies between them.
        span = Interval(min(each.first for each in intervals), max(each.stop for each in intervals))
        deals = len(tasks) * sum(each.size for each in intervals)
        yield Started(Plan(tuple(tasks), span), tuple(tasks), str(teams), 0, deals)
        for task in tasks:
            team = teams.of(task)
            yield Begun(task, str(team))
            yield from _play(team, intervals, named_solver(task.solver).solver.batch, False, partial(keep, task))


def _run(plan: Plan, store: Store, crew: Crew, batch: int | None, keep_going: bool) -> Generator[Event, None, None]:
    todo = store.todo(plan)
    if not todo:
        return
    store.refuse_if_held()
    with ExitStack() as block:
        block.enter_context(hearing())
        block.enter_context(crew)
        teams = _Teams(crew, block)
        if not keep_going:
            for task, intervals in todo.items():
                _try_out(teams.of(task), intervals[0].first)
        block.enter_context(store.writing())
        yield from recorded(_play_all(plan, store, teams, batch, keep_going), store.log)


class _Teams:
    """The teams of a sweep: one at a time, so that a sweep of many tasks has no more workers than one of one.

    Args:
        crew: where teams come from.
        block: at whose end the last team goes.
    """

    def __init__(self, crew: Crew, block: ExitStack) -> None:
        self._crew = crew
        self._block = block
        self._present: Team | None = None

    def __str__(self) -> str:
        return str(self._crew)

    def of(self, task: Task) -> Team:
        """The team of a task; that of another task is let go."""
        if self._present is None or self._present.task != task:
            if self._present is not None:
                self._present.close()
            self._present = self._block.enter_context(self._crew.team(task))
        return self._present


def _play_all(
    plan: Plan, store: Store, teams: _Teams, batch: int | None, keep_going: bool
) -> Generator[Event, None, None]:
    """Play all tasks of a plan, one after the other; the store is held meanwhile."""
    todo = store.todo(plan)  # somebody else may have written before
    for task in todo:
        store.prepare(task, [plan.interval])
    missing = {task: sum(interval.size for interval in intervals) for task, intervals in todo.items()}
    stored = plan.interval.size * len(plan.tasks) - sum(missing.values())
    yield Started(plan, tuple(todo), str(teams), stored, sum(missing.values()))
    failed: list[Failed] = []
    given_up: list[Task] = []
    for task, intervals in todo.items():
        team = teams.of(task)
        yield Begun(task, str(team))
        size = batch or named_solver(task.solver).solver.batch
        hope = _Hope(missing[task] < plan.interval.size)
        for event in _play(team, intervals, size, keep_going, partial(store.write, task)):
            yield event
            hope.look_at(event)
            if hope.is_lost:
                given_up.append(task)
                team.kill()
                break
        failed += hope.failed
        stored += hope.played
    if failed:
        raise (DealsFailedError if stored else PluginError)(_told(failed, given_up, store.log.name))


class _Hope:
    """Whether a solver that fails on deals is worth going on with.

    Args:
        proved: whether it has played deals before.

    Attributes:
        failed: the deals on which it failed.
        played: how many deals it played.
    """

    def __init__(self, proved: bool) -> None:
        self.failed: list[Failed] = []
        self.played = 0
        self._proved = proved

    def look_at(self, event: Event) -> None:
        """Take an event in."""
        if isinstance(event, Played):
            self.played += event.interval.size
        elif isinstance(event, Failed):
            self.failed.append(event)

    @property
    def is_lost(self) -> bool:
        """Whether `HOPELESS` deals failed and none was ever played."""
        return len(self.failed) >= HOPELESS and not (self._proved or self.played)


def _told(failed: Sequence[Failed], given_up: Sequence[Task], log: str) -> str:
    """Which deals failed, and of the first one why."""
    tasks = dict.fromkeys(event.task for event in failed)
    deals = "; ".join(
        f"{short([event.interval for event in failed if event.task == task])} of {task.label}"
        + (", of which none could be played: it was given up" if task in given_up else "")
        for task in tasks
    )
    count = f"{counted(len(failed), 'deal')} failed and {noun(len(failed), 'is', 'are')}"
    others = f". Each is in the log, {log}" if len(failed) > 1 else ""
    first = min((event for event in failed if event.task == failed[0].task), key=lambda event: event.interval)
    return f"{count} not stored: {deals}. The first: {first.why}{others}"


def _try_out(team: Team, number: int) -> None:
    """Play one deal before all others: it shows whether a solver works at all before anything is written."""

    def forget(interval: Interval, outcomes: Outcomes) -> None: ...

    with redirect_stdout(sys.stderr):
        for _ in _play(team, [Interval(number, number + 1)], 1, False, forget):
            pass


def _play(
    team: Team,
    intervals: Sequence[Interval],
    size: int,
    keep_going: bool,
    store: Callable[[Interval, Outcomes], object],
) -> Iterator[Event]:
    """Play a task, and store each batch as soon as every deal of it is settled.

    A piece whose worker was lost is played again with nothing else on the way: if its worker is lost again, it is to
    blame. A sweep that keeps going plays a piece that fails again in parts, down to the deals that fail on their own.
    """
    pieces = Pieces(intervals, size, team.width)
    gathering: dict[Interval, Gathering] = {}
    for piece, answer in _answers(team, pieces):
        batch = gathering.setdefault(piece.batch, Gathering(piece.batch))
        event: Event
        if answer is None:
            pieces.again(replace(piece, alone=True))
            yield Lost(team.task, piece.deals)
            continue
        if isinstance(answer, Answer):
            batch.add(piece.deals, answer.outcomes)
            cleared, undecided = (int(which.sum()) for which in (answer.outcomes.cleared, answer.outcomes.undecided))
            event = Played(team.task, piece.deals, cleared, undecided, answer.seconds)
        elif not keep_going:
            raise answer
        elif piece.deals.size > 1:
            pieces.split(piece)
            continue
        else:
            batch.leave_out(piece.deals)
            event = Failed(team.task, piece.deals, str(answer))
        if batch.is_whole:
            for interval, outcomes in gathering.pop(piece.batch).runs():
                store(interval, outcomes)
        yield event


def _answers(team: Team, pieces: Pieces) -> Iterator[tuple[Piece, Answer | PluginError | WorkerError | None]]:
    """Each piece with its answer, or with the error that it is to blame for, in whatever order they finish.

    None stands for a worker that was lost with nobody to blame for it yet.
    """
    running: dict[Future[Any], tuple[Piece, float]] = {}
    broken = False
    while True:
        if broken and not running:
            team.renew()
            broken = False
        while piece := pieces.next([piece for piece, _ in running.values()], team.width):
            try:
                running[team.submit(piece.deals)] = (piece, time.monotonic())
            except Exception as error:
                if not team.is_loss(error):
                    raise
                pieces.again(piece)
                broken = True
                break
        if not running and not broken:
            return
        for future in first_done(running):
            piece, since = running.pop(future)
            try:
                answer = team.result(future)
            except PluginError as error:
                yield piece, error
            except Exception as error:
                if not team.is_loss(error):
                    raise
                broken = True
                yield piece, _blame(team, piece, time.monotonic() - since) if piece.alone else None
            else:
                pieces.learn(piece.deals.size, answer.seconds)
                yield piece, answer


def _blame(team: Team, piece: Piece, seconds: float) -> PluginError | WorkerError:
    """What is said of a piece that lost its worker while nothing else was on the way."""
    task = team.task
    named = named_solver(task.solver)
    deals = f"{piece.deals.words} of {task.numbering}"
    if team.hangs(seconds):
        told = f"took longer than {team.timeout:g} seconds over {deals}, and was ended; --timeout gives it more"
    else:
        told = f"ended its worker process, over {deals}{team.advice}"
    return (WorkerError if named.built_in else PluginError)(f"the solver {named.text} {told}")
