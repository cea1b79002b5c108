"""The page that follows all turns begins with the newest ones, and listens from there on."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from admin_tracing.feed import newest
from admin_tracing.follow import AT_FIRST
from tests import factories, stored
from tests.staff import person
from tests.traces import START, refund_with_one_rewrite

pytestmark = pytest.mark.django_db(transaction=True)

ROW = re.compile(r'<tr data-turn="([0-9a-f-]+)" data-kind="(\w+)"[^>]*?( class="open")?>')


def page(who: str = "engineer") -> str:
    client = Client()
    client.force_login(person(who))
    response = client.get(reverse("workflow:follow"))
    assert response.status_code == 200
    return response.content.decode()


def test_it_begins_with_the_newest_turns_and_goes_on_from_the_last_event():
    turns = stored.turns(AT_FIRST + 3)
    told = refund_with_one_rewrite(start=START - timedelta(days=9))
    stored.running_turn(told[:5])
    html = page()
    assert [row[0] for row in ROW.findall(html)] == [str(turn.pk) for turn in turns[:AT_FIRST]]
    assert f'data-after="{newest()}"' in html


def test_a_turn_that_runs_says_what_it_is_doing():
    told = refund_with_one_rewrite()
    until = next(e.seq for e in told if getattr(e.body, "node", "") == "retrieve")
    turn = stored.running_turn(told[:until])
    html = page()
    assert ROW.findall(html) == [(str(turn.pk), "ask", ' class="open"')]
    assert "Looking in the handbook" in html


def test_a_turn_that_ended_says_how():
    stored.finished_turn()
    html = page()
    assert '<span class="signal supported">answered</span>' in html
    assert ROW.findall(html)[0][2] == ""


def test_lab_turns_are_there_and_named_so_that_the_page_can_hide_them():
    stored.turns(1, kind="lab")
    assert [kind for _, kind, _ in ROW.findall(page())] == ["lab"]


def test_a_run_of_the_lab_leaves_the_turns_of_people_in_sight():
    (asked,) = stored.turns(1)
    stored.turns(AT_FIRST + 3, kind="lab")
    shown = ROW.findall(page())
    assert [kind for _, kind, _ in shown].count("lab") == AT_FIRST
    assert str(asked.pk) in {turn for turn, _, _ in shown}


def test_what_tells_of_health_is_only_for_who_may_read_it():
    (turn,) = stored.turns(1, is_sensitive=True)
    assert ROW.findall(page()) == []
    assert str(turn.pk) in page("superuser")


def test_without_a_turn_it_says_where_lines_come_from():
    html = page()
    assert "A line appears here when somebody asks." in html


def test_an_erased_question_has_a_line_all_the_same():
    turn: Any = factories.turn(question="", status="finished", termination="answered")
    html = page()
    assert str(turn.pk) in html
    assert "(erased)" in html
