"""Games played to their end by policies that do not see the stock.

Every policy here plays whenever something fits and draws when nothing does, so its games are legal whether drawing is
free or only allowed to a player who is stuck. A game ends cleared, or blocked: the stock is empty and nothing fits.
"""

import numpy as np
from numpy.typing import NDArray

from golf_cli.kernels.compiler import kernel
from golf_cli.kernels.ends import Ends

DRAW = 255
POLICIES = ("random", "leftmost", "longest-column", "longest-run")
RUN_TABLE_LIMIT = 1 << 24

_RANDOM = np.uint64(POLICIES.index("random"))
_LEFTMOST = np.uint64(POLICIES.index("leftmost"))
_LONGEST_RUN = POLICIES.index("longest-run")
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_OPEN = np.uint64(14)
_ZERO = np.uint64(0)
_ONE = np.uint64(1)


def play_rows(
    policy: str,
    cards: NDArray[np.uint8],
    heights: NDArray[np.uint8],
    dealt: bool,
    fits: NDArray[np.uint64],
    numbers: NDArray[np.uint64],
    seed: int = 0,
) -> Ends:
    """Play each position of a batch once by `policy`, one of `POLICIES`.

    `cards` is uint8[n, m], every card known: the columns, `heights` (uint8[columns]) cards each, the foundation's top
    card if `dealt`, the stock. Bit r of `fits[t]` (uint64[16]) says that rank r may be played on a top of rank t.
    `numbers` (uint64[n]) and `seed` (0 ... 2^64 - 1) drive the policy `random` alone; a row's game depends on its own
    number and not on the batch around it.

    - `random`: each column that fits is as likely as another. The k-th play takes, of its c choices from the left,
      number ((u_k >> 32) * c) >> 32, with u the SplitMix64 stream of mix64(number + mix64(seed + golden)).
    - `leftmost`: the first column from the left that fits.
    - `longest-column`: of the columns that fit, the one with most cards, the leftmost of equals.
    - `longest-run`: the longest run of plays that needs no draw, as far as the columns show, played whole; among
      equally long ones the first in the order of columns.

    Raises ValueError for an unknown policy, for a batch that does not have the layout stated, and for
    `longest-run` on a layout whose heights allow more than 2^24 tableaus.
    """
    _check_layout(cards, heights, dealt)
    if len(numbers) != len(cards):
        raise ValueError(f"{len(numbers)} numbers for {len(cards)} positions: give one number a position")
    return _play(policy, cards, heights, dealt, fits, numbers, seed, np.empty(cards.shape[1], np.uint8))


def play_line(
    policy: str,
    cards: NDArray[np.uint8],
    heights: NDArray[np.uint8],
    dealt: bool,
    fits: NDArray[np.uint64],
    number: int = 0,
    seed: int = 0,
) -> NDArray[np.uint8]:
    """Play one position (`cards`: uint8[m]) and return its actions in order: a column from 0, or `DRAW`.

    The game is the one `play_rows` plays for the same position, number and seed; the same errors are raised.
    """
    batch = cards.reshape(1, -1)
    _check_layout(batch, heights, dealt)
    line = np.empty(cards.size, np.uint8)
    ends = _play(policy, batch, heights, dealt, fits, np.array([number], np.uint64), seed, line)
    actions = cards.size - int(dealt) - int(ends.cards_left[0]) - int(ends.stock_left[0])
    return line[:actions]


def _check_layout(cards: NDArray[np.uint8], heights: NDArray[np.uint8], dealt: bool) -> None:
    laid_out = int(heights.sum(dtype=np.int64)) + int(dealt)
    if cards.ndim != 2 or not laid_out <= cards.shape[1] <= 255 or heights.size >= DRAW:
        raise ValueError(
            f"a batch of shape {cards.shape} does not hold {heights.size} columns of {laid_out - int(dealt)} cards"
            f"{' and a foundation' if dealt else ''}: give rows of {laid_out} to 255 cards in at most 254 columns"
        )


