"""A small line of daily values as SVG, with marks where versions changed. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 320, 56  # units of the drawing
PAD = 4


@dataclass(frozen=True, slots=True)
class Line:
    """`path` joins days in a row that have a value; `dots` are days between two without one."""

    path: str
    dots: tuple[tuple[float, float], ...]
    marks: tuple[float, ...]
    top: float

    width = WIDTH
    height = HEIGHT

    @property
    def is_empty(self) -> bool:
        return not self.path and not self.dots


def drawn(values: Sequence[float | None], marks: Sequence[int] = (), least_top: float = 0) -> Line:
    """Values by day, None for a day without one; `marks` are places among them.

    The line stands on 0; its top is the largest value, or `least_top` where that is more.
    """
    top = max([least_top, *(value for value in values if value is not None)]) or 1.0
    parts, dots = [], []
    for run in _runs(values):
        points = [(_x(place, len(values)), _y(value, top)) for place, value in run]
        if len(points) == 1:
            dots.append(points[0])
        else:
            parts.append("M" + "L".join(f"{x:g} {y:g}" for x, y in points))
    at = tuple(_x(place, len(values)) for place in sorted(set(marks)))
    return Line("".join(parts), tuple(dots), at, top)


def _runs(values: Sequence[float | None]) -> list[list[tuple[int, float]]]:
    runs: list[list[tuple[int, float]]] = [[]]
    for place, value in enumerate(values):
        if value is None:
            runs.append([])
        else:
            runs[-1].append((place, value))
    return [run for run in runs if run]


def _x(place: int, count: int) -> float:
    return round(PAD + place * (WIDTH - 2 * PAD) / max(count - 1, 1), 1)


def _y(value: float, top: float) -> float:
    return round(HEIGHT - PAD - value / top * (HEIGHT - 2 * PAD), 1)
