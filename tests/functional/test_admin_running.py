"""The quality page's sections on running: what they say, where they lead, and to whom."""

from __future__ import annotations

import csv
import html
import io
import re
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from admin_tracing.access import SENSITIVE, may
from admin_tracing.models import Export
from admin_tracing.running.sections import SECTIONS
from tests import running_by_hand, stored
from tests.running_by_hand import E
from tests.staff import person

pytestmark = pytest.mark.django_db

YESTERDAY = timezone.now().replace(hour=6, minute=0, second=0, microsecond=0) - timedelta(days=1)
LINK = re.compile(r'href="(/admin/rag-workflow/\?[^"]+)"')
NAMES = [section.name for section in SECTIONS]


def of(who: str) -> Client:
    client = Client()
    client.force_login(person(who))
    return client


@pytest.fixture
def told() -> dict[str, Any]:
    return running_by_hand.store(YESTERDAY)


def markup(client: Client, name: str) -> str:
    address = reverse("workflow:quality_section", args=(name,))
    response = client.get(f"{address}?days=7", headers={"HX-Request": "true"})
    assert response.status_code == 200
    return response.content.decode()


def text(shown: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", shown)).split())


def listed(client: Client, address: str) -> list[UUID]:
    found = client.get(html.unescape(address)).content.decode()
    return [UUID(pk) for pk in re.findall(r'<tr data-turn="([^"]+)"', found)]


# ---- what they say


def test_time_is_told_by_route_and_node_with_too_few_named(told: Any):
    shown = text(markup(of("engineer"), "times"))
    assert "By route Route p50 p95 p99 Turns" in shown
    assert "single shot n = 4, too few to say 4" in shown
    assert "retrieve n = 9, too few to say 9" in shown


def test_the_slowest_node_is_marked():
    for hour in range(4):
        running_by_hand.store(YESTERDAY + timedelta(hours=hour))
    shown = markup(of("engineer"), "times")
    assert text(shown).count("slowest") == 1
    assert "validate topic slowest 101 ms 101 ms –" in text(shown)


def test_cost_is_told_by_purpose_and_an_unknown_price_is_no_price_of_nothing(told: Any):
    shown = text(markup(of("engineer"), "cost"))
    assert "What a turn costs: n = 7, too few to say; in 1 turn the price of a call is" in shown
    assert "grade 1 call of unknown price 35.6 % 0.32 ¢ – 9 –" in shown
    assert "tools 22.2 % 0.20 ¢" in shown
    assert "input 83.3 % 250 25" in shown


def test_without_any_price_the_page_says_how_to_get_one():
    running_by_hand.one("free", YESTERDAY)
    shown = text(markup(of("engineer"), "cost"))
    assert "No model of these days has a known price. Set LLM_PRICES" in shown
    assert "grade price unknown 1 –" in shown


def test_deep_loops_are_told_by_what_was_found_first(told: Any):
    shown = text(markup(of("engineer"), "loops"))
    assert "3 turns took further passes and 58.9 % of all cost" in shown
    assert "58.9 % of all cost; each n = 3, too few to say, against n = 2, too few to say" in shown
    assert f"{E} 3 – 0.53 ¢ 58.9 % n = 3, too few to say none" in shown


def test_ends_stand_with_share_interval_and_days(told: Any):
    shown = text(markup(of("engineer"), "ends"))
    assert "those that found nothing : n = 5, too few to say" in shown
    assert "no evidence 1 n = 7, too few to say" in shown


def test_controls_that_did_not_run_stand_first_with_why(told: Any):
    running_by_hand.store(YESTERDAY + timedelta(hours=1))
    shown = text(markup(of("engineer"), "controls"))
    # In two of a set's seven turns, by three of its twelve decisions.
    assert "In 28.6 % of the turns a control was due and did not run n = 14 turns" in shown
    assert "6 of 24 decisions" in shown
    assert "groundedness 4 0 2 0" in shown
    assert "coverage 2 0 0 2" in shown


def test_passes_say_what_they_brought_and_what_a_rescue_took(told: Any):
    for hour in range(1, 10):
        running_by_hand.store(YESTERDAY + timedelta(hours=hour))
    shown = text(markup(of("engineer"), "passes"))
    assert "Of 30 turns that took further passes 33.3 % were rescued by one" in shown
    # Eight calls and 2.8 thousandths of a dollar a set, each with one rescue.
    assert "A rescued answer took 8.0 calls and 0.28 ¢" in shown
    assert "2 30 66.7 %" in shown


def test_what_few_rescued_answers_took_is_not_said():
    for hour in range(4):
        running_by_hand.store(YESTERDAY + timedelta(hours=hour))
    shown = text(markup(of("engineer"), "passes"))
    assert "33.3 % were rescued by one" in shown
    assert "What one took: n = 4, too few to say." in shown


def test_what_a_turn_costs_is_said_of_enough():
    for hour in range(2):
        running_by_hand.store(YESTERDAY + timedelta(hours=hour))
    shown = text(markup(of("engineer"), "cost"))
    assert "A turn costs 0.13 ¢ (n = 14 )" in shown
    assert "0.64 ¢ 0.05 ¢ 18 1.29" in shown


def test_the_break_even_is_told_in_calls_and_in_money():
    for minute in range(30):
        running_by_hand.one("topic", YESTERDAY + timedelta(minutes=minute))
    for minute in range(8):
        running_by_hand.one("nothing", YESTERDAY + timedelta(hours=1, minutes=minute))
    shown = text(markup(of("engineer"), "topic"))
    assert "The topic check pays when more than 20.0 % of questions are off topic" in shown
    # A check costs 0.1 thousandths, a loop that finds nothing 1.9 with its check.
    assert "In money it pays above 5.6 % : a check costs 0.01 ¢, a loop" in shown
    assert "It pays." in shown
    assert "5.02 ¢ saved" in shown


def test_gaps_are_groups_with_examples_and_what_was_found_instead(told: Any):
    running_by_hand.one("nothing", YESTERDAY + timedelta(hours=1))
    shown = text(markup(of("engineer"), "gaps"))
    assert "3 turns that left something open or found nothing" in shown
    assert "discount students 2 turns , 2 without an answer Is there a discount" in shown
    assert f"Found instead: {E} (2 times) · words tried: card, days, refund" in shown


def test_a_site_without_a_turn_says_so_in_every_section():
    client = of("engineer")
    for name in NAMES:
        assert re.search(r"[Nn]o |Nothing |too few", text(markup(client, name))), name


def test_every_section_says_which_days_are_not_counted(told: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("admin_tracing.running.reading.LIVE", 0)
    client = of("engineer")
    said = {name for name in NAMES if "not all counted yet" in text(markup(client, name))}
    assert said == {*NAMES} - {"gaps"}  # which are read from the turns themselves


# ---- where they lead


@pytest.mark.parametrize(
    ("section", "query", "keys"),
    [
        ("ends", "termination=no_evidence", {"nothing"}),
        ("ends", "shows=nothing_found", {"nothing"}),
        ("controls", "control=groundedness&outcome=failed_closed", {"rescued"}),
        ("controls", "control=coverage&outcome=missing", {"more"}),
        ("loops", "section=", {"rescued", "more", "nothing"}),
        ("times", "route=off_topic&shows=ended", {"topic"}),
    ],
)
def test_a_figure_leads_to_exactly_its_turns(
    told: dict[str, Any], section: str, query: str, keys: set[str]
):
    client = of("engineer")
    links = {html.unescape(link) for link in LINK.findall(markup(client, section))}
    link = next(link for link in sorted(links) if query in link)
    assert set(listed(client, link)) == {told[key].pk for key in keys}


def test_a_group_of_gaps_leads_to_its_turns_and_each_example_to_its_replay(told: Any):
    client = of("engineer")
    shown = markup(client, "gaps")
    found = {frozenset(listed(client, link)) for link in LINK.findall(shown)}
    assert found == {frozenset([told["more"].pk]), frozenset([told["nothing"].pk])}
    assert reverse("workflow:replay", args=(told["nothing"].pk,)) in shown


def test_who_may_not_see_turns_sees_figures_without_links(told: Any):
    client = of("reviewer")
    assert [link for name in NAMES for link in LINK.findall(markup(client, name))] == []


@pytest.mark.parametrize(
    ("given", "said"),
    [("turns=x", "Name turns by their keys"), (f"turns={'a' * 3800}", "At most 100 turns")],
)
def test_turns_that_are_none_are_told(given: str, said: str):
    address = reverse("workflow:turns")
    assert said in html.unescape(of("engineer").get(f"{address}?{given}").content.decode())


# ---- the file


def rows(client: Client, days: str = "7") -> list[dict[str, str]]:
    response = client.get(f"{reverse('workflow:gaps_file')}?days={days}")
    assert response.status_code == 200
    return list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))


