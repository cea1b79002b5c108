"""What the page reads of running: kept days, today at once, gaps, what people prefer, filters."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from admin_tracing import slower
from admin_tracing.days import Days
from admin_tracing.models import DayFigure, GroundednessLabel, Sample
from admin_tracing.queries import chosen
from admin_tracing.running import reading, rollup
from admin_tracing.running.headlines import headlines
from admin_tracing.running.lacking import lacks, titles
from admin_tracing.running.preferred import preferred
from chat import removal
from chat.models import Feedback, Turn
from tests import factories, running_by_hand, stored
from tests.running_by_hand import E, T

pytestmark = pytest.mark.django_db

NOW = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
TODAY = NOW.date()
WEEK = Days(TODAY - timedelta(days=6), 7)


def noon(days_ago: int) -> datetime:
    return NOW - timedelta(days=days_ago) + timedelta(hours=12)


# ---- kept and live


def test_few_turns_that_nobody_counted_are_counted_while_the_page_waits():
    running_by_hand.one("plain", noon(1))
    seen = reading.window(WEEK, "end")
    assert (seen.turns, seen.uncounted) == (1, ())
    assert not DayFigure.objects.exists()


def test_counted_and_fresh_turns_of_a_day_are_not_counted_twice():
    running_by_hand.one("plain", noon(0))
    rollup.count_day(TODAY)
    running_by_hand.one("plain", noon(0) + timedelta(hours=1))
    seen = reading.window(WEEK, "end", "cost")
    assert seen.turns == 2
    assert seen.of("cost")["grade"].n == 2


def test_many_turns_that_nobody_counted_are_named_and_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(reading, "LIVE", 1)
    running_by_hand.one("plain", noon(3))
    rollup.count_day(noon(3).date())
    for hour in (0, 1):
        running_by_hand.one("plain", noon(1) + timedelta(hours=hour))
    seen = reading.window(WEEK, "end")
    assert seen.turns == 1
    assert seen.uncounted == (noon(1).date(),)


def test_kept_and_live_figures_are_the_same():
    running_by_hand.store(noon(2))
    kinds = (
        *("end", "cost", "tokens", "turn", "loop", "flat", "pass"),
        *("control", "controls", "route", "node", "took"),
    )
    live = reading.window(WEEK, *kinds)
    rollup.count_day(noon(2).date())
    kept = reading.window(WEEK, *kinds)
    for kind in kinds:
        found, other = kept.of(kind), live.of(kind)
        assert found.keys() == other.keys()
        for key, amount in found.items():
            assert amount.n == other[key].n
            assert amount.total == pytest.approx(other[key].total)
            assert +amount.of == +other[key].of


def test_the_first_screen_names_the_days_that_are_not_in_it(monkeypatch: pytest.MonkeyPatch):
    running_by_hand.store(noon(1))
    monkeypatch.setattr(reading, "LIVE", 0)
    day = noon(1).date()
    said = f"n = 0, too few to say, {day.day} {day:%b} not counted yet"
    assert {one.few for one in headlines(WEEK)} == {said}


def test_a_window_is_read_in_few_queries(django_assert_max_num_queries: Any):
    for days_ago in range(1, 6):
        running_by_hand.one("plain", noon(days_ago))
        rollup.count_day(noon(days_ago).date())
    with django_assert_max_num_queries(3):
        assert reading.window(WEEK, "end", "route", "pass").turns == 5


def test_the_first_screen_says_five_figures_or_why_not():
    for hour in range(4):
        running_by_hand.store(noon(1) + timedelta(hours=hour))
    found = {one.name: one for one in headlines(WEEK)}
    assert list(found) == ["no_results", "second_pass", "p95", "cost", "controls"]
    # Of 28 turns 20 searched (topic and tool did not), and four of them found nothing.
    assert (found["no_results"].text, found["no_results"].n) == ("20.0 %", "n = 20")
    # Of twelve turns with further passes four were rescued.
    assert (found["second_pass"].text, found["second_pass"].n) == ("33.3 %", "n = 12")
    # The slowest four of 28 took 5 s. By ranks it lies above the 24th, which took 4 s.
    assert found["p95"].text == "5.0 s"
    assert found["p95"].interval == "3.9 s or more"  # by its bucket
    assert "longer=" in found["p95"].query  # slower than that, whatever the route
    assert found["cost"].text == "0.13 ¢"
    assert "4 of unknown price" in found["cost"].n
    # In two of seven turns a control failed or was silent.
    assert (found["controls"].text, found["controls"].n) == ("28.6 %", "n = 28")
    assert all(one.query for one in found.values())


def test_without_a_turn_the_first_screen_says_that_there_are_too_few():
    assert all("too few to say" in one.few for one in headlines(WEEK))


def test_every_turn_with_a_time_is_among_all_times_whatever_its_route():
    running_by_hand.one("plain", noon(1))
    running_by_hand.one("topic", noon(1), route_taken="")
    seen = reading.window(WEEK, "took", "route")
    assert (seen.of("took")[""].n, seen.of("took")[""].total) == (2, 1_200)
    assert list(seen.of("route")) == ["single_shot"]


# ---- gaps


def words(found: Any) -> set[str]:
    return {lack.asked for lack in found}


def test_gaps_are_what_answers_lack_and_questions_that_found_nothing():
    running_by_hand.store(noon(1))
    found = {lack.asked: lack for lack in lacks(WEEK, sensitive=False)}
    assert set(found) == {"the price of add-ons", "Is there a discount for students?"}
    nothing = found["Is there a discount for students?"]
    assert (nothing.answered, nothing.section) == (False, E)
    assert nothing.tried == ("refund card days", "refund card days")
    assert found["the price of add-ons"].answered


def test_what_tells_of_health_is_for_those_who_may_read_it():
    running_by_hand.one("nothing", noon(1), is_sensitive=True)
    assert lacks(WEEK, sensitive=False) == []
    assert words(lacks(WEEK, sensitive=True)) == {"Is there a discount for students?"}


def test_what_was_erased_is_in_no_gap():
    turn = running_by_hand.one("nothing", noon(1))
    removal.content_of_turns([turn.pk], timezone.now())
    assert lacks(WEEK, sensitive=True) == []


def test_gaps_without_their_trace_are_known_by_their_question():
    turn = running_by_hand.one("nothing", noon(1))
    removal.trace_of_turns([turn.pk])
    (found,) = lacks(WEEK, sensitive=False)
    assert (found.asked, found.section, found.tried) == (found.question, "", ())


def test_gaps_of_other_days_of_the_lab_and_of_another_version_are_left_out():
    running_by_hand.one("nothing", noon(9))
    running_by_hand.one("nothing", noon(1), kind="lab")
    assert lacks(WEEK, sensitive=True) == []
    running_by_hand.one("nothing", noon(1))
    assert lacks(WEEK, sensitive=True, versions=7) == []


def test_a_section_is_named_by_its_document_and_heading():
    stored.chunk()
    assert titles(["refunds#refund-timing", "no#such"]) == {
        "refunds#refund-timing": "Refunds · Refund timing"
    }


# ---- what people prefer


def by_name(days: Days, rescued: int = 0) -> dict[str, Any]:
    return {line.name.partition(" ")[0]: line for line in preferred(days, rescued)}


def test_votes_on_rescued_answers_stand_against_those_on_first_ones():
    for vote, key in (("up", "rescued"), ("down", "rescued"), ("up", "plain"), ("down", "nothing")):
        Feedback.objects.create(turn=running_by_hand.one(key, noon(1)), vote=vote)
    line = by_name(WEEK)["Votes"]
    assert (line.rescued.value, line.rescued.n) == (0.5, 2)
    assert (line.first.value, line.first.n) == (1.0, 1)
    assert not line.differs


def test_an_answer_that_had_something_before_was_not_rescued():
    Feedback.objects.create(turn=running_by_hand.one("more", noon(1)), vote="up")
    line = by_name(WEEK)["Votes"]
    assert (line.rescued.n, line.first.n) == (0, 0)


def test_labels_count_by_the_weight_of_their_turns():
    judge = factories.user("ann")
    for rate, grounded in ((1.0, "no"), (0.25, "yes")):
        turn = running_by_hand.one("rescued", noon(1))
        Sample.objects.create(turn=turn, stratum=f"by {rate}", rate=rate)
        GroundednessLabel.objects.create(turn=turn, user=judge, grounded=grounded, correct="yes")
    line = by_name(WEEK)["Called"]
    assert (line.rescued.value, line.rescued.n) == (pytest.approx(0.8), 2)
    assert line.first.n == 0


def test_an_answer_made_anew_on_request_was_not_enough():
    first = running_by_hand.one("rescued", noon(1))
    again = running_by_hand.one("plain", noon(1) + timedelta(minutes=5), kind="regenerate")
    Turn.objects.filter(pk=again.pk).update(question=first.question)
    line = by_name(WEEK, rescued=1)["Made"]
    assert (line.rescued.value, line.rescued.n) == (1.0, 1)
    assert (line.first.value, line.first.n) == (0.0, 1)


# ---- the list's filters


def listed(**filters: Any) -> set[UUID]:
    return set(chosen(filters).values_list("pk", flat=True))


@pytest.mark.parametrize(
    ("shows", "keys"),
    [
        ("rescued", {"rescued"}),
        ("further_passes", {"rescued", "more", "nothing"}),
        ("one_pass", {"plain", "free"}),
        ("answered_at_once", {"plain", "free"}),
        ("rescued_and_voted", set()),
        ("nothing_found", {"nothing"}),
        ("control_missed", {"rescued", "more"}),
    ],
)
def test_a_figure_leads_to_its_turns(shows: str, keys: set[str]):
    told = running_by_hand.store(noon(1))
    assert listed(shows=shows) == {told[key].pk for key in keys}


def test_turns_are_found_by_what_their_first_search_put_first():
    told = running_by_hand.store(noon(1))
    assert listed(section=E) == {told[key].pk for key in ("rescued", "more", "nothing")}
    assert listed(section=T, shows="further_passes") == set()


def test_turns_are_found_by_their_keys():
    told = running_by_hand.store(noon(1))
    assert listed(turns=[told["plain"].pk, told["lab"].pk]) == {told["plain"].pk}


def test_slow_turns_are_those_above_nineteen_of_twenty_of_their_route():
    for ms in (*[100.0] * 19, 900.0, 5_000.0):
        factories.turn(
            status="finished",
            termination="answered",
            route_taken="direct",
            ms=ms,
            started_at=noon(1),
        )
    (found,) = chosen({"slower": True})  # as the page counts it, before the day is kept
    rollup.count_day(noon(1).date())
    (kept,) = chosen({"slower": True})
    assert found.ms == kept.ms == 5_000.0


def test_no_more_than_a_year_is_looked_at_for_what_is_slow():
    first = slower.limits(TODAY.replace(year=1), TODAY)
    assert first == {}


def test_a_route_with_few_turns_has_no_slow_ones():
    for ms in (1.0, 1_000.0):
        factories.turn(status="finished", route_taken="direct", ms=ms, started_at=noon(1))
    rollup.count_day(noon(1).date())
    assert slower.limits() == {}
