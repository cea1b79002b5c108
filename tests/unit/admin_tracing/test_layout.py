"""The drawing: every node and edge once, in its band, with lines beside the plates."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from admin_tracing.layout import PLATE_HEIGHT, Edge, Topology, columns, depths, loops
from admin_tracing.replay import BANDS
from admin_tracing.wires import Drawing, draw
from tests.traces import BOUNDARIES

NODES = dict(BOUNDARIES)
PAIRS = (
    ("screen_input", "detect_greeting"),
    ("detect_greeting", "enhance_query"),
    ("enhance_query", "validate_topic"),
    ("validate_topic", "plan_search"),
    ("validate_topic", "final_gate"),
    ("plan_search", "retrieve"),
    ("retrieve", "assess_relevance"),
    ("assess_relevance", "generate_response"),
    ("assess_relevance", "optimize_query"),
    ("optimize_query", "retrieve"),
    ("generate_response", "finish_answer"),
    ("generate_response", "final_gate"),
    ("finish_answer", "final_gate"),
    ("final_gate", "deliver"),
)
GRAPH = Topology(NODES, tuple(Edge(*pair) for pair in PAIRS))


@st.composite
def topologies(draw_: st.DrawFn) -> Topology:
    names = draw_(st.lists(st.text("abc_", min_size=1, max_size=9), unique=True, max_size=9))
    nodes = {name: draw_(st.sampled_from(BANDS)) for name in names}
    pairs = st.tuples(st.sampled_from(names), st.sampled_from(names)) if names else st.nothing()
    edges = draw_(st.lists(pairs, unique=True, max_size=18)) if names else []
    return Topology(nodes, tuple(Edge(a, b) for a, b in edges if a != b))


def test_the_rewrite_is_the_one_loop():
    assert loops(GRAPH) == {Edge("optimize_query", "retrieve")}


def test_a_band_reads_down_in_the_order_in_which_nodes_are_reached():
    stacks = columns(GRAPH, BANDS)
    assert stacks[1] == ["plan_search", "retrieve", "assess_relevance", "optimize_query"]
    assert stacks[3] == ["finish_answer", "final_gate", "deliver"]


def test_what_follows_is_deeper():
    depth = depths(GRAPH)
    for edge in set(GRAPH.edges) - loops(GRAPH):
        assert depth[edge.target] > depth[edge.source]


def test_a_column_begins_beside_the_node_that_leads_to_it():
    row = {plate.node: plate.row for plate in draw(GRAPH, BANDS).plates}
    assert row["plan_search"] == 0  # four nodes in a drawing of four rows
    assert row["generate_response"] == row["assess_relevance"]


def test_the_drawing_is_the_same_for_the_same_graph():
    assert draw(GRAPH, BANDS) == draw(GRAPH, BANDS)


def test_no_line_of_the_graph_runs_over_a_plate():
    drawing = draw(GRAPH, BANDS)
    for wire in drawing.wires:
        for x, y in inner_points(wire.line):
            assert not any(
                p.x < x < p.right and p.y < y < p.y + PLATE_HEIGHT for p in drawing.plates
            ), f"{wire.edge} at {x}, {y}"


@given(topologies())
def test_every_node_and_every_edge_is_drawn_once_and_inside_the_frame(topology: Topology):
    drawing = draw(topology, BANDS)
    assert Counter(p.node for p in drawing.plates) == Counter(list(topology.nodes))
    assert Counter(wire.edge for wire in drawing.wires) == Counter(topology.edges)
    assert_inside(drawing)


@given(topologies())
def test_plates_never_overlap(topology: Topology):
    for one, other in combinations(draw(topology, BANDS).plates, 2):
        apart_x = one.right < other.x or other.right < one.x
        apart_y = abs(one.y - other.y) > PLATE_HEIGHT
        assert apart_x or apart_y


@given(topologies())
def test_a_graph_without_its_loops_has_no_cycle(topology: Topology):
    ahead = set(topology.edges) - loops(topology)
    left = set(topology.nodes)
    while left:
        free = {n for n in left if not any(e.target == n and e.source in left for e in ahead)}
        assert free
        left -= free


def inner_points(line: str) -> list[tuple[float, float]]:
    """The corners of a path, without its two ends, which stand on plates."""
    numbers = [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", line)]
    points = list(zip(numbers[::2], numbers[1::2], strict=True))
    return points[1:-1]


def assert_inside(drawing: Drawing) -> None:
    for plate in drawing.plates:
        assert 0 <= plate.x and plate.right <= drawing.width
        assert 0 <= plate.y and plate.bottom <= drawing.height
    for wire in drawing.wires:
        for x, y in inner_points(wire.line):
            assert 0 <= x <= drawing.width and 0 <= y <= drawing.height
