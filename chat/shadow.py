"""A search made afterwards for a turn that was turned away without one: was there evidence?

It runs beside the graph, once, with the site's search and the model that grades for it, and
changes nothing of the turn. The index is the present one, so it says what is there now.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from chat import counters, wiring
from chat.agent.nodes import untrusted
from chat.contracts.errors import SearchFailed
from chat.contracts.events import ModelCall, QuestionRead
from chat.contracts.passages import Hit
from chat.contracts.ports import AgentSettings, LanguageModel, Reply, Search
from chat.contracts.verdicts import Grade, GradeLabel
from chat.db import in_db
from chat.guardrails.policy import Guarded, guard, says
from chat.models import Turn, TurnEvent

SECONDS = 60.0  # for the search and all grades together

GONE = "gone"
SEARCH_FAILED = "search_failed"
TIMEOUT = "timeout"
UNGRADED = "ungraded"


@dataclass(frozen=True, slots=True)
class ShadowHit:
    """A hit without its text. `cosine` is None where no vector found it."""

    chunk: str
    score: float
    cosine: float | None
    label: GradeLabel


@dataclass(frozen=True, slots=True)
class Shadow:
    """What a search would have found. `cost` is US dollars.

    `has_evidence` is None where nobody could say, and `problem` says why: gone (what was asked is
    not kept any more), search_failed, timeout or ungraded.
    """

    hits: tuple[ShadowHit, ...] = ()
    has_evidence: bool | None = None
    problem: str = ""
    cost: float = 0.0


async def search_again(turn: UUID) -> Shadow:
    """Search what the turn asked, and grade the hits as its evidence would have been.

    Raises what a defect raises; what a search or a model cannot do is the problem.
    """
    question = await in_db(asked, turn)
    if not question:
        return Shadow(problem=GONE)
    await wiring.warmed()
    return await look(question, wiring.search(), wiring.model(), wiring.agent_settings())


def asked(turn: UUID) -> str:
    """The turn's question as it was read, or as it was typed; empty once it is erased.

    Database work.
    """
    row = Turn.objects.select_related("question").filter(pk=turn, erased_at=None).first()
    if row is None:
        return ""
    read = TurnEvent.objects.filter(turn=turn, type=QuestionRead.TYPE).order_by("-seq").first()
    standalone: str = read.data.get("standalone", "") if read else ""
    return standalone or row.question.text


async def look(
    question: str,
    search: Search,
    model: LanguageModel,
    limits: AgentSettings,
    *,
    seconds: float = SECONDS,
) -> Shadow:
    """One search and its grades, as the relevance control makes them.

    Calls that were made count, in the metrics as well, even where the time ran out.
    """
    looking = _Looking(question, model, limits)
    found = Shadow(problem=TIMEOUT)
    try:
        async with asyncio.timeout(seconds):
            hits = (await search.search(question, limits.top_k)).hits
            found = await looking.graded(untrusted.hits(hits).hits)
    except SearchFailed:
        found = Shadow(problem=SEARCH_FAILED)
    except TimeoutError:
        pass
    return Shadow(found.hits, found.has_evidence, found.problem, looking.cost)


class _Looking:
    """Grades the hits of one question, and remembers what that cost."""

    def __init__(self, question: str, model: LanguageModel, limits: AgentSettings) -> None:
        self._question = question
        self._model = model
        self._timeout_ms = limits.control_timeout_ms
        self.cost = 0.0

    async def graded(self, hits: Sequence[Hit]) -> Shadow:
        labels = await asyncio.gather(*(self._grade(hit) for hit in hits))
        return _summed(hits, labels)

    async def _grade(self, hit: Hit) -> GradeLabel:
        graded: Guarded[Reply[Grade] | None] = await guard(
            self._model.grade(self._question, hit.passage),
            fallback=None,
            timeout_ms=self._timeout_ms,
            sane=says(Grade),
        )
        self._count(graded.value.call if graded.value else graded.failed_call)
        return graded.value.value.label if graded.value else GradeLabel.UNGRADED

    def _count(self, call: ModelCall | None) -> None:
        if call is not None:
            self.cost += max(0.0, call.cost)
            counters.model_call(call)


def _summed(hits: Sequence[Hit], labels: Sequence[GradeLabel]) -> Shadow:
    """One answer is evidence; without one, a hit that nobody could grade leaves it open."""
    lines = tuple(
        ShadowHit(hit.passage.chunk, hit.score, hit.cosine, label)
        for hit, label in zip(hits, labels, strict=True)
    )
    if GradeLabel.ANSWERS in labels:
        return Shadow(lines, has_evidence=True)
    if GradeLabel.UNGRADED in labels:
        return Shadow(lines, problem=UNGRADED)
    return Shadow(lines, has_evidence=False)
