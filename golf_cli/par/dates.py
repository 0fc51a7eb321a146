"""Dates as people write them."""

import re
from datetime import UTC, date, datetime

from golf_cli.errors import NumberError


class DateError(NumberError):
    """A day, a number of days or a salt that no calendar has."""


def parse_date(text: str) -> date:
    """Read `2027-01-01`.

    Raises:
        DateError: there is no such day.
    """
    try:
        if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text.strip()):
            return date.fromisoformat(text.strip())
    except ValueError:
        pass
    raise DateError(f"'{text}' is no date: write the year, the month and the day, such as 2027-01-01")


def today() -> date:
    """The present day in UTC, so that it is the same for everyone."""
    return datetime.now(UTC).date()
