"""Turns and labels go away as a file: the list's filters choose, the file streams, it is noted."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import AsyncClient, Client
from django.urls import reverse

from admin_tracing import labels
from admin_tracing.exporting import rows
from admin_tracing.models import Export, Sample, Settlement
from chat.models import VersionSet
from tests import factories, stored
from tests.factories import START
from tests.staff import EVERYBODY, person

pytestmark = pytest.mark.django_db(transaction=True)

ADDRESS = "/admin/rag-workflow/export/"


def taken(who: Any, **asked: str) -> Any:
    client = Client()
    client.force_login(who)
    return client.get(ADDRESS, asked)


def text(response: Any) -> str:
    assert response.status_code == 200, response.content
    return async_to_sync(_whole)(response).decode("utf-8-sig")


async def _whole(response: Any) -> bytes:
    return b"".join([part async for part in response.streaming_content])


def lines(who: Any, **asked: str) -> list[dict[str, Any]]:
    """The lines of a file, whichever shape it has."""
    body = text(taken(who, **asked))
    if asked.get("as") == "jsonl":
        return [json.loads(line) for line in body.splitlines()]
    return list(csv.DictReader(io.StringIO(body, newline="")))


@pytest.fixture
def engineer() -> Any:
    return person("engineer")


def test_the_sheet_has_the_six_things_and_an_empty_column(engineer: Any):
    turn = stored.finished_turn()
    (line,) = lines(engineer)
    assert line["turn"] == str(turn.pk)
    assert line["question"].startswith("I cancelled yesterday.")
    assert (line["route"], line["passes"], line["termination"]) == ("single_shot", "2", "answered")
    assert line["answer"].startswith("Refunds reach the card")
    assert [line[name] for name in ("right", "grounded", "needed", "note")] == [""] * 4


def test_the_sheet_tells_nobody_what_the_check_said(engineer: Any):
    stored.finished_turn(confidence="low", unsupported=3)
    body = text(taken(engineer))
    assert "low" not in body
    assert "unsupported" not in body


def test_lines_stand_in_the_order_of_the_list(engineer: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(rows, "BATCH", 2)
    made = stored.turns(5)
    assert [line["turn"] for line in lines(engineer)] == [str(turn.pk) for turn in made]


def test_the_filters_of_the_list_choose(engineer: Any):
    stored.turns(2)
    (other,) = stored.turns(1, termination="no_evidence", newest=START - timedelta(days=1))
    (line,) = lines(engineer, termination="no_evidence")
    assert line["turn"] == str(other.pk)


def test_a_filter_that_is_wrong_is_told(engineer: Any):
    response = taken(engineer, since="yesterday")
    assert response.status_code == 400
    assert b"since" in response.content


@pytest.mark.parametrize("asked", [{"form": "all"}, {"as": "xlsx"}])
def test_a_form_that_is_none_is_told(engineer: Any, asked: dict[str, str]):
    response = taken(engineer, **asked)
    assert response.status_code == 400
    assert b"spreadsheet, everything or labels" in response.content


def test_everything_has_the_decisions_and_the_labels(engineer: Any):
    versions = VersionSet.objects.create(digest="d", values={"model": "offline"})
    turn = stored.finished_turn(versions=versions)
    sam = factories.user("sam")
    labels.give_routing(turn, sam, "iterative", "Two things.")
    labels.give_groundedness(turn, sam, ("yes", "partly"))
    Settlement.objects.create(turn=turn, job="routing", needed="direct", user=engineer)
    Sample.objects.create(turn=turn, stratum="rest", rate=0.25)
    (line,) = lines(engineer, form="everything", **{"as": "jsonl"})
    assert len(line["decision"]["passes"]) == 2
    assert line["versions"] == {"model": "offline"}
    assert line["routing_labels"][0]["needed"] == "iterative"
    assert line["routing_labels"][0]["by"] == "sam"
    assert line["groundedness_labels"][0]["correct"] == "partly"
    assert line["settled"][0]["needed"] == "direct"
    assert (line["stratum"], line["rate"]) == ("rest", 0.25)
    assert line["sensitive"] is False


def test_everything_as_csv_has_the_same_columns(engineer: Any):
    stored.finished_turn()
    (line,) = lines(engineer, form="everything")
    assert json.loads(line["decision"])["finished"]["termination"] == "answered"
    assert line["cost_usd"]


def test_labels_have_a_line_each(engineer: Any):
    turn = stored.finished_turn()
    for name in ("sam", "kim"):
        labels.give_routing(turn, factories.user(name), "direct")
    labels.give_groundedness(turn, factories.user("lee"), ("no", "no"))
    found = lines(engineer, form="labels")
    assert [(line["by"], line["job"]) for line in found] == [
        ("sam", "routing"),
        ("kim", "routing"),
        ("lee", "groundedness"),
    ]


def test_a_cell_that_a_spreadsheet_would_run_is_quoted(engineer: Any):
    factories.turn(question="=HYPERLINK(1)", status="finished", termination="answered")
    (line,) = lines(engineer)
    assert line["question"] == "'=HYPERLINK(1)"


def test_what_was_erased_is_not_in_the_file(engineer: Any):
    factories.turn(question="", status="finished", termination="answered", erased_at=START)
    (line,) = lines(engineer)
    assert (line["question"], line["answer"]) == ("(erased)", "")


def test_a_turn_about_somebodys_health_goes_to_who_may_read_it():
    factories.turn(question="My knee", status="finished", is_sensitive=True)
    assert lines(person("engineer")) == []
    assert len(lines(person("reviewer"))) == 1


def test_lab_turns_go_when_they_are_asked_for(engineer: Any):
    factories.turn(question="Weather", status="finished", kind="lab")
    assert lines(engineer) == []
    assert len(lines(engineer, lab="on")) == 1


@pytest.mark.parametrize("name", EVERYBODY)
def test_who_may_take_turns_away(name: str):
    client, somebody = Client(), person(name)
    if somebody is not None:
        client.force_login(somebody)
    outside = 302 if name == "visitor" else 403 if name == "user" else 200
    assert client.get(ADDRESS).status_code == outside
    whole = 403 if name == "support" else outside
    assert client.get(ADDRESS, {"form": "everything"}).status_code == whole
    assert client.get(ADDRESS, {"form": "labels"}).status_code == whole


def test_it_is_written_down_who_took_what(engineer: Any):
    stored.turns(3)
    text(taken(engineer, termination="answered", q="Question"))
    noted = Export.objects.get()
    assert (noted.user, noted.form, noted.turns) == (engineer, "spreadsheet csv", 3)
    assert noted.filters == {"termination": "answered", "q": "(words)"}


def test_a_file_that_was_broken_off_is_written_down_without_a_count(engineer: Any):
    stored.turns(1)
    response = taken(engineer)
    response.close()
    assert Export.objects.get().turns is None


async def test_the_head_comes_before_any_turn_is_read(monkeypatch: pytest.MonkeyPatch):
    def never(*_given: Any, **_more: Any) -> Any:
        raise AssertionError("a turn was read before the head was sent")

    monkeypatch.setattr("admin_tracing.export_page.batch", never)
    client = AsyncClient()
    await client.aforce_login(await _engineer())
    response = await client.get(reverse("workflow:export"))
    stream: AsyncIterator[bytes] = response.streaming_content.__aiter__()
    assert (await anext(stream)).decode("utf-8-sig").startswith("turn,question,route,passes")


async def _engineer() -> Any:
    from chat.db import in_db

    return await in_db(person, "engineer")


def test_the_file_has_a_name_and_stays_nowhere(engineer: Any):
    response = taken(engineer, form="labels", **{"as": "jsonl"})
    assert "attachment; filename=" in response["Content-Disposition"]
    assert response["Content-Disposition"].endswith('.jsonl"')
    assert response["Cache-Control"] == "no-store"
    assert response["Content-Type"].startswith("application/x-ndjson")


@pytest.mark.parametrize(
    "asked",
    [
        {"confidence": "low"},
        {"termination": "answered_with_caveat"},
        {"shows": "unsupported"},
        {"control": "groundedness", "outcome": "acted"},
        {"needed": "iterative"},
        {"correct": "no"},
        {"disagrees": "people:routing"},
    ],
)
def test_who_may_not_see_a_verdict_cannot_choose_by_one(asked: dict[str, str]):
    stored.finished_turn(confidence="low")
    assert taken(person("support"), **asked).status_code == 403
    assert taken(person("reviewer"), **asked).status_code == 200


def test_who_labels_blind_is_not_told_that_there_was_a_caveat(engineer: Any):
    stored.finished_turn(termination="answered_with_caveat")
    (blind,) = lines(person("support"), route="single_shot")
    assert blind["termination"] == "answered"
    (seen,) = lines(engineer)
    assert seen["termination"] == "answered_with_caveat"
    (fills_it_in,) = lines(person("reviewer"))  # and labels as well, so the sheet is as blind
    assert fills_it_in["termination"] == "answered"
    (whole,) = lines(person("superuser"), form="everything")
    assert whole["termination"] == "answered_with_caveat"


def test_whose_turns_were_taken_is_not_written_down(engineer: Any):
    text(taken(engineer, person="user 7"))
    assert Export.objects.get().filters == {"person": "(a person)"}
