"""Disagreements for reviewers: the list with why, both labels at once, settling, history."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from admin_tracing import queueing
from admin_tracing.models import Settlement
from tests import factories
from tests.labelling import people, queued, say, status
from tests.staff import person

pytestmark = pytest.mark.django_db

LIST = "/admin/rag-workflow/queue/disagreements/"


@pytest.fixture
def rita() -> Any:
    return person("reviewer")


@pytest.fixture
def client(rita: Any) -> Client:
    client = Client()
    client.force_login(rita)
    return client


@pytest.fixture
def two() -> list[Any]:
    return people("sam", "rosa")


def differ(two: list[Any], first: str = "single_shot", second: str = "iterative") -> Any:
    (turn,) = queued(wanted=2)
    say(two[0], turn, first)
    say(two[1], turn, second)
    return turn


def at(turn: Any) -> str:
    return f"{LIST}{turn.pk}/"


def page(client: Client, address: str = LIST) -> str:
    return client.get(address).content.decode().partition("<main")[2]


def test_an_empty_list_says_when_something_comes(client: Client):
    shown = page(client)
    assert "Nothing waits for a reviewer." in shown
    assert "when two people differ on it" in shown
    assert "Nothing has been settled yet." in shown


def test_the_list_has_its_count_and_why(client: Client, two: list[Any]):
    differ(two)
    differ(two, "cannot_tell", "direct")
    shown = page(client)
    assert "2 turns wait for a reviewer" in shown
    assert ">disagreed" in shown and ">cannot tell" in shown
    assert "needed single shot; held yes, right yes" in shown


def test_a_longer_list_takes_no_more_queries(client: Client, two: list[Any]):
    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            page(client)
        return len(queries)

    differ(two)
    asked()  # the first page of a process looks more up
    of_one = asked()
    for _ in range(3):
        differ(two)
    assert asked() == of_one


def test_a_key_that_sends_the_form_settles_and_takes_nothing_back(
    client: Client, rita: Any, two: list[Any]
):
    """Without the script, Enter in a row presses the form's first button."""
    settled, waits = differ(two), differ(two)
    queueing.settle(rita, settled.pk, queueing.Job.ROUTING, {"needed": "direct"})
    first = re.search(r'<button[^>]*type="submit"[^>]*>', page(client, at(waits)))
    assert first is not None and "formaction" not in first[0]


def test_both_stand_side_by_side_and_nobody_is_named(client: Client, two: list[Any]):
    turn = differ(two)
    queueing.give(
        two[0], turn.pk, queueing.Answer(queueing.Job.ROUTING, "single_shot", note="One.")
    )
    shown = page(client, at(turn))
    table = shown.partition('class="voices"')[2].partition("</table>")[0]
    assert {"Single shot", "Iterative"} <= set(re.findall(r"<td[^>]*>([^<]+)</td>", table))
    assert "One." in table and '<th scope="row">A</th>' in table
    assert "sam" not in shown and "rosa" not in shown


def test_only_what_is_in_dispute_is_asked_and_no_expert_is_called(client: Client, two: list[Any]):
    shown = page(client, at(differ(two)))
    assert re.findall(r'data-row="(\w+)"', shown) == ["needed"]
    assert "Needs an expert" not in shown.partition('class="rows"')[2]


def test_what_was_settled_stands_and_the_next_comes(client: Client, rita: Any, two: list[Any]):
    first, second = differ(two), differ(two)
    answer = client.post(at(first), {"needed": "iterative", "note": "Two things."})
    assert answer.headers["Location"] == at(second)
    assert status(first) == "settled"
    settled = Settlement.objects.get()
    assert (settled.needed, settled.note, settled.user) == ("iterative", "Two things.", rita)
    last = client.post(at(second), {"needed": "iterative"})
    assert last.headers["Location"] == LIST
    shown = page(client)
    assert "Nothing waits for a reviewer." in shown
    assert "needed iterative" in shown and "Two things." in shown and "reviewer" in shown


