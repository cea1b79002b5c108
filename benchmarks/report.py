"""How the benchmarks show their figures: Markdown tables, and a line that names the machine."""

from __future__ import annotations

import os
import platform
import statistics
from collections.abc import Sequence
from pathlib import Path


def machine() -> str:
    """The processor, its cores, the Python, and how busy the machine is right now."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    name, cores = models[0] if models else platform.machine(), len(os.sched_getaffinity(0))
    load = os.getloadavg()[0]
    return f"{cores} cores of {name}, Python {platform.python_version()}, load {load:.1f} at start"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table, padded so that it reads as well in a terminal. Figures stand right."""
    widths = [max(len(cell) for cell in column) for column in zip(head, *rows, strict=True)]
    rule = ["-" * (width - 1) + ":" for width in widths]
    lines = [head, rule, *rows]
    return "\n".join(
        "| " + " | ".join(c.rjust(w) for c, w in zip(row, widths, strict=True)) + " |"
        for row in lines
    )


def percentiles(values: Sequence[float], *wanted: int) -> list[float]:
    """The wanted percentiles (1 to 99). One value stands for all of them."""
    cuts = statistics.quantiles(values, n=100, method="inclusive") if len(values) > 1 else None
    return [cuts[each - 1] if cuts else values[0] for each in wanted]
