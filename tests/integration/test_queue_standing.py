"""What stands of a turn for figures: the rule for one, and the same rule for all in a query."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from django.contrib.auth import get_user_model

from admin_tracing import counted, labels, queueing
from admin_tracing.models import GroundednessLabel, RoutingLabel, Settlement
from chat.models import Turn
from tests import stored
from tests.labelling import people, words

pytestmark = pytest.mark.django_db

NEEDED = ("direct", "iterative", "cannot_tell", "needs_expert")


@pytest.fixture
def two() -> list[Any]:
    return people("sam", "rosa")


def route(turn: Any, said: dict[Any, str]) -> None:
    for person, needed in said.items():
        labels.give_routing(turn, person, needed)


def row() -> dict[str, Any]:
    return words(queueing.standing_labels().get())


def test_without_a_label_there_is_no_row(two: list[Any]):
    stored.turns(2)
    assert not queueing.standing_labels().exists()


def test_what_one_person_says_stands(two: list[Any]):
    (turn,) = stored.turns(1)
    labels.give_routing(turn, two[0], "direct")
    labels.give_groundedness(turn, two[0], ("partly", "cannot_tell"))
    assert queueing.standing_labels().get() == {
        "turn_id": turn.pk,
        "needed": "direct",
        "grounded": "partly",
        "correct": "",
        "how": "one person",
        "how_needed": "one person",
        "how_grounded": "one person",
        "how_correct": "cannot tell",
    }


def test_what_two_agree_on_stands(two: list[Any]):
    route(stored.turns(1)[0], dict.fromkeys(two, "direct"))
    assert (row()["needed"], row()["how"]) == ("direct", "agreed")


def test_where_they_differ_nothing_stands(two: list[Any]):
    route(stored.turns(1)[0], {two[0]: "direct", two[1]: "clarify"})
    assert (row()["needed"], row()["how"]) == ("", "disagreed")


def test_who_cannot_tell_takes_nothing_from_who_can(two: list[Any]):
    route(stored.turns(1)[0], {two[0]: "direct", two[1]: "cannot_tell"})
    assert (row()["needed"], row()["how"]) == ("direct", "one person")


def test_a_label_of_the_answer_alone_says_so(two: list[Any]):
    labels.give_groundedness(stored.turns(1)[0], two[0], ("yes", "yes"))
    assert (row()["needed"], row()["how_needed"], row()["how"]) == (
        *("", "unlabelled"),
        "one person",
    )


def test_a_reviewers_word_stands_above_all(two: list[Any]):
    (turn,) = stored.turns(1)
    route(turn, dict.fromkeys(two, "direct"))
    Settlement.objects.create(turn=turn, job="routing", needed="clarify", user=two[0])
    assert (row()["needed"], row()["how"]) == ("clarify", "settled")


def test_the_turns_may_be_narrowed(two: list[Any]):
    lab, person = stored.turns(1, kind="lab")[0], stored.turns(1)[0]
    for turn in (lab, person):
        labels.give_routing(turn, two[0], "direct")
    assert queueing.standing_labels().count() == 2
    rows = queueing.standing_labels(counted.counted())
    assert [one["turn_id"] for one in rows] == [person.pk]


def test_one_turn_and_all_turns_follow_the_same_rule():
    """Every way in which up to three people and a reviewer can speak of the way and the answer."""
    three = people("a", "b", "c")
    settled = ("", "direct", "cannot_tell")
    cases = [
        *product(NEEDED, ("", *NEEDED), ("",), settled),
        *product(("direct", "cannot_tell"), NEEDED, NEEDED, ("",)),
    ]
    turns = stored.turns(len(cases))
    for turn, (*said, word) in zip(turns, cases, strict=True):
        route_rows(turn, dict(zip(three, said, strict=True)), word)
    found = {one["turn_id"]: one for one in queueing.standing_labels()}
    assert len(found) == len(cases)
    for turn in Turn.objects.all():
        stands, told = queueing.standing(turn), found[turn.pk]
        for name in ("needed", "grounded", "correct"):
            one = getattr(stands, name)
            assert (one.value, one.how) == (told[name], told[f"how_{name}"])
    assert get_user_model().objects.count() == 3


def route_rows(turn: Any, said: dict[Any, str], word: str) -> None:
    """The same answer in both jobs, in their own words; rows by hand, for speed."""
    answer = {"direct": "yes", "iterative": "no"}
    for person, needed in said.items():
        if not needed:
            continue
        RoutingLabel.objects.create(turn=turn, user=person, needed=needed)
        held = answer.get(needed, needed)
        right = "cannot_tell" if held == "needs_expert" else held
        GroundednessLabel.objects.create(turn=turn, user=person, grounded=held, correct=right)
    if word:
        reviewer = next(iter(said))
        Settlement.objects.create(turn=turn, job="routing", needed=word, user=reviewer)
        held = answer.get(word, word)
        Settlement.objects.create(
            turn=turn, job="groundedness", grounded=held, correct=held, user=reviewer
        )


def test_all_turns_are_one_query(two: list[Any], django_assert_num_queries: Any):
    for turn in stored.turns(5):
        labels.give_routing(turn, two[0], "direct")
    with django_assert_num_queries(1):
        assert len(list(queueing.standing_labels())) == 5
