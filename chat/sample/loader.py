"""Reads the sample's files into values."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from chat.contracts.verdicts import Route, Value

FOLDER = Path(__file__).parent
HANDBOOK = FOLDER / "handbook"
DIRECTORY = FOLDER / "directory.csv"


class RouteExamples(Value):
    """Queries by the path that they need, tidy and ugly; a router learns from them."""

    direct: tuple[str, ...]
    single_shot: tuple[str, ...]
    iterative: tuple[str, ...]

    @property
    def labelled(self) -> tuple[tuple[str, Route], ...]:
        """Every query with its path."""
        lists = (self.direct, self.single_shot, self.iterative)
        paths = (Route.DIRECT, Route.SINGLE_SHOT, Route.ITERATIVE)
        return tuple(
            (query, path) for path, found in zip(paths, lists, strict=True) for query in found
        )


class Examples(Value):
    """What the assistant is for, and examples that a topic check and a router learn from."""

    scope: str
    shown_questions: tuple[str, ...]
    can_ask: tuple[str, ...]
    on_topic: tuple[str, ...]
    off_topic: tuple[str, ...]
    routes: RouteExamples

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
