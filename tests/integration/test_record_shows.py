"""What a record shows, as words of an index: they are what the record says, and lists use them."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from admin_tracing import queries
from admin_tracing.counted import LONGEST, SHOWS, record_shows
from chat.contracts.verdicts import Control, Outcome
from chat.models import Turn
from tests import stored

pytestmark = pytest.mark.django_db

DECISIONS = st.builds(
    lambda control, outcome: {"control": control, "outcome": outcome, "reason": "", "versions": {}},
    st.sampled_from([*Control]).map(str),
    st.sampled_from([*Outcome]).map(str),
)
SECTIONS = st.sampled_from(["refunds#timing", "regions", "ß#1"])
PASSES = st.lists(
    st.builds(
        lambda chunks, accepted: {
            "chunks": [{"chunk": chunk, "score": 0.1} for chunk in chunks],
            "accepted": accepted,
        },
        st.lists(SECTIONS, max_size=3),
        st.lists(SECTIONS, max_size=2),
    ),
    max_size=4,
).map(lambda several: [{"pass": number, **one} for number, one in enumerate(several, start=1)])
FACTS = st.fixed_dictionaries(
    {},
    optional={
        "controls": st.lists(DECISIONS, max_size=6),
        "missing": st.lists(st.sampled_from([*Control]).map(str), max_size=3),
        "passes": PASSES,
    },
)


def shown(facts: dict[str, Any]) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT plumbline_shows(%s::jsonb)", [json.dumps(facts)])
        found: list[str] = cursor.fetchone()[0]
    return found


def said(facts: dict[str, Any]) -> set[str]:
    """The same, read by hand."""
    controls, missing = facts.get("controls", []), facts.get("missing", [])
    passes = facts.get("passes", [])
    words = {f"{one['control']} {one['outcome']}" for one in controls}
    words |= {f"{name} missing" for name in missing}
    if missing or any(one["outcome"].startswith("failed") for one in controls):
        words.add("missed")
    later = any(one["accepted"] for one in passes if one["pass"] > 1)
    if later and not any(one["accepted"] for one in passes if one["pass"] == 1):
        words.add("rescued")
    if passes and passes[0]["chunks"]:
        words.add(f"first {passes[0]['chunks'][0]['chunk']}")
    return words


@given(FACTS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
def test_the_words_are_what_the_record_says(facts: dict[str, Any]):
    assert set(shown(facts)) == said(facts)


@pytest.mark.parametrize("facts", [{}, {"controls": None}, {"controls": [{}]}, {"passes": [{}]}])
def test_a_record_without_such_parts_shows_nothing(facts: dict[str, Any]):
    assert [word for word in shown(facts) if word is not None] == []


def test_a_section_of_any_length_is_kept_and_found():
    """A word that is too long for an index would keep a turn from ending."""
    section = f"manual#{'x' * 5_000}"
    (turn,) = stored.turns(1)
    stored.record(turn, passes=[{"pass": 1, "chunks": [{"chunk": section}]}])
    assert shown({"passes": [{"chunks": [{"chunk": section}]}]}) == [f"first {section}"[:LONGEST]]
    assert list(Turn.objects.filter(record_shows(f"first {section}"))) == [turn]
    assert LONGEST < 2_704 / 4  # the bytes of a word of an index, by the longest letters


@pytest.mark.parametrize(
    "filters",
    [
        {"shows": "rescued"},
        {"shows": "control_missed"},
        {"control": "groundedness"},
        {"control": "scope", "outcome": "missing"},
        {"section": "refunds#timing"},
    ],
)
def test_lists_ask_for_what_the_index_has(filters: dict[str, str]):
    """In its very words, which is how the database knows that it may use it."""
    condition = str(queries.chosen(filters).query).partition("WHERE")[2]
    words = r'\(plumbline_shows\("chat_decisionrecord"\."facts"\) @> [^)]+\)'
    assert re.search(words, condition)
    assert '"facts"' not in re.sub(words, "", condition)


def test_the_index_answers_it():
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(
            "EXPLAIN SELECT FROM chat_decisionrecord"
            " WHERE plumbline_shows(facts) @> ARRAY['rescued']"
        )
        plan = " ".join(line for (line,) in cursor.fetchall())
    assert "record_shows_gin" in plan


def test_a_turn_without_a_record_shows_nothing():
    stored.turns(1, passes=2)
    assert not Turn.objects.filter(SHOWS["rescued"] | SHOWS["control_missed"]).exists()
