"""How the deals of a task are handed out and gathered: whatever is lost, fails, or comes back in whatever order."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from golf_cli.solvers.outcome import Outcomes
from golf_cli.sweep.pieces import PARTS, PIECE_SECONDS, Gathering, Piece, Pieces
from golf_cli.sweep.plan import Interval


@st.composite
def disjoint(draw: st.DrawFn) -> list[Interval]:
    """Intervals that lie apart, in order."""
    ends = sorted(draw(st.sets(st.integers(0, 400), min_size=2, max_size=8)))
    return [Interval(first, stop) for first, stop in zip(ends[::2], ends[1::2], strict=False)]


def outcomes_of(deals: Interval) -> Outcomes:
    """Outcomes that tell the deals they are of."""
    numbers = np.arange(deals.first, deals.stop)
    return Outcomes(*((numbers // divisor % 256).astype(np.uint8) for divisor in (1, 256, 65536)))


def numbers_of(outcomes: Outcomes) -> list[int]:
    columns = (outcomes.results, outcomes.cards_left, outcomes.stock_left)
    return sum(column.astype(int) * factor for column, factor in zip(columns, (1, 256, 65536), strict=True)).tolist()


def deals_of(intervals: list[Interval]) -> list[int]:
    return [number for each in intervals for number in range(each.first, each.stop)]


@settings(max_examples=60)
@given(disjoint(), st.integers(1, 60), st.integers(1, 5), st.data())
def test_every_deal_is_handed_out_and_settled_once_whatever_happens(
    intervals: list[Interval], size: int, width: int, data: st.DataObject
) -> None:
    pieces = Pieces(intervals, size, width)
    running: list[Piece] = []
    gathering: dict[Interval, Gathering] = {}
    stored: list[int] = []
    left_out: list[int] = []
    choice = data.draw(st.randoms(use_true_random=False))
    while True:
        now = choice.randint(1, width)  # workers of a cluster come and go
        while piece := pieces.next(running, now):
            assert piece.deals.size > 0
            assert piece.batch.first <= piece.deals.first < piece.deals.stop <= piece.batch.stop
            assert not piece.alone or not running
            assert len(running) < 2 * now
            running.append(piece)
        if not running:
            break
        piece = running.pop(choice.randrange(len(running)))
        fate = choice.choice(["played", "played", "failed", "lost"])
        batch = gathering.setdefault(piece.batch, Gathering(piece.batch))
        if fate == "lost" and not piece.alone:
            for lost in (piece, *running):
                pieces.again(replace(lost, alone=True))
            running.clear()
            continue
        if fate == "failed" and piece.deals.size > 1:
            pieces.split(piece)
            continue
        if fate == "played":
            pieces.learn(piece.deals.size, choice.choice([0, 1e-3, 0.1, 1, 30]))
            batch.add(piece.deals, outcomes_of(piece.deals))
        else:
            batch.leave_out(piece.deals)
            left_out += deals_of([piece.deals])
        if batch.is_whole:
            runs = gathering.pop(piece.batch).runs()
            for one, other in pairwise(runs):
                assert one[0].stop < other[0].first  # what touches is one run
            for interval, outcomes in runs:
                assert piece.batch.first <= interval.first < interval.stop <= piece.batch.stop
                assert numbers_of(outcomes) == deals_of([interval])
                stored += deals_of([interval])
    assert not gathering
    assert Counter(stored + left_out) == Counter(deals_of(intervals))


@given(disjoint(), st.integers(1, 60))
def test_batches_are_what_lies_between_the_multiples_of_their_size(intervals: list[Interval], size: int) -> None:
    pieces = Pieces(intervals, size, 1)
    batches: dict[Interval, list[Interval]] = {}
    while piece := pieces.next([], 1):
        batches.setdefault(piece.batch, []).append(piece.deals)
        pieces.learn(piece.deals.size, 0.1)
    assert list(batches) == [part for interval in intervals for part in interval.cut(size)]
    for batch, parts in batches.items():
        assert deals_of(parts) == deals_of([batch])


@given(st.integers(1, 10_000), st.floats(1e-6, 1000))
def test_a_piece_is_made_to_last_about_a_second(deals: int, seconds: float) -> None:
    pieces = Pieces([Interval(0, 10**9)], 10**9, 1)
    pieces.learn(deals, seconds)
    piece = pieces.next([], 1)
    assert piece is not None
    assert piece.deals.size == 1 or piece.deals.size * seconds / deals <= PIECE_SECONDS
    assert piece.deals.size <= 8 * deals
    # No shorter than it must be: one deal more would be too long, or too much more than before.
    longer = piece.deals.size + 1
    assert longer * seconds / deals > PIECE_SECONDS * 0.999 or longer > 8 * deals


@given(st.integers(1, 500), st.integers(1, 8))
def test_a_short_sweep_has_work_for_every_worker(count: int, width: int) -> None:
    pieces = Pieces([Interval(0, count)], 10**6, width)
    pieces.learn(10**6, 1e-3)
    handed_out = []
    while piece := pieces.next([], width):
        handed_out.append(piece)
    assert len(handed_out) >= min(count, 4 * width)


@given(st.integers(2, 1000), st.booleans())
def test_a_piece_that_failed_is_split_into_few_parts_in_order(size: int, alone: bool) -> None:
    piece = Piece(Interval(0, 2000), Interval(500, 500 + size), alone)
    pieces = Pieces([], 1, 1)
    pieces.split(piece)
    parts = []
    while part := pieces.next([], 1):
        parts.append(part)
    assert deals_of([part.deals for part in parts]) == deals_of([piece.deals])
    assert 2 <= len(parts) <= PARTS
    assert all((part.batch, part.alone) == (piece.batch, alone) for part in parts)


def test_what_is_to_be_played_again_goes_before_what_was_not_yet_handed_out() -> None:
    pieces = Pieces([Interval(0, 100)], 100, 1)
    first, second = (pieces.next([], 1) for _ in range(2))
    assert first is not None
    assert second is not None
    pieces.again(replace(first, alone=True))
    assert pieces.next([second], 1) is None  # it waits until it is alone
    assert pieces.next([], 1) == replace(first, alone=True)
    assert pieces.next([replace(first, alone=True)], 1) is None


def test_parts_of_a_failed_piece_are_not_all_on_the_way_at_once() -> None:
    pieces = Pieces([], 1, 1)
    pieces.split(Piece(Interval(0, 1000), Interval(0, 1000)))
    running: list[Piece] = []
    while piece := pieces.next(running, 2):
        running.append(piece)
    assert len(running) == 4
