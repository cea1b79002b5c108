"""Ambiguity, plan and grounding check over the wire: own model, own prompt, typed value."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chat.agent.prompts import check
from chat.contracts.ports import ModelFault
from chat.contracts.tasks import CheckTask, Exchange, Image
from chat.contracts.verdicts import AmbiguityVerdict, Basis, Clarity
from tests.doubles.endpoint import Endpoint
from tests.doubles.openai_model import REFUND, SETTINGS, asking
from tests.doubles.wire import Script

IMAGE = Image(name="shot.png", media_type="image/png", data="aGk=")
CHECK = CheckTask(
    question="How long does a refund take?",
    draft="A refund takes 5 to 10 business days [1]. It is free. It is quick.",
    claims=("A refund takes 5 to 10 business days.", "It is free.", "It is quick."),
    passages=(REFUND,),
)
JUDGED = replace(SETTINGS, judge="judge", prices={"judge": {"input": 1.0, "output": 2.0}})


def vague(label: str, question: str = "What is it about?") -> Script:
    return Script(answer={"reason": "r", "label": label, "question": question, "options": ["Fees"]})


def verdicts(*supported: object, first: int = 1) -> Script:
    """One entry for each claim from the first on."""
    entries = [
        {
            "claim": number,
            "passages": [1],
            "basis": "source",
            "reason": "5 to 10",
            "supported": given,
        }
        for number, given in enumerate(supported, start=first)
    ]
    return Script(answer={"verdicts": entries})


@pytest.mark.parametrize("label", ["VAGUE ", " vague"])
async def test_a_vague_question_comes_with_words_to_ask_back(label: str) -> None:
    past = Exchange(question="Hello?", answer="Good morning.")
    async with Endpoint(vague(label)) as endpoint, asking(endpoint) as model:
        reply = await model.detect_ambiguity("tell me about it", [past])
    assert reply.value == AmbiguityVerdict(
        label=Clarity.VAGUE, question="What is it about?", options=("Fees",), reason="r"
    )
    assert (reply.call.role, reply.call.model, reply.call.purpose) == (
        "router",
        "sorter",
        "ambiguity",
    )
    assert "Hello?" in endpoint.asked[0].prompt


async def test_vague_without_a_question_is_sent_back_and_then_invalid() -> None:
    empty = vague("VAGUE", question=" ")
    async with Endpoint(empty, vague("VAGUE"), empty, empty) as endpoint, asking(endpoint) as model:
        reply = await model.detect_ambiguity("tell me about it", [])
        assert (reply.value.question, reply.call.outcome) == ("What is it about?", "repaired")
        with pytest.raises(ModelFault, match="invalid") as caught:
            await model.detect_ambiguity("tell me about it", [])
    assert caught.value.call.outcome == "invalid"
    assert caught.value.call.tokens.total == 300


async def test_a_question_with_parts_becomes_items() -> None:
    script = Script(answer={"items": ["What does A cost?", "What does B cost?"]})
    async with Endpoint(script) as endpoint, asking(endpoint) as model:
        reply = await model.plan("What do A and B cost?")
    assert reply.value == ("What does A cost?", "What does B cost?")
    assert (reply.call.role, reply.call.purpose) == ("router", "plan")


async def test_a_plan_that_is_no_json_is_sent_back_once() -> None:
    prose = Script(answer="There is one part.")
    good = Script(answer={"items": ["price"]})
    async with Endpoint(prose, good) as endpoint, asking(endpoint) as model:
        reply = await model.plan("What does A cost?")
    assert (reply.value, reply.call.outcome) == (("What does A cost?",), "repaired")


async def test_the_judge_is_a_model_of_its_own_and_sees_what_the_draft_rests_on() -> None:
    script = verdicts("YES", "no ", None)
    async with Endpoint(script) as endpoint, asking(endpoint, JUDGED) as model:
        reply = await model.check(CHECK)
    assert [claim.supported for claim in reply.value] == [True, False, None]
    assert [claim.text for claim in reply.value] == list(CHECK.claims)
    assert [claim.passages for claim in reply.value] == [(1,), (), ()]
    assert {(claim.by, claim.basis) for claim in reply.value} == {("judge", Basis.SOURCE)}
    call = reply.call
    assert (call.role, call.model, call.purpose, call.prompt_version) == (
        "judge",
        "judge",
        "check",
        check.VERSION,
    )
    assert call.cost == pytest.approx((20 + 100 + 30 * 2) / 1_000_000)
    prompt = endpoint.asked[0].prompt
    assert '<data kind="passage [1]">' in prompt
    assert f'<data kind="draft">\n{CHECK.draft}' in prompt
    assert '<data kind="claims">\n1. A refund takes 5 to 10 business days.\n2. It is' in prompt


async def test_without_a_judge_the_main_model_checks() -> None:
    script = verdicts("YES", "YES", "YES")
    async with Endpoint(script) as endpoint, asking(endpoint) as model:
        assert (await model.check(CHECK)).call.model == "writer"


async def test_the_judge_sees_the_pictures_too() -> None:
    task = CHECK.model_copy(update={"images": (IMAGE,)})
    async with Endpoint(verdicts("YES")) as endpoint, asking(endpoint) as model:
        await model.check(task)
    assert endpoint.asked[0].pictures == ["data:image/png;base64,aGk="]


async def test_a_judge_that_cannot_see_checks_once_more_without_the_pictures() -> None:
    task = CHECK.model_copy(update={"images": (IMAGE,)})
    endpoint = Endpoint(verdicts("YES"), sees=False)
    async with endpoint, asking(endpoint) as model:
        reply = await model.check(task)
    assert [len(asked.pictures) for asked in endpoint.asked] == [1, 0]
    assert "Pictures came with the question that you cannot see" in endpoint.asked[1].prompt
    assert reply.call.outcome == "repaired"


async def test_a_claim_that_the_judge_leaves_out_is_decided_by_nobody() -> None:
    async with Endpoint(verdicts("YES")) as endpoint, asking(endpoint, JUDGED) as model:
        reply = await model.check(CHECK)
    assert [claim.supported for claim in reply.value] == [True, None, None]
    assert len(endpoint.asked) == 1


async def test_a_verdict_on_a_claim_that_was_not_asked_about_is_sent_back_once() -> None:
    beyond, good = verdicts("YES", first=7), verdicts("YES", "NO", "NO")
    async with Endpoint(beyond, good) as endpoint, asking(endpoint, JUDGED) as model:
        reply = await model.check(CHECK)
    assert (reply.call.outcome, [c.supported for c in reply.value]) == (
        "repaired",
        [True, False, False],
    )


@pytest.mark.parametrize("script", [verdicts(), verdicts("YES", first=7)], ids=["none", "unknown"])
async def test_a_judge_that_stays_with_its_nonsense_is_invalid_and_paid_for(script: Script) -> None:
    async with Endpoint(script, script) as endpoint, asking(endpoint, JUDGED) as model:
        with pytest.raises(ModelFault, match="invalid") as caught:
            await model.check(CHECK)
    assert caught.value.call.outcome == "invalid"
    assert caught.value.call.cost == pytest.approx(2 * 180 / 1_000_000)


async def test_a_judge_that_says_nothing_is_a_timeout() -> None:
    endpoint = Endpoint(Script(fault="silence"))
    async with endpoint, asking(endpoint, replace(SETTINGS, timeout_ms=50)) as model:
        with pytest.raises(ModelFault, match="timeout") as caught:
            await model.check(CHECK)
    assert caught.value.call.outcome == "timeout"
