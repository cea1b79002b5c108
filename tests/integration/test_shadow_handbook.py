"""A shadow search over the sample handbook, with the model of this machine."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from admin_tracing.models import ShadowSearch
from admin_tracing.sampling.drawing import draw
from admin_tracing.sampling.shadow import shadow_due, shadow_rows
from chat.db import in_db
from tests import factories
from tests.corpus import take_in_the_handbook

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

OURS = "How long does a refund take?"
NOT_OURS = "What will the weather be like in Lisbon on Sunday?"


def turned_away(question: str) -> Any:
    """A turn that was called off topic, and is drawn whatever its number is."""
    at = timezone.now() - timedelta(seconds=90)
    return factories.turn(
        question=question,
        status="finished",
        termination="off_topic",
        route_taken="off_topic",
        started_at=at,
        finished_at=at,
    )


async def test_a_question_of_ours_had_evidence_and_the_weather_has_none(settings: Any) -> None:
    settings.PLUMBLINE = replace(settings.PLUMBLINE, sample_share=1.0)
    await in_db(take_in_the_handbook)
    ours, weather = await in_db(lambda: [turned_away(OURS), turned_away(NOT_OURS)])
    assert await draw() == 2
    assert await shadow_due() == 2
    found = await in_db(lambda: {row.turn_id: row for row in ShadowSearch.objects.all()})
    assert found[ours.pk].has_evidence is True
    assert found[weather.pk].has_evidence is False
    assert [row.weight for row in await in_db(shadow_rows)] == [1.0, 1.0]
