"""The facts of a turn's record: totals, each pass, and no word of a person or a document."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from chat.contracts.events import (
    Answer,
    Body,
    ChunkVerdict,
    Claim,
    Claims,
    Clarification,
    Decision,
    Event,
    HitLine,
    ModelCall,
    QuestionRead,
    Retrieval,
    Rewrite,
    RouteTaken,
    StateDiff,
    Token,
    Tokens,
    Tool,
    TurnStarted,
    Verdicts,
)
from chat.contracts.passages import Citation
from chat.contracts.turn_facts import content_of, facts_of, finished, spent
from chat.contracts.verdicts import Control, GradeLabel, Outcome, Route, Termination
from tests.factories import events
from tests.unit.contracts.examples import EXAMPLES, MESSAGE

NOW = datetime(2026, 11, 30, tzinfo=UTC)
SAID = "canary"  # stands wherever a person, a document or a model speaks
VERSIONS = {"code": "0.1.0"}


def search(number: int, *chunks: str) -> Retrieval:
    hits = tuple(HitLine(chunk=c, document="refunds", score=0.5) for c in chunks)
    return Retrieval.model_validate(
        {"pass": number, "query": SAID, "asked": 6, "hits": hits, "ms": 2.0}
    )


def grades(number: int, **labels: str) -> Verdicts:
    chunks = tuple(
        ChunkVerdict(chunk=chunk, label=GradeLabel(label), reason=SAID)
        for chunk, label in labels.items()
    )
    return Verdicts.model_validate({"pass": number, "chunks": chunks, "covered": {SAID: False}})


def claim(id_: str, supported: bool | None = True) -> Claim:
    return Claim(id=id_, label=SAID, basis="source", supported=supported, by="judge")


def call(role: str = "grader", cost: float = 0.001, model: str = "small") -> ModelCall:
    return ModelCall.model_validate(
        {
            "role": role,
            "purpose": "grade" if role == "grader" else "answer",
            "model": model,
            "prompt_version": "2",
            "tokens": {"input": 100, "output": 10},
            "cost": cost,
        }
    )


def told() -> list[Event]:
    """Two passes, with the canary in every field that holds somebody's words."""
    citation = Citation(
        marker=1, chunk="c", document="refunds", version=2, title=SAID, passage=SAID
    )
    rewrite = {"pass": 1, "before": SAID, "after": SAID, "drift": 0.3, "no_progress": True}
    bodies: list[Body] = [
        TurnStarted(question=SAID, message=MESSAGE, kind="ask"),
        QuestionRead(standalone=SAID, items=(SAID,)),
        Decision(control=Control.SCOPE, outcome=Outcome.PASSED, reason=f"RELEVANT {SAID}"),
        RouteTaken(decided=Route.SINGLE_SHOT, confidence=0.9, taken=Route.SINGLE_SHOT, why=SAID),
        search(1, "a", "b"),
        call(),
        call(),
        grades(1, a="SUPPORTS", b="IRRELEVANT"),
        StateDiff(node="retrieve", changed={"query": SAID}),
        Rewrite.model_validate(rewrite),
        search(2, "c", "d"),
        call(),
        call(),
        grades(2, c="ANSWERS", d="UNGRADED"),
        Decision(control=Control.RELEVANCE, outcome=Outcome.FAILED_OPEN, reason="timeout"),
        Token(offset=0, text=SAID),
        call("main", cost=0.01, model="large"),
        Clarification(question=SAID, options=(SAID,), expires_at=NOW),
        Tool(tool="search_directory", phase="done", summary=SAID),
        StateDiff(node="tool_execution", changed={"tool_results": [{"cost": 0.002, "text": SAID}]}),
        Claims(claims=(claim("c1", supported=False),)),
        Claims(claims=(claim("c1"), claim("c2", supported=None))),
        Answer(text=SAID, citations=(citation,), gaps=(SAID,), caveats=(SAID,)),
        RouteTaken(decided=Route.SINGLE_SHOT, taken=Route.ITERATIVE),
    ]
    before = events(bodies)
    return [*before, *events([finished(before, Termination.ANSWERED, 912.34)], first=50)]


def facts(of: list[Event] | None = None) -> dict[str, Any]:
    return facts_of(told() if of is None else of, VERSIONS)


def test_the_totals_are_those_of_the_events() -> None:
    passes, calls, tokens, cost = spent(told())
    assert (passes, calls, tokens) == (2, 5, Tokens(input=500, output=50))
    assert round(cost, 6) == 0.016  # with the paid tool


def test_the_last_event_says_what_the_turn_came_to() -> None:
    end = finished(told(), Termination.ANSWERED, 912.34)
    assert (end.passes, end.model_calls, end.tokens.total, end.cost) == (2, 5, 550, 0.016)
    assert (end.termination, end.ms) == (Termination.ANSWERED, 912.3)


