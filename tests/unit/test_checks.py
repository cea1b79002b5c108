"""Settings that do not fit together are named at the start."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.conf import settings

from chat import checks
from chat.agent import graph


def _with(monkeypatch: pytest.MonkeyPatch, **changed: Any) -> None:
    monkeypatch.setattr(settings, "PLUMBLINE", replace(settings.PLUMBLINE, **changed))


def test_the_defaults_raise_nothing() -> None:
    found = [checks.check_model(None), checks.check_roles(None), checks.check_tables(None)]
    assert found == [[], [], []]


def test_a_model_without_key_and_address_stops_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    _with(monkeypatch, llm_model="some-model")
    assert [message.id for message in checks.check_model(None)] == ["chat.E001"]
    _with(monkeypatch, llm_model="some-model", openai_base_url="http://localhost:1/v1")
    assert checks.check_model(None) == []


def test_a_role_without_the_main_model_is_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    _with(monkeypatch, llm_grader_model="grader")
    assert [message.id for message in checks.check_roles(None)] == ["chat.W001"]


def test_many_processes_without_redis_are_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    _with(monkeypatch, database_url="postgresql://db/plumbline", redis_url="")
    assert [message.id for message in checks.check_processes(None)] == ["chat.W002"]


def test_a_proxy_that_is_not_named_is_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    behind = {"csrf_trusted_origins": ("https://help.example",)}
    _with(monkeypatch, **behind)
    assert [message.id for message in checks.check_proxies(None)] == ["chat.W003"]
    _with(monkeypatch, trusted_proxies=1, **behind)
    assert checks.check_proxies(None) == []
    off = {"trusted_proxies": 0, "limit_asks_address": "", "limit_sockets_address": 0}
    _with(monkeypatch, **off, **behind)
    assert checks.check_proxies(None) == []
    _with(monkeypatch, csrf_trusted_origins=())
    assert checks.check_proxies(None) == []


def test_a_control_without_a_policy_stops_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "POLICIES", {})
    assert [message.id for message in checks.check_tables(None)] == ["chat.E002"]


def test_a_route_to_no_node_stops_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph, "NODE_OF", {})
    assert [message.id for message in checks.check_tables(None)] == ["chat.E003"]
