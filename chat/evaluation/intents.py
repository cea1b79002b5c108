"""How well the topic classifier's code does on real and on fine intents: HINT3 and BANKING77.

As on clinc150, the classifier is the product's own, trained on each set's training part alone.
HINT3 holds what people typed to three shop and game bots, more than half of it out of scope, so it
is the ugly counterpart of the other two.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from chat.adapters.embeddings import Embedder, MiniLM
from chat.adapters.offline.scope import train
from chat.evaluation.figures import Places, mcc, resampled, share
from chat.evaluation.metrics import auroc, rows
from chat.evaluation.scope import threshold

BOTS = ("curekart", "powerplay11", "sofmattress")
FOREIGN = "out of scope"


def evaluate_banking77(folder: Path, embedder: Embedder | None = None) -> dict[str, Any]:
    """`{"n", "accuracy"}` over 77 intents, trained on 40 texts each. Raises OSError.

    `folder` holds `train_40shot.jsonl` and `test.jsonl`.
    """
    embedder = embedder or MiniLM()
    known, asked = rows(folder / "train_40shot.jsonl"), rows(folder / "test.jsonl")
    vectors = embedder.embed([row["text"] for row in known])
    classifier = train(vectors, [row["intent"] for row in known])
    said = classifier.best(embedder.embed([row["text"] for row in asked]))
    hits = [intent == row["intent"] for intent, row in zip(said, asked, strict=True)]
    return {"n": len(asked), "accuracy": share(hits)}


def evaluate_hint3(folder: Path, embedder: Embedder | None = None) -> dict[str, Any]:
    """Figures a bot: `{"n", bot: {"accuracy", "forced", "recall", "mcc", "auroc"}}`.

    `accuracy` counts a question in scope as wrong that the threshold turns away, `forced` is
    without a threshold, `recall` is of what is out of scope. Raises OSError. `folder` holds
    `train.jsonl` and `test.jsonl`.
    """
    embedder = embedder or MiniLM()
    known, asked = rows(folder / "train.jsonl"), rows(folder / "test.jsonl")
    found: dict[str, Any] = {"n": len(asked)}
    for bot in BOTS:
        mine = [row for row in known if row["bot"] == bot and row["in_scope"]]
        found[bot] = _bot(mine, [row for row in asked if row["bot"] == bot], embedder)
    return found


def _bot(known: list[dict[str, Any]], asked: list[dict[str, Any]], embedder: Embedder) -> Any:
    vectors = embedder.embed([row["text"] for row in known])
    tested = embedder.embed([row["text"] for row in asked])
    intents = [row["intent"] for row in known]
    classifier = train(vectors, intents)
    scores, best = classifier.scope(tested), classifier.best(tested)
    inside = np.array([row["in_scope"] for row in asked])
    kept = scores >= threshold(vectors, intents)
    said = np.where(kept, best, FOREIGN)
    true = np.array([row["intent"] if row["in_scope"] else FOREIGN for row in asked])

    def agreement(drawn: Places) -> float:
        return mcc(said[drawn].tolist(), true[drawn].tolist())

    return {
        "accuracy": share((said == true)[inside]),
        "forced": share((np.array(best) == true)[inside]),
        "recall": share(~kept[~inside]),
        "mcc": resampled(agreement, len(asked)),
        "auroc": resampled(lambda drawn: auroc(inside[drawn].tolist(), scores[drawn]), len(asked)),
    }
