"""`golf holes`."""

from pathlib import Path

import click

from golf_cli.commands.options import NATURAL, POSITIVE, hole_options, level_option, quiet_option, write


@click.command()
@level_option("Which deals the holes are, and by which rules they are played.", required=True)
@click.option(
    "-n",
    "--holes",
    "count",
    type=POSITIVE,
    default="9",
    show_default=True,
    help="How many holes.",
)
@click.option("--seed", type=NATURAL, default="0", show_default=True, help="Decides which holes are dealt.")
@hole_options
@quiet_option
def holes(
    level: str, count: int, seed: int, solutions: bool, workers: int | None, form: str, output: Path, quiet: bool
) -> None:
    """Deal holes of a level: deals that are verified to be clearable, with their pars.

    \b
    easy    easy rules, the friendliest third of the deals that can be cleared
    medium  classic rules, any deal that can be cleared
    hard    hard rules, deals of par 4 and 5
    daily   as medium; golf daily has the holes of the calendar

    Which holes are dealt depends on the level and the seed alone, and more of them begin with the fewer. No deal is
    there twice. All are of golf's own shuffle, which is not that of the app with the GO1 codes.

    \b
    golf holes --level hard -n 90 --seed 7
    golf holes --level easy --solutions --format json -o easy.json
    """
    from golf_cli.commands.progress import verifying
    from golf_cli.commands.references import note_shuffle
    from golf_cli.par import levels
    from golf_cli.par.written import written_holes

    note_shuffle(quiet)
    of = levels.LEVELS[level]
    found = verifying(levels.holes(of, count, seed, workers), count, quiet)
    records = [{"hole": number, **hole.record(solutions)} for number, hole in enumerate(found, 1)]
    write(output, written_holes(records, form, of.rules, {"level": level, "seed": seed}))
