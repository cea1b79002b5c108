"""Engineers write versions of prompts in Django admin, try them, and see both sides."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from chat import trials
from chat.models import PromptTrial, PromptVersion, VersionSet
from tests import factories
from tests.staff import EVERYBODY, person

pytestmark = pytest.mark.django_db

VERSIONS = "admin:chat_promptversion_changelist"
WRITE = "admin:chat_promptversion_add"
TRY = "admin:chat_prompttrial_add"
TRIALS = "admin:chat_prompttrial_changelist"
ADDRESSES = (VERSIONS, WRITE, TRY, TRIALS)
GIVEN = {"purpose": "answer", "name": "answer-short", "system": "Answer in one line.", "note": ""}


@pytest.fixture(autouse=True)
def nothing_known() -> Iterator[None]:
    trials._known.clear()
    yield
    trials._known.clear()


@pytest.fixture
def client() -> Client:
    client = Client()
    client.force_login(person("engineer"))
    return client


@pytest.mark.parametrize("name", EVERYBODY)
@pytest.mark.parametrize("address", ADDRESSES)
def test_only_who_may_change_prompts_sees_them(name: str, address: str):
    client, somebody = Client(), person(name)
    if somebody is not None:
        client.force_login(somebody)
    status = client.get(reverse(address)).status_code
    expected = (
        200 if name in ("engineer", "superuser") else 302 if name in ("visitor", "user") else 403
    )
    assert status == expected


def test_a_new_version_begins_as_what_is_shipped(client: Client):
    shown = client.get(reverse(WRITE), {"purpose": "rewrite"}).content.decode()
    assert "You write search queries for a collection of support documents." in shown


def test_a_purpose_that_is_none_begins_with_nothing(client: Client):
    assert client.get(reverse(WRITE), {"purpose": "topic"}).status_code == 200


def test_a_version_is_kept_with_who_wrote_it(client: Client):
    client.post(reverse(WRITE), GIVEN)
    version = PromptVersion.objects.get(name="answer-short")
    assert (version.purpose, version.system) == ("answer", "Answer in one line.")
    assert version.made_by.username == "engineer"
    page = client.get(reverse("admin:chat_promptversion_change", args=(version.pk,)))
    assert "Answer in one line." in page.content.decode()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [({"name": "Answer Short"}, "small letters"), ({"name": "answer-2"}, "is shipped")],
)
def test_a_version_that_cannot_be_is_told_in_the_form(
    client: Client, wrong: dict[str, str], said: str
):
    page = client.post(reverse(WRITE), GIVEN | wrong)
    assert said in page.content.decode()
    assert not PromptVersion.objects.exists()


def test_the_words_of_a_version_never_change(client: Client):
    version = trials.write(None, "answer", "answer-short", "Answer in one line.")
    address = reverse("admin:chat_promptversion_change", args=(version.pk,))
    assert client.post(address, GIVEN | {"system": "Other."}).status_code == 403
    version.refresh_from_db()
    assert version.system == "Answer in one line."


def test_a_trial_is_begun_and_ended(client: Client):
    version = trials.write(None, "answer", "answer-short", "Answer in one line.")
    client.post(reverse(TRY), {"version": version.pk, "percent": "25"})
    trial = PromptTrial.objects.get()
    assert (trial.share, trial.purpose, trial.ended_at) == (0.25, "answer", None)
    chosen = {"action": "end_trials", "_selected_action": [trial.pk]}
    client.post(reverse(TRIALS), chosen)
    trial.refresh_from_db()
    assert trial.ended_at is not None


def test_a_second_trial_of_a_purpose_is_told_in_the_form(client: Client):
    version = trials.write(None, "answer", "answer-short", "Answer in one line.")
    trials.begin(None, version, 0.5)
    page = client.post(reverse(TRY), {"version": version.pk, "percent": "25"})
    assert "End it before you begin one." in page.content.decode()
    assert PromptTrial.objects.count() == 1


def spoken(prompts: str) -> VersionSet:
    return VersionSet.objects.create(digest=prompts, values={"prompts": prompts})


def ended(versions: VersionSet, **fields: Any) -> Any:
    now = timezone.now() + timedelta(minutes=1)
    given = {"status": "finished", "termination": "answered", "started_at": now, "cost": 0.002}
    return factories.turn(question="How long?", versions=versions, **(given | fields))


def test_both_sides_of_a_trial_are_counted_apart(client: Client):
    version = trials.write(None, "answer", "answer-short", "Answer in one line.")
    trial = trials.begin(None, version, 0.5)
    new, old = spoken("answer-short check-2"), spoken("answer-2 check-2")
    ended(new)
    ended(new, termination="no_evidence")
    ended(old)
    ended(spoken("answer-2.short check-2"))
    ended(new, kind="lab")
    page = client.get(reverse("admin:chat_prompttrial_change", args=(trial.pk,))).content.decode()
    rows = page.partition("Cost a turn")[2]
    assert "<td>answer-short</td><td>2</td><td>50.0%</td><td>0.0%</td><td>0.200 ¢</td>" in rows
    assert "<td>answer-2</td><td>1</td><td>100.0%</td>" in rows


def test_a_side_that_nobody_heard_has_no_figures(client: Client):
    version = trials.write(None, "answer", "answer-short", "Answer in one line.")
    trial = trials.begin(None, version, 0.5)
    page = client.get(reverse("admin:chat_prompttrial_change", args=(trial.pk,))).content.decode()
    assert "<td>answer-short</td><td>0</td><td>–</td>" in page
