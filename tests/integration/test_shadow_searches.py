"""Drawn off-topic turns are searched again: once each, not too often, and not beyond the cost."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from admin_tracing.models import Sample, ShadowSearch
from admin_tracing.sampling import shadow
from admin_tracing.sampling.chances import SHADOW, is_drawn
from admin_tracing.sampling.shadow import shadow_due, shadow_rows
from admin_tracing.stats import hajek
from chat import wiring
from chat.contracts.events import QuestionRead
from chat.counters import SHADOW_SEARCHES
from chat.db import in_db
from chat.shadow import Shadow, asked
from tests import factories
from tests.doubles.models import ANSWERS, Fails, Raises, ScriptedModel
from tests.doubles.search import ListSearch

pytestmark = pytest.mark.django_db(transaction=True)

TIMING = "refunds#timing"


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> ScriptedModel:
    """Speaks for the site; every passage on timing answers."""
    speaks = ScriptedModel(grades={TIMING: ANSWERS}, cost=0.01)
    monkeypatch.setattr(wiring, "model", lambda: speaks)
    monkeypatch.setattr(wiring, "search", lambda: ListSearch(factories.handbook()))
    return speaks


def site(settings: Any, **changed: Any) -> None:
    settings.PLUMBLINE = replace(settings.PLUMBLINE, **changed)


def turned_away(
    question: str = factories.QUESTION,
    stratum: str = "off_topic",
    rate: float = 0.25,
    **fields: Any,
) -> Any:
    """A turn that ended off topic and was drawn."""
    at = timezone.now() - timedelta(minutes=1)
    given = {"status": "finished", "termination": "off_topic", "finished_at": at, "started_at": at}
    turn = factories.turn(question=question, **(given | fields))
    Sample.objects.create(turn=turn, stratum=stratum, rate=rate)
    return turn


def searches() -> dict[UUID, ShadowSearch]:
    return {row.turn_id: row for row in ShadowSearch.objects.all()}


def counted(outcome: str) -> float:
    value: float = SHADOW_SEARCHES.labels(outcome)._value.get()
    return value


async def test_evidence_is_found_written_and_counted(model: ScriptedModel) -> None:
    turn, before = await in_db(turned_away), counted("evidence")
    assert await shadow_due() == 1
    row = (await in_db(searches))[turn.pk]
    assert (row.has_evidence, row.problem, row.rate) == (True, "", 0.25)
    assert float(row.cost) == pytest.approx(0.01 * len(row.hits))
    assert {hit["chunk"]: hit["label"] for hit in row.hits}[TIMING] == "ANSWERS"
    assert counted("evidence") == before + 1


async def test_a_turn_is_searched_once(model: ScriptedModel) -> None:
    await in_db(turned_away)
    assert [await shadow_due(), await shadow_due()] == [1, 0]


async def test_where_nothing_answers_there_was_no_evidence(model: ScriptedModel) -> None:
    model.grades = {}
    turn = await in_db(turned_away)
    await shadow_due()
    assert (await in_db(searches))[turn.pk].has_evidence is False


async def test_what_was_not_called_off_topic_is_left_alone(model: ScriptedModel) -> None:
    def others() -> None:
        turned_away(stratum="restricted", termination="restricted")
        turned_away(stratum="rest", termination="answered")
        turned_away(erased_at=timezone.now())
        old = timezone.now() - timedelta(days=30)
        turned_away(finished_at=old, started_at=old)

    await in_db(others)
    assert await shadow_due() == 0
    assert model.asked == []


async def test_the_question_is_asked_as_it_was_read(model: ScriptedModel) -> None:
    def followed_up() -> Any:
        turn = turned_away("And how long?")
        read = QuestionRead(standalone="How long does a refund take?")
        factories.store(factories.events([read], turn=turn.pk))
        return turn

    turn = await in_db(followed_up)
    assert await in_db(asked, turn.pk) == "How long does a refund take?"
    await shadow_due()
    assert model.asked[0].about[0] == "How long does a refund take?"


async def test_a_turn_about_health_leaves_no_word_behind(model: ScriptedModel) -> None:
    question = "How long does a refund take after my chemotherapy?"
    turn = await in_db(lambda: turned_away(question, is_sensitive=True))
    await shadow_due()
    row = (await in_db(searches))[turn.pk]
    assert row.has_evidence is True
    assert all(set(hit) == {"chunk", "score", "cosine", "label"} for hit in row.hits)
    assert "chemotherapy" not in str(row.hits)


async def test_no_more_than_ten_are_begun_in_a_minute(model: ScriptedModel) -> None:
    await in_db(lambda: [turned_away() for _ in range(12)])
    assert await shadow_due() == shadow.A_MINUTE
    assert await shadow_due() == 0
    await in_db(lambda: ShadowSearch.objects.update(at=timezone.now() - timedelta(minutes=2)))
    assert await shadow_due() == 2


async def test_the_cost_of_a_day_ends_the_searches(model: ScriptedModel, settings: Any) -> None:
    site(settings, shadow_daily_cost=0.05)
    await in_db(lambda: [turned_away() for _ in range(5)])
    made = await shadow_due()
    assert 1 <= made < 5
    assert await shadow_due() == 0
    await in_db(lambda: ShadowSearch.objects.update(at=timezone.now() - timedelta(hours=25)))
    assert await shadow_due() >= 1


async def test_no_cost_allowed_means_no_search(model: ScriptedModel, settings: Any) -> None:
    site(settings, shadow_daily_cost=0.0)
    await in_db(turned_away)
    assert await shadow_due() == 0


async def test_a_share_is_searched_and_stands_for_the_others(
    model: ScriptedModel, settings: Any
) -> None:
    site(settings, shadow_share=0.5)
    turns = await in_db(lambda: [turned_away() for _ in range(9)])
    await shadow_due()
    wanted = {turn.pk for turn in turns if is_drawn(turn.pk, 0.5, SHADOW)}
    rows = await in_db(searches)
    assert set(rows) == wanted
    assert {row.rate for row in rows.values()} <= {0.125}


async def test_a_failure_ends_the_go_and_is_written(model: ScriptedModel) -> None:
    model.grades = {TIMING: Fails()}
    await in_db(lambda: [turned_away() for _ in range(3)])
    assert await shadow_due() == 1
    (row,) = (await in_db(searches)).values()
    assert (row.has_evidence, row.problem) == (None, "ungraded")
    assert await in_db(shadow_rows) == []


def let_time_pass() -> None:
    long_ago = timezone.now() - shadow.GIVEN_UP - timedelta(seconds=1)
    ShadowSearch.objects.update(at=long_ago)


async def test_a_defect_is_told_and_tried_twice_at_most(
    model: ScriptedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(_turn: UUID) -> Shadow:
        raise RuntimeError

    monkeypatch.setattr(shadow, "search_again", broken)
    turn = await in_db(turned_away)
    for _ in range(2):
        with pytest.raises(RuntimeError):
            await shadow_due()
        await in_db(let_time_pass)
    assert await shadow_due() == 0
    row = (await in_db(searches))[turn.pk]
    assert (row.has_evidence, row.problem) == (None, "begun_again")


async def test_a_grade_that_raises_is_a_grade_that_failed(model: ScriptedModel) -> None:
    model.grades = {TIMING: Raises(RuntimeError("a defect"))}
    turn = await in_db(turned_away)
    await shadow_due()
    assert (await in_db(searches))[turn.pk].problem == "ungraded"


async def test_what_a_killed_process_began_is_taken_up_after_a_while(model: ScriptedModel) -> None:
    turn = await in_db(turned_away)
    assert await in_db(shadow.begin) == turn.pk  # and its process is gone
    assert await in_db(shadow.begin) is None
    await in_db(let_time_pass)
    assert await shadow_due() == 1
    assert (await in_db(searches))[turn.pk].has_evidence is True


async def test_two_processes_take_different_turns(model: ScriptedModel) -> None:
    turns = {turn.pk for turn in await in_db(lambda: [turned_away(), turned_away()])}
    assert {await in_db(shadow.begin), await in_db(shadow.begin)} == turns
    assert await in_db(shadow._take, turns.pop(), 1.0) is False


async def test_the_rate_weighs_each_turn_by_its_chance() -> None:
    def searched() -> None:
        given = ((True, 0.25), (False, 1.0), (False, 1.0))
        for has_evidence, rate in given:
            turn = turned_away(rate=rate)
            ShadowSearch.objects.create(turn=turn, has_evidence=has_evidence, rate=rate)
        lab = turned_away(kind="lab")
        ShadowSearch.objects.create(turn=lab, has_evidence=True)

    await in_db(searched)
    rows = await in_db(shadow_rows)
    share = hajek((row.has_evidence, row.weight) for row in rows)
    assert share.value == pytest.approx(4 / 6)
    assert sorted(row.weight for row in rows) == [1.0, 1.0, 4.0]
    assert await in_db(shadow_rows, timezone.now()) == []


async def test_a_turn_that_is_gone_is_no_evidence_either_way() -> None:
    assert await in_db(asked, uuid4()) == ""
