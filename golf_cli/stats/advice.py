"""What advice says: figures with their intervals, a reason that holds, as text and as plain values."""

import math
from enum import StrEnum
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from golf_cli.game import Game, Step
from golf_cli.solvers.advice import Advice, Prospect
from golf_cli.solvers.hints import end_text, standing_record
from golf_cli.stats.intervals import CONFIDENCE, Interval, mean_interval, percent, standard_error, wilson
from golf_cli.stats.table import beside, format_chance, format_rate, left
from golf_cli.wording import counted

FLOOR: Final = "for a player who stops every later run where it is worth most; best play does no worse in the mean"


class Claim(StrEnum):
    """What the reason of an advice claims of the action it names; docs/advice.md defines each."""

    ONLY_LEGAL = "only legal"
    CLEARS = "clears"
    SAME_STOP = "same stop"
    BETTER = "better"
    NO_BETTER = "no better"
    WITHIN_CHANCE = "within chance"


_NOT_BETTER: Final = {Claim.NO_BETTER: "better", Claim.WITHIN_CHANCE: "clearly better"}


def share_interval(advice: Advice, prospect: Prospect, confidence: float = CONFIDENCE) -> Interval:
    """Wilson's interval of the share of games that clear the tableau; where nothing is left to chance, the share.

    Raises:
        ConfidenceError: `confidence` is not strictly between 0 and 1.
    """
    if advice.every_order or prospect.clears:
        return Interval(*2 * [prospect.cleared / advice.orders])
    return wilson(prospect.cleared, advice.orders, confidence)


def strokes_interval(advice: Advice, prospect: Prospect, confidence: float = CONFIDENCE) -> Interval:
    """The interval of the mean strokes by the central limit theorem; where nothing is left to chance, the mean.

    Raises:
        ConfidenceError: `confidence` is not strictly between 0 and 1.
    """
    return _mean(advice, prospect.strokes, confidence)


def _mean(advice: Advice, numbers: NDArray[Any], confidence: float) -> Interval:
    whole = numbers.astype(np.int64)
    total, squares = int(whole.sum()), int((whole * whole).sum())
    if advice.every_order:
        return Interval(*2 * [total / advice.orders])
    return mean_interval(total / advice.orders, standard_error(total, squares, advice.orders), confidence)


def reason(advice: Advice, confidence: float = CONFIDENCE) -> tuple[Claim, str]:
    """Why the action of an advice was taken: what that claims, and a line to be read after `because`.

    It is compared with the next best of the actions that do not lead to the same stop, order by order.

    Raises:
        ConfidenceError: `confidence` is not strictly between 0 and 1.
    """
    best, *others = advice.prospects
    rival = next((other for other in others if other.plays != best.plays), None)
    if not others:
        return Claim.ONLY_LEGAL, "it is the only legal action"
    if best.clears:
        return Claim.CLEARS, "the tableau is cleared before the next draw"
    if rival is None:
        return (
            Claim.SAME_STOP,
            f"all {len(advice.prospects)} legal actions lead to the same stop, and it is the leftmost",
        )
    claim, shortfall = _shortfall(advice, best, rival, confidence)
    lead = f"the next best, {_named(rival.step)}, {shortfall}"
    return claim, lead if claim is Claim.BETTER else f"no action is {_NOT_BETTER[claim]}: {lead}"


def _shortfall(advice: Advice, best: Prospect, rival: Prospect, confidence: float) -> tuple[Claim, str]:
    """By how much an action comes short of the best in what is asked for, in the same orders."""
    strokes = advice.objective == "strokes"
    short = rival.strokes - best.strokes if strokes else (best.strokes <= 0).astype(np.int16) - (rival.strokes <= 0)
    total = int(short.sum(dtype=np.int64))
    if not short.any() or (advice.every_order and not total):
        return Claim.NO_BETTER, "takes as many strokes" if strokes else "clears the tableau as often"
    if advice.every_order:
        if strokes:
            return Claim.BETTER, f"takes {counted(total, 'more stroke')}{', all orders together' * (advice.orders > 1)}"
        return Claim.BETTER, f"clears the tableau in {total:,} fewer of {_orders(advice)}"
    interval = _mean(advice, short, confidence)
    claim = Claim.BETTER if interval.low > 0 else Claim.WITHIN_CHANCE
    if strokes:
        by, between = _mean_parts(total / advice.orders, interval)
        return claim, f"takes {by} more strokes {between} in the same orders"
    by, between = _mean_parts(100 * total / advice.orders, Interval(100 * interval.low, 100 * interval.high), 1)
    return claim, f"clears the tableau less often, by {by} % of the same orders {between}"


