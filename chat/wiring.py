"""The composition root: settings become models, search, and the runner of this process.

Everything here is made on first use and kept; nothing is read or loaded by an import.
"""

from __future__ import annotations

import asyncio
import gc
import hashlib
import logging
import time
from dataclasses import replace
from functools import cache
from typing import Literal
from weakref import WeakKeyDictionary

import numpy as np
from django.conf import settings
from django.db.models import Max

from chat.adapters.embeddings import Embedder, EndpointEmbedder, MiniLM
from chat.adapters.llm_offline import PACE, OfflineModel
from chat.adapters.offline.corpus import Documents
from chat.adapters.router import EmbeddingRouter
from chat.contracts.ports import AgentSettings, LanguageModel, Ports
from chat.contracts.site_rules import SiteRules
from chat.contracts.verdicts import LABEL_SCHEMA
from chat.db import with_connection
from chat.models import Chunk, DocumentVersion, TrainedRouter, Turn
from chat.models.corpus import EMBEDDING_DIMENSIONS
from chat.retrieval.store import PostgresSearch
from chat.runner import Runner
from chat.sample.loader import examples
from chat.site_rules import site_rules
from chat.tools.shipped import CATALOGUE, toolbox
from chat.uploads import with_attachments

log = logging.getLogger(__name__)

VERSION = "0.1.0"
COLLECTION = "handbook"

Mode = Literal["hybrid", "vector", "lexical", "exact"]


@cache
def embedder() -> Embedder:
    """MiniLM on this machine, or the endpoint's model if one is set."""
    site = settings.PLUMBLINE
    if not site.embedding_model:
        return MiniLM()
    return EndpointEmbedder(
        site.embedding_model,
        base_url=site.openai_base_url or None,
        api_key=site.openai_api_key,
        timeout=site.llm_timeout_ms / 1000,
    )


@cache
def search(mode: Mode | None = None) -> PostgresSearch:
    """The index of what is served, in the mode that is set or asked for."""
    site = settings.PLUMBLINE
    return PostgresSearch(
        embedder(),
        collection=COLLECTION,
        mode=mode or site.retrieval_mode,
        threshold=site.relevance_threshold,
    )


def model(pace: float | None = None) -> LanguageModel:
    """The language model. `pace` is the offline model's seconds between two pieces of text."""
    return _model(pace)  # one key however it is called: two models would learn everything twice


@cache
def _model(pace: float | None) -> LanguageModel:
    site = settings.PLUMBLINE
    if site.llm_model:
        return _endpoint_model()
    return OfflineModel(
        embedder(),
        examples(),
        ServedDocuments(COLLECTION),
        categories=site_rules().restricted,
        pace=PACE if pace is None else pace,
    )


def model_line() -> str:
    """Who speaks, for the page."""
    site = settings.PLUMBLINE
    if not site.llm_model:
        return OfflineModel.LINE
    return f"Answers are written by {site.llm_model} from the handbook's passages."


def agent_settings() -> AgentSettings:
    """How a turn is run, from the site's settings."""
    site, shown = settings.PLUMBLINE, examples()
    return AgentSettings(
        agentic=site.enable_agentic_rag,
        max_rewrites=site.max_retries if site.min_docs else 0,
        top_k=site.top_k,
        relevance_threshold=site.relevance_threshold,
        min_docs=site.min_docs,
        neighbours=site.chunk_expansion_enabled,
        max_passes=site.max_passes,
        token_budget=site.token_budget,
        cost_budget=site.cost_budget,
        wall_clock_ms=site.wall_clock_ms,
        control_timeout_ms=3 * site.llm_timeout_ms,  # a call, its retries and its repair
        examples=shown.shown_questions,
        covers=shown.covers,
        grounding_check=not site.skip_hallucination_check,
        max_corrections=site.max_loop_iterations,
        router_timeout_ms=site.router_timeout_ms,
        contacts=site.crisis_contacts,
        site=site_rules(),
    )


@cache
def router() -> EmbeddingRouter:
    """The router on this machine: the newest trained one, or one made of the shipped examples."""
    return EmbeddingRouter(embedder(), examples().routes.labelled, _trained)


def _trained() -> object:
    """The weights of the newest training, or None. Called off the loop."""
    newest = with_connection(lambda: TrainedRouter.newest(embedder().name))
    return newest.weights if newest else None


def ports(pace: float | None = None) -> Ports:
    """What one turn needs."""
    return Ports(
        model=model(pace),
        search=search(),
        clock=time.monotonic,
        write=lambda _text: None,
        settings=agent_settings(),
        router=router(),
    )


def equip(given: Ports, turn: Turn) -> Ports:
    """What is the turn's own: what came with its question, and its tools. Database work."""
    given = with_attachments(given, turn.question, embedder())
    return replace(given, tools=toolbox(turn.pk))


