"""A turn belongs to one process at a time, and to nobody once its lease has run out."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from chat import leases
from chat.db import with_connection
from chat.models import Turn
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)


def _turn(*, owner: Any = leases.PROCESS, left: float = 10.0, **fields: Any) -> Turn:
    """A running turn whose lease has `left` seconds."""
    until = timezone.now() + timedelta(seconds=left)
    made: Turn = factories.turn(owner=owner, lease_until=until, **fields)
    return made


def test_a_lease_is_renewed_for_its_owner_alone() -> None:
    mine, lost = _turn(left=1), _turn(owner=uuid4(), left=1)
    assert leases.renew([mine.pk, lost.pk]) == {mine.pk}
    mine.refresh_from_db()
    lost.refresh_from_db()
    assert mine.lease_until > timezone.now() + leases.LEASE / 2
    assert lost.lease_until < timezone.now() + leases.LEASE / 2


def test_a_finished_turn_has_no_lease_to_renew() -> None:
    turn = _turn(status=Turn.Status.FINISHED)
    assert leases.renew([turn.pk]) == set()


def test_only_an_abandoned_turn_is_taken_and_it_counts_as_another_attempt() -> None:
    _turn(owner=uuid4(), left=5)
    gone = _turn(owner=uuid4(), left=-1)
    _turn(owner=None, left=-1, status=Turn.Status.FINISHED)
    (taken,) = leases.take_abandoned()
    assert (taken.pk, taken.owner, taken.attempt) == (gone.pk, leases.PROCESS, 2)
    assert leases.take_abandoned() == []


def test_what_is_handed_on_can_be_taken_at_once() -> None:
    turn = _turn()
    leases.hand_on([turn.pk])
    assert [taken.pk for taken in leases.take_abandoned()] == [turn.pk]


def test_a_turn_of_somebody_else_is_not_handed_on() -> None:
    turn = _turn(owner=uuid4())
    leases.hand_on([turn.pk])
    assert leases.take_abandoned() == []


def test_a_stop_is_heard_by_the_owner() -> None:
    wanted, other = _turn(stop_requested=True), _turn(owner=uuid4(), stop_requested=True)
    running = _turn()
    assert leases.stops([wanted.pk, other.pk, running.pk]) == {wanted.pk}


def test_two_processes_that_look_at_once_never_take_the_same_turn() -> None:
    turns = {_turn(owner=uuid4(), left=-1).pk for _ in range(12)}
    with ThreadPoolExecutor(4) as pool:
        looks = [pool.submit(with_connection, leases.take_abandoned) for _ in range(4)]
        taken = [turn.pk for look in looks for turn in look.result()]
    taken += [turn.pk for turn in leases.take_abandoned()]
    assert sorted(taken) == sorted(turns)
