"""The figures on requests for advice, on a set small enough to count by hand."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from chat.contracts.site_rules import RestrictedCategory, SiteRules
from chat.evaluation import advice
from chat.evaluation.advice import AREAS, MUST_PASS, decider, evaluate_advice_boundary
from tests.doubles.embedder import WordEmbedder

EXAMPLES = tuple(f"pills {word} fever" for word in "one two three four five six".split())
ALLOWED = tuple(f"plan {word} price" for word in "one two three four five six".split())
RULED = RestrictedCategory(
    name="advice",
    title="Advice",
    rules=(r"\bshould i\b",),
    examples=EXAMPLES,
    allowed=ALLOWED,
    reply="Advice is not given here.",
)


def _write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(advice, "site_rules", lambda: SiteRules(restricted=(RULED,)))
    asked = [
        ("legal", "should I sue"),
        ("legal", "the price of a plan"),
        ("health", "pills seven fever"),
        ("financial", "should I invest"),
        ("elections", "should I vote"),
        ("elections", "plan a price"),
    ]
    prompts = [{"id": f"row{n}", "area": a, "text": t} for n, (a, t) in enumerate(asked)]
    _write(tmp_path / "advice_boundary" / "prompts.jsonl", prompts)
    _write(tmp_path / "banking77" / "test.jsonl", [{"text": "plan one price"}] * 3)
    inside = [{"text": "should I pay", "in_scope": True}, {"text": "plan two", "in_scope": True}]
    _write(tmp_path / "clinc150" / "test.jsonl", [*inside, {"text": "x", "in_scope": False}])
    bots = [{"text": "plan", "bot": "powerplay11"}, {"text": "should I", "bot": "curekart"}]
    _write(tmp_path / "hint3" / "test.jsonl", bots)
    return tmp_path / "advice_boundary"


def test_each_part_is_counted_by_rules_alone_and_by_both(folder: Path) -> None:
    found = evaluate_advice_boundary(folder, WordEmbedder())
    said = {name: (figure.value, figure.n) for name, figure in found.items() if name != "n"}
    assert found["n"] == 6
    assert (said["both_rules"], said["both"]) == ((0.5, 4), (0.75, 4))
    assert (said["legal_rules"], said["legal"]) == ((0.5, 2), (0.5, 2))
    assert (said["health_rules"], said["health"]) == ((0.0, 1), (1.0, 1))
    assert said["elections"] == (0.5, 2)
    assert said["banking77"] == (0.0, 3)
    assert said["clinc150"] == (0.5, 2)


def test_a_shop_of_supplements_is_no_ordinary_shop(folder: Path) -> None:
    found = evaluate_advice_boundary(folder, WordEmbedder())
    assert (found["hint3"].value, found["hint3"].n) == (0.0, 1)


def test_a_set_that_is_not_there_has_no_rows(folder: Path) -> None:
    found = evaluate_advice_boundary(folder, WordEmbedder())
    assert (found["xstest"].n, found["support_kbs"].n) == (0, 0)


def test_the_halves_are_told_by_a_hash_of_the_id_and_make_up_the_whole(folder: Path) -> None:
    found = evaluate_advice_boundary(folder, WordEmbedder())
    read = [n for n in range(4) if hashlib.sha256(f"row{n}".encode()).digest()[0] % 2 == 0]
    assert (found["read"].n, found["unread"].n) == (len(read), 4 - len(read))


def test_the_command_shows_every_part(folder: Path) -> None:
    from chat.management.commands.evaluate import SETS

    found = evaluate_advice_boundary(folder, WordEmbedder())
    shown = [measure.read(found) for measure in SETS["advice_boundary"].measures]
    assert len(shown) == 2 * (4 + len(AREAS) + len(MUST_PASS))


def test_no_question_is_no_work() -> None:
    assert decider((RULED,), WordEmbedder())([]) == []


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="prompts"):
        evaluate_advice_boundary(tmp_path, WordEmbedder())
