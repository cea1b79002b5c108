"""What people's labels come to as the end that a question of the lab should reach."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from admin_tracing.lab_set import LabelsDisagree, NotClear, NotLabelled, expected
from admin_tracing.models import GroundednessLabel, RoutingLabel
from chat.lab_questions import QuestionRefused

YES = ("yes", "yes")
ENDS = ("answered", "no_results", "off_topic", "other")
NEEDED = tuple(RoutingLabel.Needed.values)
JUDGED = tuple(
    itertools.product(GroundednessLabel.Grounded.values, GroundednessLabel.Correct.values)
)


@pytest.mark.parametrize(
    ("ended", "needed", "judged", "expects"),
    [
        ("answered", {"off_topic"}, set(), "off_topic"),
        ("off_topic", {"off_topic"}, {YES}, "off_topic"),
        ("answered", {"off_topic", "cannot_tell"}, {("no", "no")}, "off_topic"),
        ("answered", set(), {YES}, "answered"),
        ("answered", {"single_shot", "iterative"}, {YES}, "answered"),
        ("answered", {"needs_expert"}, {YES, ("cannot_tell", "yes")}, "answered"),
        ("no_results", set(), {YES}, "no_results"),
        ("no_results", {"single_shot"}, {("no", "yes")}, "no_results"),
        ("no_results", {"single_shot"}, {("no", "no")}, "answered"),
    ],
)
def test_labels_that_agree_say_how_it_should_end(
    ended: str, needed: set[str], judged: set[tuple[str, str]], expects: str
):
    assert expected(ended, needed, judged) == expects  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("needed", "judged"),
    [
        (set(), set()),
        ({"cannot_tell"}, {("needs_expert", "cannot_tell")}),
        ({"single_shot"}, set()),
        ({"direct"}, {("yes", "cannot_tell")}),
    ],
)
def test_without_a_word_on_the_answer_it_is_not_labelled(
    needed: set[str], judged: set[tuple[str, str]]
):
    with pytest.raises(NotLabelled, match=r"[Ll]abel"):
        expected("answered", needed, judged)


@pytest.mark.parametrize(
    ("needed", "judged"),
    [
        ({"off_topic", "single_shot"}, set()),
        ({"off_topic"}, {YES}),
        (set(), {YES, ("no", "no")}),
        (set(), {YES, ("partly", "yes")}),
    ],
)
def test_labels_that_contradict_each_other_wait_for_a_reviewer(
    needed: set[str], judged: set[tuple[str, str]]
):
    with pytest.raises(LabelsDisagree, match="reviewer"):
        expected("answered", needed, judged)


@pytest.mark.parametrize(
    ("ended", "needed", "judged"),
    [
        ("answered", set(), ("no", "no")),
        ("answered", set(), ("partly", "yes")),
        ("answered", set(), ("yes", "no")),
        ("no_results", set(), ("yes", "partly")),
        ("off_topic", {"single_shot"}, ("no", "no")),
        ("other", set(), YES),
    ],
)
def test_a_word_that_does_not_say_how_it_should_end_is_not_taken(
    ended: str, needed: set[str], judged: tuple[str, str]
):
    with pytest.raises(NotClear):
        expected(ended, needed, {judged})  # type: ignore[arg-type]


def test_what_needs_a_question_back_is_not_for_the_lab():
    with pytest.raises(NotClear, match="nobody answers"):
        expected("answered", {"clarify"}, {YES})


@given(
    st.sampled_from(ENDS),
    st.sets(st.sampled_from(NEEDED)),
    st.sets(st.sampled_from(JUDGED), max_size=4),
)
def test_whatever_is_said_there_is_an_end_or_a_reason(
    ended: str, needed: set[str], judged: set[tuple[str, str]]
):
    try:
        found = expected(ended, needed, judged)  # type: ignore[arg-type]
    except QuestionRefused as refused:
        assert str(refused).endswith(".")
    else:
        assert found in ("answered", "no_results", "off_topic")
        if found == "answered" and ended == "answered":
            assert YES in judged
