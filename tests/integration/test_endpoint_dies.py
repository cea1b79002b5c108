"""A model endpoint that dies in the middle of a turn, at each control: over HTTP, log and record.

The turn ends for the right reason, the failure is counted, and nothing is called checked that was
not.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from prometheus_client import REGISTRY

from chat.contracts.events import Answer, Decision, Event, ModelCall
from chat.contracts.ports import Ports
from chat.contracts.turn_view import fold
from chat.contracts.verdicts import Confidence, Control, Outcome, Supports, Termination
from chat.db import in_db
from chat.event_rows import stored_now
from chat.guardrails.questions import vagueness
from chat.models import DecisionRecord, Turn
from chat.sample.loader import examples
from chat.site_rules import site_rules
from chat.turn_words import trust_of
from tests import pausing
from tests.doubles.mortal import MortalEndpoint
from tests.doubles.openai_model import asking
from tests.doubles.wire import Script
from tests.factories import QUESTION, ports
from tests.told import TWO_PARTS

pytestmark = pytest.mark.django_db(transaction=True)

WRITTEN = Script(deltas=("The money finds its way back to whoever paid it [1].",))
ADVICE = "Would a solicitor say that my contract is worth keeping?"  # a cue, and no rule


@dataclass(frozen=True)
class Death:
    """Where the endpoint dies, and what has to be seen of it."""

    control: Control
    outcome: Outcome
    ends: Termination
    question: str = QUESTION
    answers: dict[str, Any] = field(default_factory=dict)
    role: str = "router"


DEATHS = {
    "topic": Death(Control.SCOPE, Outcome.FAILED_OPEN, Termination.MODEL_FAILED),
    "topic of a suspicious question": Death(
        Control.SCOPE, Outcome.FAILED_CLOSED, Termination.CONTROL_FAILED, question=ADVICE
    ),
    "ambiguity": Death(Control.AMBIGUITY, Outcome.FAILED_OPEN, Termination.MODEL_FAILED),
    "plan": Death(
        Control.COVERAGE, Outcome.FAILED_OPEN, Termination.MODEL_FAILED, question=TWO_PARTS
    ),
    "grading": Death(
        Control.RELEVANCE, Outcome.FAILED_OPEN, Termination.MODEL_FAILED, role="grader"
    ),
    "rewrite": Death(
        Control.BOUNDED_RETRY,
        Outcome.PASSED,
        Termination.NO_PROGRESS,
        answers={"grading": {"label": "IRRELEVANT"}},
        role="main",
    ),
    "answer": Death(Control.FINAL_GATE, Outcome.ACTED, Termination.MODEL_FAILED, role="main"),
    "check": Death(
        Control.GROUNDEDNESS,
        Outcome.FAILED_CLOSED,
        Termination.ANSWERED_WITH_CAVEAT,
        role="judge",
    ),
}


def counted(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


async def _turn(endpoint: MortalEndpoint, question: str, given: Ports) -> Turn:
    run = await pausing.begun(pausing.made(given), question)
    return await pausing.rested(run)


@pytest.mark.parametrize("where", DEATHS)
async def test_a_dying_endpoint_ends_the_turn_rightly_is_counted_and_claims_nothing(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    death, dies_at = DEATHS[where], where.split()[0]
    if dies_at == "ambiguity":  # code knows most questions; this one it is to leave to the model
        monkeypatch.setattr(vagueness, "clarity", lambda _question, **_: None)
    calls = {"role": death.role, "outcome": "failed"}
    before = counted("plumbline_model_calls_total", **calls)
    async with (
        MortalEndpoint(dies_at, death.answers, default=WRITTEN) as endpoint,
        asking(endpoint) as model,
    ):
        given = ports(model, site=site_rules(), examples=examples().shown_questions)
        turn = await _turn(endpoint, death.question, given)
    assert endpoint.dead
    assert turn.termination == death.ends
    assert await in_db(DecisionRecord.objects.filter(turn=turn).exists)
    told = [event.body for event in await in_db(stored_now, turn.pk)]
    decisions = [b for b in told if isinstance(b, Decision) and b.control is death.control]
    assert death.outcome in [decision.outcome for decision in decisions]
    assert [b for b in told if isinstance(b, ModelCall) and b.outcome == "failed"]
    assert counted("plumbline_model_calls_total", **calls) > before
    _claims_nothing(await in_db(stored_now, turn.pk))


def _claims_nothing(events: list[Event]) -> None:
    """Nobody checked, so neither the band, a source nor the page's line says that somebody did."""
    answer = next(event.body for event in events if isinstance(event.body, Answer))
    assert answer.confidence is Confidence.NONE
    assert all(citation.supports is not Supports.YES for citation in answer.citations)
    if answer.citations:
        assert answer.caveats
    note = trust_of(fold(events))
    assert note is None or "Checked" not in note.words
