"""How far a running sweep is, in the figures a person asks for."""

import time
from collections.abc import Callable
from typing import Any

from golf_cli.stats.intervals import Interval, win_interval
from golf_cli.sweep.events import Event, Failed, Lost, Played, Started
from golf_cli.sweep.plan import Task


class Progress:
    """Counts of the events of a sweep so far.

    Args:
        clock: seconds, of which only differences matter.

    Attributes:
        total: deals that are to be played in this run, over all tasks.
        stored: deals of the plan that were stored before.
        done: deals that were played or failed in this run.
        failed: deals that failed.
        lost: pieces whose worker was lost.
        task: the task being played; None before the first deal.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.total = self.stored = self.done = self.failed = self.lost = 0
        self.task: Task | None = None
        self._clock = clock
        self._began = clock()
        self._deals = self._cleared = self._undecided = 0

    def take(self, event: Event) -> None:
        """Take in what has happened."""
        if isinstance(event, Started):
            self.total, self.stored, self._began = event.left, event.stored, self._clock()
            return
        if event.task != self.task:
            self.task = event.task
            self._deals = self._cleared = self._undecided = 0
        if isinstance(event, Lost):
            self.lost += 1
        elif isinstance(event, Failed):
            self.done += event.interval.size
            self.failed += event.interval.size
        elif isinstance(event, Played):
            self.done += event.interval.size
            self._deals += event.interval.size
            self._cleared += event.cleared
            self._undecided += event.undecided

    @property
    def seconds(self) -> float:
        """Since the sweep began to play."""
        return self._clock() - self._began

    @property
    def rate(self) -> float:
        """Deals a second, over the whole run; 0 before the first."""
        return self.done / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """At this rate; None before the first deal."""
        return (self.total - self.done) / self.rate if self.rate else None

    @property
    def win_rate(self) -> float | None:
        """Cleared deals out of the decided ones that were played by the present task in this run; None of none."""
        decided = self._deals - self._undecided
        return self._cleared / decided if decided else None

    @property
    def win_interval(self) -> Interval:
        """The 95 % interval of the win rate, widened by undecided deals as in the statistics."""
        return win_interval(self._cleared, self._undecided, self._deals)

    def record(self) -> dict[str, Any]:
        """All of it, for programs."""
        low, high = self.win_interval
        return {
            "task": self.task.label if self.task else None,
            "done": self.done,
            "total": self.total,
            "stored": self.stored,
            "failed": self.failed,
            "lost": self.lost,
            "seconds": round(self.seconds, 3),
            "rate": round(self.rate, 1),
            "seconds_left": None if self.seconds_left is None else round(self.seconds_left, 1),
            "win_rate": self.win_rate,
            "win_low": low,
            "win_high": high,
        }
