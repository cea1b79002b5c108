"""An engineer's account and turns by hand on the running site, for the replay's tests.

Run as a program it writes them to the site's database and prints what it wrote as JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.site import ROOT, Site

ENGINEER = "engineer"


@dataclass(frozen=True, slots=True)
class Rows:
    """Turns on the site: one refund question told by hand, and one of five thousand events.

    `told` has the stories of `tests.told` by their names, `waits` is one that asked back.
    """

    refund: str
    long: str
    told: dict[str, str]
    places: dict[str, dict[str, int]]  # story to the number of its first event of each type
    waits: str


@cache
def written(site: Site) -> Rows:
    """Writes the rows once a site, from a process that attaches to the site's database."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.browser.replay_rows"],
        cwd=ROOT,
        env={**os.environ, "ENV_FILE": "", "VAR_DIR": str(site.gate.parent / "var")}
        | {"DJANGO_SETTINGS_MODULE": "config.settings", "DATABASE_URL": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    return Rows(**json.loads(done.stdout.splitlines()[-1]))


def opened(page: Page) -> Page:
    """The same page once the replay shows a step."""
    expect(page.locator("#replay[data-ready]")).to_be_attached()
    return page


def gone_to(page: Page, seq: int) -> None:
    """The page stands at an event's number."""
    page.evaluate("seq => { location.hash = `#seq=${seq}` }", seq)


def stands_at(page: Page, words: str) -> None:
    """The line under the timeline says where one stands."""
    expect(page.locator("#standing")).to_contain_text(words)


def _write() -> dict[str, Any]:
    from tests import stored
    from tests.staff import person
    from tests.told import STORIES
    from tests.traces import long_turn

    person(ENGINEER)
    refund, long = stored.finished_turn(), stored.running_turn(long_turn(5_000), status="finished")
    stories = {name: asyncio.run(_events(name)) for name in STORIES}
    told = {name: stored.finished_turn(events) for name, events in stories.items()}
    asked = stored.running_turn(
        _until_it_asks(asyncio.run(_events("a question back"))), status="waiting"
    )
    return {
        "waits": str(asked.pk),
        "refund": str(refund.pk),
        "long": str(long.pk),
        "told": {name: str(turn.pk) for name, turn in told.items()},
        "places": {name: _places(events) for name, events in stories.items()},
    }


async def _events(name: str) -> list[Any]:
    from tests.told import STORIES

    return list(await STORIES[name]())


def _places(events: list[Any]) -> dict[str, int]:
    return {event.body.TYPE: event.seq for event in reversed(events)}


def _until_it_asks(events: list[Any]) -> list[Any]:
    asked = next(e.seq for e in events if e.body.TYPE == "clarification")
    return events[:asked]


def _main() -> None:
    import django

    django.setup()
    from django.conf import settings

    from config import embedded

    with embedded.start(settings.EMBEDDED):
        sys.stdout.write(json.dumps(_write()) + "\n")


if __name__ == "__main__":
    _main()
