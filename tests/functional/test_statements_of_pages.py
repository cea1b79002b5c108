"""The work of a page does not grow with the turns: as many statements for fifty as for five."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from admin_tracing import moving
from admin_tracing.days import WINDOWS, Days
from admin_tracing.exporting.rows import batch
from admin_tracing.labelled import sections as labelled
from admin_tracing.models import (
    GroundednessLabel,
    RoutingLabel,
    Sample,
    Settlement,
    ShadowSearch,
    TurnLook,
)
from admin_tracing.running import sections as running
from benchmarks.workflow import LISTS
from chat.models import (
    Conversation,
    DecisionRecord,
    Feedback,
    Message,
    Turn,
    TurnEvent,
    VersionSet,
)
from tests import factories
from tests.database import PAST_TRIGGERS
from tests.staff import person

pytestmark = pytest.mark.django_db

FEW, MANY = 5, 50
SESSION = 5  # statements for who asks and what they may, at most
SECTION = 10  # of a section itself, at most
FIRST_SCREEN = 12
LIST = 6
BATCH = 8  # of the turns of one batch of a file

NOON = timezone.now().replace(hour=12, minute=0, second=0, microsecond=0) - timedelta(days=1)
DAYS = Days(NOON.date(), 7)
STORIES: tuple[dict[str, Any], ...] = (
    {"termination": "answered", "route_taken": "iterative", "passes": 2, "gaps": 1},
    {"termination": "answered", "route_taken": "single_shot", "passes": 1, "unsupported": 1},
    {"termination": "off_topic", "route_taken": "off_topic", "passes": 0},
    {"termination": "no_evidence", "route_taken": "iterative", "passes": 3},
    {"termination": "clarification_expired", "route_taken": "clarify", "asked_back": 1},
)
ANSWER = {"text": "Soon.", "citations": [], "confidence": "low", "gaps": ["the card"]}
FACTS = {
    "controls": [
        {"control": "scope", "outcome": "passed"},
        {"control": "groundedness", "outcome": "failed_closed"},
    ],
    "missing": ["toxicity"],
    "passes": [
        {"pass": 1, "chunks": [{"chunk": "refunds#timing"}], "accepted": []},
        {"pass": 2, "accepted": ["refunds#timing"], "verdicts": {"refunds#timing": "ANSWERS"}},
    ],
    "claims": [{"id": "c1", "supported": True}],
    "citations": [{"marker": 1, "chunk": "refunds#timing", "version": 1, "supports": "yes"}],
}


@pytest.fixture
def client() -> Client:
    client = Client()
    client.force_login(person("engineer"))
    return client


def store(count: int) -> None:
    """Turns of every story in rotation, each with all that pages read of a turn."""
    talks = Conversation.objects.bulk_create(
        Conversation(visitor=factories.conversation().visitor) for _ in range(count)
    )
    asked = Message.objects.bulk_create(
        Message(conversation=talk, author="person", text="When does it reach the card?")
        for talk in talks
    )
    sets = VersionSet.objects.bulk_create(
        VersionSet(digest=f"{n:064d}", values={"code": str(n)}) for n in range(2)
    )
    turns = Turn.objects.bulk_create(
        Turn(
            conversation=message.conversation,
            question=message,
            status="finished",
            kind="regenerate" if n % 10 == 9 else "ask",
            started_at=NOON + timedelta(seconds=n) - timedelta(days=n % 3),
            finished_at=NOON,
            versions=sets[n % 2],
            confidence="low",
            ms=100.0,
            **STORIES[n % len(STORIES)],
        )
        for n, message in enumerate(asked)
    )
    _labelled(turns)
    _told(turns)


def _labelled(turns: list[Turn]) -> None:
    """Drawn, and labelled by two who say different things; a third settled one in five."""
    ann, ben = (factories.user(name) for name in ("ann", "ben"))
    Sample.objects.bulk_create(Sample(turn=turn, stratum="random", rate=0.5) for turn in turns)
    RoutingLabel.objects.bulk_create(
        RoutingLabel(turn=turn, user=who, needed=needed)
        for turn in turns
        for who, needed in ((ann, "iterative"), (ben, "single_shot"))
    )
    GroundednessLabel.objects.bulk_create(
        GroundednessLabel(
            turn=turn,
            user=who,
            grounded=grade,
            correct=grade,
            claims={"c1": True},
            citations={"1": True},
        )
        for turn in turns
        for who, grade in ((ann, "yes"), (ben, "no"))
    )
    Settlement.objects.bulk_create(
        Settlement(turn=turn, job=job, user=ann, **word)
        for turn in turns[::5]
        for job, word in (
            ("routing", {"needed": "iterative"}),
            ("groundedness", {"grounded": "no"}),
        )
    )


def _told(turns: list[Turn]) -> None:
    """Votes, looks, searches made afterwards, events and records."""
    Feedback.objects.bulk_create(Feedback(turn=turn, vote="up") for turn in turns)
    TurnLook.objects.bulk_create(TurnLook(turn=turn, ugliness=9) for turn in turns)
    ShadowSearch.objects.bulk_create(
        ShadowSearch(turn=turn, has_evidence=True, rate=0.5)
        for turn in turns
        if turn.termination == "off_topic"
    )
    TurnEvent.objects.bulk_create(
        TurnEvent(turn=turn, seq=1, at=NOON, type="answer", data=ANSWER) for turn in turns
    )
    with connection.cursor() as cursor:
        cursor.execute(PAST_TRIGGERS)
    DecisionRecord.objects.bulk_create(
        DecisionRecord(
            turn=turn, conversation=turn.conversation, number=1, sealed_at=NOON, facts=FACTS
        )
        for turn in turns
    )


def statements(work: Callable[[], object]) -> int:
    """What it takes the second time: what a process reads once was read by then."""
    work()
    with CaptureQueriesContext(connection) as seen:
        work()
    return len(seen)


def few_and_many(pages: Mapping[str, Callable[[], object]]) -> list[dict[str, int]]:
    """The statements of each page, over few turns and over many."""
    found = []
    for count in (FEW, MANY):
        with transaction.atomic():
            store(count)
            found.append({name: statements(work) for name, work in pages.items()})
            transaction.set_rollback(True)
    return found


def read(client: Client, address: str) -> Callable[[], object]:
    """The page as it is fetched, which has to come."""

    def work() -> None:
        assert client.get(address, headers={"HX-Request": "true"}).status_code == 200

    return work


def above(found: Mapping[str, int], most: int) -> dict[str, int]:
    return {name: n for name, n in found.items() if n > most}


def test_sections_ask_as_often_for_many_turns_as_for_few(client: Client):
    names = [one.name for one in (*labelled.SECTIONS, *running.SECTIONS, *moving.sections(DAYS))]
    few, many = few_and_many(
        {
            name: read(client, reverse("workflow:quality_section", args=[name]) + "?days=7")
            for name in names
        }
    )
    assert few == many
    assert above(many, SESSION + SECTION) == {}


def test_the_first_screen_asks_as_often_for_many_turns_as_for_few(client: Client):
    address = reverse("workflow:quality")
    few, many = few_and_many({f"{n}": read(client, f"{address}?days={n}") for n in WINDOWS})
    assert few == many
    assert above(many, SESSION + FIRST_SCREEN) == {}


def test_lists_ask_as_often_for_many_turns_as_for_few(client: Client):
    address = reverse("workflow:turns")
    few, many = few_and_many(
        {name: read(client, f"{address}?{urlencode(query)}") for name, query in LISTS.items()}
    )
    assert few == many
    assert above(many, SESSION + LIST) == {}


def test_a_batch_of_a_file_asks_as_often_for_many_turns_as_for_few():
    few, many = few_and_many(
        {
            "columns": lambda: batch({}, None, sensitive=True, whole=False),
            "whole": lambda: batch({}, None, sensitive=True, whole=True),
        }
    )
    assert few == many
    assert above(many, BATCH) == {}
