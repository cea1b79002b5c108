"""Where the nodes of the graph stand: four bands side by side, each a column of plates.

Pure. A band's nodes stand in the order in which a turn can reach them, so that the eye reads
down and to the right; only loops go back. `admin_tracing.wires` draws the lines between.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

PLATE_HEIGHT = 26
ROW = 51  # from one plate's top to the next: plate, its time, and room for lines to cross
TOP = 36  # above the first plate: the band's name, and room for lines
CHARACTER = 7.25  # px of one monospace character at 12 px
PADDING = 9  # px beside a plate's name
BOTTOM = 18  # px for the time under the last plate


class Edge(NamedTuple):
    """A move that the graph allows; `routed` if a router decides on it."""

    source: str
    target: str
    routed: bool = False


@dataclass(frozen=True, slots=True)
class Topology:
    """The compiled graph without its start and end: node to band, and the edges.

    The nodes stand in the order of reading; `about` has a line on what each of them does.
    """

    nodes: Mapping[str, str]
    edges: tuple[Edge, ...]
    about: Mapping[str, str] = field(default_factory=dict)


class Span(NamedTuple):
    """A column's extent from left to right, in px."""

    x: float
    width: float

    @property
    def right(self) -> float:
        return self.x + self.width


@dataclass(frozen=True, slots=True)
class Plate:
    """A node's place; `column` and `row` count from 0, the rest is in px."""

    node: str
    band: str
    column: int
    row: int
    x: float
    width: float
    y: float
    about: str = ""

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def centre(self) -> float:
        return self.x + self.width / 2

    @property
    def down(self) -> float:
        """Where lines between plates of a column run: right of the time under the plate."""
        return self.x + round(self.width * 0.7)

    @property
    def middle(self) -> float:
        return self.y + PLATE_HEIGHT / 2

    @property
    def bottom(self) -> float:
        return self.y + PLATE_HEIGHT

    @property
    def name_baseline(self) -> float:
        return self.middle + 4

    @property
    def time_baseline(self) -> float:
        return self.bottom + 12


def loops(topology: Topology) -> frozenset[Edge]:
    """The edges that go back, so that the rest has no cycle.

    The nodes' own order is the order of reading: an edge that could be a part of a cycle goes
    back where its target is named before its source.
    """
    order = {node: place for place, node in enumerate(topology.nodes)}
    ahead = _reached(topology)
    return frozenset(
        edge
        for edge in topology.edges
        if order[edge.target] <= order[edge.source] and edge.source in ahead[edge.target]
    )


def depths(topology: Topology) -> dict[str, int]:
    """The longest way to each node without its loops: what a node's row follows."""
    return _longest(topology.nodes, [(edge.source, edge.target) for edge in _ahead(topology)])


def heights(topology: Topology) -> dict[str, int]:
    """The longest way from each node to an end, without the loops."""
    return _longest(topology.nodes, [(edge.target, edge.source) for edge in _ahead(topology)])


def columns(topology: Topology, bands: Sequence[str]) -> list[list[str]]:
    """The nodes of each band from top to bottom, so that the main way is a straight one.

    Of two that are reached at once, the one from which the turn goes on farther stands first,
    and the one with fewer ways out nearer to what follows.
    """
    depth, left = depths(topology), heights(topology)
    ways = Counter(edge.source for edge in topology.edges)

    def place(node: str) -> tuple[int, int, int]:
        return depth[node], -left[node], -ways[node]

    return [
        sorted((n for n, at in topology.nodes.items() if at == band), key=place) for band in bands
    ]


def rows(topology: Topology, stacks: Sequence[Sequence[str]]) -> dict[str, int]:
    """The row of each node: a column begins about where its first node is reached from.

    No column reaches below the longest one.
    """
    deepest = max((len(stack) for stack in stacks), default=0)
    back = loops(topology)
    row: dict[str, int] = {}
    for stack in stacks:
        sources = [
            row[edge.source]
            for edge in topology.edges
            if stack and edge.target == stack[0] and edge.source in row and edge not in back
        ]
        wanted = round(sum(sources) / len(sources)) if sources else 0
        first = min(wanted, deepest - len(stack))
        row |= {node: first + index for index, node in enumerate(stack)}
    return row


def spans(stacks: Sequence[Sequence[str]], gutters: Sequence[float]) -> list[Span]:
    """Where the columns stand. `gutters` are the widths left of, between and right of them."""
    found: list[Span] = []
    x = gutters[0]
    for stack, gutter in zip(stacks, gutters[1:], strict=True):
        found.append(Span(x, column_width(stack)))
        x = found[-1].right + gutter
    return found


def place(topology: Topology, row: Mapping[str, int], columns: Mapping[str, Span]) -> list[Plate]:
    """A plate for each node. `columns` gives the span of each band, in order."""
    order = list(columns)
    return [
        Plate(
            *(node, band, order.index(band), row[node], *columns[band]),
            y=TOP + row[node] * ROW,
            about=topology.about.get(node, ""),
        )
        for node, band in topology.nodes.items()
    ]


def column_width(stack: Iterable[str]) -> float:
    """As wide as the longest name in it."""
    return round(max((len(node) for node in stack), default=8) * CHARACTER + 2 * PADDING)


def height(stacks: Sequence[Sequence[str]]) -> float:
    """The height of the drawing that holds the longest column."""
    deepest = max((len(stack) for stack in stacks), default=0)
    return TOP + max(deepest - 1, 0) * ROW + PLATE_HEIGHT + BOTTOM


def _ahead(topology: Topology) -> list[Edge]:
    back = loops(topology)
    return [edge for edge in topology.edges if edge not in back]


def _longest(nodes: Iterable[str], pairs: Sequence[tuple[str, str]]) -> dict[str, int]:
    """The longest way to each node along pairs that have no cycle."""
    depth = dict.fromkeys(nodes, 0)
    for _ in depth:
        lower = [(a, b) for a, b in pairs if depth[b] <= depth[a]]
        for a, b in lower:
            depth[b] = depth[a] + 1
        if not lower:
            break
    return depth


def _reached(topology: Topology) -> dict[str, set[str]]:
    """What can be reached from each node, itself included."""
    out: dict[str, list[str]] = {node: [] for node in topology.nodes}
    for edge in topology.edges:
        out[edge.source].append(edge.target)
    found = {}
    for node in topology.nodes:
        seen, waiting = {node}, [node]
        while waiting:
            fresh = [target for target in out[waiting.pop()] if target not in seen]
            seen.update(fresh)
            waiting += fresh
        found[node] = seen
    return found
