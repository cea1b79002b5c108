"""How a turn ends: constants speak, the gate looks at every text, one node delivers."""

from __future__ import annotations

from typing import Any

import pytest

from chat.agent.nodes import endings
from chat.contracts.events import Answer, RouteTaken
from chat.contracts.tasks import ToolCall
from chat.contracts.verdicts import Confidence, Control, Outcome, Route, Termination
from chat.guardrails import output
from chat.site_rules import site_rules
from tests.doubles.tools import Tools
from tests.factories import QUESTION, hit, passage, planned_state, ports

COVERS = "plans, refunds and servers"
EXAMPLES = ("How long does a refund take?", "How do I cancel?", "What does a server cost?")


def given_ports(**changed: Any) -> Any:
    return ports(covers=COVERS, examples=EXAMPLES, **changed)


def state(given: Any, **changed: Any) -> Any:
    """A state after a search that found nothing."""
    searched: dict[str, Any] = {"tried": (QUESTION, "other words"), "passes": 3, "rewrites": 2}
    return planned_state(given, **searched | changed)


async def test_a_greeting_is_answered_by_a_constant() -> None:
    given = given_ports()
    update = await endings.greeting_response(state(given), given)
    assert update["text"] == output.greeting_reply(COVERS)
    assert (update["termination"], update["route"]) == (Termination.GREETED, Route.GREETING)


async def test_a_question_off_the_topic_is_answered_by_a_constant() -> None:
    given = given_ports()
    update = await endings.handle_off_topic(state(given), given)
    assert update["text"] == output.off_topic_reply(COVERS)
    assert (update["termination"], update["route"]) == (Termination.OFF_TOPIC, Route.OFF_TOPIC)


@pytest.mark.parametrize(
    ("changed", "end"),
    [
        ({}, Termination.NO_EVIDENCE),
        ({"budget_hit": Termination.COST_CAP}, Termination.COST_CAP),
        ({"budget_hit": Termination.TIME_CAP, "search_failed": True}, Termination.TIME_CAP),
        ({"search_failed": True}, Termination.CONTROL_FAILED),
        ({"unread": True}, Termination.CONTROL_FAILED),
        ({"no_progress": 2}, Termination.NO_PROGRESS),
        ({"passes": 2, "rewrites": 2}, Termination.NO_PROGRESS),  # the last one was refused
        ({"passes": 1, "rewrites": 0}, Termination.NO_EVIDENCE),
    ],
    ids=str,
)
async def test_why_nothing_was_found(changed: dict[str, Any], end: Termination) -> None:
    given = given_ports()
    update = await endings.handle_no_results(state(given, **changed), given)
    assert update["termination"] is end


async def test_no_progress_is_no_end_while_its_stop_is_off() -> None:
    given = given_ports(no_progress_stop=False)
    update = await endings.handle_no_results(state(given, no_progress=2), given)
    assert update["termination"] is Termination.NO_EVIDENCE


async def test_no_results_say_what_was_looked_for() -> None:
    given = given_ports()
    update = await endings.handle_no_results(state(given), given)
    said = output.no_results_reply(QUESTION, (QUESTION, "other words"), COVERS)
    opening, _, rest = said.partition("\n\n")
    assert update["text"].startswith(opening) and update["text"].endswith(rest)
    assert update["suggestions"] == EXAMPLES[:2]
    assert (update["citations"], update["confidence"]) == ((), Confidence.NONE)


@pytest.mark.parametrize(
    ("changed", "cause"),
    [
        ({"search_failed": True}, Termination.CONTROL_FAILED),
        ({"budget_hit": Termination.TIME_CAP}, Termination.TIME_CAP),
        ({"budget_hit": Termination.COST_CAP}, Termination.COST_CAP),
    ],
    ids=str,
)
async def test_a_search_that_was_cut_short_does_not_claim_that_nothing_is_there(
    changed: dict[str, Any], cause: Termination
) -> None:
    given = given_ports()
    update = await endings.handle_no_results(state(given, **changed), given)
    assert update["text"] == output.fallback_reply(cause, COVERS)
    assert output.NO_RESULTS not in update["text"]
    assert update["suggestions"] == EXAMPLES[:2]


async def test_where_nothing_was_found_staff_can_be_asked() -> None:
    given = ports(examples=EXAMPLES, others={"tools": Tools()})
    update = await endings.handle_no_results(state(given), given)
    assert update["suggestions"] == (*EXAMPLES[:2], f"Please open a ticket: {QUESTION}")


async def test_no_results_name_the_words_that_no_passage_has() -> None:
    given = given_ports()
    near = (hit(passage(text="A refund takes ten days.")),)
    before = state(given, standalone="Does a refund need notarisation?", hits=near)
    update = await endings.handle_no_results(before, given)
    assert "notarisation" in update["text"].replace(before["standalone"], "")


async def test_a_crisis_is_answered_by_the_contacts_of_the_settings_and_nothing_else() -> None:
    given = given_ports(contacts="Ring 112.")
    update = await endings.crisis_response(state(given), given)
    assert "Ring 112." in update["text"]
    assert (update["termination"], update["route"]) == (Termination.CRISIS, Route.CRISIS)
    assert (update["suggestions"], update["citations"]) == ((), ())
    assert COVERS not in update["text"]


