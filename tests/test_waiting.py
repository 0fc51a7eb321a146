"""Waiting that hears an interrupt, even one that somebody else has swallowed."""

import contextlib
import signal
from concurrent.futures import Future

import pytest

from golf_cli.interrupts import deaf, hearing
from golf_cli.sweep.waiting import first_done


def test_an_interrupt_that_was_swallowed_is_heard_at_the_next_wait() -> None:
    with hearing():
        with contextlib.suppress(KeyboardInterrupt):  # as a callback or a finalizer would
            signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            first_done([Future()])
    assert first_done([Future()]) == set()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupt_of_an_earlier_block_is_not_heard_again() -> None:
    with pytest.raises(KeyboardInterrupt), hearing():
        signal.raise_signal(signal.SIGINT)
    with hearing():
        assert first_done([Future()]) == set()


def test_an_interrupt_in_a_deaf_block_is_heard_at_its_end() -> None:
    reached = []

    def interrupted() -> None:
        signal.raise_signal(signal.SIGINT)
        reached.append("the end")

    with pytest.raises(KeyboardInterrupt), hearing(), deaf():
        interrupted()
    assert reached == ["the end"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_whoever_answers_interrupts_goes_on_to_do_so() -> None:
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    try:
        with hearing():
            signal.raise_signal(signal.SIGINT)
            assert first_done([Future()]) == set()
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard == [signal.SIGINT]
