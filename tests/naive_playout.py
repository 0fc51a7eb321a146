"""The policies once more, in plain Python on lists of cards, to hold the compiled games against."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from naive_shuffle import WORD, below, scrambled, splitmix64

JOKER = 13
OPEN = 14
GOLDEN = 0x9E3779B97F4A7C15

Allowed = Callable[[int, int], bool]
"""Whether a card of one rank may be played on a top of another."""


def easy(rank: int, top: int) -> bool:
    return JOKER in (rank, top) or top == OPEN or abs(rank - top) in (1, 12)


def classic(rank: int, top: int) -> bool:
    return JOKER in (rank, top) or top == OPEN or abs(rank - top) == 1


def hard(rank: int, top: int) -> bool:
    return top != 12 and classic(rank, top)


RULES = {"easy": easy, "classic": classic, "hard": hard, "strict": hard}


@dataclass
class NaiveGame:
    """A game in play: columns of cards, the rank on the foundation, the stock with the next card first."""

    columns: list[list[int]]
    top: int
    stock: list[int]
    allowed: Allowed

    def fitting(self) -> list[int]:
        """The columns whose available card fits, from the left."""
        return [i for i, column in enumerate(self.columns) if column and self.allowed(column[-1] // 4, self.top)]

    def play(self, column: int) -> None:
        assert column in self.fitting()
        self.top = self.columns[column].pop() // 4

    def draw(self) -> None:
        assert not self.fitting()
        self.top = self.stock.pop(0) // 4

    def cards_left(self) -> int:
        return sum(len(column) for column in self.columns)

    def over(self) -> bool:
        return self.cards_left() == 0 or (not self.stock and not self.fitting())


def new_game(row: list[int], heights: list[int], dealt: bool, allowed: Allowed) -> NaiveGame:
    cards = list(row)
    columns = [[cards.pop(0) for _ in range(height)] for height in heights]
    top = cards.pop(0) // 4 if dealt else OPEN
    return NaiveGame(columns, top, cards, allowed)


def play_out(policy: str, game: NaiveGame, number: int, seed: int) -> list[int | str]:
    """Play a game to its end and return its actions: columns, and "draw"."""
    words = splitmix64(scrambled((number + scrambled((seed + GOLDEN) % WORD)) % WORD))
    actions: list[int | str] = []
    while not game.over():
        fitting = game.fitting()
        if not fitting:
            game.draw()
            actions.append("draw")
            continue
        if policy == "random":
            plays = [fitting[below(len(fitting), next(words))]]
        elif policy == "leftmost":
            plays = [min(fitting)]
        elif policy == "longest-column":
            plays = [max(fitting, key=lambda column: (len(game.columns[column]), -column))]
        else:
            plays = longest_run(game)
        for column in plays:
            game.play(column)
            actions.append(column)
    return actions


def longest_run(game: NaiveGame) -> list[int]:
    """The longest run of plays without a draw, the first in the order of columns among equals."""

    @cache
    def best(heights: tuple[int, ...], top: int) -> tuple[int, ...]:
        runs: list[tuple[int, ...]] = [()]
        for column, height in enumerate(heights):
            if height and game.allowed(rank := game.columns[column][height - 1] // 4, top):
                rest = (*heights[:column], height - 1, *heights[column + 1 :])
                runs.append((column, *best(rest, rank)))
        # max keeps the first of equals, and the runs stand in the order of their first columns.
        return max(runs, key=len)

    return list(best(tuple(len(column) for column in game.columns), game.top))