@pytest.mark.parametrize("text", [None, "", "   ", "\n"])
async def test_the_gate_stops_a_text_that_is_missing_or_blank(text: str | None) -> None:
    given = given_ports()
    before = state(given) if text is None else state(given, text=text)
    update = await endings.final_gate(before, given)
    assert update["blocked"] is True
    gate, rude = update["emit"]
    assert (gate.control, gate.outcome) == (Control.FINAL_GATE, Outcome.ACTED)
    assert gate.reason
    assert (rude.control, rude.outcome) == (Control.TOXICITY, Outcome.PASSED)


async def test_the_gate_lets_an_answer_through() -> None:
    given = given_ports()
    text = "A refund takes five to ten business days [1]."
    update = await endings.final_gate(state(given, text=text), given)
    assert update["blocked"] is False
    assert [decision.outcome for decision in update["emit"]] == [Outcome.PASSED, Outcome.PASSED]


ADVICE = "Would a solicitor say that my contract is worth keeping?"  # a cue, and no rule


def _unable(_text: str) -> None:
    raise RuntimeError("the check for abuse is out")


async def test_without_the_check_for_abuse_an_answer_that_may_be_restricted_says_what_was_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(endings, "toxic", _unable)
    given = given_ports(site=site_rules())
    text = "It is worth keeping [1]."
    before = state(given, standalone=ADVICE, text=text, draft=text)
    update = await endings.final_gate(before, given)
    assert (update["blocked"], update["emit"][1].outcome) == (True, Outcome.FAILED_CLOSED)
    said = await endings.fallback(before | update, given)
    assert said["termination"] is Termination.CONTROL_FAILED


@pytest.mark.parametrize("node", ["crisis_response", "handle_off_topic", "greeting_response"])
async def test_without_it_a_constant_leaves_whatever_was_asked(
    node: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endings, "toxic", _unable)
    given = given_ports(site=site_rules(), contacts="Ring 112.")
    before = state(given, standalone=ADVICE, question=ADVICE)
    update = await getattr(endings, node)(before, given)
    gate = await endings.final_gate(before | update, given)
    assert (gate["blocked"], gate["emit"][1].outcome) == (False, Outcome.FAILED_OPEN)
    assert "termination" not in gate


@pytest.mark.parametrize(
    ("changed", "cause"),
    [
        ({"model_failed": "timeout"}, Termination.MODEL_FAILED),
        (
            {"model_failed": "server_error", "budget_hit": Termination.TIME_CAP},
            Termination.MODEL_FAILED,
        ),
        ({"model_failed": "time_cap", "budget_hit": Termination.TIME_CAP}, Termination.TIME_CAP),
        ({"termination": Termination.CONTROL_FAILED}, Termination.CONTROL_FAILED),
        ({"termination": Termination.ANSWERED}, Termination.GATE_BLOCKED),
        ({}, Termination.GATE_BLOCKED),
        (
            {"tool_calls": (ToolCall(id="1", tool="t"),), "budget_hit": Termination.COST_CAP},
            Termination.COST_CAP,
        ),
    ],
    ids=str,
)
async def test_the_fallback_says_which_cause_it_was(
    changed: dict[str, Any], cause: Termination
) -> None:
    given = given_ports()
    update = await endings.fallback(state(given, **changed), given)
    assert update["termination"] is cause
    assert update["text"] == output.fallback_reply(cause, COVERS)


@pytest.mark.parametrize(
    "node", ["crisis_response", "greeting_response", "handle_off_topic", "handle_no_results"]
)
async def test_every_constant_passes_the_gate(node: str) -> None:
    given = given_ports()
    update = await getattr(endings, node)(state(given), given)
    gate = await endings.final_gate(state(given, **update), given)
    assert gate["blocked"] is False


@pytest.mark.parametrize(
    "cause",
    [
        *(Termination.MODEL_FAILED, Termination.CONTROL_FAILED, Termination.GATE_BLOCKED),
        *(Termination.CLARIFICATION_EXPIRED, Termination.TOOL_CAP, Termination.PASS_CAP),
        *(Termination.TOKEN_CAP, Termination.COST_CAP, Termination.TIME_CAP),
    ],
)
def test_every_fallback_would_pass_the_gate(cause: Termination) -> None:
    assert output.final_gate(output.fallback_reply(cause, COVERS)).passed
    assert output.final_gate(output.fallback_reply(cause, "", ())).passed


async def test_deliver_sends_the_answer_and_the_path_that_was_taken() -> None:
    given = given_ports()
    way = {"decided": Route.DIRECT, "route_confidence": 0.9, "route": Route.SINGLE_SHOT}
    before = state(given, **way, **_ready("Five to ten days [1]."))
    route, sent = (await endings.deliver(before, given))["emit"]
    assert route == RouteTaken(decided=Route.DIRECT, confidence=0.9, taken=Route.SINGLE_SHOT)
    assert isinstance(sent, Answer)
    assert (sent.text, sent.caveats, sent.gaps) == ("Five to ten days [1].", ("c",), ("g",))


def _ready(text: str) -> dict[str, Any]:
    return {
        "text": text,
        "citations": (),
        "confidence": Confidence.NONE,
        "caveats": ("c",),
        "gaps": ("g",),
        "suggestions": (),
    }
