"""What a model call was given and what came back, as the replay fetches it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from admin_tracing.calls import RULES, STAND_IN, UNKNOWN, matched
from chat import removal
from chat.agent.prompts.versions import SHIPPED
from chat.contracts.events import ModelCall
from chat.models import Tape, Turn, TurnEvent
from tests import pausing, stored
from tests.doubles.models import ANSWERS, Fails, ScriptedModel
from tests.factories import QUESTION, ports
from tests.staff import EVERYBODY, person
from tests.traces import refund_with_one_rewrite

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def client() -> Client:
    client = Client()
    client.force_login(person("engineer"))
    return client


def turn_of(**scripts: Any) -> Turn:
    """A turn that really ran, so that it has its events and its tape."""
    grades = {"refunds#timing": ANSWERS}
    model = ScriptedModel(**({"grades": grades} | scripts))

    async def run() -> Turn:
        runner = pausing.made(ports(model))
        turn = await pausing.rested(await pausing.begun(runner, QUESTION))
        await runner.close()
        return turn

    return asyncio.run(run())


def fetched(client: Client, turn: Turn, **query: Any) -> Any:
    response = client.get(reverse("workflow:calls", args=(turn.pk,)), query)
    assert response.status_code == 200, response.content
    assert response.headers["Cache-Control"] == "no-store"
    return response.json()


def seqs_of(turn: Turn, purpose: str) -> list[int]:
    rows = TurnEvent.objects.filter(turn=turn, type=ModelCall.TYPE, data__purpose=purpose)
    return list(rows.order_by("seq").values_list("seq", flat=True))


def test_every_call_of_the_turn_has_what_it_was_given_and_what_came_back(client: Client) -> None:
    turn = turn_of()
    found = fetched(client, turn)
    assert found["why"] == ""
    events = TurnEvent.objects.filter(turn=turn, type=ModelCall.TYPE).order_by("seq")
    assert [call["seq"] for call in found["calls"]] == list(events.values_list("seq", flat=True))
    answer = next(call for call in found["calls"] if call["seq"] in seqs_of(turn, "answer"))
    assert answer["given"]["task"]["question"] == QUESTION
    assert answer["came"]["text"] == "It says so in the handbook [1]."


def test_of_calls_of_one_purpose_each_event_has_its_own(client: Client) -> None:
    turn = turn_of()
    shown = {call["seq"]: call for call in fetched(client, turn)["calls"]}
    graded = [shown[seq] for seq in seqs_of(turn, "grade")]
    said = {call["given"]["passage"]["chunk"]: call["came"]["label"] for call in graded}
    assert said["refunds#timing"] == "ANSWERS"
    assert set(said.values()) == {"ANSWERS", "IRRELEVANT"}


def test_a_range_brings_its_own_calls_alone(client: Client) -> None:
    turn = turn_of()
    (answer,) = seqs_of(turn, "answer")
    found = fetched(client, turn, **{"from": answer, "to": answer})
    assert [call["seq"] for call in found["calls"]] == [answer]


def test_a_call_that_failed_says_so_and_shows_what_was_written(client: Client) -> None:
    turn = turn_of(answers=(Fails("cut_stream", after="It takes "),))
    last = fetched(client, turn)["calls"][-1]
    assert last["fault"] == "The model gave no usable answer."
    assert last["wrote"] == "It takes "
    assert "came" not in last


def test_a_run_that_was_given_up_has_events_without_a_call() -> None:
    call: dict[str, Any] = {"purpose": "grade", "ms": 1.5}
    others: list[dict[str, Any]] = [{"purpose": "grade", "ms": 0.5}, {"purpose": "topic"}]
    events = [(3, others[0]), (9, call), (12, others[1])]
    assert [seq for seq, _ in matched(events, [{"call": call}])] == [9]


# ---- the prompt


def tape_with(turn: Turn, version: str, model: str) -> None:
    """The first call of a tape as another model would have left it, and its event."""
    tape = Tape.objects.get(turn=turn)
    changed = {"prompt_version": version, "model": model}
    tape.calls[0]["call"] |= changed
    tape.save()
    event = TurnEvent.objects.filter(turn=turn, type=ModelCall.TYPE).earliest("seq")
    TurnEvent.objects.filter(pk=event.pk).update(data=event.data | changed)


@pytest.mark.parametrize(
    ("version", "model", "shown"),
    [
        (SHIPPED["topic"].name, "some model", {"text": SHIPPED["topic"].system}),
        ("rules-5", "offline-1", {"why": RULES}),
        ("", "golden", {"why": STAND_IN}),
        ("topic-0", "some model", {"why": UNKNOWN}),
    ],
)
def test_the_words_of_the_prompt_come_along_or_the_reason_why_there_are_none(
    client: Client, version: str, model: str, shown: dict[str, str]
) -> None:
    turn = turn_of()
    tape_with(turn, version, model)
    found = fetched(client, turn)
    assert found["calls"][0]["prompt"] == version
    assert found["prompts"][version] == shown


# ---- turns without a tape


def test_a_turn_that_is_older_says_that_nothing_is_kept(client: Client) -> None:
    turn = stored.finished_turn(finished_at=timezone.now())
    found = fetched(client, turn)
    assert found["calls"] == []
    assert "older" in found["why"]


def test_a_turn_that_was_erased_says_so(client: Client) -> None:
    turn = turn_of()
    removal.content_of_turns([turn.pk], timezone.now())
    assert "erased" in fetched(client, turn)["why"]


def test_a_turn_that_still_runs_says_when(client: Client) -> None:
    turn = stored.running_turn(refund_with_one_rewrite())
    assert "once the turn has ended" in fetched(client, turn)["why"]


def test_a_turn_about_somebodys_health_is_for_fewer_and_has_none(client: Client) -> None:
    turn = turn_of()
    Turn.objects.filter(pk=turn.pk).update(is_sensitive=True)
    assert client.get(reverse("workflow:calls", args=(turn.pk,))).status_code == 403
    boss = Client()
    boss.force_login(person("superuser"))
    Tape.objects.all().delete()
    assert "health" in fetched(boss, turn)["why"]


# ---- who may


@pytest.mark.parametrize("name", EVERYBODY)
def test_it_is_read_by_who_may_replay(name: str) -> None:
    turn = stored.finished_turn()
    client, somebody = Client(), person(name)
    if somebody is not None:
        client.force_login(somebody)
    status = client.get(reverse("workflow:calls", args=(turn.pk,))).status_code
    expected = {"visitor": 302, "engineer": 200, "superuser": 200}
    assert status == expected.get(name, 403)


@pytest.mark.parametrize("query", [{"from": "x"}, {"to": "-1"}, {"from": "9" * 12}])
def test_a_number_that_is_none_is_not_found(client: Client, query: dict[str, str]) -> None:
    turn = stored.finished_turn()
    assert client.get(reverse("workflow:calls", args=(turn.pk,)), query).status_code == 404


def test_no_turn_is_not_found(client: Client) -> None:
    missing = reverse("workflow:calls", args=("00000000-0000-4000-8000-00000000ffff",))
    assert client.get(missing).status_code == 404
