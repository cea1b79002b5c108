"""LangGraph's stream parts become events, in the order in which a reader wants them."""

from __future__ import annotations

from typing import Any

import pytest

from chat.agent.graph import NODE_OF
from chat.contracts.events import (
    Body,
    Decision,
    DraftWithdrawn,
    Stage,
    StateDiff,
    Token,
    TurnStarted,
)
from chat.contracts.ports import AgentSettings
from chat.contracts.tasks import Pause, PauseReply
from chat.contracts.verdicts import Control, Grade, GradeLabel, Outcome
from chat.runtime.translate import (
    LONGEST,
    LONGEST_REPLY,
    STREAM_MODES,
    WAITING,
    Translator,
    asked,
    said,
    shortened,
)
from tests.doubles.models import FixedClock
from tests.factories import events, hit, passage
from tests.unit.contracts.examples import MESSAGE

CHECKED = Decision(control=Control.FINAL_GATE, outcome=Outcome.PASSED)


def enter(node: str, task: str = "t1", **state: Any) -> tuple[str, Any]:
    return "tasks", {"id": task, "name": node, "input": state, "triggers": ()}


def leave(node: str, task: str = "t1", **update: Any) -> tuple[str, Any]:
    return "tasks", {"id": task, "name": node, "error": None, "result": update, "interrupts": ()}


def pauses(node: str, pause: Pause, task: str = "t1") -> tuple[str, Any]:
    waiting = [{"value": pause.model_dump(mode="json"), "id": "i", "response_schema": None}]
    return "tasks", {"id": task, "name": node, "error": None, "result": {}, "interrupts": waiting}


def wrote(text: str) -> tuple[str, Any]:
    return "custom", text


def translated(*parts: tuple[str, Any], clock: FixedClock | None = None) -> list[Body]:
    translator = Translator(clock or FixedClock())
    return [body for mode, part in parts for body in translator.bodies(mode, part)]


def test_a_node_is_entered_writes_changes_decides_and_is_left() -> None:
    told = translated(
        enter("generate_response"),
        wrote("Five "),
        wrote("days"),
        leave("generate_response", draft="Five days", emit=(CHECKED,)),
    )
    assert [type(body) for body in told] == [Stage, Token, Token, StateDiff, Decision, Stage]
    assert (told[0].phase, told[-1].phase) == ("enter", "leave")  # type: ignore[attr-defined]
    assert told[3] == StateDiff(node="generate_response", changed={"draft": "Five days"})


def test_emitted_events_keep_their_order() -> None:
    emitted = (CHECKED, TurnStarted(question="q", message=MESSAGE, kind="ask"), CHECKED)
    told = translated(enter("final_gate"), leave("final_gate", emit=emitted))
    assert tuple(told[1:-1]) == emitted


def test_tokens_count_the_characters_before_them() -> None:
    told = translated(enter("generate_response"), wrote("Fünf "), wrote(""), wrote("Tage"))
    assert told[1:] == [Token(offset=0, text="Fünf "), Token(offset=5, text="Tage")]


def test_the_time_in_a_node_is_told_in_milliseconds_when_it_is_left() -> None:
    clock = FixedClock()
    translator = Translator(clock)
    list(translator.bodies(*enter("retrieve")))
    clock.move(0.0125)
    *_, stage = translator.bodies(*leave("retrieve", passes=1))
    assert isinstance(stage, Stage)
    assert stage.ms == pytest.approx(12.5)


def test_a_node_is_left_under_the_label_it_was_entered_with() -> None:
    hits = (hit(passage()), hit(passage("refunds#eligibility")))
    first, *_, last = translated(
        enter("assess_relevance", hits=hits), leave("assess_relevance", accepted=())
    )
    assert isinstance(first, Stage) and isinstance(last, Stage)
    assert (first.label, last.label) == ("Reading 2 passages", "Reading 2 passages")


def test_two_visits_of_one_node_have_their_own_times() -> None:
    clock = FixedClock()
    translator = Translator(clock)
    list(translator.bodies(*enter("retrieve", "t1")))
    clock.move(1.0)
    list(translator.bodies(*enter("retrieve", "t2", rewrites=1)))
    clock.move(1.0)
    (*_, second) = translator.bodies(*leave("retrieve", "t2"))
    (*_, first) = translator.bodies(*leave("retrieve", "t1"))
    assert isinstance(first, Stage) and isinstance(second, Stage)
    assert (first.ms, second.ms) == (2_000.0, 1_000.0)
    assert first.label != second.label


def test_settings_history_and_events_are_no_change_of_a_node() -> None:
    told = translated(
        enter("screen_input"),
        leave("screen_input", limits=AgentSettings(), history=(), started=1.0, emit=(CHECKED,)),
    )
    assert not any(isinstance(body, StateDiff) for body in told)


def test_a_node_that_changed_nothing_has_no_diff() -> None:
    assert [type(b) for b in translated(enter("final_gate"), leave("final_gate"))] == [Stage, Stage]


def test_a_model_that_fails_after_its_first_token_withdraws_the_draft() -> None:
    told = translated(
        enter("generate_response"),
        wrote("Five "),
        leave("generate_response", model_failed="cut_stream", text=""),
    )
    kinds = [type(body) for body in told]
    assert kinds.index(DraftWithdrawn) == kinds.index(Token) + 1


def test_a_draft_after_a_withdrawn_one_begins_at_its_start() -> None:
    told = translated(
        enter("generate_response"),
        wrote("Five "),
        leave("generate_response", model_failed="cut_stream"),
        enter("generate_response", "t2"),
        wrote("Ten"),
    )
    assert told[-1] == Token(offset=0, text="Ten")