def test_names_and_the_checks_word_stand_once_it_is_settled(client: Client, two: list[Any]):
    turn = differ(two)
    client.post(at(turn), {"needed": "iterative"})
    shown = page(client, at(turn))
    assert '<th scope="row">sam</th>' in shown and '<th scope="row">rosa</th>' in shown
    assert "reviewer settled: needed iterative." in shown
    assert "The check said nothing of this answer." in shown
    assert 'data-do="done"' not in shown


def test_an_answer_to_each_question_is_needed(client: Client, two: list[Any]):
    (turn,) = queued(wanted=2)
    say(two[0], turn, "direct", "yes yes")
    say(two[1], turn, "clarify", "no yes")
    answer = client.post(at(turn), {"needed": "direct", "grounded": "yes"})
    assert answer.status_code == 422
    assert "Choose an answer to each question." in answer.content.decode()
    assert not Settlement.objects.exists()
    answer = client.post(at(turn), {"needed": "direct", "grounded": "yes", "correct": "yes"})
    assert answer.status_code == 302
    assert Settlement.objects.count() == 2


def test_who_labelled_it_may_look_and_not_settle(two: list[Any]):
    boss = person("superuser")
    client = Client()
    client.force_login(boss)
    (turn,) = queued(wanted=2)
    say(two[0], turn, "direct")
    say(boss, turn, "clarify")
    assert "You have labelled this turn, so another reviewer settles it." in page(client, at(turn))
    assert "not yours to settle" in page(client)
    refused = client.post(at(turn), {"needed": "direct"})
    assert refused.status_code == 409
    assert not Settlement.objects.exists()


def test_who_comes_second_is_told(client: Client, two: list[Any]):
    turn = differ(two)
    queueing.settle(factories.user("rolf"), turn.pk, queueing.Job.ROUTING, {"needed": "direct"})
    refused = client.post(at(turn), {"needed": "clarify"})
    assert refused.status_code == 409 or refused.status_code == 422
    assert Settlement.objects.get().needed == "direct"


def test_a_turn_on_which_people_agree_has_nothing_to_settle(client: Client, two: list[Any]):
    shown = page(client, at(differ(two, "direct", "direct")))
    assert "nothing to settle" in shown and 'data-do="done"' not in shown


def test_a_note_that_is_too_long_is_refused_and_one_with_a_null_is_kept_without_it(
    client: Client, two: list[Any]
):
    turn = differ(two)
    refused = client.post(at(turn), {"needed": "iterative", "note": "x" * 2_001})
    assert refused.status_code == 422
    assert not Settlement.objects.exists()
    client.post(at(turn), {"needed": "iterative", "note": "Two\0 things."})
    assert Settlement.objects.get().note == "Two things."


def test_what_was_settled_last_is_taken_back_by_one_press(client: Client, two: list[Any]):
    turn = differ(two)
    assert "Take back" not in page(client)
    client.post(at(turn), {"needed": "iterative"})
    assert "Take back your last" in page(client)
    answer = client.post(f"{LIST}undo/", follow=True)
    assert answer.redirect_chain == [(at(turn), 302)]
    shown = answer.content.decode()
    assert "Nothing of what you settled here stands any more." in shown
    assert 'data-row="needed"' in shown and status(turn) == "disagreed"
    nothing = client.post(f"{LIST}undo/", follow=True).content.decode()
    assert "There is nothing to take back." in nothing


def test_a_button_that_is_pressed_twice_takes_back_one_turn(client: Client, two: list[Any]):
    first, second = differ(two), differ(two)
    for turn in (first, second):
        client.post(at(turn), {"needed": "iterative"})
    named = {"last": str(second.pk)}
    assert f'name="last" value="{second.pk}"' in page(client)
    client.post(f"{LIST}undo/", named)
    again = client.post(f"{LIST}undo/", named, follow=True).content.decode()
    assert "That was taken back already." in again
    assert (status(first), status(second)) == ("settled", "disagreed")
