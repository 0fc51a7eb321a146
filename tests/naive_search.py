"""Perfect play with the stock in sight, in plain Python: every position that a game can come to, visited once."""

from collections.abc import Sequence

from naive_playout import Allowed

DRAW = "draw"


def best_end(
    columns: Sequence[Sequence[int]], top: int, stock: Sequence[int], allowed: Allowed, draw_when_stuck: bool
) -> tuple[bool, int]:
    """Whether the tableau can be cleared, and then the most stock cards left, else the fewest cards left.

    All cards are ranks; the last one of a column is available, the first one of the stock is drawn first.
    """
    cleared_with = -1
    fewest = sum(map(len, columns))
    start = bytes([*map(len, columns), top, 0])
    seen = {start}
    to_visit = [start]
    while to_visit:
        position = to_visit.pop()
        *heights, top, drawn = position
        stock_left = len(stock) - drawn
        if stock_left <= cleared_with:
            continue
        fewest = min(fewest, sum(heights))
        if not any(heights):
            cleared_with = stock_left
            continue
        following = []
        for i, column in enumerate(columns):
            if heights[i] and allowed(card := column[heights[i] - 1], top):
                following.append(bytes([*heights[:i], heights[i] - 1, *heights[i + 1 :], card, drawn]))
        if stock_left and not (draw_when_stuck and following):
            following.append(bytes([*heights, stock[drawn], drawn + 1]))
        for each in following:
            if each not in seen:
                seen.add(each)
                to_visit.append(each)
    return (True, cleared_with) if cleared_with >= 0 else (False, fewest)


def replay(
    columns: Sequence[Sequence[int]],
    top: int,
    stock: Sequence[int],
    allowed: Allowed,
    draw_when_stuck: bool,
    actions: Sequence[int | str],
) -> tuple[int, int, bool]:
    """Make the actions (a column, or DRAW): cards left, stock left, and whether the game is over.

    Raises ValueError at an action that the rules do not allow.
    """
    tableau = [list(column) for column in columns]
    drawn = 0

    def fitting() -> list[int]:
        return [i for i, column in enumerate(tableau) if column and allowed(column[-1], top)]

    for action in actions:
        if not any(tableau):
            raise ValueError(f"{action} after the tableau was cleared")
        if action != DRAW:
            if action not in fitting():
                raise ValueError(f"column {action} has no card for a top of {top}: {tableau}")
            top = tableau[int(action)].pop()
        elif drawn == len(stock) or (draw_when_stuck and fitting()):
            raise ValueError(f"no draw is allowed with {len(stock) - drawn} stock cards left and {fitting()} fitting")
        else:
            top = stock[drawn]
            drawn += 1
    return sum(map(len, tableau)), len(stock) - drawn, not any(tableau) or (drawn == len(stock) and not fitting())
