"""A control that raises, hangs or talks nonsense goes the way that its row says, and says so."""

from __future__ import annotations

from typing import Any

import pytest

from chat import keeping
from chat.agent.nodes import answer, asking, endings, intake, search, untrusted, ways
from chat.contracts.errors import RedactionFailed
from chat.contracts.events import Decision
from chat.contracts.tasks import ToolCall, ToolResult
from chat.contracts.verdicts import Confidence, Control, GradeLabel, Outcome, Termination
from chat.guardrails import bands, evidence, generation
from chat.guardrails.policy import (
    NONSENSE,
)
from chat.guardrails.questions import vagueness
from chat.guardrails.toxicity import Toxicity
from chat.site_rules import site_rules
from tests.doubles.models import Fails, Hangs, Raises, ScriptedModel
from tests.factories import QUESTION, handbook, hit, passage, planned_state, ports

SHORT = 10  # milliseconds

BROKEN: list[tuple[Any, str]] = [
    (Raises(ValueError("a defect")), "raised ValueError"),
    (Raises(KeyError("text of a person")), "raised KeyError"),
    (Raises(TimeoutError()), "timeout"),
    (Hangs(), "timeout"),
    (Fails("timeout"), "timeout"),
    (Fails("invalid"), "invalid"),
    (Fails("unreachable"), "unreachable"),
    (42, NONSENSE),
    ("a sentence", NONSENSE),
]
ADVICE = "Would a solicitor say that my contract is worth keeping?"  # a cue, and no rule


def why(case: Any) -> str:
    return str(case)


def plain_code(value: Any) -> Any:
    """A control in plain code that raises the value, or gives it back."""

    def work(*_: Any, **__: Any) -> Any:
        if isinstance(value, Exception):
            raise value
        return value

    return work


CODE: list[tuple[Any, str]] = [
    (ValueError("words of a person"), "raised ValueError"),
    (RecursionError(), "raised RecursionError"),
    (42, NONSENSE),
    (None, NONSENSE),
]
"""How plain code breaks. It cannot hang: it is bounded by the length of its text."""

INSIDE: list[tuple[Any, str]] = [
    *((broken, reason) for broken, reason in CODE if isinstance(broken, Exception)),
    (42, "raised AttributeError"),
]
"""The same for code that is a part of a control: its nonsense breaks what is built on it."""


def decision_of(update: dict[str, Any], control: Control) -> Decision:
    (found,) = (b for b in update["emit"] if isinstance(b, Decision) and b.control is control)
    return found


@pytest.mark.parametrize(("broken", "reason"), BROKEN, ids=why)
async def test_scope_fails_open(broken: Any, reason: str) -> None:
    given = ports(ScriptedModel(topics=[broken]), control_timeout_ms=SHORT)
    update = await intake.validate_topic(planned_state(given), given)
    decision = decision_of(update, Control.SCOPE)
    assert (decision.outcome, decision.reason) == (Outcome.FAILED_OPEN, reason)
    assert update["topic"] is None


@pytest.mark.parametrize(("broken", "reason"), BROKEN, ids=why)
async def test_scope_fails_closed_where_a_cue_makes_the_question_suspicious(
    broken: Any, reason: str
) -> None:
    given = ports(ScriptedModel(topics=[broken]), control_timeout_ms=SHORT, site=site_rules())
    state: dict[str, Any] = planned_state(given, ADVICE)
    update = await intake.validate_topic(planned_state(given, ADVICE), given)
    decision = decision_of(update, Control.SCOPE)
    assert (decision.outcome, decision.reason) == (Outcome.FAILED_CLOSED, reason)
    after: Any = {**state, **update}
    told = await endings.handle_off_topic(after, given)
    assert told["termination"] is Termination.CONTROL_FAILED
    assert "could not be run" in told["text"]


