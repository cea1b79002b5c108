"""Does anything hold the draft: it is sent back, but not for ever, and never waved through."""

from __future__ import annotations

from typing import Any

import pytest

from chat.agent.nodes import answer
from chat.contracts.events import Claims, Decision, ModelCall
from chat.contracts.ports import Reply
from chat.contracts.tasks import Image, ToolCall, ToolResult
from chat.contracts.verdicts import (
    Basis,
    ClaimVerdict,
    Control,
    GradeLabel,
    Mode,
    Outcome,
    Route,
    Termination,
)
from chat.guardrails.policy import NONSENSE
from tests.doubles.models import Fails, FixedClock, Hangs, Raises, ScriptedModel, Takes
from tests.factories import QUESTION, handbook, planned_state, ports

_, TIMING, _ = handbook()
DRAFT = "Money finds its way back [1]. Nothing is kept of it [1]. Nobody has to ask [1]."
SENTENCES = ("Money finds its way back.", "Nothing is kept of it.", "Nobody has to ask.")


def claim(label: str, supported: bool | None) -> ClaimVerdict:
    return ClaimVerdict(
        text=f"{label}.", label=label, basis=Basis.SOURCE, supported=supported, by="judge"
    )


HELD, WRONG, OPEN = claim("ten days", True), claim("it is free", False), claim("who knows", None)


def told_of(*claims: ClaimVerdict) -> list[tuple[str, bool | None]]:
    """The sentences of the draft with the verdicts of these, as the state keeps them."""
    return [(text, c.supported) for text, c in zip(SENTENCES, claims, strict=False)]


def drafted(given: Any, **changed: Any) -> Any:
    ready: dict[str, Any] = {
        "draft": DRAFT,
        "passages": (TIMING,),
        "accepted": (TIMING,),
        "accepted_as": {TIMING.chunk: GradeLabel.ANSWERS},
        "covered": {QUESTION: True},
        "passes": 1,
        "tried": (QUESTION,),
    }
    return planned_state(given, **ready | changed)


def decision_of(update: dict[str, Any]) -> Decision:
    (found,) = (body for body in update["emit"] if isinstance(body, Decision))
    return found


async def checked(*claims: ClaimVerdict, **changed: Any) -> dict[str, Any]:
    given = ports(ScriptedModel(checks=[claims]), **changed.pop("settings", {}))
    return await answer.check_grounding(drafted(given, **changed), given)


async def test_a_draft_that_its_sources_hold_goes_on() -> None:
    update = await checked(HELD, HELD, HELD)
    assert (update["correction"], update["was_checked"]) == ("", True)
    assert [(c.text, c.supported) for c in update["claims"]] == told_of(HELD, HELD, HELD)
    assert decision_of(update).outcome is Outcome.PASSED
    (told,) = (body for body in update["emit"] if isinstance(body, Claims))
    assert [(c.id, c.supported) for c in told.claims] == [("c1", True), ("c2", True), ("c3", True)]


async def test_the_judge_is_asked_for_what_code_cannot_decide_alone() -> None:
    model = ScriptedModel()
    given = ports(model)
    quoted = f"{TIMING.text} [1] Money finds its way back [1]. It takes ninety days [1]."
    update = await answer.check_grounding(drafted(given, draft=quoted), given)
    assert model.asked[0].about.claims == ("Money finds its way back.",)
    assert [(c.by, c.supported) for c in update["claims"]] == [
        ("code", True),
        ("judge", True),
        ("code", False),
    ]


async def test_a_draft_that_code_decides_whole_costs_no_judge() -> None:
    model = ScriptedModel()
    given = ports(model)
    update = await answer.check_grounding(drafted(given, draft=f"{TIMING.text} [1]"), given)
    assert (model.asked, update["was_checked"]) == ([], True)
    assert [c.basis for c in update["claims"]] == [Basis.QUOTATION]


async def test_a_judge_that_gives_too_few_verdicts_has_given_none() -> None:
    class Curt(ScriptedModel):
        async def check(self, task: Any) -> Any:
            reply = await super().check(task)
            return Reply(reply.value[:1], reply.call)

    given = ports(Curt())
    update = await answer.check_grounding(drafted(given), given)
    assert (update["was_checked"], update["check_failed"]) == (False, NONSENSE)
    assert [c.supported for c in update["claims"]] == [None, None, None]


async def test_the_judge_sees_the_draft_its_passages_and_the_pictures() -> None:
    model = ScriptedModel()
    picture = Image(name="screen.png", media_type="image/png", data="aGk=")
    given = ports(model, others={"images": (picture,)})
    await answer.check_grounding(drafted(given), given)
    task = model.asked[0].about
    assert (task.question, task.draft, task.claims) == (QUESTION, DRAFT, SENTENCES)
    assert (task.passages, task.images) == ((TIMING,), (picture,))


async def test_one_unsupported_claim_beside_others_is_a_caveat_and_no_retry() -> None:
    update = await checked(HELD, WRONG, HELD)
    assert (update["correction"], update["corrections"]) == ("", 0)
    assert decision_of(update).outcome is Outcome.ACTED


