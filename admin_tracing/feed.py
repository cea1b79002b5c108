"""The events of all turns as they are stored, for the pages that watch everything.

Rows are read by their id. Transactions may commit in another order than that of their ids,
so each read looks back a little and leaves out what was given already.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from dataclasses import dataclass, field

from django.db.models import Max

from chat.contracts.events import BODY_OF, Event, Token, event_from
from chat.db import in_db
from chat.models import TurnEvent

POLL = 1.0  # seconds between two reads
OVERLAP = 500  # ids that are looked at again for a late commit
AT_ONCE = 1_000  # rows of one read
MOST = OVERLAP + AT_ONCE

USUAL = frozenset(BODY_OF) - {Token.TYPE}
"""What is given to who does not say: tokens are most of the rows, and few want them."""

Row = tuple[int, Event]  # the row's id and its event


@dataclass(slots=True)
class Window:
    """What was given already: ids up to `last`, of which the recent ones are remembered."""

    last: int
    given: set[int] = field(default_factory=set)

    @property
    def floor(self) -> int:
        return max(self.last - OVERLAP, 0)

    def fresh(self, rows: list[Row]) -> list[Row]:
        """The rows that were not given yet; they count as given from now on."""
        new = [row for row in rows if row[0] not in self.given]
        self.given.update(number for number, _ in new)
        self.last = max(self.last, *(number for number, _ in new)) if new else self.last
        self.given = {number for number in self.given if number > self.floor}
        return new

    def pass_by(self, number: int) -> None:
        """Everything up to this id was looked at, so that rows of no interest are not again."""
        self.last = max(self.last, number)
        self.given = {given for given in self.given if given > self.floor}


async def everything(
    after: int | None,
    sleep: Callable[[float], Awaitable[None]],
    *,
    types: Collection[str] = USUAL,
    sensitive: bool = False,
) -> AsyncIterator[list[Row]]:
    """Batches of new rows of these types, for ever. `after` is the last id that the reader has.

    A reader without one sees what is stored from now on; sensitive turns only where that is said.
    """
    start = await in_db(newest) if after is None else after
    window = Window(start)
    before = await in_db(rows_after, window.floor, start, types=types, sensitive=sensitive)
    window.given.update(number for number, _ in before)
    while True:
        last = await in_db(newest)  # first, so that no row comes between it and the rows
        rows = await in_db(rows_after, window.floor, types=types, sensitive=sensitive)
        new = window.fresh(rows)
        if len(rows) < MOST:
            window.pass_by(last)
        if new:
            yield new
        else:
            await sleep(POLL)


def newest() -> int:
    """The highest id so far."""
    return TurnEvent.objects.aggregate(newest=Max("id"))["newest"] or 0


def rows_after(
    after: int,
    until: int | None = None,
    *,
    types: Collection[str] = USUAL,
    sensitive: bool = False,
) -> list[Row]:
    """Rows over `after` and up to `until`, at most `AT_ONCE` beyond the overlap."""
    rows = TurnEvent.objects.filter(id__gt=after, type__in=types).order_by("id")
    if not sensitive:
        rows = rows.filter(turn__is_sensitive=False)
    if until is not None:
        rows = rows.filter(id__lte=until)
    return [
        (row.pk, event_from(row.turn_id, row.seq, row.at, row.type, row.data))
        for row in rows[:MOST]
    ]
