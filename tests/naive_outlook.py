"""The expert, slowly: values of stopping by plain recursion over heights and tops, and games by plain lists."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import TypeVar

from naive_shuffle import shuffled_by

Heights = tuple[int, ...]
Stock = tuple[int, ...]
Left = TypeVar("Left")
Value = Callable[[Heights, int], float]
"""What stopping at some heights is worth with so many cards in the stock."""
StockValue = Callable[[Heights, Stock], float]
"""What stopping at some heights is worth with these ranks in the stock, in order."""


def reach(
    columns: Sequence[Sequence[int]], heights: Heights, top: int, fits: Sequence[int]
) -> set[tuple[Heights, int]]:
    """Every (heights, top) that plays lead to, the start included."""
    met = {(heights, top)}
    waiting = [(heights, top)]
    while waiting:
        now, above = waiting.pop()
        for column, height in enumerate(now):
            if height and fits[above] >> columns[column][height - 1] & 1:
                after = (*now[:column], height - 1, *now[column + 1 :]), columns[column][height - 1]
                if after not in met:
                    met.add(after)
                    waiting.append(after)
    return met


def stops(
    columns: Sequence[Sequence[int]], heights: Heights, top: int, fits: Sequence[int], strict: bool
) -> set[Heights]:
    """Where the next draw may be made."""
    met = reach(columns, heights, top, fits)
    return {now for now, above in met if not strict or len(reach(columns, now, above, fits)) == 1}


def worth(
    columns: Sequence[Sequence[int]],
    unseen: Sequence[int],
    fits: Sequence[int],
    strict: bool,
    end: Callable[[int], int],
    cleared: Callable[[int], int],
    again: bool,
) -> StockValue:
    """The value of stopping at some heights with some stock left.

    Each draw is one of the cards that are left, or, where a card may come `again`, one of `unseen`.
    """

    reached = cache(lambda heights, top: stops(columns, heights, top, fits, strict))

    @cache
    def value(heights: Heights, stock: Stock) -> float:
        if not any(heights):
            return cleared(len(stock))
        if not stock:
            return end(sum(heights))
        draws = Counter(unseen if again else stock)
        return sum(many * best(heights, card, without(stock, card)) for card, many in draws.items()) / draws.total()

    def without(stock: Stock, card: int) -> Stock:
        place = 0 if again else stock.index(card)
        return stock[:place] + stock[place + 1 :]

    @cache
    def best(heights: Heights, top: int, stock: Stock) -> float:
        return max(value(stop, stock) for stop in reached(heights, top))

    return value


def ranked(found: set[Heights], value: Callable[[Heights, Left], float], left: Left) -> list[Heights]:
    """Stops, that of most value first; of equals the lowest heights, compared from the last column on."""
    return sorted(found, key=lambda stop: (-value(stop, left), stop[::-1]))


class Player:
    """A player who stops every run where `value(heights, stock left)` is most: of equals at the lowest heights.

    Heights are compared from the last column on.
    """

    def __init__(
        self,
        columns: Sequence[Sequence[int]],
        fits: Sequence[int],
        strict: bool,
        value: Value,
    ) -> None:
        @cache
        def next_stop(heights: Heights, top: int, left: int) -> Heights:
            found = stops(columns, heights, top, fits, strict)
            cleared = tuple(0 for _ in heights)
            return cleared if cleared in found else ranked(found, value, left)[0]

        self._next_stop = next_stop

    def strokes(self, stop: Heights, order: Sequence[int]) -> int:
        """The strokes of the game that draws from a stop, and whose stock lies in this order."""
        for drawn, card in enumerate(order):
            if not any(stop):
                return drawn - len(order)
            stop = self._next_stop(stop, card, len(order) - drawn - 1)
        return sum(stop)


def choose(
    player: Player,
    few: Sequence[Heights],
    unseen: Sequence[int],
    stream: Iterator[int],
    samples: int,
    comes_to: Callable[[int], int],
) -> Heights:
    """The one of a few stops from which the same random games come to most, by strokes.

    After each comparison the better half is left and plays twice as many. It is found by exchanging each place with the
    first best one from there on, which settles which of equals goes on.
    """
    standing = [(0, stop) for stop in few]
    while len(standing) > 1 and samples:
        for _ in range(samples):
            order = shuffled_by(stream, unseen)
            standing = [(total + comes_to(player.strokes(stop, order)), stop) for total, stop in standing]
        half = math.ceil(len(standing) / 2)
        for place in range(half):
            best = max(range(place, len(standing)), key=lambda other: standing[other][0])
            standing[place], standing[best] = standing[best], standing[place]
        del standing[half:]
        samples *= 2
    return standing[0][1]


def expert(
    columns: Sequence[Sequence[int]],
    top: int,
    stock: Sequence[int],
    fits: Sequence[int],
    strict: bool,
    valued: Callable[[Stock], Value],
    exactly: Callable[[Stock], StockValue],
    comes_to: Callable[[int], int],
    stream: Iterator[int],
    candidates: int,
    samples: int,
) -> list[Heights]:
    """Where the expert stops in one game: before each draw, and at the end.

    Both kinds of values are those for the unseen cards given. The exact ones are taken as soon as they fit, in blocks
    of sixteen, where the others of the whole game would.
    """
    now = tuple(map(len, columns))
    room = tableaus(now) * blocks(max(1, len(stock)))
    exact: StockValue | None = None
    made: list[Heights] = []
    for drawn in range(len(stock) + 1):
        unseen = tuple(sorted(stock[drawn:]))
        found = stops(columns, now, top, fits, strict)
        kinds = Counter(unseen).values()
        if len(found) > 1 and not exact and tableaus(now) * blocks(tableaus(kinds)) <= room:
            exact = exactly(unseen)
        if not all(map(any, found)):
            now = tuple(0 for _ in now)
        elif len(found) == 1:
            (now,) = found
        elif exact:
            now = ranked(found, exact, unseen)[0]
        else:
            value = valued(unseen)
            few = ranked(found, value, len(unseen))[:candidates]
            now = choose(Player(columns, fits, strict, value), few, unseen, stream, samples, comes_to)
        made.append(now)
        if not any(now):
            break
        top = stock[drawn] if drawn < len(stock) else top
    return made


def tableaus(most: Iterable[int]) -> int:
    """How many ways there are to have none to so many of each."""
    return math.prod(each + 1 for each in most)


def blocks(count: int) -> int:
    return math.ceil(count / 16) * 16
