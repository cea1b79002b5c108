"""Every control against people on the small set, worked out by hand: what each had said unaided.

The set, and what its labelled turns stand for, is told in `test_figures_of_labels`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from admin_tracing.labelled.agreement import agreement
from admin_tracing.labelled.controls import Row, controls
from admin_tracing.labelled.grounded import grounded
from admin_tracing.labelled.measured import CONTROLS
from admin_tracing.models import QueueItem, Review, Settlement
from admin_tracing.stats import NOTHING
from tests import figures_by_hand
from tests.figures_by_hand import is_exactly

pytestmark = pytest.mark.django_db


def row_of(hand: figures_by_hand.Hand, name: str) -> Row:
    return next(row for row in controls(hand.days) if row.control.name == name)


CONTROLS_BY_HAND: dict[str, tuple[int, str, Any, Any, set[str], set[str]]] = {
    # cases; precision and recall as (share, n); turns of false alarms and of misses.
    # Turned away: t4, which people say is off topic, and t5, which is not; 3 each.
    "scope": (10, "routing", (Fraction(1, 2), 2), (Fraction(1), 1), {"t5"}, set()),
    "ambiguity": (10, "routing", (Fraction(1), 1), (Fraction(1), 1), set(), set()),
    # Decided iterative: t3 and, picked, t10. Needed: t2, t3, t9: 1 / (1 + 2 * 14/3).
    "router": (7, "routing", (Fraction(1), 1), (Fraction(3, 31), 3), {"t10"}, {"t2", "t9"}),
    # The grader let every cited passage in; people do not hold t1's second, t3's and t10's.
    "relevance": (5, "answer", None, (Fraction(0), 2), set(), {"t1", "t3", "t10"}),
    # The check ran on t1, t2, t3, t8 and t10; it failed on t9 and was off on t6.
    "groundedness": (5, "answer", (Fraction(1), 2), (Fraction(1), 2), set(), {"t10"}),
    # Found t3 and t8, not t9: 2 / (2 + 24/5) = 5/17.
    "judge": (7, "answer", (Fraction(1), 2), (Fraction(5, 17), 3), set(), {"t9", "t10"}),
    # t1: two held and so said; t3: both as said; t8: c1 as said, c2 missed; t10 missed.
    "claims": (7, "answer", (Fraction(1), 2), (Fraction(2, 3), 3), set(), {"t8", "t10"}),
    # t3's as said; t1's second missed (24/5): 1 / (1 + 24/5). t8's was not checked.
    "citation_binding": (4, "answer", (Fraction(1), 1), (Fraction(5, 29), 2), set(), {"t1"}),
    # Low: t3. Not fine: t3, t8 (1 each), t6 (right in part), t9 (24/5 each): 1 / (2 + 48/5).
    "confidence": (
        *(7, "answer", (Fraction(1), 1), (Fraction(5, 58), 4)),
        *(set[str](), {"t6", "t8", "t9", "t10"}),
    ),
}


@pytest.mark.parametrize("name", CONTROLS_BY_HAND)
def test_a_control_is_worth_what_comes_out_by_hand(hand: figures_by_hand.Hand, name: str):
    n, _, precision, recall, false_alarms, misses = CONTROLS_BY_HAND[name]
    found = row_of(hand, name)
    assert found.n == n
    assert (
        found.precision == NOTHING if precision is None else is_exactly(found.precision, *precision)
    )
    assert is_exactly(found.recall, *recall)
    assert hand.keys(found.false_alarms) == false_alarms
    assert hand.keys(found.misses) == misses


def test_every_control_of_the_table_is_worked_out(hand: figures_by_hand.Hand):
    assert set(CONTROLS_BY_HAND) == {control.name for control in CONTROLS}


def test_kappa_of_a_control_is_that_of_the_weighted_table(hand: figures_by_hand.Hand):
    """Scope: both say off topic 3, the control alone 3, neither 5 * 14/3 + 2 = 76/3; 94/3 in all.

    Seen 85/94; chance (6 * 3 + 76/3 * 85/3) / (94/3) ** 2 = 6622/8836; kappa 1368/2214 = 76/123.
    """
    found = row_of(hand, "scope").kappa
    assert found.value == pytest.approx(76 / 123)
    assert found.n == 9


def changed(hand: figures_by_hand.Hand, key: str, job: str, person: int = 0, **blind: Any) -> None:
    """Somebody saw the check's word and said something else; `blind` is what they had said."""
    item, _ = QueueItem.objects.get_or_create(turn=hand.turns[key], defaults={"origin": "random"})
    before = {"after_seeing": [job], "blind": {job: blind}}
    Review.objects.create(item=item, user=hand.people[person], before=before)


def test_the_judge_is_held_against_what_people_said_before_they_saw_its_word(
    hand: figures_by_hand.Hand,
):
    """t8 was called held by somebody who then saw that the judge had found a claim, and gave way.

    By themselves they parted: a false alarm, and one of two. To leave the turn out would leave out
    just where they part. What stands of the answer is what was said at last.
    """
    changed(hand, "t8", "groundedness", grounded="yes", correct="yes")
    found = row_of(hand, "judge")
    assert found.n == 7
    assert is_exactly(found.precision, Fraction(1, 2), 2)
    assert hand.keys(found.false_alarms) == {"t8"}
    # t1, t2, t6 (24/5 each) and t3 (1) as the judge says, t8 and t9 not: 77/106.
    assert is_exactly(grounded(hand.days).judge.whole, Fraction(77, 106), 6)
    assert is_exactly(grounded(hand.days).held.whole, Fraction(36, 53), 6)


def test_marks_that_were_changed_after_seeing_count_as_they_were(hand: figures_by_hand.Hand):
    """t8's two claims: c1 as the judge said, c2 missed; blind both were called held."""
    marks = {"c1": True, "c2": True}
    changed(hand, "t8", "groundedness", grounded="partly", correct="yes", claims=marks)
    found = row_of(hand, "claims")
    assert hand.keys(found.false_alarms) == {"t8"}
    assert "t8" not in hand.keys(found.misses)


def test_what_a_reviewer_settled_stands_whatever_was_said_blind(hand: figures_by_hand.Hand):
    Settlement.objects.create(
        turn=hand.turns["t8"], job="groundedness", grounded="no", correct="no", user=hand.people[1]
    )
    changed(hand, "t8", "groundedness", grounded="yes", correct="yes")
    assert row_of(hand, "judge").false_alarms == ()


def test_people_agree_only_by_what_each_said_by_themselves(hand: figures_by_hand.Hand):
    """t2 and t3 agreed and t13 did not; of t2 one had said no before, so one of three agrees."""
    changed(hand, "t2", "groundedness", person=1, grounded="no", correct="yes")
    changed(hand, "t6", "routing", grounded="", needed="single_shot")
    routes, answers, _ = agreement(hand.days)
    # Yes 2, no 4 of six: chance 5/9, kappa (1/3 - 5/9) / (4/9) = -1/2.
    assert answers.kappa.value == pytest.approx(-1 / 2)
    # t3 alone agrees; iterative 3, direct 2, single shot 3: (1/4 - 22/64) / (42/64) = -1/7.
    assert routes.kappa.value == pytest.approx(-1 / 7)


def test_kappa_of_claims_knows_their_weights_and_turns(hand: figures_by_hand.Hand):
    """Two of t1 count 24/5 each, two of t3 and two of t8 1 each: by Kish (68/5)² / (1252/25)."""
    found = row_of(hand, "claims").kappa
    assert found.n == 6
    assert found.n_effective <= (68 / 5) ** 2 / (1252 / 25) + 1e-9
