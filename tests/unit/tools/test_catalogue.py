"""What the schema offers is read beside the turn, once a minute, and old is better than none."""

from __future__ import annotations

from collections.abc import Callable

from django.db import DatabaseError

from chat.tools.known import KEPT_FOR, Catalogue, Known
from tests.doubles.models import FixedClock

KINDS = Known(kinds=("partner",))


class Reading:
    """A table that can be out of reach, and the threads that were started for it."""

    def __init__(self) -> None:
        self.reads = 0
        self.fails = False
        self.started: list[Callable[[], None]] = []

    def __call__(self) -> Known:
        self.reads += 1
        if self.fails:
            raise DatabaseError("gone")
        return KINDS

    def start(self, work: Callable[[], None]) -> None:
        self.started.append(work)

    def finish(self) -> None:
        for work in self.started:
            work()
        self.started.clear()


def made() -> tuple[Catalogue, Reading, FixedClock]:
    reading, clock = Reading(), FixedClock()
    return Catalogue(reading, clock=clock, start=reading.start), reading, clock


def test_nothing_is_known_until_it_was_read_and_nobody_waits_for_it() -> None:
    catalogue, reading, _ = made()
    catalogue.freshen()
    assert catalogue.known == Known()
    reading.finish()
    assert catalogue.known == KINDS


def test_it_is_read_once_a_minute_however_many_turns_begin() -> None:
    catalogue, reading, clock = made()
    for _ in range(100):
        catalogue.freshen()
    assert len(reading.started) == 1
    reading.finish()
    clock.move(KEPT_FOR - 1)
    catalogue.freshen()
    assert reading.started == []
    clock.move(1)
    catalogue.freshen()
    assert len(reading.started) == 1


def test_a_reading_that_never_ends_starts_no_second_one_within_the_minute() -> None:
    catalogue, reading, clock = made()
    catalogue.freshen()
    clock.move(KEPT_FOR / 2)
    catalogue.freshen()
    assert len(reading.started) == 1


def test_what_was_known_stays_when_the_database_is_gone() -> None:
    catalogue, reading, clock = made()
    catalogue.learn()
    reading.fails = True
    clock.move(KEPT_FOR)
    catalogue.freshen()
    reading.finish()
    assert (catalogue.known, reading.reads) == (KINDS, 2)