def _play(
    policy: str,
    cards: NDArray[np.uint8],
    heights: NDArray[np.uint8],
    dealt: bool,
    fits: NDArray[np.uint64],
    numbers: NDArray[np.uint64],
    seed: int,
    line: NDArray[np.uint8],
) -> Ends:
    if policy not in POLICIES:
        raise ValueError(f"no policy is called {policy!r}: choose from {', '.join(POLICIES)}")
    number = POLICIES.index(policy)
    if number != _LONGEST_RUN:
        return Ends(*_play_by_choice(np.uint64(number), cards, heights, dealt, fits, numbers, np.uint64(seed), line))
    tableaus = int(np.prod(heights.astype(np.float64) + 1))
    if tableaus > RUN_TABLE_LIMIT:
        raise ValueError(
            f"columns of {heights.tolist()} cards allow {tableaus} tableaus, and longest-run keeps a table of at most "
            f"{RUN_TABLE_LIMIT}: choose another policy for this layout"
        )
    return Ends(*_play_longest_runs(cards, heights, dealt, fits, np.int64(tableaus), line))


@kernel
def _mix64(z: np.uint64) -> np.uint64:
    z ^= z >> np.uint64(30)
    z *= np.uint64(0xBF58476D1CE4E5B9)
    z ^= z >> np.uint64(27)
    z *= np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel
def _rank(cards: NDArray[np.uint8], row: int, place: np.uint64) -> np.uint64:
    return np.uint64(cards[row, place]) >> np.uint64(2)


@kernel
def _available(cards: NDArray[np.uint8], row: int, first: np.uint64, height: np.uint64) -> np.uint64:
    """The available card's rank as a bit, to be met with an entry of `fits`; no bit for an empty column."""
    if height == _ZERO:
        return _ZERO
    return _ONE << _rank(cards, row, first + height - _ONE)


