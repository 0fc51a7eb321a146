"""One match: players over the same holes, hole by hole, by total strokes and by holes won."""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, Final

from golf_cli.errors import ScoreError
from golf_cli.rounds.holes import Player, Score, score_text
from golf_cli.scoring import MATCH_HOLES, holes_up, is_dormie, match_result, match_standing
from golf_cli.stats.table import beside, left, right
from golf_cli.wording import counted

MOST_HOLES: Final = 100


@dataclass(frozen=True)
class MatchPlay:
    """Match play of one player against another: the lower strokes win a hole, and the most holes the match.

    It is over as soon as one of them is more holes up than are left.

    Attributes:
        ours: strokes of the player it is told of, on the holes played so far.
        theirs: those of the other.
        holes: how many holes the match is over.
    """

    ours: tuple[Score, ...]
    theirs: tuple[Score, ...]
    holes: int = MATCH_HOLES

    @cached_property
    def ups(self) -> tuple[int, ...]:
        """Holes up (less than 0: down) after each hole that counts.

        Those are the holes up to the end of the match that both have played, and up to the first left undecided.
        """
        ups: list[int] = []
        ours, theirs = [], []
        for our, their in zip(self.ours, self.theirs, strict=False):
            if our is None or their is None or (ups and abs(ups[-1]) > self.holes - len(ups)):
                break
            ours.append(our)
            theirs.append(their)
            ups.append(holes_up(ours, theirs))
        return tuple(ups)

    @property
    def up(self) -> int:
        """Holes up so far, or at the end."""
        return self.ups[-1] if self.ups else 0

    @property
    def left(self) -> int:
        """Holes left to play, or that were left at the end."""
        return self.holes - len(self.ups)

    @property
    def is_over(self) -> bool:
        """Whether it is won or halved."""
        return abs(self.up) > self.left or not self.left

    @property
    def is_undecided(self) -> bool:
        """Whether either left a hole undecided: such a match is set apart, and is neither won, halved nor lost."""
        return None in self.ours or None in self.theirs

    @property
    def result(self) -> str | None:
        """How it ended, told of the winner: `3 & 2`, `two up`, `all square`; None where it has not, or is set apart."""
        return match_result(self.up, self.left) if self.is_over and not self.is_undecided else None

    @property
    def standings(self) -> tuple[str, ...]:
        """What is told after each hole that counts: `two up`, `three down`, `two up, dormie`, `two down, other dormie`.

        At the end it is the result: `won 3 & 2`, `lost two up` or `all square`.
        """
        standings = [_standing(up, self.holes - played) for played, up in enumerate(self.ups, 1)]
        if self.result and self.up:
            standings[-1] = f"{'won' if self.up > 0 else 'lost'} {self.result}"
        return tuple(standings)


def _standing(up: int, left: int) -> str:
    """How a match that goes on stands, and which of the two is dormie."""
    if is_dormie(up, left):
        return f"{match_standing(up)}, dormie"
    return f"{match_standing(up)}, other dormie" if is_dormie(-up, left) else match_standing(up)


