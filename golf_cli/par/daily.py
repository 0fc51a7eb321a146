"""The daily hole: one hole a day, the same for everyone.

Candidate k = 0, 1, ... of a date is the deal whose number is the first 35 bits of the SHA-256 of the text

    golf daily 1 / SALT / 2027-01-01 / k

in UTF-8, with k in decimal; the salt is empty where there is none, so that two blanks stand between the slashes. The
first 35 bits are the first five bytes, read as a number with the first byte highest, divided by 32 and rounded down.
The first candidate that can be cleared under the rules of the level `daily` is the hole of the day. Documented deals,
of which not every card is known, are passed over.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import count, islice
from typing import Any, Final

from golf_cli.deals.registry import documented_numbers
from golf_cli.par.dates import DateError
from golf_cli.par.levels import BITS, LEVELS, VerifiedHole, verified
from golf_cli.par.threads import in_order

DEFINITION: Final = 1
"""Stands in the text that is hashed; another one would be another calendar."""

LEVEL: Final = LEVELS["daily"]

CHUNK: Final = 8
"""Days looked at by a thread at a time."""


@dataclass(frozen=True)
class DailyHole:
    """The hole of a day."""

    day: date
    hole: VerifiedHole

    def record(self, solution: bool = False) -> dict[str, Any]:
        """Plain values, the date as a `date`, with a `solution` where it is asked for."""
        return {"date": self.day, **self.hole.record(solution)}


def daily(first: date, days: int = 1, salt: str = "", workers: int | None = None) -> Iterator[DailyHole]:
    """The holes of consecutive days. Lazy.

    Args:
        first: the first day.
        days: how many.
        salt: makes a calendar of one's own.
        workers: threads that look for holes; as many as there are processors if None.

    Raises:
        DateError: the days end after the last date there is, or the salt cannot be written as UTF-8.
        NumberError: `workers` is out of range.
    """
    last = (date.max - first).days + 1
    if not 1 <= days <= last:
        raise DateError(f"{days} days from {first} on: give 1 to {last}, the calendar ends with {date.max}")
    candidate(first, 0, salt)  # raises where no text holds the salt
    dates = (first + timedelta(day) for day in range(days))
    chunks = iter(lambda: list(islice(dates, CHUNK)), [])
    found = in_order(lambda chunk: _of_days(chunk, salt), chunks, workers)
    return (hole for chunk in found for hole in chunk)


def candidate(day: date, place: int, salt: str = "") -> int:
    """The number of the candidate in a place, from 0 on, of a day.

    Raises:
        DateError: the salt cannot be written as UTF-8.
    """
    text = f"golf daily {DEFINITION} / {salt} / {day.isoformat()} / {place}"
    try:
        digest = hashlib.sha256(text.encode()).digest()
    except UnicodeEncodeError:
        raise DateError(f"the salt {salt!a} is not UTF-8: give another one") from None
    return int.from_bytes(digest, "big") >> 8 * len(digest) - BITS


def _of_days(days: Sequence[date], salt: str) -> list[DailyHole]:
    """The holes of days: the next candidates of all that have none yet are looked at together."""
    found: dict[date, VerifiedHole] = {}
    documented = documented_numbers(LEVEL.rules.layout)
    for place in count():
        open_days = [day for day in days if day not in found]
        if not open_days:
            break
        numbers = {day: candidate(day, place, salt) for day in open_days}
        whole = {day: number for day, number in numbers.items() if number not in documented}
        if whole:
            holes = zip(whole, verified(list(whole.values()), LEVEL), strict=True)
            found |= {day: hole for day, hole in holes if hole is not None}
    return [DailyHole(day, found[day]) for day in days]
