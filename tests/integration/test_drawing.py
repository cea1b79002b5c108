"""Ended turns are looked at once each: drawn by their stratum, queued, and held for ugly or not."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from admin_tracing.models import QueueItem, Sample, SampleMark, TurnLook
from admin_tracing.sampling import drawing
from admin_tracing.sampling.chances import is_drawn, number
from admin_tracing.sampling.drawing import BY_CHANCE, LOOK_BACK, SURE, draw
from admin_tracing.sampling.strata import Stratum
from chat import erasure
from chat.db import in_db
from chat.identity import Person
from chat.known_words import known_words
from chat.models import Feedback, Turn
from tests import factories, stored

pytestmark = pytest.mark.django_db(transaction=True)


def ended(question: str = factories.QUESTION, ago: float = 60.0, **fields: Any) -> Any:
    """A turn that ended some seconds ago."""
    at = timezone.now() - timedelta(seconds=ago)
    given = {"status": "finished", "termination": "answered", "confidence": "high", "ms": 5.0}
    times = {"started_at": at, "finished_at": at}
    return factories.turn(question=question, **(given | times | fields))


def id_drawn(*, by_chance: bool) -> UUID:
    """An id that the random share draws, or one that it does not."""
    return next(id_ for id_ in iter(uuid4, None) if is_drawn(id_, 0.05) is by_chance)


def samples() -> dict[UUID, tuple[str, float]]:
    rows = Sample.objects.values_list("turn", "stratum", "rate")
    return {turn: (stratum, rate) for turn, stratum, rate in rows}


async def test_what_is_sure_to_be_drawn_is_drawn_with_the_chance_1() -> None:
    turns = await in_db(
        lambda: {
            Stratum.JUDGED_BAD: ended(unsupported=2),
            Stratum.LOW_CONFIDENCE: ended(confidence="low"),
            Stratum.BUDGET_ENDED: ended(termination="time_cap"),
        }
    )
    assert await draw() == 3
    found = await in_db(samples)
    assert found == {turn.pk: (stratum, 1.0) for stratum, turn in turns.items()}


async def test_a_turn_is_drawn_if_its_number_lies_below_its_chance() -> None:
    def turns() -> list[Any]:
        made = [ended(termination="off_topic", route_taken="off_topic") for _ in range(30)]
        return made + [ended() for _ in range(30)]

    all_of_them = await in_db(turns)
    assert await draw() == 60
    found = await in_db(samples)
    for turn in all_of_them:
        stratum = Stratum.OFF_TOPIC if turn.termination == "off_topic" else Stratum.REST
        rate = 0.2875 if stratum is Stratum.OFF_TOPIC else 0.05
        assert (turn.pk in found) is is_drawn(turn.pk, rate)
        if turn.pk in found:
            assert found[turn.pk][0] == stratum
            assert found[turn.pk][1] == pytest.approx(rate)


async def test_a_grounding_check_that_could_not_run_makes_a_turn_judged_bad() -> None:
    def turns() -> list[Any]:
        failed = {"control": "groundedness", "outcome": "failed_closed", "reason": "timeout"}
        ran = {"control": "groundedness", "outcome": "passed", "reason": ""}
        closed, silent, fine = (ended(id=id_drawn(by_chance=False)) for _ in range(3))
        stored.record(closed, controls=[failed], missing=[])
        stored.record(silent, controls=[], missing=["groundedness"])
        stored.record(fine, controls=[ran], missing=[])
        return [closed, silent]

    bad = await in_db(turns)
    await draw()
    assert await in_db(samples) == {turn.pk: (Stratum.JUDGED_BAD, 1.0) for turn in bad}


async def test_lab_turns_reruns_and_turns_that_run_are_not_looked_at() -> None:
    def turns() -> None:
        ended(kind="lab", unsupported=1)
        ended(kind="rerun", unsupported=1)
        factories.turn()

    await in_db(turns)
    assert await draw() == 0
    assert await in_db(TurnLook.objects.count) == 0


async def test_a_second_go_looks_at_nothing_twice() -> None:
    await in_db(lambda: [ended(unsupported=1) for _ in range(5)])
    assert [await draw(), await draw()] == [5, 0]
    assert await in_db(Sample.objects.count) == 5


async def test_a_turn_whose_end_comes_late_is_still_looked_at() -> None:
    await in_db(lambda: ended(ago=5.0))
    await draw()
    late = await in_db(lambda: ended(ago=LOOK_BACK.total_seconds() - 60, unsupported=1))
    assert await draw() == 1
    assert await in_db(lambda: Sample.objects.filter(turn=late).exists())
    mark = await in_db(SampleMark.objects.get)
    assert mark.ended_at > timezone.now() - timedelta(seconds=30)  # it did not go back


async def test_many_batches_draw_what_one_would(monkeypatch: pytest.MonkeyPatch) -> None:
    same = timezone.now() - timedelta(minutes=3)
    monkeypatch.setattr(drawing, "BATCH", 7)

    def turns() -> None:
        for _ in range(10):  # ended in one moment, so that the id alone tells them apart
            ended(unsupported=1, finished_at=same)
        for place in range(18):
            ended(unsupported=1, ago=600.0 - place)

    await in_db(turns)
    assert await draw() == 28
    assert await in_db(Sample.objects.count) == 28


async def test_what_was_drawn_waits_in_the_queue_the_random_share_first() -> None:
    def turns() -> dict[str, Any]:
        by_chance, not_by_chance = id_drawn(by_chance=True), id_drawn(by_chance=False)
        quarter = next(i for i in iter(uuid4, None) if 0.05 < number(i) < 0.28)
        return {
            "chance": ended(id=by_chance),
            "sure": ended(id=not_by_chance, unsupported=1),
            "quarter": ended(id=quarter, termination="no_evidence"),
        }

    turns_by_name = await in_db(turns)
    await draw()
    items = await in_db(
        lambda: {item.turn_id: (item.origin, item.priority) for item in QueueItem.objects.all()}
    )
    assert items == {
        turns_by_name["chance"].pk: ("rest", BY_CHANCE),
        turns_by_name["sure"].pk: ("judged_bad", SURE),
        turns_by_name["quarter"].pk: ("no_results", 0),
    }


async def test_what_ended_long_ago_is_drawn_and_not_queued() -> None:
    old = await in_db(lambda: ended(ago=40 * 86_400.0, unsupported=1))
    await draw()
    assert old.pk in await in_db(samples)
    assert await in_db(QueueItem.objects.count) == 0


async def test_what_was_erased_is_looked_at_and_not_drawn() -> None:
    await in_db(lambda: ended(unsupported=1, erased_at=timezone.now(), question=""))
    assert await draw() == 1
    assert await in_db(Sample.objects.count) == 0


async def test_a_vote_that_comes_later_brings_its_turn_into_the_queue_without_a_weight() -> None:
    turn = await in_db(lambda: ended(id=id_drawn(by_chance=False)))
    await draw()
    assert await in_db(QueueItem.objects.count) == 0
    await in_db(lambda: Feedback.objects.create(turn=turn, vote="down"))
    assert await draw() == 0
    item = await in_db(QueueItem.objects.get)
    assert (item.turn_id, item.origin) == (turn.pk, "thumbs_down")
    assert await in_db(Sample.objects.count) == 0


async def test_a_vote_makes_no_difference_to_what_is_drawn() -> None:
    """The chance must not depend on when the draw came by."""
    turn = await in_db(lambda: ended(id=id_drawn(by_chance=True)))
    await in_db(lambda: Feedback.objects.create(turn=turn, vote="down"))
    await draw()
    stratum, rate = (await in_db(samples))[turn.pk]
    assert stratum == "rest"
    assert rate == pytest.approx(0.05)
    assert (await in_db(QueueItem.objects.get)).origin == "rest"


async def test_a_vote_up_brings_nothing_into_the_queue() -> None:
    turn = await in_db(lambda: ended(id=id_drawn(by_chance=False)))
    await in_db(lambda: Feedback.objects.create(turn=turn, vote="up"))
    await draw()
    assert await in_db(QueueItem.objects.count) == 0


async def test_every_turn_is_looked_at_for_ugliness_drawn_or_not() -> None:
    def turns() -> tuple[Any, Any]:
        return ended("20931184", id=id_drawn(by_chance=False)), ended("How long does it take?")

    ugly, tidy = await in_db(turns)
    await draw()
    looks = await in_db(lambda: {look.turn_id: look for look in TurnLook.objects.all()})
    assert looks[ugly.pk].reasons == ["an id", "a fragment"]
    assert looks[ugly.pk].ugliness > 50
    assert (looks[tidy.pk].ugliness, looks[tidy.pk].reasons) == (0, [])


async def test_no_word_of_a_question_stays_in_what_was_seen_of_it() -> None:
    def erased() -> Any:
        visitor = uuid4()
        talk = factories.conversation(visitor=visitor)
        at = timezone.now()
        turn = factories.turn(
            talk, "xqzzt 4711-0815", status="finished", termination="answered", finished_at=at
        )
        drawing.look(known_words())
        erasure.erase(Person(visitor=visitor))
        return turn

    turn = await in_db(erased)
    look = await in_db(lambda: TurnLook.objects.get(turn=turn))
    assert "xqzzt" not in str(look.reasons) and "4711" not in str(look.reasons)
    assert (await in_db(lambda: Turn.objects.get(pk=turn.pk))).erased_at is not None
