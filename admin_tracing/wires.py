"""The lines of the graph: right-angled, in lanes of their own, so that none runs over a plate.

Pure. Lines leave on the right and arrive on the left; a line within a band runs beside it,
and one that passes a band crosses in the room above its target's row. Lines to the same
target share their lane, as they become one way there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from admin_tracing.layout import (
    Edge,
    Plate,
    Span,
    Topology,
    columns,
    height,
    loops,
    place,
    rows,
    spans,
)
from admin_tracing.strokes import Point, head, length, line

LANE = 7  # px between two lanes
MARGIN = 11  # px between a plate and the first lane beside it
EDGE_MARGIN = 6  # px outside of the outermost lane
PORT = 5  # px that lines out stand below, and lines in above, a plate's middle
ABOVE = 8  # px from a plate's top up to the first crossing line
CROSS = 4  # px between crossing lines


@dataclass(frozen=True, slots=True)
class Wire:
    """One edge as SVG paths: the line, its head, and where a loop's number stands."""

    edge: Edge
    is_loop: bool
    line: str
    head: str
    label: Point


@dataclass(frozen=True, slots=True)
class Band:
    """A column's name and its extent in px."""

    name: str
    x: float
    width: float


@dataclass(frozen=True, slots=True)
class Drawing:
    """Everything that the page draws, in px from the upper left."""

    width: float
    height: float
    bands: tuple[Band, ...]
    plates: tuple[Plate, ...]
    wires: tuple[Wire, ...]


class _Spot(NamedTuple):
    """A node's place before there are any px."""

    column: int
    row: int


class _Lane(NamedTuple):
    """A way up and down in a gutter, shared by the lines to one side of one target."""

    gutter: int
    target: str
    is_loop: bool


class _Crossing(NamedTuple):
    """A way across bands, just above a row; `column` is where its lines are bound for."""

    row: int
    target: str


@dataclass(frozen=True, slots=True)
class _Route:
    """The lanes that an edge uses, in order; a straight one uses none."""

    edge: Edge
    is_loop: bool
    lanes: tuple[_Lane, ...]
    crossing: _Crossing | None = None


def draw(topology: Topology, bands: Sequence[str]) -> Drawing:
    """The drawing of a topology, the same for the same input."""
    stacks = columns(topology, bands)
    row = rows(topology, stacks)
    at = {n: _Spot(column, row[n]) for column, stack in enumerate(stacks) for n in stack}
    back = loops(topology)
    routes = [_route(at, edge, edge in back) for edge in topology.edges]
    lanes = _numbered([lane for route in routes for lane in route.lanes], at)
    gutters = [_gutter(lanes, index, len(stacks)) for index in range(len(stacks) + 1)]
    places = spans(stacks, gutters)
    plates = place(topology, row, dict(zip(bands, places, strict=True)))
    grid = _Grid({plate.node: plate for plate in plates}, places, lanes, _crossings(routes))
    return Drawing(
        width=places[-1].right + gutters[-1],
        height=height(stacks),
        bands=tuple(Band(name, *span) for name, span in zip(bands, places, strict=True)),
        plates=tuple(plates),
        wires=tuple(_wire(route, grid) for route in routes),
    )


def _route(at: Mapping[str, _Spot], edge: Edge, is_loop: bool) -> _Route:
    source, target = at[edge.source], at[edge.target]
    across = target.column - source.column
    down = target.row - source.row
    if not is_loop and (across, down) in ((0, 1), (1, 0)):
        return _Route(edge, is_loop, ())
    if across == 0:
        side = source.column if is_loop else source.column + 1
        return _Route(edge, is_loop, (_Lane(side, edge.target, is_loop),))
    out, into = (source.column + 1, target.column)
    if across < 0:
        out, into = (source.column, target.column + 1)
    last = _Lane(into, edge.target, across < 0)
    if out == into:
        return _Route(edge, is_loop, (last,))
    crossing = _Crossing(target.row, edge.target)
    return _Route(edge, is_loop, (_Lane(out, edge.target, across < 0), last), crossing)


def _numbered(lanes: Sequence[_Lane], at: Mapping[str, _Spot]) -> dict[_Lane, int]:
    """Each lane's place in its gutter, the farther target the farther out."""
    order = sorted(set(lanes), key=lambda lane: (lane.gutter, -at[lane.target].row, lane))
    numbers: dict[_Lane, int] = {}
    for lane in order:
        numbers[lane] = sum(other.gutter == lane.gutter for other in numbers)
    return numbers


def _gutter(lanes: Mapping[_Lane, int], index: int, count: int) -> float:
    used = sum(lane.gutter == index for lane in lanes)
    inner = MARGIN * 2 + max(used - 1, 0) * LANE
    outer = MARGIN + EDGE_MARGIN + max(used - 1, 0) * LANE if used else EDGE_MARGIN
    return float(outer if index in (0, count) else inner)


def _crossings(routes: Sequence[_Route]) -> dict[_Crossing, int]:
    found = sorted({route.crossing for route in routes if route.crossing})
    numbers: dict[_Crossing, int] = {}
    for crossing in found:
        numbers[crossing] = sum(other.row == crossing.row for other in numbers)
    return numbers


@dataclass(frozen=True, slots=True)
class _Grid:
    """Turns lanes and crossings into px."""

    plates: Mapping[str, Plate]
    columns: Sequence[Span]
    lanes: Mapping[_Lane, int]
    crossings: Mapping[_Crossing, int]

    def x(self, lane: _Lane) -> float:
        """Lanes count from the column at their left, in the first gutter from the one at right."""
        offset = MARGIN + self.lanes[lane] * LANE
        if lane.gutter == 0:
            return self.columns[0].x - offset
        return self.columns[lane.gutter - 1].right + offset

    def y(self, crossing: _Crossing) -> float:
        return self.plates[crossing.target].y - ABOVE - self.crossings[crossing] * CROSS


def _wire(route: _Route, grid: _Grid) -> Wire:
    points = _points(route, grid)
    end, before = points[-1], points[-2]
    longest = max(zip(points, points[1:], strict=False), key=length)
    label = Point(*(round((a + b) / 2, 1) for a, b in zip(*longest, strict=True)))
    return Wire(route.edge, route.is_loop, line(points), head(before, end), label)


def _points(route: _Route, grid: _Grid) -> list[Point]:
    source, target = grid.plates[route.edge.source], grid.plates[route.edge.target]
    if not route.lanes and source.column == target.column:
        x = min(source.down, target.down)
        return [Point(x, source.bottom), Point(x, target.y)]
    if not route.lanes:
        return [Point(source.right, source.middle), Point(target.x, target.middle)]
    xs = [grid.x(lane) for lane in route.lanes]
    start = Point(source.right if xs[0] > source.centre else source.x, source.middle + PORT)
    end = Point(target.right if xs[-1] > target.centre else target.x, target.middle - PORT)
    if route.crossing is None:
        return _tidy([start, Point(xs[0], start.y), Point(xs[0], end.y), end])
    y = grid.y(route.crossing)
    return _tidy(
        [start, Point(xs[0], start.y), Point(xs[0], y), Point(xs[1], y), Point(xs[1], end.y), end]
    )


def _tidy(points: Sequence[Point]) -> list[Point]:
    """Without points that stand where the one before them stands."""
    return [p for i, p in enumerate(points) if i == 0 or p != points[i - 1]]
