"""Learn the tables of the policy `lookahead` from its own games, and write them to data/lookahead.json.

Temporal differences: a batch of deals is played with the tables as they are, and then, from each game's last draw back
to its first, the value of the position before a draw is moved towards what became of it: half the value of the
next one, half what that one was itself moved towards, and at the end the strokes. The tables start empty but for the
cards left. An entry learns the faster the more its errors agree: at the rate |sum of errors| / sum of |errors|
(temporal coherence; Beal and Smith, 1999), times a factor that falls from 1 to 0 over the run.

The deals are the numbers from 2^40 on in order, far from any number that has a code. The same options give the same
tables.
"""

import argparse
import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from golf_cli.kernels import lookahead
from golf_cli.kernels.lookahead import DRAW, Position
from golf_cli.kernels.shuffle import shuffle_rows
from golf_cli.rules import PRESETS, RuleSet

FIRST = 1 << 40
BATCH = 2000
GAMES = 1_000_000
SAMPLE = 4000
"""Games of the short run whose digest is stored with the tables: whether the script still does what it did."""
OUTPUT = Path(__file__).parents[1] / "data" / "lookahead.json"

Learning = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]
"""Of each entry: its value in strokes, the sum of its errors, the sum of their sizes."""


@njit
def _entries(position: Position, fits: NDArray[np.uint64], entries: NDArray[np.int64]) -> int:
    """Write which table entries a position's value is the sum of, and count them: see `golf_cli.kernels.lookahead`."""
    height, tally, unseen = position.height, position.tally, position.unseen
    left, stock = np.int64(position.left[0]), np.int64(position.left[1])
    base = np.int64(lookahead.stage_of(position.left[1])) * lookahead.STAGE
    count, filled, longest, fitting = 0, 0, 0, 0
    for column in range(len(height)):
        cards = position.cards[column, 1 : height[column] + 1][::-1]
        filled += len(cards) > 0
        longest = max(longest, len(cards))
        for i in range(len(cards)):
            entries[count] = base + lookahead.BURIED + cards[i] * 5 + min(i, 4)
            count += 1
            for j in range(i):
                entries[count] = base + lookahead.PAIRS + (cards[i] * 14 + cards[j]) * 2 + (i > j + 1)
                count += 1
        seats, plays = np.zeros(3, np.int64), np.zeros(3, np.int64)
        for i in range(min(len(cards), 3)):
            runs_on = len(cards) > i + 1 and fits[cards[i]] >> cards[i + 1] & 1
            seats[i] = min(unseen[16 + cards[i]], 8)
            plays[i] = min(tally[48 + cards[i]] + runs_on, 3)
        if len(cards) > 0:
            entries[count] = base + lookahead.AVAILABLE + (seats[0] * 4 + plays[0]) * 6 + min(len(cards), 5)
            count += 1
        if len(cards) > 1:
            runs_on = fits[cards[0]] >> cards[1] & 1
            entries[count] = base + lookahead.NEXT + (seats[0] * 9 + seats[1]) * 2 + runs_on
            entries[count + 1] = base + lookahead.SECOND + (seats[1] * 4 + plays[0]) * 4 + plays[1]
            count += 2
        if len(cards) > 2:
            entries[count] = base + lookahead.THIRD + ((seats[1] * 9 + seats[2]) * 4 + plays[1]) * 4 + plays[2]
            count += 1
    for rank in range(lookahead.RANKS):
        seated = min(unseen[16 + rank], 6)
        remaining, supply = min(tally[rank], 4), min(tally[16 + rank], 6)
        exposed, onto = min(tally[32 + rank], 2), min(tally[48 + rank], 3)
        fitting += unseen[rank] if onto > 0 else 0
        kind = np.int64(lookahead.KINDS[rank])
        entries[count] = base + lookahead.SUPPLY + ((kind * 5 + remaining) * 7 + supply) * 7 + seated
        entries[count + 1] = base + lookahead.NEIGHBOURS + ((rank * 7 + seated) * 3 + exposed) * 4 + onto
        count += 2
    entries[count] = base + lookahead.FITTING + min(fitting, 18) * 8 + min(filled, 7)
    entries[count + 1] = base + lookahead.SHAPE + min(filled, 7) * 7 + min(longest, 6)
    entries[count + 2] = lookahead.CARDS + min(stock, 18) * 40 + min(left, 39)
    return count + 3


