"""The offline model as a `LanguageModel`: typed, free, steady, and easy on the event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from chat.adapters.embeddings import Embedder
from chat.adapters.llm_offline import NAME, OfflineModel
from chat.adapters.offline.corpus import Documents, Vectors
from chat.contracts.events import Tokens
from chat.contracts.passages import Hit
from chat.contracts.ports import LanguageModel, Reply
from chat.contracts.tasks import AnswerTask, CheckTask, Exchange, RewriteTask, StepTask, ToolSpec
from chat.contracts.verdicts import Clarity, GradeLabel, Level, TopicLabel
from chat.guardrails.generation import split
from tests.unit.adapters.offline import library

QUESTION = "how long can i keep a book"
PASSAGE = library.passage("Loan periods")
TASK = AnswerTask(question=QUESTION, passages=(PASSAGE,))


@pytest.fixture
def shelf(documents: Documents) -> library.Shelf:
    return library.Shelf(documents)


@pytest.fixture
def model(embedder: Embedder, shelf: library.Shelf) -> OfflineModel:
    return OfflineModel(embedder, library.Examples(), shelf, pace=0)


Call = Callable[[LanguageModel], Any]
CALLS: dict[str, Call] = {
    "detect_greeting": lambda model: model.detect_greeting("hi Finch"),
    "standalone": lambda model: model.standalone(
        "and films?", (Exchange(question=QUESTION, answer="21 days [1]."),)
    ),
    "classify_topic": lambda model: model.classify_topic(QUESTION),
    "detect_ambiguity": lambda model: model.detect_ambiguity(QUESTION, ()),
    "plan": lambda model: model.plan(QUESTION),
    "next_step": lambda model: model.next_step(StepTask(question="hi Finch")),
    "check": lambda model: model.check(
        CheckTask(
            question=QUESTION,
            draft="A book stays for 21 days.",
            claims=("A book stays for 21 days.",),
            passages=(PASSAGE,),
        )
    ),
    "grade": lambda model: model.grade(QUESTION, PASSAGE),
    "rewrite": lambda model: model.rewrite(
        RewriteTask(question=QUESTION, tried=(QUESTION,), hits=(Hit(passage=PASSAGE, score=1),))
    ),
    "answer": lambda model: model.answer(TASK, lambda _text: None),
}


@pytest.mark.parametrize("purpose", CALLS)
async def test_a_call_names_its_purpose_and_costs_nothing(
    model: OfflineModel, purpose: str
) -> None:
    reply: Reply[Any] = await CALLS[purpose](model)

    assert reply.call.purpose == purpose
    assert reply.call.model == model.name == NAME
    assert reply.call.prompt_version
    assert reply.call.tokens == Tokens()
    assert reply.call.cost == 0
    assert reply.call.ms > 0
    assert reply.call.outcome == "ok"


@pytest.mark.parametrize("purpose", CALLS)
async def test_the_same_call_says_the_same_again(
    embedder: Embedder, shelf: library.Shelf, purpose: str
) -> None:
    said = []
    for _ in range(2):
        fresh = OfflineModel(embedder, library.Examples(), shelf, pace=0)
        said.append((await CALLS[purpose](fresh)).value)

    assert said[0] == said[1]


async def test_it_judges_and_answers_by_the_documents(model: OfflineModel) -> None:
    assert (await model.classify_topic(QUESTION)).value.label is TopicLabel.RELEVANT
    assert (await model.grade(QUESTION, PASSAGE)).value.label is GradeLabel.ANSWERS
    answer = await model.answer(TASK, lambda _text: None)
    assert answer.value.text.startswith("Books are lent for 21 days")


async def test_it_plans_steps_asks_back_and_checks_by_the_documents(model: OfflineModel) -> None:
    two = "what is a late fee? how do I renew a loan?"

    assert (await model.plan(two)).value == ("what is a late fee?", "how do I renew a loan?")
    assert (await model.plan(QUESTION)).value == (QUESTION,)
    assert (await model.next_step(StepTask(question=QUESTION))).value.queries == (QUESTION,)
    assert (await model.detect_ambiguity("tell me", ())).value.label is Clarity.VAGUE
    assert (await model.detect_ambiguity(QUESTION, ())).value.label is Clarity.SPECIFIC


async def test_what_it_answers_passes_its_own_check(model: OfflineModel) -> None:
    draft = (await model.answer(TASK, lambda _text: None)).value.text
    claims = split(draft)
    task = CheckTask(question=QUESTION, draft=draft, claims=claims, passages=TASK.passages)
    verdicts = (await model.check(task)).value
    assert model.support(task) == pytest.approx([1.0] * len(claims), abs=0.3)

    assert verdicts
    assert all(verdict.supported for verdict in verdicts)


async def test_an_unsure_topic_comes_with_what_may_be_meant(model: OfflineModel) -> None:
    texts = ("chairs", "silence", "coffee", "locker", QUESTION)
    verdicts = [(await model.classify_topic(text)).value for text in texts]

    assert any(verdict.confidence is Level.LOW for verdict in verdicts)
    for verdict in verdicts:
        assert len(verdict.options) <= 3
        assert all(len(option) <= 40 for option in verdict.options)
        assert verdict.confidence is Level.LOW or verdict.options == ()
    assert any(verdict.options for verdict in verdicts)


async def test_a_tool_that_is_called_for_is_asked_before_a_word_is_written(
    model: OfflineModel,
) -> None:
    written: list[str] = []
    tool = ToolSpec(name="shelf", description="", parameters={}, hints=("which shelf",))
    task = AnswerTask(question="which shelf is it on", passages=(PASSAGE,), tools=(tool,))

    draft = (await model.answer(task, written.append)).value

    assert [call.tool for call in draft.calls] == ["shelf"]
    assert (draft.text, written) == ("", [])


async def test_without_a_document_it_claims_nothing(model: OfflineModel) -> None:
    task = AnswerTask(question="thank you", passages=())

    assert (await model.answer(task, lambda _text: None)).value.text.startswith("You are welcome")


async def test_what_is_written_piece_by_piece_is_the_answer(model: OfflineModel) -> None:
    written: list[str] = []

    reply = await model.answer(TASK, written.append)

    assert "".join(written) == reply.value.text
    assert len(written) > 10


async def test_an_answer_can_be_stopped_between_two_words(
    embedder: Embedder, shelf: library.Shelf
) -> None:
    written: list[str] = []
    begun = asyncio.Event()

    def write(text: str) -> None:
        written.append(text)
        begun.set()

    slow = OfflineModel(embedder, library.Examples(), shelf, pace=60)
    task = asyncio.create_task(slow.answer(TASK, write))
    await asyncio.wait_for(begun.wait(), 60)
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    assert len(written) == 1


@dataclass
class Watched:
    """The real embedder, and the threads that called it."""

    embedder: Embedder
    threads: set[int] = field(default_factory=set)

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.threads.add(threading.get_ident())
        return self.embedder.embed(texts)


@pytest.mark.parametrize("purpose", [purpose for purpose in CALLS if purpose != "plan"])
async def test_no_work_is_done_on_the_event_loop(
    embedder: Embedder, shelf: library.Shelf, purpose: str
) -> None:
    watched = Watched(embedder)

    await CALLS[purpose](OfflineModel(watched, library.Examples(), shelf, pace=0))

    assert watched.threads
    assert threading.get_ident() not in watched.threads


async def test_new_documents_are_learnt_when_their_stamp_changes(
    embedder: Embedder, shelf: library.Shelf
) -> None:
    shelf.current = library.NOTHING
    model = OfflineModel(embedder, library.Examples((), ()), shelf, pace=0)
    before = (await model.classify_topic("how do I renew a loan")).value

    shelf.current = library.documents(embedder, "two")
    after = (await model.classify_topic("how do I renew a loan")).value

    assert before.label is TopicLabel.IRRELEVANT
    assert after.label is TopicLabel.RELEVANT


async def test_documents_that_did_not_change_are_learnt_once(
    embedder: Embedder, shelf: library.Shelf
) -> None:
    watched = Watched(embedder)
    model = OfflineModel(watched, library.Examples(), shelf, pace=0)
    await asyncio.to_thread(model.prepare)
    await model.classify_topic(QUESTION)
    watched.threads.clear()

    await model.classify_topic(QUESTION)

    assert not watched.threads


def test_the_page_says_what_it_is() -> None:
    assert "offline model" in OfflineModel.LINE
    assert "own sentences" in OfflineModel.LINE


@pytest.mark.parametrize("thanks", ["thank you, that was nice", "thanks, that helped", "bye"])
async def test_thanks_are_not_folded_into_the_question_before(
    model: OfflineModel, thanks: str
) -> None:
    history = (Exchange(question=QUESTION, answer="21 days [1]."),)
    assert (await model.standalone(thanks, history)).value == thanks
