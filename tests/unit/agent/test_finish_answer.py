"""What makes a draft fit to send: bound markers, named gaps, a band, and honest caveats."""

from __future__ import annotations

from typing import Any

import pytest

from chat.agent.nodes import endings
from chat.contracts.events import Decision
from chat.contracts.verdicts import (
    Basis,
    ClaimVerdict,
    Confidence,
    Control,
    GradeLabel,
    Mode,
    Outcome,
    Supports,
    Termination,
)
from chat.guardrails import generation
from chat.site_rules import site_rules
from tests.factories import QUESTION, handbook, planned_state, ports

ELIGIBILITY, TIMING, _ = handbook()


def drafted(given: Any, draft: str, **changed: Any) -> Any:
    """A state with a draft from TIMING and ELIGIBILITY, of which TIMING was accepted."""
    ready: dict[str, Any] = {
        "accepted": (TIMING,),
        "accepted_as": {TIMING.chunk: GradeLabel.ANSWERS},
        "covered": {QUESTION: True},
        "passages": (TIMING, ELIGIBILITY),
        "draft": draft,
        "was_checked": True,
    }
    return planned_state(given, **ready | changed)


def claims(*supported: bool | None) -> tuple[ClaimVerdict, ...]:
    return tuple(
        ClaimVerdict(
            text=f"Claim {n}.", label=f"claim {n}", basis=Basis.SOURCE, supported=held, by="judge"
        )
        for n, held in enumerate(supported)
    )


async def test_markers_are_bound_to_the_passages_they_stand_for() -> None:
    given = ports()
    update = await endings.finish_answer(drafted(given, "Five to ten days [1]."), given)
    (citation,) = update["citations"]
    assert (citation.marker, citation.chunk, citation.passage) == (1, TIMING.chunk, TIMING.text)
    assert update["emit"] == (
        Decision(
            control=Control.CITATION_BINDING, outcome=Outcome.PASSED, reason="1 bound, 0 removed"
        ),
        Decision(control=Control.CONFIDENCE, outcome=Outcome.ACTED, reason="none"),
    )


async def test_markers_count_from_one_in_the_order_of_reading() -> None:
    given = ports()
    update = await endings.finish_answer(drafted(given, "Thirty days [2]. Ten days [1]."), given)
    assert update["text"] == "Thirty days [1]. Ten days [2]."
    assert [c.chunk for c in update["citations"]] == [ELIGIBILITY.chunk, TIMING.chunk]


async def test_a_marker_that_stands_for_nothing_goes_and_is_counted() -> None:
    given = ports()
    update = await endings.finish_answer(drafted(given, "Ten days [1]. For free [7]."), given)
    assert "7" not in update["text"]
    decision, _ = update["emit"]
    assert (decision.outcome, decision.reason) == (Outcome.ACTED, "1 bound, 1 removed")
    assert update["unresolved"] == ("7",)


UNGRADED = {"accepted_as": {TIMING.chunk: GradeLabel.UNGRADED}}
GAP = {"covered": {QUESTION: True, "fees": False}}


@pytest.mark.parametrize(
    ("changed", "end"),
    [
        ({}, Termination.ANSWERED),
        (GAP, Termination.ANSWERED_WITH_CAVEAT),
        (UNGRADED, Termination.ANSWERED_WITH_CAVEAT),
        ({"budget_hit": Termination.TIME_CAP}, Termination.ANSWERED),
        (GAP | {"budget_hit": Termination.TIME_CAP}, Termination.TIME_CAP),
        (UNGRADED | {"budget_hit": Termination.PASS_CAP}, Termination.ANSWERED_WITH_CAVEAT),
    ],
    ids=str,
)
async def test_how_an_answered_turn_ends(changed: dict[str, Any], end: Termination) -> None:
    given = ports()
    update = await endings.finish_answer(drafted(given, "Ten days [1].", **changed), given)
    assert update["termination"] is end


async def test_passages_that_nobody_graded_are_said_to_be_so() -> None:
    given = ports()
    update = await endings.finish_answer(drafted(given, "Ten days [1].", **UNGRADED), given)
    assert update["caveats"] == (
        "It could not be checked whether these passages answer the question.",
    )


async def test_the_plain_path_promises_no_check_and_caveats_none() -> None:
    given = ports(agentic=False)
    update = await endings.finish_answer(drafted(given, "Ten days [1].", **UNGRADED), given)
    assert (update["caveats"], update["termination"]) == ((), Termination.ANSWERED)


# ---- gaps


async def test_a_gap_that_the_draft_leaves_out_is_named_by_code() -> None:
    given = ports()
    covered = {"refund time": True, "exit fee": False}
    update = await endings.finish_answer(drafted(given, "Ten days [1].", covered=covered), given)
    assert update["gaps"] == ("exit fee",)
    assert "exit fee" in update["text"]
    assert update["text"].startswith("Ten days [1].")


async def test_a_gap_that_the_draft_names_itself_is_not_named_twice() -> None:
    given = ports()
    covered = {"refund time": True, "exit fee": False}
    draft = "Ten days [1]. Nothing was found about the exit fee."
    update = await endings.finish_answer(drafted(given, draft, covered=covered), given)
    assert update["text"] == draft


async def test_a_blank_draft_gets_no_gap_line_to_hide_behind() -> None:
    given = ports()
    update = await endings.finish_answer(drafted(given, "  ", **GAP), given)
    assert update["text"].strip() == ""


# ---- how sure it is