@pytest.mark.parametrize(("broken", "reason"), BROKEN, ids=why)
async def test_relevance_fails_open_and_keeps_all_as_ungraded(broken: Any, reason: str) -> None:
    found = handbook()
    model = ScriptedModel(grades={p.chunk: broken for p in found})
    given = ports(model, control_timeout_ms=SHORT)
    state = planned_state(given, hits=tuple(hit(p) for p in found), passes=1)
    update = await search.assess_relevance(state, given)
    decision = decision_of(update, Control.RELEVANCE)
    assert (decision.outcome, decision.reason) == (Outcome.FAILED_OPEN, reason)
    assert update["accepted"] == tuple(found)
    assert set(update["accepted_as"].values()) == {GradeLabel.UNGRADED}


def test_redaction_fails_closed_and_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_text: str) -> None:
        raise ValueError("the text of a person")

    monkeypatch.setattr(keeping, "redact", broken)
    with pytest.raises(RedactionFailed) as refused:
        keeping.screened("My card is 4111 1111 1111 1111")
    assert "4111" not in str(refused.value)
    assert "text of a person" not in refused.value.public


async def test_a_marker_that_resolves_to_nothing_is_removed() -> None:
    update = await _finished("Five days [1]. Or ten [99].")
    assert "[99]" not in update["text"]
    assert [c.marker for c in update["citations"]] == [1]
    assert decision_of(update, Control.CITATION_BINDING).outcome is Outcome.ACTED


@pytest.mark.parametrize(("broken", "reason"), CODE, ids=why)
async def test_citation_binding_fails_closed_and_withholds_the_draft(
    monkeypatch: pytest.MonkeyPatch, broken: Any, reason: str
) -> None:
    monkeypatch.setattr(evidence, "held_against", plain_code(broken))
    update = await _finished("Five days [1].")
    decision = decision_of(update, Control.CITATION_BINDING)
    assert (decision.outcome, decision.reason) == (Outcome.FAILED_CLOSED, reason)
    assert (update["text"], update["citations"]) == ("", ())
    assert update["termination"] is Termination.CONTROL_FAILED


@pytest.mark.parametrize(("broken", "reason"), CODE, ids=why)
async def test_confidence_fails_closed_to_none(
    monkeypatch: pytest.MonkeyPatch, broken: Any, reason: str
) -> None:
    monkeypatch.setattr(bands, "band", plain_code(broken))
    update = await _finished("Five days [1].")
    decision = decision_of(update, Control.CONFIDENCE)
    assert (decision.outcome, decision.reason) == (Outcome.FAILED_CLOSED, reason)
    assert update["confidence"] is Confidence.NONE


@pytest.mark.parametrize(("broken", "reason"), INSIDE, ids=why)
async def test_a_passage_that_cannot_be_screened_is_not_read(
    monkeypatch: pytest.MonkeyPatch, broken: Any, reason: str
) -> None:
    given = ports()
    monkeypatch.setattr(untrusted, "neutralise", plain_code(broken))
    update = await search.retrieve(planned_state(given), given)
    decision = decision_of(update, Control.UNTRUSTED_INPUT)
    assert (decision.outcome, decision.reason) == (Outcome.FAILED_CLOSED, reason)
    assert update["hits"] == ()


@pytest.mark.parametrize(("broken", "reason"), INSIDE, ids=why)
async def test_what_a_tool_brought_is_not_used_where_it_cannot_be_redacted(
    monkeypatch: pytest.MonkeyPatch, broken: Any, reason: str
) -> None:
    given = ports()
    monkeypatch.setattr(untrusted, "redact", plain_code(broken))
    came = ToolResult(call=ToolCall(id="1", tool="t"), text="Call 020 7946 0958.", cost=0.5)
    screened = untrusted.results([came], given)
    assert screened.decision == Decision(
        control=Control.UNTRUSTED_INPUT, outcome=Outcome.FAILED_CLOSED, reason=reason
    )
    (kept,) = screened.results
    assert (kept.text, kept.problem, kept.cost) == (untrusted.UNSCREENED, "failed", 0.5)


