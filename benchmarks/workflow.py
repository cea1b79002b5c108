"""How long the staff's pages take over 100,000 turns of 30 days, and how long counting them takes.

`python -m benchmarks.workflow`, two to four minutes; `python -m benchmarks --workflow` does it
after the others. It starts a database of its own and removes it. Each page is asked for four times
as an engineer: the first time is told apart, since then nothing of it was ever read. Columns of
work are the processor's time, the middle one of the three later times; work is the same on a busy
machine, and so is its ratio to that of the plain list.
"""

from __future__ import annotations

import asyncio
import gc
import html
import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from benchmarks.fresh_database import fresh_database
from benchmarks.report import machine, table
from benchmarks.spent import Meter, Spent

TURNS = 100_000
DAYS = 30
AGAIN = 3
LIMIT = 1_000  # ms that a page may take
HEAD = 1_000  # bytes of a file that are no more than its head
PART = re.compile(r'hx-get="([^"]+/quality/[^"]+)"')

LISTS: dict[str, dict[str, str]] = {
    "all turns": {},
    "words in the question": {"q": "renewed the volume"},
    "ended in no evidence": {"termination": "no_evidence"},
    "with a gap": {"shows": "gap"},
    "rescued": {"shows": "rescued"},
    "slow for their route": {"slower": "on"},
    "a section found first": {"section": "refunds#timing"},
    "nothing found first": {"section": "nothing"},
    "a control that failed": {"control": "groundedness"},
    "a control that never failed": {"control": "scope", "outcome": "failed_open"},
    "any control that failed": {"shows": "control_missed"},
    "the ugliest": {"ugly": "on"},
}


HEADS = (
    *("page", "first ms", "slowest of 3, ms", "server's work ms", "database's work ms"),
    *("statements", "times the list", "kB"),
)


