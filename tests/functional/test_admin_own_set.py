"""The own set of the lab: grown from labelled turns by one click, and removed with undo."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from chat import lab_questions
from chat.models import LabQuestion
from tests import stored
from tests.lab_pages import (
    labelled,
    of,
    page,
    question,
    words,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def client() -> Client:
    return of("engineer")


def test_a_labelled_turn_is_offered_and_added_by_one_click(client: Client):
    turn = labelled()
    shown = page(client)
    assert "Labelled turns that can be added" in shown
    assert "should be answered" in words(shown)
    answer = client.post(reverse("workflow:lab_add", args=(turn.pk,)), follow=True)
    assert "It is in the own set now, as “answered”." in answer.content.decode()
    assert answer.redirect_chain[-1][0].endswith("#own")
    (own,) = lab_questions.active()
    assert own.added_by.username == "engineer"
    assert "Labelled turns that can be added" not in answer.content.decode()


def test_from_another_page_the_button_becomes_what_came_of_it(client: Client):
    address = reverse("workflow:lab_add", args=(labelled().pk,))
    added = client.post(address, headers={"HX-Request": "true"}).content.decode()
    assert "in the lab’s set: should be answered" in words(added)
    twice = client.post(address, headers={"HX-Request": "true"}).content.decode()
    assert "It is in the set already." in words(twice)
    assert "<html" not in twice


def test_in_the_lab_its_row_becomes_one_of_the_set_and_stays_where_it_is_refused(client: Client):
    address, headers = reverse("workflow:lab_add", args=(labelled().pk,)), {"HX-Request": "true"}
    added = client.post(address, {"in_place": "1"}, headers=headers)
    assert words(added.content.decode()).endswith("in the set should be answered Remove")
    assert "HX-Retarget" not in added.headers
    twice = client.post(address, {"in_place": "1"}, headers=headers)
    assert twice.headers["HX-Retarget"] == "this"
    assert "It is in the set already." in words(twice.content.decode())


def test_more_turns_than_a_few_can_be_added_on_demand(client: Client):
    for _ in range(10):
        labelled()
    shown = page(client)
    assert "2 more" in words(shown)
    assert shown.count("Add to the lab’s set") == 10


def test_a_turn_without_labels_is_refused_with_the_reason(client: Client):
    address = reverse("workflow:lab_add", args=(stored.finished_turn().pk,))
    assert "Label it first." in client.post(address, follow=True).content.decode()
    assert not LabQuestion.objects.exists()


def test_a_removed_question_can_be_brought_back_in_its_place(client: Client):
    own = question()
    headers = {"HX-Request": "true"}
    removed = client.post(reverse("workflow:lab_remove", args=(own.pk,)), headers=headers)
    assert "Undo" in removed.content.decode()
    assert not lab_questions.active().exists()
    assert "1 removed" in page(client)
    restored = client.post(reverse("workflow:lab_restore", args=(own.pk,)), headers=headers)
    assert "Remove" in restored.content.decode()
    assert lab_questions.active().get() == own


def test_what_was_erased_is_neither_listed_nor_brought_back(client: Client):
    own = question()
    LabQuestion.objects.filter(pk=own.pk).update(question="", is_active=False)
    assert "removed</summary>" not in page(client)
    told = client.post(reverse("workflow:lab_restore", args=(own.pk,)), follow=True)
    assert "has been erased" in told.content.decode()
    assert not LabQuestion.objects.get().is_active


def test_there_is_no_question_by_that_number(client: Client):
    for name in ("lab_remove", "lab_restore"):
        assert client.post(reverse(f"workflow:{name}", args=(99,))).status_code == 404


def test_what_people_wrote_is_shown_as_text(client: Client):
    own = question()
    LabQuestion.objects.filter(pk=own.pk).update(question="<script>x</script>")
    assert "<script>x" not in page(client)
