"""Write the daily holes of a year into data/, as `golf daily --format csv` does.

python scripts/daily_table.py 2027
"""

import argparse
from datetime import date
from pathlib import Path

from golf_cli.par.daily import LEVEL, daily
from golf_cli.par.written import written_holes

DATA = Path(__file__).parents[1] / "data"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("year", type=int)
    year = parser.parse_args().year
    first = date(year, 1, 1)
    days = date(year, 12, 31).toordinal() - first.toordinal() + 1
    table = written_holes([each.record() for each in daily(first, days)], "csv", LEVEL.rules, {})
    assert isinstance(table, str)
    (DATA / f"daily-{year}.csv").write_text(table, encoding="utf-8", newline="")


if __name__ == "__main__":
    main()
