"""The table of modes: what each leaves out, and which mode a message gets."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.contracts.verdicts import Intent, Level, Mode
from chat.guardrails.modes import MODES, Skip, context_level, mode_of

SKIPS = {
    Mode.STANDARD: "",
    Mode.DETAILED: "",
    Mode.TASK: "ambiguity clarification",
    Mode.DOCUMENT: "topic ambiguity clarification router",
    Mode.SUPPORTIVE: "clarification caveats",
    Mode.CRISIS: "topic ambiguity clarification router retrieval grounding caveats",
}


@pytest.mark.parametrize("mode", list(Mode))
def test_each_mode_skips_what_the_table_says(mode: Mode) -> None:
    assert MODES[mode].skips == frozenset(map(Skip, SKIPS[mode].split()))


@pytest.mark.parametrize("mode", list(Mode))
def test_each_mode_has_a_tone_and_a_reason(mode: Mode) -> None:
    policy = MODES[mode]
    assert policy.tone.endswith(".")
    assert policy.why.endswith(".")
    assert "!" not in policy.tone + policy.why


@pytest.mark.parametrize("mode", [mode for mode in Mode if mode is not Mode.CRISIS])
def test_only_a_crisis_skips_what_keeps_an_answer_true(mode: Mode) -> None:
    assert not MODES[mode].skips & {Skip.RETRIEVAL, Skip.GROUNDING}


@pytest.mark.parametrize(
    ("question", "intent", "distressed", "mode"),
    [
        ("How long does a refund take?", Intent.QUESTION, False, Mode.STANDARD),
        ("and for teams?", Intent.FOLLOW_UP, False, Mode.STANDARD),
        ("which office is near", Intent.LOOKUP, False, Mode.STANDARD),
        ("hello", Intent.GREETING, False, Mode.STANDARD),
        ("tell me more", Intent.FOLLOW_UP, False, Mode.DETAILED),
        ("Could you give me more details?", Intent.FOLLOW_UP, False, Mode.DETAILED),
        ("Explain refunds in detail", Intent.QUESTION, False, Mode.DETAILED),
        ("how do I restore a backup, step by step?", Intent.QUESTION, False, Mode.DETAILED),
        ("explain fully how billing works", Intent.QUESTION, False, Mode.DETAILED),
        ("walk me through the export", Intent.FOLLOW_UP, False, Mode.DETAILED),
        ("what does fully managed mean", Intent.QUESTION, False, Mode.STANDARD),
        ("was I fully refunded", Intent.QUESTION, False, Mode.STANDARD),
        ("open a ticket", Intent.ACTION, False, Mode.TASK),
        ("open a ticket", Intent.ACTION, True, Mode.SUPPORTIVE),
        ("I am so stressed, explain in detail", Intent.QUESTION, True, Mode.SUPPORTIVE),
        ("what does it say", Intent.DOCUMENT, True, Mode.DOCUMENT),
        ("I want to die", Intent.CRISIS, True, Mode.CRISIS),
        ("I want to die", Intent.CRISIS, False, Mode.CRISIS),
    ],
)
def test_a_message_gets_its_mode(
    question: str, intent: Intent, distressed: bool, mode: Mode
) -> None:
    assert mode_of(question, intent=intent, distressed=distressed) is mode


@given(st.text(max_size=200), st.sampled_from(list(Intent)), st.booleans())
def test_every_message_has_a_mode_and_only_a_crisis_is_one(
    text: str, intent: Intent, distressed: bool
) -> None:
    mode = mode_of(text, intent=intent, distressed=distressed)
    assert mode in MODES
    assert (mode is Mode.CRISIS) is (intent is Intent.CRISIS)


@pytest.mark.parametrize(("length", "intent"), list(itertools.product((0, 1, 5), Intent)))
def test_the_context_level_follows_history_and_intent(length: int, intent: Intent) -> None:
    if length == 0:
        expected = Level.LOW
    else:
        expected = Level.HIGH if intent is Intent.FOLLOW_UP else Level.MEDIUM
    assert context_level(length, intent) is expected
