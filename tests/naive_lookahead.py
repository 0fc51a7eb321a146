"""The policies that weigh stops once more, in plain Python on lists of ranks, to hold the compiled games against."""

from collections import Counter
from fractions import Fraction

from naive_playout import GOLDEN, JOKER, OPEN, Allowed
from naive_shuffle import WORD, scrambled, splitmix64

Columns = tuple[tuple[int, ...], ...]
"""The ranks of each column, the available card last."""

Run = tuple[int, ...]
"""Columns played from, in order."""

SIZES = {
    "buried": (14, 5),
    "pairs": (14, 14, 2),
    "available": (9, 4, 6),
    "next": (9, 9, 2),
    "second": (9, 4, 4),
    "third": (9, 9, 4, 4),
    "supply": (5, 5, 7, 7),
    "neighbours": (14, 7, 3, 4),
    "fitting": (19, 8),
    "shape": (8, 7),
}
STAGE = ("buried", "pairs", "available", "next", "second", "third", "supply", "neighbours", "fitting", "shape")


def length(table: str) -> int:
    product = 1
    for size in SIZES[table]:
        product *= size
    return product


WHOLE_STAGE = sum(length(table) for table in STAGE)


class Player:
    """A policy under rules: `tables` are the weights of `lookahead`, None makes it `keep-options`."""

    def __init__(
        self, allowed: Allowed, strict: bool, tables: list[int] | None, depth: int = 0, slack: int = 0
    ) -> None:
        self.allowed, self.strict, self.tables, self.depth, self.slack = allowed, strict, tables, depth, slack

    def game(self, columns: Columns, top: int, stock: list[int], number: int = 0, seed: int = 0) -> list[int | str]:
        """The actions of a whole game; `stock` is looked at one card a draw, and before that as a sorted bag."""
        actions: list[int | str] = []
        words = splitmix64(scrambled((number + scrambled((seed + GOLDEN) % WORD)) % WORD))
        for drawn in range(len(stock) + 1):
            if not any(columns):
                break
            if drawn:
                actions.append("draw")
                top = stock[drawn - 1]
            run = self.choose(columns, top, sorted(stock[drawn:]), next(words))
            actions += run
            columns = after(columns, run)
        return actions

    def choose(self, columns: Columns, top: int, unseen: list[int], word: int) -> Run:
        """The run to play before the next draw; `word` chooses where there is slack."""
        ranked = self.ranked(columns, top, unseen)
        best = ranked[0][1]
        if not unseen or not any(after(columns, best)):
            return best
        if self.depth == 0:
            weighed = sorted((run, value) for value, run in ranked)
        else:
            weighed = [(run, self.outlook(after(columns, run), unseen)) for _, run in ranked[:8]]
        lowest = min(value for _, value in weighed)
        good = [run for run, value in weighed if value <= lowest + self.slack]
        return good[(word >> 32) * len(good) >> 32] if self.slack else good[0]

    def outlook(self, columns: Columns, unseen: list[int]) -> Fraction:
        """The mean value of the best stop after the next draw."""
        values = []
        for place, rank in enumerate(unseen):
            values.append(self.ranked(columns, rank, unseen[:place] + unseen[place + 1 :])[0][0])
        return Fraction(sum(values), len(values))

    def ranked(self, columns: Columns, top: int, unseen: list[int]) -> list[tuple[Fraction, Run]]:
        """The stops with their values, the best first; the one that clears alone if there is one."""
        runs = self.stops(columns, top)
        clearing = [run for run in runs if not any(after(columns, run))]
        if clearing:
            return [(Fraction(-1000 * len(unseen)), clearing[0])]
        return sorted((self.value(after(columns, run), unseen), run) for run in runs)

    def stops(self, columns: Columns, top: int) -> list[Run]:
        """For every tableau that a run may stop at the first such run in the order of columns.

        Where only some tops allow a stop, the first for every tableau and top.
        """
        met: set[tuple[Columns, int]] = set()
        first: dict[tuple[Columns, int], Run] = {}

        def go(now: Columns, top: int, run: Run) -> None:
            if (now, top) in met:
                return
            met.add((now, top))
            fitting = [i for i, column in enumerate(now) if column and self.allowed(column[-1], top)]
            if not (self.strict and fitting):
                stop = now, top if self.strict else -1
                first[stop] = min(first.get(stop, run), run)
            for i in fitting:
                go(after(now, (i,)), now[i][-1], (*run, i))

        go(columns, top, ())
        return sorted(first.values())

    def value(self, columns: Columns, unseen: list[int]) -> Fraction:
        left = sum(map(len, columns))
        if not unseen:
            return Fraction(1000 * left)
        if self.tables is None:
            available = [column[-1] for column in columns if column]
            fitting = [rank for rank in unseen if any(self.allowed(card, rank) for card in available)]
            return left - Fraction(2 * len(fitting), len(unseen))
        stage = 0 if len(unseen) <= 5 else 1 if len(unseen) <= 11 else 2
        total = self.tables[3 * WHOLE_STAGE + min(len(unseen), 18) * 40 + min(left, 39)]
        for table, *index in self.described(columns, unseen):
            before = sum(length(each) for each in STAGE[: STAGE.index(table)])
            place = 0
            for size, number in zip(SIZES[table], index, strict=True):
                assert 0 <= number < size
                place = place * size + number
            total += self.tables[stage * WHOLE_STAGE + before + place]
        return Fraction(total)

    def described(self, columns: Columns, unseen: list[int]) -> list[tuple[str, *tuple[int, ...]]]:
        """The tables that tell of a stop, and where to look in each."""
        entries: list[tuple[str, *tuple[int, ...]]] = []
        filled = [column for column in columns if column]
        available = [column[-1] for column in filled]
        everything = [card for column in filled for card in column]

        def seats(card: int, tops: list[int], most: int) -> int:
            return min(sum(self.allowed(card, top) for top in tops), most)

        def follow(column: tuple[int, ...], place: int) -> int:
            """Plays that may follow the card at a place counted from the end, 1 the available one."""
            top = column[-place]
            plays = sum(self.allowed(card, top) for card in available)
            return min(plays + (len(column) > place and self.allowed(column[-place - 1], top)), 3)

        for column in filled:
            for i, card in enumerate(column):
                entries.append(("buried", card, min(len(column) - 1 - i, 4)))
                entries += [("pairs", card, column[j], int(j - i > 1)) for j in range(i + 1, len(column))]
            e = column[-1]
            entries.append(("available", seats(e, unseen, 8), follow(column, 1), min(len(column), 5)))
            if len(column) >= 2:
                f = column[-2]
                entries.append(("next", seats(e, unseen, 8), seats(f, unseen, 8), int(self.allowed(f, e))))
                entries.append(("second", seats(f, unseen, 8), follow(column, 1), follow(column, 2)))
            if len(column) >= 3:
                f, g = column[-2], column[-3]
                entries.append(
                    ("third", seats(f, unseen, 8), seats(g, unseen, 8), follow(column, 2), follow(column, 3))
                )
        kinds = {0: 0, 12: 1, 1: 2, 11: 3}
        for rank in range(JOKER + 1):
            remaining, exposed = Counter(everything)[rank], Counter(available)[rank]
            kind, seated = kinds.get(rank, 4), seats(rank, unseen, 6)
            entries.append(("supply", kind, min(remaining, 4), seats(rank, everything, 6), seated))
            onto = min(sum(self.allowed(card, rank) for card in available), 3)
            entries.append(("neighbours", rank, seated, min(exposed, 2), onto))
        fitting = sum(any(self.allowed(card, rank) for card in available) for rank in unseen)
        entries.append(("fitting", min(fitting, 18), min(len(filled), 7)))
        entries.append(("shape", min(len(filled), 7), min(max(map(len, filled)), 6)))
        return entries


def after(columns: Columns, run: Run) -> Columns:
    """The columns after a run."""
    piles = [list(column) for column in columns]
    for column in run:
        piles[column].pop()
    return tuple(map(tuple, piles))


def laid_out(row: list[int], heights: list[int], dealt: bool) -> tuple[Columns, int, list[int]]:
    """The columns, the top and the stock of a row of cards, as ranks."""
    ranks = [card // 4 for card in row]
    columns = []
    for height in heights:
        columns.append(tuple(ranks[:height]))
        ranks = ranks[height:]
    return tuple(columns), ranks.pop(0) if dealt else OPEN, ranks
