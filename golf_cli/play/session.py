"""A game of one deal as a conversation: a line from the player, an answer to it."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Protocol

from golf_cli.cards import JOKER, RANKS, Card, cards_text
from golf_cli.deals.reference import Dealt
from golf_cli.errors import CardError, GolfError
from golf_cli.game import Game, Reason, Refused, Status
from golf_cli.moves import Draw, Move, Undo, parse_move
from golf_cli.play.board import PLAIN, Look, board
from golf_cli.printable import printable
from golf_cli.records.record import Record
from golf_cli.wording import counted, noun

_SEEDS: Final = 1 << 32
"""So many seeds of sampled orders there are; a round has more, which deal its holes as well."""


class Session:
    """A game of one deal, from its first board to its end. It takes lines and gives texts, and knows of no terminal.

    A line holds commands, and moves as `parse_move` reads them, separated by blanks or commas. The first that is
    refused ends the line.

    Attributes:
        dealt: the deal and the rules.
        game: as far as it has been played.
        left: whether the player has left it.
        commands: what the player can ask for.
    """

    def __init__(
        self, dealt: Dealt, explains: bool = True, seed: int = 0, in_round: bool = False, look: Look = PLAIN
    ) -> None:
        """Start a game.

        Args:
            dealt: the deal and the rules.
            explains: whether to say why a card does not fit or is covered; such a try has no answer otherwise.
            seed: of the orders of unseen cards that hints and advice rest on, from 0 on; its lowest 32 bits count.
            in_round: whether it is a hole of a round, so that a block can be left for the next one.
            look: of the cards in what is said; what the player or a file has written stays as it is.
        """
        self.dealt = dealt
        self.game = Game(dealt.deal, dealt.rules)
        self.left = False
        self.commands = (*COMMANDS, NEXT) if in_round else COMMANDS
        self._holed = False
        """Whether a block is taken for the end."""
        self._explains = explains
        self._look = look
        self._seed = seed % _SEEDS
        self._moves: list[Move] = []
        self._asks = False
        """Whether the next word is to be the card that turned up."""

    @property
    def is_over(self) -> bool:
        """Whether no more lines are wanted: the game is won, or left, or a block is taken for its end."""
        return self.left or self._holed or self.game.status is Status.WON

    @property
    def record(self) -> Record:
        """The game so far."""
        deal = self.dealt.deal if self.dealt.numbering is None else self.dealt.reference
        return Record(deal, self.dealt.rules, moves=tuple(self._moves))

    @property
    def records(self) -> tuple[Record]:
        """The game so far, as what is to be saved."""
        return (self.record,)

    @property
    def prompt(self) -> str:
        """What stands before the player's next line."""
        return "turned up> " if self._asks else "> "

    def opening(self) -> str:
        """What is said first: the deal, the rules, and the board."""
        return f"{self.dealt.reference}, rules {self.dealt.rules}; ? lists what you can write\n\n{self.shown()}"

    def answer(self, line: str) -> str:
        """Do what a line says, and return what is to be said; an empty text where that is nothing."""
        words = line.replace(",", " ").split()
        if self._asks and not words:
            return self._drop_question()
        said, refused, made = [], "", len(self._moves)
        for word in words:
            try:
                said.append(self._do(word))
            except GolfError as error:
                refused = self._refusal(word, error)
                break
            if self.is_over:
                break
        if len(self._moves) > made:
            said.append(self.shown())
        return "\n".join(text for text in (*said, refused) if text)

    def shown(self) -> str:
        """The board, and once the game has ended how."""
        game = self.game
        drawn = self._look.dress(board(game))
        if game.status is Status.PLAYING:
            return drawn
        if game.status is Status.WON:
            return f"{drawn}\n\nWon, with {game.stock_left} left in the stock: {_scores(game)}"
        told = f"{drawn}\n\nBlocked, with {_cards(game)} left: {_scores(game)}"
        if self._holed:
            return told
        return f"{told}; u takes the last action back{', n goes on' if NEXT in self.commands else ''}"

    def leave(self) -> str:
        """Leave the game, and return how it stands; nothing where that has been said."""
        self.left = True
        game = self.game
        return f"Left with {_cards(game)}: {_scores(game)}" if game.status is Status.PLAYING else ""

    def hint(self) -> str:
        """The best action, and why."""
        from golf_cli.solvers.hints import hint, hint_text

        return self._look.dress(hint_text(self.game, hint(self.game, seed=self._seed)))

    def advise(self) -> str:
        """What each action comes to for a player who has not seen the stock."""
        from golf_cli.solvers.advice import advise
        from golf_cli.stats.advice import advice_text

        return self._look.dress(advice_text(self.game, advise(self.game, seed=self._seed)))

    def help(self) -> str:
        """What can be written."""
        rows = (*_MOVES, *((", ".join(command.names), command.does) for command in self.commands))
        width = max(len(names) for names, _ in rows)
        return "\n".join(["Write one or several in a line:", *(f"  {names:{width}}  {does}" for names, does in rows)])

    def go_on(self) -> str:
        """Take a block for the end of the hole.

        Raises:
            GolfError: the game is not blocked.
        """
        if self.game.status is not Status.BLOCKED:
            raise GolfError("next: the hole is not over; play and draw until it is won or blocked")
        self._holed = True
        return ""

    def _do(self, word: str) -> str:
        command = next((each for each in self.commands if word.lower() in each.names), None)
        if command is not None:
            return command.answer(self)
        return self._take_turned(word) if self._asks else self._make(parse_move(word))

    def _take_turned(self, word: str) -> str:
        """Do what a word says while it is asked which card turned up: draws and undo mean what they always do."""
        move: Move | None = None
        with suppress(CardError):
            move = parse_move(word)
        if isinstance(move, Undo):
            return self._drop_question()
        if isinstance(move, Draw):
            return self._make(move)
        return self._make(Draw(Card.parse(word, self.game.rules.layout.jokers)))

    def _drop_question(self) -> str:
        self._asks = False
        return "Nothing is drawn."

    def _make(self, move: Move) -> str:
        if move == Draw() and self._is_next_unseen():
            self._asks = True
            return "Nobody has seen the next stock card: which one turned up? An empty line leaves it."
        move.make(self.game)
        self._asks = False
        self._moves.append(move)
        return ""

    def _is_next_unseen(self) -> bool:
        """Whether a draw is legal but for the card, which is not known."""
        try:
            Game(self.game.left, self.game.rules).draw()
        except Refused as refusal:
            return refusal.reason is Reason.UNSEEN
        return False

    def _refusal(self, word: str, error: GolfError) -> str:
        """What is said of a word that could not be done: in the look of golf's own cards unless it repeats the word."""
        is_word = isinstance(error, CardError)
        if is_word and not self._asks:
            return f"'{printable(word)}' is neither a move nor a command; ? lists them"
        told = f"{error}."
        if self._asks:
            told += " An empty line leaves it."
        elif isinstance(error, Refused) and error.reason in _EXPLAINED:
            told = f"{told} {_EXPLAINED[error.reason](self.game, word)}" if self._explains else ""
        return told if is_word else self._look.dress(told)