@dataclass(frozen=True)
class Match:
    """Two or more players over the same holes.

    Attributes:
        players: in the order in which they are shown.
        labels: a hole's deal reference, or None where only the scores are known; one a hole.

    Raises:
        ScoreError: there are fewer than two players, or one has more scores than there are holes.
    """

    players: tuple[Player, ...]
    labels: tuple[str | None, ...] = (None,) * MATCH_HOLES

    def __post_init__(self) -> None:
        check_match(len(self.players), len(self.labels))
        for player in self.players:
            if len(player.scores) > len(self.labels):
                raise ScoreError(
                    f"{counted(len(player.scores), 'score')} of {player.name} for "
                    f"{counted(len(self.labels), 'hole')}: give no more than one a hole, or say over how many holes "
                    "the match is"
                )

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """All pairs of players, as places in `players`."""
        return list(combinations(range(len(self.players)), 2))

    def match_play(self, ours: int, theirs: int) -> MatchPlay:
        """Match play of a pair, told of the first."""
        return MatchPlay(self.players[ours].scores, self.players[theirs].scores, len(self.labels))

    def margin(self, ours: int, theirs: int) -> int | None:
        """Stroke play of a pair: by how many strokes the first is ahead; None where one of them is not done."""
        ahead, behind = self.players[ours], self.players[theirs]
        if len(ahead.scores) < len(self.labels) or len(behind.scores) < len(self.labels):
            return None
        return None if ahead.total is None or behind.total is None else behind.total - ahead.total

    @property
    def ranking(self) -> list[tuple[int, Player]]:
        """Stroke play of all: each player with its place, the lowest total first, equals at the same place.

        There are no places before all totals are there: who still plays may yet come in below the others.
        """
        done = [(each.total, each) for each in self.players if len(each.scores) == len(self.labels)]
        totals = sorted(score for score, _ in done if score is not None)
        if len(totals) < len(self.players):
            return []
        ranked = [(totals.index(score) + 1, each) for score, each in done if score is not None]
        return sorted(ranked, key=lambda placed: placed[0])

    def record(self) -> dict[str, Any]:
        """The match as plain values for JSON."""
        places = {player: place for place, player in self.ranking}
        return {
            "holes": len(self.labels),
            "deals": list(self.labels),
            "players": [
                {
                    "player": player.name,
                    "strokes": list(player.scores),
                    "total": player.total,
                    "place": places.get(player),
                }
                for player in self.players
            ],
            "pairs": [self._pair_record(*pair) for pair in self.pairs],
        }

    def _pair_record(self, ours: int, theirs: int) -> dict[str, Any]:
        match = self.match_play(ours, theirs)
        return {
            "player": self.players[ours].name,
            "against": self.players[theirs].name,
            "stroke_play": {"margin": self.margin(ours, theirs)},
            "match_play": {
                "over": match.is_over and not match.is_undecided,
                "undecided": match.is_undecided,
                "up": match.up,
                "left": match.left,
                "result": match.result,
                "standings": list(match.standings),
            },
        }

    def rows(self) -> list[dict[str, Any]]:
        """One row a hole and player, with the player's strokes."""
        return [
            {
                "hole": number,
                "deal": label,
                "player": player.name,
                "strokes": player.scores[number - 1] if number <= len(player.scores) else None,
            }
            for number, label in enumerate(self.labels, 1)
            for player in self.players
        ]


def check_match(players: int, holes: int) -> None:
    """Do nothing for a match that can be played.

    Raises:
        ScoreError: there are fewer than two players, or no holes or too many.
    """
    if players < 2:
        raise ScoreError(f"{counted(players, 'player')} for a match: give two or more")
    if not 1 <= holes <= MOST_HOLES:
        raise ScoreError(f"a match over {counted(holes, 'hole')}: give 1 to {MOST_HOLES}")


def format_match(match: Match) -> str:
    """The card of a match, and below it what each pair has come to. No line ends in a blank.

    A column a pair says how match play stands, told of the pair's first player.
    """
    columns = [right("hole", [*(str(number) for number, _ in enumerate(match.labels, 1)), "total"])]
    if any(match.labels):
        columns.append(left("deal", [*(label or "" for label in match.labels), ""]))
    for player in match.players:
        missing = [""] * (len(match.labels) - len(player.scores))
        columns.append(right(player.name, [*map(score_text, player.scores), *missing, score_text(player.total)]))
    for ours, theirs in match.pairs:
        standings = match.match_play(ours, theirs).standings
        head = "match" if len(match.players) == 2 else f"#{ours + 1} against #{theirs + 1}"
        columns.append(left(head, [*standings, *[""] * (len(match.labels) - len(standings)), ""]))
    lines = beside(columns)
    if len(match.players) > 2:
        lines += ["", *(f"#{place} {player.name}" for place, player in enumerate(match.players, 1))]
    return "\n".join([*lines, "", f"stroke play: {_stroke_play(match)}", *_match_play(match)])


def _stroke_play(match: Match) -> str:
    if match.ranking:
        return ", ".join(f"{place}. {player.name} {player.total}" for place, player in match.ranking)
    holes = len(match.labels)
    so_far = [f"{player.name} {_so_far(player, holes)}" for player in match.players]
    return f"{', '.join(so_far)}; no places before all totals are there"


def _so_far(player: Player, holes: int) -> str:
    played = len(player.scores)
    return score_text(player.total) if played == holes else f"{score_text(player.total)} on {played} of {holes}"


def _match_play(match: Match) -> list[str]:
    lines = []
    for ours, theirs in match.pairs:
        played = match.match_play(ours, theirs)
        one, other = match.players[ours].name, match.players[theirs].name
        if played.is_undecided:
            told = f"{one} and {other} are undecided: a hole of theirs is"
        elif not played.is_over:
            standing = played.standings[-1] if played.standings else match_standing(0)
            told = f"{one} against {other}: {standing}, {played.left} to play"
        elif not played.up:
            told = f"{one} and {other} are all square"
        else:
            winner, loser = (one, other) if played.up > 0 else (other, one)
            told = f"{winner} beats {loser} {played.result}"
        lines.append(f"match play: {told}")
    return lines