@dataclass(frozen=True, slots=True)
class Seen:
    """A page, what it cost each time, and its size in bytes; `problem` where it did not come."""

    name: str
    times: tuple[Spent, ...]
    size: int
    problem: str = ""

    @property
    def middle(self) -> Spent:
        return sorted(self.times[1:], key=lambda spent: spent.work)[AGAIN // 2]

    @property
    def slowest(self) -> float:
        return max(spent.took for spent in self.times)


def run(turns: int = TURNS) -> None:
    """Start a database, fill it, measure and print, and remove it."""
    print(f"\n# The staff's pages\n\nOn {machine()}.", flush=True)
    with fresh_database():
        rows = [*_filled(turns), *_counted()]
        print("\n## The store\n")
        print(table(("step", "s"), rows), flush=True)
        client = _engineer()
        _settle()
        with Meter() as meter:
            seen = [*_lists(client, meter), *_sections(client, meter), *_export(client, meter)]
        print("\n## Pages\n")
        print(table(HEADS, [_line(page, seen[0].middle.work) for page in seen]), flush=True)
        print(f"\n{_verdict(seen)}", flush=True)


def _line(page: Seen, plain: float) -> list[str]:
    if page.problem:
        return [page.name, page.problem, *[""] * (len(HEADS) - 2)]
    later, middle = max(spent.took for spent in page.times[1:]), page.middle
    database = "" if middle.database is None else f"{middle.database:.0f}"
    return [
        *(page.name, f"{page.times[0].took:.0f}", f"{later:.0f}"),
        *(f"{middle.cpu:.0f}", database, str(middle.statements)),
        *(f"{middle.work / plain:.1f}", f"{page.size / 1000:.0f}"),
    ]


def _verdict(seen: list[Seen]) -> str:
    """Which pages took longer than they may, any of the four times."""
    over = [page.name for page in seen if page.problem or page.slowest > LIMIT]
    if over:
        return f"Over {LIMIT:,} ms, or not there: {', '.join(over)}."
    slowest = max(seen, key=lambda page: page.slowest)
    return f"None took {LIMIT:,} ms; the slowest was {slowest.name}, {slowest.slowest:.0f} ms."


def _filled(turns: int) -> list[list[str]]:
    from benchmarks.seeded import fill
    from tests import factories

    people = [factories.user(f"labeller-{n}", is_staff=True).pk for n in (1, 2)]
    counts, took = _timed(lambda: fill(turns, DAYS, people))
    made = ", ".join(f"{n:,} {name.partition('_')[2]}s" for name, n in counts.items())
    return [[f"rows made: {made}", f"{took:.1f}"]]


def _counted() -> list[list[str]]:
    from admin_tracing.running.rollup import roll_up

    days, took = _timed(lambda: asyncio.run(roll_up()))
    _, again = _timed(lambda: asyncio.run(roll_up()))
    return [[f"{days} days counted", f"{took:.1f}"], ["looked at again", f"{again:.2f}"]]


def _settle() -> None:
    """As a serving process begins: pages are loaded by its checks, and what is loaded is left out
    of every later search for garbage."""
    from django.core.checks import run_checks

    run_checks()
    gc.collect()
    gc.freeze()


def _engineer() -> Any:
    from django.conf import settings
    from django.test import Client

    from tests.staff import person

    settings.ALLOWED_HOSTS = ["*"]
    client = Client()
    client.force_login(person("engineer"))
    return client


def _lists(client: Any, meter: Meter) -> list[Seen]:
    from django.urls import reverse

    address = reverse("workflow:turns")
    return [
        _seen(f"list: {name}", client, meter, f"{address}?{urlencode(query)}")
        for name, query in LISTS.items()
    ]


def _sections(client: Any, meter: Meter) -> list[Seen]:
    """The page, then each of its parts at the address that the page gives."""
    from django.urls import reverse

    address = reverse("workflow:quality")
    seen = [
        _seen(f"quality, {days} days", client, meter, f"{address}?days={days}")
        for days in (7, 30, 90)
    ]
    page = client.get(f"{address}?days={DAYS}").content.decode()
    for part in dict.fromkeys(PART.findall(page)):
        seen.append(_seen(f"quality: {part.split('/')[-2]}", client, meter, html.unescape(part)))
    gaps = reverse("workflow:gaps_file")
    return [*seen, _seen("quality: gaps as a file", client, meter, f"{gaps}?days={DAYS}")]


def _export(client: Any, meter: Meter) -> list[Seen]:
    """Until the first lines of the file; the rest follows as it is read."""
    from django.test import AsyncClient
    from django.urls import reverse

    address = reverse("workflow:export")

    async def first(form: str) -> int:
        asking = AsyncClient()
        asking.cookies = client.cookies
        response = await asking.get(f"{address}?form={form}")
        size = 0
        async for part in response.streaming_content:
            size += len(part)
            if size > HEAD:
                break
        await response.streaming_content.aclose()
        return size

    def seen(form: str) -> Seen:
        got = [meter.of(lambda: asyncio.run(first(form))) for _ in range(AGAIN + 1)]
        name = f"export: first lines, {form}"
        return Seen(name, tuple(spent for _, spent in got), got[-1][0])

    return [seen(form) for form in ("spreadsheet", "everything", "labels")]


def _seen(name: str, client: Any, meter: Meter, address: str) -> Seen:
    """A page of its own, or a part as the page fetches it."""
    headers = {"HX-Request": "true"} if "/quality/" in address.removesuffix("/") else {}
    times = []
    for _ in range(AGAIN + 1):
        response, spent = meter.of(lambda: client.get(address, headers=headers))
        if response.status_code != 200:
            return Seen(name, (), 0, f"status {response.status_code}")
        times.append(spent)
    return Seen(name, tuple(times), len(response.content))


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    started = time.perf_counter()
    value = work()
    return value, time.perf_counter() - started


if __name__ == "__main__":
    run(int(sys.argv[1]) if len(sys.argv) > 1 else TURNS)
