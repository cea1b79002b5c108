"""Whether work over a text grows with the length of the text, and not with a power of it.

Told by a ratio of CPU time of this thread, never by seconds: another process may take the processor
away, and how fast a machine is says nothing about a pattern. Speed itself is for `benchmarks/`.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

TIMES = 8  # so many times the text; its square is 64 times the work
ROOM = 3.0  # times TIMES; 24 stands as far from 8 as from 64
FLOOR_S = 0.02  # below it, a clock tells more about itself
TRIES = 4


def assert_linear(work: Callable[[str], object], text: str) -> None:
    """Fails where `work` on a text takes far more than eight times what its first eighth takes.

    A text that ends a try well ends the test; only one that never does is a failure.
    """
    small = text[: len(text) // TIMES]
    work(small[:200])  # what is made at the first use
    told: list[tuple[float, float]] = []
    for _ in range(TRIES):
        told.append((_cpu_seconds(work, small), _cpu_seconds(work, text)))
        part, whole = (min(seconds) for seconds in zip(*told, strict=True))
        if whole <= ROOM * TIMES * part + FLOOR_S:
            return
    raise AssertionError(f"CPU seconds for an eighth and for the whole of {text[:40]!r}…: {told}")


def _cpu_seconds(work: Callable[[str], object], text: str) -> float:
    was_on = gc.isenabled()
    gc.disable()
    try:
        started = time.thread_time()
        work(text)
        return time.thread_time() - started
    finally:
        if was_on:
            gc.enable()
