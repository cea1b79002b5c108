"""Strokes of right-angled lines as SVG path data: round corners and arrow heads. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

BEND = 5  # px, radius of a corner
HEAD = 5  # px, length of an arrow's head


class Point(NamedTuple):
    x: float
    y: float


def length(pair: tuple[Point, Point]) -> float:
    return abs(pair[0].x - pair[1].x) + abs(pair[0].y - pair[1].y)


def line(points: Sequence[Point]) -> str:
    """A path through the points with round corners."""
    parts = [f"M{_at(points[0])}"]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        radius = min(BEND, length((before, corner)) / 2, length((corner, after)) / 2)
        into, out = _towards(corner, before, radius), _towards(corner, after, radius)
        parts.append(f"L{_at(into)}Q{_at(corner)} {_at(out)}")
    return "".join([*parts, f"L{_at(points[-1])}"])


def head(before: Point, end: Point) -> str:
    """A small open arrow that ends at `end`."""
    back = _towards(end, before, HEAD)
    across = Point(0, HEAD * 0.6) if back.y == end.y else Point(HEAD * 0.6, 0)
    one = Point(back.x + across.x, back.y + across.y)
    two = Point(back.x - across.x, back.y - across.y)
    return f"M{_at(one)}L{_at(end)}L{_at(two)}"


def _towards(start: Point, goal: Point, by: float) -> Point:
    way = length((start, goal)) or 1.0
    return Point(start.x + (goal.x - start.x) / way * by, start.y + (goal.y - start.y) / way * by)


def _at(point: Point) -> str:
    return f"{round(point.x, 1):g} {round(point.y, 1):g}"
