"""The search over a real index: its modes, the floor, neighbours, and what it refuses."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chat.adapters.embeddings import EmbeddingFailed
from chat.contracts.errors import SearchFailed
from chat.contracts.passages import Hit
from chat.db import in_db
from chat.retrieval.extract import Extracted, Section
from chat.retrieval.ingest import retire_others, store
from chat.retrieval.store import Mode, PostgresSearch, passage_of
from tests.doubles.embedder import WordEmbedder

pytestmark = pytest.mark.django_db

EMBEDDER = WordEmbedder()
SECTIONS = {
    "Refund timing": "Money is on the card after five days; a bank transfer takes eight days.",
    "Who may ask": "Only the owner of the account may ask for a refund.",
    "Not refunded": "Snapshots and traffic that were used are not refunded.",
    "Prices": "A small server costs six euros a month.",
    "Regions": "Servers run in Dublin, Toronto, Singapore and Sydney.",
}


def put(
    slug: str = "refunds",
    sections: dict[str, str] | None = None,
    *,
    collection: str = "handbook",
    embedder: WordEmbedder = EMBEDDER,
) -> None:
    """Takes in a document whose keys are `slug#number`."""
    cut = tuple(
        Section(f"{slug}#{number}", heading, text)
        for number, (heading, text) in enumerate((sections or SECTIONS).items())
    )
    text = "\n".join(section.text for section in cut)
    store(Extracted(slug, "Refunds", text, cut), collection, embedder)


def find(query: str, limit: int = 6, *, mode: Mode = "hybrid", floor: float = 0) -> list[Hit]:
    search = PostgresSearch(EMBEDDER, mode=mode, threshold=floor)
    return list(search.find(query, EMBEDDER.embed([query])[0], limit))


def chunks(hits: Iterable[Hit]) -> list[str]:
    return [hit.passage.chunk for hit in hits]


def test_a_hit_carries_its_whole_passage() -> None:
    put()

    passage = find("bank transfer")[0].passage

    assert (passage.chunk, passage.document, passage.version) == ("refunds#0", "refunds", 1)
    assert (passage.title, passage.heading) == ("Refunds", "Refund timing")
    assert passage.text == SECTIONS["Refund timing"]
    assert (passage.ordinal, passage.page, passage.url) == (0, None, None)


def test_hybrid_gives_both_ranks_and_the_cosine() -> None:
    put()

    first = find("How many days does a bank transfer take?")[0]

    assert first.passage.chunk == "refunds#0"
    assert (first.vector_rank, first.text_rank) == (1, 1)
    assert first.cosine is not None and 0 < first.cosine < 1


def test_words_are_found_in_their_other_forms() -> None:
    put()

    assert chunks(find("costing", mode="lexical")) == ["refunds#3"]
    assert find("costing", mode="lexical")[0].cosine is None


def test_a_rare_word_outweighs_common_ones() -> None:
    plans = {"Sizes": "plan plan plan plan", "Prices": "plan plan plan", "Regions": "plan Toronto"}
    put(sections=plans)

    assert chunks(find("a plan in Toronto", mode="lexical"))[0] == "refunds#2"


def test_a_question_of_stop_words_finds_nothing_by_words() -> None:
    put()

    assert find("who are you", mode="lexical") == []


def test_the_vector_mode_knows_no_words() -> None:
    put()

    hits = find("bank transfer", mode="vector")

    assert [hit.vector_rank for hit in hits] == [1, 2, 3, 4, 5]
    assert {hit.text_rank for hit in hits} == {None}
    assert [hit.score for hit in hits] == [hit.cosine for hit in hits]


def test_the_floor_drops_far_vectors_and_keeps_text_hits() -> None:
    put()

    hits = find("costing", floor=0.99)

    assert chunks(hits) == ["refunds#3"]
    assert (hits[0].cosine or 0) < 0.99


def test_only_the_current_version_is_searched() -> None:
    put()
    put(sections={"Refund timing": "Now it takes a fortnight."})

    assert chunks(find("bank transfer days")) == ["refunds#0"]
    assert [hit.passage.version for hit in find("fortnight")] == [2]


def test_a_citation_opens_after_its_document_was_replaced_and_retired() -> None:
    put()
    put(sections={"Refund timing": "Now it takes a fortnight."})
    retire_others("handbook", set())

    old, new = (passage_of("refunds", number, "refunds#0") for number in (1, 2))

    assert old is not None and old.text == SECTIONS["Refund timing"]
    assert new is not None and new.text == "Now it takes a fortnight."
    assert passage_of("refunds", 1, "refunds#9") is None
    assert passage_of("refunds", 1, "refunds#0", collection="other") is None


def test_collections_do_not_see_each_other() -> None:
    put()
    put("secrets", {"Bank": "The bank transfer of somebody else."}, collection="other")

    assert not [key for key in chunks(find("bank transfer")) if key.startswith("secrets")]


def test_nearer_chunks_of_another_collection_cannot_starve_this_one() -> None:
    query = "bank transfer days"
    put("own", {str(n): f"{query} and {n} other words" for n in range(25)})
    put("foreign", {str(n): query for n in range(400)}, collection="other")
    with connection.cursor() as cursor:  # so that the walk over the graph is what is tested
        cursor.execute(
            "SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off; "
            "SET LOCAL enable_bitmapscan = off"
        )

    assert len(find(query, 20, mode="vector")) == 20


def test_at_most_as_many_hits_come_as_were_asked_for() -> None:
    put()

    assert len(find("refund", 2)) == 2
    assert len(find("refund", 50)) == 5


def test_more_hits_than_a_list_usually_holds_can_be_asked_for() -> None:
    put(sections={str(number): f"refund number {number}" for number in range(40)})

    for mode in ("hybrid", "vector", "lexical", "exact"):
        assert len(find("refund", 35, mode=mode)) == 35


def test_the_exact_mode_always_gives_as_many_as_asked_by_score_then_key() -> None:
    put()

    hits = find("Costing the owner a REFUND", 4, mode="exact")

    assert chunks(hits) == ["refunds#1", "refunds#0", "refunds#2", "refunds#3"]
    assert hits[0].score > hits[1].score > hits[2].score == hits[3].score == 0
    assert [hit.text_rank for hit in hits] == [1, 2, None, None]


def test_the_exact_mode_gives_rows_for_words_that_stand_nowhere() -> None:
    put()

    assert [(hit.passage.chunk, hit.score) for hit in find("weather the", 2, mode="exact")] == [
        ("refunds#0", 0.0),
        ("refunds#1", 0.0),
    ]


@pytest.mark.parametrize("mode", ["hybrid", "lexical", "exact"])
@pytest.mark.parametrize(
    "query",
    ["", "'; DROP TABLE chat_chunk; --", "a\\b 'c' & | !( <->", "\0", "退款 refund", "-refund %s"],
)
def test_whatever_was_typed_is_only_text(mode: Mode, query: str) -> None:
    put()

    assert all(hit.score >= 0 for hit in find(query, mode=mode))


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_no_query_breaks_the_search(query: str) -> None:
    put()

    find(query)
    assert len(find(query, 3, mode="exact")) == 3


def test_a_search_by_vector_needs_an_embedder() -> None:
    with pytest.raises(ValueError, match="hybrid needs an embedder"):
        PostgresSearch(None)


@pytest.mark.django_db(transaction=True)
class TestFromTheEventLoop:
    async def test_the_result_says_what_was_asked_and_how_long_it_took(self) -> None:
        await _put()

        result = await PostgresSearch(EMBEDDER).search("refund", 9)

        assert (result.query, result.asked, len(result.hits)) == ("refund", 9, 5)
        assert result.ms > 0

    async def test_neighbours_stand_beside_their_chunks_in_the_same_document(self) -> None:
        await _put()

        search = PostgresSearch(EMBEDDER)
        around = await search.neighbours(["refunds#1", "refunds#0", "gone#1"])

        assert [passage.chunk for passage in around] == ["refunds#2"]
        assert [p.ordinal for p in await search.neighbours(["refunds#3"])] == [2, 4]
        assert await search.neighbours([]) == ()

    async def test_terms_are_the_documents_words_and_not_the_questions(self) -> None:
        await _put()
        query = "refunds by bank"
        search = PostgresSearch(EMBEDDER, mode="lexical")

        found = await search.terms(query, (await search.search(query, 2)).hits, 50)
        without_model = await PostgresSearch(None, mode="lexical").terms(query, (), 4)

        assert not {"refund", "refunds", "bank", "the"} & {*found, *without_model}
        assert len(without_model) == 4

    async def test_drift_is_the_distance_between_two_queries(self) -> None:
        search = PostgresSearch(EMBEDDER)

        assert await search.drift("bank card", "bank card") == pytest.approx(0, abs=1e-6)
        assert await search.drift("bank card", "bank euros") == pytest.approx(0.5, abs=1e-6)
        assert await PostgresSearch(None, mode="exact").drift("a", "b") is None

    async def test_a_failing_embedder_is_a_failed_search(self) -> None:
        search = PostgresSearch(WordEmbedder(fails=EmbeddingFailed()))

        for call in (search.search("a", 1), search.terms("a", (), 1), search.drift("a", "b")):
            with pytest.raises(SearchFailed):
                await call

    async def test_a_database_error_is_a_failed_search(self) -> None:
        await _put()

        with pytest.raises(SearchFailed):
            await PostgresSearch(WordEmbedder(dimensions=3)).search("a", 1)

    async def test_documents_of_another_embedding_model_are_not_ranked(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        await _put()

        with pytest.raises(SearchFailed):
            await PostgresSearch(WordEmbedder(name="other")).search("refund", 1)
        assert "embedded with words" in caplog.text
        assert (await PostgresSearch(None, mode="lexical").search("refund", 1)).hits


async def _put() -> None:
    await in_db(put)
