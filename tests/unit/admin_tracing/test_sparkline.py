"""The small line: days in a row are joined, a day alone is a dot, and marks stand on their day."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from admin_tracing.sparkline import HEIGHT, PAD, WIDTH, drawn

FLOOR, CEILING = HEIGHT - PAD, PAD


def test_zero_stands_on_the_ground_and_the_largest_at_the_top() -> None:
    line = drawn([0.0, 5.0])
    assert line.path == f"M{PAD} {FLOOR}L{WIDTH - PAD} {CEILING}"
    assert line.top == 5.0


def test_a_gap_breaks_the_line_and_a_day_alone_is_a_dot() -> None:
    line = drawn([1.0, 1.0, None, 1.0, None])
    assert line.path.count("M") == 1
    assert len(line.dots) == 1


def test_small_values_are_not_drawn_as_if_they_were_all() -> None:
    line = drawn([0.01, 0.01], least_top=0.1)
    assert line.top == 0.1
    assert f" {FLOOR - 4.8:g}" in line.path


def test_marks_stand_where_their_days_do_and_once_each() -> None:
    line = drawn([1.0] * 11, marks=[5, 0, 5])
    assert line.marks == (PAD, WIDTH / 2)


def test_nothing_and_nought_are_drawn_without_a_fault() -> None:
    assert drawn([]).is_empty and drawn([None, None]).is_empty
    assert not drawn([0.0, 0.0]).is_empty
    assert not drawn([3.0]).is_empty


@given(st.lists(st.one_of(st.none(), st.floats(0, 1e9)), max_size=90))
def test_every_point_stays_inside(values: list[float | None]) -> None:
    line = drawn(values)
    points = [(float(x), float(y)) for x, y in re.findall(r"[ML]([-\d.]+) ([-\d.]+)", line.path)]
    for x, y in [*points, *line.dots]:
        assert PAD <= x <= WIDTH - PAD
        assert CEILING <= y <= FLOOR
