"""A wrong yes costs more than none: sentences of the sample that were changed are never carried."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import chat.sample
from chat.contracts.passages import Passage
from chat.contracts.verdicts import Basis
from chat.guardrails.drafts.quotes import sentences
from chat.guardrails.generation import split, verify
from chat.retrieval.extract import extract
from tests.unit.guardrails.claims.holding import passage as passage_of

FILES = sorted((Path(chat.sample.__file__).parent / "handbook").glob("*.md"))
HANDBOOK = [
    passage_of(section.text, read.title, section.heading, chunk=section.key)
    for read in (extract(path, path.stem) for path in FILES)
    for section in read.sections
]
SAID = [
    (passage, sentence)
    for passage in HANDBOOK
    for sentence in split(passage.text)
    if len(sentence.split()) >= 6 and "|" not in sentence and "`" not in sentence
]
_FIGURE = re.compile(r"\b\d+\b(?![.,:]\d)")
COUNTED = [(passage, sentence) for passage, sentence in SAID if _FIGURE.search(sentence)]

chosen = st.sampled_from(SAID)


def test_the_sample_has_sentences_to_change() -> None:
    assert len(SAID) > 50
    assert len(COUNTED) > 10


@settings(max_examples=60)
@given(chosen)
def test_a_sentence_of_the_sample_stands_in_its_own_passage(said: tuple[Passage, str]) -> None:
    passage, sentence = said

    assert [verdict.supported for verdict in verify(sentence, [passage])] == [True]


@settings(max_examples=60)
@given(chosen, st.data())
def test_a_sentence_with_a_foreign_word_is_never_carried(
    said: tuple[Passage, str], data: st.DataObject
) -> None:
    passage, sentence = said
    words = sentence.split()
    place = data.draw(st.integers(1, len(words) - 1))
    changed = " ".join((*words[:place], "gramophones", *words[place:]))

    assert not any(verdict.supported for verdict in verify(changed, [passage]))


@settings(max_examples=60)
@given(st.sampled_from(COUNTED), st.integers(3, 7))
def test_a_sentence_with_another_figure_is_never_carried(
    said: tuple[Passage, str], times: int
) -> None:
    passage, sentence = said
    changed = _FIGURE.sub(lambda found: str(int(found[0]) * times + 1_013), sentence)

    verdicts = verify(changed, [passage])
    assert not any(v.supported for v in verdicts if v.basis in (Basis.SOURCE, Basis.QUOTATION))


@settings(max_examples=60)
@given(chosen, st.sampled_from(["not", "never", "only", "may", "unless", "almost"]))
def test_a_sentence_with_a_word_that_turns_it_is_never_carried(
    said: tuple[Passage, str], word: str
) -> None:
    passage, sentence = said
    words = sentence.split()
    if word in sentence.casefold() or {"not", "no", "never", "cannot"} & set(sentence.split()):
        return
    changed = " ".join((*words[:2], word, *words[2:]))

    assert not any(verdict.supported for verdict in verify(changed, [passage]))


@pytest.mark.parametrize("passage", HANDBOOK[::4], ids=lambda passage: passage.chunk)
def test_a_sentence_is_not_carried_by_the_rest_of_the_sample(passage: Passage) -> None:
    others = [other for other in HANDBOOK if other.chunk != passage.chunk]
    elsewhere = {sentence for other in others for sentence in sentences(other.text)}

    for sentence in split(passage.text):
        if len(sentence.split()) >= 6 and sentence not in elsewhere:
            (verdict,) = verify(sentence, others)
            assert verdict.supported is not True, sentence
