"""A long file of labels is taken in slices: none is lost or taken twice, and time is bounded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from admin_tracing import labels, queueing
from admin_tracing.exporting import taking
from admin_tracing.exporting.reading import Said
from admin_tracing.exporting.taking import NOT_BLIND, Taken, take
from admin_tracing.models import GroundednessLabel, QueueItem, RoutingLabel, Settlement
from tests import factories, stored
from tests.labelling import queued, say, status
from tests.staff import person

pytestmark = pytest.mark.django_db


@pytest.fixture
def sam() -> Any:
    return factories.user("sam")


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two lines a slice."""
    monkeypatch.setattr(taking, "SLICE", 2)


def lines(turns: Sequence[Any], **said: str) -> list[Said]:
    """A line a turn, which says the way; `said` are its other answers."""
    given: dict[str, Any] = {"needed": "direct", "grounded": None, "correct": None, "note": ""}
    return [Said(at, turn.pk, **(given | said)) for at, turn in enumerate(turns, start=2)]


def counts(taken: Taken) -> tuple[int, int, int, int]:
    return taken.new, taken.changed, taken.same, taken.left


def test_what_was_taken_when_a_process_is_killed_stays_and_the_rest_follows(
    sam: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = lines(stored.turns(5))
    write, goes = taking._write, iter([True, False])

    def dies(*args: Any) -> None:
        write(*args)
        if not next(goes):
            raise KeyboardInterrupt

    monkeypatch.setattr(taking, "_write", dies)
    with pytest.raises(KeyboardInterrupt):
        take(file, sam, sensitive=False)
    monkeypatch.setattr(taking, "_write", write)
    taken = take(file, sam, sensitive=False)
    assert taken.new + taken.same == 5 and taken.same >= 2
    assert RoutingLabel.objects.count() == QueueItem.objects.count() == 5


def test_a_file_that_takes_too_long_goes_on_when_it_is_brought_again(sam: Any) -> None:
    file = lines(stored.turns(6))
    seconds: Iterator[float] = iter((0.0, 1.0, taking.LONGEST + 1))
    taken = take(file, sam, sensitive=False, clock=lambda: next(seconds))
    assert counts(taken) == (4, 0, 0, 2)
    assert counts(take(file, sam, sensitive=False)) == (2, 0, 4, 0)


def test_a_slice_that_the_database_ends_is_tried_again(
    sam: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    add, ends = queueing.add, iter([True, True, False, False])

    def deadlock(*args: Any, **more: Any) -> int:
        if next(ends):
            raise OperationalError("deadlock detected")
        return add(*args, **more)

    monkeypatch.setattr(queueing, "add", deadlock)
    assert counts(take(lines(stored.turns(4)), sam, sensitive=False)) == (4, 0, 0, 0)


def test_a_database_that_lets_nothing_through_leaves_lines_and_says_how_many(
    sam: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_args: Any, **_more: Any) -> int:
        raise OperationalError("deadlock detected")

    monkeypatch.setattr(queueing, "add", never)
    taken = take(lines(stored.turns(4)), sam, sensitive=False)
    assert counts(taken) == (0, 0, 0, 4)
    assert not RoutingLabel.objects.exists()


def test_a_slice_costs_as_many_queries_as_a_line(sam: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(taking, "SLICE", 100)
    asked = []
    for count in (1, 12):
        file = lines(stored.turns(count, citations=1), grounded="yes", correct="no")
        with CaptureQueriesContext(connection) as queries:
            assert counts(take(file, sam, sensitive=False))[0] == 2 * count
        asked.append(len(queries))
    assert asked[1] <= asked[0] + 3 <= 30  # one more for each further status of an item


def test_a_line_that_says_what_stands_locks_and_writes_nothing(sam: Any) -> None:
    file = lines(stored.turns(2, citations=1), correct="yes", note="Seen.")
    take(file, sam, sensitive=False)
    given = list(GroundednessLabel.objects.values_list("at", flat=True))
    with CaptureQueriesContext(connection) as queries:
        assert counts(take(file, sam, sensitive=False)) == (0, 0, 4, 0)
    assert all(query["sql"].startswith("SELECT") for query in queries.captured_queries)
    assert not any("FOR UPDATE" in query["sql"] for query in queries.captured_queries)
    assert list(GroundednessLabel.objects.values_list("at", flat=True)) == given


def test_the_note_goes_with_the_answer_and_none_takes_no_older_one_away(sam: Any) -> None:
    (turn,) = stored.turns(1, citations=1)
    take(lines([turn], note="A way."), sam, sensitive=False)
    take(lines([turn], needed="clarify", correct="no", note="Wrong plan."), sam, sensitive=False)
    take(lines([turn], needed="iterative", correct="partly"), sam, sensitive=False)
    routing, answer = RoutingLabel.objects.get(), GroundednessLabel.objects.get()
    assert (routing.needed, routing.note) == ("iterative", "A way.")
    assert (answer.correct, answer.note) == ("partly", "Wrong plan.")


def test_items_stand_as_if_each_label_had_been_given_in_the_queue(sam: Any) -> None:
    agree, differ, half, settled = queued(4, wanted=2)
    rosa, rita = factories.user("rosa"), factories.user("rita")
    for turn in (agree, differ, half, settled):
        say(rosa, turn, "direct")
    say(rita, settled, "clarify")
    Settlement.objects.create(turn=settled, job="routing", needed="direct", user=rita)
    both = {"grounded": "yes", "correct": "yes"}
    file = [
        *lines([agree], **both),
        *lines([differ], needed="iterative", **both),
        *lines([half]),
        *lines([settled], **both),
    ]
    taken = take(file, sam, sensitive=False)
    assert [status(turn) for turn in (agree, differ, half)] == ["done", "disagreed", "open"]
    assert [problem.why[:30] for problem in taken.problems] == ["A reviewer has settled this tu"]
    assert not RoutingLabel.objects.filter(turn=settled, user=sam).exists()


def test_who_may_have_read_what_others_said_gives_no_first_label_by_a_file(sam: Any) -> None:
    rita = person("reviewer")
    turn, own, open_ = (stored.finished_turn() for _ in range(3))
    queueing.add([turn.pk, own.pk], "hand", wanted=1)
    queueing.add([open_.pk], "hand", wanted=2)
    take(lines([turn, own], grounded="yes", correct="yes"), sam, sensitive=False)
    labels.give_routing(own, rita, "clarify", "")
    taken = take(lines([turn, own, open_], needed="iterative"), rita, sensitive=False)
    assert [problem.why for problem in taken.problems] == [NOT_BLIND]
    given = RoutingLabel.objects.filter(user=rita, needed="iterative")
    assert {label.turn_id for label in given} == {own.pk, open_.pk}
