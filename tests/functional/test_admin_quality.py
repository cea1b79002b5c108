"""Drift on the quality page: figures by day with n, changes of versions, bursts, the turns."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from chat.models import Message, Pause, Turn, VersionSet
from tests import factories
from tests.staff import person

pytestmark = pytest.mark.django_db

PANEL = re.compile(r'<section class="panel" id="(\w+)".*?</section>', re.DOTALL)
LINK = re.compile(r'href="(/admin/rag-workflow/\?[^"]+)"')
NOON = timezone.now().replace(hour=12, minute=0, second=0, microsecond=0) - timedelta(days=1)


@pytest.fixture
def client() -> Client:
    return of("engineer")


def of(who: str) -> Client:
    client = Client()
    client.force_login(person(who))
    return client


def page(client: Client, days: int = 30, part: str = "drift") -> str:
    """A section as the page fetches it."""
    address = f"{reverse('workflow:quality_section', args=[part])}?days={days}"
    return client.get(address, headers={"HX-Request": "true"}).content.decode()


def first_screen(client: Client, days: int = 30, *, fetched: bool = False) -> str:
    headers = {"HX-Request": "true"} if fetched else {}
    address = f"{reverse('workflow:quality')}?days={days}"
    return client.get(address, headers=headers).content.decode()


def panels(text: str) -> dict[str, str]:
    return {match.group(1): match.group() for match in PANEL.finditer(text)}


def words(markup: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", markup)).split())


def turns(count: int, days_ago: int = 0, *, text: str = "", **fields: Any) -> list[Turn]:
    """Ended turns of one visitor each, in rows: few statements for many turns."""
    given: dict[str, Any] = {"status": "finished", "termination": "answered"} | fields
    owner = given.pop("visitor", None)
    talks = [factories.conversation(visitor=owner) for _ in range(count)]
    asked = [
        Message(conversation=talk, author="person", text=text or f"{uuid4()} what is it")
        for talk in talks
    ]
    Message.objects.bulk_create(asked)
    at = NOON - timedelta(days=days_ago)
    rows = [
        Turn(
            conversation=message.conversation,
            question=message,
            **({"started_at": at + timedelta(seconds=n)} | given),
        )
        for n, message in enumerate(asked)
    ]
    return Turn.objects.bulk_create(rows)


def versions(number: int, **values: str) -> VersionSet:
    return VersionSet.objects.create(digest=f"{number:064d}", values=values)


def listed(client: Client, address: str) -> int:
    """How many turns the list shows at an address of a figure."""
    found = client.get(html.unescape(address)).content.decode()
    return len(re.findall(r"<tr data-turn=", found))


def test_every_figure_says_its_value_and_its_n(client: Client):
    turns(30, unsupported=1, citations=2, confidence="low")
    turns(10, termination="off_topic")
    turns(5, gaps=1, confidence="high")
    shown = {name: words(panel) for name, panel in panels(page(client)).items()}
    assert "45 30 days" in shown["turns"]
    assert "22.2 % n = 45" in shown["refusals"]
    assert "14.3 % n = 35" in shown["gaps"]
    assert "85.7 % n = 35" in shown["low"]
    assert "0.86 n = 35" in shown["unsupported"]
    assert "1.71 n = 35" in shown["citations"]


def test_too_few_say_so_instead_of_a_number(client: Client):
    turns(7, termination="off_topic")
    assert "n = 7, too few to say" in words(panels(page(client))["refusals"])


def test_questions_back_are_counted_by_what_became_of_them(client: Client):
    for number, turn in enumerate(turns(40, asked_back=1)):
        Pause.objects.create(
            turn=turn,
            kind="clarification",
            question="Which?",
            seq=1,
            elapsed_ms=1,
            asked_at=turn.started_at,
            expires_at=turn.started_at,
            status=("answered", "answered", "expired", "ended")[number % 4],
        )
    shown = panels(page(client, 7))
    assert "50.0 % n = 40" in words(shown["abandoned"])
    assert re.search(r"40 20 20 50\.0 %", words(shown["abandoned"]))
    assert "100.0 % n = 40" in words(shown["clarifications"])


def test_lab_turns_and_re_runs_stand_outside(client: Client):
    turns(3, kind="lab")
    turns(3, kind="rerun")
    assert "No turn ended in these days." in first_screen(client)


def test_a_table_has_a_row_a_day_with_its_numbers_at_the_right(client: Client):
    turns(4, days_ago=2, termination="restricted")
    table = panels(page(client, 7))["refusals"].partition("<tbody>")[2]
    rows = table.split("<tr>")[1:]
    assert len(rows) == 7
    (full,) = [row for row in rows if "100.0 %" in row]
    assert words(full).endswith("0 4 4 100.0 %")
    assert full.count('class="number"') == 4


@pytest.mark.parametrize(
    ("panel", "fields", "others"),
    [
        ("refusals", {"termination": "off_topic"}, {}),
        ("gaps", {"gaps": 2}, {"gaps": 1, "termination": "no_evidence"}),
        ("low", {"confidence": "low"}, {"confidence": "high"}),
        ("unsupported", {"unsupported": 1}, {}),
        ("clarifications", {"asked_back": 1}, {}),
    ],
)
def test_a_figure_leads_to_exactly_its_turns(
    client: Client, panel: str, fields: dict[str, Any], others: dict[str, Any]
):
    turns(31, **fields)
    turns(3, **others)
    turns(3, days_ago=20, **fields)
    whole, *by_day = LINK.findall(panels(page(client, 7))[panel])
    assert listed(client, whole) == 31
    assert [listed(client, day) for day in by_day] == [31]


def test_who_may_not_see_turns_sees_numbers_without_links():
    turns(31, termination="off_topic")
    shown = page(of("reviewer"))
    assert "n = 31" in words(shown)
    assert LINK.findall(shown) == []


# ---- changes


def test_a_change_of_versions_is_named_and_held_against_what_was_before(client: Client):
    old = versions(1, code="1", model="small-1", prompts="a")
    new = versions(2, code="1", model="small-2", prompts="b")
    for days_ago, which, refused in ((4, old, 2), (3, old, 2), (2, new, 19), (1, new, 19)):
        turns(50 - refused, days_ago=days_ago, versions=which)
        turns(refused, days_ago=days_ago, versions=which, termination="off_topic")
    text = page(client, 7)
    shown = panels(text)
    when = f"{(NOON - timedelta(days=2)).day} {NOON - timedelta(days=2):%b}"
    said = f"{when}, model and prompts changed: rose from 4.0 % to 38.0 % (n = 100 and 100)."
    assert said in words(shown["refusals"])
    assert 'class="signal partly"' in shown["refusals"]
    assert shown["refusals"].count('class="mark"') == 1
    assert "No clear change" in words(shown["citations"])
    versions_part = words(page(client, 7, "versions"))
    assert "model small-1 → small-2" in versions_part
    assert "prompts a → b" in versions_part
    assert "code 1" not in versions_part


def test_a_change_with_too_few_turns_says_so(client: Client):
    turns(40, days_ago=3, versions=versions(1, model="a"))
    turns(5, days_ago=2, versions=versions(2, model="b"))
    assert "Too few to say of the versions of" in words(panels(page(client))["refusals"])


def test_long_values_are_called_changed_and_not_spelled_out(client: Client):
    turns(1, days_ago=3, versions=versions(1, settings="x" * 900))
    turns(1, days_ago=2, versions=versions(2, settings="y" * 900))
    shown = words(page(client, part="versions"))
    assert "settings changed" in shown and "xxxx" not in shown


def test_a_shift_without_a_change_of_versions_is_seen(client: Client):
    for days_ago in range(25, 0, -1):
        refused = 1 if days_ago > 6 else 8
        turns(20 - refused, days_ago=days_ago)
        turns(refused, days_ago=days_ago, termination="off_topic")
    said = words(panels(page(client))["refusals"])
    assert "Higher from" in said and "without a change of versions" in said


# ---- bursts


def test_a_burst_of_one_person_leads_to_its_turns(client: Client):
    visitor = uuid4()
    turns(12, visitor=visitor)
    turns(20)
    shown = page(client, 7, "bursts")
    assert f"visitor {visitor}" in shown
    (link,) = LINK.findall(shown)
    assert listed(client, link) == 12


def test_a_burst_is_held_against_its_own_day_and_not_against_others(client: Client):
    visitor = uuid4()
    for days_ago in range(10):
        turns(12, days_ago=days_ago, visitor=visitor)
    turns(23, visitor=visitor, started_at=NOON - timedelta(hours=3))
    shown = page(client, 30, "bursts")
    assert len(LINK.findall(shown)) == 11
    assert "23 0.5" in words(shown) and "12 1.0" in words(shown)
    assert words(shown).count("12 0.0") == 9


def test_a_burst_of_one_shape_is_one_whatever_its_figures(client: Client):
    for number in range(12):
        turns(1, text=f"Where is order {number * 37}?")
    turns(20)
    shown = page(client, 7, "bursts")
    assert "“where is order #”" in shown
    (link,) = LINK.findall(shown)
    assert listed(client, link) == 12


def test_quotations_that_differ_are_one_shape_as_well(client: Client):
    for word in ("disk full", "no route"):
        turns(7, text=f"What does “{word}” mean?")
    assert "what does … mean" in page(client, 7, "bursts")


def test_a_question_about_health_is_in_no_shape(client: Client):
    turns(15, text="Is my asthma covered?", is_sensitive=True)
    assert "asthma" not in page(client, 7, "bursts")


def test_the_same_questions_over_a_day_are_no_burst(client: Client):
    for hour in range(8):
        at = NOON - timedelta(hours=hour)
        turns(3, text="How long does it take?", started_at=at)
    assert "No burst in these days." in page(client, 7, "bursts")


# ---- the page itself


def test_another_window_is_answered_with_its_part_alone(client: Client):
    turns(1)
    part = first_screen(client, 90, fetched=True)
    assert "<html" not in part
    assert 'aria-current="true">90 days' in part


def test_a_window_that_there_is_not_is_the_usual_one(client: Client):
    assert (
        'aria-current="true">30 days'
        in client.get(f"{reverse('workflow:quality')}?days=1e9").content.decode()
    )


def test_an_empty_page_says_where_figures_come_from(client: Client):
    shown = first_screen(client)
    assert "No turn ended in these days." in shown
    assert reverse("chat:new") in shown


def test_the_page_takes_few_queries_at_any_number_of_turns(
    client: Client, django_assert_max_num_queries: Any
):
    for day in range(5):
        turns(10, days_ago=day, versions=versions(day, model=str(day)))
    for part in ("drift", "versions", "bursts"):
        with django_assert_max_num_queries(9):
            page(client, part=part)


def test_text_of_people_is_shown_as_text(client: Client):
    turns(12, text="<script>x</script> is it")
    assert "<script>x" not in page(client, 7, "bursts")


def test_an_hour_and_a_person_filter_the_list(client: Client):
    who, alice = uuid4(), factories.user("alice")
    (mine,) = turns(1, visitor=who)
    turns(1, days_ago=1, visitor=who)
    hers = factories.turn(factories.conversation(alice), status="finished", started_at=NOON)
    base = reverse("workflow:turns")
    hour = f"{NOON:%Y-%m-%dT%H:%M}"

    def shown(query: str) -> list[UUID]:
        text = client.get(f"{base}?{query}").content.decode()
        return [UUID(pk) for pk in re.findall(r'<tr data-turn="([^"]+)"', text)]

    assert shown(f"person=visitor+{who}&hour={hour}") == [mine.pk]
    assert shown(f"person=user+{alice.pk}") == [hers.pk]
    assert len(shown(f"hour={hour}")) == 2
    assert "no visitor" in client.get(f"{base}?person=visitor+{'-' * 36}").content.decode()
    assert datetime.fromisoformat(hour).replace(tzinfo=UTC) == NOON


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("control=groundedness", 2),
        ("control=groundedness&outcome=failed_closed", 1),
        ("control=groundedness&outcome=failed_open", 1),
        ("control=groundedness&outcome=passed", 1),
        ("control=scope", 0),
        ("control=nothing", 3),
    ],
)
def test_a_control_and_its_outcome_filter_the_list(client: Client, query: str, count: int):
    from tests import stored

    for outcome in ("failed_closed", "failed_open", "passed"):
        (turn,) = turns(1)
        stored.record(turn, controls=[{"control": "groundedness", "outcome": outcome}])
    assert listed(client, f"{reverse('workflow:turns')}?{query}") == count


def test_a_turn_that_still_runs_is_neither_in_the_count_nor_in_its_list(client: Client):
    turns(3)
    turns(2, status="running", termination="", visitor=None)
    panel = panels(page(client, 7))["turns"]
    link = LINK.findall(panel)[0]
    assert "3 7 days" in words(panel)
    assert listed(client, link) == 3
