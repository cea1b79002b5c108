"""The golden lab: the golden five through the real graph, stored as lab turns.

With lexical retrieval the topic, the grades and the rewrites are stand-ins, so that the loop
alone is measured; with hybrid retrieval everything is as it is for a customer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any
from uuid import UUID

from chat import turns, wiring
from chat.contracts.events import TurnFinished
from chat.contracts.ports import Ports
from chat.contracts.verdicts import Route, Termination
from chat.db import in_db
from chat.models import Conversation
from chat.sample.loader import Golden, golden_five
from chat.sample.stand_ins import GoldenModel

GOLDEN_HITS = 2  # chunks of each golden retrieval

NO_RESULTS = (Termination.NO_EVIDENCE, Termination.NO_PROGRESS)
ANSWERED = (Termination.ANSWERED, Termination.ANSWERED_WITH_CAVEAT)


@dataclass(frozen=True, slots=True)
class Variant:
    """One setting of the lab. `bound` is the number of rewrites allowed."""

    bound: int
    order: str = "evidence"
    topic_check: bool = True
    retrieval: str = "lexical"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one golden question ended; `turn` is its stored lab turn."""

    question: str
    termination: Termination
    retrievals: int
    calls: int
    turn: UUID


@dataclass(frozen=True, slots=True)
class Totals:
    """One row of the table."""

    answered: int
    no_results: int
    off_topic: int
    retrievals: int
    calls: int


async def run(variant: Variant, questions: Sequence[Golden] | None = None) -> list[Outcome]:
    """Run the golden questions one after the other."""
    return [await _run_one(golden, variant) for golden in questions or golden_five()]


def totals(outcomes: Sequence[Outcome]) -> Totals:
    ends = [outcome.termination for outcome in outcomes]
    return Totals(
        answered=sum(end in ANSWERED for end in ends),
        no_results=sum(end in NO_RESULTS for end in ends),
        off_topic=ends.count(Termination.OFF_TOPIC),
        retrievals=sum(outcome.retrievals for outcome in outcomes),
        calls=sum(outcome.calls for outcome in outcomes),
    )


async def table(bounds: Sequence[int], retrieval: str) -> list[dict[str, Any]]:
    """A row a bound: the lab as it is, with the budget first, and without the topic check."""
    rows = []
    for bound in bounds:
        plain = await run(Variant(bound, retrieval=retrieval))
        budget = await run(Variant(bound, order="budget", retrieval=retrieval))
        unchecked = await run(Variant(bound, topic_check=False, retrieval=retrieval))
        rows.append(
            {
                "bound": bound,
                **asdict(totals(plain)),
                "budget_first": asdict(totals(budget)),
                "no_topic_check": asdict(totals(unchecked)),
                "questions": [_as_json(outcome) for outcome in plain],
            }
        )
    return rows


async def _run_one(golden: Golden, variant: Variant) -> Outcome:
    conversation = await in_db(_conversation, golden, variant)
    begun = await in_db(turns.start_lab, conversation, golden.question)
    run_ = wiring.runner().begin(begun, _ports(golden, variant))
    if run_.task:
        await run_.task
    end = run_.log.shown[-1].body
    if not isinstance(end, TurnFinished):
        raise RuntimeError(f"the lab turn {begun.turn.pk} did not finish")
    return Outcome(golden.id, end.termination, end.passes, end.model_calls, begun.turn.pk)


def _ports(golden: Golden, variant: Variant) -> Ports:
    ports = wiring.ports(pace=0)
    settings = replace(
        ports.settings,
        max_rewrites=variant.bound,
        check_order=variant.order,
        topic_check=variant.topic_check,
        max_passes=variant.bound + 2,
        max_clarifications=0,  # nobody answers in the lab
    )
    if variant.retrieval == "hybrid":
        return replace(ports, settings=settings)
    pinned = replace(
        settings,
        top_k=GOLDEN_HITS,
        greeting_check=False,
        ambiguity_check=False,
        planning=False,
        grounding_check=False,
        pinned_route=Route.SINGLE_SHOT,
        final_floor=0.0,
        no_progress_stop=False,
        neighbours=False,
        relevance_threshold=0.0,
    )
    model = GoldenModel(golden, ports.model)
    return replace(ports, model=model, search=wiring.search(mode="exact"), settings=pinned)


def _conversation(golden: Golden, variant: Variant) -> Conversation:
    check = "" if variant.topic_check else ", no topic check"
    title = f"Golden {golden.id}: {variant.bound} rewrites, {variant.order} first{check}"
    return Conversation.objects.create(title=title, is_lab=True)


def _as_json(outcome: Outcome) -> dict[str, Any]:
    return {**asdict(outcome), "turn": str(outcome.turn)}
