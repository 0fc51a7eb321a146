"""How hard a deal is to play well: every legal action along a best line, with its value."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from math import log2
from typing import Any, Final

from golf_cli.cards import UNSEEN, Card
from golf_cli.deals.deal import Deal
from golf_cli.errors import DealError
from golf_cli.game import Game, Step
from golf_cli.rules import RuleSet
from golf_cli.solvers.choices import Choice, best_choice, choices
from golf_cli.wording import counted


class Mark(StrEnum):
    """How good an action is. In a deal that cannot be cleared an action either is best or loses cards."""

    BEST = "best"
    CLEARABLE = "keeps clearable"
    LOSES = "loses"


_HEAD: Final = ("step", "top", "left", "action", "critical", "strokes after each legal action (* best, x loses)")
_SIGNS: Final = {Mark.BEST: "*", Mark.CLEARABLE: "", Mark.LOSES: "x"}


@dataclass(frozen=True)
class Decision:
    """One step of a best line, and what else could have been done there.

    Attributes:
        top: the foundation's top card before the step, or None for an open foundation.
        cards_left: cards in the tableau before the step.
        stock_left: cards in the stock before the step.
        taken: the action of the line, one of the best.
        choices: every legal action with its value: plays from left to right, then the draw.
    """

    top: Card | None
    cards_left: int
    stock_left: int
    taken: Choice
    choices: tuple[Choice, ...]

    @property
    def is_choice(self) -> bool:
        """Whether more than one action is legal."""
        return len(self.choices) > 1

    def mark(self, choice: Choice) -> Mark:
        """How good one of the actions is."""
        if choice.strokes == self.taken.strokes:
            return Mark.BEST
        return Mark.CLEARABLE if choice.clearable else Mark.LOSES

    @property
    def marks(self) -> tuple[Mark, ...]:
        """How good each of the actions is."""
        return tuple(map(self.mark, self.choices))

    @property
    def keeping(self) -> int:
        """The actions that keep the tableau clearable; where it is not, those that leave the fewest cards."""
        return len(self.choices) - self.marks.count(Mark.LOSES)

    @property
    def only_clearable(self) -> bool:
        """Whether there is a choice and only one of the actions keeps the tableau clearable."""
        return self.is_choice and self.taken.clearable and self.keeping == 1

    @property
    def only_best(self) -> bool:
        """Whether there is a choice and all but one of the actions miss the best strokes."""
        return self.is_choice and self.marks.count(Mark.BEST) == 1

    @property
    def bits(self) -> float:
        """What a blind choice costs: -log2 of the share of the legal actions that do not lose."""
        return log2(len(self.choices) / self.keeping)


@dataclass(frozen=True)
class Analysis:
    """A best line of a deal, decision by decision.

    Attributes:
        strokes: the best strokes of the deal: the fewest cards left where it cannot be cleared.
        decisions: one for each step of the line, in order; none where the game is over from the start.
    """

    strokes: int
    decisions: tuple[Decision, ...]

    @property
    def clearable(self) -> bool:
        """Whether the deal can be cleared."""
        return self.strokes <= 0

    @property
    def line(self) -> tuple[Step, ...]:
        """The best line."""
        return tuple(decision.taken.step for decision in self.decisions)

    @cached_property
    def legal(self) -> int:
        """The legal actions of all steps together."""
        return sum(len(decision.choices) for decision in self.decisions)

    @cached_property
    def keeping(self) -> int:
        """Those of them that do not lose."""
        return sum(decision.keeping for decision in self.decisions)

    @property
    def share(self) -> float:
        """The share of the legal actions that do not lose; 1 where there is no step."""
        return self.keeping / self.legal if self.legal else 1.0

    @cached_property
    def narrowness(self) -> float:
        """The bits of all decisions together; docs/analysis.md says what they tell.

        A player who takes each legal action with the same chance at every step of the line avoids losing at all of them
        with probability 2^-narrowness.
        """
        return sum(decision.bits for decision in self.decisions)


def analyse(deal: Deal, rules: RuleSet) -> Analysis:
    """Follow a best line of a deal, or of what is left of one, and value every legal action on the way.

    The line is the one that hints give: of equally good actions the play that opens the longest run, then the leftmost;
    a draw comes last.

    Raises:
        DealError: the deal has two or more unseen cards, or a layout too large for the search.
    """
    if len(deal.unseen) == 1:
        deal = deal.with_unseen(deal.unseen)  # it can be no other card
    if places := deal.stock.count(UNSEEN):
        raise DealError(
            f"{counted(places, 'unseen stock card')}, and an analysis needs them all: give "
            "the stock (--stock on the command line), or ask for a hint (golf hint), which samples the orders"
        )
    game = Game(deal, rules)
    decisions = tuple(_decisions(game))
    return Analysis(game.strokes, decisions)


def _decisions(game: Game) -> Iterator[Decision]:
    while found := choices(game):
        taken = best_choice(game, found)
        yield Decision(game.top, game.cards_left, game.stock_left, taken, found)
        game.act(taken.step.action)


def analysis_record(analysis: Analysis) -> dict[str, Any]:
    """Plain values for JSON: the counts and the narrowness, then the steps with their actions."""
    decisions = analysis.decisions
    return {
        "clearable": analysis.clearable,
        "strokes": analysis.strokes,
        "legal": analysis.legal,
        "keeping": analysis.keeping,
        "share": analysis.share,
        "steps_with_choice": sum(decision.is_choice for decision in decisions),
        "critical_clear": sum(decision.only_clearable for decision in decisions),
        "critical_best": sum(decision.only_best for decision in decisions),
        "narrowness": analysis.narrowness,
        "steps": [
            {
                "step": number,
                "top": None if decision.top is None else str(decision.top),
                "cards_left": decision.cards_left,
                "stock_left": decision.stock_left,
                **decision.taken.step.record(),
                "critical": _critical(decision) or None,
                "choices": [
                    {**choice.step.record(), "strokes": choice.strokes, "mark": str(decision.mark(choice))}
                    for choice in decision.choices
                ],
            }
            for number, decision in enumerate(decisions, start=1)
        ],
    }


def analysis_text(analysis: Analysis) -> str:
    """A row a step, and under them the counts and the narrowness."""
    decisions = analysis.decisions
    verdict = "can be cleared: best strokes" if analysis.clearable else "cannot be cleared: fewest cards left"
    aim = "keep the tableau clearable" if analysis.clearable else "leave the fewest cards"
    rows = [_HEAD, *(_row(number, decision) for number, decision in enumerate(decisions, start=1))]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        f"{verdict} {analysis.strokes}",
        "",
        *("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows),
        "",
        f"legal actions    {analysis.legal}, of which {analysis.keeping} {aim} ({100 * analysis.share:.1f} %)",
        f"steps            {len(decisions)}, {sum(each.is_choice for each in decisions)} of them with a choice",
        f"critical: clear  {sum(each.only_clearable for each in decisions)}, where only one action keeps it clearable",
        f"critical: best   {sum(each.only_best for each in decisions)}, where only one action keeps the best strokes",
        f"narrowness       {analysis.narrowness:.1f} bits",
    ]
    return "\n".join(lines)


def _row(number: int, decision: Decision) -> tuple[str, ...]:
    after = "  ".join(
        f"{_name(choice.step)} {choice.strokes}{_SIGNS[decision.mark(choice)]}" for choice in decision.choices
    )
    left = f"{decision.cards_left:2}+{decision.stock_left:<2}"
    top = "" if decision.top is None else str(decision.top)
    return str(number), top, left, str(decision.taken.step), _critical(decision), after


def _critical(decision: Decision) -> str:
    if decision.only_clearable:
        return "clear"
    return "best" if decision.only_best else ""


def _name(step: Step) -> str:
    return "draw" if step.action.column is None else f"{step.card}({step.action.column + 1})"
