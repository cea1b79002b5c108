"""The chat's pages as they are served: whose they are, what they list, and what they never do."""

from __future__ import annotations

import re
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.utils import timezone

from chat.identity import VISITOR_KEY
from chat.models import Conversation, DocumentVersion
from tests import factories
from tests.chat_pages import (
    PASSAGE,
    answer,
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


def test_the_root_leads_to_the_chat(client: Client) -> None:
    assert client.get("/")["Location"] == "/chat/"


def test_a_first_look_makes_a_visitor_and_no_conversation(client: Client, visitor: UUID) -> None:
    assert visitor
    assert not Conversation.objects.exists()


def test_each_new_page_is_another_conversation_of_the_same_visitor(client: Client) -> None:
    found = [re.search(r'data-conversation="([^"]+)"', shown(client, "/chat/")) for _ in range(2)]
    first, second = (match[1] for match in found if match)
    assert UUID(first) != UUID(second)
    key = client.session[VISITOR_KEY]
    client.get("/chat/")
    assert client.session[VISITOR_KEY] == key


def test_the_empty_page_says_what_can_be_asked_and_who_speaks(client: Client) -> None:
    page = text_of(shown(client, "/chat/"))
    assert "Ask about pricing and billing" in page
    assert "How do I restore a backup?" in page
    assert "offline model" in page


def test_no_page_has_a_script_or_a_style_of_its_own_and_none_comes_from_elsewhere(
    client: Client, visitor: UUID, handbook: DocumentVersion
) -> None:
    turn = told(factories.conversation(visitor=visitor), answer(), ended())
    talk = f"/chat/{turn.conversation_id}/"
    for path in ("/chat/", talk, f"{talk}sources/{turn.pk}/1/", "/chat/documents/refunds/1/"):
        response = client.get(path)
        html = response.content.decode()
        assert "style=" not in html and "<style" not in html and not re.search(r"\son\w+=", html)
        for attributes in re.findall(r"<script([^>]*)>", html):
            assert "src=" in attributes or "application/json" in attributes
        assert not re.findall(r'(?:src|href)="(?:https?:)?//', html)
        assert "script-src 'self'" in response["Content-Security-Policy"]


def test_pages_of_a_conversation_are_kept_by_no_cache(client: Client) -> None:
    assert "no-store" in client.get("/chat/")["Cache-Control"]


def test_a_conversation_of_somebody_else_is_answered_like_none(
    client: Client, visitor: UUID, handbook: DocumentVersion
) -> None:
    turn = told(factories.conversation(visitor=uuid4()), answer(), ended())
    talk = f"/chat/{turn.conversation_id}/"
    for path in (talk, f"{talk}turns/{turn.pk}/", f"{talk}sources/{turn.pk}/1/"):
        foreign = shown(client, path, 404)
        missing = shown(client, path.replace(str(turn.conversation_id), str(uuid4())), 404)
        assert foreign == missing
        assert "business days" not in foreign


def test_a_turn_is_not_found_under_another_of_the_persons_conversations(
    client: Client, visitor: UUID
) -> None:
    turn = told(factories.conversation(visitor=visitor), answer(), ended())
    other = factories.conversation(visitor=visitor)
    shown(client, f"/chat/{other.pk}/turns/{turn.pk}/", 404)


def test_what_a_visitor_asked_is_not_the_users_who_signs_in_later(
    client: Client, visitor: UUID
) -> None:
    talk = factories.conversation(visitor=visitor)
    client.force_login(factories.user())
    shown(client, f"/chat/{talk.pk}/", 404)


def test_a_user_reads_their_own_conversation(client: Client) -> None:
    alice = factories.user()
    talk = factories.conversation(alice, title="Refund timing")
    client.force_login(alice)
    page = text_of(shown(client, f"/chat/{talk.pk}/"))
    assert "Refund timing" in page and "alice" in page


def test_signing_out_leads_back_to_an_empty_chat(client: Client) -> None:
    alice = factories.user()
    talk = factories.conversation(alice, title="Refund timing")
    client.force_login(alice)
    assert 'action="/chat/sign-out/"' in shown(client, f"/chat/{talk.pk}/")
    assert client.post("/chat/sign-out/")["Location"] == "/chat/"
    shown(client, f"/chat/{talk.pk}/", 404)


def test_lab_conversations_are_nobodys(client: Client, visitor: UUID) -> None:
    talk = factories.conversation(visitor=visitor, title="Lab run")
    Conversation.objects.update(is_lab=True)
    shown(client, f"/chat/{talk.pk}/", 404)
    assert "Lab run" not in shown(client, "/chat/rail/")


def test_the_list_is_grouped_by_day_and_newest_first(client: Client, visitor: UUID) -> None:
    now = timezone.now()
    for title, days in (("Long ago", 9), ("Recent", 0), ("The day before", 1)):
        talk = factories.conversation(visitor=visitor, title=title)
        Conversation.objects.filter(pk=talk.pk).update(updated_at=now - timedelta(days=days))
    page = text_of(shown(client, "/chat/rail/"))
    assert page == "Today Recent Yesterday The day before Earlier Long ago"


def test_the_list_is_searched_by_title_and_by_what_was_said(client: Client, visitor: UUID) -> None:
    told(factories.conversation(visitor=visitor, title="Money"), question="Is PayPal taken?")
    factories.conversation(visitor=visitor, title="PayPal again")
    factories.conversation(visitor=visitor, title="Backups")
    told(factories.conversation(visitor=uuid4(), title="Foreign"), question="PayPal?")
    page = text_of(shown(client, "/chat/rail/?q=paypal"))
    assert "Money" in page and "PayPal again" in page
    assert "Backups" not in page and "Foreign" not in page
    assert "Nothing found for “zebra”." in shown(client, "/chat/rail/?q=zebra")


def test_the_present_conversation_is_marked_in_the_list(client: Client, visitor: UUID) -> None:
    talk = factories.conversation(visitor=visitor, title="This one")
    factories.conversation(visitor=visitor, title="Another")
    for html in (
        shown(client, f"/chat/rail/?current={talk.pk}"),
        shown(client, f"/chat/{talk.pk}/"),
    ):
        assert re.findall(r'title="([^"]+)" aria-current="page"', html) == ["This one"]
