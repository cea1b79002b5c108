"""What a tape gives back, when it is called instead, and what the ledger says of both."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import Any

import pytest

from chat.contracts.errors import SearchFailed
from chat.contracts.passages import SearchResult
from chat.contracts.ports import ModelFault, Ports, nobody_answers
from chat.contracts.tasks import AnswerTask, Pause, PauseReply, RewriteTask, ToolCall
from chat.taping import RECORDED, Recorder, Reuse, setting_of
from tests.doubles.models import ANSWERS, IRRELEVANT, Fails, Hangs, ScriptedModel
from tests.doubles.search import ListSearch
from tests.doubles.silent import silenced
from tests.doubles.tools import Tools
from tests.factories import QUESTION, handbook, passage, ports

OTHER = "When are the offices closed?"
LOOKUP = ToolCall(id="1", tool="search_directory", arguments={"kind": "partner"})
TICKET = ToolCall(id="2", tool="open_ticket", arguments={"subject": "Refund"})
PAUSE = Pause(kind="action", question="Open a ticket", tool="open_ticket", irreversible=True)


@dataclass(slots=True)
class Index(ListSearch):
    """A search with settings, as the real one has."""

    mode: str = "hybrid"
    threshold: float = 0.15
    collection: str = "handbook"


class Named(ScriptedModel):
    """A model with versions of its prompts, of which each call names one."""

    line = "grading-1 topic-3"

    @property
    def prompts(self) -> str:
        return self.line

    def _call(self, purpose: str, role: Any, outcome: Any = "ok") -> Any:
        call = ScriptedModel._call(self, purpose, role, outcome)
        version = {"grade": "grading-1", "classify_topic": "topic-3"}.get(purpose, "other-1")
        return call.model_copy(update={"prompt_version": version})


def recording(given: Ports) -> tuple[Recorder, Ports]:
    recorder = Recorder(setting_of(given))
    return recorder, recorder.wrap(given)


async def test_a_reply_comes_back_with_its_call_as_it_was() -> None:
    given = ports(ScriptedModel(grades={"refunds#timing": ANSWERS}, cost=0.02))
    recorder, heard = recording(given)
    first = await heard.model.grade(QUESTION, passage())
    silent, asked = silenced(given)
    reuse = Reuse(recorder.calls)
    second = await reuse.wrap(silent).model.grade(QUESTION, passage())
    assert (second.value, second.call) == (first.value, first.call)
    assert asked == []
    assert reuse.ledger == [
        {"kind": "model", "purpose": "grade", "reused": True, "cost": 0.0, "ms": 0.0}
    ]


async def test_what_is_not_on_the_tape_is_called_and_costs() -> None:
    given = ports(ScriptedModel(cost=0.02))
    recorder, heard = recording(given)
    await heard.model.classify_topic(QUESTION)
    reuse = Reuse(recorder.calls)
    again = reuse.wrap(given)
    await again.model.classify_topic(OTHER)
    await again.model.classify_topic(QUESTION)
    assert [(line["reused"], line["cost"]) for line in reuse.ledger] == [(False, 0.02), (True, 0.0)]
    assert reuse.ledger[0]["ms"] > 0


async def test_the_second_of_two_equal_calls_takes_the_second_recording() -> None:
    model = ScriptedModel(grades={"refunds#timing": [IRRELEVANT, ANSWERS]})
    recorder, heard = recording(ports(model))
    for _ in range(2):
        await heard.model.grade(QUESTION, passage())
    again = Reuse(recorder.calls).wrap(silenced(ports(model))[0])
    said = [(await again.model.grade(QUESTION, passage())).value for _ in range(3)]
    assert said == [IRRELEVANT, ANSWERS, ANSWERS]


async def test_grades_that_ran_side_by_side_stand_in_the_order_in_which_they_began() -> None:
    given = ports(ScriptedModel(grades={"refunds#timing": ANSWERS}))
    recorder, heard = recording(given)
    await asyncio.gather(*(heard.model.grade(QUESTION, each) for each in handbook()))
    chunks = [call["given"]["passage"]["chunk"] for call in recorder.calls]
    assert chunks == [each.chunk for each in handbook()]


# ---- who is asked


async def test_another_model_is_asked_anew() -> None:
    class Another(ScriptedModel):
        name = "another"

    recorder, heard = recording(ports(ScriptedModel()))
    await heard.model.classify_topic(QUESTION)
    reuse = Reuse(recorder.calls)
    await reuse.wrap(ports(Another())).model.classify_topic(QUESTION)
    assert not reuse.ledger[0]["reused"]


async def test_another_version_of_a_prompt_is_asked_anew_and_the_others_are_not() -> None:
    given = ports(Named())
    recorder, heard = recording(given)
    await heard.model.classify_topic(QUESTION)
    await heard.model.grade(QUESTION, passage())
    changed = Named()
    changed.line = "grading-2 topic-3"
    reuse = Reuse(recorder.calls)
    again = reuse.wrap(ports(changed))
    await again.model.classify_topic(QUESTION)
    await again.model.grade(QUESTION, passage())
    assert [(line["purpose"], line["reused"]) for line in reuse.ledger] == [
        ("topic", True),
        ("grade", False),
    ]


@pytest.mark.parametrize(
    "other", [{"mode": "lexical"}, {"threshold": 0.4}, {"collection": "another"}]
)
async def test_a_search_with_another_setting_is_asked_anew(other: dict[str, Any]) -> None:
    recorder, heard = recording(ports(search=Index(handbook())))
    await heard.search.search(QUESTION, 6)
    reuse = Reuse(recorder.calls)
    await reuse.wrap(ports(search=Index(handbook(), **other))).search.search(QUESTION, 6)
    assert not reuse.ledger[0]["reused"]


async def test_without_searches_the_index_is_asked_anew_and_the_model_is_not() -> None:
    given = ports(ScriptedModel(), Index(handbook()))
    recorder, heard = recording(given)
    await heard.search.search(QUESTION, 6)
    await heard.model.classify_topic(QUESTION)
    reuse = Reuse(recorder.calls, searches=False)
    again = reuse.wrap(given)
    assert isinstance(await again.search.search(QUESTION, 6), SearchResult)
    await again.model.classify_topic(QUESTION)
    assert [line["reused"] for line in reuse.ledger] == [False, True]


# ---- faults


async def test_a_fault_comes_back_as_the_same_fault() -> None:
    given = ports(ScriptedModel(topics=(Fails("timeout"),)), ListSearch([], fails_on=(1,)))
    recorder, heard = recording(given)
    with pytest.raises(ModelFault):
        await heard.model.classify_topic(QUESTION)
    with pytest.raises(SearchFailed):
        await heard.search.search(QUESTION, 6)
    again = Reuse(recorder.calls).wrap(silenced(given)[0])
    with pytest.raises(ModelFault, match="timeout") as fault:
        await again.model.classify_topic(QUESTION)
    assert fault.value.call.outcome == "failed"
    with pytest.raises(SearchFailed):
        await again.search.search(QUESTION, 6)


async def test_a_call_that_never_came_back_is_called_again() -> None:
    hanging = ports(ScriptedModel(topics=(Hangs(),)))
    recorder, heard = recording(hanging)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await heard.model.classify_topic(QUESTION)
    assert recorder.calls[0]["fault"] == {"type": "left"}
    reuse = Reuse(recorder.calls)
    await reuse.wrap(ports(ScriptedModel())).model.classify_topic(QUESTION)
    assert not reuse.ledger[0]["reused"]


async def test_a_new_call_that_fails_costs_what_it_cost() -> None:
    reuse = Reuse(())
    with pytest.raises(ModelFault):
        await reuse.wrap(ports(ScriptedModel(topics=(Fails(),), cost=0.5))).model.classify_topic(
            QUESTION
        )
    assert reuse.ledger[0]["cost"] == 0.5


@pytest.mark.parametrize(
    "spoilt",
    [
        {"came": {"label": "NO_SUCH_LABEL"}},
        {"came": 7},
        {"call": {"role": "nobody"}},
        {"fault": {"type": "of another version"}},
        {"fault": {}},
    ],
)
async def test_a_recording_that_cannot_be_read_is_called_again(spoilt: dict[str, Any]) -> None:
    given = ports(ScriptedModel())
    recorder, heard = recording(given)
    await heard.model.classify_topic(QUESTION)
    reuse = Reuse([recorder.calls[0] | spoilt])
    await reuse.wrap(given).model.classify_topic(QUESTION)
    assert not reuse.ledger[0]["reused"]


async def test_nonsense_of_a_model_is_not_kept() -> None:
    given = ports(ScriptedModel(topics=("nonsense with robin@cage-example.org",)))
    recorder, heard = recording(given)
    await heard.model.classify_topic(QUESTION)
    assert recorder.calls[0]["fault"] == {"type": "nonsense"}
    assert "robin" not in repr(recorder.calls)


# ---- an answer


async def test_a_reused_answer_is_written_whole() -> None:
    given = ports(ScriptedModel(answers=("It takes ten days [1].",)))
    task = AnswerTask(question=QUESTION, passages=(passage(),))
    recorder, heard = recording(given)
    shown: list[str] = []
    await heard.model.answer(task, shown.append)
    assert len(shown) > 1
    again: list[str] = []
    await Reuse(recorder.calls).wrap(silenced(given)[0]).model.answer(task, again.append)
    assert again == ["It takes ten days [1]."]
    assert "wrote" not in recorder.calls[0]


async def test_an_answer_that_is_called_anew_streams() -> None:
    given = ports(ScriptedModel(answers=("It takes ten days [1].",)))
    shown: list[str] = []
    task = AnswerTask(question=QUESTION, passages=())
    await Reuse(()).wrap(given).model.answer(task, shown.append)
    assert len(shown) > 1


# ---- tools and the person


async def test_a_recorded_result_comes_back_for_the_call_that_asks_now() -> None:
    given = ports(others={"tools": Tools()})
    recorder, heard = recording(given)
    await heard.tools.run(LOOKUP, "")
    silent, asked = silenced(given)
    now = LOOKUP.model_copy(update={"id": "99"})
    result = await Reuse(recorder.calls).wrap(silent).tools.run(now, "")
    assert (result.text, result.call, asked) == ("It was done.", now, [])


async def test_a_reading_tool_is_called_where_nothing_was_recorded() -> None:
    tools = Tools()
    reuse = Reuse(())
    result = await reuse.wrap(ports(others={"tools": tools})).tools.run(LOOKUP, "")
    assert (result.problem, tools.ran) == ("", [("search_directory", "")])
    assert reuse.ledger[0]["cost"] == 0.01


@pytest.mark.parametrize("key", ["", RECORDED, "00000000-0000-4000-8000-000000000001"])
async def test_what_cannot_be_undone_is_never_done_again(key: str) -> None:
    tools = Tools()
    result = await Reuse(()).wrap(ports(others={"tools": tools})).tools.run(TICKET, key)
    assert (result.problem, tools.ran) == ("not_confirmed", [])


async def test_what_was_done_after_a_yes_comes_back_after_the_recorded_yes_alone() -> None:
    tools = Tools()
    given = ports(others={"tools": tools})
    recorder, heard = recording(given)
    await heard.tools.run(TICKET, "the key of the pause")
    assert "the key of the pause" not in repr(recorder.calls)
    again = Reuse(recorder.calls).wrap(given)
    assert (await again.tools.run(TICKET, RECORDED)).problem == ""
    assert (await again.tools.run(TICKET, "")).problem == "not_confirmed"
    assert len(tools.ran) == 1


def test_the_same_pause_gets_the_recorded_reply_without_its_key() -> None:
    recorder = Recorder({})
    recorder.replied(PAUSE, PauseReply(approved=True, key="the key of the pause"))
    ask = Reuse(recorder.calls).wrap(ports()).ask
    assert ask(PAUSE) == PauseReply(approved=True, key=RECORDED)
    assert ask(PAUSE.model_copy(update={"question": "Delete it"})) == PauseReply(expired=True)
    assert "the key of the pause" not in repr(recorder.calls)


def test_a_re_run_never_pauses_and_its_own_tape_has_the_replies() -> None:
    recorder = Recorder({})
    assert recorder.wrap(ports()).ask is nobody_answers
    answered = replace(ports(), ask=lambda _pause: PauseReply(text="Refunds"))
    assert recorder.wrap(answered).ask(PAUSE).text == "Refunds"
    assert [call["kind"] for call in recorder.calls] == ["ask"]


# ---- one tape out of another


async def test_the_tape_of_a_re_run_is_the_tape_of_its_turn() -> None:
    given = ports(ScriptedModel(), Index(handbook()))
    recorder, heard = recording(given)
    task = RewriteTask(question=QUESTION, tried=(QUESTION,), hits=())

    async def work(on: Ports) -> None:
        await on.model.rewrite(task)
        await on.search.search(QUESTION, 6)
        await on.search.drift(QUESTION, "other words")
        await on.router.route(QUESTION)

    await work(heard)
    second, again = recording(Reuse(recorder.calls).wrap(silenced(given)[0]))
    await work(again)
    keys = [call["key"] for call in recorder.calls]
    assert [call["key"] for call in second.calls] == keys
    assert [call["came"] for call in second.calls] == [call["came"] for call in recorder.calls]


async def test_a_model_that_names_its_arguments_otherwise_is_asked_all_the_same() -> None:
    class Otherwise(ScriptedModel):
        async def grade(self, item: str, found: Any) -> Any:
            return await ScriptedModel.grade(self, item, found)

    _, heard = recording(ports(Otherwise(grades={"refunds#timing": ANSWERS})))
    assert (await heard.model.grade(QUESTION, passage())).value == ANSWERS


class Roles(ScriptedModel):
    """A model of several: one grades, another one writes."""

    grader = "small"

    def speaker(self, purpose: str) -> str:
        return self.grader if purpose == "grade" else "large"


class Other(Roles):
    grader = "smaller"


async def test_another_model_of_a_role_is_asked_anew_and_the_rest_is_not() -> None:
    recorder, heard = recording(ports(Roles(grades={"refunds#timing": ANSWERS})))
    await heard.model.grade(QUESTION, passage())
    await heard.model.plan(QUESTION)
    reuse = Reuse(recorder.calls)
    again = reuse.wrap(ports(Other(grades={"refunds#timing": ANSWERS})))
    await again.model.grade(QUESTION, passage())
    await again.model.plan(QUESTION)
    assert [line["reused"] for line in reuse.ledger] == [False, True]


@dataclass(slots=True)
class Trained:
    """A router of one training."""

    training: str
    router: Any

    async def version(self) -> str:
        return self.training

    async def route(self, query: str) -> Any:
        return await self.router.route(query)


@pytest.mark.parametrize(("training", "reused"), [("a", True), ("b", False)])
async def test_a_router_that_was_trained_anew_is_asked_anew(training: str, reused: bool) -> None:
    plain = ports()
    recorder, heard = recording(replace(plain, router=Trained("a", plain.router)))
    await heard.router.route(QUESTION)
    reuse = Reuse(recorder.calls)
    await reuse.wrap(replace(plain, router=Trained(training, plain.router))).router.route(QUESTION)
    assert [line["reused"] for line in reuse.ledger] == [reused]
