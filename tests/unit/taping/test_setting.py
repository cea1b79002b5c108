"""How a turn was run, as JSON and as settings again."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from chat.contracts.ports import AgentSettings
from chat.contracts.verdicts import Route
from chat.sample.loader import golden_five
from chat.sample.stand_ins import GoldenModel
from chat.taping import setting_of, settings_from
from chat.taping.setting import SITE
from tests.doubles.models import ScriptedModel
from tests.factories import ports

TODAY = AgentSettings(contacts="Call 112", covers="hosting", examples=("What is it?",))
MANNERS = sorted({each.name for each in fields(AgentSettings)} - SITE)


@given(
    st.builds(
        AgentSettings,
        max_rewrites=st.integers(0, 6),
        check_order=st.sampled_from(["evidence", "budget"]),
        relevance_threshold=st.floats(0, 1),
        topic_check=st.booleans(),
        cost_budget=st.floats(0, 5),
        pinned_route=st.none() | st.sampled_from(list(Route)),
    )
)
def test_the_settings_of_a_turn_come_back_as_they_were(settings: AgentSettings) -> None:
    stored = json.loads(json.dumps(setting_of(ports(settings=settings))))
    found = settings_from(stored, TODAY)
    assert [getattr(found, name) for name in MANNERS] == [
        getattr(settings, name) for name in MANNERS
    ]


def test_the_owners_words_are_those_of_today_and_stand_on_no_tape() -> None:
    settings = replace(TODAY, contacts="Call 110", covers="cars")
    setting = setting_of(ports(settings=settings))
    assert not SITE & setting["settings"].keys()
    assert settings_from(setting, TODAY).contacts == "Call 112"


def test_a_setting_that_is_new_or_gone_since_then_does_no_harm() -> None:
    stored: dict[str, Any] = {"settings": {"max_rewrites": 5, "gone": 1}}
    assert settings_from(stored, TODAY) == replace(TODAY, max_rewrites=5)
    assert settings_from({}, TODAY) == TODAY


def test_whose_stand_in_spoke_is_named() -> None:
    golden = golden_five()[0]
    lab = setting_of(ports(GoldenModel(golden, ScriptedModel())))
    assert (lab["origin"], lab["model"]) == (f"golden:{golden.id}", "golden")
    assert setting_of(ports(ScriptedModel()))["origin"] == ""
