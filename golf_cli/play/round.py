"""A round of holes as a conversation: one game after another, each against its par."""

from collections.abc import Sequence
from dataclasses import replace

from golf_cli.deals.reference import Dealt
from golf_cli.game import Status
from golf_cli.play.board import PLAIN, Look
from golf_cli.play.session import Session
from golf_cli.records.record import Record
from golf_cli.rounds.holes import Hole
from golf_cli.rounds.scorecard import Kind, Scorecard, format_cards
from golf_cli.scoring import against_par, par_name


class Round:
    """Holes played one after another in one sitting. Like a `Session` it takes lines and gives texts.

    A hole ends when it is won, or blocked and the player goes on or leaves. A line ends with its hole.

    Attributes:
        card: what was scored on the holes that have ended.
    """

    def __init__(
        self,
        holes: Sequence[Hole],
        deals: Sequence[Dealt],
        told: str,
        explains: bool = True,
        seed: int = 0,
        kind: Kind = Kind.ROUND,
        look: Look = PLAIN,
    ) -> None:
        """Start a round.

        Args:
            holes: with their pars; at least one.
            deals: of the holes.
            told: which round this is, for people.
            explains: as for `Session`.
            seed: as for `Session`.
            kind: as for `Scorecard`.
            look: as for `Session`.

        Raises:
            ValueError: holes and deals differ in number.
        """
        if len(holes) != len(deals):
            raise ValueError(f"{len(holes)} holes and {len(deals)} deals: give a deal for each hole")
        self.card = Scorecard(tuple(holes), (), kind=kind)
        self._told = told
        self._sessions = iter([Session(dealt, explains, seed, True, look) for dealt in deals])
        self._session = next(self._sessions)
        self._past: tuple[Record, ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether no more lines are wanted: every hole has ended, or the player has left."""
        return self._session.is_over

    @property
    def records(self) -> tuple[Record, ...]:
        """The games of the holes so far, that of the present one last."""
        return (*self._past, self._session.record)

    @property
    def prompt(self) -> str:
        """What stands before the player's next line."""
        return self._session.prompt

    def opening(self) -> str:
        """What is said first: which round this is, and the first hole."""
        return f"{self._told}, par {self.card.par}; ? lists what you can write\n\n{self._announced()}"

    def answer(self, line: str) -> str:
        """Do what a line says, and return what is to be said; an empty text where that is nothing."""
        return self._followed(self._session.answer(line))

    def leave(self) -> str:
        """Leave the round, and return the card so far."""
        return self._followed(self._session.leave())

    def _followed(self, said: str) -> str:
        """What was said of a hole and, once that is over, its result, and the next hole or the card."""
        session = self._session
        if not session.is_over:
            return said
        texts = [said] if said else []
        if session.game.status is not Status.PLAYING:
            self.card = replace(self.card, scores=(*self.card.scores, session.game.strokes))
            texts.append(self._result())
        following = None if session.left else next(self._sessions, None)
        if following is None:
            texts.append(f"\n{format_cards([self.card])}")
        else:
            self._past = self.records
            self._session = following
            texts.append(f"\n{self._announced()}")
        return "\n".join(texts)

    def _announced(self) -> str:
        place, hole = len(self.card.scores), self.card.holes[len(self.card.scores)]
        reference = self._session.dealt.reference
        return f"Hole {place + 1} of {len(self.card.holes)}: {reference}, par {hole.par}\n\n{self._session.shown()}"

    def _result(self) -> str:
        """The result of the hole that ended last."""
        played, over, running = len(self.card.scores), self.card.overs[-1], self.card.over
        assert over is not None  # nothing that is played is undecided
        assert running is not None
        strokes = self.card.scores[-1]
        par = self.card.holes[played - 1].par
        told = f"Hole {played}: {par_name(over)}, strokes {strokes}, par {par}; so far {against_par(running)}"
        return f"{told}; {self._day()}" if self.card.kind is Kind.DAILY else told

    def _day(self) -> str:
        """What the hole that ended last means for its day."""
        if self.card.cleared[-1]:
            return "the day's hole is done"
        return "the day's hole is not done: it counts only when cleared"
