"""`golf daily`."""

from datetime import date
from pathlib import Path

import click

from golf_cli.commands.options import POSITIVE, from_option, hole_options, quiet_option, salt_option, write


@click.command()
@from_option("The first day, such as 2027-01-01.  [default: today, in UTC]")
@click.option("--days", type=POSITIVE, default="1", show_default=True, help="How many days.")
@salt_option
@hole_options
@quiet_option
def daily(
    start: date | None,
    days: int,
    salt: str,
    solutions: bool,
    workers: int | None,
    form: str,
    output: Path,
    quiet: bool,
) -> None:
    """Show the hole of the day: the same for everyone, verified to be clearable, with its par.

    The hole of a day is a function of the date alone, and of the salt where there is one. It is played by the classic
    rules, and dealt by golf's own shuffle, which is not that of the app with the GO1 codes.

    \b
    golf daily --solutions
    golf daily --from 2027-01-01 --days 365 --format csv -o 2027.csv
    """
    from golf_cli.commands.progress import verifying
    from golf_cli.commands.references import note_shuffle
    from golf_cli.par.daily import LEVEL
    from golf_cli.par.daily import daily as daily_holes
    from golf_cli.par.dates import today
    from golf_cli.par.written import written_holes

    note_shuffle(quiet)
    found = verifying(daily_holes(start or today(), days, salt, workers), days, quiet)
    records = [each.record(solutions) for each in found]
    write(output, written_holes(records, form, LEVEL.rules, {"salt": salt}))
