"""Reads the sample's files into values."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from chat.contracts.verdicts import Value

FOLDER = Path(__file__).parent
HANDBOOK = FOLDER / "handbook"


class Examples(Value):
    """What the assistant is for, and examples that a topic check learns from."""

    scope: str
    shown_questions: tuple[str, ...]
    can_ask: tuple[str, ...]
    on_topic: tuple[str, ...]
    off_topic: tuple[str, ...]

    @property
    def covers(self) -> str:
        """`pricing and billing, servers, and support`, for a sentence."""
        *most, last = self.can_ask
        return f"{', '.join(most)}, and {last}" if most else last


class Golden(Value):
    """One golden question with the labels of its stand-ins."""

    id: str
    question: str
    topic: str
    answer_chunks: tuple[str, ...]
    rewrites: tuple[str, ...]


@cache
def examples() -> Examples:
    return Examples.model_validate_json((FOLDER / "examples.json").read_text("utf-8"))


@cache
def golden_five() -> tuple[Golden, ...]:
    rows = json.loads((FOLDER / "golden.json").read_text("utf-8"))
    return tuple(Golden.model_validate(row) for row in rows)
