"""Many turns run again: chosen by filters, counted first, watched in numbers, and stopped."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from chat import reruns as engine
from chat.models import Rerun, RerunBatch, Turn
from tests import factories, stored
from tests.reruns import batch, rerun
from tests.staff import person
from tests.traces import refund_with_one_rewrite

pytestmark = pytest.mark.django_db(transaction=True)

PART = {"HX-Request": "true"}


@pytest.fixture
def client() -> Client:
    client = Client()
    client.force_login(person("engineer"))
    return client


@pytest.fixture
def turn() -> Any:
    return stored.finished_turn(refund_with_one_rewrite())


def text(response: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def new_at(query: str = "") -> str:
    return f"{reverse('workflow:batch_new')}?{query}"


def test_the_list_offers_to_run_its_turns_again_with_its_filters(client: Client, turn: Any):
    at = f"{reverse('workflow:turns')}?termination=answered"
    assert f'href="{new_at("termination=answered")}"' in client.get(at).content.decode()


def test_the_number_of_turns_is_said_before_anything_runs(client: Client):
    stored.turns(3)
    stored.turns(2, termination="no_evidence")
    page = text(client.get(new_at("termination=no_evidence")))
    assert "2 turns will be run again." in page
    assert "Ended No evidence" in page


def test_what_cannot_be_run_again_is_left_out_and_named(client: Client):
    stored.turns(2)
    factories.turn()
    page = text(client.get(new_at()))
    assert "2 turns will be run again." in page
    assert "1 left out: A turn that has not ended cannot be run again." in page


def test_a_batch_is_asked_for_with_its_filters_and_its_limit(client: Client):
    turns = stored.turns(2)
    given = {"max_rewrites": "0", "cost_limit": "0.5"}
    response = client.post(new_at("termination=answered"), given)
    made = RerunBatch.objects.get()
    assert response.headers["Location"] == reverse("workflow:batch", args=(made.pk,))
    assert (made.change, made.total) == ({"max_rewrites": 0}, 2)
    assert made.filters == {"termination": "answered"}
    assert made.cost_limit == Decimal("0.5")
    assert {one.source_id for one in made.reruns.all()} == {turn.pk for turn in turns}


def test_at_most_a_thousand_turns_go_at_once_the_newest(
    client: Client, monkeypatch: pytest.MonkeyPatch
):
    turns = stored.turns(4)
    monkeypatch.setattr(engine, "MOST", 3)
    page = text(client.get(new_at()))
    assert "3 turns will be run again: the newest of 4 turns" in page
    client.post(new_at(), {"max_rewrites": "0", "cost_limit": "1"})
    assert {one.source_id for one in Rerun.objects.all()} == {turn.pk for turn in turns[:3]}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"cost_limit": "1"}, "Nothing is changed."),
        ({"max_rewrites": "0", "cost_limit": "0"}, "greater than or equal to"),
        ({"max_rewrites": "0", "cost_limit": ""}, "This field is required."),
        ({"max_rewrites": "0", "cost_limit": "5000"}, "at most 1,000 US dollars"),
    ],
)
def test_a_batch_that_makes_no_sense_is_refused_in_place(
    client: Client, given: dict[str, str], said: str
):
    stored.turns(2)
    response = client.post(new_at(), given)
    assert response.status_code == 422
    assert said in text(response)
    assert not RerunBatch.objects.exists()


def test_filters_without_a_turn_say_so(client: Client):
    assert "No turn fits these filters." in text(client.get(new_at("q=nothing")))
    assert client.get(new_at("since=yesterday")).status_code == 404


def test_what_tells_of_health_is_left_out_of_a_batch(client: Client):
    stored.turns(1)
    stored.turns(1, is_sensitive=True)
    client.post(new_at(), {"max_rewrites": "0", "cost_limit": "1"})
    assert Rerun.objects.filter(source__is_sensitive=True).count() == 0


def test_a_batch_shows_its_progress_in_numbers_and_refreshes_while_it_runs(client: Client):
    made = batch([rerun(), rerun(status="waiting", flips=[], is_flipped=False)], status="running")
    at = reverse("workflow:batch", args=(made.pk,))
    page = client.get(at).content.decode()
    assert f'hx-get="{at}"' in page
    assert '<progress max="2" value="1"' in page
    part = client.get(at, headers=PART).content.decode()
    assert "<html" not in part
    assert 'hx-trigger="every 1s"' in part


def test_a_batch_that_is_over_is_not_asked_again(client: Client):
    made = batch([rerun()])
    part = client.get(reverse("workflow:batch", args=(made.pk,)), headers=PART).content.decode()
    assert "hx-get" not in part
    assert "Stop" not in part


def test_a_batch_names_what_flipped_and_what_failed(client: Client):
    flipped = rerun()
    why = "The model gave no answer."
    failed = rerun(status=Rerun.Status.FAILED, problem=why, flips=[], is_flipped=False)
    same = rerun(flips=[], is_flipped=False)
    made = batch([flipped, failed, same])
    response = client.get(reverse("workflow:batch", args=(made.pk,)))
    page, html = text(response), response.content.decode()
    assert "1 × answered → no evidence" in page
    assert why in page
    assert "Flipped 1 As before 1 Failed 1 Calls reused 6 Calls made 3" in page
    for one in (flipped, same):
        assert reverse("workflow:beside", args=(one.source_id, one.turn_id)) in html


def test_a_batch_keeps_questions_about_health_to_itself(client: Client):
    one = rerun()
    made = batch([one])
    Turn.objects.filter(pk=one.source_id).update(is_sensitive=True)
    html = client.get(reverse("workflow:batch", args=(made.pk,))).content.decode()
    assert one.source.question.text not in html
    assert "(about somebody's health)" in html


def test_a_batch_is_stopped(client: Client):
    stored.turns(2)
    client.post(new_at(), {"max_rewrites": "0", "cost_limit": "1"})
    made = RerunBatch.objects.get()
    response = client.post(reverse("workflow:stop_batch", args=(made.pk,)))
    assert response.headers["Location"] == reverse("workflow:batch", args=(made.pk,))
    assert {one.status for one in made.reruns.all()} == {"stopped"}


def test_a_batch_that_is_not_there_is_not_found(client: Client):
    assert client.get(reverse("workflow:batch", args=(999,))).status_code == 404
    assert client.post(reverse("workflow:stop_batch", args=(999,))).status_code == 404


def test_a_batch_of_hundreds_takes_few_queries(client: Client, django_assert_max_num_queries: Any):
    made = batch([rerun() for _ in range(12)])
    with django_assert_max_num_queries(16):
        client.get(reverse("workflow:batch", args=(made.pk,)))
