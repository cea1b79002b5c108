"""The intent figures on sets small enough to check by hand."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from chat.evaluation.intents import BOTS, evaluate_banking77, evaluate_hint3
from tests.doubles.embedder import WordEmbedder

WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
INTENTS = {"REFUND": "give me the refund", "TRACK": "where is the parcel"}


def _write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def _known() -> list[dict[str, Any]]:
    return [
        {"text": f"{said} {word}", "intent": intent}
        for intent, said in INTENTS.items()
        for word in WORDS
    ]


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    marked = [{**row, "in_scope": True} for row in _known()]
    foreign = {"text": "zebra quagga", "intent": "NO_NODES_DETECTED", "in_scope": False}
    asked = [{"text": f"{INTENTS['REFUND']} now", "intent": "REFUND", "in_scope": True}] * 3
    asked += [{"text": f"{INTENTS['TRACK']} now", "intent": "REFUND", "in_scope": True}]
    for name, rows in (("train", [*marked, foreign]), ("test", [*asked, foreign, foreign])):
        _write(tmp_path / f"{name}.jsonl", ({**row, "bot": bot} for bot in BOTS for row in rows))
    return tmp_path


def test_each_bot_has_its_own_figures(bots: Path) -> None:
    found = evaluate_hint3(bots, WordEmbedder())
    assert found["n"] == 18
    for bot in BOTS:
        assert found[bot]["forced"].value == 0.75
        assert found[bot]["accuracy"].n == 4
        assert (found[bot]["recall"].value, found[bot]["recall"].n) == (1, 2)
        assert found[bot]["auroc"].value == 1
        assert 0 < found[bot]["mcc"].value < 1


def test_what_the_threshold_turns_away_counts_as_wrong(bots: Path) -> None:
    found = evaluate_hint3(bots, WordEmbedder())["curekart"]
    assert found["accuracy"].value <= found["forced"].value


def test_banking_is_told_by_its_training_part_alone(tmp_path: Path) -> None:
    _write(tmp_path / "train_40shot.jsonl", _known())
    asked = [{"text": f"{said} please", "intent": intent} for intent, said in INTENTS.items()]
    _write(tmp_path / "test.jsonl", [*asked, {"text": INTENTS["TRACK"], "intent": "REFUND"}])
    found = evaluate_banking77(tmp_path, WordEmbedder())
    assert found["n"] == 3
    assert found["accuracy"].value == pytest.approx(2 / 3)


@pytest.mark.parametrize("evaluate", [evaluate_banking77, evaluate_hint3])
def test_a_missing_file_is_told(evaluate: Any, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="train"):
        evaluate(tmp_path, WordEmbedder())