@njit
def _learn(
    cards: NDArray[np.uint8],
    heights: NDArray[np.uint8],
    lines: NDArray[np.uint8],
    position: Position,
    fits: NDArray[np.uint64],
    added: NDArray[np.uint64],
    rate: float,
    learning: Learning,
) -> None:
    weights, errors, sizes = learning
    entries = np.empty((cards.shape[1], 4096), np.int64)
    counts = np.empty(cards.shape[1], np.int64)
    for row in range(len(cards)):
        stock = lookahead.set_up(position, added, cards[row], heights, True)
        draws = 0
        for action in lines[row]:
            if position.left[0] == 0 or (action == DRAW and position.left[1] == 0):
                break
            if action == DRAW:
                counts[draws] = _entries(position, fits, entries[draws])
                draws += 1
                lookahead.draw(position, added, np.uint64(cards[row, stock]) >> np.uint64(2))
                stock += np.uint64(1)
            else:
                lookahead.play(position, added, np.uint64(action))
        target = np.float64(position.left[0])
        if target == 0:
            target = -np.float64(position.left[1])
        for stop in range(draws - 1, -1, -1):
            described = entries[stop, : counts[stop]]
            value = 0.0
            for entry in described:
                value += weights[entry]
            error = target - value
            for entry in described:
                coherence = abs(errors[entry]) / sizes[entry] if sizes[entry] > 0 else 1.0
                errors[entry] += error
                sizes[entry] += abs(error)
                weights[entry] += rate * coherence * error / counts[stop]
            value = 0.0
            for entry in described:
                value += weights[entry]
            target = 0.5 * (target + value)


def learn(rules: RuleSet, games: int) -> NDArray[np.int32]:
    """The tables after so many games under these rules: int32[WEIGHTS], thousandths of a stroke."""
    heights = np.full(rules.layout.columns, rules.layout.depth, np.uint8)
    deck = np.arange(rules.layout.cards, dtype=np.uint8)
    fits = np.array(rules.fits, np.uint64)
    weights = np.zeros(lookahead.WEIGHTS)
    weights[lookahead.CARDS :] = np.tile(np.arange(40), 19)
    learning = weights, np.zeros_like(weights), np.zeros_like(weights)
    for game in range(0, games, BATCH):
        cards = shuffle_rows(np.arange(FIRST + game, FIRST + min(game + BATCH, games), dtype=np.uint64), deck)
        lines = np.full((len(cards), cards.shape[1]), DRAW, np.uint8)
        played = lookahead.play_lines("lookahead", cards, heights, True, fits, rules.draw_when_stuck, rounded(weights))
        for line, actions in zip(lines, played, strict=True):
            line[: len(actions)] = actions
        _learn(
            cards,
            heights,
            lines,
            lookahead.new_position(heights),
            fits,
            lookahead.adds(fits),
            1 - game / games,
            learning,
        )
    return rounded(weights)


def rounded(weights: NDArray[np.float64]) -> NDArray[np.int32]:
    """Strokes as whole thousandths."""
    return np.rint(weights * lookahead.UNIT).astype(np.int32)


def sample(rules: RuleSet) -> str:
    """SHA-256 of the tables that `SAMPLE` games come to, little-endian, in hexadecimal digits."""
    return hashlib.sha256(learn(rules, SAMPLE).astype("<i4").tobytes()).hexdigest()


def stored() -> dict[str, Any]:
    """What the file of tables holds."""
    tables: dict[str, Any] = json.loads(OUTPUT.read_text(encoding="utf-8"))
    return tables


def main() -> None:
    """Read the command line, learn, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=GAMES, help=f"games for each preset (default: {GAMES})")
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT, help="default: data/lookahead.json")
    options = parser.parse_args()
    if options.games < 1:
        parser.error("--games: give 1 or more")

    content = {
        "games": options.games,
        "unit": lookahead.UNIT,
        "samples": {name: sample(rules) for name, rules in PRESETS.items()},
        "tables": {name: learn(rules, options.games).tolist() for name, rules in PRESETS.items()},
    }
    options.output.write_text(json.dumps(content, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
