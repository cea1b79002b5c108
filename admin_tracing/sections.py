"""What the quality page is made of: figures of its first screen, and sections below. Pure.

A room that has figures gives `sections(days) -> list[Section]` and `headlines(days) ->
list[Headline]`; the page arranges them and knows nothing of what they say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from admin_tracing.days import Days
from admin_tracing.sparkline import Line, drawn

HEADLINES = (
    "routing",
    "groundedness",
    "false_rejections",
    "no_results",
    "second_pass",
    "p95",
    "cost",
    "controls",
)
"""The figures of the first screen, in their order."""


@dataclass(frozen=True, slots=True)
class Headline:
    """One figure of the first screen.

    `text` is the number with its unit; where there are too few it is empty and `few` says so.
    `low`, `at` and `high` place the interval and the value on a bar, each 0 to 1; None without
    one. `interval` says the same in words. `trend` has a value a day, None where there is none.
    `query` chooses its turns in the list, `section` is the part of the page that says more.
    """

    name: str
    title: str
    about: str
    text: str
    n: str = ""
    few: str = ""
    low: float | None = None
    at: float | None = None
    high: float | None = None
    interval: str = ""
    trend: Sequence[float | None] = ()
    query: str = ""
    section: str = ""
    signal: str = ""

    @property
    def line(self) -> Line:
        return drawn(self.trend)


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the page with an address of its own, `quality/<name>/`.

    `context` reads what its template shows, for days and a version set (None: all of them);
    it is asked for after the first screen. `rows` is about how tall it will be, in lines, so that
    its place is kept. One that does not know versions is of all of them, and the page says so.
    """

    name: str
    title: str
    about: str
    template: str
    context: Callable[[Days, int | None], Mapping[str, Any]]
    rows: int = 12
    knows_versions: bool = False
