"""The input boundary: redaction is reported, greetings are cheap, counters begin anew."""

from __future__ import annotations

from typing import Any

import pytest

from chat.agent.nodes import intake
from chat.agent.state import TurnState
from chat.contracts.events import Decision, ModelCall, QuestionRead
from chat.contracts.tasks import Attachment, Exchange
from chat.contracts.verdicts import (
    Control,
    GradeLabel,
    Intent,
    Level,
    Mode,
    Outcome,
    Termination,
    TopicLabel,
    TopicVerdict,
)
from chat.guardrails.input import GreetingGuess
from tests.doubles.models import (
    OFF_TOPIC,
    ON_TOPIC,
    Fails,
    Hangs,
    ScriptedModel,
)
from tests.doubles.tools import Tools
from tests.factories import QUESTION, passage, planned_state, ports

UNSURE = TopicVerdict(label=TopicLabel.IRRELEVANT, confidence=Level.LOW)
EARLIER = (Exchange(question="What plans are there?", answer="Small and large [1]."),)


def state(given: Any, **changed: Any) -> Any:
    return planned_state(given, **changed)


def kinds(update: dict[str, Any]) -> list[type]:
    return [type(body) for body in update["emit"]]


# ---- screen_input


async def test_what_was_redacted_is_reported_by_kind_and_count() -> None:
    given = ports()
    update = await intake.screen_input(state(given, redactions={"phone": 1, "email": 2}), given)
    (decision,) = update["emit"]
    assert decision == Decision(
        control=Control.REDACTION, outcome=Outcome.ACTED, reason="2 email, 1 phone"
    )


async def test_a_text_without_anything_to_redact_passes() -> None:
    given = ports()
    (decision,) = (await intake.screen_input(state(given), given))["emit"]
    assert (decision.outcome, decision.reason) == (Outcome.PASSED, "")


CONTRACT = "Please tell me what I agreed to.\n\n# Terms of service\n\n" + "\n\n".join(
    f"{n}. Clause {n}\nThe customer pays fee {n} within {n} days of the invoice." for n in range(9)
)
PASTED = (Attachment(name="Pasted document", kind="paste", characters=len(CONTRACT)),)


async def at_the_door(text: str, **changed: Any) -> dict[str, Any]:
    given = ports()
    return await intake.screen_input(state(given, question=text, **changed), given)


async def test_a_crisis_is_seen_at_the_door() -> None:
    update = await at_the_door("I want to kill myself")
    assert (update["intent"], update["mode"]) == (Intent.CRISIS, Mode.CRISIS)
    assert [b.intent for b in update["emit"] if isinstance(b, QuestionRead)] == [Intent.CRISIS]


async def test_a_pasted_document_is_asked_about_by_the_persons_own_words() -> None:
    update = await at_the_door(CONTRACT, attachments=PASTED)
    assert (update["intent"], update["mode"]) == (Intent.DOCUMENT, Mode.DOCUMENT)
    assert update["standalone"] == "Please tell me what I agreed to."


async def test_without_its_attachment_a_paste_is_only_a_long_question() -> None:
    assert (await at_the_door(CONTRACT))["intent"] is Intent.QUESTION


async def test_what_a_document_says_of_death_is_no_crisis_of_the_person() -> None:
    text = CONTRACT.replace("Clause 3", "Suicide: I want to kill myself")
    assert (await at_the_door(text, attachments=PASTED))["mode"] is Mode.DOCUMENT


async def test_a_question_that_came_with_a_file_is_about_the_file() -> None:
    given = ports()
    file = (Attachment(name="plan.pdf", kind="document", characters=900),)
    asked = state(given, question="What does this say?", attachments=file)
    at_door = await intake.screen_input(asked, given)
    assert (at_door["intent"], at_door["mode"]) == (Intent.QUESTION, Mode.DOCUMENT)
    update = await intake.enhance_query(asked, given)
    assert update["mode"] is Mode.DOCUMENT
    after: Any = {**asked, **update}
    topic = await intake.validate_topic(after, given)
    assert [d.outcome for d in topic["emit"]] == [Outcome.SKIPPED]


async def test_distress_is_seen_at_the_door() -> None:
    update = await at_the_door("I'm so overwhelmed and crying, how long does a refund take?")
    assert update["mode"] is Mode.SUPPORTIVE


