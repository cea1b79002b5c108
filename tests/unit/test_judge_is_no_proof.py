"""A judge that fails, hangs, talks nonsense or says yes to everything makes no answer "checked".

Whole turns over doubles; the line is what the page would show under the answer.
"""

from __future__ import annotations

from typing import Any

import pytest

from chat.contracts.trust import UNKNOWN, Trust
from chat.contracts.turn_view import fold
from chat.contracts.verdicts import Basis, ClaimVerdict, Supports
from chat.turn_words import Note, support_of, trust_of
from tests.chat_pages import citation
from tests.doubles.models import ANSWERS, Fails, Hangs, Raises, ScriptedModel
from tests.factories import events, handbook, ports
from tests.unit.agent.running import run

_, TIMING, _ = handbook()
DRAFT = "Money finds its way back to whoever paid it [1]. Nothing is kept of it [1]."
PROVEN = Trust(word="checked", precision=0.9, n=300, dataset="some sets")
WEAK = Trust(precision=0.72, n=300, dataset="some sets")


def said(supported: bool | None) -> ClaimVerdict:
    return ClaimVerdict(
        text="It says so.",
        label="it",
        basis=Basis.SOURCE,
        supported=supported,
        by="judge",
        passages=(1,),
    )


async def line(checks: Any, trust: Trust) -> Note:
    model = ScriptedModel(grades={TIMING.chunk: ANSWERS}, answers=[DRAFT], checks=[checks])
    told = await run(ports(model, control_timeout_ms=20))
    note = trust_of(fold(events(told.bodies)), trust)
    assert note is not None
    return note


BROKEN: dict[str, Any] = {
    "fails": Fails("server_error"),
    "is slow": Hangs(),
    "has a defect": Raises(RuntimeError("broken")),
    "says nothing that can be read": "yes, all of it",
    "gives no verdict": None,
    "is unsure of all": (said(None), said(None)),
}


@pytest.mark.parametrize("trust", [UNKNOWN, WEAK, PROVEN], ids=["unknown", "weak", "proven"])
@pytest.mark.parametrize("judge", BROKEN)
async def test_a_judge_that_gave_no_verdict_has_checked_nothing(judge: str, trust: Trust) -> None:
    note = await line(BROKEN[judge], trust)
    assert note.signal != "supported"
    assert "Checked against" not in note.words
    if judge != "is unsure of all":
        assert "Checked" not in note.words
        assert "wording not checked" in note.words


@pytest.mark.parametrize("trust", [UNKNOWN, WEAK], ids=["unknown", "weak"])
async def test_a_judge_that_says_yes_to_everything_has_compared_at_most(trust: Trust) -> None:
    note = await line((said(True), said(True)), trust)
    assert note.words.startswith("Compared with 1 passage by the model")
    assert note.signal == "unchecked"


async def test_a_judge_that_was_measured_and_passed_has_checked() -> None:
    note = await line((said(True), said(True)), PROVEN)
    assert (note.signal, note.words) == ("supported", "Checked against 1 passage")
    assert "90 %" in note.more


@pytest.mark.parametrize(
    ("precision", "words"),
    [(0.799, "right 7 times of 10"), (0.699, "right 6 times of 10"), (0.999, "right 9 times")],
)
async def test_a_share_is_never_rounded_up(precision: float, words: str) -> None:
    trust = Trust(precision=precision, n=300, dataset="some sets")
    assert words in (await line((said(True), said(True)), trust)).words


@pytest.mark.parametrize("supports", [Supports.NO, Supports.UNCHECKED])
@pytest.mark.parametrize("trust", [UNKNOWN, WEAK, PROVEN], ids=["unknown", "weak", "proven"])
def test_what_is_not_a_yes_is_none_on_the_card_either(supports: Supports, trust: Trust) -> None:
    note = support_of(citation(1, supports), ["It takes a while."], trust)
    assert note.signal != "supported"
