"""Work spread over threads, its results in order."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

from golf_cli.sweep.workers import check_workers

T = TypeVar("T")
R = TypeVar("R")


def in_order(call: Callable[[T], R], items: Iterable[T], workers: int | None = None) -> Iterator[R]:
    """Call a function that frees the GIL on each item, in threads, and give the results in the order of the items.

    Items are taken a few ahead of the results, so there may be endlessly many. Whoever stops asking does not wait for
    what is under way.

    Args:
        call: what to do.
        items: on what.
        workers: how many threads; as many as there are processors if None.

    Raises:
        NumberError: `workers` is out of range.
    """
    check_workers(workers)
    return _in_order(call, iter(items), workers or os.cpu_count() or 1)


def _in_order(call: Callable[[T], R], items: Iterator[T], workers: int) -> Iterator[R]:
    pool = ThreadPoolExecutor(workers)
    under_way: deque[Future[R]] = deque()
    try:
        while True:
            under_way.extend(pool.submit(call, item) for item in islice(items, 2 * workers - len(under_way)))
            if not under_way:
                return
            yield under_way.popleft().result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