def test_a_node_says_why_it_voids_the_draft_before_its_other_events() -> None:
    told = translated(
        enter("generate_response"),
        wrote("Five "),
        leave("generate_response", draft="Five "),
        enter("final_gate", "t2"),
        leave("final_gate", "t2", withdrawn="Nothing supports it.", emit=(CHECKED,)),
        enter("generate_response", "t3"),
        wrote("Ten"),
    )
    voided = told.index(DraftWithdrawn(why="Nothing supports it."))
    assert voided < told.index(CHECKED)
    assert told[-1] == Token(offset=0, text="Ten")
    assert not any("withdrawn" in body.changed for body in told if isinstance(body, StateDiff))


@pytest.mark.parametrize(
    "update",
    [{"model_failed": "timeout"}, {"model_failed": ""}, {"withdrawn": "why"}, {"withdrawn": ""}],
    ids=str,
)
def test_without_a_token_there_is_nothing_to_withdraw(update: dict[str, Any]) -> None:
    told = translated(enter("generate_response"), leave("generate_response", **update))
    assert not any(isinstance(body, DraftWithdrawn) for body in told)


@pytest.mark.parametrize("mode", ["values", "updates", "messages", "debug", ""])
def test_an_unknown_mode_raises(mode: str) -> None:
    with pytest.raises(ValueError, match="no translation"):
        list(Translator(FixedClock()).bodies(mode, {}))


def test_an_unknown_node_raises() -> None:
    with pytest.raises(KeyError):
        list(Translator(FixedClock()).bodies(*enter("daydream")))


def test_only_the_modes_that_are_translated_are_asked_for() -> None:
    assert set(STREAM_MODES) == {"tasks", "custom"}


# ---- pauses

ASKS = Pause(kind="clarification", question="Which plan?", options=("Monthly", "Yearly"))
REPLY = PauseReply(text="The yearly plan", key="k")


def test_a_node_that_waits_is_paused_and_neither_changes_nor_leaves() -> None:
    told = translated(enter("enhance_query"), pauses("enhance_query", ASKS))
    assert told[1:] == [Stage(node="enhance_query", phase="paused", label=WAITING)]


def test_what_a_part_waits_for_is_read_from_it() -> None:
    assert asked(pauses("enhance_query", ASKS)[1]) == ASKS
    assert asked(leave("enhance_query")[1]) is None
    assert asked(enter("enhance_query")[1]) is None


def test_the_node_that_waited_is_left_with_what_the_person_said_and_no_other() -> None:
    clock = FixedClock()
    translator = Translator(clock, reply=REPLY)
    parts = [enter("enhance_query"), leave("enhance_query", standalone="q"), enter("retrieve", "t")]
    told = [body for mode, part in parts for body in translator.bodies(mode, part)]
    told += translator.bodies(*leave("retrieve", "t"))
    labels = [b.label for b in told if isinstance(b, Stage) and b.phase == "leave"]
    assert labels[0] == "You answered “The yearly plan”"
    assert "You answered" not in labels[1]


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (REPLY, "You answered “The yearly plan”"),
        (PauseReply(text="y" * 81), f"You answered “{'y' * LONGEST_REPLY}…”"),
        (PauseReply(approved=True, key="k"), "You agreed"),
        (PauseReply(key="k"), "You declined"),
        (PauseReply(expired=True), "No reply came"),
        (PauseReply(expired=True, approved=True, text="late"), "No reply came"),
    ],
    ids=str,
)
def test_a_reply_is_told_in_plain_words(reply: PauseReply, words: str) -> None:
    assert said(reply) == words


def test_a_draft_that_is_shown_already_goes_on_where_it_ends() -> None:
    translator = Translator(FixedClock(), offset=5)
    parts = [enter("generate_response"), wrote("days")]
    told = [body for mode, part in parts for body in translator.bodies(mode, part)]
    assert told[-1] == Token(offset=5, text="days")


# ---- values of a diff


def test_a_long_text_is_cut_and_says_its_full_length() -> None:
    told = shortened("a" * (LONGEST + 1_000))
    assert told == "a" * LONGEST + "… (1,600 characters)"
    assert shortened("a" * LONGEST) == "a" * LONGEST


def test_long_texts_are_cut_however_deep_they_stand() -> None:
    long = passage(text="b" * 5_000)
    told = shortened({"accepted": (long,), "verdicts": {"c": Grade(label=GradeLabel.ANSWERS)}})
    assert told["accepted"][0]["text"].endswith("… (5,000 characters)")
    assert told["verdicts"]["c"]["label"] == "ANSWERS"


@pytest.mark.parametrize("value", [None, True, 3, 0.5, "short", [], {}])
def test_plain_values_stay_as_they_are(value: Any) -> None:
    assert shortened(value) == value


def test_a_diff_is_plain_json_on_the_wire() -> None:
    update: dict[str, Any] = {
        "hits": (hit(passage()),),
        "topic": None,
        "passes": 1,
        "covered": {"q": True},
    }
    told = translated(enter("retrieve"), leave("retrieve", **update))
    (diff,) = (body for body in told if isinstance(body, StateDiff))
    data = events([diff])[0].data()
    assert data["changed"]["hits"][0]["passage"]["chunk"] == "refunds#timing"
    assert set(data["changed"]) == set(update)


@pytest.mark.parametrize("node", sorted(NODE_OF))
def test_every_node_can_be_entered_and_left(node: str) -> None:
    first, last = translated(enter(node), leave(node))
    assert isinstance(first, Stage) and isinstance(last, Stage)
    assert first.node == last.node == node
