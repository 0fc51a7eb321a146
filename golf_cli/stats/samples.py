"""What the orders of a deal's unseen stock cards say: the share that can be cleared, as text and as plain values."""

from typing import Any

from golf_cli.cards import cards_text
from golf_cli.solvers.sampled import Samples
from golf_cli.stats.intervals import CONFIDENCE, Interval, percent, win_interval
from golf_cli.stats.table import format_histogram, format_rate
from golf_cli.wording import counted


def share_interval(samples: Samples, confidence: float = CONFIDENCE) -> Interval:
    """The interval of the share of orders that can be cleared, widened on both sides by the undecided ones.

    Where every order was solved there is nothing left to chance: only undecided orders leave the share open.

    Raises:
        ConfidenceError: `confidence` is not strictly between 0 and 1.
    """
    if samples.every_order:
        return Interval(samples.cleared / samples.count, (samples.cleared + samples.undecided) / samples.count)
    return win_interval(samples.cleared, samples.undecided, samples.count, confidence)


def samples_record(samples: Samples, confidence: float = CONFIDENCE) -> dict[str, Any]:
    """Plain values for JSON: counts, the share with its interval, and the strokes distribution."""
    low, high = share_interval(samples, confidence)
    return {
        "orders": samples.count,
        "every_order": samples.every_order,
        "seed": samples.seed,
        "cleared": samples.cleared,
        "undecided": samples.undecided,
        "share": samples.share,
        "low": low,
        "high": high,
        "confidence": None if samples.every_order else confidence,
        "strokes": [{"strokes": strokes, "orders": orders} for strokes, orders in samples.strokes.items()],
    }


def samples_text(samples: Samples, confidence: float = CONFIDENCE) -> str:
    """A few lines for a terminal: the unseen cards, the share, and a histogram of the best strokes."""
    which = "all" if samples.every_order else "sampled"
    orders = f"{counted(samples.count, 'order')} of them ({which})"
    undecided = f", {samples.undecided:,} undecided" if samples.undecided else ""
    lines = [
        f"{counted(len(samples.unseen), 'unseen stock card')}: {cards_text(samples.unseen)}",
        f"solved in {orders}: {samples.cleared:,} can be cleared{undecided}",
    ]
    if samples.every_order and samples.share is not None and not samples.undecided:
        lines.append(f"share: {100 * samples.share:.1f} %")
    else:
        rate = format_rate(samples.share, share_interval(samples, confidence))
        lines.append(f"share: {rate}, the {percent(confidence)} % Wilson interval in brackets")
    if samples.strokes:
        lines += ["", "best strokes in these orders", format_histogram(samples.strokes)]
    return "\n".join(lines)