def advice_text(game: Game, advice: Advice | None, confidence: float = CONFIDENCE) -> str:
    """The action with the plays after it and the reason, a table of all actions, and how it is to be read.

    Once the game is over, how it ended. No line ends in a blank.

    Raises:
        ConfidenceError: `confidence` is not strictly between 0 and 1.
    """
    if advice is None:
        return end_text(game)
    best, prospects = advice.prospects[0], advice.prospects
    step = "draw" if best.step.action.is_draw else str(best.step)
    columns = [
        left("action", [_short(prospect.step) for prospect in prospects]),
        left("clears", [_clears(advice, prospect, confidence) for prospect in prospects]),
        left("strokes", [_strokes(advice, prospect, confidence) for prospect in prospects]),
        left("then", [_then(advice, prospect) for prospect in prospects]),
    ]
    notes = f"in {_orders(advice)}" if advice.unseen else "no stock is left"
    if not advice.every_order:
        notes += f"; in brackets the {percent(confidence)} % intervals"
    return "\n".join(
        [
            ", then ".join([step, *([then] if (then := _then(advice, best)) else [])]),
            f"because {reason(advice, confidence)[1]}",
            "",
            *beside(columns),
            "",
            notes,
            *([FLOOR] if not advice.certain else []),
        ]
    )


def advice_record(game: Game, advice: Advice | None, confidence: float = CONFIDENCE) -> dict[str, Any]:
    """Plain values for JSON: how the game stands as the player sees it, the advice or null, and what actions come to.

    Raises:
        ConfidenceError: `confidence` is not strictly between 0 and 1.
    """
    record = {
        **standing_record(game),
        "columns": [[card.text for card in column] for column in game.columns],
        "advice": None,
        "actions": [],
    }
    if advice is not None:
        claim, why = reason(advice, confidence)
        actions = [_prospect_record(advice, prospect, confidence) for prospect in advice.prospects]
        record |= {
            "unseen": [card.text for card in advice.unseen],
            "objective": advice.objective,
            "orders": advice.orders,
            "every_order": advice.every_order,
            "confidence": None if advice.every_order else confidence,
            "advice": {**actions[0], "claim": str(claim), "reason": why},
            "actions": actions,
        }
    return record


def _prospect_record(advice: Advice, prospect: Prospect, confidence: float) -> dict[str, Any]:
    share, strokes = share_interval(advice, prospect, confidence), strokes_interval(advice, prospect, confidence)
    return {
        **prospect.step.record(),
        "then": [step.record() for step in prospect.run],
        "clears": prospect.clears,
        "cleared": prospect.cleared,
        "share": prospect.cleared / advice.orders,
        "share_low": share.low,
        "share_high": share.high,
        "mean_strokes": prospect.total / advice.orders,
        "strokes_low": strokes.low,
        "strokes_high": strokes.high,
    }


def _named(step: Step) -> str:
    return "a draw" if step.action.column is None else f"{step.card} from column {step.action.column + 1}"


def _short(step: Step) -> str:
    return "draw" if step.action.column is None else f"{step.card}({step.action.column + 1})"


def _then(advice: Advice, prospect: Prospect) -> str:
    """What follows up to the next draw, that included."""
    draws = bool(advice.unseen) and not prospect.clears and not prospect.step.action.is_draw
    return " ".join([*map(_short, prospect.run), *(["draw"] if draws else [])])


def _clears(advice: Advice, prospect: Prospect, confidence: float) -> str:
    share, interval = prospect.cleared / advice.orders, share_interval(advice, prospect, confidence)
    return format_chance(share) if interval.low == interval.high else format_rate(share, interval)


def _strokes(advice: Advice, prospect: Prospect, confidence: float) -> str:
    mean, interval = prospect.total / advice.orders, strokes_interval(advice, prospect, confidence)
    return f"{mean:.2f}" if interval.low == interval.high else " ".join(_mean_parts(mean, interval))


def _mean_parts(mean: float, interval: Interval, fewest: int = 2) -> tuple[str, str]:
    """A mean, `-3.64`, and its interval, `(-3.70 to -3.58)`, to the decimals that the interval resolves, or more."""
    reach = (interval.high - interval.low) / 2
    decimals = max(fewest, math.ceil(-math.log10(reach))) if reach > 0 else fewest
    return f"{mean:.{decimals}f}", f"({interval.low:.{decimals}f} to {interval.high:.{decimals}f})"


def _orders(advice: Advice) -> str:
    """The orders that were played, and of which cards."""
    unseen = len(advice.unseen)
    if advice.certain:
        return "the only order of the stock"
    return f"{'all ' * advice.every_order}{counted(advice.orders, 'order')} of the {counted(unseen, 'unseen card')}"
