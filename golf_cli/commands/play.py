"""`golf play`."""

import os
import sys
from datetime import date
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

import click

from golf_cli.commands.options import (
    NATURAL,
    from_option,
    level_option,
    note,
    quiet_option,
    rules_option,
    salt_option,
)
from golf_cli.interrupts import end_reads
from golf_cli.printable import printable
from golf_cli.rules import RuleSet

if TYPE_CHECKING:
    from golf_cli.commands.players import LevelRound
    from golf_cli.play.board import Look
    from golf_cli.play.round import Round


@click.command()
@click.argument("reference", metavar="[REF]", required=False)
@click.option("--round", "whole_round", is_flag=True, help="Nine holes of --level, one after another, against par.")
@level_option("Which holes a round has, as golf holes deals them by --seed, or those of nine days.  [default: medium]")
@from_option("The first of the nine days of --level daily, such as 2027-01-01.  [default: today, in UTC]")
@salt_option
@rules_option(None, "the code's letter, else classic")
@click.option("--ascii", "plain", is_flag=True, help="Suits as the letters C D H S.")
@click.option(
    "--interactive-rules/--no-interactive-rules",
    "explains",
    default=True,
    help="Whether to say why a card does not fit or is covered.  [default: say it]",
)
@click.option(
    "--record",
    "path",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Save the game, or those of a round, in FILE, move by move, for golf replay.",
)
@click.option("--overwrite", is_flag=True, help="Let --record replace a file that is there.")
@click.option(
    "--seed",
    type=NATURAL,
    default="0",
    show_default=True,
    help="For hints and advice: seed of their orders. Of a round also decides which holes are dealt.",
)
@quiet_option
def play(
    reference: str | None,
    whole_round: bool,
    level: str | None,
    start: date | None,
    salt: str,
    rules: RuleSet | None,
    plain: bool,
    explains: bool,
    path: Path | None,
    overwrite: bool,
    seed: int,
    quiet: bool,
) -> None:
    """Play a deal in the terminal, or a round of nine holes.

    REF is a code (GO1-E-AAAAAAB, AAAAAAB), a number (pysol:24, ms:24) or a file with a board. Moves are read from
    standard input, a line at a time: a column number or a card plays, d draws, u takes back, h hints, a advises, q
    leaves, ? lists it all. Where nobody has seen the next stock card, d asks which one turned up. In a round, n goes on
    to the next hole once one is blocked.

    \b
    golf play pysol:2 --record game.txt
    echo "AC d 4H" | golf play pysol:2 --ascii
    golf play --round --level easy --seed 7 --record round.txt
    """
    from golf_cli.commands.progress import compiling, interruptible
    from golf_cli.commands.references import resolve_noting
    from golf_cli.deals.reference import STDIN
    from golf_cli.play.session import Conversation, Session, converse
    from golf_cli.records.files import Saved

    if path == Path("-"):
        raise click.UsageError("--record takes a file: standard output is where the game is shown")
    look = _look(plain)
    conversation: Conversation
    if whole_round:
        if reference is not None or rules is not None:
            raise click.UsageError("--round deals its own holes, by the rules of --level: leave out REF and --rules")
        from golf_cli.commands.players import level_round

        dealt = level_round(level or "medium", seed, start, salt, None, quiet)
        conversation = _round(dealt, explains, seed, look)
    else:
        if level is not None or start is not None or salt:
            raise click.UsageError("--level, --from and --salt say which holes a round has: add --round")
        if reference is None:
            raise click.UsageError("give a deal REF, such as pysol:2, or --round for nine holes")
        if reference.strip() == STDIN:
            raise click.UsageError("standard input is where your moves come from: give the board as a file")
        conversation = Session(resolve_noting(reference, rules, quiet), explains, seed, look=look)
    saved = None if path is None else Saved(path, overwrite, note)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # what a player writes may come back
    what = "round" if whole_round else "game"

    def interrupted() -> str:
        if saved is None:
            return "Interrupted."
        return f"Interrupted. The {what} is {'not ' if saved.unsaved else ''}saved in {path}."

    with compiling(quiet), interruptible(interrupted):
        converse(
            conversation,
            _read,
            lambda text: click.echo(text, color=look.colour),
            (lambda _: None) if saved is None else saved.save,
        )
        if saved is not None and saved.unsaved:
            saved.save(conversation.records)
    if saved is not None and saved.unsaved:
        raise click.ClickException(f"the end of the {what} is not saved: {path} cannot be written ({saved.unsaved})")


def _round(dealt: "LevelRound", explains: bool, seed: int, look: "Look") -> "Round":
    from golf_cli.deals.reference import resolve_name
    from golf_cli.play.round import Round

    course, holes, kind = dealt
    deals = [resolve_name(label, course.rules) for label in course.labels]
    return Round(holes, deals, str(course), explains, seed, kind, look)


def _read(prompt: str) -> str | None:
    """A line of standard input after a prompt; None at its end. A line that nobody has typed here is shown."""
    click.echo(prompt, nl=False)
    end_reads()
    line = b"" if sys.stdin is None else sys.stdin.buffer.readline()
    text = line.decode(errors="replace").rstrip("\r\n")
    if not line or not sys.stdin.isatty():
        click.echo(printable(text))
    return text if line else None


def _look(plain: bool) -> "Look":
    from golf_cli.play.board import Look

    out = sys.stdout
    terminal = out is not None and out.isatty() and os.environ.get("TERM") != "dumb"
    return Look(symbols=not plain and _writes_suits(), colour=terminal and not os.environ.get("NO_COLOR"))


def _writes_suits() -> bool:
    try:
        "♣♦♥♠".encode(sys.stdout.encoding if sys.stdout else "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
