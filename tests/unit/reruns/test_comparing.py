"""What differs between two turns is found from their facts, and tells no word of anybody."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.contracts.events import Answer, ModelCall, Tokens, TurnFinished
from chat.contracts.verdicts import Confidence, Termination
from chat.reruns.comparing import compare, is_flipped, told
from tests import factories, traces

CANARY = "quetzal"


def facts(**changed: Any) -> dict[str, Any]:
    """The facts of a turn that was answered after one rewrite."""
    return {**told(traces.refund_with_one_rewrite()), **changed}


def finished(**changed: Any) -> dict[str, Any]:
    found = facts()
    return {**found, "finished": {**found["finished"], **changed}}


def names(flips: list[dict[str, Any]]) -> list[str]:
    return [flip["what"] for flip in flips]


def test_a_turn_does_not_differ_from_itself() -> None:
    assert compare(facts(), facts()) == []


def test_another_end_is_a_flip_and_stands_first() -> None:
    flips = compare(facts(), finished(termination="no_evidence", model_calls=1))
    assert flips[0] == {"what": "termination", "before": "answered", "after": "no_evidence"}
    assert names(flips) == ["termination", "calls"]
    assert is_flipped(flips)


def test_other_words_alone_are_no_flipped_turn() -> None:
    other = facts()
    other["content"] = {**other["content"], "answer": "Three words here"}
    flips = compare(facts(), other)
    assert names(flips) == ["answer"]
    assert flips[0]["after"] == 3
    assert not is_flipped(flips)


def test_words_that_differ_in_nothing_but_themselves_have_equal_counts() -> None:
    one, other = facts(content={"answer": "yes it does"}), facts(content={"answer": "no it does"})
    assert compare(one, other) == [{"what": "answer", "before": 3, "after": 3}]


def test_no_word_of_a_person_or_an_answer_is_told() -> None:
    before = told(factories.events([Answer(text=f"{CANARY} one", confidence=Confidence.HIGH)]))
    after = told(factories.events([Answer(text=f"{CANARY} two", confidence=Confidence.LOW)]))
    flips = compare(before, after)
    assert names(flips) == ["confidence", "answer"]
    assert CANARY not in json.dumps(flips)


@pytest.mark.parametrize(
    ("what", "changed"),
    [
        ("route", {"route": {"decided": "single_shot", "taken": "direct"}}),
        ("citations", {"citations": []}),
        ("confidence", {"confidence": "low"}),
        ("covered", {"items": {"asked": 3, "found": 1}}),
        ("unsupported", {"claims": [{"id": "c1", "supported": False}]}),
        ("controls", {"controls": []}),
        ("accepted", {"passes": []}),
    ],
)
def test_each_part_is_looked_at(what: str, changed: dict[str, Any]) -> None:
    assert what in names(compare(facts(), facts(**changed)))


def test_controls_are_told_by_name_with_their_outcomes() -> None:
    def decided(*outcomes: str) -> dict[str, Any]:
        rows = [{"control": "coverage", "outcome": outcome} for outcome in outcomes]
        return facts(controls=[{"control": "scope", "outcome": "passed"}, *rows])

    (flip,) = compare(decided("acted", "acted"), decided("acted", "passed"))
    assert flip == {
        "what": "controls",
        "before": {"coverage": ["acted", "acted"]},
        "after": {"coverage": ["acted", "passed"]},
    }


def test_facts_without_words_and_those_of_a_turn_that_broke_are_compared() -> None:
    bare: dict[str, Any] = {"finished": None, "route": {}}
    assert names(compare(bare, bare)) == []
    assert "termination" in names(compare(bare, facts()))


def test_facts_are_read_from_events() -> None:
    events = factories.events(
        [
            ModelCall(role="main", purpose="answer", model="m"),
            TurnFinished(
                termination=Termination.ANSWERED,
                ms=1.0,
                passes=0,
                model_calls=1,
                tokens=Tokens(input=1),
                cost=0.0,
            ),
        ]
    )
    assert told(events)["finished"]["termination"] == "answered"


FACTS = st.fixed_dictionaries(
    {},
    optional={
        "finished": st.none()
        | st.fixed_dictionaries(
            {"termination": st.sampled_from(list(Termination)), "passes": st.integers(0, 7)}
        ),
        "confidence": st.sampled_from(["high", "low", "none"]),
        "citations": st.lists(st.fixed_dictionaries({"chunk": st.text(max_size=5)}), max_size=3),
        "content": st.fixed_dictionaries({"answer": st.text(max_size=20)}),
    },
)


@given(FACTS, FACTS)
def test_the_other_way_round_it_is_the_same_differences_turned(
    one: dict[str, Any], other: dict[str, Any]
) -> None:
    there, back = compare(one, other), compare(other, one)
    turned = [{**f, "before": f["after"], "after": f["before"]} for f in back]
    assert there == turned
    assert compare(one, one) == []
