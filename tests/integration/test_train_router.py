"""`manage.py train_router`: what it learns from, what it prints, and what a server then uses."""

from __future__ import annotations

import asyncio
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from chat import wiring
from chat.adapters.embeddings import EmbeddingFailed
from chat.adapters.router import EmbeddingRouter
from chat.contracts.verdicts import Route
from chat.guardrails.routes import LEVELS
from chat.management.commands.train_router import label_from, read_labels, together
from chat.models import TrainedRouter
from chat.sample.loader import examples
from tests.doubles.embedder import WordEmbedder

pytestmark = pytest.mark.django_db

SHIPPED = examples().routes.labelled


@pytest.fixture(autouse=True)
def embedder(monkeypatch: pytest.MonkeyPatch) -> WordEmbedder:
    found = WordEmbedder()
    monkeypatch.setattr(wiring, "embedder", lambda: found)
    return found


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "labels.jsonl"


def train(*args: object) -> str:
    out = io.StringIO()
    call_command("train_router", *map(str, args), stdout=out)
    return out.getvalue()


def write(path: Path, *rows: object) -> Path:
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def test_the_shipped_examples_alone_make_a_router(embedder: WordEmbedder) -> None:
    out = train()
    row = TrainedRouter.objects.get()
    assert (row.embedder, row.examples, row.labels) == (embedder.name, len(SHIPPED), 0)
    assert 0.6 < row.accuracy < 1
    assert f"{len(SHIPPED)} shipped examples, 0 labelled" in out
    assert f"Stored as {row}" in out


def test_figures_stand_overall_and_for_tidy_and_ugly_queries_apart() -> None:
    out = train()
    for what in ("right", "routed below the label"):
        lines = re.findall(rf"^{what}(?:, (?:tidy|ugly))? {{2,}}.* (\d+)$", out, re.MULTILINE)
        whole, tidy, ugly = map(int, lines)
        assert whole == tidy + ugly == len(SHIPPED)
        assert ugly > 50
    assert "right, by the nearest centroid" in out


def test_the_confusion_table_holds_every_example() -> None:
    rows = {
        line.split()[0]: [int(cell) for cell in line.split()[1:]]
        for line in train().splitlines()
        if line.startswith(tuple(LEVELS)) and "said" not in line
    }
    counts = {level: sum(route is level for _, route in SHIPPED) for level in LEVELS}
    assert {level: sum(rows[level]) for level in LEVELS} == counts


def test_labels_are_learnt_with_the_examples(file: Path) -> None:
    write(file, *({"text": f"zebra quagga {n}", "route": "iterative"} for n in range(10)), "")
    train("--labels", file)
    row = TrainedRouter.objects.get()
    assert (row.examples, row.labels) == (len(SHIPPED) + 10, 10)


def test_a_server_uses_the_stored_weights(file: Path, embedder: WordEmbedder) -> None:
    write(file, *({"text": f"zebra quagga {n}", "route": "iterative"} for n in range(30)))
    train("--labels", file)
    row = TrainedRouter.newest(embedder.name)
    assert row is not None
    trained = EmbeddingRouter(embedder, SHIPPED, lambda: row.weights)
    assert asyncio.run(trained.route("zebra quagga")).route is Route.ITERATIVE


def test_the_newest_of_the_same_embedder_counts(embedder: WordEmbedder) -> None:
    train()
    train()
    TrainedRouter.objects.create(embedder="another", weights={}, examples=1, accuracy=1)
    newest = TrainedRouter.newest(embedder.name)
    assert newest is not None
    assert newest.pk == sorted(TrainedRouter.objects.values_list("pk", flat=True))[1]
    assert TrainedRouter.newest("a third") is None


def test_a_label_replaces_the_example_with_the_same_words() -> None:
    query, route = SHIPPED[0]
    other = next(level for level in LEVELS if level is not route)
    learnt = together(SHIPPED, [(f"  {query.upper()} ", other)])
    assert len(learnt) == len(SHIPPED)
    assert (query, route) not in learnt


def test_of_a_query_that_is_labelled_twice_the_last_label_counts(file: Path) -> None:
    write(file, {"text": "My Query", "route": "direct"}, {"text": "my query", "route": "iterative"})
    assert read_labels(file) == [("my query", Route.ITERATIVE)]


def test_fields_besides_the_two_are_let_be() -> None:
    assert label_from('{"text": " a b ", "route": "direct", "by": 3}') == ("a b", Route.DIRECT)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{text: 1}", "it is not JSON."),
        ("[1, 2]", "it is not a JSON object."),
        ('"single_shot"', "it is not a JSON object."),
        ({"route": "direct"}, '"text" is missing or empty.'),
        ({"text": "  ", "route": "direct"}, '"text" is missing or empty.'),
        ({"text": 7, "route": "direct"}, '"text" is missing or empty.'),
        ({"text": "a"}, '"route" is null; there are direct, single_shot, iterative.'),
        ({"text": "a", "route": "crisis"}, '"route" is "crisis"; there are'),
        ({"text": "a", "route": ["direct"]}, '"route" is ["direct"]; there are'),
    ],
)
def test_a_line_that_cannot_be_used_is_named_and_nothing_is_trained(
    file: Path, line: Any, why: str
) -> None:
    write(file, {"text": "fine", "route": "direct"}, "", line)
    with pytest.raises(CommandError, match=re.escape(f"line 3: {why}")):
        train("--labels", file)
    assert not TrainedRouter.objects.exists()


def test_a_file_that_is_not_there_is_named(file: Path) -> None:
    with pytest.raises(CommandError, match=r"labels\.jsonl cannot be read"):
        train("--labels", file)


def test_a_file_without_a_label_is_told(file: Path) -> None:
    write(file, "", "")
    with pytest.raises(CommandError, match="holds no label"):
        train("--labels", file)


def test_a_file_in_another_encoding_is_told(file: Path) -> None:
    file.write_bytes('{"text": "é", "route": "direct"}'.encode("latin-1"))
    with pytest.raises(CommandError, match="not UTF-8"):
        train("--labels", file)


def test_an_embedder_that_does_not_answer_is_told(embedder: WordEmbedder) -> None:
    embedder.fails = EmbeddingFailed()
    with pytest.raises(CommandError, match=r"Stopped: .*search model"):
        train()
    assert not TrainedRouter.objects.exists()
