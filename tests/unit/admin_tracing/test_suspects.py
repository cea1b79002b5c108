"""A suspect names something that a record can hold, and says itself in words."""

from __future__ import annotations

import pytest

from admin_tracing.suspects import BadSuspect, Suspect, SuspectKind

CONTROL, DOCUMENT, PROMPT, MODEL = SuspectKind


@pytest.mark.parametrize(
    ("suspect", "words"),
    [
        (Suspect(CONTROL, "groundedness", "failed_closed"), "control groundedness failed closed"),
        (Suspect(CONTROL, "final_gate", "missing"), "control final gate missing"),
        (Suspect(DOCUMENT, "refunds", "2"), "document refunds, version 2"),
        (Suspect(DOCUMENT, "refunds"), "document refunds, any version"),
        (Suspect(PROMPT, "check", "3a"), "prompt check, version 3a"),
        (Suspect(PROMPT, "check"), "prompt check, any version"),
        (Suspect(MODEL, "small-2"), "model small-2"),
    ],
)
def test_a_suspect_says_itself(suspect: Suspect, words: str) -> None:
    assert str(suspect) == words


@pytest.mark.parametrize(
    ("kind", "name", "value", "why"),
    [
        (CONTROL, "weather", "failed_open", "one of the controls"),
        (CONTROL, "scope", "", "what became of the control"),
        (CONTROL, "scope", "asleep", "what became of the control"),
        (DOCUMENT, "", "1", "slug"),
        (DOCUMENT, "refunds#timing", "1", "slug"),
        (DOCUMENT, "refunds", "two", "number"),
        (DOCUMENT, "refunds", "²", "number"),
        (DOCUMENT, "refunds", "9" * 10, "number"),
        (PROMPT, "", "1", "purpose"),
        (PROMPT, "check 3", "", "purpose"),
        (MODEL, "", "", "Name the model"),
        (MODEL, "small", "2", "nothing beside its name"),
    ],
)
def test_what_no_record_holds_is_refused(
    kind: SuspectKind, name: str, value: str, why: str
) -> None:
    with pytest.raises(BadSuspect, match=why):
        Suspect(kind, name, value)