@dataclass(frozen=True)
class Command:
    """Something a player can ask for, beside moves.

    Attributes:
        names: in small letters.
        does: what, for the help.
        answer: does it, and returns what is to be said.
    """

    names: tuple[str, ...]
    does: str
    answer: Callable[[Session], str]


COMMANDS: Final = (
    Command(("h", "hint"), "the best action for someone who knows the stock, and why", Session.hint),
    Command(("a", "advise"), "what each action comes to without knowing the stock", Session.advise),
    Command(("q", "quit"), "leave the game", Session.leave),
    Command(("?", "help"), "this list", Session.help),
)
"""What a player can ask for."""

NEXT: Final = Command(("n", "next"), "go on to the next hole, once this one is blocked", Session.go_on)
"""What else a player of a round can ask for."""

_MOVES: Final = (
    ("5", "play the available card of column 5"),
    ("9C", "play the nine of clubs"),
    ("d, draw", "draw the next stock card"),
    ("d=JC", "draw an unseen card that turned up as JC; after an undo, in place of what was named"),
    ("u, undo", "take the last action back"),
)


def _cards(game: Game) -> str:
    return counted(game.cards_left, "card")


def _scores(game: Game) -> str:
    return f"strokes {game.strokes}, points {game.points}, moves {game.moves}"


def _what_fits(game: Game, word: str) -> str:  # noqa: ARG001
    """Which cards can be played now: their ranks, and a joker where the deck has one."""
    assert game.top is not None  # every card fits an open foundation
    ranks = [*enumerate(RANKS), *([(JOKER, "a joker")] if game.rules.layout.jokers else [])]
    *others, last = [told for rank, told in ranks if game.rules.allows(rank, game.top.rank)] or ["nothing: draw"]
    return f"On {game.top} you can play {', '.join(others)}{' or ' if others else ''}{last}."


def _what_covers(game: Game, word: str) -> str:
    """Which cards lie on the one that was tried."""
    card = Card.parse(word)
    column = next(column for column in game.columns if card in column)
    over = column[column.index(card) + 1 :]
    return f"{cards_text(reversed(over))} {noun(len(over), 'lies', 'lie')} on it."


_EXPLAINED: Final = {Reason.RANK: _what_fits, Reason.COVERED: _what_covers}
"""The refusals that tell a player the rules of the game, and what else is said of each."""


class Conversation(Protocol):
    """What `converse` holds: a game, or a round."""

    @property
    def is_over(self) -> bool:
        """Whether no more lines are wanted."""

    @property
    def records(self) -> Sequence[Record]:
        """The games so far, the present one last."""

    @property
    def prompt(self) -> str:
        """What stands before the player's next line."""

    def opening(self) -> str:
        """What is said first."""

    def answer(self, line: str) -> str:
        """Do what a line says, and return what is to be said; an empty text where that is nothing."""

    def leave(self) -> str:
        """Leave, and return what is to be said of it."""


def converse(
    conversation: Conversation,
    read: Callable[[str], str | None],
    say: Callable[[str], None],
    save: Callable[[Sequence[Record]], None],
) -> None:
    """Play a game or a round to its end.

    Args:
        conversation: at its start.
        read: shows a prompt, and returns the line that follows, None at the end of all.
        say: shows a text.
        save: keeps the games so far; called at the start and after every change.
    """
    saved = conversation.records
    save(saved)
    say(conversation.opening())
    while not conversation.is_over:
        line = read(conversation.prompt)
        said = conversation.leave() if line is None else conversation.answer(line)
        if conversation.records != saved:
            saved = conversation.records
            save(saved)
        if said:
            say(said)
