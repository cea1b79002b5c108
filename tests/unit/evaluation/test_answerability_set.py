"""The answerability figures on three passages of a made-up set."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chat.evaluation.answerability import evaluate_clapnq

PASSAGES: list[dict[str, Any]] = [
    {
        "id": "heron",
        "title": "Heron Tower",
        "sentences": ["Heron Tower was finished in 1904 .", "It was built by Ada Finch ."],
    },
    {
        "id": "market",
        "title": "Heron Market",
        "sentences": ["The market opens on Fridays .", "Fish is sold at its north end ."],
    },
    {
        "id": "bridge",
        "title": "Heron Bridge",
        "sentences": ["The bridge is painted green .", "It was closed to carts long ago ."],
    },
]
QUESTIONS = [
    {"question": "when was heron tower finished", "passage": "heron", "answerable": True},
    {"question": "where is fish sold at heron market", "passage": "market", "answerable": True},
    {"question": "how many lamps does heron bridge have", "passage": "bridge", "answerable": False},
    {"question": "who wrote a song of heron market", "passage": "market", "answerable": False},
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, rows in (("passages", PASSAGES), ("questions", QUESTIONS)):
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (tmp_path / f"{name}.jsonl").write_text(text, "utf-8")
    return tmp_path


def test_answers_score_above_near_misses(folder: Path) -> None:
    found = evaluate_clapnq(folder)

    assert found["n"] == 4
    assert found["auroc"] == 1
    assert 0 <= found["auroc_of_cosine"] <= 1
    assert found["recall"] == 1


def test_the_same_folder_gives_the_same_figures(folder: Path) -> None:
    assert evaluate_clapnq(folder) == evaluate_clapnq(folder)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"passages\.jsonl"):
        evaluate_clapnq(tmp_path)
