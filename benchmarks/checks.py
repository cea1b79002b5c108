"""What code alone takes for one text: the checks that every question or file goes through.

`python -m benchmarks.checks`, some ten seconds. Each is given its worst of a handful of long texts.
That the time grows with the length alone is held by tests.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from benchmarks.report import machine, percentiles, table

TIMES = 21
LONG = 4_000  # characters, as long as a question may be
PROSE = "Open the page and choose a plan. You can ignore the notice if it is not yours.\n"


class Check(NamedTuple):
    """What is timed, on which texts, and the milliseconds that it may take at p50."""

    name: str
    work: Callable[[str], object]
    texts: tuple[str, ...]
    allowed: float


def run() -> None:
    """Measure and print."""
    rows = []
    for check in _checks():
        p50, p95 = max(_percentiles(check.work, text) for text in check.texts)
        longest = max(map(len, check.texts))
        rows.append([check.name, f"{longest:,}", f"{p50:.2f}", f"{p95:.2f}", f"{check.allowed:g}"])
    print("\n## Checks of one text, without model\n")
    print(table(("check", "characters", "p50 ms", "p95", "allowed"), rows), flush=True)


def _checks() -> Iterator[Check]:
    from chat.guardrails.input import greeting, redact
    from chat.guardrails.questions.parts import parts
    from chat.guardrails.screening.crisis import crisis, distressed
    from chat.guardrails.screening.injection import neutralise

    said = tuple((piece * LONG)[:LONG] for piece in ("how are you doing ", "kill ", PROSE))
    asked = tuple(opening + piece * 60 for opening, piece in (("compare ", "A, "), ("", "x and ")))
    greetings = tuple((piece * 100)[:99] + "h" for piece in ("hi ", "hi all ", "thanks again "))
    yield Check("greeting", greeting, greetings, 1)
    yield Check("crisis", crisis, said, 50)
    yield Check("distress", distressed, said, 50)
    yield Check("parts of a question", parts, asked, 300)
    yield Check("redaction", redact, said, 50)
    yield Check("injection, a long document", neutralise, ((PROSE * 5_000)[:400_000],), 2_000)


def _percentiles(work: Callable[[str], object], text: str) -> tuple[float, float]:
    """Milliseconds at p50 and p95, after one that warms up."""
    work(text)
    times = []
    for _ in range(TIMES):
        started = time.perf_counter()
        work(text)
        times.append((time.perf_counter() - started) * 1_000)
    p50, p95 = percentiles(times, 50, 95)
    return p50, p95


if __name__ == "__main__":
    print(f"Checks on {machine()}", flush=True)
    run()