def test_each_pass_has_its_chunks_verdicts_and_what_was_accepted() -> None:
    assert facts()["passes"] == [
        {
            "pass": 1,
            "searches": 1,
            "asked": 6,
            "chunks": [{"chunk": "a", "score": 0.5}, {"chunk": "b", "score": 0.5}],
            "verdicts": {"a": "SUPPORTS", "b": "IRRELEVANT"},
            "accepted": [],
        },
        {
            "pass": 2,
            "searches": 1,
            "asked": 6,
            "chunks": [{"chunk": "c", "score": 0.5}, {"chunk": "d", "score": 0.5}],
            "verdicts": {"c": "ANSWERS", "d": "UNGRADED"},
            "accepted": ["c", "d"],
        },
    ]


def test_searches_of_one_pass_are_one_pass() -> None:
    """A question with parts is searched several times at once."""
    (one,) = facts(events([search(1, "a"), search(1, "b", "c"), grades(1, b="ANSWERS")]))["passes"]
    assert (one["searches"], one["asked"], one["accepted"]) == (2, 12, ["b"])
    assert [chunk["chunk"] for chunk in one["chunks"]] == ["a", "b", "c"]


def test_what_was_asked_for_is_counted_and_its_words_are_content() -> None:
    assert facts()["items"] == {"asked": 1, "found": 0}
    assert content_of(told())["covered"] == [{SAID: False}]


def test_the_claims_are_those_of_the_last_draft_and_their_words_are_content() -> None:
    assert [(c["id"], c["supported"]) for c in facts()["claims"]] == [("c1", True), ("c2", None)]
    assert facts()["drafts_checked"] == 2
    assert content_of(told())["claims"] == {"c1": SAID, "c2": SAID}


def test_tools_and_questions_back_are_counted() -> None:
    assert facts()["tools"] == [{"tool": "search_directory", "phase": "done"}]
    assert facts()["asked_back"] == 1
    assert content_of(told())["asked_back"] == [SAID]


def test_calls_are_summed_by_role_with_their_models_and_prompts() -> None:
    by_role = facts()["model_calls"]
    assert by_role["grader"]["calls"] == 4
    assert by_role["grader"]["tokens"]["input"] == 400
    assert by_role["main"] == {
        "calls": 1,
        "tokens": {"input": 100, "cached_input": 0, "output": 10, "reasoning": 0},
        "cost": 0.01,
        "models": ["large"],
        "prompts": ["answer 2"],
    }


def test_the_route_is_what_was_decided_first_and_taken_last() -> None:
    assert facts()["route"] == {"decided": "single_shot", "confidence": 0.9, "taken": "iterative"}


def test_rewrites_are_there_without_their_words() -> None:
    assert facts()["rewrites"] == [{"pass": 1, "drift": 0.3, "no_progress": True}]


def test_no_word_of_a_person_a_document_or_a_model_is_a_fact() -> None:
    assert SAID not in json.dumps(facts())


def test_a_control_that_could_not_run_keeps_its_reason() -> None:
    relevance = next(c for c in facts()["controls"] if c["control"] == "relevance")
    assert (relevance["outcome"], relevance["reason"]) == ("failed_open", "timeout")


def test_facts_and_content_are_plain_json() -> None:
    everything = events(EXAMPLES)
    for value in (facts(), content_of(told()), facts(everything), content_of(everything)):
        assert json.loads(json.dumps(value)) == value


def test_the_content_holds_what_was_said() -> None:
    content = content_of(told())
    assert (content["question"], content["standalone"], content["answer"]) == (SAID,) * 3
    assert content["queries"] == [SAID, SAID]
    assert content["passages"] == {"c": SAID}


def test_a_turn_that_broke_at_once_still_has_facts() -> None:
    bare = facts([])
    assert (bare["route"], bare["passes"], bare["finished"]) == ({}, [], None)
    assert content_of([])["answer"] == ""


def test_the_claims_of_a_draft_that_was_written_anew_are_gone() -> None:
    """The next draft was checked by nobody, or claims nothing."""
    first = [
        StateDiff(node="check_grounding", changed={"claims": [{"label": SAID}]}),
        Claims(claims=(claim("c1", supported=False),)),
    ]
    anew = StateDiff(node="generate_response", changed={"claims": [], "draft": SAID})
    assert len(facts(events(first))["claims"]) == 1
    told_anew = events([*first, anew])
    assert (facts(told_anew)["claims"], content_of(told_anew)["claims"]) == ([], {})
    assert facts(told_anew)["drafts_checked"] == 1


def test_what_a_floor_dropped_is_not_among_what_was_accepted() -> None:
    kept = StateDiff(node="assess_relevance", changed={"accepted_as": {"a": "UNGRADED"}})
    (one,) = facts(events([search(1, "a", "b"), kept, grades(1, a="UNGRADED", b="UNGRADED")]))[
        "passes"
    ]
    assert one["accepted"] == ["a"]


def test_a_pass_that_accepts_nothing_new_has_what_was_accepted_before() -> None:
    kept = StateDiff(node="assess_relevance", changed={"accepted_as": {"a": "ANSWERS"}})
    again = [search(2, "a", "b"), grades(2, a="ANSWERS", b="UNGRADED")]
    of = events([search(1, "a"), kept, grades(1, a="ANSWERS"), *again])
    assert [one["accepted"] for one in facts(of)["passes"]] == [["a"], ["a"]]
