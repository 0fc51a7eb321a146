"""What happens in a sweep, told as it happens: for progress, for the log, and for a program that follows."""

from dataclasses import dataclass

from golf_cli.sweep.plan import Interval, Plan, Task


@dataclass(frozen=True)
class Started:
    """The sweep has tried its solvers out and holds the dataset.

    Attributes:
        plan: what is played.
        tasks: those of the plan that are not done.
        crew: who plays: `2 workers of this machine`.
        stored: deals of the plan, over all tasks, that were stored already.
        left: deals that are still to be played.
    """

    plan: Plan
    tasks: tuple[Task, ...]
    crew: str
    stored: int
    left: int


@dataclass(frozen=True)
class Begun:
    """It is the turn of a task: tasks are played one after the other.

    Attributes:
        task: what is played.
        players: who plays it: `2 threads`.
    """

    task: Task
    players: str


@dataclass(frozen=True)
class Played:
    """Deals have been played. They are stored once all of their file are settled.

    Attributes:
        task: who played what.
        interval: the deals.
        cleared: how many were cleared.
        undecided: how many the solver left undecided.
        seconds: how long the worker took.
    """

    task: Task
    interval: Interval
    cleared: int
    undecided: int
    seconds: float


@dataclass(frozen=True)
class Lost:
    """A worker ended while it played, or was to play, these deals; they are played again.

    Attributes:
        task: who played what.
        interval: the deals.
    """

    task: Task
    interval: Interval


@dataclass(frozen=True)
class Failed:
    """A solver failed on a deal, which is passed over: no row is stored.

    Attributes:
        task: who played what.
        interval: the deal.
        why: what the solver did.
    """

    task: Task
    interval: Interval
    why: str


Event = Started | Begun | Played | Lost | Failed
