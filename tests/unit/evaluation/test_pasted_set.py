"""The figures on pasted documents, on a set small enough to check by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chat.evaluation.pasted import evaluate_doc_paste

SENTENCE = "The tenant pays the rent on the first day of the month. "
ROWS = (
    ("# Rent\n\n" + SENTENCE * 8, "document"),
    (SENTENCE * 8, "document"),
    ("I lost my site and I need it back. " * 20, "message"),
    ("How long does a refund take?", "message"),
    ("Why was my card charged twice?", "message"),
)


def _write(folder: Path, rows: tuple[tuple[str, str], ...]) -> Path:
    lines = [json.dumps({"text": text, "label": label}) for text, label in rows]
    (folder / "texts.jsonl").write_text("\n".join(lines), "utf-8")
    return folder


def test_balanced_accuracy_weighs_both_kinds_alike(tmp_path: Path) -> None:
    found = evaluate_doc_paste(_write(tmp_path, ROWS))

    assert found["n"] == 5
    assert found["balanced"].value == pytest.approx((0.5 + 1) / 2)
    assert found["balanced"].low <= 0.75 <= found["balanced"].high
    assert (found["documents"].value, found["documents"].n) == (0.5, 2)
    assert (found["messages"].value, found["messages"].n) == (0, 3)


def test_one_kind_alone_has_no_balance(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="both"):
        evaluate_doc_paste(_write(tmp_path, ROWS[:1]))


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="texts"):
        evaluate_doc_paste(tmp_path)
