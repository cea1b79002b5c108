"""The router over shipped examples: where it sends queries, what it loads, and when."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from chat.adapters.embeddings import EmbeddingFailed, MiniLM
from chat.adapters.route_classifier import Labelled, fitted
from chat.adapters.router import EmbeddingRouter
from chat.contracts.ports import AgentSettings, Router
from chat.contracts.verdicts import Route
from chat.guardrails.routes import LEVELS, decide, never_direct
from chat.sample.loader import examples, golden_five
from tests.doubles.embedder import WordEmbedder

SHIPPED = examples().routes.labelled


@pytest.fixture(scope="module")
def router() -> EmbeddingRouter:
    """The one that is shipped, with the model of this machine."""
    found = EmbeddingRouter(MiniLM(), SHIPPED)
    found.prepare()
    return found


async def path(router: Router, query: str) -> Route:
    limits = AgentSettings()
    found = decide(
        await router.route(query),
        threshold=limits.route_threshold,
        direct_threshold=limits.direct_threshold,
    )
    return Route.SINGLE_SHOT if found is Route.DIRECT and never_direct(query) else found


async def test_a_router_is_what_the_port_says(router: Router) -> None:
    guess = await router.route("How long does a refund take?")
    assert guess.route in LEVELS
    assert 0 <= guess.confidence <= 1


@pytest.mark.parametrize("golden", golden_five(), ids=lambda golden: golden.id)
async def test_the_golden_five_are_searched_once(router: Router, golden: object) -> None:
    question = golden.question  # type: ignore[attr-defined]
    assert await path(router, question) is Route.SINGLE_SHOT


@pytest.mark.parametrize("question", examples().shown_questions)
async def test_the_questions_of_the_empty_page_are_searched_once(
    router: Router, question: str
) -> None:
    assert await path(router, question) is Route.SINGLE_SHOT


@pytest.mark.parametrize(
    "query",
    ["many thanks for that", "so who are you then?", "what are you able to do for me", "hi there"],
)
async def test_what_needs_no_document_goes_direct(router: Router, query: str) -> None:
    assert await path(router, query) is Route.DIRECT


@pytest.mark.parametrize(
    "query",
    [
        "compare the two largest servers on memory and price",
        "Which is cheaper, monthly or yearly payment, if I cancel after five months?",
        "what are the differences between the support plans and which one comes with the app",
    ],
)
async def test_several_hops_go_to_the_loop(router: Router, query: str) -> None:
    assert await path(router, query) is Route.ITERATIVE


@pytest.mark.parametrize(
    "query",
    ["E7731", "net.W044", "ticket 90817", "dns", "garden hose reel", "sshd: Permission denied"],
)
async def test_ugly_queries_are_looked_up(router: Router, query: str) -> None:
    assert await path(router, query) is not Route.DIRECT


def test_the_examples_are_many_and_no_query_stands_twice() -> None:
    queries = [query.casefold() for query, _ in SHIPPED]
    assert len(set(queries)) == len(queries)
    assert all([route for _, route in SHIPPED].count(level) >= 100 for level in LEVELS)


def test_few_examples_of_direct_have_a_shape_that_is_never_answered_directly() -> None:
    direct = [query for query, route in SHIPPED if route is Route.DIRECT]
    assert sum(map(never_direct, direct)) <= len(direct) // 20


async def test_the_examples_are_learnt_once_and_by_the_first_query() -> None:
    embedder = WordEmbedder()
    fresh = EmbeddingRouter(embedder, SHIPPED)
    assert embedder.asked == []
    await asyncio.gather(*(fresh.route("price list") for _ in range(5)))
    assert embedder.asked.count(SHIPPED[0][0]) == 1


async def test_stored_weights_come_before_the_examples() -> None:
    embedder = WordEmbedder()
    swap = {Route.DIRECT: Route.ITERATIVE}
    turned: list[Labelled] = [(query, swap.get(route, route)) for query, route in SHIPPED]
    turned += [(f"owl {number}", Route.DIRECT) for number in range(20)]
    stored = fitted(turned, embedder.embed([query for query, _ in turned])).as_json()
    embedder.asked.clear()
    trained = EmbeddingRouter(embedder, SHIPPED, lambda: stored)
    assert (await trained.route("many thanks to you")).route is Route.ITERATIVE
    assert embedder.asked == ["many thanks to you"]


async def test_stored_weights_of_another_version_are_told_and_passed_over(
    caplog: pytest.LogCaptureFixture,
) -> None:
    fresh = EmbeddingRouter(WordEmbedder(), SHIPPED, lambda: {"version": 0})
    assert (await fresh.route("thank you")).route is Route.DIRECT
    assert "train_router" in caplog.text


async def test_what_the_embedder_raises_comes_through_and_the_next_query_tries_again() -> None:
    embedder = WordEmbedder(fails=EmbeddingFailed())
    fresh = EmbeddingRouter(embedder, SHIPPED)
    with pytest.raises(EmbeddingFailed):
        await fresh.route("thank you")
    embedder.fails = None
    assert (await fresh.route("thank you")).route is Route.DIRECT


class SlowEmbedder(WordEmbedder):
    """Embeds once it is let."""

    go = threading.Event()
    threads: set[str] = set()  # noqa: RUF012

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.threads.add(threading.current_thread().name)
        assert self.go.wait(20)
        return super().embed(texts)


async def test_a_caller_that_gives_up_leaves_the_loop_free_and_loses_nothing() -> None:
    embedder = SlowEmbedder()
    fresh = EmbeddingRouter(embedder, SHIPPED)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(fresh.route("thank you"), 0.01)
    embedder.go.set()
    assert (await fresh.route("thank you")).route is Route.DIRECT
    assert embedder.asked.count(SHIPPED[0][0]) == 1
    assert threading.current_thread().name not in embedder.threads
