"""The directory's own words: its kinds, areas and attributes, as the tool's schema names them.

Read in a thread and kept; a turn takes what was read last and never waits for it. A directory
that another process loads is known here within a minute.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from django.db import DatabaseError, InterfaceError
from django.db.models import F, Func, TextField

from chat.db import with_connection
from chat.models import DirectoryEntry

log = logging.getLogger(__name__)

KEPT_FOR = 60.0  # seconds


@dataclass(frozen=True, slots=True)
class Known:
    """Distinct values, in order of the alphabet."""

    kinds: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()


def read_known() -> Known:
    """Database work."""
    entries = DirectoryEntry.objects.order_by()
    described = entries.annotate(shape=_of("jsonb_typeof")).filter(shape="object")
    keys = described.annotate(key=_of("jsonb_object_keys")).values_list("key", flat=True)
    return Known(
        kinds=tuple(sorted(entries.values_list("kind", flat=True).distinct())),
        areas=tuple(sorted(entries.values_list("area", flat=True).distinct())),
        attributes=tuple(sorted(keys.distinct())),
    )


def _of(function: str) -> Func:
    return Func(F("attributes"), function=function, output_field=TextField())


def _in_a_thread(work: Callable[[], None]) -> None:
    threading.Thread(target=work, name="directory", daemon=True).start()


class Catalogue:
    """What was read last. Safe to share between threads."""

    def __init__(
        self,
        read: Callable[[], Known] = read_known,
        *,
        clock: Callable[[], float] = time.monotonic,
        start: Callable[[Callable[[], None]], None] = _in_a_thread,
    ) -> None:
        self.known = Known()
        self._read = read
        self._clock = clock
        self._start = start
        self._due = float("-inf")  # when it is to be read again

    def freshen(self) -> None:
        """Read again beside the caller, if it is time. One reading a minute, whatever comes."""
        now = self._clock()
        if now >= self._due:
            self._due = now + KEPT_FOR
            self._start(self._quietly)

    def learn(self) -> Known:
        """Read now. Database work; raises database errors."""
        self.known = self._read()
        self._due = self._clock() + KEPT_FOR
        return self.known

    def _quietly(self) -> None:
        try:
            with_connection(self.learn)
        except (DatabaseError, InterfaceError) as error:
            log.warning("the directory's kinds were not read: %s", type(error).__name__)
