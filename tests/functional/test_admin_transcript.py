"""A conversation in Django admin: what was asked, what was answered, and on what it rests."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from chat.models import Conversation, Message
from tests import factories, stored
from tests.staff import person
from tests.traces import QUESTION

pytestmark = pytest.mark.django_db


def client_of(who: str) -> Client:
    client = Client()
    client.force_login(person(who))
    return client


def transcript(who: str, conversation: Any) -> str:
    address = reverse("admin:chat_conversation_change", args=(conversation.pk,))
    return client_of(who).get(address).content.decode()


def listed(client: Client, **query: str) -> str:
    address = reverse("admin:chat_conversation_changelist")
    html = client.get(address, query).content.decode()
    return html.partition('id="result_list"')[2]


def test_the_transcript_shows_question_answer_and_passage():
    html = transcript("engineer", stored.finished_turn().conversation)
    assert QUESTION in html
    assert "Refunds reach the card within 5 to 10 business days" in html
    assert "after we approve them" in html
    assert "supports what is said" in html


def test_a_marker_leads_to_its_source_on_the_same_page():
    html = transcript("support", stored.finished_turn().conversation)
    (target,) = re.findall(r'<a[^>]* href="#([^"]+)"[^>]*>\[?1\]?</a>', html)
    assert f'id="{target}"' in html


def test_only_who_may_replay_is_led_to_the_replay():
    turn = stored.finished_turn()
    replay = reverse("workflow:replay", args=(turn.pk,))
    assert replay in transcript("engineer", turn.conversation)
    assert replay not in transcript("support", turn.conversation)


def test_text_of_people_stays_text():
    turn = factories.turn(question="<b>bold</b>", status="finished")
    html = transcript("support", turn.conversation)
    assert "&lt;b&gt;bold" in html
    assert "<b>bold" not in html


def test_a_turn_without_an_answer_says_so():
    turn = factories.turn(status="finished", termination="model_failed")
    assert "There is no answer." in transcript("support", turn.conversation)


def test_what_was_edited_stands_under_other_branches():
    turn = stored.finished_turn()
    talk = turn.conversation
    talk.selected_leaf = None
    talk.save()
    edited = factories.turn(talk, "How long for a bank transfer?", status="finished", kind="edit")
    html = transcript("engineer", talk)
    shown, _, others = html.partition("Other branches")
    assert edited.question.text in shown
    assert QUESTION in others


def test_a_conversation_without_a_question_says_so():
    html = transcript("support", factories.conversation())
    assert "Nothing was asked in this conversation." in html


def test_conversations_are_found_by_words_of_a_message():
    client = client_of("support")
    turn = factories.turn(question="Can I pay by invoice?")
    factories.turn(question="How do I reboot?")
    html = listed(client, q="INVOICE")
    assert html.count("<tr>") == 2  # the head and one conversation
    assert str(turn.conversation_id) in html


def test_conversations_are_found_by_id_and_by_user():
    client = client_of("support")
    talk = factories.conversation(factories.user("bob"))
    factories.conversation()
    for words in (str(talk.pk), "bob"):
        html = listed(client, q=words)
        assert html.count("<tr>") == 2
        assert str(talk.pk) in html


def test_the_list_says_who_owns_a_conversation():
    client = client_of("support")
    factories.conversation(factories.user("bob"))
    factories.conversation()
    html = listed(client)
    assert ">bob<" in html
    assert ">visitor<" in html


def test_a_conversation_with_many_messages_is_listed_once():
    client = client_of("support")
    talk = factories.conversation()
    for _ in range(3):
        Message.objects.create(conversation=talk, author="person", text="refund")
    assert listed(client, q="refund").count("<tr>") == 2


def test_chunks_are_found_by_their_text_and_show_no_vector():
    chunk = stored.chunk()
    client = client_of("support")
    html = client.get(reverse("admin:chat_chunk_changelist"), {"q": "business days"})
    assert chunk.key in html.content.decode()
    page = client.get(reverse("admin:chat_chunk_change", args=(chunk.pk,))).content.decode()
    assert "embedding" not in page.partition("<main")[2].lower()


def test_a_version_leads_to_its_chunks():
    chunk = stored.chunk()
    client = client_of("support")
    page = client.get(reverse("admin:chat_documentversion_change", args=(chunk.version_id,)))
    (link,) = re.findall(r'href="([^"]*version__id__exact[^"]*)"', page.content.decode())
    assert chunk.key in client.get(link).content.decode()


def test_the_list_shows_peoples_conversations_and_the_labs_on_demand():
    client = client_of("support")
    factories.conversation(title="Of a person")
    Conversation.objects.create(title="Of the lab", is_lab=True)
    at = reverse("admin:chat_conversation_changelist")
    shown = {
        whose: client.get(at, {"whose": whose} if whose else {}).content.decode()
        for whose in ("", "lab", "all")
    }
    assert "Of a person" in shown[""] and "Of the lab" not in shown[""]
    assert "Of a person" not in shown["lab"] and "Of the lab" in shown["lab"]
    assert "Of a person" in shown["all"] and "Of the lab" in shown["all"]