def test_the_file_has_a_line_a_group_and_is_written_down(told: Any):
    first, second = rows(of("support"))
    by_gap = {row["gap"]: row for row in (first, second)}
    row = by_gap["discount students"]
    assert (row["turns"], row["without an answer"], row["section"]) == ("1", "1", E)
    assert row["question 1"] == "Is there a discount for students?"
    assert row["words tried"] == "card days refund"
    taken = Export.objects.get()
    assert (taken.form, taken.filters, taken.turns) == ("gaps csv", {"days": "7"}, 2)


def test_a_question_that_a_spreadsheet_would_run_is_only_text():
    running_by_hand.TURNS["bad"] = running_by_hand.Turn(
        "single_shot", "no_evidence", 1, ("",), E, question="=cmd|' /C calc'!A0"
    )
    running_by_hand.one("bad", YESTERDAY)
    del running_by_hand.TURNS["bad"]
    assert rows(of("support"))[0]["question 1"].startswith("'=cmd")


def test_what_tells_of_health_is_on_the_page_and_in_the_file_for_those_who_may_read_it():
    running_by_hand.one("nothing", YESTERDAY, is_sensitive=True)
    for who in ("reviewer", "engineer"):
        somebody = person(who)
        client = Client()
        client.force_login(somebody)
        is_shown = "students" in markup(client, "gaps")
        assert is_shown == may(somebody, SENSITIVE) == bool(rows(client))
    assert rows(of("support")) == []


@pytest.mark.parametrize("who", ["visitor", "user"])
def test_the_file_is_for_staff(who: str):
    client = Client()
    if who == "user":
        client.force_login(person(who))
    status = client.get(reverse("workflow:gaps_file")).status_code
    assert status == (302 if who == "visitor" else 403)


def test_text_of_people_is_shown_as_text():
    telling = running_by_hand.Turn(
        "single_shot", "no_evidence", 1, ("",), E, question="<script>alert(1)</script> it"
    )
    running_by_hand.TURNS["script"] = telling
    running_by_hand.one("script", YESTERDAY)
    del running_by_hand.TURNS["script"]
    assert "<script>" not in markup(of("engineer"), "gaps")


def test_a_section_of_a_document_has_its_name_in_groups(told: Any):
    stored.chunk(E)
    assert "Refunds · Refund timing" in text(markup(of("engineer"), "loops"))
