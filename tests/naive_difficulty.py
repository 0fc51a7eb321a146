"""The games of a deal once more, laid out from their description in plain Python."""

from itertools import islice

from naive_playout import GOLDEN, Allowed, new_game, play_out
from naive_shuffle import WORD, scrambled, shuffled, splitmix64

from golf_cli.solvers.outcome import Games


def laid_out(
    columns: list[list[int]], top: list[int], stock: list[int], number: int, seed: int, game: int, vary: str
) -> tuple[list[int], int]:
    """The cards of one game of a deal in dealing order, and the game's own number."""
    stream = splitmix64(scrambled((number + scrambled((seed + GOLDEN) % WORD)) % WORD))
    own, of_columns, of_stock = list(islice(stream, 3 * game, 3 * game + 3))
    if vary in ("ties", "both"):
        columns = [columns[place] for place in shuffled(of_columns, list(range(len(columns))))]
    if vary in ("orders", "both"):
        stock = shuffled(of_stock, sorted(stock))
    return [card for column in columns for card in column] + top + stock, own


def counted(
    policy: str, row: list[int], dealt: bool, allowed: Allowed, number: int, seed: int, vary: str, count: int
) -> Games:
    """What comes of so many games of a deal of seven columns of five."""
    columns = [row[start : start + 5] for start in range(0, 35, 5)]
    top, stock = row[35 : 35 + dealt], row[35 + dealt :]
    scores = []
    for game in range(count):
        cards, own = laid_out(columns, top, stock, number, seed, game, vary)
        played = new_game(cards, [5] * 7, dealt, allowed)
        play_out(policy, played, own, seed)
        scores.append(played.cards_left() or -len(played.stock))
        assert played.over()
    cleared = sum(score <= 0 for score in scores)
    return Games(count, cleared, sum(scores), sum(score**2 for score in scores))
