"""Match play and totals the slow, obvious way: a game of two people with a pencil."""

from collections import Counter
from collections.abc import Sequence

Ends = Counter[tuple[int, int]]


def match_end(ours: Sequence[int], theirs: Sequence[int]) -> tuple[int, int]:
    """Holes up at the end, and holes that were left: stop at the first hole after which nobody can catch up."""
    won = lost = 0
    for hole in range(1, len(ours) + 1):
        if ours[hole - 1] < theirs[hole - 1]:
            won += 1
        if ours[hole - 1] > theirs[hole - 1]:
            lost += 1
        still_to_play = len(ours) - hole
        if won > lost + still_to_play or lost > won + still_to_play:
            return won - lost, still_to_play
    return won - lost, 0


def told(up: int, left: int) -> str:
    """The result in the winner's words."""
    if left:
        return f"{abs(up)} & {left}"
    return {0: "all square", 1: "one up", 2: "two up"}[abs(up)]
