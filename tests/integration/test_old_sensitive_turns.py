"""An upgrade marks the turns of before that tell of somebody's health."""

from __future__ import annotations

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps

from tests.factories import START, conversation, turn

pytestmark = pytest.mark.django_db


def test_such_a_turn_and_the_later_ones_of_its_conversation_are_marked() -> None:
    talk, other = conversation(), conversation()
    ended = {"status": "finished"}
    before = turn(talk, "How much is it?", started_at=START, **ended)
    ill = turn(talk, "I was diagnosed with cancer.", started_at=START + timedelta(hours=1), **ended)
    after = turn(talk, "And then?", started_at=START + timedelta(hours=2), **ended)
    plain = turn(other, "How long does a refund take?", started_at=START, **ended)
    import_module("chat.migrations.0007_old_sensitive_turns").mark(apps, None)
    for each in (before, ill, after, plain):
        each.refresh_from_db()
    assert [each.is_sensitive for each in (before, ill, after, plain)] == [False, True, True, False]
