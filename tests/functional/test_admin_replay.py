"""The replay page and what it fetches: the outline first, the rest by range."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from admin_tracing.queries import LATEST, RANGE
from admin_tracing.topology import topology
from chat.contracts.events import StateDiff
from tests import factories, stored
from tests.lab_pages import labelled
from tests.staff import person
from tests.traces import ANSWER, QUESTION, Trace, long_turn, refund_with_one_rewrite

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def client() -> Client:
    client = Client()
    client.force_login(person("engineer"))
    return client


def fetched(client: Client, name: str, turn: Any, **query: Any) -> Any:
    response = client.get(reverse(f"workflow:{name}", args=(turn.pk,)), query)
    assert response.status_code == 200, response.content
    assert response.headers["Cache-Control"] == "no-store"
    return response.json()


def test_the_graph_is_the_compiled_graph(client: Client):
    turn = stored.finished_turn()
    html = client.get(reverse("workflow:replay", args=(turn.pk,))).content.decode()
    nodes = re.findall(r'data-node="(\w+)"', html)
    edges = set(re.findall(r'class="wire[^"]*" data-from="(\w+)" data-to="(\w+)"', html))
    assert sorted(nodes) == sorted(topology().nodes)
    assert edges == {(edge.source, edge.target) for edge in topology().edges}


def test_the_page_tells_question_and_figures_before_anything_is_fetched(client: Client):
    turn = stored.finished_turn()
    html = client.get(reverse("workflow:replay", args=(turn.pk,))).content.decode()
    for words in (QUESTION, "single shot 0.71", "taken single shot", "2 passes", "9 calls"):
        assert words in html


def test_a_labelled_turn_is_one_click_away_from_the_labs_set(client: Client):
    turn, bare = labelled(), stored.finished_turn()
    button, address = "Add to the lab’s set", reverse("workflow:lab_add", args=(turn.pk,))
    html = client.get(reverse("workflow:replay", args=(turn.pk,))).content.decode()
    assert button in html
    assert f'hx-post="{address}"' in html
    assert (
        "in the lab’s set" in client.post(address, headers={"HX-Request": "true"}).content.decode()
    )
    html = client.get(reverse("workflow:replay", args=(bare.pk,))).content.decode()
    assert button not in html


def test_the_page_of_five_thousand_events_is_as_small_as_any(client: Client):
    turn = stored.running_turn(long_turn(5_000))
    response = client.get(reverse("workflow:replay", args=(turn.pk,)))
    assert len(response.content) < 40_000


def test_the_outline_leaves_all_text_out(client: Client):
    turn = stored.finished_turn()
    rows = fetched(client, "outline", turn)
    assert rows["finished"] is True
    assert [number for number, _, _ in rows["passes"]] == [1, 2]
    assert ANSWER not in str(rows)


def test_the_outline_says_what_was_spent_against_the_limits_that_are_set(client: Client):
    turn = stored.finished_turn()
    rows = fetched(client, "outline", turn)
    site = settings.PLUMBLINE
    assert rows["limits"]["told"] is False
    assert (rows["limits"]["passes"], rows["limits"]["tokens"]) == (
        site.max_passes,
        site.token_budget,
    )
    seq, passes, rewrites, tokens, cost, tools = rows["spent"][-1]
    assert (passes, rewrites, tokens, cost, tools) == (2, 1, 9 * 192, 0.0027, 0)
    assert seq < rows["steps"][-1][1]
    assert rows["ended"] is None


def test_a_turn_that_told_its_limits_is_held_against_them(client: Client):
    trace = Trace()
    trace.tell(StateDiff(node="screen_input", changed={"budget": {"passes": 3, "cost": 0.5}}))
    limits = fetched(client, "outline", stored.running_turn(trace.events))["limits"]
    assert (limits["told"], limits["passes"], limits["cost"]) == (True, 3, 0.5)


def test_the_outline_says_how_the_question_was_read_and_which_way_it_went(client: Client):
    rows = fetched(client, "outline", stored.finished_turn())
    assert rows["read"][0][1]["items"] == [QUESTION]
    assert rows["route"][0][1]["line"] == "decided single shot 0.71 → taken single shot"
    assert rows["covered"][-1][1] == {QUESTION: True}


def test_details_come_for_a_range(client: Client):
    turn = stored.finished_turn()
    entries = fetched(client, "details", turn, **{"from": 22, "to": 25})["entries"]
    assert [entry["type"] for entry in entries] == ["stage", "state_diff", "retrieval", "stage"]
    changes = {change["field"]: change["kind"] for change in entries[1]["changes"]}
    assert changes == {"passes": "changed", "hits": "added", "tried": "added"}


def test_a_long_answer_goes_on_where_it_was_cut(client: Client):
    turn = stored.running_turn(long_turn(2_000))
    first = fetched(client, "details", turn)
    rest = fetched(client, "details", turn, **{"from": first["next"]})
    numbers = [e["first"] for e in first["entries"]] + [e["first"] for e in rest["entries"]]
    assert numbers == list(range(1, numbers[-1] + 1))
    others = [e for e in first["entries"] if e["type"] != "token"]
    assert len(others) == RANGE


def test_a_run_of_tokens_is_never_cut_in_two(client: Client):
    from chat.contracts.events import Token

    trace = Trace()
    trace.tell(*(Token(offset=at, text="x") for at in range(RANGE * 2)))
    turn = stored.running_turn(trace.events)
    (entry,) = fetched(client, "details", turn)["entries"]
    assert entry["wire"]["data"]["text"] == "x" * RANGE * 2


def test_a_cut_value_comes_whole_when_all_of_it_is_asked_for(client: Client):
    trace = Trace()
    trace.tell(StateDiff(node="retrieve", changed={"draft": "word " * 400}))
    turn = stored.running_turn(trace.events)
    (short,) = fetched(client, "details", turn)["entries"][0]["changes"]
    (whole,) = fetched(client, "details", turn, full=1)["entries"][0]["changes"]
    assert (short["after"]["cut"], short["after"]["length"]) == (True, 2_000)
    assert whole["after"]["text"] == "word " * 400


def test_the_latest_of_a_type_are_the_last_ones_up_to_a_step(client: Client):
    turn = stored.running_turn(long_turn(1_000))
    entries = fetched(client, "latest", turn, type="model_call", to=801)["entries"]
    assert len(entries) == LATEST
    assert entries[-1]["first"] == 801
    assert {entry["type"] for entry in entries} == {"model_call"}


def test_the_state_at_a_step_holds_what_was_known_then(client: Client):
    turn = stored.finished_turn()
    early = {f["field"] for f in fetched(client, "state", turn, seq=10)["fields"]}
    late = {f["field"] for f in fetched(client, "state", turn)["fields"]}
    assert "standalone" in early
    assert "draft" not in early
    assert {"draft", "termination"} <= late
    assert "route" not in late


def test_the_draft_comes_as_it_came(client: Client):
    turn = stored.finished_turn()
    rows = fetched(client, "tokens", turn)["tokens"]
    assert "".join(row[3] for row in rows).strip() == ANSWER
    assert [row[1] for row in rows] == sorted(row[1] for row in rows)
    assert fetched(client, "tokens", turn, after=rows[-2][0])["tokens"] == rows[-1:]


def test_a_passage_is_shown_as_it_stood_when_the_turn_ran(client: Client):
    old = stored.chunk(text="Within 10 days.", number=1)
    turn = stored.finished_turn(refund_with_one_rewrite(start=old.version.ingested_at))
    stored.chunk(text="Within 3 days.", number=2)
    found = fetched(client, "passage", turn, chunk=old.key)
    assert (found["text"], found["version"], found["is_current"]) == ("Within 10 days.", 1, False)


def test_what_is_not_there_is_not_found(client: Client):
    turn = stored.finished_turn()
    missing = "00000000-0000-4000-8000-00000000dead"
    for name in ("replay", "figures", "outline", "details", "latest", "state", "tokens"):
        address = reverse(f"workflow:{name}", args=(missing,))
        assert client.get(address).status_code == 404, name
    passage = reverse("workflow:passage", args=(turn.pk,))
    assert client.get(passage, {"chunk": "nothing"}).status_code == 404
    details = reverse("workflow:details", args=(turn.pk,))
    for number in ("x", "-1", "9" * 30):
        assert client.get(details, {"from": number}).status_code == 404


def test_a_turn_without_an_event_has_an_empty_outline(client: Client):
    rows = fetched(client, "outline", factories.turn())
    assert (rows["steps"], rows["finished"]) == ([], False)