async def test_the_log_is_told_which_limits_the_turn_runs_under() -> None:
    given = ports(max_passes=4, max_rewrites=3, token_budget=9_000, cost_budget=0.5)
    update = await intake.screen_input(state(given), given)
    assert update["budget"] == {
        "passes": 4,
        "rewrites": 3,
        "tokens": 9_000,
        "cost": 0.5,
        "ms": 60_000,
    }


# ---- detect_greeting


def guessing(monkeypatch: pytest.MonkeyPatch, guess: GreetingGuess) -> None:
    monkeypatch.setattr(intake, "greeting", lambda _text: guess)


@pytest.mark.parametrize(
    ("guess", "is_greeting"), [(GreetingGuess.YES, True), (GreetingGuess.NO, False)]
)
async def test_sure_patterns_cost_no_call(
    monkeypatch: pytest.MonkeyPatch, guess: GreetingGuess, is_greeting: bool
) -> None:
    guessing(monkeypatch, guess)
    model = ScriptedModel(greetings=[not is_greeting])
    given = ports(model)
    update = await intake.detect_greeting(state(given), given)
    assert update["is_greeting"] is is_greeting
    assert model.asked == []
    assert [q.intent for q in update["emit"]] == ([Intent.GREETING] if is_greeting else [])


@pytest.mark.parametrize("said", [True, False])
async def test_unsure_patterns_ask_the_model(monkeypatch: pytest.MonkeyPatch, said: bool) -> None:
    guessing(monkeypatch, GreetingGuess.UNSURE)
    given = ports(ScriptedModel(greetings=[said]))
    update = await intake.detect_greeting(state(given), given)
    assert update["is_greeting"] is said
    assert (update["calls"], kinds(update)) == (1, [ModelCall, QuestionRead][: 1 + said])


@pytest.mark.parametrize("broken", [Fails("timeout"), Hangs()], ids=str)
async def test_a_model_that_cannot_say_means_no_greeting(
    monkeypatch: pytest.MonkeyPatch, broken: Any
) -> None:
    guessing(monkeypatch, GreetingGuess.UNSURE)
    given = ports(ScriptedModel(greetings=[broken]), control_timeout_ms=10)
    assert (await intake.detect_greeting(state(given), given))["is_greeting"] is False


async def test_without_the_check_nothing_is_a_greeting(monkeypatch: pytest.MonkeyPatch) -> None:
    guessing(monkeypatch, GreetingGuess.YES)
    given = ports(greeting_check=False)
    assert (await intake.detect_greeting(state(given), given))["is_greeting"] is False


async def test_hello_with_a_file_is_no_greeting() -> None:
    given = ports()
    file = (Attachment(name="plan.pdf", kind="document"),)
    asked = state(given, question="hello", attachments=file)
    assert (await intake.detect_greeting(asked, given))["is_greeting"] is False


# ---- enhance_query


async def test_a_first_turn_stands_as_it_was_typed_and_costs_no_call() -> None:
    model = ScriptedModel(standalones=["something else"])
    given = ports(model)
    update = await intake.enhance_query(state(given), given)
    assert (update["standalone"], model.asked) == (QUESTION, [])
    (read,) = update["emit"]
    assert (read.standalone, read.items) == (QUESTION, (QUESTION,))
    assert (read.intent, read.mode, read.context_level) == ("question", "standard", "LOW")


async def test_a_follow_up_is_made_to_stand_alone() -> None:
    model = ScriptedModel(standalones=["How long does a refund of the small plan take?"])
    given = ports(model)
    update = await intake.enhance_query(
        state(given, question="And how long?", history=EARLIER), given
    )
    assert update["standalone"] == "How long does a refund of the small plan take?"
    assert model.asked[0].about == ("And how long?", EARLIER)
    assert kinds(update) == [ModelCall, QuestionRead]
    assert update["calls"] == 1


async def test_only_the_last_five_exchanges_are_shown_to_the_model() -> None:
    history = tuple(Exchange(question=f"Q{n}", answer=f"A{n}") for n in range(8))
    model = ScriptedModel()
    given = ports(model)
    await intake.enhance_query(state(given, history=history), given)
    assert model.asked[0].about[1] == history[-5:]


async def test_a_follow_up_that_no_model_could_read_stands_as_it_was_typed() -> None:
    given = ports(ScriptedModel(standalones=[Fails("timeout")]))
    update = await intake.enhance_query(state(given, question="And then?", history=EARLIER), given)
    assert update["standalone"] == "And then?"
    assert update["calls"] == 1
    assert update["emit"][0].outcome == "failed"


