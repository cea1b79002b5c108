"""The list of turns: newest first, filtered, paged by key, and calm when it is empty."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse

from admin_tracing.queries import PAGE
from tests import factories, stored
from tests.staff import person
from tests.traces import START

pytestmark = pytest.mark.django_db

ROW = re.compile(r'<tr data-turn="([0-9a-f-]+)"')
NEXT = re.compile(r'hx-get="(\?[^"]+)"')


@pytest.fixture
def client() -> Client:
    client = Client()
    client.force_login(person("engineer"))
    return client


def page(client: Client, *, fetched: bool = False, **query: object) -> str:
    headers = {"HX-Request": "true"} if fetched else {}
    address = f"{reverse('workflow:turns')}?{urlencode(query)}"
    return client.get(address, headers=headers).content.decode()


def listed(html: str) -> list[str]:
    return ROW.findall(html)


def test_turns_come_newest_first(client: Client):
    turns = stored.turns(3)
    assert listed(page(client)) == [str(turn.pk) for turn in turns]


def test_every_page_together_is_every_turn_once(client: Client):
    turns = stored.turns(PAGE * 2 + 3)
    seen: list[str] = []
    html = page(client)
    for _ in range(3):
        seen += listed(html)
        following = NEXT.search(html)
        if following is None:
            break
        address = reverse("workflow:turns") + following.group(1).replace("&amp;", "&")
        html = client.get(address, headers={"HX-Request": "true"}).content.decode()
    assert seen == [str(turn.pk) for turn in turns]


def test_turns_of_the_same_moment_are_neither_lost_nor_doubled(client: Client):
    turns = [factories.turn(started_at=START, status="finished") for _ in range(PAGE + 5)]
    html = page(client)
    following = NEXT.search(html)
    assert following is not None
    rest = client.get(reverse("workflow:turns") + following.group(1).replace("&amp;", "&"))
    seen = listed(html) + listed(rest.content.decode())
    assert sorted(seen) == sorted(str(turn.pk) for turn in turns)
    assert len(seen) == len(turns)


def test_lab_turns_are_hidden_until_they_are_asked_for(client: Client):
    (lab,) = stored.turns(1, kind="lab")
    assert listed(page(client)) == []
    assert listed(page(client, lab="on")) == [str(lab.pk)]
    assert listed(page(client, kind="lab")) == [str(lab.pk)]


@pytest.mark.parametrize(
    ("query", "fields"),
    [
        ({"termination": "no_evidence"}, {"termination": "no_evidence"}),
        ({"termination": "open"}, {"status": "running", "termination": ""}),
        ({"route": "off_topic"}, {"route_taken": "off_topic"}),
        ({"kind": "regenerate"}, {"kind": "regenerate"}),
        ({"since": "2026-12-24"}, {"started_at": datetime(2026, 12, 24, 8, tzinfo=UTC)}),
        ({"until": "2020-01-31"}, {"started_at": datetime(2020, 1, 31, 23, tzinfo=UTC)}),
    ],
)
def test_a_filter_keeps_what_fits_it(client: Client, query: dict[str, Any], fields: dict[str, Any]):
    stored.turns(2)
    (wanted,) = stored.turns(1, **fields)
    assert listed(page(client, **query)) == [str(wanted.pk)]


def test_the_search_finds_words_of_the_question_in_any_case(client: Client):
    stored.turns(2)
    wanted = factories.turn(question="Can I pay by INVOICE?", status="finished")
    assert listed(page(client, q="invoice")) == [str(wanted.pk)]


def test_a_filter_that_makes_no_sense_is_named_and_filters_nothing(client: Client):
    stored.turns(2)
    html = page(client, since="yesterday")
    assert "Enter a valid date" in html
    assert len(listed(html)) == 2


def test_a_filter_is_answered_with_the_list_alone(client: Client):
    stored.turns(1)
    html = page(client, fetched=True, termination="answered")
    assert "<html" not in html
    assert "<table" in html


def test_a_further_page_is_answered_with_its_rows_alone(client: Client):
    stored.turns(PAGE + 1)
    before = f"{(START - timedelta(minutes=PAGE - 1)).isoformat()}_{stored.turns(1)[0].pk}"
    html = page(client, fetched=True, before=before)
    assert "<table" not in html


def test_figures_carry_their_units(client: Client):
    stored.finished_turn()
    row = page(client).partition("<tr data-turn")[2]
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", row))
    assert re.search(r"2 passes 9 calls \d+ ms 0\.30 ¢", text)


def test_a_turn_that_runs_says_so_and_has_no_figures(client: Client):
    factories.turn()
    row = page(client).partition("<tr data-turn")[2]
    assert "running" in row
    assert "¢" not in row


def test_an_empty_list_says_where_turns_come_from(client: Client):
    assert "No turns yet." in page(client)


def test_a_filter_without_a_hit_leads_back_to_all_turns(client: Client):
    stored.turns(1)
    html = page(client, q="nothing like it")
    assert "No turn fits these filters." in html
    assert "Show all turns" in html


@pytest.mark.parametrize("before", ["x", "2026-11-29_x", "2026-11-29T10:00:00_", "_", "9" * 300])
def test_a_page_that_was_never_given_is_not_found(client: Client, before: str):
    assert client.get(reverse("workflow:turns"), {"before": before}).status_code == 404


def test_a_question_is_shown_as_text(client: Client):
    factories.turn(question="<script>alert(1)</script>", status="finished")
    assert "&lt;script&gt;alert(1)" in page(client)


def test_the_list_takes_few_queries_at_any_length(
    client: Client, django_assert_max_num_queries: object
):
    stored.turns(PAGE)
    with django_assert_max_num_queries(8):  # type: ignore[operator]
        page(client)


def test_folded_filters_that_are_used_are_told_with_a_way_out_of_each(client: Client):
    stored.turns(1, passes=2)
    for fetched in (False, True):
        html = page(client, fetched=fetched, passes=2, termination="answered")
        assert 'aria-label="Leave out Passes, at least 2"' in html
        assert 'href="?termination=answered"' in html
        assert '<details class="more" open' not in html


def test_a_folded_filter_that_is_wrong_is_seen(client: Client):
    assert '<details class="more" open' in page(client, person="somebody")


def test_folded_filters_are_grouped_by_what_one_looks_for(client: Client):
    legends = re.findall(r"<legend>([^<]+)</legend>", page(client))
    assert legends == [
        "What happened",
        "Controls and versions",
        "What people said",
        "People and time",
    ]


@pytest.mark.parametrize(
    "query",
    [
        {"since": "9999-12-31", "needed": "direct"},
        {"until": "9999-12-31", "labelled": "routing:counted"},
        {"until": "0001-01-01", "slower": "on"},
        {"hour": "9999-12-31T23:30"},
    ],
)
def test_a_day_from_which_nobody_can_count_is_told_at_its_field(
    client: Client, query: dict[str, Any]
):
    assert "Choose a day from 2000 to 2200." in page(client, **query)
