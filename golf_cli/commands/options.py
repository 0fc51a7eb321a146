"""What several commands take: rule sets, numbers, workers, and where output goes."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from golf_cli.errors import GolfError

if TYPE_CHECKING:
    from golf_cli.rules import RuleSet

F = TypeVar("F", bound=Callable[..., Any])


class _Parsed(click.ParamType[object]):
    """A parameter read by a function that raises a GolfError for what it cannot read."""

    def __init__(self, name: str, read: Callable[[str], object]) -> None:
        self.name = name
        self.read = read

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> object:
        if not isinstance(value, str):
            return value
        try:
            return self.read(value)
        except GolfError as error:
            self.fail(str(error), param, ctx)


def _read_rules(text: str) -> "RuleSet":
    from golf_cli.rules import RuleSet

    return RuleSet.parse(text)


def _read_natural(text: str) -> int:
    from golf_cli.deals.numbers import parse_number

    return parse_number(text)


def _read_positive(text: str) -> int:
    from golf_cli.deals.numbers import parse_count

    return parse_count(text)


RULES = _Parsed("rules", _read_rules)
NATURAL = _Parsed("number", _read_natural)
POSITIVE = _Parsed("number", _read_positive)

RULES_HELP = (
    "Rule set: easy, classic, hard or strict, or one of them with rules set on their own, such as "
    "classic,on-king=none or easy,jokers=2."
)


def rules_option(default: str | None, otherwise: str = "", multiple: bool = False) -> Callable[[F], F]:
    """`--rules`, a rule set by name or by its fields; `otherwise` says what rules are without it."""
    shown = f"  [default: {default or otherwise}]"
    defaults = [default] if multiple and default else default
    return click.option(
        "--rules", type=RULES, metavar="RULES", default=defaults, multiple=multiple, help=RULES_HELP + shown
    )


def quiet_option(command: F) -> F:
    """`-q`, which leaves out everything on standard error but errors."""
    return click.option("-q", "--quiet", is_flag=True, help="No progress and no notes on standard error.")(command)


def confidence_option(command: F) -> F:
    """`--confidence`, of the intervals shown."""
    return click.option(
        "--confidence",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        default=0.95,
        show_default=True,
        help="Confidence of the intervals.",
    )(command)


def output_option(what: str) -> Callable[[F], F]:
    """`-o`, a file or `-` for standard output."""
    return click.option(
        "-o",
        "--output",
        type=click.Path(dir_okay=False, path_type=Path, allow_dash=True),
        default="-",
        help=f"Where {what} goes; - is standard output.",
    )


def write(output: Path, data: str | bytes) -> None:
    """Write text or bytes to a file or to standard output; a file that cannot be written is a usage error."""
    if output == Path("-"):
        if isinstance(data, bytes):
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        else:
            click.echo(data, nl=not data.endswith("\n"))
        return
    try:
        output.write_bytes(data if isinstance(data, bytes) else data.encode())
    except OSError as error:
        raise click.BadParameter(
            f"'{output}' cannot be written ({error.strerror}): give another file", param_hint="'-o' / '--output'"
        ) from error


def note(text: str, quiet: bool = False) -> None:
    """Say something on standard error."""
    if not quiet:
        click.echo(text, err=True)