@pytest.mark.parametrize("said", ["", "  \n"])
async def test_a_blank_rewording_leaves_the_question_as_it_was_typed(said: str) -> None:
    given = ports(ScriptedModel(standalones=[said]))
    update = await intake.enhance_query(state(given, question="And then?", history=EARLIER), given)
    assert update["standalone"] == "And then?"


async def test_a_question_that_asks_for_a_tool_is_an_action_or_a_lookup() -> None:
    given = ports(others={"tools": Tools()})
    for text, intent, mode in (
        ("Please open a ticket for me", Intent.ACTION, Mode.TASK),
        ("Which partners are in Leeds?", Intent.LOOKUP, Mode.STANDARD),
        ("How long does a refund take?", Intent.QUESTION, Mode.STANDARD),
    ):
        update = await intake.enhance_query(state(given, question=text), given)
        assert (update["intent"], update["mode"]) == (intent, mode), text


async def test_every_counter_begins_anew() -> None:
    given = ports()
    stale = {
        "passes": 3,
        "rewrites": 2,
        "no_progress": 2,
        "seen_before": True,
        "search_failed": True,
        "tried": ("old",),
        "hits": ("old",),
        "terms": ("old",),
        "verdicts": {"old": GradeLabel.ANSWERS},
        "accepted": (passage(),),
        "accepted_as": {"old": GradeLabel.ANSWERS},
        "covered": {"old": True},
        "budget_hit": Termination.PASS_CAP,
        "model_failed": "timeout",
        "draft": "old words",
    }
    update = await intake.enhance_query(state(given, **stale), given)
    assert {name for name in stale if update.get(name)} == set()
    assert set(stale) <= set(update)


async def test_every_field_of_the_loop_is_among_the_counters() -> None:
    given = ports()
    update = await intake.enhance_query(state(given), given)
    loop = ("passes", "rewrites", "tried", "hits", "verdicts", "accepted", "no_progress")
    assert set(loop) <= set(update)
    assert set(update) <= set(TurnState.__annotations__)


# ---- validate_topic


@pytest.mark.parametrize(
    ("verdict", "outcome"),
    [
        (ON_TOPIC, Outcome.PASSED),
        (OFF_TOPIC, Outcome.ACTED),
        (UNSURE, Outcome.PASSED),  # it is searched, so nothing was done
    ],
)
async def test_the_verdict_goes_into_the_state_and_is_a_decision(
    verdict: Any, outcome: Outcome
) -> None:
    given = ports(ScriptedModel(topics=[verdict]))
    update = await intake.validate_topic(state(given), given)
    assert update["topic"] == verdict
    call, decision = update["emit"]
    assert isinstance(call, ModelCall)
    assert (decision.control, decision.outcome) == (Control.SCOPE, outcome)
    assert str(verdict.label) in decision.reason and str(verdict.confidence) in decision.reason


@pytest.mark.parametrize("intent", [Intent.ACTION, Intent.LOOKUP])
async def test_a_question_for_a_tool_is_ours(intent: Intent) -> None:
    model = ScriptedModel(topics=[OFF_TOPIC])
    given = ports(model)
    update = await intake.validate_topic(state(given, intent=intent), given)
    assert (update["topic"], model.asked) == (None, [])
    assert [d.outcome for d in update["emit"]] == [Outcome.SKIPPED]


@pytest.mark.parametrize("off", [{"topic_check": False}, {"agentic": False}], ids=str)
async def test_a_check_that_is_off_is_recorded_as_skipped(off: dict[str, Any]) -> None:
    model = ScriptedModel(topics=[OFF_TOPIC])
    given = ports(model, **off)
    update = await intake.validate_topic(state(given), given)
    assert update["topic"] is None
    assert [d.outcome for d in update["emit"]] == [Outcome.SKIPPED]
    assert model.asked == []


async def test_the_model_is_asked_about_the_standalone_question() -> None:
    model = ScriptedModel()
    given = ports(model)
    await intake.validate_topic(state(given, question="And then?", standalone="Refund time"), given)
    assert model.asked[0].about == "Refund time"


@pytest.mark.parametrize(
    "node", ["screen_input", "detect_greeting", "enhance_query", "validate_topic"]
)
async def test_a_node_leaves_the_state_it_was_given_alone(node: str) -> None:
    given = ports()
    before = state(given, history=EARLIER, redactions={"email": 1})
    kept = dict(before)
    await getattr(intake, node)(before, given)
    assert before == kept
