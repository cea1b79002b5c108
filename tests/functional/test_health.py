"""What a supervisor and a scraper ask: is it up, can it work, what has it counted."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import AsyncClient, Client

from chat import counters, health
from chat.contracts.verdicts import Termination
from tests.staff import person


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(health, "_kept", health._Kept())
    yield


async def fine() -> None:
    return


async def broken() -> None:
    raise ConnectionRefusedError


async def stuck() -> None:
    await asyncio.Event().wait()


def test_a_process_that_answers_is_up():
    response = Client().get("/healthz")
    assert (response.status_code, response.content) == (200, b"ok\n")


async def test_each_part_has_its_own_state_and_its_own_time_limit():
    found = await health.states({"a": fine, "b": broken, "c": stuck}, limit=0.01)
    assert found == {"a": "ok", "b": "down", "c": "slow"}


@pytest.mark.django_db(transaction=True)
async def test_a_site_with_all_its_parts_is_ready():
    response = await AsyncClient().get("/readyz")
    assert response.status_code == 200
    assert response.json() == {
        "ready": True,
        "parts": {"database": "ok", "model": "ok", "embedder": "ok"},
    }


async def test_one_part_that_is_down_makes_the_site_not_ready(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(health, "CHECKS", {"database": fine, "model": broken})
    response = await AsyncClient().get("/readyz")
    assert response.status_code == 503
    assert response.json() == {"ready": False, "parts": {"database": "ok", "model": "down"}}


async def test_asking_often_asks_the_parts_once(monkeypatch: pytest.MonkeyPatch):
    asked = []

    async def count() -> None:
        asked.append(1)

    monkeypatch.setattr(health, "CHECKS", {"model": count})
    answers = await asyncio.gather(*(AsyncClient().get("/readyz") for _ in range(5)))
    answers.append(await AsyncClient().get("/readyz"))
    assert {answer.status_code for answer in answers} == {200}
    assert len(asked) == 1


def test_a_scraper_on_this_machine_reads_the_counters():
    counters.turn(Termination.ANSWERED, 120.0)
    text = Client().get("/metrics").content.decode()
    assert 'plumbline_turns_total{termination="answered"}' in text


@pytest.mark.django_db
@pytest.mark.parametrize(
    "request_of",
    [
        {"REMOTE_ADDR": "192.0.2.7"},
        {"REMOTE_ADDR": ""},
        {"HTTP_X_FORWARDED_FOR": "192.0.2.7"},
        {"HTTP_FORWARDED": "for=192.0.2.7"},
        {"HTTP_X_REAL_IP": "192.0.2.7"},
    ],
)
def test_others_read_no_counters(request_of: dict[str, Any]):
    assert Client().get("/metrics", **request_of).status_code == 403


@pytest.mark.django_db
def test_staff_reads_the_counters_from_anywhere():
    client = Client()
    client.force_login(person("support"))
    assert client.get("/metrics", REMOTE_ADDR="192.0.2.7").status_code == 200
