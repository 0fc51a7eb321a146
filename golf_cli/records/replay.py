"""Records replayed action by action through the engine, to the first action that is refused."""

from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Protocol

from golf_cli.cards import Card
from golf_cli.deals.board_words import Word
from golf_cli.deals.reference import Dealt
from golf_cli.errors import GolfError, PlacedError, RecordError
from golf_cli.game import Action, Game, Status, Step, Undone
from golf_cli.moves import Move, Undo
from golf_cli.printable import in_one_line
from golf_cli.records.files import Unreadable, lines_of_file, read_records
from golf_cli.records.record import Written
from golf_cli.rules import RuleSet


@dataclass(frozen=True)
class State:
    """How a game stands.

    Attributes:
        status: playing, won or blocked.
        top: the foundation's top card, or None for an open foundation.
        cards_left: cards in the tableau.
        stock_left: cards in the stock.
        strokes: if the game ended now.
        points: app points.
        moves: the app's move counter.
    """

    status: Status
    top: Card | None
    cards_left: int
    stock_left: int
    strokes: int
    points: int
    moves: int

    @classmethod
    def of(cls, game: Game) -> "State":
        """How this game stands now."""
        return cls(game.status, game.top, game.cards_left, game.stock_left, game.strokes, game.points, game.moves)

    def record(self) -> dict[str, str | int | None]:
        """Plain values for JSON, by the names above."""
        return {**asdict(self), "status": str(self.status), "top": None if self.top is None else str(self.top)}


class Judged(Protocol):
    """A position with the value of each of its actions."""

    @property
    def best(self) -> Step:
        """The action with the fewest strokes after best play."""

    def lost(self, action: Action) -> Fraction:
        """Strokes lost by an action against the best."""


class Judge(Protocol):
    """What tells the value of each action of a game that is not over."""

    def __call__(self, game: Game) -> Judged: ...


@dataclass(frozen=True)
class Turn:
    """One action of a record that was made.

    Attributes:
        step: what was done.
        after: how the game stood after it.
        lost: in a review, strokes lost by it against the best action; an undo gives back what that action had lost.
        best: in a review of a play or a draw, the best action.
    """

    step: Step | Undone
    after: State
    lost: Fraction | None = None
    best: Step | None = None


@dataclass(frozen=True)
class Refusal:
    """The first action that could not be made: which, from 1, and why."""

    place: int
    reason: str


@dataclass(frozen=True)
class Replay:
    """A game played again from its record.

    Attributes:
        start: how the game stood before the first action.
        turns: the actions that were made.
        refusal: the first that could not be made; None where all were.
    """

    start: State
    turns: tuple[Turn, ...]
    refusal: Refusal | None

    @property
    def end(self) -> State:
        """How the game stood after the last action that was made."""
        return self.turns[-1].after if self.turns else self.start

    @property
    def lost(self) -> Fraction | None:
        """Strokes lost by all actions that stand; None without a review, or without an action."""
        lost = [turn.lost for turn in self.turns if turn.lost is not None]
        return sum(lost, Fraction()) if lost else None


def replay(game: Game, moves: Iterable[Move], judge: Judge | None = None) -> Replay:
    """Play moves, to the first that is refused.

    Args:
        game: at its start; it is played on.
        moves: in order.
        judge: for a review, what tells the value of each action.
    """
    start = State.of(game)
    turns: list[Turn] = []
    standing: list[Fraction] = []
    for place, move in enumerate(moves, start=1):
        judged = judge(game) if judge and game.status is Status.PLAYING and not isinstance(move, Undo) else None
        try:
            step = move.make(game)
        except GolfError as error:
            return Replay(start, tuple(turns), Refusal(place, str(error)))
        lost, best = None, None
        if judge and isinstance(step, Undone):
            lost = -standing.pop()
        elif judged and isinstance(step, Step):
            lost, best = judged.lost(step.action), judged.best
            standing.append(lost)
        turns.append(Turn(step, State.of(game), lost, best))
    return Replay(start, tuple(turns), None)


