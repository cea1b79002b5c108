"""Ours or not: learnt from examples, helped by the documents, and never sure on thin ground."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chat.adapters.offline.corpus import Documents
from chat.adapters.offline.reading import Memory, Reader
from chat.adapters.offline.topic import TopicJudge
from chat.contracts.verdicts import Level, TopicLabel
from tests.unit.adapters.offline import library


@pytest.fixture(scope="module")
def judge(memory: Memory, documents: Documents) -> TopicJudge:
    return TopicJudge(memory, library.Examples(), documents)


@pytest.mark.parametrize(
    "question",
    [
        "can i renew my books online",
        "fine for late films",
        "stdy room bookng",
        "card lost what now",
        "telephones on quiet floors",
        "quiet floor?",
    ],
)
def test_what_the_documents_speak_of_is_on_topic(
    judge: TopicJudge, reader: Reader, question: str
) -> None:
    assert judge.verdict(reader.question(question)).label is TopicLabel.RELEVANT


@pytest.mark.parametrize(
    "question", ["will it rain tomorrow", "pasta recipe", "cheap flights to Oslo", "tell me a joke"]
)
def test_what_they_have_nothing_of_is_off_topic_and_surely_so(
    judge: TopicJudge, reader: Reader, question: str
) -> None:
    verdict = judge.verdict(reader.question(question))

    assert verdict.label is TopicLabel.IRRELEVANT
    assert verdict.confidence in (Level.HIGH, Level.MEDIUM)


@pytest.mark.parametrize("question", ["pasta", "rain?", "isbn"])
def test_a_lone_word_is_too_little_to_be_turned_away_for(
    judge: TopicJudge, reader: Reader, question: str
) -> None:
    verdict = judge.verdict(reader.question(question))

    assert verdict.label is TopicLabel.RELEVANT or verdict.confidence is Level.LOW


def test_the_score_is_higher_for_more_on_topic(judge: TopicJudge, reader: Reader) -> None:
    scores = [
        judge.verdict(reader.question(text)).score or 0.0
        for text in ("pasta recipe", "do you sell coffee", "renew a loan")
    ]

    assert scores == sorted(scores)
    assert 0 <= scores[0] < scores[-1] <= 1


def test_a_new_shop_without_examples_goes_by_its_documents(
    memory: Memory, documents: Documents, reader: Reader
) -> None:
    bare = TopicJudge(memory, library.Examples((), ()), documents)

    assert bare.verdict(reader.question("how do I renew a loan")).label is TopicLabel.RELEVANT
    assert bare.verdict(reader.question("pasta recipe")).label is TopicLabel.IRRELEVANT


def test_without_documents_the_examples_decide(memory: Memory) -> None:
    judge = TopicJudge(memory, library.Examples(), library.NOTHING)
    reader = Reader(memory, library.NOTHING)
    scores = [
        judge.verdict(reader.question(text)).score or 0.0
        for text in ("pasta recipe", "borrow a film")
    ]

    assert scores[0] < scores[1]


def test_passages_without_headings_are_enough(
    memory: Memory, documents: Documents, reader: Reader
) -> None:
    bare = replace(documents, headings=("",) * len(documents.texts))
    judge = TopicJudge(memory, library.Examples(), bare)

    assert judge.verdict(reader.question("how do I renew a loan")).label is TopicLabel.RELEVANT


def test_words_of_several_examples_are_known_though_no_document_has_them(
    memory: Memory, documents: Documents, reader: Reader
) -> None:
    question = reader.question("which bookbinders are in Bantry")
    told = ("a bookbinder in Cork", "find me a bookbinder", "list the bookbinders near Galway")
    shown = library.Examples()
    more = replace(shown, on_topic=(*shown.on_topic, *told))

    before = TopicJudge(memory, shown, documents).verdict(question)
    after = TopicJudge(memory, more, documents).verdict(question)

    assert "known words 0%" in before.reason
    assert "known words 50%" in after.reason
    assert (before.label, after.label) == (TopicLabel.IRRELEVANT, TopicLabel.RELEVANT)
