"""The figures of labels on a small set of turns, worked out by hand.

The set stands in `tests.figures_by_hand`. A stratum's labelled turns stand for those of it that
were drawn and have no label that agrees: of the random ones seven are drawn among the ways, and six
have one (t13 is split), so each counts 4 * 7/6 = 14/3; of those called off topic three are drawn
and two labelled, 2 * 3/2 = 3 each; both that were judged bad are labelled, 1 each.
"""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction
from typing import Any

import pytest

from admin_tracing import queries
from admin_tracing.labelled import rows, shown, votes
from admin_tracing.labelled.agreement import agreement
from admin_tracing.labelled.controls import controls
from admin_tracing.labelled.grounded import grounded
from admin_tracing.labelled.rejections import rejections
from admin_tracing.labelled.routing import routing
from admin_tracing.labelled.worklist import worklist
from admin_tracing.labels import give_groundedness
from admin_tracing.models import RoutingLabel, Settlement
from admin_tracing.stats import NOTHING
from chat.models import Turn
from tests import figures_by_hand
from tests.figures_by_hand import is_exactly

pytestmark = pytest.mark.django_db


# ---- routing


def test_routing_accuracy_stands_for_all_turns(hand: figures_by_hand.Hand):
    """Right: t1, t6, t7 (14/3 each), t3, t8 (1 each), t4 (3): 19. Wrong: t2, t9 (14/3), t5 (3).

    19 / (5 * 14/3 + 2 * 1 + 2 * 3) = 19 / (94/3) = 57/94. t14 nobody could tell, t13 is split.
    """
    found = routing(hand.days).accuracy
    assert is_exactly(found.whole, Fraction(57, 94), 9)
    weights = [Fraction(14, 3)] * 5 + [Fraction(1)] * 2 + [Fraction(3)] * 2
    kish = sum(weights) ** 2 / sum(w * w for w in weights)
    assert found.whole.n_effective <= float(kish) + 1e-9
    assert found.whole.too_few == "n = 9, too few to say"


def test_coverage_says_who_is_missing(hand: figures_by_hand.Hand):
    """Twelve drawn among the ways (t11 greeted); t12 has no label, t13 is split, t10 was picked."""
    found = routing(hand.days).accuracy.coverage
    assert (found.drawn, found.labelled, found.undecided) == (12, 10, 1)
    assert (found.split, found.aside) == (1, 1)
    assert found.share == 10 / 12


def test_a_day_stands_for_what_was_drawn_of_it(hand: figures_by_hand.Hand):
    """First day, all labelled: t1 4, t2 4, t3 1, t4 2, t5 2: (4 + 1 + 2) / 13.

    Last day: five random drawn, four agree, 4 * 5/4 = 5 each: t6, t7 right, t9 wrong, t14 nobody
    knows; t8 1 right; off topic has no label: (5 + 5 + 1) / 16.
    """
    by_day = dict(routing(hand.days).accuracy.by_day)
    first, last = hand.days.last - timedelta(days=1), hand.days.last
    assert is_exactly(by_day[first], Fraction(7, 13), 5)
    assert is_exactly(by_day[last], Fraction(11, 16), 4)
    assert by_day[hand.days.first] == NOTHING


def test_a_version_set_stands_for_what_was_drawn_of_it(hand: figures_by_hand.Hand):
    found = dict(routing(hand.days).accuracy.by_version)
    assert is_exactly(found[hand.versions["A"].pk], Fraction(7, 13), 5)
    assert is_exactly(found[hand.versions["B"].pk], Fraction(11, 16), 4)
    alone = routing(hand.days, hand.versions["A"].pk).accuracy
    assert is_exactly(alone.whole, Fraction(7, 13), 5)
    assert alone.coverage.drawn == 5


def test_the_confusion_table_counts_what_was_picked_as_well(hand: figures_by_hand.Hand):
    found = routing(hand.days).table
    assert found.counts() == {
        ("single_shot", "single_shot"): 2,  # t1, t8
        ("iterative", "single_shot"): 2,  # t2, t9
        ("iterative", "iterative"): 1,  # t3
        ("off_topic", "off_topic"): 1,  # t4
        ("single_shot", "off_topic"): 1,  # t5
        ("direct", "direct"): 1,  # t6
        ("clarify", "clarify"): 1,  # t7
        ("direct", "iterative"): 1,  # t10, picked
    }
    # Taken as single shot and so needed: t1 14/3 and t8 1, of those and t2 and t9: 17/45.
    assert is_exactly(found.precision("single_shot"), Fraction(17, 45), 4)
    # Needed iterative and so taken: t3 1 of that and t2 and t9: 3/31.
    assert is_exactly(found.recall("iterative"), Fraction(3, 31), 3)


# ---- groundedness


