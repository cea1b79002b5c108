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

from django.conf import settings
from django.db.models import Max

from chat import trials
from chat.adapters.embeddings import Embedder, EndpointEmbedder, MiniLM
from chat.adapters.llm_offline import PACE, OfflineModel
from chat.adapters.router import EmbeddingRouter
from chat.contracts.ports import AgentSettings, LanguageModel, Ports, TakesPrompts
from chat.contracts.site_rules import SiteRules
from chat.contracts.verdicts import LABEL_SCHEMA
from chat.db import with_connection
from chat.models import DocumentVersion, TrainedRouter, Turn
from chat.retrieval.store import PostgresSearch
from chat.runner import Runner
from chat.sample.loader import examples
from chat.served import ServedDocuments
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


def model_named(name: str) -> LanguageModel:
    """Another model at the site's endpoint, for a re-run. The other roles stay as they are set."""
    if name == settings.PLUMBLINE.llm_model:
        return model()
    if name not in _others:
        _others[name] = _endpoint_model(name)
    return _others[name]


_others: dict[str, LanguageModel] = {}


@cache
def _model(pace: float | None) -> LanguageModel:
    site = settings.PLUMBLINE
    return _endpoint_model(site.llm_model) if site.llm_model else offline_model(pace)


@cache
def offline_model(pace: float | None) -> OfflineModel:
    """The model on this machine, whatever the site's is. `pace` is as for `model`."""
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
    """What is the turn's own: its files, its tools, the prompts on trial. Database work."""
    if turn.kind == "rerun":  # it has what its source had
        return given
    given = with_attachments(given, turn.question, embedder())
    if turn.kind != "lab" and isinstance(given.model, TakesPrompts):
        talk = turn.conversation
        if words := trials.heard_by(talk.pk, talk.created_at):
            given = replace(given, model=given.model.with_prompts(words))
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
        "settings": settings_line(agent_settings()),
        "rules": _rules_digest(),
        "labels": str(LABEL_SCHEMA),
    }


@cache
def _rules_digest() -> str:
    """The owner's rules, by the beginning of their digest."""
    return hashlib.sha256(repr(site_rules()).encode()).hexdigest()[:16]


def settings_line(limits: AgentSettings) -> str:
    """How a turn is run, without the site's rules, of which the record has the digest."""
    return repr(replace(limits, site=SiteRules()))


def spoken(given: Ports) -> dict[str, str]:
    """Of the versions, what a turn may have had of its own: its model, prompts and settings."""
    own = {
        "model": given.model.name,
        "prompts": given.model.prompts,
        "settings": settings_line(given.settings),
    }
    mode = getattr(given.search, "mode", "")
    return own | ({"retrieval": mode} if mode else {})


WARM_SECONDS = 30.0  # that a first question waits for what is being loaded

_warming: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Task[None]] = WeakKeyDictionary()
_runners: WeakKeyDictionary[asyncio.AbstractEventLoop, Runner] = WeakKeyDictionary()


def runner() -> Runner:
    """The runner of the loop that asks."""
    loop = asyncio.get_running_loop()
    if loop not in _runners:
        hold = settings.PLUMBLINE.stream_policy == "verified"
        _runners[loop] = Runner(
            ports, versions, hold_draft=hold, equip=equip, ready=warmed, spoken=spoken
        )
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
    for speaking in (model(), *_others.values()):
        await speaking.aclose()


def warm_up() -> None:
    """Load what the first question needs. Blocks for some seconds; called off the loop."""
    embedder().embed(("warm",))
    router().prepare()
    with_connection(CATALOGUE.learn)
    if isinstance(speaking := model(), OfflineModel):
        speaking.prepare()


def _endpoint_model(main: str) -> LanguageModel:
    """Imports the client here: it takes two seconds that the offline model does not need."""
    from chat.adapters.llm_openai import OpenAiModel, OpenAiSettings

    site = settings.PLUMBLINE
    endpoint = OpenAiSettings(
        main=main,
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
