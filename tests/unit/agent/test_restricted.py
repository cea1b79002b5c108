"""A question that the site does not answer is told so in fixed words, before any work is done."""

from __future__ import annotations

from typing import Any

import pytest

from chat.contracts.events import Answer, Decision
from chat.contracts.site_rules import RestrictedCategory, SiteRules
from chat.contracts.tasks import Attachment, Exchange, PauseReply
from chat.contracts.verdicts import (
    Control,
    Level,
    Outcome,
    Termination,
    TopicLabel,
    TopicVerdict,
)
from tests.doubles.models import ON_TOPIC, VAGUE, Fails, ScriptedModel
from tests.doubles.tools import Tools
from tests.factories import QUESTION, ports
from tests.unit.agent.running import Told, run

REPLY = "Nobody here may advise on tax. What a plan costs can be answered, and a tax adviser knows."
TAX = RestrictedCategory(
    name="tax",
    title="Tax advice",
    rules=(r"\bshould i (?:pay|declare)\b",),
    cues=("tax",),
    threshold=0.6,
    reply=REPLY,
)
SITE = SiteRules(restricted=(TAX,))
ASKS = "Should I declare this?"


def sure(score: float, label: TopicLabel = TopicLabel.RELEVANT) -> TopicVerdict:
    return TopicVerdict(label=label, confidence=Level.HIGH, restricted={"tax": score})


async def asked(question: str, *, model: ScriptedModel | None = None, **more: Any) -> Told:
    return await run(ports(model or ScriptedModel(), site=SITE), question, **more)


def scope(told: Told) -> Decision:
    (found,) = (d for d in told.all(Decision) if d.control is Control.SCOPE)
    return found


async def test_a_rule_speaks_before_anything_is_spent() -> None:
    model = ScriptedModel()
    told = await asked(ASKS, model=model)
    assert (told.termination, model.asked) == (Termination.RESTRICTED, [])
    assert told.one(Answer).text == REPLY
    assert told.path == ["screen_input", "handle_off_topic", "final_gate", "deliver"]
    assert (scope(told).outcome, scope(told).reason) == (Outcome.ACTED, "a rule of tax")


async def test_a_follow_up_is_held_against_the_rules_as_it_stands_alone() -> None:
    model = ScriptedModel(standalones=[ASKS])
    told = await asked("And that?", model=model, history=[Exchange(question="q", answer="a")])
    assert told.termination is Termination.RESTRICTED
    assert model.purposes() == ["standalone"]


@pytest.mark.parametrize(
    ("score", "ends"), [(0.6, Termination.RESTRICTED), (0.59, Termination.NO_PROGRESS)]
)
async def test_a_classifier_counts_from_the_categorys_own_threshold_on(
    score: float, ends: Termination
) -> None:
    told = await asked(QUESTION, model=ScriptedModel(topics=[sure(score)]))
    assert told.termination in (ends, Termination.NO_EVIDENCE if score < 0.6 else ends)


async def test_a_restricted_question_that_is_off_topic_too_is_told_why_it_is_not_answered() -> None:
    told = await asked(QUESTION, model=ScriptedModel(topics=[sure(0.9, TopicLabel.IRRELEVANT)]))
    assert told.one(Answer).text == REPLY
    assert scope(told).reason == "tax 0.90"


async def test_a_reply_to_a_question_back_is_held_against_the_rules() -> None:
    model = ScriptedModel(clarities=[VAGUE], topics=[ON_TOPIC], standalones=[ASKS])
    told = await asked("what about it", model=model, replies=[PauseReply(text="declare")])
    assert told.termination is Termination.RESTRICTED


async def test_without_a_classifier_a_suspicious_question_is_not_answered() -> None:
    told = await asked("What is the tax on a plan?", model=ScriptedModel(topics=[Fails()]))
    assert told.termination is Termination.CONTROL_FAILED
    assert scope(told).outcome is Outcome.FAILED_CLOSED
    assert told.one(Answer).text != REPLY


async def test_without_a_classifier_a_plain_question_is_searched() -> None:
    told = await asked(QUESTION, model=ScriptedModel(topics=[Fails()]))
    assert "retrieve" in told.path
    assert scope(told).outcome is Outcome.FAILED_OPEN


async def test_the_plain_path_keeps_the_rules() -> None:
    told = await run(ports(ScriptedModel(), site=SITE, agentic=False), ASKS)
    assert told.termination is Termination.RESTRICTED


async def test_a_person_in_danger_gets_help_and_no_rule() -> None:
    told = await asked(f"I want to kill myself. {ASKS}")
    assert told.termination is Termination.CRISIS


async def test_a_rule_reads_what_was_asked_of_a_pasted_text_and_not_the_text() -> None:
    pasted = "\n".join(f"Clause {n}: should I declare, it says, a value." for n in range(40))
    paste = (Attachment(name="Pasted document", kind="paste", characters=len(pasted)),)
    told = await asked(f"What does it say?\n\n{pasted}", attachments=paste)
    assert told.termination is not Termination.RESTRICTED
    told = await asked(f"{ASKS}\n\n{pasted}", attachments=paste)
    assert told.termination is Termination.RESTRICTED


FILE = (Attachment(name="letter.pdf", kind="document", characters=900),)


async def test_a_file_is_no_way_round_the_classifier() -> None:
    model = ScriptedModel(topics=[sure(0.9)])
    told = await asked("What is the tax on this?", model=model, attachments=FILE)
    assert (told.termination, scope(told).reason) == (Termination.RESTRICTED, "tax 0.90")


async def test_nor_is_a_tool() -> None:
    given = ports(ScriptedModel(topics=[sure(0.9)]), site=SITE, others={"tools": Tools()})
    told = await run(given, "Which partner can do my tax?")
    assert told.termination is Termination.RESTRICTED


async def test_a_question_about_a_file_is_not_turned_away_for_its_topic() -> None:
    model = ScriptedModel(topics=[sure(0.1, TopicLabel.IRRELEVANT)])
    told = await asked("What is the tax on this?", model=model, attachments=FILE)
    assert told.termination not in (Termination.OFF_TOPIC, Termination.RESTRICTED)
    assert (scope(told).outcome, scope(told).reason) == (Outcome.PASSED, "not restricted")


async def test_one_without_a_cue_costs_no_call() -> None:
    model = ScriptedModel()
    told = await asked("What is the notice period?", model=model, attachments=FILE)
    assert "topic" not in model.purposes() and scope(told).outcome is Outcome.SKIPPED