def test_groundedness_stands_for_all_answers(hand: figures_by_hand.Hand):
    """Random answers: six drawn, five agree (t13 is split): 4 * 6/5 = 24/5 each.

    Held: t1, t2, t6 of those and t9, with t3 and t8 1 each: 72/5 / (96/5 + 2) = 72/106 = 36/53.
    """
    found = grounded(hand.days)
    assert is_exactly(found.held.whole, Fraction(36, 53), 6)
    # t8 in part as well: 77/106.
    assert is_exactly(found.partly.whole, Fraction(77, 106), 6)
    # Right: t1, t2 (24/5 each), t8 (1); t6 in part: 53/5 / (106/5).
    assert is_exactly(found.correct.whole, Fraction(1, 2), 6)
    coverage = found.held.coverage
    assert (coverage.drawn, coverage.labelled, coverage.undecided) == (8, 7, 1)
    assert (coverage.split, coverage.aside) == (1, 1)


def test_answers_on_whose_rightness_people_part_are_stood_for_by_the_others(
    hand: figures_by_hand.Hand,
):
    """Both call t1 held, and part on whether it is right.

    Of six random answers four then have a word on that (t2 yes, t6 partly, t9 no, t14 nobody can
    tell): 4 * 6/4 = 6 each. Right: t2 and t8, 7 of 3 * 6 + 2.
    """
    give_groundedness(hand.turns["t1"], hand.people[1], ("yes", "no"))
    found = grounded(hand.days)
    assert is_exactly(found.correct.whole, Fraction(7, 20), 5)
    assert is_exactly(found.held.whole, Fraction(36, 53), 6)


def test_half_a_label_counts_for_the_half_that_it_is(hand: figures_by_hand.Hand):
    """Of t6 somebody said that it is right in part, and left open whether it is held.

    Held: t1, t2, t9, t14 of six random answers, 4 * 6/4 = 6 each: t1 and t2, 12 of 3 * 6 + 2.
    """
    label = hand.turns["t6"].groundednesslabels
    label.update(grounded="")
    found = grounded(hand.days)
    assert is_exactly(found.held.whole, Fraction(3, 5), 5)
    assert is_exactly(found.correct.whole, Fraction(1, 2), 6)
    coverage = found.held.coverage
    assert (coverage.drawn, coverage.labelled, coverage.reached) == (8, 6, 7)
    waiting = queries.chosen({"labelled": "groundedness:waiting"}).values_list("pk", flat=True)
    assert hand.keys(waiting) == {"t6"}


def test_the_judge_says_what_people_say(hand: figures_by_hand.Hand):
    """On t1, t2, t6 (held, nothing found) and t3, t8 (not held, found); not on t9: 82/106."""
    found = grounded(hand.days)
    assert is_exactly(found.judge.whole, Fraction(41, 53), 6)
    assert found.table.counts() == {
        ("yes", "supported"): 3,
        ("no", "supported"): 2,
        ("no", "unsupported"): 1,
        ("partly", "unsupported"): 1,
    }


# ---- what a figure is about


def test_a_question_back_that_was_needed_was_the_right_way(hand: figures_by_hand.Hand):
    """t9 asked back, went on, and a reviewer says that it had to: 19 + 14/3 of 94/3."""
    Turn.objects.filter(pk=hand.turns["t9"].pk).update(asked_back=1)
    Settlement.objects.filter(turn=hand.turns["t9"]).update(needed="clarify")
    found = routing(hand.days)
    assert is_exactly(found.accuracy.whole, Fraction(71, 94), 9)
    assert found.table.counts()["clarify", "clarify"] == 2


def test_groundedness_is_about_the_answers_that_people_are_asked_about(hand: figures_by_hand.Hand):
    """An answer from no document holds nothing; a reply that a budget cut short cites passages."""
    Turn.objects.filter(pk=hand.turns["t6"].pk).update(citations=0)
    Turn.objects.filter(pk=hand.turns["t8"].pk).update(termination="time_cap", citations=1)
    found = grounded(hand.days)
    assert found.held.coverage.drawn == 7
    assert "t6" not in hand.keys(row.facts.turn for row in rows.groundedness(hand.days))
    assert "t8" in hand.keys(row.facts.turn for row in rows.groundedness(hand.days))


def test_a_stratum_of_which_nobody_labelled_anything_is_named(hand: figures_by_hand.Hand):
    """Two of off topic (2 each, with t12) of seven random ones (4) and two that were judged bad."""
    away = [hand.turns[key].pk for key in ("t4", "t5")]
    RoutingLabel.objects.filter(turn__in=away).delete()
    found = routing(hand.days).accuracy.coverage
    assert found.unseen == ("off_topic",)
    assert found.unseen_share == pytest.approx(6 / 36)
    told = "of off topic none is, so the figure is without that part of the turns (16.7 %)"
    assert told in shown.covered(found)


