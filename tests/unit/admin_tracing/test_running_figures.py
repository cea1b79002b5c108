"""Figures of running from kept rows: times, costs, ends, controls, passes and the break-even."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from admin_tracing.break_even import TopicFigures
from admin_tracing.days import Days
from admin_tracing.running import costs, ends, passes, times, topic
from admin_tracing.running.window import Amount, Read, Window, gathered
from admin_tracing.stats.buckets import as_json, counted

FIRST = date(2026, 11, 20)
SPAN = Days(FIRST, 3)


Line = tuple[str, str, int, float, Mapping[str, int]]


def seen(*rows: Line, day: date | None = FIRST) -> Window:
    return gathered(SPAN, [(day, *row) for row in rows])


def amount(n: int, total: float = 0.0, **of: int) -> Amount:
    found = Amount()
    found.add(n, total, of)
    return found


def took(*ms: float) -> Amount:
    return amount(len(ms), sum(ms), **as_json(counted(ms)))


# ---- adding up


def test_days_are_added_up_and_kept_apart():
    rows: list[Read] = [
        (FIRST, "end", "answered", 3, 0, {}),
        (FIRST + timedelta(days=1), "end", "answered", 2, 0, {}),
        (FIRST, "cost", "grade", 4, 0.5, {"unknown": 1}),
        (None, "cost", "grade", 2, 0.25, {"unknown": 2}),
    ]
    found = gathered(SPAN, rows)
    assert found.of("end")["answered"].n == found.turns == 5
    assert found.on(FIRST, "end")["answered"].n == 3
    assert (found.of("cost")["grade"].total, found.of("cost")["grade"].of["unknown"]) == (0.75, 3)
    assert found.of("nothing") == found.on(FIRST, "loop") == {}


# ---- times


def test_percentiles_are_within_a_fortieth_and_the_slowest_is_marked():
    lines = times.times({"fast": took(*[10.0] * 100), "slow": took(*range(1, 101))})
    assert [(line.key, line.is_slowest) for line in lines] == [("slow", True), ("fast", False)]
    p50, p95, p99 = lines[0].values
    assert p50 == pytest.approx(50, rel=0.025)
    assert p95 == pytest.approx(95, rel=0.025)
    assert p99 == pytest.approx(99, rel=0.025)


@pytest.mark.parametrize(
    ("n", "told"), [(9, (False,) * 3), (10, (True, False, False)), (20, (True, True, False))]
)
def test_a_percentile_that_too_few_turns_reach_is_not_said(n: int, told: tuple[bool, ...]):
    (line,) = times.times({"node": took(*[5.0] * n)})
    assert tuple(value is not None for value in line.values) == told
    assert bool(line.too_few) == (n < 10)


def test_a_single_line_is_not_called_the_slowest():
    (line,) = times.times({"only": took(*[5.0] * 100)})
    assert not line.is_slowest


# ---- costs


def test_purposes_stand_by_their_cost_with_share_and_calls_a_turn():
    found = seen(
        ("end", "answered", 10, 0, {}),
        ("cost", "grade", 30, 0.03, {"unknown": 0}),
        ("cost", "answer", 10, 0.01, {"unknown": 0}),
    )
    grade, answer = costs.purposes(found)
    assert (grade.name, grade.share, grade.a_turn, grade.calls_a_turn) == ("grade", 0.75, 0.003, 3)
    assert answer.share == 0.25


def test_without_any_price_the_cost_is_unknown_and_not_nothing():
    found = seen(("end", "answered", 1, 0, {}), ("cost", "grade", 3, 0.0, {"unknown": 3}))
    (grade,) = costs.purposes(found)
    assert grade.is_unknown
    assert grade.share is None


def test_calls_that_cost_nothing_by_their_price_are_known():
    found = seen(("end", "answered", 1, 0, {}), ("cost", "grade", 3, 0.0, {"unknown": 0}))
    assert not costs.purposes(found)[0].is_unknown


def test_classes_of_tokens_add_up_to_all():
    found = costs.tokens({"input": amount(3, 90), "output": amount(3, 10)})
    assert [(line.name, line.tokens, line.share) for line in found] == [
        ("input", 90, 0.9),
        ("output", 10, 0.1),
    ]


def test_loops_stand_by_what_they_cost_in_all_against_shallow_ones():
    found = costs.loops(
        seen(
            ("turn", "", 100, 1.0, {}),
            ("loop", "a#1", 10, 0.2, {"passes": 25}),
            ("loop", "b#1", 5, 0.3, {"passes": 10}),
            ("flat", "a#1", 20, 0.1, {"passes": 20}),
        ),
        {"a#1": "A"},
    )
    b, a = found.top
    assert (b.section, b.share, b.times) == ("b#1", 0.3, None)
    assert (a.title, a.passes, a.share) == ("A", 2.5, 0.2)
    assert a.times == pytest.approx(4.0)
    assert found.share == pytest.approx(0.5)


def test_turns_that_found_nothing_at_first_are_a_group_with_a_name_for_the_list():
    (group,) = costs.loops(seen(("loop", "", 3, 0.1, {"passes": 6}))).top
    assert (group.section, group.named) == ("", "nothing")


def test_of_one_deep_turn_no_mean_is_said():
    found = costs.loops(seen(("loop", "a", 1, 0.2, {"passes": 2}), ("turn", "", 1, 0.2, {})))
    assert found.too_few == "n = 1, too few to say"
    assert found.shallow_too_few == "n = 0, too few to say"
    assert found.share == 1.0


def test_a_group_of_few_says_so():
    found = costs.loops(seen(("loop", "a", 4, 0.2, {"passes": 8}), ("flat", "a", 50, 0.1, {})))
    assert found.top[0].too_few == "n = 4, too few to say"
    assert found.top[0].times is None


def test_only_the_dearest_groups_are_shown_and_the_others_counted():
    rows = [("loop", f"s{n:02}", 1, float(n), {"passes": 2}) for n in range(25)]
    found = costs.loops(seen(*rows))
    assert (len(found.top), found.others) == (20, 5)
    assert found.top[0].section == "s24"


# ---- ends and controls


def test_ends_have_a_share_with_its_interval_and_their_days():
    found = gathered(
        SPAN,
        [
            (FIRST, "end", "answered", 15, 0, {}),
            (FIRST, "end", "no_evidence", 5, 0, {}),
            (FIRST + timedelta(days=2), "end", "answered", 4, 0, {}),
        ],
    )
    answered, nothing = ends.ends(found)
    assert (answered.name, answered.n, answered.of.n) == ("answered", 19, 24)
    assert answered.by_day == (15, 0, 4)
    assert answered.values == (0.75, None, None)  # four turns are too few for a point
    assert nothing.of.low < nothing.of.value < nothing.of.high


def test_nothing_found_is_a_share_of_the_turns_that_searched():
    found, days = ends.nothing_found(
        seen(
            ("end", "answered", 46, 6, {}),  # forty of them without a search
            ("end", "no_evidence", 3, 3, {}),
            ("end", "no_progress", 1, 1, {}),
            ("end", "off_topic", 50, 0, {}),
            ("end", "user_stop", 50, 0, {}),
        )
    )
    assert (found.value, found.n) == (0.4, 10)
    assert days == (0.4, None, None)


def test_what_found_nothing_is_never_more_than_what_searched():
    found, _ = ends.nothing_found(seen(("end", "no_evidence", 12, 0, {})))
    assert (found.value, found.n) == (1.0, 12)


# Of a hundred turns. In one the check of scope failed open and, asked again, closed; another one
# passed once and failed open once. The gate ran in all of them.
CONTROLS: tuple[Line, ...] = (
    ("control", "scope passed", 91, 91.0, {}),
    ("control", "scope acted", 5, 5.0, {}),
    ("control", "scope failed_open", 3, 3.0, {}),
    ("control", "scope failed_closed", 2, 2.0, {}),
    ("control", "scope missing", 1, 1.0, {}),
    ("control", "scope skipped", 40, 40.0, {}),
    ("control", "scope due", 100, 102.0, {}),
    ("control", "scope missed", 5, 6.0, {}),
    ("control", "final_gate passed", 100, 100.0, {}),
    ("control", "final_gate due", 100, 100.0, {}),
    ("controls", "due", 100, 202.0, {}),
    ("controls", "missed", 5, 6.0, {}),
)


def test_a_control_that_did_not_run_failed_or_was_silent_and_off_is_neither():
    scope, gate = ends.controls(seen(*CONTROLS))
    assert (scope.open, scope.closed, scope.silent, scope.skipped) == (3, 2, 1, 40)
    assert (scope.missed, scope.due, scope.of.value) == (5, 100, 0.05)
    assert scope.values[0] == 0.05
    assert (gate.missed, gate.due) == (0, 100)


def test_all_controls_together_are_a_share_of_turns_beside_their_decisions():
    found, days = ends.all_controls(seen(*CONTROLS))
    assert (found.value, found.n) == (0.05, 100)
    assert days == (0.05, None, None)
    assert ends.decisions(seen(*CONTROLS)) == (6, 202)
    assert ends.decisions(seen()) == (0, 0)


# ---- further passes

PASSES: tuple[Line, ...] = (
    ("pass", "2 evidence", 40, 20.0, {}),
    ("pass", "2 coverage", 40, 16.0, {}),
    ("pass", "2 cited", 40, 12.0, {}),
    ("pass", "2 rescued", 40, 10.0, {}),
    ("pass", "2 calls", 120, 0.06, {"unknown": 0}),
    ("pass", "3 rescued", 10, 0.0, {}),
    ("pass", "3 calls", 30, 0.02, {"unknown": 0}),
)


def test_passes_say_what_each_number_brought():
    second, third = passes.passes(seen(*PASSES).of("pass"))
    assert [round(of.value, 2) for of in second.brought] == [0.5, 0.4, 0.3, 0.25]
    assert (second.n, second.calls_each, second.cost) == (40, 3, 0.06)
    assert (third.number, third.n, third.brought[3].value) == (3, 10, 0.0)


def test_a_rescued_answer_bears_what_all_further_passes_took():
    found = passes.rescue(seen(*PASSES))
    # Forty turns took a second pass, and ten of them a third one: forty cases, not fifty.
    assert (found.rescued, found.of.value, found.of.n) == (10, 0.25, 40)
    assert found.calls == 15
    assert found.cost == pytest.approx(0.008)
    assert found.values == (0.25, None, None)


def test_what_one_takes_is_not_said_of_few():
    few = seen(("pass", "2 rescued", 90, 9.0, {}), ("pass", "2 calls", 6, 0.1, {}))
    assert passes.rescue(few).too_few == "n = 9, too few to say"
    assert passes.rescue(seen(*PASSES)).too_few == ""


def test_without_a_rescue_there_is_no_price_for_one():
    found = passes.rescue(seen(("pass", "2 rescued", 3, 0.0, {}), ("pass", "2 calls", 6, 0.1, {})))
    assert (found.calls, found.cost) == (None, None)
    assert found.of.too_few == "n = 3, too few to say"


def test_an_unknown_price_is_not_a_price_of_nothing():
    found = seen(("pass", "2 rescued", 30, 9.0, {}), ("pass", "2 calls", 60, 0.0, {"unknown": 60}))
    assert passes.rescue(found).is_unknown


@given(st.integers(0, 500), st.integers(0, 500))
def test_a_share_of_rescues_never_leaves_its_interval(hits: int, others: int):
    found = passes.rescue(seen(("pass", "2 rescued", hits + others, float(hits), {}))).of
    assert 0 <= found.low <= found.value <= found.high <= 1


# ---- the topic check


def topics(asked: int = 100, off_topic: int = 20, cost: str | None = "0.010") -> TopicFigures:
    known = Decimal(cost) if cost else None
    return TopicFigures(asked=asked, off_topic=off_topic, loops=5, calls=9.0, cost=known)


def test_in_money_it_pays_above_the_check_over_the_loop():
    found = topic.break_even(topics(), {"topic": amount(100, 0.1), "grade": amount(900, 5.0)})
    assert found.check == 0.001
    assert found.loop == pytest.approx(0.009)
    assert found.in_money == pytest.approx(1 / 9)
    assert found.pays_in_money
    assert found.saved == pytest.approx(20 * 0.009 - 100 * 0.001)


def test_calls_without_a_price_do_not_make_the_check_cheaper():
    found = topic.break_even(topics(), {"classify_topic": amount(200, 0.1, unknown=100)})
    assert found.check == 0.001


def test_without_a_price_nobody_can_say_in_money():
    for priced in ({}, {"topic": amount(5, 0.0, unknown=5)}):
        found = topic.break_even(topics(), priced)
        assert (found.in_money, found.saved, found.pays_in_money) == (None, None, False)


def test_a_loop_that_costs_no_more_than_the_check_never_pays():
    found = topic.break_even(topics(cost="0.001"), {"topic": amount(100, 0.1)})
    assert found.in_money == 1.0
    assert not found.pays_in_money


def test_of_few_questions_nothing_is_said():
    assert topic.break_even(topics(asked=29), {"topic": amount(29, 0.1)}).in_money is None
