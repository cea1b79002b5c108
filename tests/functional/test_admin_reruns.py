"""Running again: the form on the replay, the wait, the list, and a batch to its end."""

from __future__ import annotations

import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from chat import reruns as engine
from chat.models import Rerun, Turn
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


def form_at(turn: Any) -> str:
    return reverse("workflow:what_if", args=(turn.pk,))


def state_at(made: Rerun) -> str:
    return reverse("workflow:rerun_state", args=(made.source_id, made.pk))


def test_the_form_comes_alone_for_the_replay_and_as_a_page_for_itself(client: Client, turn: Any):
    part, page = client.get(form_at(turn), headers=PART), client.get(form_at(turn))
    assert "<html" not in part.content.decode()
    assert "<html" in page.content.decode()
    for response in (part, page):
        assert 'name="check_order"' in response.content.decode()


def test_every_change_has_a_field(client: Client, turn: Any):
    html = client.get(form_at(turn)).content.decode()
    fields = set(re.findall(r'<(?:input|select)[^>]* name="(\w+)"', html))
    assert set(engine.Change.model_fields) - {"prompts"} <= fields


def test_a_change_is_asked_for_and_its_wait_is_shown(client: Client, turn: Any):
    response = client.post(form_at(turn), {"check_order": "budget"}, headers=PART)
    (made,) = Rerun.objects.all()
    assert (made.source_id, made.change) == (turn.pk, {"check_order": "budget"})
    assert made.asked_by is not None and made.asked_by.get_username() == "engineer"
    html = response.content.decode()
    assert f'hx-get="{state_at(made)}"' in html
    assert "Waits for its turn" in html


def test_a_turn_may_be_run_again_without_a_change(client: Client, turn: Any):
    assert client.post(form_at(turn), {}).status_code == 200
    assert Rerun.objects.get().change == {}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"max_rewrites": "7"}, "less than or equal to 6"),
        ({"max_rewrites": "x"}, "Enter a whole number."),
        ({"relevance_threshold": "1.5"}, "less than or equal to 1"),
        ({"check_order": "luck"}, "luck is not one of the available choices."),
        ({"model": "nobody"}, "nobody is not one of the available choices."),
    ],
)
def test_what_is_wrong_is_said_at_its_field_and_nothing_runs(
    client: Client, turn: Any, given: dict[str, str], said: str
):
    response = client.post(form_at(turn), given, headers=PART)
    assert response.status_code == 422
    field = next(iter(given))
    at = response.content.decode().partition(f'class="field {field}"')[2].partition("</div>")[0]
    assert said in at
    assert not Rerun.objects.exists()


def test_a_wrong_field_that_is_folded_is_in_sight(client: Client, turn: Any):
    html = client.post(form_at(turn), {"relevance_threshold": "2"}).content.decode()
    assert '<details class="more" open>' in html


def test_a_turn_that_cannot_be_run_again_says_why(client: Client):
    running = factories.turn()
    response = client.post(form_at(running), {"check_order": "budget"})
    assert response.status_code == 422
    assert "A turn that has not ended cannot be run again." in text(response)


def test_a_re_run_that_is_done_leads_to_both_turns_side_by_side(client: Client):
    made = rerun()
    both = reverse("workflow:beside", args=(made.source_id, made.turn_id))
    assert client.get(state_at(made), headers=PART).headers["HX-Redirect"] == both
    assert client.get(state_at(made)).headers["Location"] == both


def test_a_re_run_that_runs_is_looked_at_again_and_one_that_failed_is_not(client: Client):
    runs = rerun(status=Rerun.Status.RUNNING, flips=[], is_flipped=False)
    assert "hx-trigger" in client.get(state_at(runs), headers=PART).content.decode()
    why = "The model gave no answer."
    failed = rerun(status=Rerun.Status.FAILED, problem=why, flips=[], is_flipped=False)
    response = client.get(state_at(failed), headers=PART)
    assert "every" not in response.content.decode()
    assert why in text(response)
    assert "Change something else" in text(response)


def test_a_re_run_is_stopped(client: Client, turn: Any):
    client.post(form_at(turn), {"check_order": "budget"})
    made = Rerun.objects.get()
    stop = reverse("workflow:stop_rerun", args=(turn.pk, made.pk))
    assert "Stopped" in text(client.post(stop, headers=PART))
    assert Rerun.objects.get().status == Rerun.Status.STOPPED


def test_a_re_run_is_found_under_its_own_turn_alone(client: Client, turn: Any):
    made = rerun()
    for name in ("rerun_state", "stop_rerun"):
        at = reverse(f"workflow:{name}", args=(turn.pk, made.pk))
        ask = client.get if name == "rerun_state" else client.post
        assert ask(at).status_code == 404
    assert client.get(reverse("workflow:what_if", args=(uuid4(),))).status_code == 404


def test_the_replay_lists_its_re_runs_with_what_flipped(client: Client):
    made = rerun()
    rerun(made.source, flips=[], is_flipped=False)
    seen = text(client.get(reverse("workflow:replay", args=(made.source_id,))))
    assert "2 re-runs" in seen
    assert "The budget is checked before the evidence. answered → no evidence" in seen
    assert "ended as before" in seen


def test_the_replay_of_a_re_run_leads_back(client: Client):
    made = rerun()
    html = client.get(reverse("workflow:replay", args=(made.turn_id,))).content.decode()
    assert reverse("workflow:replay", args=(made.source_id,)) in html
    assert reverse("workflow:beside", args=(made.source_id, made.turn_id)) in html


def test_who_may_not_run_again_is_not_offered_it(turn: Any):
    from django.contrib.auth.models import Permission

    reader = factories.user("reader", is_staff=True)
    reader.user_permissions.add(Permission.objects.get(codename="replay_turns"))
    client = Client()
    client.force_login(reader)
    html = client.get(reverse("workflow:replay", args=(turn.pk,))).content.decode()
    assert 'id="what-if"' not in html
    assert "Run these again" not in client.get(reverse("workflow:turns")).content.decode()
    assert client.get(form_at(turn)).status_code == 403


def test_a_turn_about_health_is_not_run_again_by_who_may_not_read_it(client: Client, turn: Any):
    Turn.objects.filter(pk=turn.pk).update(is_sensitive=True)
    assert client.post(form_at(turn), {"check_order": "budget"}).status_code == 403
    assert not Rerun.objects.exists()


def test_the_list_of_re_runs_has_batches_and_single_turns(client: Client):
    single, made = rerun(), batch([rerun()])
    response = client.get(reverse("workflow:reruns"))
    html = response.content.decode()
    assert reverse("workflow:batch", args=(made.pk,)) in html
    assert reverse("workflow:beside", args=(single.source_id, single.turn_id)) in html
    assert html.count("<tbody>") == 2


def test_the_list_of_re_runs_says_how_one_begins(client: Client):
    assert "Nothing was run again yet." in text(client.get(reverse("workflow:reruns")))
