"""Citation cards and document pages: the passage, its carrying words, and old versions."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.test import Client

from chat.models import Document, DocumentVersion
from tests import factories
from tests.chat_pages import (
    PASSAGE,
    answer,
    citation,
    ended,
    shown,
    text_of,
    told,
    version,
    visitor_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def visitor(client: Client) -> UUID:
    return visitor_of(client)


@pytest.fixture
def handbook() -> DocumentVersion:
    return version(1, PASSAGE)


def test_a_card_marks_the_carrying_words_and_leads_into_the_document(
    client: Client, visitor: UUID, handbook: DocumentVersion
) -> None:
    talk = factories.conversation(visitor=visitor)
    turn = told(talk, answer(), ended())
    path = f"/chat/{talk.pk}/sources/{turn.pk}/1/"
    card = shown(client, path, fetched=True)
    assert "takes <mark>" not in card
    assert "<mark>takes five to ten business days</mark>" in card
    assert 'href="/chat/documents/refunds/1/#refund-timing"' in card
    assert "<html" not in card
    assert "<html" in shown(client, path), "opened on its own it is a page"


def test_a_marker_that_the_answer_does_not_have_is_not_found(client: Client, visitor: UUID) -> None:
    talk = factories.conversation(visitor=visitor)
    turn = told(talk, answer(), ended())
    shown(client, f"/chat/{talk.pk}/sources/{turn.pk}/2/", 404)


def test_a_source_whose_document_is_gone_still_shows_its_passage(
    client: Client, visitor: UUID
) -> None:
    talk = factories.conversation(visitor=visitor)
    turn = told(talk, answer(), ended())
    card = text_of(shown(client, f"/chat/{talk.pk}/sources/{turn.pk}/1/", fetched=True))
    assert "business days" in card and "no longer kept" in card


@pytest.mark.parametrize(
    ("document", "origin"),
    [
        ("attachment:1", "Your file"),
        ("tool:search_directory", "Directory"),
        ("tool:open_ticket", "Ticket"),
        ("tool:other", "Looked up"),
    ],
)
def test_a_passage_from_outside_the_handbook_has_a_card_and_no_document_page(
    client: Client, visitor: UUID, document: str, origin: str
) -> None:
    talk = factories.conversation(visitor=visitor)
    cited = citation().model_copy(update={"document": document, "title": "invoice.pdf", "page": 3})
    turn = told(talk, answer(citations=(cited,)), ended())
    assert f"1 invoice.pdf {origin}" in text_of(shown(client, f"/chat/{talk.pk}/"))
    card = shown(client, f"/chat/{talk.pk}/sources/{turn.pk}/1/", fetched=True)
    assert "business days" in card and f"{origin}, page 3" in card
    assert "<a " not in card and "no longer kept" not in card


def test_an_old_version_of_a_document_opens_and_says_so(
    client: Client, handbook: DocumentVersion
) -> None:
    version(2, "A refund takes three days.")
    old = shown(client, "/chat/documents/refunds/1/")
    assert "five to ten business days" in old
    assert 'href="/chat/documents/refunds/2/"' in old
    assert "Version 2, current" in text_of(shown(client, "/chat/documents/refunds/2/"))
    assert 'id="refund-timing"' in old


def test_documents_outside_the_served_collection_are_not_found(
    client: Client, handbook: DocumentVersion
) -> None:
    Document.objects.update(collection="drafts")
    shown(client, "/chat/documents/refunds/1/", 404)
    shown(client, "/chat/documents/absent/1/", 404)