@kernel
def _play_by_choice(
    policy: np.uint64,
    cards: NDArray[np.uint8],
    heights: NDArray[np.uint8],
    dealt: bool,
    fits: NDArray[np.uint64],
    numbers: NDArray[np.uint64],
    seed: np.uint64,
    line: NDArray[np.uint8],
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Play the policies that look one card ahead; `line` (uint8[m]) is left with the actions of the last row's game."""
    columns = np.uint64(heights.shape[0])
    end = np.uint64(cards.shape[1])
    cards_left = np.empty(cards.shape[0], np.uint8)
    stock_left = np.empty(cards.shape[0], np.uint8)
    first = np.empty(heights.shape[0], np.uint64)
    height = np.empty(heights.shape[0], np.uint64)
    available = np.empty(heights.shape[0], np.uint64)
    fitting = np.empty(heights.shape[0], np.uint64)
    tableau = _ZERO
    for column in range(columns):
        first[column] = tableau
        tableau += np.uint64(heights[column])
    stream_of_seed = _mix64(seed + _GOLDEN)

    for row in range(np.uint64(cards.shape[0])):
        for column in range(columns):
            height[column] = np.uint64(heights[column])
            available[column] = _available(cards, row, first[column], height[column])
        left = tableau
        stock = tableau
        playable = fits[_OPEN]
        if dealt:
            playable = fits[_rank(cards, row, stock)]
            stock += _ONE
        x = _mix64(numbers[row] + stream_of_seed)
        action = _ZERO
        while left > _ZERO:
            ranks = _ZERO
            for column in range(columns):
                ranks |= available[column]
            while playable & ranks == _ZERO and stock < end:
                playable = fits[_rank(cards, row, stock)]
                stock += _ONE
                line[action] = np.uint8(255)
                action += _ONE
            if playable & ranks == _ZERO:
                break
            # Every column is written and kept only if it fits: a branch here would be a coin toss to the processor.
            choices = _ZERO
            for column in range(columns):
                fitting[choices] = column
                choices += np.uint64(playable & available[column] != _ZERO)
            chosen = fitting[_ZERO]
            if policy == _RANDOM:
                x += _GOLDEN
                chosen = fitting[((_mix64(x) >> np.uint64(32)) * choices) >> np.uint64(32)]
            elif policy != _LEFTMOST:
                for choice in range(_ONE, choices):
                    if height[fitting[choice]] > height[chosen]:
                        chosen = fitting[choice]
            playable = fits[_rank(cards, row, first[chosen] + height[chosen] - _ONE)]
            height[chosen] -= _ONE
            available[chosen] = _available(cards, row, first[chosen], height[chosen])
            left -= _ONE
            line[action] = np.uint8(chosen)
            action += _ONE
        cards_left[row] = left
        stock_left[row] = end - stock
    return cards_left, stock_left


@kernel
def _play_longest_runs(
    cards: NDArray[np.uint8],
    heights: NDArray[np.uint8],
    dealt: bool,
    fits: NDArray[np.uint64],
    tableaus: np.int64,
    line: NDArray[np.uint8],
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Play whole runs. `tableaus` is the product of heights + 1; `line` as in `_play_by_choice`.

    A run is searched depth first, columns from left to right; `seen` has, for each tableau (its heights as a
    number in mixed radix), the ranks of the tops met there. How long a run is follows from the tableau it ends
    in, and a later way into a state comes later in the order of columns: so no state is tried twice, and the
    first of the deepest runs is the answer. The marks hold for the whole game: a run ends with as few cards as
    any tableau its search met, so the next search meets smaller ones only.
    """
    columns = np.uint64(heights.shape[0])
    end = np.uint64(cards.shape[1])
    cards_left = np.empty(cards.shape[0], np.uint8)
    stock_left = np.empty(cards.shape[0], np.uint8)
    first = np.empty(heights.shape[0], np.uint64)
    stride = np.empty(heights.shape[0], np.uint64)
    height = np.empty(heights.shape[0], np.uint64)
    available = np.empty(heights.shape[0], np.uint64)
    tableau = _ZERO
    whole = _ZERO
    radix = _ONE
    for column in range(columns):
        first[column] = tableau
        tableau += np.uint64(heights[column])
        stride[column] = radix
        whole += radix * np.uint64(heights[column])
        radix *= np.uint64(heights[column]) + _ONE
    seen = np.zeros(tableaus, np.uint16)
    touched = np.empty(tableaus, np.uint32)
    playable = np.empty(np.int64(tableau) + 1, np.uint64)
    run = np.empty(np.int64(tableau), np.uint64)

    for row in range(np.uint64(cards.shape[0])):
        for column in range(columns):
            height[column] = np.uint64(heights[column])
            available[column] = _available(cards, row, first[column], height[column])
        state = whole
        left = tableau
        stock = tableau
        playable[_ZERO] = fits[_OPEN]
        if dealt:
            playable[_ZERO] = fits[_rank(cards, row, stock)]
            stock += _ONE
        marks = _ZERO
        action = _ZERO
        while left > _ZERO:
            length = _ZERO
            depth = _ZERO
            trial = _ZERO
            while length < left:
                while trial < columns and playable[depth] & available[trial] == _ZERO:
                    trial += _ONE
                if trial < columns:
                    ranks = np.uint64(seen[state - stride[trial]])
                    if ranks & available[trial] != _ZERO:
                        trial += _ONE
                        continue
                    state -= stride[trial]
                    if ranks == _ZERO:
                        touched[marks] = state
                        marks += _ONE
                    seen[state] = ranks | available[trial]
                    run[depth] = trial
                    depth += _ONE
                    playable[depth] = fits[_rank(cards, row, first[trial] + height[trial] - _ONE)]
                    height[trial] -= _ONE
                    available[trial] = _available(cards, row, first[trial], height[trial])
                    trial = _ZERO
                    if depth > length:
                        # Only a longer run is written over the line, from where the last draw left it.
                        length = depth
                        for step in range(length):
                            line[action + step] = np.uint8(run[step])
                elif depth == _ZERO:
                    break
                else:
                    depth -= _ONE
                    trial = run[depth]
                    state += stride[trial]
                    height[trial] += _ONE
                    available[trial] = _available(cards, row, first[trial], height[trial])
                    trial += _ONE
            left -= length
            if left == _ZERO:
                break
            for _ in range(length):
                played = np.uint64(line[action])
                state -= stride[played]
                height[played] -= _ONE
                available[played] = _available(cards, row, first[played], height[played])
                action += _ONE
            if stock == end:
                break
            playable[_ZERO] = fits[_rank(cards, row, stock)]
            stock += _ONE
            line[action] = np.uint8(255)
            action += _ONE
        for mark in range(marks):
            seen[touched[mark]] = np.uint16(0)
        cards_left[row] = left
        stock_left[row] = end - stock
    return cards_left, stock_left
