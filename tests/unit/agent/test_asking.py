"""Asking back: only when nothing can be looked up, once, and never by an outage."""

from __future__ import annotations

from typing import Any

import pytest

from chat.agent.nodes import asking
from chat.contracts.events import Decision, ModelCall, QuestionRead
from chat.contracts.ports import Ports
from chat.contracts.tasks import Exchange, Pause, PauseReply
from chat.contracts.verdicts import (
    AmbiguityVerdict,
    Clarity,
    Control,
    Level,
    Mode,
    Outcome,
    Route,
    Termination,
    TopicLabel,
    TopicVerdict,
)
from chat.guardrails import output
from chat.guardrails.questions import vagueness
from tests.doubles.models import SPECIFIC, VAGUE, Fails, FixedClock, Hangs, Raises, ScriptedModel
from tests.factories import planned_state, ports

VAGUE_WORDS = "tell me about it"
UNCERTAIN = "does it take long"  # a word is there, and code cannot say whether it is enough
EXAMPLES = ("How do refunds work?", "How do I cancel?", "What is a backup?", "What is a node?")


def state(given: Ports, question: str, **changed: Any) -> Any:
    return planned_state(given, question, **changed)


@pytest.fixture
def unsure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Code that cannot say, so that the model is asked."""
    monkeypatch.setattr(vagueness, "clarity", lambda _question, **_: None)


def decision_of(update: dict[str, Any]) -> Decision:
    (found,) = (body for body in update["emit"] if isinstance(body, Decision))
    return found


# ---- detect_ambiguity


@pytest.mark.parametrize(
    ("question", "label"),
    [
        (VAGUE_WORDS, Clarity.VAGUE),
        ("refund times", Clarity.SPECIFIC),
        ("ERR_4031", Clarity.SPECIFIC),
        ("How long does a refund take?", Clarity.SPECIFIC),
    ],
)
async def test_what_code_can_tell_costs_no_call(question: str, label: Clarity) -> None:
    model = ScriptedModel(clarities=[SPECIFIC])
    given = ports(model)
    update = await asking.detect_ambiguity(state(given, question), given)
    assert update["clarity"].label is label
    assert model.asked == []
    acted = label is Clarity.VAGUE
    assert decision_of(update).outcome is (Outcome.ACTED if acted else Outcome.PASSED)


async def test_a_question_that_points_back_is_not_vague_with_a_history() -> None:
    given = ports()
    history = (Exchange(question="How do refunds work?", answer="Like this [1]."),)
    update = await asking.detect_ambiguity(state(given, VAGUE_WORDS, history=history), given)
    assert update["clarity"].label is Clarity.SPECIFIC


async def test_what_code_asks_offers_questions_that_work() -> None:
    given = ports(examples=EXAMPLES)
    verdict = (await asking.detect_ambiguity(state(given, VAGUE_WORDS), given))["clarity"]
    assert (verdict.question, verdict.options) == (vagueness.QUESTION, EXAMPLES[:3])


@pytest.mark.usefixtures("unsure")
@pytest.mark.parametrize("said", [VAGUE, SPECIFIC])
async def test_where_code_cannot_tell_the_model_is_asked(said: AmbiguityVerdict) -> None:
    given = ports(ScriptedModel(clarities=[said]))
    update = await asking.detect_ambiguity(state(given, UNCERTAIN), given)
    assert update["clarity"] == said
    assert [type(body) for body in update["emit"]] == [ModelCall, Decision]
    assert update["calls"] == 1


@pytest.mark.usefixtures("unsure")
@pytest.mark.parametrize(
    "broken", [Fails("timeout"), Fails("invalid"), Raises(ValueError("x")), Hangs()], ids=str
)
async def test_an_outage_never_asks(broken: Any) -> None:
    given = ports(ScriptedModel(clarities=[broken]), control_timeout_ms=10)
    update = await asking.detect_ambiguity(state(given, UNCERTAIN), given)
    assert update["clarity"] is None
    assert decision_of(update).outcome is Outcome.FAILED_OPEN


@pytest.mark.parametrize(
    ("settings", "mode"),
    [
        ({"agentic": False}, Mode.STANDARD),
        ({"ambiguity_check": False}, Mode.STANDARD),
        ({}, Mode.TASK),
    ],
    ids=str,
)
async def test_a_check_that_is_off_is_recorded_as_skipped(
    settings: dict[str, Any], mode: Mode
) -> None:
    given = ports(**settings)
    update = await asking.detect_ambiguity(state(given, VAGUE_WORDS, mode=mode), given)
    assert (update["clarity"], decision_of(update).outcome) == (None, Outcome.SKIPPED)


# ---- generate_clarification


class Person:
    """Answers a pause, and remembers what was asked."""

    def __init__(self, reply: PauseReply) -> None:
        self.reply, self.asked = reply, list[Pause]()

    def __call__(self, pause: Pause) -> PauseReply:
        self.asked.append(pause)
        return self.reply


def asked_by(person: Person, model: ScriptedModel | None = None, **settings: Any) -> Ports:
    return ports(model, others={"ask": person}, **settings)


UNSURE_TOPIC = TopicVerdict(
    label=TopicLabel.IRRELEVANT, confidence=Level.LOW, options=("Refunds", "Backups", "Nodes")
)


async def test_the_words_of_the_verdict_are_what_the_person_is_asked() -> None:
    person = Person(PauseReply(text="refunds"))
    given = asked_by(person)
    await asking.generate_clarification(state(given, VAGUE_WORDS, clarity=VAGUE), given)
    (pause,) = person.asked
    assert (pause.kind, pause.question) == ("clarification", VAGUE.question)
    assert pause.options == VAGUE.options


async def test_an_unsure_topic_asks_which_of_ours_it_is_about() -> None:
    person = Person(PauseReply(text="Refunds"))
    given = asked_by(person)
    await asking.generate_clarification(state(given, "the returns", topic=UNSURE_TOPIC), given)
    (pause,) = person.asked
    assert (pause.question, pause.options) == (output.UNSURE_TOPIC, UNSURE_TOPIC.options)


async def test_more_than_three_options_are_never_shown() -> None:
    person = Person(PauseReply(text="a"))
    given = asked_by(person)
    many = AmbiguityVerdict(label=Clarity.VAGUE, question="Which?", options=tuple("abcde"))
    await asking.generate_clarification(state(given, VAGUE_WORDS, clarity=many), given)
    assert person.asked[0].options == ("a", "b", "c")


async def test_the_reply_is_merged_into_the_question_and_checked_again() -> None:
    model = ScriptedModel(standalones=["Tell me about refunds"])
    given = asked_by(Person(PauseReply(text="refunds")), model)
    update = await asking.generate_clarification(
        state(given, VAGUE_WORDS, clarity=VAGUE, topic=UNSURE_TOPIC), given
    )
    assert update["standalone"] == "Tell me about refunds"
    assert (update["clarity"], update["topic"]) == (None, None)
    assert (update["clarifications"], update["calls"]) == (1, 1)
    reply, history = model.asked[0].about
    assert reply == "refunds"
    assert history[-1] == Exchange(question=VAGUE_WORDS, answer=VAGUE.question)
    (read,) = (body for body in update["emit"] if isinstance(body, QuestionRead))
    assert read.standalone == "Tell me about refunds"


async def test_a_reply_that_no_model_could_merge_stands_beside_the_question() -> None:
    model = ScriptedModel(standalones=[Fails("timeout")])
    given = asked_by(Person(PauseReply(text="refunds")), model)
    update = await asking.generate_clarification(state(given, VAGUE_WORDS, clarity=VAGUE), given)
    assert update["standalone"] == "tell me about it: refunds"


async def test_a_long_question_does_not_push_the_reply_out() -> None:
    model = ScriptedModel(standalones=[Fails("timeout")])
    given = asked_by(Person(PauseReply(text="refunds")), model)
    update = await asking.generate_clarification(state(given, "so " * 900, clarity=VAGUE), given)
    assert update["standalone"].endswith(": refunds")
    assert len(update["standalone"]) <= asking.LONGEST


async def test_nothing_with_an_effect_stands_before_the_pause() -> None:
    """The node begins again when the reply has come, so a call before it would be made twice."""

    class Away(Exception):
        """The turn waits."""

    def pauses(_pause: Pause) -> PauseReply:
        raise Away

    model = ScriptedModel()
    given = ports(model, others={"ask": pauses})
    with pytest.raises(Away):
        await asking.generate_clarification(state(given, VAGUE_WORDS, clarity=VAGUE), given)
    assert model.asked == []


async def test_a_reply_that_never_came_ends_in_words_of_its_own() -> None:
    given = asked_by(Person(PauseReply(expired=True)), covers="plans")
    update = await asking.generate_clarification(state(given, VAGUE_WORDS, clarity=VAGUE), given)
    assert update["clarification_expired"]
    assert update["termination"] is Termination.CLARIFICATION_EXPIRED
    assert update["route"] is Route.CLARIFY
    assert output.final_gate(update["text"]).passed


async def test_a_crisis_in_a_reply_is_met_with_the_fixed_text_and_nothing_else() -> None:
    model = ScriptedModel()
    given = asked_by(Person(PauseReply(text="I want to kill myself")), model, contacts="Ring 112.")
    update = await asking.generate_clarification(state(given, VAGUE_WORDS, clarity=VAGUE), given)
    assert (update["termination"], update["mode"]) == (Termination.CRISIS, Mode.CRISIS)
    assert "Ring 112." in update["text"]
    assert (update["suggestions"], model.asked) == ((), [])


async def test_a_merge_may_use_up_a_budget() -> None:
    clock = FixedClock()
    model = ScriptedModel(clock=clock, tokens=ScriptedModel().tokens)
    given = asked_by(Person(PauseReply(text="refunds")), model, token_budget=50)
    update = await asking.generate_clarification(state(given, VAGUE_WORDS, clarity=VAGUE), given)
    assert update["budget_hit"] is Termination.TOKEN_CAP


def test_the_ambiguity_control_fails_open_by_the_table() -> None:
    assert Control.AMBIGUITY in set(Control)
