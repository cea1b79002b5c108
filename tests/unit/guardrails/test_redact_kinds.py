"""All kinds together: what may be kept, placeholders, and kinds that look alike."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chat.guardrails.input import KINDS, redact
from tests.canaries import ALL, CANARIES


def test_every_kind_has_a_canary() -> None:
    assert tuple(CANARIES) == KINDS


def test_a_text_with_every_kind_loses_each_of_them() -> None:
    done = redact(ALL)
    assert {kind: 1 for kind in KINDS} == done.counts
    assert all(canary not in done.text for canary in CANARIES.values())


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_that_is_kept_stays_whole_and_counts_for_nothing(kind: str) -> None:
    done = redact(ALL, keep=(kind,))
    assert CANARIES[kind] in done.text
    assert done.counts == {other: 1 for other in KINDS if other != kind}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_kept_is_not_taken_for_another_kind(kind: str) -> None:
    text = f"Mine is {CANARIES[kind]}."
    assert redact(text, keep=KINDS).text == text
    assert redact(text, keep=(kind,)).counts == {}


@pytest.mark.parametrize("kind", KINDS)
def test_a_placeholder_stays_and_says_nothing_of_its_neighbours(kind: str) -> None:
    for text in (f"[{kind}]", f"my [{kind}] is 12345678", f"account [{kind}] ok", f"Mr [{kind}]"):
        assert redact(text) == redact(redact(text).text)
        assert redact(text).text == text


PIECES = st.sampled_from(
    [*CANARIES.values(), *(f"[{kind}]" for kind in KINDS)]
    + ["my name is", "SSN", "account", "is my account", "version", "v", "Regards,", "Mr", "Name:"]
    + ["passport", "Jane", "jane smith", "123-45-6789", "12345678", "AB 12 34 56 C", "1.2.3.4", "-"]
    + [
        "order",
        "::1",
        "20-00-00",
        ".",
        "this is",
        "speaking",
        "(",
        ")",
        "\u200b",
        "１２３",
        "?",
        "name",
    ]
)


@given(st.lists(PIECES, max_size=9), st.sampled_from([" ", "", "\n", ", "]))
@settings(max_examples=300)
def test_a_second_redaction_changes_nothing(pieces: list[str], between: str) -> None:
    once = redact(between.join(pieces)).text
    assert redact(once).text == once


@given(st.text(max_size=200), st.sampled_from(sorted(CANARIES)), st.text(max_size=60))
@settings(max_examples=100)
def test_no_canary_survives_on_a_line_of_its_own(before: str, kind: str, after: str) -> None:
    written = "My name is Robin Canary" if kind == "name" else CANARIES[kind]
    assert CANARIES[kind] not in redact(f"{before}\n\n{written}\n\n{after}").text
