"""Questions and passages as the rules see them: words, weights, vectors, kept while in use.

A passage is read once and kept by its text; vectors of sentences and words are kept by their
text too, so that six gradings of one search, and the next search, embed little that is new.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from chat.adapters.offline.calming import calmed
from chat.adapters.offline.corpus import Documents, Embedder, Vectors
from chat.adapters.offline.expectation import Kind, expected
from chat.adapters.offline.spelling import Speller, english_words
from chat.adapters.offline.text import Sentence, content, meant, sentences, spelt_out, stem
from chat.contracts.passages import Passage

KEPT_VECTORS = 20_000  # of 384 numbers: about 30 MB
KEPT_PASSAGES = 1_024
KEPT_QUESTIONS = 64

UNRELATED, SAME = 0.4, 0.8  # cosines of two words that count as nothing and as the same word


class Memory:
    """An embedder that remembers its latest texts; safe to share between threads."""

    def __init__(self, embedder: Embedder, kept: int = KEPT_VECTORS) -> None:
        self._embedder = embedder
        self._kept = kept
        self._rows: OrderedDict[str, Vectors] = OrderedDict()
        self._lock = threading.Lock()

    def rows(self, texts: Sequence[str]) -> Vectors:
        """Rows of length 1, shape (len(texts), dimensions); at least one text."""
        known = self._known(texts)
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if new:
            known |= zip(new, self._embedder.embed(new), strict=True)
            self._keep(known, new)
        return np.stack([known[text] for text in texts])

    def row(self, text: str) -> Vectors:
        """The vector of one text, shape (dimensions,)."""
        found: Vectors = self.rows((text,))[0]
        return found

    def _known(self, texts: Sequence[str]) -> dict[str, Vectors]:
        with self._lock:
            known = {text: self._rows[text] for text in texts if text in self._rows}
            for text in known:
                self._rows.move_to_end(text)
            return known

    def _keep(self, known: dict[str, Vectors], new: Sequence[str]) -> None:
        with self._lock:
            self._rows.update((text, np.array(known[text])) for text in new)
            while len(self._rows) > self._kept:
                self._rows.popitem(last=False)


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its slips mended. `weights` (0 to 1) say how rare each of `words` is."""

    text: str
    vector: Vectors
    words: tuple[str, ...]
    weights: Vectors
    kinds: frozenset[Kind]


@dataclass(frozen=True, slots=True)
class Read:
    """A passage: its sentences with a row of `vectors` each, and its words and stems.

    `whole` is the vector of title, heading and text; `title` that of the title alone.
    """

    passage: Passage
    sentences: tuple[Sentence, ...]
    vectors: Vectors
    whole: Vectors
    title: Vectors | None
    words: tuple[str, ...]
    stems: frozenset[str]


class Reader:
    """Reads questions and passages against one state of the documents."""

    def __init__(self, memory: Memory, documents: Documents) -> None:
        self.memory = memory
        self.rarity = documents.rarity
        self._speller = Speller(documents.vocabulary.keys(), english_words())
        self.question = lru_cache(KEPT_QUESTIONS)(lambda text: self._question(calmed(text)))
        self.statement = lru_cache(KEPT_QUESTIONS)(self._question)
        self.passage = lru_cache(KEPT_PASSAGES)(self._passage)

    def mended(self, text: str) -> str:
        """The text in full spelling, its slips mended."""
        return self._speller.mended(spelt_out(text))

    def coverage(self, question: Question, read: Read) -> Vectors:
        """How well the passage holds each word of the question, 0 to 1: itself, or one near it."""
        held = np.array([stem(word) in read.stems for word in question.words], dtype=np.float32)
        absent = [word for word, there in zip(question.words, held, strict=True) if not there]
        if absent and read.words:
            cosines = self.memory.rows(absent) @ self.memory.rows(read.words).T
            near = (cosines.max(axis=1) - UNRELATED) / (SAME - UNRELATED)
            held[held == 0] = 0.9 * np.clip(near, 0, 1)
        return held

    def _question(self, text: str) -> Question:
        mended = self.mended(text)
        words = tuple(meant(mended))
        weights = np.array([self.rarity(stem(word)) for word in words], dtype=np.float32)
        return Question(mended, self.memory.row(mended), words, weights, expected(mended))

    def _passage(self, passage: Passage) -> Read:
        found = sentences(passage.text) or (Sentence(passage.text),)
        whole = "\n".join(filter(None, (passage.title, passage.heading, passage.text)))
        words = tuple(dict.fromkeys(content(whole)))
        return Read(
            passage=passage,
            sentences=found,
            vectors=self.memory.rows([sentence.text for sentence in found]),
            whole=self.memory.row(whole),
            title=self.memory.row(passage.title) if passage.title else None,
            words=words,
            stems=frozenset(map(stem, words)),
        )
