"""Re-runs are asked for in one transaction, refused in words, stopped, and watched."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest

from chat import reruns
from chat.models import Rerun, RerunBatch, Turn
from chat.reruns import CannotRerun, Change, change_from
from tests import factories, stored
from tests.staff import person

pytestmark = pytest.mark.django_db

BUDGET = change_from({"check_order": "budget"})


def ids(turns: list[Any]) -> list[Any]:
    return [turn.pk for turn in turns]


def test_one_turn_gives_one_rerun_that_waits() -> None:
    (turn,), user = stored.turns(1), person("engineer")
    rerun = reruns.ask(user, [turn.pk], BUDGET)
    assert isinstance(rerun, Rerun)
    assert (rerun.source_id, rerun.status, rerun.asked_by) == (turn.pk, "waiting", user)
    assert (rerun.change, rerun.batch) == ({"check_order": "budget"}, None)


def test_one_turn_can_be_run_again_as_it_was() -> None:
    (turn,) = stored.turns(1)
    rerun = reruns.ask(person("engineer"), [turn.pk, turn.pk], Change())
    assert isinstance(rerun, Rerun)
    assert rerun.change == {}


def test_several_turns_give_a_batch_with_a_row_for_each() -> None:
    turns = stored.turns(3)
    filters = {"route": "direct", "since": date(2026, 11, 1), "q": "", "lab": False}
    batch = reruns.ask(
        person("engineer"), [*ids(turns), turns[0].pk], BUDGET, filters=filters, cost_limit="2.50"
    )
    assert isinstance(batch, RerunBatch)
    batch.refresh_from_db()
    assert (batch.total, batch.cost_limit) == (3, Decimal("2.50"))
    assert batch.filters == {"route": "direct", "since": "2026-11-01"}
    assert set(batch.reruns.values_list("source_id", flat=True)) == set(ids(turns))
    assert {row.change["check_order"] for row in batch.reruns.all()} == {"budget"}


def test_a_filter_that_chooses_one_turn_is_a_batch_too() -> None:
    (turn,) = stored.turns(1)
    assert isinstance(reruns.ask(None, [turn.pk], BUDGET, filters={"route": "direct"}), RerunBatch)


def test_what_was_searched_for_is_screened_like_all_words() -> None:
    (turn,) = stored.turns(1)
    batch = reruns.ask(None, [turn.pk], BUDGET, filters={"q": "jane.doe@example.org asks"})
    assert isinstance(batch, RerunBatch)
    assert "jane.doe" not in batch.filters["q"]


@pytest.mark.parametrize(
    ("fields", "code", "said"),
    [
        ({"status": "running"}, "not_finished", "Wait for its end"),
        ({"erased_at": factories.START}, "erased", "nothing to run again"),
        ({"is_sensitive": True}, "sensitive", "somebody's health"),
    ],
)
def test_a_turn_that_cannot_be_run_again_says_why(
    fields: dict[str, Any], code: str, said: str
) -> None:
    (turn,) = stored.turns(1, **fields)
    with pytest.raises(CannotRerun, match=said) as refused:
        reruns.ask(person("engineer"), [turn.pk], BUDGET)
    assert refused.value.code == code
    assert not Rerun.objects.exists()


def test_of_many_turns_it_is_said_how_many_cannot_and_nothing_is_made() -> None:
    good, bad = stored.turns(2), stored.turns(2, is_sensitive=True)
    with pytest.raises(CannotRerun, match="2 of 4 turns cannot be run again"):
        reruns.ask(person("engineer"), ids(good + bad), BUDGET)
    assert not RerunBatch.objects.exists()


def test_what_fits_is_told_beforehand() -> None:
    good, bad = stored.turns(2), stored.turns(1, is_sensitive=True)
    sifted = reruns.sift(person("engineer"), [*ids(good + bad), uuid4()])
    assert sifted.fit == tuple(ids(good))
    assert sorted(sifted.left_out.values()) == [1, 1]
    assert any("health" in reason for reason in sifted.left_out)


def test_who_may_read_sensitive_turns_may_run_them_again() -> None:
    (turn,) = stored.turns(1, is_sensitive=True)
    assert isinstance(reruns.ask(person("superuser"), [turn.pk], BUDGET), Rerun)


@pytest.mark.parametrize("limit", ["0", "-1", "nan", "inf", "much", "1001", None])
def test_a_limit_that_is_none_is_refused(limit: Any) -> None:
    turns = stored.turns(2)
    with pytest.raises(CannotRerun, match="US dollars"):
        reruns.ask(None, ids(turns), BUDGET, cost_limit=limit)


def test_nothing_chosen_too_many_unknown_and_unchanged_are_refused() -> None:
    turns = stored.turns(2)
    for chosen, change, said in (
        ([], BUDGET, "Choose at least one"),
        ([uuid4() for _ in range(1_001)], BUDGET, "At most 1,000"),
        ([uuid4()], BUDGET, "do not exist"),
        (ids(turns), Change(), "Change at least one setting"),
    ):
        with pytest.raises(CannotRerun, match=said):
            reruns.ask(None, chosen, change)


def test_a_model_and_a_prompt_that_are_not_here_are_refused() -> None:
    (turn,) = stored.turns(1)
    with pytest.raises(CannotRerun, match="Choose one of offline"):
        reruns.ask(None, [turn.pk], change_from({"model": "huge"}))
    with pytest.raises(CannotRerun, match="takes no prompts"):
        reruns.ask(None, [turn.pk], change_from({"prompts": {"answer": "answer-2"}}))


def test_stopping_a_batch_stops_what_waits_and_what_runs() -> None:
    turns = stored.turns(3)
    batch = reruns.ask(None, ids(turns), BUDGET)
    assert isinstance(batch, RerunBatch)
    first = batch.reruns.first()
    assert first is not None
    (made,) = stored.turns(1, kind="rerun", status="running")
    Rerun.objects.filter(pk=first.pk).update(status="running", turn=made)
    reruns.stop(batch)
    reruns.stop(batch)
    made.refresh_from_db()
    assert made.stop_requested
    progress = reruns.batch_progress(batch)
    assert (progress.status, progress.stopped, progress.share) == ("stopped", 3, 1.0)
    assert progress.is_over


def test_stopping_what_has_ended_changes_nothing() -> None:
    (turn,) = stored.turns(1)
    rerun = reruns.ask(None, [turn.pk], BUDGET)
    Rerun.objects.update(status="done")
    reruns.stop(rerun)
    assert Rerun.objects.get().status == "done"
    assert not Turn.objects.filter(stop_requested=True).exists()


def test_progress_counts_what_ended() -> None:
    batch = RerunBatch.objects.create(total=8, done=3, failed=1, flipped=2, status="running")
    progress = reruns.batch_progress(batch)
    assert (progress.ended, progress.share, progress.is_over) == (4, 0.5, False)


def test_a_button_that_is_pressed_twice_asks_once() -> None:
    (turn,) = stored.turns(1)
    ann = factories.user("ann")
    change = reruns.change_from({"max_rewrites": 1})
    first, second = (reruns.ask(ann, [turn.pk], change) for _ in range(2))
    assert first == second
    one, other = (reruns.ask(ann, [turn.pk], change, filters={}) for _ in range(2))
    assert one == other
    assert Rerun.objects.count() == 2
