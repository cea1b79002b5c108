"""What is read once is kept, and what is kept is bounded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from chat.adapters.offline.corpus import Vectors
from chat.adapters.offline.reading import Memory, Reader
from tests.unit.adapters.offline import library


@dataclass
class Counting:
    """An embedder that remembers what it was asked for."""

    asked: list[str] = field(default_factory=list)

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        return np.array([[len(text), 1] for text in texts], dtype=np.float32)


def test_a_text_is_embedded_once() -> None:
    embedder = Counting()
    memory = Memory(embedder)

    first = memory.rows(("loan", "card", "loan"))
    again = memory.rows(("card", "loan"))

    assert embedder.asked == ["loan", "card"]
    assert first[[1, 0]].tolist() == again.tolist()


def test_the_text_that_was_used_longest_ago_is_forgotten_first() -> None:
    embedder = Counting()
    memory = Memory(embedder, kept=2)
    for text in ("loan", "card", "loan", "room", "loan", "card"):
        memory.row(text)

    assert embedder.asked == ["loan", "card", "room", "card"]


def test_more_texts_than_are_kept_still_have_their_rows() -> None:
    assert Memory(Counting(), kept=1).rows(("a", "bb", "ccc"))[:, 0].tolist() == [1, 2, 3]


def test_a_kept_row_cannot_be_changed_from_outside() -> None:
    memory = Memory(Counting())
    memory.rows(("loan",))[0, 0] = 99

    assert memory.row("loan")[0] == 4


def test_a_question_is_read_with_its_slips_mended(reader: Reader) -> None:
    question = reader.question("hwo do u renwe a laon")

    assert question.text == "how do you renew a loan"
    assert question.words == ("renew", "loan")


def test_a_word_that_no_passage_holds_weighs_most(reader: Reader) -> None:
    question = reader.question("loan for a kubernetes")

    assert dict(zip(question.words, question.weights, strict=True))["kubernetes"] == 1
    assert question.weights[0] < 1


def test_a_passage_holds_a_word_by_its_stem_or_by_a_near_one(reader: Reader) -> None:
    read = reader.passage(
        library.passage("Renewing a loan").model_copy(
            update={"text": "Call the desk by phone to extend a loan."}
        )
    )
    question = reader.question("renewals by telephone and kubernetes")
    held = dict(zip(question.words, reader.coverage(question, read).tolist(), strict=True))

    assert held["renewals"] == 1
    assert 0 < held["telephone"] < 1
    assert held["kubernetes"] == 0


def test_a_question_without_words_is_covered_by_nothing(reader: Reader) -> None:
    read = reader.passage(library.passage("Quiet floors"))

    assert reader.coverage(reader.question("how and why?"), read).tolist() == []


@pytest.mark.parametrize("heading", [heading for _, heading in library.SECTIONS])
def test_every_passage_has_a_row_a_sentence(reader: Reader, heading: str) -> None:
    read = reader.passage(library.passage(heading))

    assert len(read.sentences) == len(read.vectors) > 1
