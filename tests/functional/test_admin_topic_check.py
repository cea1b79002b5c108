"""What the list of turns says of the topic check: what it costs here, and when it pays."""

from __future__ import annotations

import re
from datetime import date, timedelta
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from admin_tracing.break_even import TopicFigures
from admin_tracing.topic_check import topic_figures
from tests import stored
from tests.staff import person

pytestmark = pytest.mark.django_db

PANEL = re.compile(r'<p class="topic">(.*?)</p>', re.DOTALL)


@pytest.fixture
def client() -> Client:
    client = Client()
    client.force_login(person("engineer"))
    return client


def said(client: Client, *, fetched: bool = False, **query: object) -> str:
    """The panel's text, or nothing without a panel."""
    headers = {"HX-Request": "true"} if fetched else {}
    address = f"{reverse('workflow:turns')}?{urlencode(query)}"
    panel = PANEL.search(client.get(address, headers=headers).content.decode())
    return " ".join(re.sub(r"<[^>]+>", "", panel.group(1)).split()) if panel else ""


def questions(count: int, termination: str, **fields: Any) -> None:
    newest = fields.pop("newest", timezone.now())
    stored.turns(count, newest=newest, termination=termination, **fields)


def figures(**filters: Any) -> TopicFigures:
    return topic_figures(filters, timezone.now())


def test_the_line_says_when_it_pays_and_what_is_so_here(client: Client):
    questions(30, "answered", model_calls=4)
    questions(6, "off_topic", model_calls=1)
    questions(2, "no_evidence", model_calls=9, cost=Decimal("0.002"))
    questions(2, "no_progress", model_calls=7, cost=Decimal("0.004"))
    assert said(client) == (
        "The topic check pays when more than 14.3 % of questions are off topic; "
        "in the last 30 days it is 15.0 % (n = 40). It pays. "
        "A loop that finds nothing takes 8.0 calls and 0.30 ¢, by 4 turns; "
        "the check takes one of them."
    )


def test_a_check_that_costs_more_than_it_saves_is_told(client: Client):
    questions(40, "answered", model_calls=4)
    questions(1, "no_evidence", model_calls=9)
    text = said(client)
    assert "it is 0.0 % (n = 41). It costs more calls than it saves." in text
    assert "¢" not in text


def test_few_questions_get_a_rule_of_thumb_and_no_number(client: Client):
    questions(29, "no_evidence", model_calls=9)
    text = said(client)
    assert text.startswith("n = 29 in the last 30 days, too few to say")
    assert "in 8 with two" in text
    assert "%" not in text


def test_without_a_whole_loop_it_says_so(client: Client):
    questions(40, "answered", model_calls=4)
    assert said(client).startswith("No question ran a whole loop without a find")


def test_without_a_turn_there_is_no_line(client: Client):
    assert said(client) == ""


def test_only_finished_questions_that_reached_the_check_are_counted():
    questions(3, "answered")
    questions(2, "greeted")
    questions(1, "crisis")
    questions(4, "off_topic", kind="lab")
    questions(4, "off_topic", kind="regenerate")
    questions(1, "", status="running")
    found = figures()
    assert (found.asked, found.off_topic) == (3, 0)


def test_without_days_the_last_thirty_count():
    questions(2, "off_topic", newest=timezone.now() - timedelta(days=31))
    questions(1, "answered")
    assert (figures().asked, figures().in_chosen_days) == (1, False)


def test_chosen_days_count_instead():
    long_ago = timezone.now() - timedelta(days=90)
    questions(2, "off_topic", newest=long_ago)
    questions(1, "answered")
    found = figures(since=long_ago.date() - timedelta(days=1), until=long_ago.date())
    assert (found.asked, found.off_topic, found.in_chosen_days) == (2, 2, True)


def test_a_filter_by_the_end_does_not_change_the_share(client: Client):
    questions(38, "answered", model_calls=4)
    questions(2, "no_evidence", model_calls=9)
    assert "(n = 40)" in said(client, termination="no_evidence", fetched=True)


def test_the_line_follows_the_days_of_the_filter(client: Client):
    questions(40, "no_evidence", model_calls=9)
    assert "on the chosen days" in said(client, fetched=True, since=date(2020, 1, 1))


def test_a_further_page_does_not_count_again(client: Client, django_assert_max_num_queries: Any):
    questions(60, "answered")
    before = f"{timezone.now().isoformat()}_{'0' * 8}-0000-4000-8000-{'0' * 12}"
    with django_assert_max_num_queries(20) as captured:
        assert said(client, fetched=True, before=before) == ""
    assert not [query for query in captured if "AVG" in query["sql"]]


def test_the_figures_take_one_query(django_assert_num_queries: Any):
    questions(5, "answered")
    with django_assert_num_queries(1):
        figures()
