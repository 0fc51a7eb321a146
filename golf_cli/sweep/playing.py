"""One interval played by one solver: dealt, played, and checked against what a game can end in."""

import multiprocessing
import threading
from functools import cache

from golf_cli.errors import PluginError
from golf_cli.solvers import registry
from golf_cli.solvers.answers import checked
from golf_cli.solvers.outcome import Outcomes
from golf_cli.solvers.protocol import Play
from golf_cli.sweep.dealing import deal_interval
from golf_cli.sweep.plan import Interval, Task


def play_interval(task: Task, interval: Interval) -> Outcomes:
    """Play the deals of an interval, in the order of their numbers.

    Raises:
        PluginError: a solver from outside golf raised, or returned what no game can end in.
    """
    deals = deal_interval(task.numbering, interval, task.rules.layout)
    named = named_solver(task.solver)
    if named.solver.version != task.solver_version:
        raise PluginError(
            f"the solver {named.text} has version {named.solver.version} here, and version {task.solver_version} is to "
            "be played: it changed while golf was running; run the same command again"
        )
    if named.built_in:
        return checked(_prepared(task)(deals), deals, named.solver)
    failed = f"the solver {named.text} failed on {interval.words} of {task.numbering}"
    with registry.blaming(failed):
        play = _prepared(task)
    with registry.blaming(failed, passing=(KeyboardInterrupt,) if _hears_interrupts() else ()):
        return checked(play(deals), deals, named.solver)


def _hears_interrupts() -> bool:
    """Whether an interrupt may strike here: workers are processes that ignore it, or threads, which it passes by."""
    return threading.current_thread() is threading.main_thread() and multiprocessing.parent_process() is None


@cache
def named_solver(text: str) -> registry.Named:
    """A solver by its text, made once in a process."""
    return registry.find(text)


@cache
def _prepared(task: Task) -> Play:
    return named_solver(task.solver).solver.prepare(task.rules, task.seed)
