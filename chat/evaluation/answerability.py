"""How well the offline model's grade tells passages that answer a question from near misses."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from chat.adapters.embeddings import DIMENSIONS, Embedder, MiniLM
from chat.adapters.llm_offline import OfflineModel
from chat.adapters.offline.corpus import Documents
from chat.contracts.passages import Passage
from chat.contracts.verdicts import Grade, GradeLabel
from chat.evaluation.metrics import auroc, rows


@dataclass(frozen=True)
class _Fixed:
    """The set's passages as a corpus, and no examples of what is on topic."""

    passages: Sequence[Passage]
    on_topic: tuple[str, ...] = ()
    off_topic: tuple[str, ...] = ()

    def documents(self) -> Documents:
        """The words of all passages; their vectors are not needed for a grade."""
        return Documents(
            stamp="clapnq",
            headings=tuple(passage.title for passage in self.passages),
            texts=tuple(passage.text for passage in self.passages),
            vectors=np.empty((0, DIMENSIONS), dtype=np.float32),
        )


def evaluate_clapnq(folder: Path, embedder: Embedder | None = None) -> dict[str, Any]:
    """AUROC of the grade's score on (question, passage) pairs, and what ANSWERS lets through.

    `folder` holds `questions.jsonl` and `passages.jsonl`. Gives `{"n", "auroc",
    "auroc_of_cosine", "recall", "precision"}`; recall and precision are those of the label
    ANSWERS. Raises OSError when a file is missing.
    """
    embedder = embedder or MiniLM()
    passages = {row["id"]: _passage(row) for row in rows(folder / "passages.jsonl")}
    pairs = [
        (row["question"], passages[row["passage"]], bool(row["answerable"]))
        for row in rows(folder / "questions.jsonl")
    ]
    fixed = _Fixed(tuple(passages.values()))
    grades = asyncio.run(_grades(OfflineModel(embedder, fixed, fixed), pairs))
    true = [answerable for _, _, answerable in pairs]
    return {
        "n": len(pairs),
        "auroc": auroc(true, [grade.score or 0.0 for grade in grades]),
        "auroc_of_cosine": auroc(true, _cosines(embedder, pairs)),
        **_precision_and_recall(true, [grade.label is GradeLabel.ANSWERS for grade in grades]),
    }


Pairs = Sequence[tuple[str, Passage, bool]]


async def _grades(model: OfflineModel, pairs: Pairs) -> list[Grade]:
    return [(await model.grade(question, passage)).value for question, passage, _ in pairs]


def _cosines(embedder: Embedder, pairs: Pairs) -> list[float]:
    """The cosine of each question to its passage's title and text, the plainest grader."""
    questions = embedder.embed([question for question, _, _ in pairs])
    texts = embedder.embed([f"{passage.title}\n{passage.text}" for _, passage, _ in pairs])
    cosines: list[float] = (questions * texts).sum(axis=1).tolist()
    return cosines


def _precision_and_recall(true: Sequence[bool], said: Sequence[bool]) -> dict[str, float]:
    right = sum(a and b for a, b in zip(true, said, strict=True))
    return {"recall": right / max(1, sum(true)), "precision": right / max(1, sum(said))}


def _passage(row: dict[str, Any]) -> Passage:
    text = " ".join(row["sentences"])
    return Passage(chunk=row["id"], document=row["id"], version=1, title=row["title"], text=text)
