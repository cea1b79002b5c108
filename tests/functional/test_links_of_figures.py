"""Every number of the quality page that counts turns leads to a list of exactly as many."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import NamedTuple

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from admin_tracing import labels, moving
from admin_tracing.days import Days
from admin_tracing.labelled import sections as labelled
from admin_tracing.models import Sample
from admin_tracing.running import sections as running
from chat.models import Turn
from tests import factories, figures_by_hand, running_by_hand
from tests.staff import person

pytestmark = pytest.mark.django_db

LIST = reverse("workflow:turns")
TODAY = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
LINK = re.compile(rf'<a[^>]* href="({LIST}\?[^"]+)"[^>]*>(.*?)</a>', re.DOTALL)
N = re.compile(r"n = ([\d,]+)")
OF_LABELS = [section.name for section in labelled.SECTIONS]
OF_RUNNING = [section.name for section in running.SECTIONS if section.name != "gaps"]
OF_MOVING = [section.name for section in moving.sections(Days(TODAY.date(), 1))]
LEAST = {name: 0 for name in OF_LABELS} | {"routing": 20, "groundedness": 8, "measured": 14}
LEAST |= {"agreement": 4, "passes": 3, "ends": 9, "controls": 8, "times": 3, "cost": 1, "loops": 2}
"""Links of each section that name a number of turns."""


class Told(NamedTuple):
    """A link of the page, its text, and what stands after it up to the next one."""

    address: str
    text: str
    after: str


@pytest.fixture
def client() -> Client:
    client = Client()
    client.force_login(person("engineer"))
    return client


@pytest.fixture
def hand() -> figures_by_hand.Hand:
    """The set that is worked out by hand, and two days of plain turns at the edges of each.

    Among them one that asked back, one of which the judge called a claim unsupported, and one
    that was erased. None of the plain ones has a version set.
    """
    found = figures_by_hand.store(TODAY.date())
    ann = found.people[0]
    for n in range(24):
        first = TODAY - timedelta(days=2 + n // 12)
        turn = factories.turn(
            **{"status": "finished", "termination": "answered", "route_taken": "single_shot"},
            started_at=first if n % 2 else first + timedelta(days=1, microseconds=-1),
            asked_back=int(n == 0),
            unsupported=int(n == 1),
        )
        Sample.objects.create(turn=turn, stratum="random", rate=0.25)
        labels.give_routing(turn, ann, "single_shot")
        labels.give_groundedness(turn, ann, ("yes", "yes"))
    gone = factories.turn(
        **{"status": "finished", "termination": "off_topic", "route_taken": "off_topic"},
        **{"started_at": TODAY, "erased_at": timezone.now()},
    )
    Sample.objects.create(turn=gone, stratum="off_topic", rate=0.5)
    return found


def page(client: Client, section: str, versions: str = "") -> str:
    name = reverse("workflow:quality_section", args=[section]) if section else "workflow:quality"
    address = name if section else reverse(name)
    headers = {"HX-Request": "true"}
    query = {"days": "7", "versions": versions}
    return client.get(address, query, headers=headers).content.decode()


def told(shown: str) -> Iterator[Told]:
    found = list(LINK.finditer(shown))
    ends = [*(match.start() for match in found), len(shown)][1:]
    for match, end in zip(found, ends, strict=True):
        after = re.sub(r"<[^>]+>", " ", shown[match.end() : end])
        yield Told(html.unescape(match[1]), re.sub(r"<[^>]+>", "", match[2]).strip(), after)


def listed(client: Client, address: str) -> int:
    return len(re.findall(r"<tr data-turn=", client.get(address).content.decode()))


def counts(link: Told) -> int | None:
    """The turns that a link says it leads to: a number, or the n of a figure of the labelled."""
    if link.text.replace(",", "").isdecimal():
        return int(link.text.replace(",", ""))
    said = N.match(link.text) or N.match(link.after.strip())
    if "counted" not in link.address or said is None:
        return None
    return int(said[1].replace(",", ""))


def all_lead_to_as_many(client: Client, shown: str) -> int:
    """How many links were held against their list."""
    held = 0
    for link in told(shown):
        n = counts(link)
        held += n is not None
        assert n is None or listed(client, link.address) == n, link
    return held


@pytest.mark.parametrize("section", ["", *OF_LABELS])
def test_a_number_of_labelled_turns_leads_to_as_many(
    client: Client, hand: figures_by_hand.Hand, section: str
):
    assert all_lead_to_as_many(client, page(client, section)) >= LEAST.get(section, 2)


@pytest.mark.parametrize("section", OF_RUNNING)
def test_a_number_of_turns_leads_to_as_many(client: Client, section: str):
    for hour in range(4):
        running_by_hand.store(TODAY - timedelta(hours=3 * hour, microseconds=1))
    assert all_lead_to_as_many(client, page(client, section)) >= LEAST.get(section, 0)


@pytest.mark.parametrize("section", OF_MOVING)
def test_a_number_of_what_moves_leads_to_as_many(client: Client, section: str):
    for minute in range(12):
        running_by_hand.one("plain", TODAY - timedelta(hours=3, minutes=minute))
    least = 1 if section in ("drift", "bursts") else 0
    assert all_lead_to_as_many(client, page(client, section)) >= least


@pytest.mark.parametrize("section", OF_LABELS)
def test_what_is_narrowed_to_a_version_set_leads_to_its_turns_alone(
    client: Client, hand: figures_by_hand.Hand, section: str
):
    pk = str(hand.versions["B"].pk)
    shown = page(client, section, pk)
    assert all(f"versions={pk}" in link.address for link in told(shown))
    all_lead_to_as_many(client, shown)


def test_days_lead_to_the_turns_of_their_line(client: Client, hand: figures_by_hand.Hand):
    """Each line ends in its n. First the two days that are worked out by hand."""
    for section, few in (("routing", (4, 5)), ("groundedness", (3, 3))):
        lines = re.findall(r"(?s)<tr>(<th scope=\"row\">\d.*?)</tr>", page(client, section))
        linked = [(LINK.search(line), re.search(r">([\d,]+)</td>$", line)) for line in lines]
        found = [
            (listed(client, html.unescape(link[1])), int(n[1])) for link, n in linked if link and n
        ]
        assert found == [(n, n) for n in (*few, 12, 12)]


def test_a_line_without_a_version_set_leads_nowhere(client: Client, hand: figures_by_hand.Hand):
    lines = re.findall(r'(?s)<tr><th scope="row" class="mono">(.*?)</tr>', page(client, "routing"))
    unknown = next(line for line in lines if line.startswith("unknown"))
    assert ">24</td>" in unknown
    assert "href" not in unknown


def test_the_share_that_was_rescued_leads_to_those_that_were(client: Client):
    for hour in range(4):
        running_by_hand.store(TODAY - timedelta(hours=hour))
    link = next(link for link in told(page(client, "passes")) if "rescued" in link.address)
    assert link.text == "33.3 %"  # of three turns with further passes a set
    assert listed(client, link.address) == 4


def test_the_slow_ones_are_slower_than_the_figure_whatever_their_route(client: Client):
    factories.turn()
    for n in range(40):
        running_by_hand.one("plain", TODAY - timedelta(minutes=n), ms=1_000.0)
    for n in range(2):
        running_by_hand.one("topic", TODAY - timedelta(minutes=n), ms=9_000.0)
    Turn.objects.filter(ms=9_000.0).update(route_taken="off_topic")
    figure = page(client, "").partition('id="figure-p95"')[2].partition("</section>")[0]
    (link,) = told(figure)
    assert link.text == "996 ms"  # 1 s, by its bucket
    assert listed(client, link.address) == 2
