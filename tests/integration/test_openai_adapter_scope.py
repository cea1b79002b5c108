"""What may not be answered is asked along with the topic, in the same call to the endpoint."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from chat.contracts.ports import ModelFault
from chat.contracts.site_rules import RestrictedCategory
from chat.guardrails import scope
from tests.doubles.endpoint import Endpoint
from tests.doubles.openai_model import SETTINGS, asking
from tests.doubles.wire import Script

ADVICE = RestrictedCategory(
    name="advice",
    title="Advice about the person",
    examples=("should I sue?",),
    allowed=("is my data safe?",),
    threshold=0.5,
    reply="Advice is not given here.",
)
WITH_ADVICE = replace(SETTINGS, categories=(ADVICE,))
ANSWER = {
    "label": "RELEVANT",
    "confidence": "HIGH",
    "reason": "",
    "restricted": "ADVICE",
    "restricted_confidence": "high",
}


async def judged(*answers: dict[str, Any]) -> tuple[Endpoint, str, str]:
    scripts = [Script(answer=answer) for answer in answers]
    async with Endpoint(*scripts) as endpoint, asking(endpoint, WITH_ADVICE) as model:
        reply = await model.classify_topic("should I sue them?")
    return endpoint, scope.by_score(reply.value, (ADVICE,)), reply.call.outcome


async def test_one_call_says_both() -> None:
    endpoint, restricted, outcome = await judged(ANSWER)
    assert (restricted, outcome) == ("advice", "ok")
    assert len(endpoint.asked) == 1
    assert "advice: Advice about the person." in endpoint.asked[0].prompt
    assert '"should I sue?"' in endpoint.asked[0].prompt


@pytest.mark.parametrize(
    ("sure", "restricted"), [("MEDIUM", "advice"), ("LOW", ""), (0.5, "advice"), (0.49, "")]
)
async def test_the_threshold_of_the_category_decides(sure: Any, restricted: str) -> None:
    _, found, _ = await judged({**ANSWER, "restricted_confidence": sure})
    assert found == restricted


async def test_a_reply_without_the_category_is_sent_back_once() -> None:
    topic_alone = {key: ANSWER[key] for key in ("label", "confidence", "reason")}
    endpoint, restricted, outcome = await judged(topic_alone, ANSWER)
    assert (restricted, outcome) == ("advice", "repaired")
    assert "restricted must be one of" in endpoint.asked[1].prompt


async def test_a_category_that_nobody_asked_for_is_no_verdict() -> None:
    other = {**ANSWER, "restricted": "weapons"}
    with pytest.raises(ModelFault, match="invalid"):
        await judged(other, other)


async def test_without_categories_the_reply_is_the_topic_alone() -> None:
    script = Script(answer={"label": "RELEVANT", "confidence": "HIGH", "reason": ""})
    async with Endpoint(script) as endpoint, asking(endpoint) as model:
        reply = await model.classify_topic("q")
    assert reply.value.restricted == {}
    assert "restricted" not in endpoint.asked[0].prompt
