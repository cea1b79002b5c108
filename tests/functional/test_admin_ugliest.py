"""The list's filter for the ugliest fifty: of what the other filters choose, with the reasons."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from admin_tracing.models import TurnLook
from admin_tracing.queries import UGLY, chosen
from tests import stored
from tests.staff import person

pytestmark = pytest.mark.django_db

ROW = re.compile(r'<tr data-turn="([0-9a-f-]+)"')


@pytest.fixture
def client() -> Client:
    client = Client()
    client.force_login(person("engineer"))
    return client


def page(client: Client, **query: object) -> str:
    address = f"{reverse('workflow:turns')}?{urlencode(query)}"
    return client.get(address, headers={"HX-Request": "true"}).content.decode()


def listed(html: str) -> list[str]:
    return ROW.findall(html)


def ugly(score: int, *reasons: str, **fields: Any) -> Any:
    (turn,) = stored.turns(1, **fields)
    TurnLook.objects.create(turn=turn, ugliness=score, reasons=list(reasons))
    return turn


def test_the_ugliest_come_first_with_their_reasons(client: Client) -> None:
    low = ugly(20, "typing errors")
    high = ugly(82, "an id", "a fragment")
    ugly(0)
    html = page(client, ugly="on")
    assert listed(html) == [str(high.pk), str(low.pk)]
    assert '<span class="why">an id, a fragment</span>' in html
    assert '<span class="why">typing errors</span>' in html


def test_without_the_filter_nobody_is_told_of_it(client: Client) -> None:
    ugly(82, "an id")
    assert "an id" not in page(client)


def test_it_keeps_to_the_other_filters(client: Client) -> None:
    ugly(90, "an id")
    off_topic = ugly(30, "a fragment", termination="off_topic")
    assert listed(page(client, ugly="on", termination="off_topic")) == [str(off_topic.pk)]


def test_there_are_fifty_and_no_further_page(client: Client) -> None:
    turns = stored.turns(UGLY + 5)
    looks = [TurnLook(turn=turn, ugliness=10 + n) for n, turn in enumerate(turns)]
    TurnLook.objects.bulk_create(looks)
    html = page(client, ugly="on")
    assert listed(html) == [str(turn.pk) for turn in reversed(turns[5:])]
    assert "Older turns" not in html


def test_equally_ugly_ones_come_newest_first(client: Client) -> None:
    turns = stored.turns(3)
    TurnLook.objects.bulk_create([TurnLook(turn=turn, ugliness=40) for turn in turns])
    assert listed(page(client, ugly="on")) == [str(turn.pk) for turn in turns]


def test_what_was_erased_is_left_out(client: Client) -> None:
    ugly(80, "an id", erased_at=timezone.now())
    assert listed(page(client, ugly="on")) == []


def test_a_turn_that_was_not_looked_at_yet_is_not_among_them(client: Client) -> None:
    stored.turns(1)
    html = page(client, ugly="on")
    assert "No turn fits these filters." in html


def test_turns_about_health_are_among_them_for_who_may_read_them() -> None:
    turn = ugly(80, "an id", is_sensitive=True)
    assert not chosen({"ugly": True}).exists()
    assert chosen({"ugly": True}, sensitive=True).get() == turn


def test_what_the_filter_chooses_is_what_the_list_shows() -> None:
    turns = stored.turns(UGLY + 3)
    looks = [TurnLook(turn=turn, ugliness=10 + n) for n, turn in enumerate(turns)]
    TurnLook.objects.bulk_create(looks)
    assert set(chosen({"ugly": True})) == set(turns[3:])


def test_the_days_narrow_it(client: Client) -> None:
    ugly(90, "an id", started_at=timezone.now() - timedelta(days=20))
    recent = ugly(30, "a fragment", started_at=timezone.now())
    since = (timezone.now() - timedelta(days=2)).date().isoformat()
    assert listed(page(client, ugly="on", since=since)) == [str(recent.pk)]
