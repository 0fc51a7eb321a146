"""The values of stopping, slowly: plain recursion over heights and tops, in fractions."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache

Heights = tuple[int, ...]
Stock = tuple[int, ...]


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
) -> Callable[[Heights, Stock], Fraction]:
    """The value of stopping at some heights with some stock left.

    Each draw is one of the cards that are left, or, where a card may come `again`, one of `unseen`.
    """

    @cache
    def value(heights: Heights, stock: Stock) -> Fraction:
        if not any(heights):
            return Fraction(cleared(len(stock)))
        if not stock:
            return Fraction(end(sum(heights)))
        if again:
            draws = [(card, stock[1:]) for card in unseen]
        else:
            draws = [(card, stock[:place] + stock[place + 1 :]) for place, card in enumerate(stock)]
        return sum((best(heights, card, rest) for card, rest in draws), Fraction(0)) / len(draws)

    @cache
    def best(heights: Heights, top: int, stock: Stock) -> Fraction:
        return max(value(stop, stock) for stop in stops(columns, heights, top, fits, strict))

    return value


class Player:
    """A player who stops every run where `value(heights, stock left)` is most: of equals at the lowest heights.

    Heights are compared from the last column on.
    """

    def __init__(
        self,
        columns: Sequence[Sequence[int]],
        fits: Sequence[int],
        strict: bool,
        value: Callable[[Heights, int], float],
    ) -> None:
        @cache
        def next_stop(heights: Heights, top: int, left: int) -> Heights:
            found = stops(columns, heights, top, fits, strict)
            cleared = tuple(0 for _ in heights)
            if cleared in found:
                return cleared
            return min(found, key=lambda stop: (-value(stop, left), stop[::-1]))

        self._next_stop = next_stop

    def strokes(self, stop: Heights, order: Sequence[int]) -> int:
        """The strokes of the game that draws from a stop, and whose stock lies in this order."""
        for drawn, card in enumerate(order):
            if not any(stop):
                return drawn - len(order)
            stop = self._next_stop(stop, card, len(order) - drawn - 1)
        return sum(stop)
