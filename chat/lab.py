"""The lab's turns: golden questions and an owner's own, through the real graph, outside figures.

With lexical retrieval the golden five have stand-ins for the topic, the grades and the rewrites,
so that the loop alone is measured; with any other retrieval, and for an owner's own questions,
everything is as it is for a customer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, get_args
from uuid import UUID

from django.db import transaction

from chat import counters, turns, wiring
from chat.contracts.events import Event, TurnFinished
from chat.contracts.ports import Ports
from chat.contracts.tasks import Pause, PauseReply
from chat.contracts.verdicts import Route, Termination
from chat.db import in_db
from chat.lab_table import ANSWERED, NO_RESULTS, Outcome, Variant, checked
from chat.models import Conversation, Turn
from chat.runs import Run
from chat.sample.loader import Golden, golden_five
from chat.sample.stand_ins import GoldenModel

__all__ = ["ANSWERED", "NO_RESULTS", "Outcome", "Variant", "ask", "ports_of", "run", "table"]

GOLDEN_HITS = 2  # chunks of each golden retrieval
QUESTION_SECONDS = 90.0  # that one question may take; the graph's own budget is less
STOP_SECONDS = 10.0  # that a stopped turn may take to end
BEAT_EVERY = 3.0  # seconds

Beat = Callable[[], Awaitable[bool]]
"""Called while a question runs; false if it is to be stopped."""

Begins = Callable[[Turn], object]
"""Called in the transaction in which a turn begins; raises if its question is not to be asked."""


class Unfinished(Exception):
    """A lab turn that never came to an end, or that nobody wants any more. `turn` is its id."""

    def __init__(self, turn: UUID) -> None:
        self.turn = turn
        super().__init__(f"the lab turn {turn} did not finish")


@dataclass(frozen=True, slots=True)
class Totals:
    """One row of the table."""

    answered: int
    no_results: int
    off_topic: int
    retrievals: int
    calls: int


@dataclass(frozen=True, slots=True)
class Heard:
    """What became of one question."""

    turn: UUID
    events: list[Event]
    end: TurnFinished

    def outcome(self, question: str) -> Outcome:
        end = self.end
        made = (end.termination, end.passes, end.model_calls)
        return Outcome(question, *made, self.turn, end.cost, end.ms)


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
                "questions": [outcome.as_json() for outcome in plain],
            }
        )
    return rows


def ports_of(golden_id: str, variant: Variant) -> Ports:
    """What a lab turn of one of the golden five runs with. Raises `LookupError`, `BadVariant`."""
    for golden in golden_five():
        if golden.id == golden_id:
            return golden_ports(golden, variant)
    raise LookupError(f"There is no golden question {golden_id!r}.")


def real_ports(variant: Variant) -> Ports:
    """What a customer's turn runs with, but for the variant. Nobody answers a pause in the lab.

    Raises `BadVariant`.
    """
    checked(variant, stand_ins=False)
    ports = wiring.ports(pace=0)
    settings = replace(
        ports.settings,
        max_rewrites=variant.bound,
        check_order=variant.order,
        topic_check=variant.topic_check,
        max_passes=variant.bound + 2,
        max_clarifications=0,
    )
    search = wiring.search(mode=_mode(variant.retrieval))
    return replace(ports, search=search, settings=settings, ask=_nobody)


def golden_ports(golden: Golden, variant: Variant) -> Ports:
    """What a golden question runs with: stand-ins where retrieval is lexical."""
    if variant.retrieval != "lexical":
        return real_ports(variant)
    checked(variant, stand_ins=True)
    ports = real_ports(variant)
    pinned = replace(
        ports.settings,
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


def golden_title(golden_id: str, variant: Variant) -> str:
    return f"Golden {golden_id}: {variant.in_words}"


async def ask(
    question: str,
    ports: Ports,
    title: str,
    beat: Beat | None = None,
    begins: Begins = lambda _turn: None,
) -> Heard:
    """Ask a question in a conversation of its own, and wait until its turn has ended.

    One that takes too long is stopped, and ended by that. Raises `Unfinished` where even that does
    not end it, or `beat` says that nobody wants it any more, and what `begins` raises.
    """
    begun = await in_db(_begun, title, question, begins)
    run_ = wiring.runner().begin(begun, ports)
    became = await _became(run_, beat)
    if run_.asking is not None:
        await in_db(_let_nothing_wait, begun.turn.conversation)
    end = run_.log.shown[-1].body if run_.log.shown else None
    counters.job("lab question", became)
    if became == "stopped" or not isinstance(end, TurnFinished):
        raise Unfinished(begun.turn.pk)
    return Heard(begun.turn.pk, run_.log.shown, end)


async def _run_one(golden: Golden, variant: Variant) -> Outcome:
    ports, title = golden_ports(golden, variant), golden_title(golden.id, variant)
    return (await ask(golden.question, ports, title)).outcome(golden.id)


async def _became(run_: Run, beat: Beat | None) -> Literal["done", "timeout", "stopped"]:
    """Wait for the turn. Out of time, unwanted, or left alone by who waits here, it is stopped."""
    if run_.task is None:
        return "done"
    loop = asyncio.get_running_loop()
    until, unwanted = loop.time() + QUESTION_SECONDS, False
    try:
        while loop.time() < until:
            done, _ = await asyncio.wait({run_.task}, timeout=BEAT_EVERY)
            if done:
                return "done"
            if unwanted := beat is not None and not await beat():
                break
    finally:
        wiring.runner().stop(run_.begun.turn.pk)
    await asyncio.wait({run_.task}, timeout=STOP_SECONDS)
    return "stopped" if unwanted else "timeout"


def _nobody(_pause: Pause) -> PauseReply:
    """Nobody is there to answer, so that nothing waits and no action is carried out."""
    return PauseReply(expired=True)


@transaction.atomic
def _let_nothing_wait(conversation: Conversation) -> None:
    """End a turn that waits for a person all the same. Database work."""
    turns.supersede(conversation, wiring.versions)


def _mode(retrieval: str) -> wiring.Mode:
    return next(mode for mode in get_args(wiring.Mode) if mode == retrieval)


@transaction.atomic
def _begun(title: str, question: str, begins: Begins) -> turns.Begun:
    conversation = Conversation.objects.create(title=title, is_lab=True)
    begun = turns.start_lab(conversation, question)
    begins(begun.turn)
    return begun
