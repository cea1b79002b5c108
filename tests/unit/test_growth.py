"""The measure of growth itself: a square is told from a line, however busy the machine is."""

from __future__ import annotations

import time

import pytest

from tests.growth import assert_linear

TEXT = "a" * 8_000


class Clock:
    """CPU seconds that pass by what is worked, and by nothing else."""

    def __init__(self) -> None:
        self.now, self.calls = 0.0, 0

    def thread_time(self) -> float:
        return self.now

    def line(self, text: str) -> None:
        self.now += len(text) / 1_000

    def square(self, text: str) -> None:
        self.now += len(text) ** 2 / 1_000

    def line_on_a_busy_machine(self, text: str) -> None:
        """Three of four times a long text takes as long as a square would."""
        self.calls += text == TEXT
        self.square(text) if text == TEXT and self.calls % 4 else self.line(text)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(time, "thread_time", made.thread_time)
    return made


def test_a_line_passes(clock: Clock) -> None:
    assert_linear(clock.line, TEXT)


def test_a_square_fails_and_the_text_is_named(clock: Clock) -> None:
    with pytest.raises(AssertionError, match="of 'aaaa"):
        assert_linear(clock.square, TEXT)


def test_one_quiet_moment_is_enough(clock: Clock) -> None:
    assert_linear(clock.line_on_a_busy_machine, TEXT)
    assert clock.calls == 4