@pytest.mark.parametrize(
    ("held", "band"),
    [
        ((True, True), Confidence.HIGH),
        ((True, False), Confidence.MEDIUM),
        ((False, False, False), Confidence.MEDIUM),
        ((False, False, False, False), Confidence.LOW),
        ((True, None), Confidence.LOW),
        ((), Confidence.NONE),
    ],
    ids=str,
)
async def test_the_band_follows_from_the_claims_that_nothing_holds(
    held: tuple[bool | None, ...], band: Confidence
) -> None:
    given = ports()
    update = await endings.finish_answer(
        drafted(given, "Ten days [1].", claims=claims(*held)), given
    )
    assert update["confidence"] is band


async def test_what_nobody_checked_is_never_called_checked() -> None:
    given = ports()
    before = drafted(given, "Ten days [1].", claims=claims(True), was_checked=False)
    assert (await endings.finish_answer(before, given))["confidence"] is Confidence.NONE


async def test_a_check_that_could_not_run_is_a_caveat() -> None:
    given = ports()
    before = drafted(given, "Ten days [1].", was_checked=False, check_failed="timeout")
    update = await endings.finish_answer(before, given)
    assert update["caveats"] == (endings.UNCHECKED,)
    assert update["termination"] is Termination.ANSWERED_WITH_CAVEAT


async def test_at_most_three_claims_are_warned_of() -> None:
    given = ports()
    before = drafted(given, "Ten days [1].", claims=claims(*[False] * 5))
    update = await endings.finish_answer(before, given)
    wrong = before["claims"][:3]
    assert update["caveats"] == tuple(generation.caveat_of(claim) for claim in wrong)


async def test_the_band_says_what_it_was_counted_from() -> None:
    given = ports()
    found = tuple(
        claim.model_copy(update={"basis": Basis.CALCULATION}) for claim in claims(False, True)
    )
    update = await endings.finish_answer(drafted(given, "Ten days [1].", claims=found), given)
    assert update["emit"][1] == Decision(
        control=Control.CONFIDENCE, outcome=Outcome.ACTED, reason="medium: 1 calculation"
    )


async def test_a_citation_says_what_the_check_found_of_its_sentence() -> None:
    given = ports()
    said = claims(False)[0].model_copy(update={"text": "Money is back soon."})
    before = drafted(given, "Money is back soon [1].", claims=(said,))
    (citation,) = (await endings.finish_answer(before, given))["citations"]
    assert citation.supports is Supports.NO


async def test_somebody_in_distress_gets_no_hedging_but_the_turn_says_what_was_open() -> None:
    given = ports()
    before = drafted(given, "Ten days [1].", mode=Mode.SUPPORTIVE, claims=claims(False))
    update = await endings.finish_answer(before, given)
    assert update["caveats"] == ()
    assert update["termination"] is Termination.ANSWERED_WITH_CAVEAT


# ---- why it ended


@pytest.mark.parametrize(
    ("changed", "end"),
    [
        ({"declined": True}, Termination.ACTION_DECLINED),
        ({"declined": True, "budget_hit": Termination.TOOL_CAP}, Termination.ACTION_DECLINED),
        ({"budget_hit": Termination.TOOL_CAP}, Termination.TOOL_CAP),
    ],
    ids=str,
)
async def test_a_no_and_a_tools_limit_name_the_end(
    changed: dict[str, Any], end: Termination
) -> None:
    given = ports()
    update = await endings.finish_answer(drafted(given, "It was not done.", **changed), given)
    assert update["termination"] is end


async def test_colouring_words_are_put_plainly_and_markers_stay_bound() -> None:
    given = ports(site=site_rules())
    update = await endings.finish_answer(drafted(given, "Unfortunately, ten days [1]."), given)
    assert "nfortunately" not in update["text"]
    assert [c.chunk for c in update["citations"]] == [TIMING.chunk]


async def test_a_claim_that_nobody_could_judge_is_a_caveat() -> None:
    given = ports()
    before = drafted(given, "Ten days [1].", claims=claims(True, None))
    update = await endings.finish_answer(before, given)
    assert update["caveats"] == (endings.UNCHECKED,)
    assert update["termination"] is Termination.ANSWERED_WITH_CAVEAT


@pytest.mark.parametrize(
    ("corrections", "end"),
    [(0, Termination.TIME_CAP), (1, Termination.ANSWERED_WITH_CAVEAT)],
)
async def test_a_budget_that_kept_a_wrong_draft_from_being_sent_back_names_the_end(
    corrections: int, end: Termination
) -> None:
    given = ports(max_corrections=1)
    wrong = {"claims": claims(True, False, False), "budget_hit": Termination.TIME_CAP}
    before = drafted(given, "Ten days [1].", **wrong, corrections=corrections)
    assert (await endings.finish_answer(before, given))["termination"] is end


@pytest.mark.parametrize("name", ["without_foreign_links", "_bound"])
async def test_nothing_leaves_past_a_filter_that_breaks(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_given: object) -> None:
        raise RuntimeError("the filter is out")

    monkeypatch.setattr(endings, name, broken)
    given = ports()
    update = await endings.finish_answer(drafted(given, "Five to ten days [1]."), given)
    assert (update["text"], update["termination"]) == ("", Termination.CONTROL_FAILED)
    binding = update["emit"][0]
    assert isinstance(binding, Decision)
    assert (binding.control, binding.outcome) == (Control.CITATION_BINDING, Outcome.FAILED_CLOSED)
