"""The documented deals of the app, which `data/deals.json` holds.

The app's own shuffle is not public. A deal that is documented is dealt as it is documented, with the stock cards nobody
has seen left unseen.
"""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from golf_cli.cards import UNSEEN, Card, deck, parse_cards
from golf_cli.deals.codes import parse_code
from golf_cli.deals.deal import Deal
from golf_cli.deals.shuffle import shuffled
from golf_cli.errors import NumberError
from golf_cli.rules import Layout


def data_file(name: str) -> Traversable:
    """A file of the data that comes with golf."""
    return files("golf_cli.data") / name


@cache
def _registry() -> dict[str, Any]:
    registry: dict[str, Any] = json.loads(data_file("deals.json").read_text(encoding="utf-8"))
    return registry


def edition() -> int:
    """The registry's edition, which rises whenever a documented deal is added or changed."""
    return int(_registry()["edition"])


@cache
def _documented() -> Mapping[int, Deal]:
    return {parse_code(entry["letters"]).number: _deal(entry) for entry in _registry()["deals"]}


def _deal(entry: dict[str, Any]) -> Deal:
    unseen = tuple(parse_cards(entry["unseen"]))
    return Deal(
        columns=tuple(tuple(parse_cards(column)) for column in entry["columns"]),
        foundation=Card.parse(entry["foundation"]),
        stock=tuple(parse_cards(entry["stock"])) + (UNSEEN,) * len(unseen),
    )


def documented_numbers(layout: Layout | None = None) -> tuple[int, ...]:
    """The `go1` numbers that are documented in a layout (None is the plain one), in rising order.

    The app has the plain layout only: with jokers, an open foundation or another tableau no deal is documented.
    """
    return tuple(sorted(_documented())) if layout in (None, Layout()) else ()


def documented_deal(number: int) -> Deal:
    """A documented deal as it is documented; stock cards nobody has seen are `UNSEEN`.

    Raises:
        NumberError: the number is not documented.
    """
    try:
        return _documented()[number]
    except KeyError:
        known = ", ".join(map(str, documented_numbers()))
        raise NumberError(f"number {number} is no documented deal: there are {known}") from None


def complete(number: int, layout: Layout | None = None) -> Deal:
    """A documented deal as a whole deal: with its unseen places filled as `fill_unseen` fills them.

    Raises:
        NumberError: the number is not documented in this layout.
    """
    if number not in documented_numbers(layout):
        raise NumberError(f"number {number} is no documented deal of this layout: complete needs one that is")
    return fill_unseen(number, documented_deal(number))


def fill_unseen(number: int, deal: Deal) -> Deal:
    """The deal with its unseen stock places filled by its unseen cards, as the number's own shuffle deals these.

    A deal without unseen cards is returned as it is. The order is a convention of this project: nobody knows in which
    order the app has them.

    Args:
        number: the number whose shuffle gives the order, 0..2^64-1.
        deal: a whole deal.

    Raises:
        DealError: the unseen places do not fit the cards that lie nowhere else.
    """
    unseen = set(deal.unseen)
    if not unseen:
        return deal
    jokers = deal.layout_of().jokers
    return deal.with_unseen(Card(card) for card in shuffled(number, deck(jokers)) if card in unseen)
