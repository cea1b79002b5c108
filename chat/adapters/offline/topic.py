"""Is a question ours? By its likeness to shipped examples and its nearness to the documents.

Three things are added with fixed weights: a classifier's margin between on-topic and off-topic
examples, the cosine to the nearest headings and passages, and the share of the question's words
that the documents know, or that several on-topic examples say. A false rejection costs a
question, a false acceptance only a search that finds nothing, so an unsure verdict is never a
sure rejection.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from chat.adapters.offline.corpus import Documents, Vectors
from chat.adapters.offline.reading import Memory, Question
from chat.adapters.offline.scope import Classifier, train
from chat.adapters.offline.text import spelt_out, stem, stems
from chat.contracts.verdicts import Level, TopicLabel, TopicVerdict

ON, OFF = "on topic", "off topic"

# Logistic regression on out-of-fold values for the sample's examples gave 0.83, 7.8, 4.1 and
# -5.1; five-fold AUROC on those examples 0.985, against 0.959 for the classifier alone.
MARGIN, NEARNESS, KNOWN, BASE = 0.8, 8.0, 4.0, -5.0
NEAREST = 3

REJECTED = 0.25  # scores below are off topic
SURELY, FAIRLY = 0.1, 0.2  # below these a rejection is sure, or fairly so
HIGH, MEDIUM = 0.8, 0.5  # least scores of a sure and of a fair acceptance


class Examples(Protocol):
    """What the topic is learnt from. Either list may be empty."""

    @property
    def on_topic(self) -> Sequence[str]: ...

    @property
    def off_topic(self) -> Sequence[str]: ...


class TopicJudge:
    """The verdict on a question, for one state of the documents."""

    def __init__(self, memory: Memory, examples: Examples, documents: Documents) -> None:
        headings = [heading for heading in dict.fromkeys(documents.headings) if heading]
        self._rarity = documents.rarity
        self._ours = _said_of_ours(examples)
        self._near = _stacked(documents.vectors, memory, headings)
        on_topic = [*map(spelt_out, examples.on_topic), *headings]
        self._classifier = _classifier(memory, on_topic, [*map(spelt_out, examples.off_topic)])

    def verdict(self, question: Question) -> TopicVerdict:
        """RELEVANT or IRRELEVANT with a score from 0 to 1, higher for more on topic."""
        margin, known = self._margin(question), self._known(question)
        nearness = self._nearness(question)
        total = MARGIN * margin + NEARNESS * nearness + KNOWN * known + BASE
        score = 1 / (1 + float(np.exp(-total)))
        label = TopicLabel.IRRELEVANT if score < REJECTED else TopicLabel.RELEVANT
        reason = f"examples {margin:+.1f}, nearness {nearness:.2f}, known words {known:.0%}"
        # A lone word says too little to be turned away for: it is searched.
        too_little = label is TopicLabel.IRRELEVANT and len(question.text.split()) < 2
        level = Level.LOW if too_little else _level(score)
        return TopicVerdict(label=label, confidence=level, score=score, reason=reason)

    def _margin(self, question: Question) -> float:
        if self._classifier is None:
            return 0.0
        logits = self._classifier.logits(question.vector[None, :])[0]
        by_label = dict(zip(self._classifier.labels, logits.tolist(), strict=True))
        return float(by_label[ON] - by_label[OFF])

    def _nearness(self, question: Question) -> float:
        """The mean cosine to the nearest few headings and passages; 0 without documents."""
        if not len(self._near):
            return 0.0
        cosines = np.sort(self._near @ question.vector)
        return max(0.0, float(cosines[-NEAREST:].mean()))

    def _known(self, question: Question) -> float:
        if not question.words:
            return 0.5
        roots = map(stem, question.words)
        known = [root in self._rarity or root in self._ours for root in roots]
        return sum(known) / len(known)


def _said_of_ours(examples: Examples) -> frozenset[str]:
    """Words of two or more on-topic examples and of no other: a table may answer what no document
    speaks of. A word of one example may be any town's name.
    """
    counted = Counter(root for text in examples.on_topic for root in stems(text))
    return frozenset(root for root, count in counted.items() if count > 1) - stems(
        " ".join(examples.off_topic)
    )


def _stacked(vectors: Vectors, memory: Memory, headings: Sequence[str]) -> Vectors:
    if not headings:
        return vectors
    rows = memory.rows(headings)
    return np.vstack((vectors, rows)) if len(vectors) else rows


def _classifier(memory: Memory, on: Sequence[str], off: Sequence[str]) -> Classifier | None:
    """None when one side has no example: then the documents alone decide."""
    if not on or not off:
        return None
    return train(memory.rows([*on, *off]), [ON] * len(on) + [OFF] * len(off))


def _level(score: float) -> Level:
    if score < SURELY or score >= HIGH:
        return Level.HIGH
    return Level.MEDIUM if score < FAIRLY or score >= MEDIUM else Level.LOW
