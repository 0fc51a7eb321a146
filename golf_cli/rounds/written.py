"""Rounds and matches in the forms a command writes: a table for people, JSON and CSV for programs."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import polars as pl

from golf_cli.rounds.course import Course
from golf_cli.rounds.match import Match, format_match
from golf_cli.rounds.matches import MATCH_PLAY, STROKE_PLAY, End, Matches, Ranking, Series
from golf_cli.rounds.scorecard import Scorecard, format_cards
from golf_cli.stats.intervals import CONFIDENCE, percent
from golf_cli.stats.table import beside, left, rates, right
from golf_cli.wording import counted

_SHARES: Final = ("won", "halved", "lost")
_END: Final = ("outcome", "result", "up", "left", "matches", "share")


def written_cards(cards: Sequence[Scorecard], form: str, course: Course | None = None, seed: int = 0) -> str:
    """Cards over the same holes, as `table`, `json` (one record) or `csv` (one row a player and hole).

    Args:
        cards: one a player; at least one.
        form: how they are written.
        course: the deals, where they are known.
        seed: of the solvers that played them.

    Raises:
        ValueError: there is no such form.
    """
    if form == "table":
        return _headed(course, format_cards(cards))
    if form == "json":
        return _json(_about(course, seed) | {"cards": [card.record() for card in cards]})
    return _csv(form, [{"player": card.player, **row} for card in cards for row in card.rows()])


def written_match(match: Match, form: str, course: Course | None = None, seed: int = 0) -> str:
    """One match hole by hole, as `table`, `json` (one record) or `csv` (one row a hole and player).

    The arguments are those of `written_cards`.

    Raises:
        ValueError: there is no such form.
    """
    if form == "table":
        return _headed(course, format_match(match))
    return _json(_about(course, seed) | match.record()) if form == "json" else _csv(form, match.rows())


def written_matches(
    matches: Matches, form: str, course: Course, seed: int = 0, confidence: float = CONFIDENCE, ends: bool = False
) -> str:
    """Many matches, as `table`, `json` (one record) or `csv` (one row a pair and form of play).

    Args:
        matches: what was played.
        form: how it is written.
        course: the deals of all matches.
        seed: of the solvers that played them.
        confidence: of the intervals.
        ends: whether CSV holds how matches ended at match play instead, one row a pair and end.

    Raises:
        ConfidenceError: `confidence` is not strictly between 0 and 1.
        ValueError: there is no such form.
    """
    series = matches.series()
    if form == "table":
        of = f"{counted(matches.count, 'match', 'matches')} of {counted(matches.holes, 'hole')}: "
        return f"{of}{_headed(course, _tables(matches, series, confidence))}"
    if form == "json":
        record = {
            **_about(course, seed),
            "matches": matches.count,
            "holes": matches.holes,
            "players": [_ranking_record(ranking, confidence) for ranking in matches.rankings()],
            "series": [_series_record(each, confidence) | {"ends": _end_rows(each)} for each in series],
        }
        return _json(record)
    if ends:
        rows = [{"player": each.player, "against": each.against, **row} for each in series for row in _end_rows(each)]
        return _csv(form, rows, ("player", "against", *_END))
    return _csv(form, [_series_record(each, confidence) for each in series])


def _headed(course: Course | None, table: str) -> str:
    return f"{course}\n\n{table}\n" if course else f"{table}\n"


def _about(course: Course | None, seed: int) -> dict[str, Any]:
    return {**course.record(), "seed": seed} if course else {}


def _json(record: object) -> str:
    return json.dumps(record, indent=2) + "\n"


def _csv(form: str, rows: Sequence[Mapping[str, Any]], head: Sequence[str] = ()) -> str:
    """Rows under the names of their columns; `head` are these where there may be no row."""
    if form != "csv":
        raise ValueError(f"no form is called {form!r}: there are table, json and csv")
    return pl.DataFrame(rows, None if rows else list(head), infer_schema_length=None).write_csv()


def _ranking_record(ranking: Ranking, confidence: float) -> dict[str, Any]:
    low, high = ranking.interval(ranking.first, confidence)
    return {
        "player": ranking.player,
        "decided": ranking.matches,
        "apart": ranking.apart,
        "mean_total": ranking.mean_total,
        "first": ranking.first,
        "first_low": low,
        "first_high": high,
        "shared": ranking.shared,
        "confidence": confidence,
    }


def _series_record(series: Series, confidence: float) -> dict[str, Any]:
    record: dict[str, Any] = {
        "player": series.player,
        "against": series.against,
        "form": series.form,
        "matches": series.matches,
        "apart": series.apart,
    }
    for name in _SHARES:
        matches: int = getattr(series, name)
        low, high = series.interval(matches, confidence)
        record |= {
            name: matches,
            f"{name}_rate": series.share(matches),
            f"{name}_low": low,
            f"{name}_high": high,
        }
    return record | {"mean_margin": series.mean_margin, "confidence": confidence}


def _end_rows(series: Series) -> list[dict[str, Any]]:
    return [
        dict(zip(_END, (_outcome(end), end.result, *end, count, series.share(count)), strict=True))
        for end, count in series.ends.items()
    ]


def _outcome(end: End) -> str:
    if not end.up:
        return "halved"
    return "won" if end.up > 0 else "lost"


def _tables(matches: Matches, series: Sequence[Series], confidence: float) -> str:
    told = (
        f"in brackets: {percent(confidence)} % Wilson intervals; result: how match play ends, two columns a pair,\n"
        "won by the one and won by the other, and all square in both"
    )
    apart = matches.rankings()[0].apart
    if apart:
        told += (
            f"\n{apart:,} of {counted(matches.count, 'match', 'matches')} had a hole that a player left undecided: set "
            "apart, they widen the intervals of that player's pairs, and of every player's lowest totals"
        )
    by_holes = [each for each in series if each.form == MATCH_PLAY]
    by_strokes = [each for each in series if each.form == STROKE_PLAY]
    blocks = [
        _ranking_table(matches, confidence),
        _series_table("stroke play", by_strokes, "strokes ahead", confidence),
        _series_table("match play", by_holes, "holes up", confidence),
        _ends_table(by_holes),
        [told],
    ]
    return "\n\n".join("\n".join(lines) for lines in blocks)


def _ranking_table(matches: Matches, confidence: float) -> list[str]:
    rankings = matches.rankings()
    return beside(
        [
            right("", [str(place) for place, _ in enumerate(rankings, 1)]),
            left("player", [ranking.player for ranking in rankings]),
            right(counted(matches.holes, "hole"), [_decimal(ranking.mean_total) for ranking in rankings]),
            right(
                "a hole",
                [_decimal(None if each.mean_total is None else each.mean_total / matches.holes) for each in rankings],
            ),
            rates(
                "lowest total", [(each.share(each.first), each.interval(each.first, confidence)) for each in rankings]
            ),
            right("shared", [_percent(ranking.share(ranking.shared)) for ranking in rankings]),
        ]
    )


def _series_table(head: str, series: Sequence[Series], margin: str, confidence: float) -> list[str]:
    counts = {name: [int(getattr(each, name)) for each in series] for name in _SHARES}
    margins = [_decimal(each.mean_margin, sign="+") for each in series]
    return beside(
        [
            left(head, [_pair(each) for each in series]),
            *(
                rates(name, [(each.share(n), each.interval(n, confidence)) for each, n in zip(series, of, strict=True)])
                for name, of in counts.items()
            ),
            right(margin, margins),
        ]
    )


def _ends_table(series: Sequence[Series]) -> list[str]:
    """A row an end, the clearest first, and two columns a pair: won so, and lost so; halves stand in both."""
    occurring = {End(abs(end.up), end.left) for each in series for end in each.ends}
    ends = sorted(occurring, key=lambda end: (-end.left, -end.up))
    columns = [left("result", [end.result for end in ends])]
    for each in series:
        for head, sign in ((each.player, 1), (each.against, -1)):
            counts = [each.ends.get(End(sign * end.up, end.left), 0) for end in ends]
            columns.append(right(head, [_percent(each.share(count)) if count else "" for count in counts]))
    return beside(columns)


def _pair(series: Series) -> str:
    return f"{series.player} against {series.against}"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"


def _decimal(number: float | None, sign: str = "") -> str:
    return "-" if number is None else f"{number:{sign}.2f}"
