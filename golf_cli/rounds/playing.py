"""Holes played by solvers, with the workers that sweeps have, and scored."""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from golf_cli.errors import NumberError
from golf_cli.rounds.holes import Score
from golf_cli.solvers.outcome import Outcomes
from golf_cli.sweep.events import Event
from golf_cli.sweep.plan import Interval, Task, joined
from golf_cli.sweep.runner import play
from golf_cli.sweep.workers import Crew

MOST_GAMES = 100_000_000
"""Games of all players together: a score is kept in two bytes."""


@dataclass(frozen=True)
class Scores:
    """What players scored on the same holes.

    Attributes:
        strokes: int8[players, holes]; of undecided holes they mean nothing.
        decided: bool[players, holes].
    """

    strokes: NDArray[np.int8]
    decided: NDArray[np.bool_]

    def of(self, player: int) -> tuple[Score, ...]:
        """A player's scores, hole by hole."""
        known = zip(self.strokes[player].tolist(), self.decided[player].tolist(), strict=True)
        return tuple(strokes if decided else None for strokes, decided in known)


def play_holes(
    tasks: Sequence[Task],
    deals: Sequence[Interval],
    crew: Crew | None = None,
    watch: Callable[[Iterable[Event]], object] | None = None,
) -> Scores:
    """Play the same holes by each task. The scores depend on the tasks and the deals alone, not on who plays.

    Args:
        tasks: one a player; what is there twice is played once.
        deals: the numbers of the holes, in the order of the holes; a number may come twice.
        crew: who plays; `golf_cli.sweep.workers.Local()` if None.
        watch: goes through the events of playing, to its end.

    Raises:
        NumberError: these are more than `MOST_GAMES` games.
        PluginError, WorkerError: as `golf_cli.sweep.runner.play`.
    """
    holes = sum(interval.size for interval in deals)
    if len(tasks) * holes > MOST_GAMES:
        raise NumberError(f"{len(tasks) * holes:,} games: give at most {MOST_GAMES:,} of all players together")
    scores = Scores(np.zeros((len(tasks), holes), np.int8), np.zeros((len(tasks), holes), np.bool_))

    def keep(task: Task, played: Interval, outcomes: Outcomes) -> None:
        players = [player for player, each in enumerate(tasks) if each == task]
        start = 0
        for asked in deals:
            low, high = max(asked.first, played.first), min(asked.stop, played.stop)
            if low < high:
                holes = slice(start + low - asked.first, start + high - asked.first)
                those = slice(low - played.first, high - played.first)
                scores.strokes[players, holes] = outcomes.strokes[those]
                scores.decided[players, holes] = ~outcomes.undecided[those]
            start += asked.size

    watch = watch or deque[Event](maxlen=0).extend
    watch(play(tuple(dict.fromkeys(tasks)), joined(deals), keep, crew))
    return scores
