"""Tables and texts of the generated pages."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any


def text_of(described: Any) -> str:
    """A docstring as one line."""
    return " ".join((inspect.getdoc(described) or "").split())


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table in Markdown."""
    lines = [list(head)]
    lines += [["---"] * len(lines[0])]
    lines += [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
