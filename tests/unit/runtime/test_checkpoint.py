"""A turn's checkpoint is plain JSON, comes back as it was, and one that does not fit is refused."""

from __future__ import annotations

import json
from typing import Any, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.agent.state import TurnState
from chat.contracts.ports import AgentSettings
from chat.contracts.tasks import ToolCall
from chat.runtime.checkpoint import GIVEN, SCHEMA, StaleCheckpoint, TurnCheckpoint

CONFIG = {"configurable": {"thread_id": "turn", "checkpoint_ns": ""}}
LIMITS = AgentSettings(max_rewrites=1)
ASKED = {"kind": "clarification", "question": "Which plan?", "options": ["Monthly", "Yearly"]}

# A text of PostgreSQL's JSON has neither NUL nor lone surrogates; a number is finite.
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=20)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2),
    max_leaves=4,
)
CALLS = st.builds(
    ToolCall,
    id=TEXTS,
    tool=TEXTS,
    arguments=st.none() | st.dictionaries(TEXTS, PLAIN, max_size=2),
)


def states() -> st.SearchStrategy[dict[str, Any]]:
    """A state in which every field is set, by its own annotation."""
    st.register_type_strategy(str, TEXTS)
    st.register_type_strategy(float, NUMBERS)
    st.register_type_strategy(ToolCall, CALLS)
    fields = {name: st.from_type(hint) for name, hint in get_type_hints(TurnState).items()}
    return st.fixed_dictionaries({n: s for n, s in fields.items() if n not in GIVEN})


def checkpoint(**values: Any) -> dict[str, Any]:
    """What LangGraph hands over when a turn pauses in `generate_clarification`."""
    return {
        "v": 4,
        "id": "1f1ec68c-bd52-6f1c-8001-4dbe922258ae",
        "ts": "2026-11-30T02:50:26+00:00",
        "channel_values": {**values, "branch:to:generate_clarification": None},
        "channel_versions": {"__start__": 2, "question": 2, "branch:to:enhance_query": 3},
        "versions_seen": {"__input__": {}, "screen_input": {"branch:to:screen_input": 2}},
        "updated_channels": ["question"],
    }


async def stored(**values: Any) -> dict[str, Any]:
    """A checkpoint with its interrupt as it comes back from a JSON column."""
    made = TurnCheckpoint()
    metadata = {"source": "loop", "step": 3, "parents": {}, "run_id": "not ours"}
    named = await made.aput(CONFIG, checkpoint(**values), metadata, {})
    await made.aput_writes(named, [("__interrupt__", (_interrupt(),))], "task")
    return dict(json.loads(json.dumps(made.as_json(), allow_nan=False)))


def _interrupt() -> Any:
    from langgraph.types import Interrupt

    return Interrupt(value=ASKED, id="219144c947a4126353cfac0b7ab31bdd")


async def loaded(data: Any, **given_: Any) -> Any:
    made = TurnCheckpoint.loaded(data, **{"started": 90.0, "limits": LIMITS, **given_})
    found = await made.aget_tuple(CONFIG)
    assert found is not None
    return found


@given(state=states())
async def test_every_field_comes_back_as_it_was_and_is_stored_the_same_again(
    state: dict[str, Any],
) -> None:
    data = await stored(**state, started=12.0, emit=(), limits=AgentSettings())
    _assert_stored_the_same_again(data)
    found = await loaded(data)
    values = dict(found.checkpoint["channel_values"])
    assert values.pop("branch:to:generate_clarification") is None
    assert values.pop("started") == 90.0
    assert values.pop("limits") == LIMITS
    assert values == state
    for name, value in state.items():
        assert type(values[name]) is type(value), name


def _assert_stored_the_same_again(data: dict[str, Any]) -> None:
    again = TurnCheckpoint.loaded(data, started=1.0, limits=LIMITS)
    assert json.loads(json.dumps(again.as_json())) == data


async def test_the_interrupt_and_where_it_stood_come_back() -> None:
    found = await loaded(await stored(question="Tell me about it"))
    ((task, channel, (interrupt,)),) = found.pending_writes
    assert (task, channel) == ("task", "__interrupt__")
    assert (interrupt.value, interrupt.id) == (ASKED, "219144c947a4126353cfac0b7ab31bdd")
    assert found.checkpoint["versions_seen"]["screen_input"] == {"branch:to:screen_input": 2}
    assert found.metadata == {"source": "loop", "step": 3, "parents": {}}
    assert found.config["configurable"]["checkpoint_id"] == found.checkpoint["id"]


async def test_writes_of_an_older_checkpoint_are_not_kept() -> None:
    made = TurnCheckpoint()
    old = {"configurable": {"checkpoint_id": "older"}}
    await made.aput_writes(old, [("__interrupt__", (_interrupt(),))], "task")
    await made.aput(CONFIG, checkpoint(), {"source": "loop", "step": 1, "parents": {}}, {})
    assert made.as_json()["writes"] == []


async def test_events_settings_and_clock_are_not_stored() -> None:
    data = await stored(question="q", started=1.0, limits=AgentSettings(contacts="c"), emit=())
    assert set(data["state"]) == {"question"}
    assert data["schema"] == SCHEMA


async def test_a_turn_that_never_paused_has_nothing_to_store() -> None:
    made = TurnCheckpoint()
    assert await made.aget_tuple(CONFIG) is None
    with pytest.raises(ValueError, match="no checkpoint"):
        made.as_json()


async def test_a_write_that_is_no_interrupt_is_a_defect() -> None:
    made = TurnCheckpoint()
    metadata = {"source": "loop", "step": 1, "parents": {}}
    named = await made.aput(CONFIG, checkpoint(), metadata, {})
    await made.aput_writes(named, [("question", "other")], "task")
    with pytest.raises(ValueError, match="no write to question"):
        made.as_json()


def without(data: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key != name}


@pytest.mark.parametrize(
    "change",
    [
        {"schema": SCHEMA + 1},
        {"schema": None},
        {"state": {"daydream": 1}},
        {"state": {"passes": "many"}},
        {"state": {"mode": "no such mode"}},
        {"state": {"accepted": [{"chunk": "only"}]}},
        {"state": []},
        {"next": ["branch:to:no_such_node"]},
        {"writes": [["task"]]},
        {"writes": [["task", [{"id": "no value"}]]]},
        {"metadata": None},
    ],
    ids=str,
)
async def test_a_checkpoint_that_does_not_fit_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(StaleCheckpoint):
        await loaded({**await stored(question="q"), **change})


@pytest.mark.parametrize("name", ["schema", "state", "next", "writes", "metadata", "id", "v"])
async def test_a_checkpoint_with_a_part_missing_is_refused(name: str) -> None:
    with pytest.raises(StaleCheckpoint):
        await loaded(without(await stored(question="q"), name))


@pytest.mark.parametrize("data", [None, [], "text", 3], ids=str)
async def test_what_is_no_checkpoint_at_all_is_refused(data: Any) -> None:
    with pytest.raises(StaleCheckpoint):
        await loaded(data)


async def test_a_refusal_does_not_quote_what_was_said() -> None:
    data = await stored(question="q")
    data["state"]["passes"] = "my private words"
    with pytest.raises(StaleCheckpoint) as refused:
        await loaded(data)
    assert "private" not in f"{refused.value!r} {refused.value.__cause__!r}"