async def test_a_draft_with_two_false_parts_is_withdrawn_and_written_again() -> None:
    update = await checked(HELD, WRONG, WRONG)
    assert (update["correction"], update["corrections"]) == ("write", 1)
    assert update["withdrawn"]
    assert decision_of(update).outcome is Outcome.ACTED


async def test_a_draft_that_nothing_holds_is_searched_for_again() -> None:
    update = await checked(WRONG, WRONG, WRONG)
    assert (update["correction"], bool(update["withdrawn"])) == ("search", True)


async def test_without_rewrites_left_it_is_written_again_instead() -> None:
    assert (await checked(WRONG, WRONG, WRONG, rewrites=2))["correction"] == "write"


@pytest.mark.parametrize(
    ("allowed", "done", "then"), [(1, 0, "write"), (1, 1, ""), (0, 0, ""), (2, 1, "write")]
)
async def test_a_draft_is_sent_back_as_often_as_the_setting_allows(
    allowed: int, done: int, then: str
) -> None:
    update = await checked(
        HELD, WRONG, WRONG, corrections=done, settings={"max_corrections": allowed}
    )
    assert update["correction"] == then
    assert update["checks"] == 1


async def test_a_budget_that_is_used_up_sends_nothing_back() -> None:
    clock = FixedClock()
    model = ScriptedModel(checks=[Takes(61.0, (HELD, WRONG, WRONG))], clock=clock)
    given = ports(model, clock=clock)
    update = await answer.check_grounding(drafted(given), given)
    assert (update["budget_hit"], update["correction"]) == (Termination.TIME_CAP, "")
    assert [(c.text, c.supported) for c in update["claims"]] == told_of(HELD, WRONG, WRONG)


async def test_a_claim_that_nobody_could_judge_is_no_reason_to_write_again() -> None:
    assert (await checked(HELD, OPEN))["correction"] == ""


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        (Fails("timeout"), "timeout"),
        (Fails("invalid"), "invalid"),
        (Raises(ValueError("words of a person")), "raised ValueError"),
        (Hangs(), "timeout"),
    ],
    ids=str,
)
async def test_a_judge_that_is_out_never_looks_like_a_yes(broken: Any, reason: str) -> None:
    given = ports(ScriptedModel(checks=[broken]), control_timeout_ms=10)
    update = await answer.check_grounding(drafted(given), given)
    assert (update["was_checked"], update["check_failed"]) == (False, reason)
    assert [c.supported for c in update["claims"]] == [None, None, None]
    assert update["correction"] == ""
    assert decision_of(update) == Decision(
        control=Control.GROUNDEDNESS, outcome=Outcome.FAILED_CLOSED, reason=reason
    )


@pytest.mark.parametrize(
    ("settings", "changed"),
    [
        ({"agentic": False}, {}),
        ({"grounding_check": False}, {}),
        ({}, {"mode": Mode.CRISIS}),
        ({}, {"draft": "  "}),
    ],
    ids=str,
)
async def test_a_check_that_is_off_says_so_and_claims_nothing(
    settings: dict[str, Any], changed: dict[str, Any]
) -> None:
    model = ScriptedModel()
    given = ports(model, **settings)
    update = await answer.check_grounding(drafted(given, **changed), given)
    assert decision_of(update).outcome is Outcome.SKIPPED
    assert (update["was_checked"], model.asked) == (False, [])


# ---- the direct path

MEMORY: dict[str, Any] = {
    "passages": (),
    "accepted": (),
    "accepted_as": {},
    "items": (),
    "covered": {},
    "passes": 0,
    "route": Route.DIRECT,
}


async def test_a_kind_word_from_memory_goes_out_without_a_judge() -> None:
    model = ScriptedModel()
    given = ports(model)
    before = drafted(given, **MEMORY, draft="You are welcome. What else can I look up for you?")
    update = await answer.check_grounding(before, given)
    assert (update["correction"], update["was_checked"]) == ("", False)
    assert model.asked == []


async def test_a_direct_draft_that_claims_something_is_searched_after_all() -> None:
    given = ports()
    before = drafted(given, **MEMORY, draft="A refund takes 5 days.")
    update = await answer.check_grounding(before, given)
    assert (update["correction"], update["route"]) == ("plan", Route.SINGLE_SHOT)
    assert update["draft"] == "" and update["withdrawn"]
    assert decision_of(update).outcome is Outcome.ACTED


async def test_a_direct_draft_that_says_nothing_is_searched_too() -> None:
    given = ports()
    update = await answer.check_grounding(drafted(given, **MEMORY | {"draft": "  "}), given)
    assert (update["correction"], update["route"]) == ("plan", Route.SINGLE_SHOT)


async def test_what_a_tool_found_is_judged_like_a_source() -> None:
    result = ToolResult(call=ToolCall(id="1", tool="search_directory"), text="Leeds")
    model = ScriptedModel(checks=[(HELD,)])
    given = ports(model)
    before = drafted(given, **MEMORY, tool_results=(result,))
    update = await answer.check_grounding(before, given)
    assert update["was_checked"]
    assert any(isinstance(body, ModelCall) for body in update["emit"])


async def test_every_check_counts_itself() -> None:
    given = ports()
    for changed in ({}, {"draft": ""}, MEMORY):
        update = await answer.check_grounding(drafted(given, **changed, checks=3), given)
        assert update["checks"] == 4
