"""Counts in words: one thing, or several."""


def noun(count: int, one: str, several: str = "") -> str:
    """The noun that goes with a count: `card` with 1, `cards` with any other; `several` where it is not `one` + s."""
    return one if count == 1 else several or f"{one}s"


def counted(count: int, one: str, several: str = "") -> str:
    """A count with its noun: `1 stroke`, `0 strokes`, `1,024 games`, `2 matches`."""
    return f"{count:,} {noun(count, one, several)}"
