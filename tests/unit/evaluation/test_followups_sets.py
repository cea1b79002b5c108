"""The figures on follow-ups, on sets small enough to check by hand, and on the public ones."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from chat.adapters.embeddings import MiniLM
from chat.evaluation.followups import (
    evaluate_alexa_cqr,
    evaluate_canard,
    evaluate_mtrag_rewrites,
    evaluate_trec_cast,
)

LOAN = "What is a long loan?"
ASKED = "how is it renewed?"
FULL = "how is a long loan renewed?"


@pytest.fixture(scope="module")
def embedder() -> MiniLM:
    return MiniLM(threads=1)


def _write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def _rows(question: str, rewrite: str, history: str) -> list[dict[str, Any]]:
    return [
        {question: ASKED, rewrite: FULL, history: [LOAN]},
        {
            question: "where is the reading room?",
            rewrite: "where is the reading room?",
            history: [],
        },
        {question: "Is it possible to pay late?", rewrite: "Can I pay late?", history: [LOAN]},
    ]


@pytest.mark.parametrize(
    ("evaluate", "keys"),
    [
        (evaluate_mtrag_rewrites, ("last_turn", "rewrite", "earlier_user_turns")),
        (evaluate_trec_cast, ("utterance", "resolved", "history")),
    ],
)
def test_a_rewrite_is_held_against_a_copy_and_what_needs_none_is_kept(
    tmp_path: Path, embedder: MiniLM, evaluate: Callable[..., Any], keys: tuple[str, str, str]
) -> None:
    _write(tmp_path / "rewrites.jsonl", _rows(*keys))

    found = evaluate(tmp_path, embedder)

    assert found["n"] == 3
    assert found["bleu"].value > found["copied"].value
    assert (found["unchanged"].value, found["unchanged"].n) == (1.0, 1)


def test_the_words_that_a_question_lacks_are_counted_one_by_one(
    tmp_path: Path, embedder: MiniLM
) -> None:
    history = ["When was Ada Finch born?", "In 1901."]
    rows = [
        {"question": "where did she live?", "rewrite": "where did Ada Finch live?"},
        {"question": "any books?", "rewrite": "Did Ada Finch write any books?"},
        {"question": "where?", "rewrite": "where?"},
    ]
    _write(tmp_path / "dev.jsonl", [{**row, "history": history} for row in rows])

    found = evaluate_canard(tmp_path, embedder)

    assert found["recall"].n == 2
    assert found["recall"].value == pytest.approx(2 / 5)


def test_a_reply_is_merged_and_its_slots_are_looked_for(tmp_path: Path, embedder: MiniLM) -> None:
    said = [
        {"speaker": "assistant", "text": "Hello."},
        {"speaker": "driver", "text": "is it going to rain"},
        {"speaker": "driver", "text": "is it going to rain today"},
        {"speaker": "assistant", "text": "One moment."},
        {"speaker": "assistant", "text": "Where should I look?"},
    ]
    rewrites = ["is it going to rain today in Old Harbour?", "Will it rain in Old Harbour?"]
    row = {"history": said, "utterance": "Old Harbour", "rewrites": rewrites}
    slots = ["Old Harbour", "today"]
    _write(tmp_path / "rewrites.jsonl", [{**row, "gold_slots": slots}, {**row, "gold_slots": None}])

    found = evaluate_alexa_cqr(tmp_path, embedder)

    assert found["bleu"].value == 1.0
    assert found["copied"].value < 0.5
    assert (found["slots"].value, found["slots"].n) == (1.0, 1)
    assert found["copied_slots"].value == 0.5


@pytest.mark.parametrize(
    "evaluate", [evaluate_mtrag_rewrites, evaluate_trec_cast, evaluate_canard, evaluate_alexa_cqr]
)
def test_a_missing_file_is_told(
    tmp_path: Path, embedder: MiniLM, evaluate: Callable[..., Any]
) -> None:
    with pytest.raises(OSError, match="jsonl"):
        evaluate(tmp_path, embedder)


@pytest.mark.slow
@pytest.mark.skipif("EVAL_DATA" not in os.environ, reason="EVAL_DATA names no folder")
def test_on_the_public_sets_a_rewrite_is_worth_more_than_a_copy(embedder: MiniLM) -> None:
    data = Path(os.environ["EVAL_DATA"])
    mtrag = evaluate_mtrag_rewrites(data / "mtrag_rewrites", embedder)
    cast = evaluate_trec_cast(data / "trec_cast", embedder)
    canard = evaluate_canard(data / "canard", embedder)
    alexa = evaluate_alexa_cqr(data / "alexa_cqr", embedder)

    assert mtrag["bleu"].value >= mtrag["copied"].value - 0.005
    assert mtrag["unchanged"].value > 0.93
    assert cast["bleu"].value > cast["copied"].value + 0.04
    assert cast["unchanged"].value > 0.97
    assert canard["bleu"].value > canard["copied"].value + 0.03
    assert alexa["bleu"].value > alexa["copied"].value + 0.14
