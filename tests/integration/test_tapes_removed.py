"""A tape goes with the trace, with what was said, and with the files that it quotes."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from chat import tapes
from chat.models import Attachment, Conversation, Tape, Turn
from tests import spoken
from tests.integration.test_purge import CANARY, DAY, old_turn, purge
from tests.spoken import every_cell

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def talk() -> Conversation:
    return Conversation.objects.create(title=CANARY)


def taped(turn: Turn) -> Turn:
    Tape.objects.create(turn=turn, schema=1, calls=[{"given": {"question": CANARY}}])
    return turn


def kept() -> list[Any]:
    return list(Tape.objects.values_list("turn", flat=True))


def test_it_goes_with_the_trace_at_the_traces_age(talk: Conversation, settings: Any) -> None:
    taped(old_turn(talk, 91))
    new = taped(old_turn(talk, 89))
    assert "1 tapes" in purge(settings, {"trace": 90}, dry=True)
    assert "1 tapes" in purge(settings, {"trace": 90})
    assert kept() == [new.pk]


def test_it_goes_with_what_was_said(talk: Conversation, settings: Any) -> None:
    old = taped(old_turn(talk, 731))
    assert "1 tapes" in purge(settings, {"content": 730})
    assert kept() == []
    old.refresh_from_db()
    assert "erased" in tapes.why_none(old)


def test_it_goes_with_a_file_that_a_turn_of_its_conversation_could_search(
    talk: Conversation, settings: Any
) -> None:
    taped(old_turn(talk, 366))
    taped(old_turn(talk, 364))  # on the same branch, so it may quote the older one's file
    elsewhere = taped(old_turn(Conversation.objects.create(title="another"), 364))
    assert "2 tapes" in purge(settings, {"attachments": 365})
    assert kept() == [elsewhere.pk]
    assert Attachment.objects.exclude(sha256="").count() == 2


def test_a_hold_keeps_it(talk: Conversation, settings: Any) -> None:
    from chat.models import LegalHold

    old = taped(old_turn(talk, 800))
    LegalHold.objects.create(conversation=talk, reason="a case", placed_at=timezone.now())
    purge(settings, {"trace": 90, "content": 730, "attachments": 365})
    assert kept() == [old.pk]
    assert 800 * DAY > 730 * DAY


def test_of_an_erased_turn_no_word_is_left_in_it(talk: Conversation) -> None:
    from chat import removal

    turn = spoken.everything(talk)
    assert spoken.CANARY in every_cell()
    gone = removal.content_of_turns([turn.pk], timezone.now())
    assert gone["tapes"] == 1
    assert kept() == []