def versions() -> dict[str, str]:
    """What a decision record says of how it came to be. Database work."""
    site = settings.PLUMBLINE
    newest = DocumentVersion.objects.filter(document__collection=COLLECTION, is_current=True)
    ingested = newest.aggregate(at=Max("ingested_at"))["at"]
    return {
        "code": VERSION,
        "model": model().name,
        "embedder": embedder().name,
        "retrieval": site.retrieval_mode,
        "corpus": ingested.isoformat() if ingested else "",
        "stream_policy": site.stream_policy,
        "prompts": model().prompts,
        "settings": _settings_line(),
        "rules": _rules_digest(),
        "labels": str(LABEL_SCHEMA),
    }


@cache
def _rules_digest() -> str:
    """The owner's rules, by the beginning of their digest."""
    return hashlib.sha256(repr(site_rules()).encode()).hexdigest()[:16]


@cache
def _settings_line() -> str:
    """How turns are run, without the site's rules, of which the record has the digest."""
    return repr(replace(agent_settings(), site=SiteRules()))


WARM_SECONDS = 30.0  # that a first question waits for what is being loaded

_warming: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Task[None]] = WeakKeyDictionary()
_runners: WeakKeyDictionary[asyncio.AbstractEventLoop, Runner] = WeakKeyDictionary()


def runner() -> Runner:
    """The runner of the loop that asks."""
    loop = asyncio.get_running_loop()
    if loop not in _runners:
        hold = settings.PLUMBLINE.stream_policy == "verified"
        _runners[loop] = Runner(ports, versions, hold_draft=hold, equip=equip, ready=warmed)
    return _runners[loop]


async def begin() -> None:
    """What a serving process does first: keep turns, and load what the first question needs."""
    runner().keep()
    warming = asyncio.create_task(asyncio.to_thread(warm_up))
    _warming[asyncio.get_running_loop()] = warming
    try:
        await warming
    except Exception:  # the first question loads it then, and tells the person if it cannot
        log.exception("the models could not be loaded beforehand")
    # What is loaded stays for good. Each full collection would look through all of it, and halt
    # every stream for a fifth of a second.
    gc.collect()
    gc.freeze()


async def warmed() -> None:
    """Come back once what is loaded beforehand is there: half loaded, a control would time out."""
    warming = _warming.get(asyncio.get_running_loop())
    if warming is not None and not warming.done():
        await asyncio.wait({warming}, timeout=WARM_SECONDS)


async def end() -> None:
    """Hand running turns on and close the connections to the model."""
    await runner().close()
    await model().aclose()


def warm_up() -> None:
    """Load what the first question needs. Blocks for some seconds; called off the loop."""
    embedder().embed(("warm",))
    router().prepare()
    with_connection(CATALOGUE.learn)
    if isinstance(speaking := model(), OfflineModel):
        speaking.prepare()


class ServedDocuments:
    """The current passages of a collection, read again when any of them changed."""

    def __init__(self, collection: str) -> None:
        self._collection = collection
        self._kept: Documents | None = None

    def documents(self) -> Documents:
        """Called off the loop."""
        return with_connection(self._read)

    def _read(self) -> Documents:
        current = DocumentVersion.objects.filter(
            document__collection=self._collection, is_current=True
        )
        stamp = repr(sorted(current.values_list("pk", flat=True)))
        if self._kept is None or self._kept.stamp != stamp:
            self._kept = self._load(stamp)
        return self._kept

    def _load(self, stamp: str) -> Documents:
        rows = list(
            Chunk.objects.filter(collection=self._collection, is_current=True)
            .order_by("key")
            .values_list("heading", "text", "embedding")
        )
        vectors = np.array([row[2] for row in rows], dtype=np.float32)
        return Documents(
            stamp=stamp,
            headings=tuple(row[0] for row in rows),
            texts=tuple(row[1] for row in rows),
            vectors=vectors.reshape(len(rows), EMBEDDING_DIMENSIONS),
        )


def _endpoint_model() -> LanguageModel:
    """Imports the client here: it takes two seconds that the offline model does not need."""
    from chat.adapters.llm_openai import OpenAiModel, OpenAiSettings

    site = settings.PLUMBLINE
    endpoint = OpenAiSettings(
        main=site.llm_model,
        base_url=site.openai_base_url,
        api_key=site.openai_api_key,
        router=site.llm_router_model,
        grader=site.llm_grader_model,
        judge=site.llm_judge_model,
        timeout_ms=site.llm_timeout_ms,
        prices=site.llm_prices,
        covers=examples().scope,
        categories=site_rules().restricted,
    )
    return OpenAiModel(endpoint)
