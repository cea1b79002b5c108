"""Patterns mean the same on every Python that the site runs on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from config.variables import BASE_DIR

# Python 3.11.0 to 3.11.4 match a repeated group wrongly when it gives nothing back, and Debian 12
# comes with one of them: numbers were then not redacted.
POSSESSIVE_GROUP = re.compile(r"\)[*+?]\+|\)\{\d*,?\d*\}\+|\(\?>")

MODULES = sorted(
    path for room in ("chat", "admin_tracing", "config") for path in (BASE_DIR / room).rglob("*.py")
)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(BASE_DIR)))
def test_no_repeated_group_gives_nothing_back(path: Path) -> None:
    text = path.read_text("utf-8")
    assert not POSSESSIVE_GROUP.search(text)
