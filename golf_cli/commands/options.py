"""What several commands take: rule sets, numbers, and where output goes."""

import math
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import click

from golf_cli.deals.numbers import parse_count, parse_number
from golf_cli.errors import GolfError
from golf_cli.printable import printable
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


class Real(click.FloatRange):
    """A number of a range; `nan`, which is in none, is refused too."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return number


def numbers(first: int, last: int, what: str) -> click.ParamType[object]:
    """Whole numbers in a range, written as people write them; `what` they are, for the message."""
    return _Parsed("number", lambda text: parse_number(text, first, last, what))


NATURAL = _Parsed("number", parse_number)
POSITIVE = _Parsed("number", parse_count)
SAMPLES = numbers(1, 1_000_000, "a number of orders")
"""Orders of unseen cards; `golf_cli.solvers.sampled.MOST_SAMPLES` of them at most."""


def _shard(text: str) -> object:
    from golf_cli.sweep.plan import Shard

    return Shard.parse(text)


SHARD = _Parsed("shard", _shard)


def _date(text: str) -> object:
    from golf_cli.par.dates import parse_date

    return parse_date(text)


DATE = _Parsed("date", _date)


def _scores(text: str) -> object:
    from golf_cli.rounds.holes import parse_scores

    return parse_scores(text)


def _pars(text: str) -> object:
    from golf_cli.rounds.holes import parse_pars

    return parse_pars(text)


def _names(text: str) -> object:
    from golf_cli.rounds.holes import parse_names

    return parse_names(text)


SCORES = _Parsed("scores", _scores)
PARS = _Parsed("pars", _pars)
NAMES = _Parsed("names", _names)


def rules_option(default: str | None, otherwise: str = "", multiple: bool = False) -> Callable[[F], F]:
    """`--rules`, a rule set by name or by its fields; `otherwise` says what rules are without it."""
    return click.option(
        "--rules",
        type=_Parsed("rules", RuleSet.parse),
        metavar="RULES",
        default=[default] if multiple and default else default,
        multiple=multiple,
        help="Rule set: easy, classic, hard or strict, or one of them with rules set on their own, such as "
        f"classic,on-king=none or easy,jokers=2.  [default: {default or otherwise}]",
    )


def stock_option(command: F) -> F:
    """`--stock`, what is known of a deal's stock."""
    return click.option(
        "--stock", metavar="CARDS", help='The stock as seen so far: "8S JC 5H", or its unseen cards alone.'
    )(command)


def game_options(command: F) -> F:
    """`REF`, `--rules`, `--moves` and `--stock`: a deal, and the game so far."""
    reference = click.argument("reference", metavar="REF")
    moves = click.option(
        "--moves",
        default="",
        metavar="MOVES",
        help='The game so far: "draw 9C 8C 3", each a draw, a card, a column number or undo; draw=JC draws an unseen '
        "card.",
    )
    return reference(rules_option(None, "the code's letter, else classic")(moves(stock_option(command))))


def numbering_option(command: F) -> F:
    """`--numbering`, where deal numbers get their cards."""
    return click.option(
        "--numbering",
        type=click.Choice(["go1", "pysol", "ms"], case_sensitive=False),
        default="go1",
        show_default=True,
        help="Where numbers get their cards: golf's own shuffle, PySolFC's, or Microsoft's.",
    )(command)


def form_option(told: str) -> Callable[[F], F]:
    """`--format`, a table for people, JSON or CSV for programs; `told` says what the latter two hold."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(["table", "json", "csv"]),
        default="table",
        show_default=True,
        help=told,
    )


def workers_option(command: F) -> F:
    """`--workers`, of this machine."""
    return click.option(
        "--workers", type=POSITIVE, help="Threads or processes that play.  [default: as many as processors]"
    )(command)


def crew_options(command: F) -> F:
    """`--workers` and `--timeout`, of workers of this machine."""
    timeout = click.option(
        "--timeout",
        type=Real(min=0),
        metavar="SECONDS",
        help="How long a worker may take over a piece of work, which is made to last about a second; 0 is for ever.  "
        "[default: 600 for solvers in plain Python, else 0]",
    )
    return workers_option(timeout(command))


def hole_options(command: F) -> F:
    """`--solutions`, `--workers`, `--format` and `-o` of commands that deal verified holes."""
    solutions = click.option(
        "--solutions", is_flag=True, help="With each hole a line that clears it with the best strokes, as moves."
    )
    form = click.option(
        "--format",
        "form",
        type=click.Choice(["table", "csv", "json", "parquet", "markdown"]),
        default="table",
        show_default=True,
        help="Output.",
    )
    return solutions(workers_option(form(output_option("the holes")(command))))


def level_option(told: str, required: bool = False) -> Callable[[F], F]:
    """`--level`, of verified holes."""
    levels = click.Choice(["easy", "medium", "hard", "daily"], case_sensitive=False)
    return click.option("--level", type=levels, required=required, help=told)


def quiet_option(command: F) -> F:
    """`-q`, which leaves out everything on standard error but errors."""
    return click.option("-q", "--quiet", is_flag=True, help="No progress and no notes on standard error.")(command)


def confidence_option(command: F) -> F:
    """`--confidence`, of the intervals shown."""
    return click.option(
        "--confidence",
        type=Real(0, 1, min_open=True, max_open=True),
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
        help=f"File for {what}; - is standard output, and the default.",
    )


def from_option(told: str) -> Callable[[F], F]:
    """`--from`, a date."""
    return click.option("--from", "start", type=DATE, metavar="DATE", help=told)


def salt_option(command: F) -> F:
    """`--salt`, of a calendar of daily holes."""
    return click.option("--salt", default="", metavar="TEXT", help="Any text: each has a calendar of its own.")(command)


def write(output: Path, data: str | bytes) -> None:
    """Write text or bytes to a file or to standard output; a file that cannot be written is a usage error."""
    if output == Path("-"):
        if sys.stdout is None:
            raise click.ClickException("standard output is closed: give a file with -o")
        click.echo(data, nl=isinstance(data, str) and not data.endswith("\n"))
        return
    try:
        output.write_bytes(data if isinstance(data, bytes) else data.encode())
    except OSError as error:
        raise click.BadParameter(
            f"'{output}' cannot be written ({error.strerror}): give another file", param_hint="'-o' / '--output'"
        ) from error


def note(text: str, quiet: bool = False) -> None:
    """Say something on standard error. Where nothing can be written there, nobody is told."""
    if not quiet:
        with suppress(OSError):
            click.echo(printable(text), err=True)


def on_terminal() -> bool:
    """Whether a person sees what is written to standard error."""
    return sys.stderr is not None and sys.stderr.isatty()
