"""How well the topic classifier's code tells 150 intents apart and keeps foreign questions out.

The classifier is the product's own, trained here on the set's small training part. Questions
that are out of scope take no part in the training; their score alone has to give them away.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from chat.adapters.embeddings import Embedder, MiniLM
from chat.adapters.offline.corpus import Vectors
from chat.adapters.offline.scope import train
from chat.evaluation.figures import resampled, share
from chat.evaluation.metrics import auroc, rows

OUT_OF_SCOPE = "oos"
FOLDS = 5  # one of them is held out to find the threshold
KEPT = 0.95  # of held-out questions in scope stays above the threshold
QUICK = 100  # steps of the training that only serves the threshold


def evaluate_clinc150(folder: Path, embedder: Embedder | None = None) -> dict[str, Any]:
    """Accuracy in scope, AUROC of the scope score, and what the threshold keeps and catches.

    `folder` holds `train_small.jsonl` and `test.jsonl`. Gives `{"n", "accuracy", "auroc",
    "kept", "recall_out_of_scope"}`, each but `n` a `Figure` from 0 to 1. Raises OSError when a
    file is missing.
    """
    embedder = embedder or MiniLM()
    known = [row for row in rows(folder / "train_small.jsonl") if row["intent"] != OUT_OF_SCOPE]
    asked = rows(folder / "test.jsonl")
    vectors = embedder.embed([row["text"] for row in known])
    intents = [row["intent"] for row in known]
    tested = embedder.embed([row["text"] for row in asked])
    inside = np.array([row["in_scope"] for row in asked])
    classifier = train(vectors, intents)
    said = classifier.best(tested[inside])
    true = [row["intent"] for row in asked if row["in_scope"]]
    scores = classifier.scope(tested)
    least = threshold(vectors, intents)
    return {
        "n": len(asked),
        "accuracy": share([a == b for a, b in zip(said, true, strict=True)]),
        "auroc": resampled(lambda drawn: auroc(inside[drawn].tolist(), scores[drawn]), len(asked)),
        "kept": share(scores[inside] >= least),
        "recall_out_of_scope": share(scores[~inside] < least),
    }


def threshold(vectors: Vectors, intents: Sequence[str]) -> float:
    """The score that most questions in scope reach which the classifier has not seen."""
    held_out = np.arange(len(intents)) % FOLDS == 0
    seen = [intent for intent, out in zip(intents, held_out, strict=True) if not out]
    classifier = train(vectors[~held_out], seen, steps=QUICK)
    return float(np.quantile(classifier.scope(vectors[held_out]), 1 - KEPT))
