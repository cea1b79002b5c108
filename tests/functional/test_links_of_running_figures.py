"""Figures of running and their lists go by one rule, also where a turn is no plain one.

A control may decide twice in a turn, a pass may be several searches or find nothing, a day may not
be kept yet.
"""

from __future__ import annotations

import html
import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from chat.contracts.events import Decision, Retrieval, Tokens, TurnFinished, TurnStarted
from chat.contracts.turn_facts import facts_of
from chat.contracts.verdicts import Control, Outcome, Termination
from chat.models import Conversation, Pause, Turn, VersionSet
from tests import factories, running_by_hand, stored
from tests.staff import person
from tests.traces import Trace

pytestmark = pytest.mark.django_db

LIST = reverse("workflow:turns")
AT = timezone.now().replace(hour=6, minute=0, second=0, microsecond=0) - timedelta(days=1)
LINK = re.compile(rf'<a[^>]* href="({LIST}\?[^"]+)"[^>]*>(.*?)</a>', re.DOTALL)


@pytest.fixture
def client() -> Client:
    client = Client()
    client.force_login(person("engineer"))
    return client


def page(client: Client, section: str, **query: str) -> str:
    address = reverse("workflow:quality_section", args=[section])
    given = {"days": "7"} | query
    return client.get(address, given, headers={"HX-Request": "true"}).content.decode()


def links(shown: str, within: str) -> list[tuple[str, str]]:
    """Addresses that hold some words, each with its text."""
    found = ((html.unescape(a), re.sub(r"<[^>]+>", "", text)) for a, text in LINK.findall(shown))
    return [(address, text.strip()) for address, text in found if within in address]


def listed(client: Client, address: str) -> set[str]:
    return set(re.findall(r'<tr data-turn="([^"]+)"', client.get(address).content.decode()))


def told(*bodies: Any, passes: int = 1, minute: int = 0) -> Any:
    """An ended turn that said these things, with its record."""
    at = AT + timedelta(minutes=minute)
    trace = Trace(uuid4(), at)
    trace.tell(TurnStarted(question="How long?", message=uuid4(), kind="ask"), *bodies)
    end = Termination.ANSWERED
    trace.tell(
        TurnFinished(
            termination=end, ms=10, passes=passes, model_calls=0, tokens=Tokens(), cost=0.001
        )
    )
    turn = stored.finished_turn(trace.events, passes=passes)
    stored.record(turn, **facts_of(trace.events, {}))
    return turn


def decided(*outcomes: Outcome) -> list[Decision]:
    return [Decision(control=Control.RELEVANCE, outcome=one, reason="") for one in outcomes]


def searched(number: int, *chunks: str) -> Retrieval:
    hits = [{"chunk": chunk, "document": "refunds", "score": 0.03} for chunk in chunks]
    given = {"pass": number, "query": "how", "asked": 6, "hits": hits, "ms": 5}
    return Retrieval.model_validate(given)


def test_a_control_that_decided_several_times_counts_by_its_turns(client: Client):
    """Three turns with seven decisions, of which four did not come about."""
    failed, closed = Outcome.FAILED_OPEN, Outcome.FAILED_CLOSED
    twice = told(*decided(failed, failed, closed), minute=1)
    once = told(*decided(Outcome.PASSED, failed), minute=2)
    told(*decided(Outcome.PASSED, Outcome.ACTED), minute=3)
    told(*decided(Outcome.SKIPPED), minute=4)
    shown = page(client, "controls")
    found = {
        re.search(r"outcome=(\w+)", address)[1]: (text, listed(client, address))  # type: ignore[index]
        for address, text in links(shown, "control=relevance")
    }
    assert {name: text for name, (text, _) in found.items()} == {
        **{"due": "3", "failed_open": "2", "failed_closed": "1", "skipped": "1"},
    }
    assert all(len(turns) == int(text) for text, turns in found.values())
    assert found["failed_open"][1] == {str(twice.pk), str(once.pk)}


def test_the_first_screen_counts_the_turns_that_its_list_has(client: Client):
    for minute in range(6):
        told(*decided(Outcome.FAILED_OPEN, Outcome.FAILED_OPEN), minute=minute)
        told(*decided(Outcome.PASSED), minute=10 + minute)
    address = reverse("workflow:quality")
    shown = client.get(f"{address}?days=7").content.decode()
    figure = shown.partition('id="figure-controls"')[2].partition("</section>")[0]
    ((link, text),) = links(figure, "control_missed")
    assert (text, "n = 12" in figure) == ("50.0 %", True)
    assert len(listed(client, link)) == 6
    whole = page(client, "controls")
    ((same, text),) = links(whole, "control_missed")
    assert (text, len(listed(client, same))) == ("50.0 %", 6)
    assert "12 of 18 decisions" in whole


