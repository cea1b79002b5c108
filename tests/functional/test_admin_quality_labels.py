"""The quality page's first screen and its sections of labels: numbers, links, places, who may."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from admin_tracing.labelled import sections as labelled
from admin_tracing.models import Sample
from admin_tracing.moving import sections as moving
from admin_tracing.running.sections import sections as running
from admin_tracing.sections import HEADLINES
from tests import factories, figures_by_hand
from tests.staff import person

pytestmark = pytest.mark.django_db

DAYS = figures_by_hand.window()
OF_LABELS = [section.name for section in labelled.sections(DAYS)]
EVERY = [*OF_LABELS, *(s.name for s in (*running(DAYS), *moving(DAYS)))]
LIST = reverse("workflow:turns")


@pytest.fixture
def client() -> Client:
    return of("engineer")


def of(who: str) -> Client:
    client = Client()
    client.force_login(person(who))
    return client


def page(client: Client, section: str = "", days: int = 7, *, fetched: bool = True) -> str:
    name = reverse("workflow:quality_section", args=[section]) if section else quality()
    headers = {"HX-Request": "true"} if fetched else {}
    return client.get(f"{name}?days={days}", headers=headers).content.decode()


def quality() -> str:
    return reverse("workflow:quality")


def words(markup: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", markup)).split())


def links(markup: str) -> list[str]:
    return [html.unescape(found) for found in re.findall(rf'href="({LIST}\?[^"]+)"', markup)]


def listed(client: Client, address: str) -> int:
    return len(re.findall(r"<tr data-turn=", client.get(address).content.decode()))


def labelled_turns(count: int, needed: str = "single_shot", **fields: Any) -> None:
    """Drawn and labelled turns of today, all with the same chance."""
    from admin_tracing import labels

    who = factories.user(f"labeller-{needed}-{count}")
    for _ in range(count):
        turn = factories.turn(
            status="finished",
            **({"termination": "answered", "route_taken": "single_shot"} | fields),
        )
        Sample.objects.create(turn=turn, stratum="random", rate=0.5)
        labels.give_routing(turn, who, needed)
        if turn.termination == "answered":
            labels.give_groundedness(turn, who, ("yes", "yes"))


# ---- the first screen


def test_the_eight_figures_stand_in_their_order(client: Client):
    labelled_turns(1)
    shown = page(client)
    assert re.findall(r'id="figure-(\w+)"', shown) == list(HEADLINES)


def test_a_figure_has_its_number_its_n_its_interval_and_its_turns(client: Client):
    labelled_turns(9)
    labelled_turns(3, needed="iterative")
    figure = page(client).partition('id="figure-routing"')[2].partition("</section>")[0]
    assert "75.0 % n = 12" in words(figure)
    assert "46.8 % to 91.1 %" in words(figure)
    assert 'class="reach" d="M46.77 3H91.11"' in figure
    assert listed(client, links(figure)[0]) == 12


def test_too_few_labels_say_so_instead_of_a_number(client: Client):
    figures_by_hand.store(timezone.now().date())
    shown = page(client)
    assert "n = 9, too few to say" in words(shown)
    assert "60.6 %" not in words(shown)


def test_every_section_has_a_place_and_an_address(client: Client):
    labelled_turns(1)
    shown = page(client)
    assert re.findall(r'hx-get="/admin/rag-workflow/quality/(\w+)/\?days=7"', shown) == EVERY


def test_a_figure_leads_to_the_section_that_says_more(client: Client):
    labelled_turns(1)
    shown = page(client)
    targets = re.findall(r'<h2 id="figure-\w+-title"><a href="#(\w+)">', shown)
    assert len(targets) == len(HEADLINES)
    assert all(f'<h2 id="{target}">' in shown for target in targets)


def test_without_turns_the_page_says_where_figures_come_from(client: Client):
    shown = page(client)
    assert "No turn ended in these days." in shown
    assert "figure-" not in shown


def test_the_first_screen_takes_few_queries(client: Client, django_assert_max_num_queries: Any):
    figures_by_hand.store(timezone.now().date())
    with django_assert_max_num_queries(32):
        page(client)


# ---- sections


@pytest.mark.parametrize("section", EVERY)
def test_a_section_is_a_part_for_the_page_and_a_page_of_its_own(client: Client, section: str):
    figures_by_hand.store(timezone.now().date())
    part, whole = page(client, section), page(client, section, fetched=False)
    assert "<html" not in part
    assert "<html" in whole and "<h1>" in whole


@pytest.mark.parametrize("section", EVERY)
def test_a_section_without_any_turn_says_so_quietly(client: Client, section: str):
    assert page(client, section).strip()


def test_a_section_that_there_is_not(client: Client):
    assert client.get(reverse("workflow:quality_section", args=["nothing"])).status_code == 404


@pytest.mark.parametrize("versions", ["x", "-1", "99999999999", "1 OR 1"])
def test_a_version_set_that_is_none_narrows_nothing(client: Client, versions: str):
    figures_by_hand.store(timezone.now().date())
    address = reverse("workflow:quality_section", args=["routing"])
    told = client.get(address, {"days": 7, "versions": versions})
    assert "All 10 that people decided" in words(told.content.decode())


def test_a_section_is_narrowed_to_a_version_set(client: Client):
    hand = figures_by_hand.store(timezone.now().date())
    address = reverse("workflow:quality_section", args=["routing"])
    told = client.get(address, {"days": 7, "versions": hand.versions["A"].pk})
    assert "All 5 that people decided" in words(told.content.decode())


def test_a_cell_of_the_confusion_table_leads_to_exactly_its_turns(client: Client):
    figures_by_hand.store(timezone.now().date())
    table = page(client, "routing").partition('<table class="confusion">')[2]
    cells = re.findall(rf'<a href="({LIST}\?[^"]+)">(\d+)</a>', table)
    # Row by row with its sum, by the way taken; then the sums of the columns.
    assert [int(n) for _, n in cells] == [
        *(1, 1, 2),  # direct, also as iterative
        *(2, 1, 3),  # single shot, also as off topic
        *(2, 1, 3),  # iterative, also as single shot
        *(1, 1, 1, 1),  # clarify and off topic
        *(1, 4, 2, 1, 2, 10),
    ]
    assert all(listed(client, html.unescape(link)) == int(n) for link, n in cells)


def test_false_alarms_and_misses_lead_to_exactly_their_turns(client: Client):
    figures_by_hand.store(timezone.now().date())
    cells = re.findall(rf'<a href="({LIST}\?disagrees=[^"]+)">(\d+)</a>', page(client, "measured"))
    assert len(cells) == 9
    assert all(listed(client, html.unescape(link)) == int(n) for link, n in cells)


def test_judge_and_people_lead_to_exactly_their_answers(client: Client):
    figures_by_hand.store(timezone.now().date())
    cells = re.findall(
        rf'<a href="({LIST}\?grounded=[^"]+)">(\d+)</a>', page(client, "groundedness")
    )
    assert {n for _, n in cells} == {"1", "2", "3"}
    assert all(listed(client, html.unescape(link)) == int(n) for link, n in cells)


def test_the_work_list_shows_the_question_and_leads_to_the_replay(client: Client):
    hand = figures_by_hand.store(timezone.now().date())
    shown = page(client, "odds")
    assert f'{reverse("workflow:replay", args=[hand.turns["t5"].pk])}">Question of t5<' in shown
    assert "Scope: false alarm" in words(shown)


def test_the_work_list_leads_a_reviewer_to_the_transcript():
    turn = figures_by_hand.store(timezone.now().date()).turns["t5"]
    talk = reverse("admin:chat_conversation_change", args=[turn.conversation_id])
    assert f'{talk}#turn-{turn.pk}">Question of t5<' in page(of("reviewer"), "odds")


def test_the_work_list_shows_no_words_to_who_may_not_read_transcripts():
    figures_by_hand.store(timezone.now().date())
    somebody = factories.user("replays", is_staff=True)
    somebody.user_permissions.add(Permission.objects.get(codename="replay_turns"))
    client = Client()
    client.force_login(somebody)
    shown = page(client, "odds")
    assert "Scope: false alarm" in words(shown)
    assert "Question of" not in shown


def test_the_work_list_tells_nobody_of_somebodys_health(client: Client):
    hand = figures_by_hand.store(timezone.now().date())
    type(hand.turns["t5"]).objects.update(is_sensitive=True)
    shown = page(client, "odds")
    assert "Question of" not in shown
    assert "(about somebody" in shown


# ---- who may


@pytest.mark.parametrize("section", OF_LABELS)
def test_a_reviewer_sees_figures_without_links_to_turns(section: str):
    figures_by_hand.store(timezone.now().date())
    shown = page(of("reviewer"), section)
    assert links(shown) == []
    assert "/admin/rag-workflow/" not in shown.replace(quality(), "")


def test_a_reviewer_sees_the_first_screen_without_links_to_turns():
    labelled_turns(12)
    shown = page(of("reviewer"))
    assert "100.0 % n = 12" in words(shown)
    assert links(shown) == []


@pytest.mark.parametrize("who", ["user", "support"])
@pytest.mark.parametrize("section", ["", *EVERY])
def test_others_are_turned_away(who: str, section: str):
    address = reverse("workflow:quality_section", args=[section]) if section else quality()
    assert of(who).get(address).status_code == 403


@pytest.mark.parametrize("section", EVERY)
def test_a_visitor_is_sent_to_the_login(section: str):
    answer = Client().get(reverse("workflow:quality_section", args=[section]))
    assert answer.status_code == 302
    assert "/admin/login/" in answer["Location"]
