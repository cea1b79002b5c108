"""The blast radius is exact: a suspect finds its own turns, of people, in the window, no more."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from admin_tracing import blast
from admin_tracing.suspects import Suspect, SuspectKind
from admin_tracing.taxonomy import Reach
from chat.contracts.events import Body
from chat.contracts.verdicts import Outcome
from chat.models import Pause
from tests import factories, stored

pytestmark = pytest.mark.django_db

START = datetime(2026, 11, 20, 12, tzinfo=UTC)
CONTROL, DOCUMENT, PROMPT, MODEL = SuspectKind


def ended(hours: float = 0, *, of: Any = None, bodies: tuple[Body, ...] = (), **facts: Any) -> Any:
    """An ended turn with a record of these facts, so many hours after START."""
    given = {"status": "finished", "termination": facts.pop("termination", "answered")}
    fields = {name: facts.pop(name) for name in ("kind", "is_sensitive") if name in facts}
    at = START + timedelta(hours=hours)
    turn = factories.turn(of, started_at=at, **(given | fields))
    factories.store(factories.events(bodies, turn=turn.pk))
    stored.record(turn, **facts)
    return turn


def ran(control: str, outcome: str) -> dict[str, Any]:
    return {"controls": [{"control": control, "outcome": outcome, "reason": ""}]}


def cited(chunk: str, version: int) -> dict[str, Any]:
    return {"citations": [{"marker": 1, "chunk": chunk, "version": version, "supports": "yes"}]}


def called(role: str, model: str = "small-1", *prompts: str) -> dict[str, Any]:
    return {"model_calls": {role: {"calls": 1, "models": [model], "prompts": list(prompts)}}}


def found(kind: SuspectKind, name: str, value: str = "", **window: Any) -> list[Any]:
    return list(blast.radius(Suspect(kind, name, value), **window))


# ---- controls


@pytest.mark.parametrize("outcome", list(Outcome))
def test_a_control_is_found_by_its_own_outcome_alone(outcome: Outcome) -> None:
    turns = {one: ended(**ran("groundedness", one)) for one in Outcome}
    ended(**ran("scope", outcome))
    assert found(CONTROL, "groundedness", outcome) == [turns[outcome]]


def test_the_same_control_may_have_run_more_than_once() -> None:
    both = ended(
        controls=[
            {"control": "relevance", "outcome": "passed"},
            {"control": "relevance", "outcome": "failed_open"},
            {"control": "scope", "outcome": "failed_closed"},
        ]
    )
    assert found(CONTROL, "relevance", "failed_open") == [both]
    assert found(CONTROL, "relevance", "failed_closed") == []


def test_a_control_is_missing_where_the_policy_said_so() -> None:
    passed_by = ended(missing=["groundedness", "scope"], controls=[])
    ended(missing=[], **ran("groundedness", "passed"))
    ended(**ran("scope", "passed"))  # a record of before
    assert found(CONTROL, "groundedness", "missing") == [passed_by]
    assert found(CONTROL, "relevance", "missing") == []


# ---- documents, prompts, models


def test_a_document_is_found_by_slug_and_version() -> None:
    second = ended(**cited("refunds#timing", 2))
    first = ended(1, **cited("refunds#eligibility", 1))
    ended(**cited("refunds-annual#timing", 2))
    ended(**cited("billing#refunds", 2))
    assert found(DOCUMENT, "refunds", "2") == [second]
    assert found(DOCUMENT, "refunds") == [second, first]
    assert found(DOCUMENT, "refunds", "3") == []


def test_slug_and_version_belong_to_one_citation() -> None:
    ended(
        citations=[
            {"marker": 1, "chunk": "refunds#timing", "version": 1},
            {"marker": 2, "chunk": "billing#cards", "version": 2},
        ]
    )
    assert found(DOCUMENT, "refunds", "2") == []


def test_a_prompt_is_found_by_purpose_and_version_in_any_role() -> None:
    judge = ended(**called("judge", "m", "check 2"))
    main = ended(1, **called("main", "m", "answer 7", "check 2"))
    ended(2, **called("judge", "m", "check 22"))
    ended(3, **called("judge", "m", "recheck 2"))
    assert found(PROMPT, "check", "2") == [judge, main]
    assert len(found(PROMPT, "check")) == 3


def test_a_model_is_found_by_its_whole_name() -> None:
    turn = ended(**called("grader", "small-2"))
    ended(**called("grader", "small-21"))
    assert found(MODEL, "small-2") == [turn]


@pytest.mark.parametrize("name", ['a"b', "a\\b", "a'b", '") || (@ == "x', "a%b", "ü"])
def test_a_name_is_a_name_and_no_part_of_the_query(name: str) -> None:
    turn = ended(**called("main", name))
    ended(**called("main", "x"))
    assert found(MODEL, name) == [turn]


# ---- whose, and when


def test_the_window_begins_with_its_first_moment_and_ends_before_its_last() -> None:
    turns = [ended(hours, **ran("scope", "failed_open")) for hours in (0, 1, 2)]
    hour = timedelta(hours=1)
    assert found(CONTROL, "scope", "failed_open", since=START + hour) == turns[1:]
    assert found(CONTROL, "scope", "failed_open", until=START + 2 * hour) == turns[:2]
    assert found(CONTROL, "scope", "failed_open", since=START, until=START) == []


def test_lab_turns_re_runs_and_turns_without_a_record_stay_outside() -> None:
    for kind in ("lab", "rerun"):
        ended(kind=kind, **ran("scope", "failed_open"))
    factories.turn(status="finished", termination="answered")
    assert found(CONTROL, "scope", "failed_open") == []
    assert found(CONTROL, "scope", "missing") == []


def test_people_are_counted_once_whether_they_have_an_account_or_not() -> None:
    alice, visitor = factories.user("alice"), uuid4()
    owners: list[dict[str, Any]] = [
        {"owner": alice},
        {"owner": alice},
        {"visitor": visitor},
        {"visitor": visitor},
        {},
    ]
    turns = [
        ended(n, of=factories.conversation(**owner), **ran("scope", "failed_open"))
        for n, owner in enumerate(owners)
    ]
    extent = blast.extent(blast.radius(Suspect(CONTROL, "scope", "failed_open")))
    assert extent == blast.Extent(5, 3, turns[0].started_at, turns[-1].started_at)


def test_no_turn_is_no_extent() -> None:
    extent = blast.extent(blast.radius(Suspect(MODEL, "none")))
    assert extent == blast.Extent(0, 0, None, None)


def test_what_weighs_is_read_from_the_turns() -> None:
    ended(**ran("scope", "failed_open"))
    radius = blast.radius(Suspect(CONTROL, "scope", "failed_open"))
    assert blast.reach(radius, ongoing=False) == Reach(1, 1)
    ended(1, termination="restricted", **ran("scope", "failed_open"))
    acted = ended(2, is_sensitive=True, **ran("scope", "failed_open"))
    Pause.objects.create(
        turn=acted, kind="action", question="?", seq=1, elapsed_ms=1, status="answered",
        approved=True, asked_at=START, expires_at=START,
    )  # fmt: skip
    assert blast.reach(radius, ongoing=True) == Reach(3, 3, True, True, True, True)


def test_batches_together_are_every_line_once() -> None:
    turns = [ended(n // 3, **ran("scope", "failed_open")) for n in range(8)]
    radius = blast.radius(Suspect(CONTROL, "scope", "failed_open"))
    seen: list[Any] = []
    after = None
    while batch := blast.lines(radius, after, limit=3):
        seen += [line["id"] for line in batch]
        after = batch[-1]["started_at"], batch[-1]["id"]
    assert sorted(seen) == sorted(turn.pk for turn in turns)
    assert len(seen) == len(turns)
