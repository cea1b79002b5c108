"""The graph of the product as it is drawn: it fits its pane, and its main way is a straight one."""

from __future__ import annotations

from itertools import pairwise

import pytest

from admin_tracing.layout import CHARACTER, PLATE_HEIGHT, columns, loops
from admin_tracing.replay import BANDS
from admin_tracing.topology import about, drawing, topology
from tests.unit.admin_tracing.test_layout import assert_inside, inner_points

PANE = 880  # px that the drawing may have at a width of 1280 before it is made too small to read
TALL = 440  # px of height, of which a screen of 800 has room for nearly all
BACK = {
    ("generate_clarification", "validate_topic"),
    ("optimize_query", "retrieve"),
    ("optimize_query", "agent"),
    ("confirm_action", "generate_response"),
    ("tool_execution", "generate_response"),
    ("check_grounding", "generate_response"),
    ("check_grounding", "optimize_query"),
    ("check_grounding", "plan_search"),
}
STRAIGHT = (
    ("screen_input", "detect_greeting", "enhance_query", "validate_topic"),
    ("validate_topic", "detect_ambiguity", "choose_path"),
    ("plan_search", "retrieve", "assess_relevance", "optimize_query"),
    ("generate_response", "check_grounding"),
    ("finish_answer", "final_gate"),
)


def test_the_loops_are_the_ways_back() -> None:
    assert {(edge.source, edge.target) for edge in loops(topology())} == BACK


@pytest.mark.parametrize("way", STRAIGHT)
def test_the_main_way_goes_straight_down(way: tuple[str, ...]) -> None:
    row = {plate.node: (plate.column, plate.row) for plate in drawing().plates}
    for above, below in pairwise(way):
        assert row[below] == (row[above][0], row[above][1] + 1)


def test_it_fits_the_pane_of_a_small_desk() -> None:
    assert drawing().width <= PANE
    assert drawing().height <= TALL


def test_every_name_fits_its_plate() -> None:
    for plate in drawing().plates:
        assert plate.width >= len(plate.node) * CHARACTER


def test_no_line_runs_over_a_plate() -> None:
    for wire in drawing().wires:
        for x, y in inner_points(wire.line):
            assert not any(
                plate.x < x < plate.right and plate.y < y < plate.y + PLATE_HEIGHT
                for plate in drawing().plates
            ), f"{wire.edge} at {x}, {y}"
    assert_inside(drawing())


def test_the_bands_have_all_nodes() -> None:
    stacks = columns(topology(), BANDS)
    assert sorted(node for stack in stacks for node in stack) == sorted(topology().nodes)
    assert len(topology().nodes) == 24


def test_every_node_says_in_a_line_what_it_does() -> None:
    for node, line in about().items():
        assert line, node
        assert line[-1] in ".?", f"{node}: {line}"
        assert line in {plate.about for plate in drawing().plates}
