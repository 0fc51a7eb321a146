"""Counts in words."""

import pytest

from golf_cli.wording import counted, noun


@pytest.mark.parametrize(
    ("count", "told"),
    [(0, "0 strokes"), (1, "1 stroke"), (2, "2 strokes"), (-1, "-1 strokes"), (1000000, "1,000,000 strokes")],
)
def test_a_count_has_its_noun(count: int, told: str) -> None:
    assert counted(count, "stroke") == told


def test_a_noun_that_takes_no_s_is_given_in_both_forms() -> None:
    assert [counted(count, "match", "matches") for count in (1, 2)] == ["1 match", "2 matches"]
    assert [noun(count, "is", "are") for count in (1, 2)] == ["is", "are"]
