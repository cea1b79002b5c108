"""The figures on asking back, on a set small enough to check by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chat.evaluation.ambiguity import evaluate_ambiguity

EARLIER = [{"speaker": "user", "text": "How do refunds work?"}]
ROWS: tuple[tuple[str, list[Any], str], ...] = (
    ("help", [], "UNDERSPECIFIED"),
    ("when was the product launched?", [], "UNDERSPECIFIED"),
    ("refund times", [], "ANSWERABLE"),
    ("how does it work?", EARLIER, "ANSWERABLE"),
    ("I have a problem", [], "PARTIAL"),
    ("is it safe?", [], "UNANSWERABLE"),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    keys = ("question", "history", "answerability")
    rows = [json.dumps(dict(zip(keys, row, strict=True))) for row in ROWS]
    (tmp_path / "tasks.jsonl").write_text("\n".join(rows), "utf-8")
    return tmp_path


def test_asking_too_much_and_asking_where_needed_are_counted_apart(folder: Path) -> None:
    found = evaluate_ambiguity(folder)

    assert found["n"] == 6
    assert (found["over_asking"].value, found["over_asking"].n) == (0.25, 4)
    assert (found["recall"].value, found["recall"].n) == (0.5, 2)


def test_what_code_cannot_say_is_left_to_a_model_and_counted(folder: Path) -> None:
    assert evaluate_ambiguity(folder)["undecided"].value == pytest.approx(1 / 6)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="tasks"):
        evaluate_ambiguity(tmp_path)