class Verdict(StrEnum):
    """What a check finds of a record."""

    SOUND = "sound"
    REFUSED = "refused"
    UNREADABLE = "unreadable"


@dataclass(frozen=True)
class Checked:
    """What came of one record.

    Attributes:
        source: the file it is in, but for characters of its name that cannot be seen.
        line: the line it starts on, from 1.
        dealt: its deal and rules; None where it is unreadable.
        replay: its game; None where it is unreadable.
        error: what is wrong with it, and where; None of a sound record.
    """

    source: str
    line: int
    dealt: Dealt | None
    replay: Replay | None
    error: PlacedError | None

    @property
    def verdict(self) -> Verdict:
        """Whether every action was made, one was refused, or there is no game to play."""
        if self.replay is None:
            return Verdict.UNREADABLE
        return Verdict.SOUND if self.replay.refusal is None else Verdict.REFUSED


def check_files(
    paths: Iterable[Path], rules: RuleSet | None = None, deal: Dealt | None = None, judge: Judge | None = None
) -> Iterator[Checked]:
    """Replay every record of files, as `check_records` does; `-` is standard input.

    Raises:
        RecordError: there is no such file, or it cannot be read.
    """
    for path in paths:
        with closing(lines_of_file(path)) as lines:
            yield from check_records(lines, str(path), rules, deal, judge)


def check_records(
    lines: Iterable[bytes],
    source: str,
    rules: RuleSet | None = None,
    deal: Dealt | None = None,
    judge: Judge | None = None,
) -> Iterator[Checked]:
    """Replay every record of a file, as they come; one that is wrong keeps no other from being checked.

    A file without a record gives one that is unreadable.

    Args:
        lines: of the file, in UTF-8.
        source: the file's name.
        rules: to go by in place of those of the records.
        deal: that of records that do not say.
        judge: for a review, what tells the value of each action.
    """
    source = in_one_line(source)
    none = True
    for found in read_records(lines):
        none = False
        try:
            if isinstance(found, Unreadable):
                raise found.error
            yield _checked(found, source, rules, deal, judge)
        except PlacedError as error:
            yield Checked(source, found.line, None, None, error.in_source(source))
    if none:
        told = "there is no record here: write 'deal: pysol:2' on a line, and the moves below"
        yield Checked(source, 1, None, None, RecordError(told, source, 1))


def _checked(written: Written, source: str, rules: RuleSet | None, deal: Dealt | None, judge: Judge | None) -> Checked:
    dealt, made = _dealt(written, source, rules, deal), written.record.moves
    played = replay(Game(dealt.deal, dealt.rules), made, judge)
    if played.refusal is None and written.fault is not None:
        played = replace(played, refusal=Refusal(len(made) + 1, written.fault))
    return Checked(source, written.line, dealt, played, _refused(written, source, played.refusal))


def _dealt(written: Written, source: str, rules: RuleSet | None, deal: Dealt | None) -> Dealt:
    try:
        return written.record.dealt(f"{source}:{written.line}", rules, deal)
    except GolfError as error:
        word = _first_wrong(written, rules, deal)
        if word is None:
            raise RecordError(str(error), line=written.line) from None
        raise RecordError(str(error), line=word.line, column=word.column) from None


def _first_wrong(written: Written, rules: RuleSet | None, deal: Dealt | None) -> Word | None:
    """The word from which on a deal cannot be had: its name, or a stock card; None where no word names it."""
    for seen, word in enumerate((written.deal, *written.stock)):
        try:
            replace(written.record, stock=written.record.stock[:seen]).dealt("", rules, deal)
        except GolfError:
            return word
    return None


def _refused(written: Written, source: str, refusal: Refusal | None) -> RecordError | None:
    if refusal is None:
        return None
    word = written.moves[refusal.place - 1]
    told = f"move {refusal.place}, '{word.text}': {refusal.reason}"
    return RecordError(told, source, word.line, word.column)
