"""The next item for somebody: their own first, else the best one that is still free.

Two people who ask at once never get the last place of one item: the row of the item is locked, and
the place is counted again under the lock. Items that somebody else is just being given are passed
over while there are others; the last one is waited for, since it may have a place for both.
"""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from django.db import connection, transaction

from admin_tracing.models import QueueItem, Review
from admin_tracing.queueing.jobs import ANSWERS, FROM_DOCUMENTS, may_be_labelled
from admin_tracing.queueing.locks import live, lock, others, release
from admin_tracing.queueing.states import complete, locked_item

TRIES: Final = 20  # items that others took in the very moment, before the queue counts as empty
COUNTED: Final = 999

# A routing label `n` whose person still owes the answer's label. `jobs.HOLDS_ANSWER` as SQL.
HALF: Final = """(
    (t.citations > 0 OR (t.termination = ANY(%(answers)s) AND t.route_taken = ANY(%(ways)s)))
    AND NOT EXISTS (
        SELECT 1 FROM admin_tracing_groundednesslabel g
        WHERE g.turn_id = n.turn_id AND g.user_id = n.user_id AND g.grounded <> ''))
"""
OTHERS: Final = f"""
    SELECT n.user_id FROM admin_tracing_routinglabel n
    WHERE n.turn_id = i.turn_id AND n.user_id <> %(user)s AND NOT {HALF}
    UNION
    SELECT l.user_id FROM admin_tracing_queuelock l
    WHERE l.item_id = i.turn_id AND l.user_id <> %(user)s AND l.until > statement_timestamp()
"""
FREE: Final = f"""
FROM admin_tracing_queueitem i
JOIN chat_turn t ON t.id = i.turn_id
JOIN chat_conversation c ON c.id = t.conversation_id
WHERE i.status = 'open'
  AND t.erased_at IS NULL
  AND c.user_id IS DISTINCT FROM %(user)s
  AND (%(sensitive)s OR NOT t.is_sensitive)
  AND NOT (i.turn_id = ANY(%(passed)s))
  AND NOT EXISTS (
      SELECT 1 FROM admin_tracing_review r
      WHERE r.item_id = i.turn_id AND r.user_id = %(user)s AND r.is_skipped)
  AND NOT EXISTS (
      SELECT 1 FROM admin_tracing_routinglabel n
      WHERE n.turn_id = i.turn_id AND n.user_id = %(user)s AND NOT {HALF})
  AND i.wanted > (SELECT count(*) FROM ({OTHERS}) AS others)
"""
FIRST: Final = f"""
SELECT i.turn_id {FREE}
ORDER BY i.priority DESC, i.added_at, i.turn_id LIMIT 1
"""
BEST: Final = f"{FIRST} FOR UPDATE OF i SKIP LOCKED"
HOW_MANY: Final = f"SELECT count(*) FROM (SELECT 1 {FREE} LIMIT {COUNTED}) AS found"


def take(user: Any, *, sensitive: bool) -> QueueItem | None:
    """The item that somebody labels now, locked for them; None if nothing is left for them.

    Their own comes first while its lock lasts. Else the best open one of somebody else's
    conversation that they have neither labelled nor left to others, with fewer people on it than
    it wants. `sensitive`: may they read turns that tell of somebody's health?
    """
    held = _keep_or_release(user, sensitive)
    if held is not None:
        return held
    passed: list[UUID] = []
    for _ in range(TRIES):
        with transaction.atomic():  # each holds one row alone, so no two wait for each other
            turn = _best(BEST, user, sensitive, passed) or _best(FIRST, user, sensitive, passed)
            item = locked_item(turn) if turn else None
            if item is None:
                return None
            if others(user, item.pk, complete(item.turn)) < item.wanted:
                lock(user, item.pk)
                return item
        passed.append(item.pk)
    return None


@transaction.atomic
def take_this(user: Any, turn: UUID) -> bool:
    """Lock one item for somebody who asked for it by name; False if others have all its places.

    It need not be open: who has labelled it may look at it again.
    """
    item = locked_item(turn)
    if item is None or not may_be_labelled(item.turn):
        return False
    done = complete(item.turn)
    if user.pk not in done and others(user, turn, done) >= item.wanted:
        return False
    lock(user, turn)
    return True


def mine(user: Any, *, sensitive: bool) -> UUID | None:
    """What somebody has before them, while it may still be labelled and was not left to others.

    It only looks: nothing is taken and no lock lasts longer.
    """
    held = live().filter(user=user).select_related("item__turn").first()
    if held is None or not may_be_labelled(held.item.turn):
        return None
    if held.item.turn.is_sensitive and not sensitive:
        return None
    skipped = Review.objects.filter(item=held.item, user=user, is_skipped=True).exists()
    return None if skipped else held.item_id


def left(user: Any, *, sensitive: bool, but: UUID | None = None) -> int:
    """How many items wait for somebody, without the one before them; at most `COUNTED`."""
    with connection.cursor() as cursor:
        cursor.execute(HOW_MANY, _given(user, sensitive, [but] if but else []))
        return int(cursor.fetchone()[0])


@transaction.atomic
def _keep_or_release(user: Any, sensitive: bool) -> QueueItem | None:
    """What somebody has before them, for five minutes more; else whatever they had goes back."""
    turn = mine(user, sensitive=sensitive)
    item = locked_item(turn) if turn else None
    if item is None or not may_be_labelled(item.turn):
        release(user)
        return None
    lock(user, item.pk)
    return item


def _best(statement: str, user: Any, sensitive: bool, passed: list[UUID]) -> UUID | None:
    with connection.cursor() as cursor:
        cursor.execute(statement, _given(user, sensitive, passed))
        row = cursor.fetchone()
    return row[0] if row else None


def _given(user: Any, sensitive: bool, passed: list[UUID]) -> dict[str, Any]:
    return {
        "user": user.pk,
        "sensitive": sensitive,
        "passed": passed,
        "answers": [str(one) for one in ANSWERS],
        "ways": [str(one) for one in FROM_DOCUMENTS],
    }