def test_where_every_stratum_has_labels_none_is_named(hand: figures_by_hand.Hand):
    found = routing(hand.days).accuracy.coverage
    assert (found.unseen, found.unseen_share) == ((), 0.0)
    assert found.is_open  # t12


def test_a_turn_on_which_people_part_waits_for_no_label(hand: figures_by_hand.Hand):
    assert not grounded(hand.days).held.coverage.is_open


# ---- people


def test_agreement_between_people(hand: figures_by_hand.Hand):
    """Routing: t3 and t6 agree, t9 and t13 do not. Said: iterative 3, direct 3, single shot 2.

    Seen 1/2, chance (9 + 9 + 4) / 64 = 11/32, kappa (1/2 - 11/32) / (21/32) = 5/21. A settled
    disagreement is one still. Groundedness: t2 and t3 agree, t13 does not; t14 decides nothing:
    seen 2/3, chance 1/2, kappa 1/3, and the same of whether they are right. Nobody said partly, so
    the order of the answers makes no difference.
    """
    routes, answers, right = agreement(hand.days)
    assert (routes.labelled, routes.doubled) == (12, 4)
    assert routes.kappa.value == pytest.approx(5 / 21)
    assert (answers.labelled, answers.doubled) == (9, 3)
    assert answers.kappa.value == pytest.approx(1 / 3)
    assert (right.labelled, right.doubled) == (9, 3)
    assert right.kappa.value == pytest.approx(1 / 3)
    assert [one.graded and one.graded.value for one in (routes, answers, right)] == [
        *(None, pytest.approx(1 / 3), pytest.approx(1 / 3)),
    ]
    assert hand.keys(routes.split) == hand.keys(answers.split) == hand.keys(right.split) == {"t13"}


def test_votes_of_those_who_asked(hand: figures_by_hand.Hand):
    assert is_exactly(votes.liked(hand.days), Fraction(3, 4), 4)
    assert is_exactly(votes.liked(hand.days, hand.versions["A"].pk), Fraction(1), 2)


def test_the_work_list_has_each_turn_once_with_all_that_is_at_odds(hand: figures_by_hand.Hand):
    tasks, n = worklist(controls(hand.days), agreement(hand.days))
    assert n == len(tasks) == 9
    assert hand.keys(task.turn for task in tasks) == {
        *("t1", "t2", "t3", "t5", "t6", "t8", "t9", "t10", "t13"),
    }
    why = {next(iter(hand.keys([task.turn]))): task.why for task in tasks}
    assert why["t13"] == (
        "people disagree on the way",
        "people disagree on the answer",
        "people disagree on whether it is right",
    )
    assert why["t5"] == ("Scope: false alarm",)
    assert [task.at for task in tasks] == sorted((task.at for task in tasks), reverse=True)


# ---- turned away


def test_false_rejections(hand: figures_by_hand.Hand):
    """Three of fourteen turns are turned away. People looked at t4 (right) and t5 (wrong)."""
    found = rejections(hand.days)
    assert is_exactly(found.rate, Fraction(3, 14), 14)
    assert is_exactly(found.wrong.whole, Fraction(1, 2), 2)
    assert (found.wrong.coverage.drawn, found.wrong.coverage.labelled) == (3, 2)
    # Searched for again: nothing for t4, something for t5; the search for t12 failed.
    assert is_exactly(found.found, Fraction(1, 2), 2)
    assert is_exactly(rejections(hand.days, hand.versions["B"].pk).found, Fraction(0), 0)
    by_day = dict(found.by_day)
    assert is_exactly(by_day[hand.days.last], Fraction(1, 9), 9)


# ---- the edges


def test_turns_outside_the_window_are_in_no_figure(hand: figures_by_hand.Hand):
    later = figures_by_hand.window(figures_by_hand.LAST + timedelta(days=30))
    assert routing(later).accuracy.whole == NOTHING
    assert grounded(later).held.coverage.drawn == 0
    assert all(row.n == 0 for row in controls(later))
    assert routing(hand.days).accuracy.whole != NOTHING


def test_without_any_label_nothing_is_said(hand: figures_by_hand.Hand):
    RoutingLabel.objects.all().delete()
    found = routing(hand.days)
    assert found.accuracy.whole == NOTHING
    assert found.table.n == 0
    assert found.accuracy.coverage.share == 0.0


@pytest.mark.parametrize(
    ("read", "queries_"),
    [(routing, 3), (grounded, 4), (controls, 10), (rejections, 5), (agreement, 5)],
)
def test_figures_take_few_queries(
    hand: figures_by_hand.Hand, read: Any, queries_: int, django_assert_max_num_queries: Any
):
    with django_assert_max_num_queries(queries_):
        read(hand.days)
