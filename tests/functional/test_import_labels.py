"""A filled-in sheet comes back as labels; the page says what became of each line."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from admin_tracing import labels, queueing
from admin_tracing.import_page import LARGEST
from admin_tracing.models import GroundednessLabel, QueueItem, RoutingLabel, Settlement
from admin_tracing.taxonomy import Category
from tests import factories, stored
from tests.labelling import queued, say
from tests.staff import EVERYBODY, person

pytestmark = pytest.mark.django_db

ADDRESS = "/admin/rag-workflow/import/"


@pytest.fixture
def sam() -> Any:
    return person("support")


@pytest.fixture
def client(sam: Any) -> Client:
    client = Client()
    client.force_login(sam)
    return client


def brought(client: Client, data: str, name: str = "turns.csv") -> Any:
    return client.post(ADDRESS, {"file": SimpleUploadedFile(name, data.encode())})


def test_the_page_says_what_to_do(client: Client):
    page = client.get(ADDRESS).content.decode()
    assert "write yes or no into the column" in page


def test_a_yes_becomes_the_label_of_whoever_brought_it(client: Client, sam: Any):
    turn = stored.turns(1, citations=1)[0]
    page = brought(client, f"turn,right,note\n{turn.pk},yes,Fine.\n").content.decode()
    label = GroundednessLabel.objects.get()
    assert (label.user, label.correct, label.grounded) == (sam, "yes", "")
    assert label.note == "Fine."
    assert '<th scope="row">New labels</th><td class="number">1</td>' in page


def test_what_a_file_leaves_open_is_no_doubt_of_anybody(client: Client, sam: Any):
    """The turn waits for the rest of its labels, and for no reviewer."""
    turn = stored.turns(1, citations=1)[0]
    brought(client, f"turn,right,needed\n{turn.pk},yes,direct\n")
    assert QueueItem.objects.get().status == "open"
    assert not queueing.disagreements(sensitive=True)
    stands = queueing.standing(turn)
    assert (stands.correct.value, stands.grounded.how) == ("yes", "unlabelled")
    (row,) = queueing.standing_labels()
    assert (row["correct"], row["grounded"], row["how_grounded"]) == ("yes", "", "unlabelled")
    assert queueing.take(sam, sensitive=False) is not None


def test_both_jobs_may_stand_in_one_line(client: Client):
    turn = stored.turns(1, citations=1)[0]
    brought(client, f"turn,right,grounded,needed\n{turn.pk},no,partly,iterative\n")
    assert RoutingLabel.objects.get().needed == "iterative"
    assert GroundednessLabel.objects.get().grounded == "partly"


def test_what_a_line_leaves_open_stays_as_the_person_said_before(client: Client, sam: Any):
    turn = stored.turns(1, citations=1)[0]
    labels.give_groundedness(turn, sam, ("yes", "yes"), parts=({"c1": True}, {}), note="Kept.")
    page = brought(client, f"turn,right\n{turn.pk},no\n").content.decode()
    label = GroundednessLabel.objects.get()
    assert (label.grounded, label.correct, label.note) == ("yes", "no", "Kept.")
    assert label.claims == {"c1": True}
    assert '<th scope="row">Changed</th><td class="number">1</td>' in page


def test_bringing_a_file_again_changes_nothing(client: Client):
    turn = stored.turns(1, citations=1)[0]
    brought(client, f"turn,right\n{turn.pk},yes\n")
    page = brought(client, f"turn,right\n{turn.pk},yes\n").content.decode()
    assert GroundednessLabel.objects.count() == 1
    assert '<th scope="row">The same as before</th><td class="number">1</td>' in page


def test_a_line_that_cannot_be_taken_is_told_and_harms_no_other(client: Client):
    good = stored.turns(1, citations=1)[0]
    lab = factories.turn(question="?", status="finished", kind="lab")
    running = factories.turn(question="Now")
    erased = factories.turn(question="", status="finished", erased_at=good.started_at)
    secret = factories.turn(question="My knee", status="finished", is_sensitive=True)
    rows = [lab.pk, running.pk, erased.pk, secret.pk, "00000000-0000-4000-8000-00000000dead"]
    file = "turn,right\n" + "".join(f"{pk},yes\n" for pk in [*rows, good.pk])
    page = brought(client, file).content.decode()
    assert [label.turn for label in GroundednessLabel.objects.all()] == [good]
    for said in (
        "lab turns and re-runs are not labelled",
        "A turn is labelled once it has ended.",
        "what was said in this turn is erased",
        "there is no such turn",
    ):
        assert said in page
    assert page.count("there is no such turn") == 2


def test_a_note_is_screened_before_it_is_kept(client: Client):
    turn = stored.turns(1, citations=1)[0]
    brought(client, f"turn,right,note\n{turn.pk},yes,Write to ann@example.org\n")
    assert "ann@example.org" not in GroundednessLabel.objects.get().note


def test_a_file_that_is_none_is_told_in_the_form(client: Client):
    response = brought(client, "question,right\na,yes\n")
    assert response.status_code == 422
    assert "no column named turn" in response.content.decode()


def test_a_file_that_is_too_large_is_told_in_the_form(client: Client):
    response = brought(client, "x" * (LARGEST + 1))
    assert response.status_code == 422
    assert "larger than 5 MB" in response.content.decode()


def test_no_file_is_told_in_the_form(client: Client):
    assert client.post(ADDRESS).status_code == 422


def test_json_lines_are_taken_as_well(client: Client):
    turn = stored.turns(1, citations=1)[0]
    brought(client, f'{{"turn": "{turn.pk}", "needed": "direct"}}\n', "turns.jsonl")
    assert RoutingLabel.objects.get().needed == "direct"


@pytest.mark.parametrize("name", EVERYBODY)
def test_only_who_labels_brings_labels(name: str):
    client, somebody = Client(), person(name)
    if somebody is not None:
        client.force_login(somebody)
    allowed = ("support", "reviewer", "superuser")
    expected = 302 if name == "visitor" else 200 if name in allowed else 403
    assert client.get(ADDRESS).status_code == expected


def test_a_head_that_no_reader_takes_is_told_in_the_form(client: Client):
    response = brought(client, f"turn,{'x' * 200_000}\n")
    assert response.status_code == 422
    assert "The file is no CSV" in response.content.decode()


def test_ones_own_conversation_and_what_is_settled_are_not_labelled_by_a_file(
    client: Client, sam: Any
):
    own = factories.turn(factories.conversation(sam), status="finished", termination="answered")
    settled = stored.turns(1, citations=1)[0]
    Settlement.objects.create(turn=settled, job="routing", needed="direct", user=sam)
    page = brought(client, f"turn,right\n{own.pk},yes\n{settled.pk},yes\n").content.decode()
    assert "This is your own conversation" in page and "A reviewer has settled this turn" in page
    assert not GroundednessLabel.objects.exists()


def test_a_file_takes_no_incident_out_of_a_label(client: Client, sam: Any):
    turn = stored.turns(1, citations=1)[0]
    trouble = labels.Trouble(next(iter(Category)))
    labels.give_groundedness(turn, sam, ("no", "no"), trouble=trouble)
    brought(client, f"turn,right\n{turn.pk},partly\n")
    label = GroundednessLabel.objects.get()
    assert (label.correct, label.incident_category) == ("partly", trouble.category)


def test_what_a_file_changes_after_the_verdict_was_seen_is_kept_as_that(client: Client, sam: Any):
    (turn,) = queued()
    say(sam, turn)
    assert queueing.see(sam, turn.pk)
    brought(client, f"turn,right\n{turn.pk},no\n")
    assert [review.item_id for review in queueing.not_blind()] == [turn.pk]


def test_a_yes_is_not_taken_of_a_turn_that_no_source_was_to_hold(client: Client):
    turn = stored.turns(1, termination="off_topic", route_taken="off_topic", citations=0)[0]
    page = brought(client, f"turn,right\n{turn.pk},yes\n").content.decode()
    assert "only needed can be filled in" in page
    assert not GroundednessLabel.objects.exists()
    brought(client, f"turn,needed\n{turn.pk},off topic\n")
    assert RoutingLabel.objects.get().needed == "off_topic"