@pytest.mark.parametrize(("broken", "reason"), CODE, ids=why)
@pytest.mark.parametrize(
    ("question", "outcome"),
    [(QUESTION, Outcome.FAILED_OPEN), (ADVICE, Outcome.FAILED_CLOSED)],
    ids=["a plain question", "a suspicious one"],
)
async def test_toxicity_fails_open_but_for_a_suspicious_question(
    monkeypatch: pytest.MonkeyPatch, question: str, outcome: Outcome, broken: Any, reason: str
) -> None:
    monkeypatch.setattr(endings, "toxic", plain_code(broken))
    given = ports(site=site_rules())
    said = "A refund takes five days."
    state = planned_state(given, question, text=said, draft=said)
    update = await endings.final_gate(state, given)
    decision = decision_of(update, Control.TOXICITY)
    assert (decision.outcome, decision.reason) == (outcome, reason)
    assert update["blocked"] is (outcome is Outcome.FAILED_CLOSED)
    assert decision_of(update, Control.FINAL_GATE).outcome is Outcome.PASSED


async def test_abuse_is_stopped_beside_the_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    given = ports()
    monkeypatch.setattr(endings, "toxic", plain_code(Toxicity(found=True, reason="a slur")))
    update = await endings.final_gate(planned_state(given, text="Something vile."), given)
    assert update["blocked"]
    assert decision_of(update, Control.TOXICITY).outcome is Outcome.ACTED


@pytest.mark.parametrize(("broken", "reason"), CODE, ids=why)
async def test_groundedness_fails_closed_where_its_code_breaks(
    monkeypatch: pytest.MonkeyPatch, broken: Any, reason: str
) -> None:
    monkeypatch.setattr(generation, "verify", plain_code(broken))
    given = ports()
    drafted = planned_state(given, draft="Five days [1].", passages=(passage(),))
    update = await answer.check_grounding(drafted, given)
    decision = decision_of(update, Control.GROUNDEDNESS)
    assert (decision.outcome, decision.reason) == (Outcome.FAILED_CLOSED, reason)
    assert (update["was_checked"], update["check_failed"]) == (False, reason)


async def _finished(draft: str) -> dict[str, Any]:
    given = ports()
    state = planned_state(
        given,
        draft=draft,
        passages=(passage(),),
        accepted_as={passage().chunk: GradeLabel.ANSWERS},
        covered={QUESTION: True},
    )
    return await endings.finish_answer(state, given)


@pytest.mark.parametrize(("broken", "reason"), BROKEN, ids=why)
async def test_ambiguity_fails_open_and_never_asks(
    monkeypatch: pytest.MonkeyPatch, broken: Any, reason: str
) -> None:
    monkeypatch.setattr(vagueness, "clarity", lambda _question, **_: None)
    given = ports(ScriptedModel(clarities=[broken]), control_timeout_ms=SHORT)
    update = await asking.detect_ambiguity(planned_state(given), given)
    decision = decision_of(update, Control.AMBIGUITY)
    assert (decision.outcome, decision.reason) == (Outcome.FAILED_OPEN, reason)
    assert update["clarity"] is None


@pytest.mark.parametrize(("broken", "reason"), BROKEN, ids=why)
async def test_coverage_fails_open_to_one_item(broken: Any, reason: str) -> None:
    given = ports(ScriptedModel(plans=[broken]), control_timeout_ms=SHORT)
    both = "Compare the small plan and the large plan on price"
    update = await ways.plan_search(planned_state(given, both), given)
    decision = decision_of(update, Control.COVERAGE)
    assert (decision.outcome, decision.reason) == (Outcome.FAILED_OPEN, reason)
    assert update["items"] == (both,)


@pytest.mark.parametrize(("broken", "reason"), BROKEN, ids=why)
async def test_groundedness_fails_closed_to_a_caveat(broken: Any, reason: str) -> None:
    given = ports(ScriptedModel(checks=[broken]), control_timeout_ms=SHORT)
    drafted = planned_state(
        given, draft="It comes by itself [1].", passages=(passage(),), covered={QUESTION: True}
    )
    update = await answer.check_grounding(drafted, given)
    decision = decision_of(update, Control.GROUNDEDNESS)
    assert (decision.outcome, decision.reason) == (Outcome.FAILED_CLOSED, reason)
    after: Any = {**drafted, **update}
    sent = await endings.finish_answer(after, given)
    assert sent["caveats"] == (endings.UNCHECKED,)
    assert sent["confidence"] is Confidence.NONE
