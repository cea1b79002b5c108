"""The search over the index and over what came with the question: both, fairly, in one list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from chat.adapters.embeddings import EmbeddingFailed
from chat.contracts.errors import SearchFailed
from chat.contracts.passages import Hit, Passage, SearchResult
from chat.retrieval import attached_vectors
from chat.retrieval.attached import PLACES, AttachedSearch
from chat.retrieval.attached_text import AttachedDocument
from tests.doubles.embedder import WordEmbedder
from tests.doubles.search import ListSearch
from tests.factories import TIMING, handbook, passage

PLAN = "# Plan\nThe plan costs nine euros a month.\n# Notice\nThe notice is four weeks."


class NearIndex(ListSearch):
    """An index with vectors: each hit has the cosine of the same embedder."""

    async def search(self, query: str, limit: int) -> SearchResult:
        found = await super().search(query, limit)
        row, *rows = WordEmbedder().embed([query, *(_text(hit.passage) for hit in found.hits)])
        hits = zip(found.hits, rows, strict=True)
        near = tuple(hit.model_copy(update={"cosine": float(each @ row)}) for hit, each in hits)
        return found.model_copy(update={"hits": near})


def _text(found: Passage) -> str:
    return f"{found.title}\n{found.text}"


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attached_vectors, "_kept", attached_vectors._Kept())


def document(text: str = PLAN, id_: str = "1", **fields: Any) -> AttachedDocument:
    given: dict[str, Any] = {"name": "plan.md", "kind": "document", "media_type": "text/markdown"}
    return AttachedDocument(id=id_, text=text, **(given | fields))


def long_document(count: int = 20, **fields: Any) -> AttachedDocument:
    pages = "\f".join(f"Page {number} says nothing of it." for number in range(count))
    return document(pages, media_type="application/pdf", **fields)


def search(
    *documents: AttachedDocument, index: ListSearch | None = None, **fields: Any
) -> AttachedSearch:
    over = index if index is not None else NearIndex(handbook())
    embedder = fields.pop("embedder", WordEmbedder())
    return AttachedSearch(over, documents, embedder, **fields)


def chunks(hits: Sequence[Hit]) -> list[str]:
    return [hit.passage.chunk for hit in hits]


async def test_a_question_about_the_document_finds_its_passage_first() -> None:
    found = await search(document()).search("How long is the notice?", 6)
    assert (found.query, found.asked) == ("How long is the notice?", 6)
    best = found.hits[0]
    assert best.passage.chunk == "attachment:1#2"
    assert (best.vector_rank, best.text_rank) == (1, 1)
    assert best.cosine is not None and best.cosine > 0.3


async def test_a_question_about_the_handbook_finds_the_handbook_first() -> None:
    found = await search(document()).search("How long does a refund take?", 6)
    assert found.hits[0].passage.text == TIMING
    assert "attachment:1#1" in chunks(found.hits)


async def test_the_list_is_ordered_by_its_score_and_holds_each_passage_once() -> None:
    found = await search(document(), long_document(id_="2")).search("a refund of the plan", 6)
    scores = [hit.score for hit in found.hits]
    assert scores == sorted(scores, reverse=True)
    assert len(set(chunks(found.hits))) == len(found.hits) == 6


async def test_a_long_document_does_not_crowd_the_handbook_out() -> None:
    found = await search(long_document(50)).search("How long does a refund take?", 4)
    assert "refunds#timing" in chunks(found.hits)


async def test_the_question_s_own_document_has_its_places_whatever_the_index_finds() -> None:
    index = NearIndex([passage(f"refunds#{n}", f"refund number {n}") for n in range(9)])
    found = await search(long_document(), index=index).search("refund number", 6)
    own = [chunk for chunk in chunks(found.hits) if chunk.startswith("attachment:")]
    assert len(own) == PLACES
    assert chunks(found.hits)[-PLACES:] == own
    assert len(found.hits) == 6


async def test_the_document_of_an_earlier_question_has_no_place_of_its_own() -> None:
    index = NearIndex([passage(f"refunds#{n}", f"refund number {n}") for n in range(9)])
    earlier = search(long_document(is_own=False), index=index)
    assert not any(
        c.startswith("attachment:") for c in chunks((await earlier.search("refund", 6)).hits)
    )
    asked = await search(document(is_own=False), index=index).search("the notice of four weeks", 6)
    assert asked.hits[0].passage.chunk == "attachment:1#2"


async def test_a_question_about_a_paste_gets_the_paste_and_then_the_index() -> None:
    index = NearIndex([passage(f"refunds#{n}", f"refund number {n}") for n in range(9)])
    found = await search(long_document(), index=index, only=True).search("refund number 3", 6)
    assert [chunk.partition(":")[0] == "attachment" for chunk in chunks(found.hits)] == (
        [True] * 4 + [False] * 2
    )


async def test_a_short_paste_leaves_the_other_places_to_the_index() -> None:
    index = NearIndex([passage(f"refunds#{n}", f"refund number {n}") for n in range(9)])
    paste = document("My note.", kind="paste", media_type="text/plain")
    found = await search(paste, index=index, only=True).search("refund number", 6)
    assert chunks(found.hits)[0] == "attachment:1#1"
    assert len(found.hits) == 6


@pytest.mark.parametrize("only", [True, False])
@pytest.mark.parametrize("limit", [1, 2, 3, 6, 40])
async def test_never_more_hits_than_were_asked_for(limit: int, only: bool) -> None:
    given = search(long_document(), document(id_="2"), only=only)
    found = await given.search("How long does a refund take?", limit)
    assert 0 < len(found.hits) <= limit


async def test_an_index_without_vectors_is_compared_by_words_alone() -> None:
    given = search(document(), index=ListSearch(handbook()))
    found = await given.search("How long does a refund take?", 6)
    assert found.hits[0].passage.text == TIMING
    assert all(hit.vector_rank is None for hit in found.hits)


@pytest.mark.parametrize("embedder", [None, WordEmbedder(fails=EmbeddingFailed())])
async def test_without_vectors_words_alone_find_it(embedder: WordEmbedder | None) -> None:
    found = await search(document(), embedder=embedder).search("How long is the notice?", 6)
    assert found.hits[0].passage.chunk == "attachment:1#2"
    assert found.hits[0].cosine is None


async def test_when_the_index_fails_the_document_still_answers() -> None:
    index = NearIndex(handbook(), fails_on=[1])
    found = await search(document(), index=index).search("the notice", 6)
    assert chunks(found.hits) == ["attachment:1#2", "attachment:1#1"]


async def test_when_the_index_fails_and_nothing_is_attached_the_search_has_failed() -> None:
    with pytest.raises(SearchFailed):
        await search(index=NearIndex(handbook(), fails_on=[1])).search("the notice", 6)


async def test_passages_are_embedded_once_a_turn() -> None:
    embedder = WordEmbedder()
    given = search(document(), embedder=embedder)
    await given.search("the notice", 6)
    before = len(embedder.asked)
    await given.search("the price", 6)
    assert embedder.asked[before:] == ["the price"]


async def test_the_neighbours_of_both_sides_are_found_where_they_stand() -> None:
    given = search(long_document(4))
    found = await given.neighbours(["attachment:1#2", "refunds#timing", "attachment:9#1"])
    assert [each.chunk for each in found] == [
        "attachment:1#1",
        "attachment:1#3",
        "refunds#eligibility",
    ]


async def test_neighbours_that_were_given_do_not_come_back() -> None:
    given = search(long_document(4))
    found = await given.neighbours(["attachment:1#2", "attachment:1#3"])
    assert [each.chunk for each in found] == ["attachment:1#1", "attachment:1#4"]


async def test_neighbours_do_not_cross_from_one_document_into_another() -> None:
    given = search(document("One", id_="1"), document("Two", id_="2"))
    assert await given.neighbours(["attachment:1#1"]) == ()


async def test_the_words_for_a_rewrite_come_from_the_document_too() -> None:
    terms = await search(document()).terms("How long?", (), 20)
    assert "notice" in terms


async def test_a_passage_that_is_a_hit_already_is_not_offered_twice() -> None:
    given = search(document())
    hits = (await given.search("notice", 6)).hits
    once = await search().terms("notice", hits, 20)
    assert await given.terms("notice", hits, 20) == once


async def test_the_drift_is_the_index_s_own() -> None:
    assert await search(document()).drift("one two", "one two") == 0
