"""What a run of the lab adds up to: rows, the knee, and what the golden five have to give."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.contracts.verdicts import Termination
from chat.lab_table import (
    FIXED,
    BadVariant,
    Entry,
    Knee,
    Outcome,
    Point,
    Variant,
    checked,
    differences,
    ending,
    grouped,
    knee,
    percentile,
    row,
)

TURN = UUID("00000000-0000-4000-8000-000000000001")
ANSWERED, NOTHING = Termination.ANSWERED, Termination.NO_EVIDENCE


def points(*pairs: tuple[int, int]) -> list[Point]:
    """(gained, calls) at the bounds from 0 on."""
    return [Point(bound, gained, calls) for bound, (gained, calls) in enumerate(pairs)]


def entry(termination: Termination = ANSWERED, variant: int = 0, **fields: Any) -> Entry:
    own = {name: fields.pop(name) for name in ("right", "accepted", "wanted") if name in fields}
    told: dict[str, Any] = {"question": "q", "retrievals": 1, "calls": 4, "turn": TURN} | fields
    return Entry(variant, Outcome(termination=termination, **told), **own)


# ---- the knee


def test_the_knee_of_the_golden_table_is_at_two_and_the_third_rewrite_takes_three_calls():
    fixed = FIXED["evidence", True]
    found = knee(Point(b, values["answered"], values["calls"]) for b, values in fixed.items())
    assert found == Knee(bound=2, following=3, calls=3)


def test_without_the_topic_check_the_third_rewrite_takes_six_calls():
    fixed = FIXED["evidence", False]
    found = knee(Point(b, 5 - v["no_results"], v["calls"]) for b, v in fixed.items())
    assert found == Knee(2, 3, 6)


def test_with_the_budget_first_every_rewrite_still_answers_more_so_there_is_no_knee():
    fixed = FIXED["budget", True]
    assert knee(Point(b, v["answered"], v["calls"]) for b, v in fixed.items()) is None


def test_a_rise_after_a_rest_is_no_knee_at_the_rest():
    assert knee(points((1, 10), (1, 20), (3, 30), (3, 40))) == Knee(2, 3, 10)


def test_the_largest_bound_is_never_the_knee():
    assert knee(points((1, 10))) is None
    assert knee(points((1, 10), (2, 20))) is None
    assert knee([]) is None


def test_where_nothing_is_ever_answered_the_knee_is_at_the_smallest_bound():
    assert knee(points((0, 3), (0, 6), (0, 9))) == Knee(0, 1, 3)


def test_answers_that_are_lost_again_do_not_move_the_knee():
    assert knee(points((1, 10), (3, 20), (2, 25))) == Knee(1, 2, 5)


def test_bounds_may_come_in_any_order_and_with_gaps():
    assert knee([Point(3, 2, 40), Point(0, 1, 10), Point(2, 2, 30)]) == Knee(2, 3, 10)


TABLES = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 500)), min_size=1, max_size=8).map(
    lambda pairs: points(*pairs)
)


@given(TABLES)
def test_beyond_the_knee_nothing_gains_more_and_before_it_something_does(table: list[Point]):
    found = knee(table)
    by_bound = {point.bound: point for point in table}
    if found is None:
        assert all(table[-1].gained > point.gained for point in table[:-1])
        return
    at = by_bound[found.bound]
    assert all(point.gained <= at.gained for point in table if point.bound > at.bound)
    for earlier in (point for point in table if point.bound < at.bound):
        assert any(p.gained > earlier.gained for p in table if p.bound > earlier.bound)
    assert found.following == found.bound + 1
    assert found.calls == by_bound[found.following].calls - at.calls


@given(TABLES, st.randoms())
def test_the_knee_does_not_depend_on_the_order_of_the_rows(table: list[Point], random: Any):
    mixed = list(table)
    random.shuffle(mixed)
    assert knee(mixed) == knee(table)


@given(st.lists(st.integers(0, 20), min_size=2, max_size=8).map(sorted))
def test_where_bounds_only_gain_it_is_the_first_that_gains_what_the_last_does(gains: list[int]):
    found = knee(points(*((gained, 0) for gained in gains)))
    first = gains.index(gains[-1])
    assert (found.bound if found else len(gains) - 1) == first


# ---- rows


def test_a_row_counts_ends_and_adds_up_what_they_took():
    entries = [
        entry(ANSWERED, retrievals=2, calls=7, cost=0.001, ms=10.0, right=True),
        entry(Termination.ANSWERED_WITH_CAVEAT, ms=20.0, right=False),
        entry(NOTHING, ms=30.0),
        entry(Termination.NO_PROGRESS),
        entry(Termination.OFF_TOPIC, retrievals=0, calls=1),
        entry(Termination.RESTRICTED, retrievals=0, calls=0),
        entry(Termination.TIME_CAP, cost=0.002),
    ]
    found = row(Variant(2), entries, asked=8)
    assert (found.answered, found.no_results, found.off_topic, found.other) == (2, 2, 2, 1)
    assert (found.retrievals, found.calls) == (6, 24)
    assert found.cost == 0.003
    assert found.p95_ms == 30.0
    assert found.right == 1
    assert (found.done, found.asked, found.is_whole) == (7, 8, False)


def test_a_row_without_an_outcome_has_no_p95():
    found = row(Variant(0), [], asked=5)
    assert found.p95_ms is None
    assert not found.is_whole


@pytest.mark.parametrize("termination", list(Termination))
def test_every_termination_has_an_ending(termination: Termination):
    assert ending(termination) in ("answered", "no_results", "off_topic", "other")


def test_p95_is_the_value_that_95_of_100_are_not_above():
    assert percentile(range(1, 101), 95) == 95
    assert percentile([5.0], 95) == 5.0
    assert percentile([1.0, 9.0], 95) == 9.0
    assert percentile([], 95) is None


@given(st.lists(st.floats(0, 1e6), min_size=1), st.integers(1, 100))
def test_a_percentile_is_a_value_that_enough_are_not_above(values: list[float], share: int):
    found = percentile(values, share)
    assert found in values
    assert sum(value <= found for value in values) * 100 >= share * len(values)
    assert sum(value < found for value in values) * 100 < share * len(values)


# ---- groups


def rows_of(variants: list[Variant], answered: list[int], *, right: list[int] | None = None) -> Any:
    made = [row(variant, [entry()], asked=1) for variant in variants]
    counts = right or [0] * len(made)
    return [
        replace(one, answered=a, right=r) for one, a, r in zip(made, answered, counts, strict=True)
    ]


def test_rows_that_differ_in_their_bound_alone_are_one_group_by_bound():
    variants = [Variant(1), Variant(1, order="budget"), Variant(0), Variant(0, order="budget")]
    groups = grouped(rows_of(variants, [2, 1, 2, 0]), by_right=False)
    assert [[one.variant.bound for one in group.rows] for group in groups] == [[0, 1], [0, 1]]
    assert [group.variant.order for group in groups] == ["evidence", "budget"]
    assert [group.knee for group in groups] == [Knee(0, 1, 0), None]


def test_an_owners_set_has_its_knee_where_nothing_more_ends_as_it_should():
    variants = [Variant(bound) for bound in range(3)]
    rows = rows_of(variants, [1, 2, 3], right=[1, 2, 2])
    assert grouped(rows, by_right=True)[0].knee == Knee(1, 2, 0)
    assert grouped(rows, by_right=False)[0].knee is None


def test_a_knee_is_not_named_while_a_row_is_not_whole():
    rows = rows_of([Variant(0), Variant(1)], [1, 1])
    rows[1] = replace(rows[1], done=0)
    (group,) = grouped(rows, by_right=False)
    assert group.knee is None
    assert not group.is_whole


# ---- what is fixed


def golden_row(**fields: Any) -> Any:
    given = dict(answered=3, no_results=1, off_topic=1, retrievals=9, calls=31) | fields
    return replace(row(Variant(2), [entry()] * 5, asked=5), **given)


def test_a_row_as_fixed_differs_in_nothing():
    assert differences(golden_row()) == {}


def test_what_is_not_as_fixed_is_named_with_what_it_should_be():
    assert differences(golden_row(calls=30, answered=2)) == {"answered": (2, 3), "calls": (30, 31)}


def test_nothing_is_fixed_of_real_retrieval_of_larger_bounds_or_of_a_row_that_still_runs():
    assert differences(golden_row(variant=Variant(2, retrieval="hybrid"))) is None
    assert differences(golden_row(variant=Variant(4))) is None
    assert differences(golden_row(done=4)) is None
    assert differences(golden_row(variant=Variant(2, "budget", topic_check=False))) is None


# ---- settings


@pytest.mark.parametrize("bound", [-1, 4, 99])
def test_with_stand_ins_a_bound_without_a_rewrite_is_refused_in_words(bound: int):
    with pytest.raises(BadVariant, match="three rewrites written by hand"):
        checked(Variant(bound), stand_ins=True)


@pytest.mark.parametrize("bound", [-1, 7])
def test_real_rewrites_have_a_bound_as_well(bound: int):
    with pytest.raises(BadVariant, match="0 to 6"):
        checked(Variant(bound, retrieval="hybrid"), stand_ins=False)


@pytest.mark.parametrize(
    "variant", [Variant(1, order="first"), Variant(1, retrieval="exact"), Variant(1, order="")]
)
def test_what_the_lab_does_not_know_is_refused(variant: Variant):
    with pytest.raises(BadVariant):
        checked(variant, stand_ins=False)


def test_what_can_be_run_comes_back():
    assert checked(Variant(3), stand_ins=True) == Variant(3)
    assert checked(Variant(6, "budget", False, "vector"), stand_ins=False).bound == 6
