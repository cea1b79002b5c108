"""A turn that tells of somebody's health: where its words are read, by whom, and nowhere else.

Every page that staff have is opened, and every list is searched, so that a new page which leaks
shows here by itself.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from admin_tracing import incidents, labels, live
from admin_tracing.feed import rows_after
from admin_tracing.incidents import Window
from admin_tracing.models import Incident, RecordRead
from admin_tracing.suspects import Suspect, SuspectKind
from admin_tracing.taxonomy import Category
from chat.contracts.events import Answer, Body, QuestionRead, TurnStarted
from chat.models import Feedback, LegalHold, Ticket, Turn
from chat.records.verify import verify
from tests import access, factories, stored
from tests.reruns import batch, rerun
from tests.staff import person
from tests.traces import refund_with_one_rewrite

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume asynchronous"),
]

WORD, PART = "sarcoidosis", "sarcoid"
SAID = f"I have {WORD}. How long does a refund take?"
FAILED = Suspect(SuspectKind.CONTROL, "groundedness", "failed_closed")

OF_RERUNS = (
    *("follow", "reruns", "batch", "rerun_state", "what_if", "beside_choose", "beside"),
    *("beside as the other", "shared_line", "shared_line as the other"),
)
OF_THE_TURN = ("replay", "outline", "details", "latest", "state", "tokens", "events", "figures")
TRANSCRIPT = {f"chat.conversation {view}" for view in ("list", "search", "one", "history")}
SHOWN: dict[str, set[str]] = {
    "support": set(),
    "engineer": set(),
    "everything else": set(),
    "reviewer": TRANSCRIPT
    | {f"chat.ticket {view}" for view in ("list", "search", "one")}
    | {f"admin_tracing.incident {view}" for view in ("list", "search", "one")}
    | {"admin_tracing.groundednesslabel one", "admin_tracing.routinglabel one"}
    | {"chat.decisionrecord one", "export of the record", "incidents", "incident", "suspect"}
    | {"admin_tracing.groundednesslabel add", "admin_tracing.routinglabel add"},
}
SHOWN["superuser"] = SHOWN["reviewer"] | {
    *OF_RERUNS,
    *("turns", "turns searched", "replay", "outline", "details", "latest", "events"),
}


def told(body: Body) -> Body:
    """The words of the turn, also where its trace would have been cut: a reply may mark it late."""
    if isinstance(body, TurnStarted):
        return body.model_copy(update={"question": SAID})
    if isinstance(body, QuestionRead):
        return body.model_copy(update={"standalone": SAID})
    return body.model_copy(update={"text": SAID}) if isinstance(body, Answer) else body


@pytest.fixture
def turn() -> Any:
    """One such turn, and everything that staff and tools have written about it."""
    events = [replace(e, body=told(e.body)) for e in refund_with_one_rewrite()]
    talk = factories.conversation(title=SAID[:100])
    found = stored.finished_turn(events, of=talk, is_sensitive=True, finished_at=events[-1].at)
    rosa = factories.user("rosa")
    stored.record(found, controls=[{"control": "groundedness", "outcome": "failed_closed"}])
    Ticket.objects.create(key="k", turn=found, subject=WORD, description=SAID)
    Feedback.objects.create(turn=found, vote="down", reason=WORD, note=SAID)
    labels.give_routing(found, rosa, "direct", SAID)
    labels.give_groundedness(found, rosa, ("no", "no"), note=SAID)
    opened = incidents.open_by_hand(rosa, Category.DATA_LEAK, SAID, note=SAID, turn=found)
    incidents.change(opened, rosa, {"status": "contained"}, SAID)
    incidents.suspect(opened, rosa, FAILED, Window())
    return found


def client_of(who: str) -> Client:
    client = Client()
    client.force_login(nearly_everything() if who == "everything else" else person(who))
    return client


def nearly_everything() -> Any:
    """Staff with every right there is but the one."""
    somebody = factories.user("nearly", is_staff=True)
    somebody.user_permissions.set(Permission.objects.exclude(codename="read_sensitive"))
    return somebody


def pages(turn: Any) -> Iterator[tuple[str, str]]:
    """Every page of the staff, by name."""
    yield "index", reverse("admin:index")
    for model in admin.site._registry:
        yield from pages_of(model)
    yield "turns", f"{reverse('workflow:turns')}?since=2026-01-01"
    yield "turns searched", f"{reverse('workflow:turns')}?q={PART}"
    yield "quality", f"{reverse('workflow:quality')}?days=90"
    yield "incidents", reverse("workflow:incidents")
    case = Incident.objects.get().pk
    yield "incident", reverse("workflow:incident", args=(case,))
    for form in ("csv", "jsonl"):
        yield form, reverse("workflow:blast_file", args=(case, form))
    for name in OF_THE_TURN:
        query = "?type=turn_started" if name == "latest" else ""
        yield name, reverse(f"workflow:{name}", args=(turn.pk,)) + query
    yield "passage", reverse("workflow:passage", args=(turn.pk,)) + "?chunk=x"
    yield from pages_of_reruns(turn)
    record = turn.record.pk
    yield "export of the record", reverse("admin:chat_decisionrecord_export", args=(record,))
    for kind in ("routing", "groundedness"):
        at = reverse(f"admin:admin_tracing_{kind}label_add")
        yield f"admin_tracing.{kind}label add", f"{at}?turn={turn.pk}"
    at = reverse("admin:chat_legalhold_add")
    yield "a hold on it", f"{at}?conversation={turn.conversation_id}"


def pages_of_reruns(turn: Any) -> Iterator[tuple[str, str]]:
    """Where turns are followed, compared and run again."""
    other = stored.finished_turn(refund_with_one_rewrite())
    alone, of_many = rerun(turn), rerun(turn)
    Turn.objects.filter(pk__in=(alone.turn_id, of_many.turn_id)).update(is_sensitive=True)
    yield "follow", reverse("workflow:follow")
    yield "reruns", reverse("workflow:reruns")
    yield "batch", reverse("workflow:batch", args=(batch([of_many]).pk,))
    yield "batch_new", f"{reverse('workflow:batch_new')}?q={PART}"
    yield "rerun_state", reverse("workflow:rerun_state", args=(turn.pk, of_many.pk))
    for name in ("what_if", "beside_choose"):
        yield name, reverse(f"workflow:{name}", args=(turn.pk,))
    for name in ("beside", "shared_line"):
        yield name, reverse(f"workflow:{name}", args=(turn.pk, other.pk))
        yield f"{name} as the other", reverse(f"workflow:{name}", args=(other.pk, turn.pk))


def pages_of(model: Any) -> Iterator[tuple[str, str]]:
    label = model._meta.label_lower
    name = f"admin:{label.replace('.', '_')}"
    listed = reverse(f"{name}_changelist")
    yield f"{label} list", listed
    yield f"{label} search", f"{listed}?q={PART}"
    for field in model._meta.get_fields():
        if getattr(field, "get_internal_type", str)() in ("TextField", "CharField"):
            yield f"{label} by {field.name}", f"{listed}?{field.name}__icontains={PART}"
    for row in model.objects.all()[:3]:
        yield f"{label} one", reverse(f"{name}_change", args=(row.pk,))
        yield f"{label} history", reverse(f"{name}_history", args=(row.pk,))


def text_of(answer: Any) -> str:
    return b"".join(answer).decode()


@pytest.mark.parametrize("who", SHOWN)
def test_its_words_stand_where_they_may_be_read_and_nowhere_else(who: str, turn: Any):
    client = client_of(who)
    found = {name for name, at in pages(turn) if WORD in text_of(client.get(at, follow=True))}
    by_column = {name for name in found if " by " in name}
    suspect = client.post(reverse("workflow:suspect", args=(Incident.objects.get().pk,)))
    if WORD in text_of(client.get(suspect.url) if suspect.status_code == 302 else suspect):
        found.add("suspect")
    assert found - by_column == SHOWN[who]
    assert not by_column or who in ("reviewer", "superuser")


@pytest.mark.parametrize("method", ["get", "post"])
def test_no_address_of_the_site_tells_of_it_to_who_may_not_read_it(method: str, turn: Any):
    """All there are, so that a page that is added is held to this as well."""
    client, found = client_of("everything else"), access.pages(access.rows(turn))
    for name in ("chat:sign_out", "workflow:all_events"):  # the feed has no end, and its own test
        found.pop(name)
    told_by = {name for name, at in found.items() if WORD in text_of(getattr(client, method)(at))}
    assert told_by == set()


@pytest.mark.parametrize("who", ["engineer", "everything else"])
def test_the_list_says_that_there_is_one_and_no_search_finds_it(who: str, turn: Any):
    client, address = client_of(who), reverse("workflow:turns")
    shown = client.get(address).content.decode()
    assert str(turn.pk) in shown and "(about somebody's health)" in shown
    assert str(turn.pk) not in client.get(address, {"q": "refund"}).content.decode()
    assert str(turn.pk) in client.get(address, {"termination": "answered"}).content.decode()


def test_the_search_finds_it_for_who_may_read_it(turn: Any):
    address = reverse("workflow:turns")
    assert str(turn.pk) in client_of("superuser").get(address, {"q": PART}).content.decode()


@pytest.mark.parametrize(("who", "seen"), [("everything else", False), ("reviewer", True)])
def test_a_file_of_whom_it_touched_says_which_and_when_and_no_more(who: str, seen: bool, turn: Any):
    case = incidents.open_by_hand(factories.user("x"), Category.CONTROL_OUTAGE, "An outage")
    incidents.suspect(case, case.opened_by, FAILED, Window())
    client = client_of(who)
    answer = client.get(reverse("workflow:blast_file", args=(case.pk, "csv")))
    (row,) = csv.DictReader(io.StringIO(text_of(answer)))
    kept = {name for name, value in row.items() if value}
    assert {"turn", "at", "sensitive"} <= kept
    assert ("conversation" in kept, "visitor" in kept, "digest" in kept) == (seen,) * 3
    page = client.get(reverse("workflow:incident", args=(case.pk,))).content.decode()
    assert (str(turn.conversation_id) in page) is seen
    assert "1 turn</b>" in page


@pytest.mark.parametrize("who", ["support", "engineer", "everything else"])
def test_a_ticket_of_it_is_counted_for_who_may_not_read_it(who: str, turn: Any):
    client = client_of(who)
    shown = client.get(reverse("admin:chat_ticket_changelist")).content.decode()
    assert "Not shown: 1 open, about somebody&#x27;s health." in shown
    at = reverse("admin:chat_ticket_change", args=(Ticket.objects.get().pk,))
    client.post(at, {"status": "closed"})
    assert Ticket.objects.get().status == "open"


def test_a_reviewer_answers_it_and_the_log_of_the_admin_has_no_word_of_it(turn: Any):
    from django.contrib.admin.models import LogEntry

    client = client_of("reviewer")
    ticket, case = Ticket.objects.get(), Incident.objects.get()
    at = reverse("admin:chat_ticket_change", args=(ticket.pk,))
    assert client.post(at, {"status": "closed"}).status_code == 302
    inline = {f"changes-{name}_FORMS": "0" for name in ("TOTAL", "INITIAL")}
    work = {"status": "open", "severity": case.severity, "owner": "Legal", "reason": ""}
    at = reverse("admin:admin_tracing_incident_change", args=(case.pk,))
    assert client.post(at, work | inline | {"title": case.title, "note": SAID}).status_code == 302
    lines = LogEntry.objects.values_list("object_repr", "change_message")
    assert len(lines) == 2 and WORD not in str(list(lines))
    assert Ticket.objects.get().status == "closed"


def test_who_read_its_record_is_told_without_a_word_of_it(turn: Any):
    RecordRead.objects.create(record=turn.record, user=factories.user("reader"))
    at = reverse("admin:admin_tracing_recordread_changelist")
    shown = client_of("everything else").get(at).content.decode()
    assert "reader" in shown and WORD not in shown


def test_its_events_are_in_no_feed_but_that_of_who_may_read_it(turn: Any):
    assert rows_after(0) == []
    assert {event.turn for _, event in rows_after(0, sensitive=True)} == {turn.pk}


async def test_a_stream_ends_where_a_reply_tells_of_it():
    from chat.db import in_db

    told = refund_with_one_rewrite()
    plain = await in_db(stored.running_turn, told)

    async def batches() -> Any:
        yield told[:2]
        await in_db(lambda: Turn.objects.filter(pk=plain.pk).update(is_sensitive=True))
        yield told[2:]

    seen = [batch async for batch in live._until_sensitive(plain.pk, batches())]
    assert seen == [told[:2]]


def test_its_record_is_written_to_a_file_only_where_that_is_said(turn: Any, tmp_path: Path):
    file, reader = tmp_path / "record.html", person("reviewer").username
    given = {"record": turn.pk, "reader": reader, "output": str(file)}
    with pytest.raises(CommandError, match="--sensitive"):
        call_command("export_turns", **given)
    assert not file.exists()
    call_command("export_turns", "--sensitive", **given)
    assert WORD in file.read_text()
    assert verify(turn.conversation_id) is None


def test_a_hold_names_its_conversation_by_id_and_keeps_a_clean_reason(turn: Any):
    client = client_of("everything else")
    asked = {"conversation": str(turn.conversation_id), "reason": "For jane.roe@example.org"}
    assert client.post(reverse("admin:chat_legalhold_add"), asked).status_code == 302
    assert LegalHold.objects.get().reason == "For [email]"
    wrong = asked | {"conversation": "00000000-0000-4000-8000-000000000009"}
    answer = client.post(reverse("admin:chat_legalhold_add"), wrong)
    assert "There is no such conversation." in answer.content.decode()


def test_other_turns_are_as_they_were(turn: Any):
    Turn.objects.update(is_sensitive=False)
    client = client_of("support")
    found = {name for name, at in pages(turn) if WORD in text_of(client.get(at))}
    assert {"chat.ticket one", *TRANSCRIPT} <= found
