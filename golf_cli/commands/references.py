"""Deal references on the command line: resolved, with what a user has to be told about them."""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from golf_cli.cards import parse_cards
from golf_cli.commands.options import note
from golf_cli.deals.deal import Deal
from golf_cli.deals.reference import Dealt, resolve, resolve_many
from golf_cli.deals.shuffle import VERSION
from golf_cli.errors import GolfError
from golf_cli.rules import RuleSet

T = TypeVar("T")


def resolve_noting(reference: str, rules: RuleSet | None, quiet: bool) -> Dealt:
    """Resolve a reference, and say on standard error whose cards these are and which rules were set aside."""
    dealt = resolve(reference, rules)
    note_origin(dealt, quiet)
    return dealt


def answered(
    references: tuple[str, ...], rules: RuleSet | None, quiet: bool, answer: Callable[[Dealt], T]
) -> Iterator[T | None]:
    """What there is to say of each deal, as it is found; None of one that is wrong, which is told on standard error."""
    for dealt in resolve_many(references, rules):
        try:
            if isinstance(dealt, GolfError):
                raise dealt
            note_origin(dealt, quiet)
            found = answer(dealt)
        except GolfError as error:
            note(f"Error: {error}")
            yield None
        else:
            yield found


def note_origin(dealt: Dealt, quiet: bool) -> None:
    """Say on standard error whose cards these are and which rules were set aside."""
    if dealt.own_shuffle:
        note(
            f"Note: {dealt.reference} is dealt by golf's own shuffle (version {VERSION}); the app has other cards.",
            quiet,
        )
    if dealt.overruled_letter is not None:
        note(f"Note: --rules {dealt.rules} overrules the code's letter {dealt.overruled_letter}.", quiet)


def note_shuffle(quiet: bool) -> None:
    """Say on standard error that golf's own shuffle deals what is shown."""
    note(f"Note: these deals are dealt by golf's own shuffle (version {VERSION}); the app has other cards.", quiet)


def with_stock(deal: Deal, stock: str | None) -> Deal:
    """The deal with the stock cards that `--stock` says have been seen."""
    return deal if stock is None else deal.with_stock(parse_cards(stock))


def describe_origin(dealt: Dealt) -> dict[str, Any]:
    """What was dealt and by which rules, for JSON."""
    return {
        "reference": dealt.reference,
        "numbering": dealt.numbering.name if dealt.numbering else None,
        "number": dealt.number,
        "rules": str(dealt.rules),
        "overruled_letter": dealt.overruled_letter,
        "shuffle": f"golf {VERSION}" if dealt.own_shuffle else None,
    }
