"""The lab's pages: who may, what the table shows while it fills, its files."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from chat import erasure, lab_runs
from chat.identity import Person
from chat.lab_table import Variant
from chat.models import LabQuestion, LabRun, Turn
from chat.sample.loader import golden_five
from tests import stored
from tests.lab_pages import (
    NO,
    YES,
    golden_run,
    lab_turn,
    labelled,
    of,
    outcome,
    page,
    question,
    rows,
    words,
)
from tests.staff import EVERYBODY

pytestmark = pytest.mark.django_db

LOGIN, CALM, FINE, GONE_ON = 302, 403, 200, 302
MAY = ("engineer", "superuser")
WHOLE = {
    "questions": "golden",
    "bounds": ["0", "1", "2", "3"],
    "order": "both",
    "topic_check": "both",
    "retrieval": "lexical",
    "cost_limit": "2.50",
}


@pytest.fixture
def client() -> Client:
    return of("engineer")


# ---- who may


@pytest.mark.parametrize("who", EVERYBODY)
def test_engineers_alone_use_the_lab(who: str):
    run, own, turn = golden_run(), question(), labelled()
    client = of(who)
    reads = {
        reverse("workflow:lab"): FINE,
        reverse("workflow:lab_run", args=(run.pk,)): FINE,
        reverse("workflow:lab_file", args=(run.pk, "csv")): FINE,
        reverse("workflow:lab_estimate"): FINE,
    }
    writes = {
        reverse("workflow:lab_start"): GONE_ON,
        reverse("workflow:lab_stop", args=(run.pk,)): GONE_ON,
        reverse("workflow:lab_add", args=(turn.pk,)): GONE_ON,
        reverse("workflow:lab_remove", args=(own.pk,)): GONE_ON,
        reverse("workflow:lab_restore", args=(own.pk,)): GONE_ON,
    }
    for address, fine in reads.items():
        assert client.get(address).status_code == _expected(who, fine), address
        assert client.post(address).status_code == 405
    for address, fine in writes.items():
        assert client.get(address).status_code == 405
        answer = client.post(address, WHOLE)
        assert answer.status_code == _expected(who, fine), address
        if who == "visitor":
            assert answer.headers["Location"].startswith(reverse("admin:login"))
    may = who in MAY
    assert LabRun.objects.count() == 1 + may
    assert LabQuestion.objects.filter(is_active=True).count() == 1 + may


def _expected(who: str, fine: int) -> int:
    if who == "visitor":
        return LOGIN
    return fine if who in MAY else CALM


def test_a_turn_about_somebodys_health_is_not_taken_by_who_may_not_read_it(client: Client):
    turn = stored.finished_turn(is_sensitive=True)
    assert client.post(reverse("workflow:lab_add", args=(turn.pk,))).status_code == 403
    kept = of("superuser").post(reverse("workflow:lab_add", args=(turn.pk,)), follow=True)
    assert "health" in kept.content.decode()
    assert not LabQuestion.objects.exists()


# ---- asking for a run


def test_an_empty_lab_says_what_it_is_for_and_offers_the_whole_table(client: Client):
    shown = page(client)
    assert "Nothing has been run yet." in shown
    assert "stand-ins" in shown
    assert len(re.findall(r'name="bounds"[^>]*checked', shown)) == 4
    assert "The set is empty." in shown
    assert "not in the index" in shown


def test_the_missing_handbook_is_not_named_where_it_is_there(client: Client):
    for slug in ("cancelling", "refunds", "sla"):
        keys = [c for g in golden_five() for c in g.answer_chunks if c.startswith(f"{slug}#")]
        first = stored.chunk(keys[0])
        for key in keys[1:]:
            first.pk, first.key, first.ordinal = None, key, first.ordinal + 1
            first.save(force_insert=True)
    assert "not in the index" not in page(client)


def test_run_makes_a_run_of_every_combination_and_shows_it(client: Client):
    answer = client.post(reverse("workflow:lab_start"), WHOLE)
    run = LabRun.objects.get()
    assert answer.headers["Location"] == reverse("workflow:lab_run", args=(run.pk,))
    assert (run.total, run.status, run.asked_by.username) == (80, "waiting", "engineer")
    assert run.cost_limit == Decimal("2.50")
    settings = [(v["order"], v["topic_check"], v["bound"]) for v in run.variants]
    assert len(set(settings)) == 16
    assert settings[:5] == [*(("evidence", True, b) for b in range(4)), ("budget", True, 0)]


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"bounds": []}, "Choose at least one bound."),
        ({"bounds": ["5"]}, "three rewrites written by hand"),
        ({"bounds": [str(b) for b in range(7)], "retrieval": "hybrid"}, "these are 28"),
        ({"questions": "own"}, "The own set is empty."),
        ({"questions": "all"}, "Choose the golden five or the own set."),
        ({"order": "random"}, "Select a valid choice"),
        ({"cost_limit": ""}, "Say what it may cost."),
        ({"cost_limit": "0"}, "greater than or equal to 0.000001"),
        ({"cost_limit": "5000"}, "less than or equal to 1000"),
    ],
)
def test_what_cannot_be_run_is_refused_in_words(client: Client, changed: dict[str, Any], told: str):
    answer = client.post(reverse("workflow:lab_start"), WHOLE | changed)
    assert answer.status_code == 422
    assert told in html.unescape(answer.content.decode())
    assert not LabRun.objects.exists()


def test_the_form_begins_with_what_the_shown_run_had(client: Client):
    run = lab_runs.start(None, "golden", [Variant(1, "budget", False, "hybrid")])
    shown = page(client, run)
    assert re.findall(r'name="bounds" value="(\d)"[^>]*checked', shown) == ["1"]
    assert re.findall(r'<option value="(\w+)" selected', shown) == ["budget", "off", "hybrid"]


# ---- what it costs


def test_the_form_says_beforehand_what_a_run_would_cost(client: Client):
    assert "80 turns. No cost with the offline model." in words(page(client))
    asked = {**WHOLE, "bounds": ["2"], "order": "budget", "topic_check": "on"}
    told = client.get(reverse("workflow:lab_estimate"), asked)
    assert told.content.decode() == "5 questions, one turn each. No cost with the offline model."


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"bounds": []}, "Choose at least one bound."),
        ({"questions": "own"}, "The own set is empty."),
        ({"bounds": [str(b) for b in range(7)], "retrieval": "hybrid"}, "these are 28"),
        ({"cost_limit": "x"}, "Enter a number."),
    ],
)
def test_where_there_is_nothing_to_run_the_reason_stands_in_its_place(
    client: Client, changed: dict[str, Any], told: str
):
    answer = client.get(reverse("workflow:lab_estimate"), WHOLE | changed)
    assert answer.status_code == 200
    assert told in html.unescape(answer.content.decode())


def test_a_run_says_what_it_has_cost_and_what_it_may(client: Client):
    run = golden_run(2)
    lab_turn(run, "0.1", termination="user_stop")  # came to nothing and was paid all the same
    LabRun.objects.filter(pk=run.pk).update(cost_limit=Decimal("0.5"))
    run.refresh_from_db()
    shown = page(client, run)
    assert "10 ¢ of at most 50 ¢" in words(shown)
    assert 'name="cost_limit" value="0.5"' in shown
    assert rows(shown)[0].endswith("0.20 ¢ as expected")
    told = json.loads(client.get(reverse("workflow:lab_file", args=(run.pk, "json"))).content)
    assert (told["cost"], told["cost_limit"]) == (0.104, 0.5)


def test_a_run_that_reached_its_limit_says_so_beside_what_it_found(client: Client):
    run = golden_run(2, of_last=1)
    why = "It reached its limit of $1.00."
    LabRun.objects.filter(pk=run.pk).update(status="stopped", problem=why)
    shown = words(page(client, run))
    assert f"stopped after 6 of 10 {why}" in shown


# ---- the table


def test_every_row_stands_there_before_anything_has_run(client: Client):
    client.post(reverse("workflow:lab_start"), WHOLE)
    shown = page(client)
    assert len(rows(shown)) == 16
    assert rows(shown)[0] == "0 – – – – – – – –"
    assert "data-open" in shown
    assert "The knee shows once every bound has run." in shown
    assert shown.count('id="cell-0-') == 20


def test_the_whole_table_is_as_expected_and_its_knee_is_marked_with_a_word(client: Client):
    shown = page(client, golden_run())
    assert rows(shown) == [
        "0 1 3 1 4 14 24 ms 0.20 ¢ as expected",
        "1 2 2 1 7 24 27 ms 0.20 ¢ as expected",
        "2 knee 3 1 1 9 31 30 ms 0.20 ¢ as expected",
        "3 3 1 1 10 34 32 ms 0.20 ¢ as expected",
    ]
    assert "Knee at 2: a bound of 3 answers nothing more and takes 3 more model calls." in shown
    assert "data-open" not in shown


def test_what_is_not_as_fixed_is_named(client: Client):
    run = golden_run(1)
    Turn.objects.filter(pk=run.outcomes.first().turn_id).update(model_calls=5)
    (row,) = rows(page(client, run))
    assert row.endswith("differs: model calls 15, not 14")
    assert "One bound alone shows no knee." in page(client, run)


def test_a_running_run_is_fetched_as_its_part_with_what_has_come(client: Client):
    run = golden_run(2, status="running", of_last=2)
    part = page(client, run, **{"HX-Request": "true"})
    assert "<html" not in part
    assert "7 of 10" in words(part)
    assert rows(part)[1] == "1 2 0 0 3 11 27 ms 0.08 ¢ –"
    assert 'class=" part"' in part
    assert "Stop" in part


def test_each_question_says_how_it_ended_at_each_bound_and_leads_to_its_turn(client: Client):
    run = golden_run(3)
    shown = page(client, run)
    cell = re.search(r'id="cell-0-2-outage".*?</td>', shown, re.DOTALL)
    assert cell is not None
    assert words(cell.group().partition(">")[2]) == "answered 10 calls"
    turn = run.outcomes.get(variant=2, question="outage").turn_id
    assert reverse("workflow:replay", args=(turn,)) in cell.group()
    assert "How long does a refund take?" in shown


def test_a_stopped_run_says_how_far_it_came_and_names_no_knee(client: Client):
    run = golden_run(2, status="running", of_last=1)
    client.post(reverse("workflow:lab_stop", args=(run.pk,)))
    shown = page(client, run)
    assert "stopped after 6 of 10" in words(shown)
    assert "No knee: the run ended before every bound had run." in shown
    assert "data-open" not in shown


def test_an_earlier_run_stays_in_the_list_with_its_date(client: Client):
    first, second = golden_run(1), golden_run(2)
    shown = page(client, first)
    for run in (first, second):
        assert reverse("workflow:lab_run", args=(run.pk,)) in shown
        assert f"{run.created_at:%H:%M:%S}" in shown
    assert 'aria-current="true"' in shown
    assert "Golden five, lexical retrieval" in words(shown)
    assert client.get(reverse("workflow:lab_run", args=(10_000,))).status_code == 404


def test_the_owners_set_has_a_column_for_what_ended_right(client: Client):
    own = question()
    run = lab_runs.start(None, "own", [Variant(b, retrieval="hybrid") for b in (0, 1)])
    outcome(run, 0, str(own.pk), NO, 3, right=False, wanted=2)
    outcome(run, 1, str(own.pk), YES, 7, right=True, accepted=1, wanted=2)
    run.status = "done"
    run.save()
    shown = page(client, run)
    assert [row[:12] for row in rows(shown)] == ["0 0 of 1 0 1", "1 1 of 1 1 0"]
    assert "No knee up to 1: that bound still gets more right than the ones before it." in shown
    assert "no results wrong, 3 calls 0 of 2 passages" in words(shown)
    assert "answered 7 calls 1 of 2 passages" in words(shown)
    assert ">Expected<" not in shown
    assert "should be answered" in words(shown)


def test_a_question_that_was_erased_keeps_its_row_without_its_words(client: Client):
    own = question()
    run = lab_runs.start(None, "own", [Variant(0, retrieval="hybrid")])
    erasure.erase(Person(visitor=own.source.conversation.visitor))
    shown = page(client, run)
    assert "(erased)" in shown
    assert own.question not in shown


def test_a_large_run_shows_its_questions_once_it_is_over(
    client: Client, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("admin_tracing.lab_view.SHOWN_LIVE", 4)
    run = golden_run(1, status="running")
    assert "once the run is over" in page(client, run)
    assert 'id="cell-' not in page(client, run)
    run.status = "done"
    run.save()
    assert page(client, run).count('id="cell-') == 5


def test_the_page_takes_as_many_queries_for_a_long_run_as_for_a_short_one(
    client: Client, django_assert_max_num_queries: Any
):
    run = golden_run()
    with django_assert_max_num_queries(14):
        page(client, run)
    with django_assert_max_num_queries(7):
        page(client, run, **{"HX-Request": "true"})


# ---- files


def test_the_table_as_csv_has_a_line_a_row(client: Client):
    answer = client.get(reverse("workflow:lab_file", args=(golden_run().pk, "csv")))
    lines = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert "attachment" in answer.headers["Content-Disposition"]
    fields = ("bound", "answered", "no_results", "off_topic", "retrievals", "calls", "knee")
    assert [tuple(line[field] for field in fields) for line in lines] == [
        ("0", "1", "3", "1", "4", "14", "False"),
        ("1", "2", "2", "1", "7", "24", "False"),
        ("2", "3", "1", "1", "9", "31", "True"),
        ("3", "3", "1", "1", "10", "34", "False"),
    ]


def test_the_run_as_json_has_rows_knees_and_outcomes(client: Client):
    answer = client.get(reverse("workflow:lab_file", args=(golden_run().pk, "json")))
    told = json.loads(answer.content)
    assert told["questions"] == "golden"
    assert [row["calls"] for row in told["rows"]] == [14, 24, 31, 34]
    (knee,) = told["knees"]
    assert knee["knee"] == {"bound": 2, "following": 3, "calls": 3}
    assert len(told["outcomes"]) == 20
    assert {"bound", "question", "termination", "calls", "turn"} <= set(told["outcomes"][0])


def test_there_is_no_other_file(client: Client):
    assert (
        client.get(reverse("workflow:lab_file", args=(golden_run().pk, "xml"))).status_code == 404
    )
