"""The offline model on the sample handbook: real index, real graph, real words, nothing stood in.

The golden five and twenty further questions, typed as impatient customers type them, end as they
should; the questions that the rules were made on are counted too.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from chat import lab, wiring
from chat.contracts.events import Answer
from chat.contracts.verdicts import Termination
from chat.db import in_db
from chat.event_rows import stored
from chat.sample.loader import Golden, golden_five
from tests.corpus import take_in_the_handbook

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

DATA = Path(__file__).parent.parent / "data"
BOUND = 2  # rewrites

EXPECTED = {
    "answered": (Termination.ANSWERED,),
    "no_evidence": lab.NO_RESULTS,
    "off_topic": (Termination.OFF_TOPIC, Termination.RESTRICTED),
}


@dataclass(frozen=True)
class Asked:
    """A question and how it should end; one of `sections`, if any, should be cited."""

    id: str
    text: str
    expect: str
    sections: tuple[str, ...]


def _rows(name: str) -> list[Asked]:
    rows: list[dict[str, Any]] = json.loads((DATA / name).read_text("utf-8"))
    return [Asked(r["id"], r["text"], r["expect"], tuple(r["answer_sections"])) for r in rows]


def _as_lab_question(asked: Asked) -> Golden:
    """With hybrid retrieval only its text is used."""
    return Golden(id=asked.id, question=asked.text, topic="", answer_chunks=(), rewrites=())


@pytest.fixture
async def site() -> AsyncIterator[None]:
    """The handbook in the index, and a runner of this test's own."""
    await in_db(take_in_the_handbook)
    yield
    await wiring.runner().close()


async def _run(questions: Iterable[Golden]) -> list[lab.Outcome]:
    return await lab.run(lab.Variant(BOUND, retrieval="hybrid"), list(questions))


async def _cited(outcome: lab.Outcome) -> set[str]:
    bodies = [event.body for event in await stored(outcome.turn)]
    answer = next(body for body in bodies if isinstance(body, Answer))
    return {citation.chunk for citation in answer.citations}


async def _wrong(rows: list[Asked]) -> list[str]:
    """The questions that did not end as they should, each with how it ended."""
    outcomes = await _run(map(_as_lab_question, rows))
    return [
        f"{asked.text!r} ended {outcome.termination}, citing {sorted(await _cited(outcome))}"
        for asked, outcome in zip(rows, outcomes, strict=True)
        if outcome.termination not in EXPECTED[asked.expect]
        or (asked.sections and not await _cited(outcome) & set(asked.sections))
    ]


async def test_the_golden_five_end_as_they_should_and_cite_their_sections(site: None) -> None:
    goldens = golden_five()
    outcomes = await _run(goldens)

    ends = {outcome.question: outcome.termination for outcome in outcomes}
    assert ends == {
        "export": Termination.ANSWERED,
        "refund": Termination.ANSWERED,
        "outage": Termination.ANSWERED,
        "discount": Termination.NO_EVIDENCE,
        "weather": Termination.OFF_TOPIC,
    }
    for golden, outcome in zip(goldens, outcomes, strict=True):
        cited = await _cited(outcome)
        assert cited & set(golden.answer_chunks) or not golden.answer_chunks


async def test_at_least_18_of_20_further_questions_end_as_they_should(site: None) -> None:
    wrong = await _wrong(_rows("further_questions.json"))

    assert len(wrong) <= 2, "\n".join(wrong)


async def test_most_questions_that_the_rules_were_made_on_end_as_they_should(site: None) -> None:
    rows = _rows("offline_development_questions.json")
    wrong = await _wrong(rows)

    assert len(wrong) <= len(rows) * 0.15, "\n".join(wrong)
