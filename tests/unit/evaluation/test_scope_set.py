"""The scope figures on a set small enough to check by hand."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from chat.adapters.offline.corpus import Vectors
from chat.evaluation.scope import evaluate_clinc150

AXES = ("loan", "room", "card", "rain")


class Axes:
    """One axis a word, and a little of the text's length; texts of one word are one direction."""

    name = "axes"

    def embed(self, texts: Sequence[str]) -> Vectors:
        found = np.array([[word in text for word in AXES] for text in texts], dtype=np.float32)
        found = np.hstack((found, np.array([[len(text) / 200] for text in texts], np.float32)))
        unit: Vectors = (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)
        return unit


def _write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    intents = AXES[:3]
    train = [{"text": f"{i} {'x' * n}", "intent": i} for i in intents for n in range(20)]
    train += [{"text": f"rain {'x' * n}", "intent": "oos"} for n in range(5)]
    test = [{"text": f"the {i}", "intent": i, "in_scope": True} for i in intents for _ in range(5)]
    test += [{"text": "rain", "intent": "oos", "in_scope": False}] * 4
    _write(tmp_path / "train_small.jsonl", train)
    _write(tmp_path / "test.jsonl", test)
    return tmp_path


def test_clear_intents_are_told_and_a_foreign_one_is_caught(folder: Path) -> None:
    found = evaluate_clinc150(folder, Axes())
    assert found.pop("n") == 19
    assert {name: (figure.value, figure.n) for name, figure in found.items()} == {
        "accuracy": (1.0, 15),
        "auroc": (1.0, 19),
        "kept": (1.0, 15),
        "recall_out_of_scope": (1.0, 4),
    }


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="train_small"):
        evaluate_clinc150(tmp_path, Axes())
