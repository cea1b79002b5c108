"""The routing figures on sets small enough to check by hand."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from chat.adapters.route_classifier import Labelled
from chat.contracts.verdicts import Route
from chat.evaluation.routing import evaluate_routing
from tests.doubles.embedder import WordEmbedder

THINGS = ("invoice", "backup", "server", "domain", "card", "ticket", "region", "price")
EXAMPLES: list[Labelled] = [
    *((f"thank you so very much {thing}", Route.DIRECT) for thing in THINGS),
    *((f"where is the {thing} of the account?", Route.SINGLE_SHOT) for thing in THINGS),
    *((f"compare the {thing} and what is cheaper than both", Route.ITERATIVE) for thing in THINGS),
]
TIDY = [
    {"text": "thank you so very much indeed", "route": "direct"},
    {"text": "where is the refund of the account?", "route": "single_shot"},
    {"text": "compare the refund and what is cheaper than both", "route": "iterative"},
    {"text": "where is the owner of the account?", "route": "iterative"},
]


def _write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    openers = ["where is the log of the account?", "hello", "thank you so very much for it"]
    _write(tmp_path / "routing" / "queries.jsonl", TIDY)
    _write(tmp_path / "bare_ids" / "queries.jsonl", [{"query": "thank you so very much E310"}])
    _write(tmp_path / "wands_queries" / "queries.jsonl", [{"text": "thank table"}])
    _write(
        tmp_path / "ubuntu_irc" / "threads.jsonl",
        [{"messages": [{"speaker": "[USER1]", "text": text}]} for text in openers],
    )
    _write(
        tmp_path / "hint3" / "test.jsonl",
        [
            {"text": "thank table", "in_scope": False},
            {"text": "hi", "in_scope": False},
            {"text": "thank you so very much indeed", "in_scope": False},
            {"text": "thank me", "in_scope": True},
        ],
    )
    return tmp_path / "routing"


@pytest.fixture
def found(folder: Path) -> dict[str, Any]:
    return evaluate_routing(folder, WordEmbedder(), EXAMPLES)


def test_tidy_queries_are_held_against_their_labels(found: dict[str, Any]) -> None:
    tidy = found["tidy"]
    assert found["n"] == 4
    assert tidy["accuracy"].value == 0.75
    assert tidy["below"].value == 0.25
    assert tidy["above"].value == 0
    assert tidy["macro_f1"].value == pytest.approx((1 + 2 / 3 + 2 / 3) / 3)


def test_the_sure_and_the_fairly_sure_are_every_guess_but_the_unsure(
    found: dict[str, Any],
) -> None:
    tidy = found["tidy"]
    assert tidy["right_when_sure"].n + tidy["right_when_fair"].n <= 4
    assert tidy["guessed"].n == 4


def test_what_must_be_looked_up_is_counted_apart_and_never_goes_direct(
    found: dict[str, Any],
) -> None:
    ugly = found["ugly"]
    assert (ugly["ids_direct"].value, ugly["ids_direct"].n) == (0, 1)
    assert (ugly["searches_direct"].value, ugly["searches_direct"].n) == (0, 1)
    assert ugly["below"].value == 0
    assert ugly["accuracy"].n == 2


def test_greetings_are_left_out_as_they_never_come_to_the_router(found: dict[str, Any]) -> None:
    assert found["ugly"]["openers_direct"].n == 2
    assert found["ugly"]["fragments_direct"].n == 1


def test_the_shares_of_a_set_sum_to_one(found: dict[str, Any]) -> None:
    for name in ("openers", "fragments"):
        shares = [found["ugly"][f"{name}_{level}"].value for level in list(Route)[:3]]
        assert math.isclose(sum(shares), 1)


def test_a_missing_set_beside_it_is_told(folder: Path) -> None:
    (folder.parent / "hint3" / "test.jsonl").unlink()
    with pytest.raises(OSError, match="hint3"):
        evaluate_routing(folder, WordEmbedder(), EXAMPLES)
