"""What `manage.py evaluate` shows of a set: measures, each beside what it is held against."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from chat.evaluation.figures import Figure


@dataclass(frozen=True)
class Measure:
    """A figure: what it is, where it stands in a result, and what it is held against.

    A `Figure` brings its interval and its own number of rows; a bare number has those of its set.
    """

    what: str
    read: Callable[[dict[str, Any]], float | Figure]
    reference: str = ""


@dataclass(frozen=True)
class DataSet:
    """A set's evaluation and the measures that are shown of it.

    A `judged` set takes the bench on which the judge of this site is measured, and its folder.
    """

    run: Callable[..., dict[str, Any]]
    measures: tuple[Measure, ...]
    judged: bool = False


def of(*keys: str) -> Callable[[dict[str, Any]], Figure]:
    """The figure that stands under these keys."""

    def read(found: Any) -> Figure:
        for key in keys:
            found = found[key]
        figure: Figure = found
        return figure

    return read
