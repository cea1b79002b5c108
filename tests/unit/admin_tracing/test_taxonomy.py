"""The severity of an incident is a look into a table, and more reach is never less severe."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from admin_tracing.taxonomy import (
    FACTS,
    OF_RULE,
    TAXONOMY,
    Category,
    Reach,
    Severity,
    severity,
    why,
)
from chat.alerts import RULES

GROUPS = {"Support", "Reviewers", "Engineers"}

REACHES = st.builds(
    Reach,
    turns=st.integers(0, 5_000),
    people=st.integers(0, 5_000),
    restricted=st.booleans(),
    sensitive=st.booleans(),
    acted=st.booleans(),
    ongoing=st.booleans(),
)


@pytest.mark.parametrize(
    ("category", "reach", "level"),
    [
        ("unsupported_claim", {}, "low"),
        ("unsupported_claim", {"people": 4}, "low"),
        ("unsupported_claim", {"people": 5}, "medium"),
        ("unsupported_claim", {"ongoing": True}, "medium"),
        ("unsupported_claim", {"sensitive": True}, "high"),
        ("unsupported_claim", {"restricted": True}, "high"),
        ("unsupported_claim", {"people": 50}, "high"),
        ("unsupported_claim", {"people": 500}, "critical"),
        ("wrongly_refused", {}, "low"),
        ("wrongly_refused", {"restricted": True}, "low"),
        ("wrongly_refused", {"sensitive": True}, "high"),
        ("wrongly_refused", {"people": 500}, "high"),
        ("wrongly_refused", {"people": 500, "ongoing": True}, "critical"),
        ("scope_breach", {}, "medium"),
        ("scope_breach", {"restricted": True}, "high"),
        ("scope_breach", {"restricted": True, "ongoing": True}, "critical"),
        ("scope_breach", {"people": 100}, "critical"),
        ("data_leak", {}, "high"),
        ("data_leak", {"people": 2}, "critical"),
        ("data_leak", {"sensitive": True}, "critical"),
        ("control_outage", {}, "low"),
        ("control_outage", {"turns": 20}, "medium"),
        ("control_outage", {"turns": 199}, "medium"),
        ("control_outage", {"turns": 200}, "high"),
        ("control_outage", {"acted": True}, "high"),
        ("control_outage", {"restricted": True, "ongoing": True}, "critical"),
        ("action_in_error", {}, "medium"),
        ("action_in_error", {"acted": True}, "high"),
        ("action_in_error", {"acted": True, "ongoing": True}, "critical"),
    ],
)
def test_the_table_says_the_severity(category: str, reach: dict[str, Any], level: str) -> None:
    assert severity(Category(category), Reach(**reach)) == level


@given(st.sampled_from(Category), REACHES, st.sampled_from(FACTS))
def test_more_of_anything_is_never_less_severe(category: Category, reach: Reach, fact: str) -> None:
    more = replace(reach, **{fact: type(getattr(reach, fact))(getattr(reach, fact) + 1)})
    assert severity(category, more).rank >= severity(category, reach).rank


@pytest.mark.parametrize("category", Category)
def test_every_category_has_a_meaning_and_an_owner_that_there_is(category: Category) -> None:
    kind = TAXONOMY[category]
    assert kind.means.endswith(".") and len(kind.means) < 100
    assert kind.owner in GROUPS
    assert all(fact in FACTS for step in kind.steps for fact in step.needs)
    assert all(step.to.rank > kind.base.rank for step in kind.steps)


def test_there_are_six_categories_and_four_severities_in_order() -> None:
    assert len(Category) == len(TAXONOMY) == 6
    assert [one.rank for one in Severity] == [0, 1, 2, 3]
    assert list(Severity) == ["low", "medium", "high", "critical"]


def test_why_names_the_condition_that_made_it_so() -> None:
    assert why(Category.UNSUPPORTED_CLAIM, Reach()) == "the least of its category"
    assert why(Category.UNSUPPORTED_CLAIM, Reach(people=60)) == "people at least 50"
    acted = Reach(acted=True, ongoing=True)
    assert why(Category.ACTION_IN_ERROR, acted) == "acted, ongoing"


def test_rules_with_a_category_of_their_own_are_rules_that_there_are() -> None:
    assert set(OF_RULE) <= {rule.name for rule in RULES}
