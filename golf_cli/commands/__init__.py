"""The command line: one file a command, loaded when it is called. No logic: parse, call, print.

`golf --help` imports click alone; each command imports polars, numba or matplotlib when it runs.
"""

import gc
import os
import sys
import threading
from contextlib import suppress
from importlib import import_module
from io import StringIO
from typing import Final, NoReturn

import click

from golf_cli import __version__
from golf_cli.commands.options import note
from golf_cli.interrupts import hearing, was_heard

COMMANDS: Final = {
    "deal": "Show a deal in one of the board formats.",
    "solve": "Find the best strokes of deals, and lines that reach them.",
    "hint": "Say what to do next in a game, and why.",
    "advise": "Say what to do next without knowing the stock, and what each action comes to.",
    "analyse": "Value every legal action along a best line of a deal.",
    "play": "Play a deal in the terminal, or a round of nine holes.",
    "replay": "Check records of games action by action, and review how they were played.",
    "par": "Show the par of deals: about what a steady player scores.",
    "holes": "Deal holes of a level: deals that are verified to be clearable, with their pars.",
    "daily": "Show the hole of the day: the same for everyone, verified to be clearable, with its par.",
    "sweep": "Play numbered deals, a million say, and store the outcomes as Parquet.",
    "dataset": "Check what sweeps have stored, repair it, join shards, and rewrite many files into few.",
    "stats": "Win rates, strokes and pars of what a sweep has stored.",
    "plot": "Draw the strokes distribution or the win rates of a sweep.",
    "round": "Show the scorecard of a round of nine holes.",
    "match": "Play matches: two or more players over the same 18 holes.",
    "solvers": "List the solvers that can be called by name, or check one.",
    "completion": "Print the script that completes golf's commands in a shell.",
}
"""Every command with its one line of help, so that the list of them imports none."""

OBJECTS_BETWEEN_COLLECTIONS: Final = 100_000
"""How many objects are made before Python looks for cycles among them; the imports of a sweep leave 130,000."""

USAGE_ERROR: Final = 2
PLUGIN_FAILED: Final = 3
INTERRUPTED: Final = 130


class _Lazy(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"golf_cli.commands.{cmd_name}"), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="golf", message="%(prog)s %(version)s")
def golf() -> None:
    """Batch analysis of Golf solitaire: deals, solvers, sweeps and statistics.

    A deal is named by a code (GO1-C-AAAAAAB), by a number (pysol:24, ms:24), or by a file with its board; - is standard
    input.
    """


def _leave(code: int) -> NoReturn:
    """Exit, and at once where a thread is left: Python would wait for it to end, and a solver may hang in it."""
    left = [thread for thread in threading.enumerate() if not thread.daemon]
    if code not in (INTERRUPTED, PLUGIN_FAILED) and len(left) == 1:
        sys.exit(code)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(code)


def main() -> NoReturn:
    """Run the command line and exit: 0 done, 2 a mistake in what was asked, 3 a plug-in failed, 130 interrupted.

    It is 1 where output cannot be written, and where a command that checks something does not find it whole.
    """
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    with hearing():
        try:
            _leave(_run())
        except BaseException:
            if was_heard():  # it may strike within an import, and come out as anything
                _leave(INTERRUPTED)
            raise
        finally:
            gc.freeze()  # at exit Python would look through all of numba for cycles, for a fifth of a second


def _run() -> int:
    from golf_cli.errors import DealsFailedError, GolfError, PluginError

    try:
        code = golf.main(prog_name="golf", standalone_mode=False) or 0
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.ClickException as error:
        told = StringIO()
        error.show(told)
        note(told.getvalue().rstrip())
        return error.exit_code
    except click.Abort:
        return INTERRUPTED
    except PluginError as error:
        note(f"Error: {error}\nThis is a fault of that solver, not of golf.")
        return PLUGIN_FAILED
    except GolfError as error:
        note(f"Error: {error}")
        return PLUGIN_FAILED if isinstance(error, DealsFailedError) else USAGE_ERROR
    except OSError as error:
        note(f"Error: the output cannot be written: {error.strerror or error}")
        sys.stdout = None  # what is left in it would fail again when Python flushes it at exit
        return 1
    return int(code)
