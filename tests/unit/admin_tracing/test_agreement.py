"""Do people agree, and what stands? By hand, and by what has to be true of any labels."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from admin_tracing.queueing.agreement import FIELDS, UNDECIDED, How, of_field, reasons

ANSWERS = ("yes", "partly", "no", *UNDECIDED)
SAID = st.lists(st.sampled_from(ANSWERS), max_size=5)
PEOPLE = st.lists(
    st.dictionaries(st.sampled_from(FIELDS), st.sampled_from(ANSWERS), max_size=3), max_size=4
)


@pytest.mark.parametrize(
    ("said", "settled", "value", "how"),
    [
        ([], "", "", How.UNLABELLED),
        (["yes"], "", "yes", How.ONE_PERSON),
        (["yes", "yes"], "", "yes", How.AGREED),
        (["yes", "no"], "", "", How.DISAGREED),
        (["yes", "no", "cannot_tell"], "", "", How.DISAGREED),
        (["yes", "cannot_tell"], "", "yes", How.ONE_PERSON),
        (["cannot_tell"], "", "", How.CANNOT_TELL),
        (["cannot_tell", "needs_expert"], "", "", How.NEEDS_EXPERT),
        (["yes", "no"], "partly", "partly", How.SETTLED),
        (["yes", "yes"], "cannot_tell", "", How.CANNOT_TELL),
    ],
)
def test_what_stands_of_a_question(said: list[str], settled: str, value: str, how: How):
    word = of_field(said, settled)
    assert (word.value, word.how) == (value, how)


@given(SAID)
def test_something_stands_just_where_the_reason_says_so(said: list[str]):
    word = of_field(said)
    assert bool(word.value) is word.how.stands
    assert word.value not in UNDECIDED


@given(SAID)
def test_it_does_not_matter_who_spoke_first(said: list[str]):
    assert len({of_field(list(order)) for order in list(permutations(said))[:24]}) == 1


@given(SAID, st.sampled_from(UNDECIDED))
def test_who_cannot_tell_overrules_nobody(said: list[str], undecided: str):
    assert of_field([*said, undecided]).value == of_field(said).value


@given(PEOPLE)
def test_a_reviewer_is_called_just_where_something_is_open(people: list[dict[str, str]]):
    found = reasons(people)
    everything = {value for one in people for value in one.values()}
    assert (How.NEEDS_EXPERT in found) is ("needs_expert" in everything)
    assert (How.CANNOT_TELL in found) is ("cannot_tell" in everything)
    split = any(len({o[n] for o in people if n in o} - set(UNDECIDED)) > 1 for n in FIELDS)
    assert (How.DISAGREED in found) is split


def test_two_fields_are_not_held_against_each_other():
    assert reasons([{"needed": "direct"}, {"grounded": "no"}]) == ()