def test_a_group_of_deep_loops_is_what_the_first_pass_found_first(client: Client):
    """A pass with two searches of which the first found nothing, a first pass without any hit, and
    a plain one."""
    parts = told(searched(1), searched(1, "a#1"), searched(2, "b#1"), passes=2, minute=1)
    late = told(searched(1), searched(2, "a#1"), passes=2, minute=2)
    plain = told(searched(1, "a#1", "b#1"), searched(2, "b#1"), passes=2, minute=3)
    shown = page(client, "loops")
    found = {
        re.search(r"section=([^&]+)", address)[1]: (text, listed(client, address))  # type: ignore[index]
        for address, text in links(shown, "section=")
    }
    assert found == {
        "a%231": ("2", {str(parts.pk), str(plain.pk)}),
        "nothing": ("1", {str(late.pk)}),
    }
    ((every, text),) = [one for one in links(shown, "further_passes") if "section" not in one[0]]
    assert (text, len(listed(client, every))) == ("3", 3)


def test_a_long_section_leads_to_its_turns(client: Client):
    section = f"manual#{'x' * 200}"
    told(searched(1, section), searched(2), passes=2)
    ((address, text),) = links(page(client, "loops"), "section=")
    assert (text, len(listed(client, address))) == ("1", 1)


def test_slow_turns_of_a_route_are_listed_before_their_day_is_kept(client: Client):
    for minute in range(40):
        running_by_hand.one("plain", AT + timedelta(minutes=minute), ms=1_000.0)
    slow = running_by_hand.one("plain", AT + timedelta(hours=1), ms=9_000.0)
    found = links(page(client, "times"), "longer=")
    assert [listed(client, address) for address, _ in found] == [{str(slow.pk)}] * 2  # p50, p95


def test_a_question_back_that_was_given_up_counts_by_the_turn_and_its_day(client: Client):
    """Asked twice, the second time after midnight; of thirty turns that asked one was given up."""
    evening = AT.replace(hour=23)
    for n in range(30):
        turn = stored.turns(1, newest=evening - timedelta(minutes=n), asked_back=1)[0]
        for again in range(2):
            asked = {
                "question": "Which?",
                "seq": again + 1,
                "elapsed_ms": 1,
                "kind": "clarification",
            }
            at = evening + timedelta(hours=2 * again)
            status = "expired" if n == 0 else "answered"
            Pause.objects.create(turn=turn, asked_at=at, expires_at=at, status=status, **asked)
    panel = page(client, "drift").partition('id="abandoned"')[2].partition("</section>")[0]
    assert "3.3 %" in panel and "n = 30" in panel
    assert [len(listed(client, address)) for address, _ in links(panel, "abandoned")] == [1, 1]


def test_a_burst_is_of_a_person_and_never_of_what_was_erased(client: Client):
    """Half of it was asked before signing in; as many turns are of nobody by now."""
    user = factories.user("ann")
    for n in range(12):
        talk = factories.conversation(user)
        factories.turn(talk, status="finished", started_at=AT + timedelta(minutes=n))
        if n % 2:
            Conversation.objects.filter(pk=talk.pk).update(visitor=uuid4())
        gone = factories.conversation()
        factories.turn(gone, status="finished", started_at=AT + timedelta(minutes=n))
        Conversation.objects.filter(pk=gone.pk).update(visitor=None, erased_at=AT)
    found = links(page(client, "bursts"), "person=")
    assert [text for _, text in found] == ["12"]
    assert len(listed(client, found[0][0])) == 12


def test_a_burst_of_one_shape_leads_to_its_turns_and_no_others(client: Client):
    """Those of another shape have its words as well."""
    for n in range(12):
        at = AT + timedelta(minutes=n)
        factories.turn(question=f"Where is order {n}?", status="finished", started_at=at)
    factories.turn(question="Say, where is order 5 now?", status="finished", started_at=AT)
    ((address, text),) = links(page(client, "bursts"), "turns=")
    assert text == "12"
    assert len(listed(client, address)) == 12


# ---- a version set that is chosen


def test_figures_of_days_say_that_they_are_of_all_versions(client: Client):
    turn = running_by_hand.one("plain", AT)
    versions = versions_of(turn)
    address = reverse("workflow:quality_section", args=["ends"])
    shown = client.get(f"{address}?days=7&versions={versions}").content.decode()
    assert "These figures are of all versions" in shown
    assert 'href="?days=30&amp;versions=' in shown
    other = reverse("workflow:quality_section", args=["routing"])
    assert f'{other}?days=7&amp;versions={versions}"' in shown
    narrowed = client.get(f"{other}?days=7&versions={versions}").content.decode()
    assert "alone. " in narrowed and "of all versions" not in narrowed
    assert "There is no such version set." in client.get(f"{other}?versions=999").content.decode()
    assert "version set" not in client.get(f"{address}?days=7").content.decode()


def versions_of(turn: Any) -> int:
    found = VersionSet.objects.create(digest="a" * 64, values={"model": "a"})
    Turn.objects.filter(pk=turn.pk).update(versions=found)
    return int(found.pk)
