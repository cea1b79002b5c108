"""Where two turns part, each line says what the other does not."""

from __future__ import annotations

from admin_tracing.beside_parting import OVER, told
from chat.contracts.events import ModelCall, Retrieval, StateDiff, Verdicts
from tests.traces import one_search, refund_with_one_rewrite


def search(*chunks: str, ms: float = 10) -> Retrieval:
    (found,) = (e.body for e in one_search(len(chunks)) if isinstance(e.body, Retrieval))
    hits = [
        hit.model_copy(update={"chunk": chunk})
        for hit, chunk in zip(found.hits, chunks, strict=True)
    ]
    return found.model_copy(update={"hits": hits, "ms": ms})


def test_searches_with_other_counts_are_told_by_their_counts():
    left, right = told(search("a#1"), search("a#1", "a#2"))
    assert left.startswith("1 of") and right.startswith("2 of")
    assert "a#" not in left + right


def test_searches_with_equal_counts_name_their_chunks_from_where_they_differ():
    left, right = told(search("a#1", "a#2", "a#3"), search("a#1", "a#3", "a#2", ms=99))
    assert left.endswith("from place 2 on a#2, a#3")
    assert right.endswith("from place 2 on a#3, a#2")


def test_a_long_list_is_cut():
    ours, theirs = [f"a#{n}" for n in range(6)], [f"b#{n}" for n in range(6)]
    left, _ = told(search(*ours), search(*theirs))
    assert left.endswith("from place 1 on a#0, a#1, a#2 and 3 more")


def test_verdicts_with_equal_counts_name_whose_grade_differs():
    (first, *_) = (e.body for e in one_search(2) if isinstance(e.body, Verdicts))
    turned = [
        chunk.model_copy(update={"label": other.label})
        for chunk, other in zip(first.chunks, first.chunks[::-1], strict=True)
    ]
    left, right = told(first, first.model_copy(update={"chunks": turned}))
    assert left != right
    assert "refunds#section-0 answers" in left and "refunds#section-0 irrelevant" in right


def test_calls_with_the_same_outcome_name_their_prompts():
    call = next(e.body for e in refund_with_one_rewrite() if isinstance(e.body, ModelCall))
    other = call.model_copy(update={"prompt_version": "answer-9"})
    assert told(call, other)[1].endswith("prompt answer-9")


def test_changes_of_the_same_fields_name_those_that_came_out_otherwise():
    one = StateDiff(node="plan", changed={"items": ["a"], "mode": "standard"})
    other = StateDiff(node="plan", changed={"items": ["b"], "mode": "standard"})
    assert all(line.endswith("otherwise: items") for line in told(one, other))


def test_a_turn_that_is_over_says_so():
    assert told(search("a#1"), None)[1] == OVER
