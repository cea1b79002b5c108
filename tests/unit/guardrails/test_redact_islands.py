"""The stretches around digits hold all digits, with enough beside them, and nothing twice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.guardrails.personal_data.identities import identity_spans
from chat.guardrails.personal_data.islands import islands
from chat.guardrails.personal_data.numbers import number_spans

FAR = "word " * 200
TEXTS = st.lists(
    st.sampled_from(["4111 1111 1111 1111", "SSN 123-45-6789", "7", FAR, "word ", "\n", "x" * 320])
).map("".join)


@given(TEXTS)
def test_they_are_parts_of_the_text_in_order_and_apart(text: str) -> None:
    end = 0
    for place, part in islands(text):
        assert text[place : place + len(part)] == part
        assert place >= end
        end = place + len(part)


@given(TEXTS)
def test_no_digit_is_left_out(text: str) -> None:
    held = "".join(part for _, part in islands(text))
    assert sum(map(str.isdigit, held)) == sum(map(str.isdigit, text))


@pytest.mark.parametrize("recognise", [number_spans, identity_spans])
@given(text=TEXTS)
def test_what_is_found_in_them_is_what_is_found_in_the_whole(recognise, text: str) -> None:
    parts = [
        (place + start, place + end, kind)
        for place, part in islands(text)
        for start, end, kind in recognise(part)
    ]
    assert parts == list(recognise(text))


@pytest.mark.parametrize("text", ["", "no digit at all", FAR])
def test_without_a_digit_there_is_none(text: str) -> None:
    assert list(islands(text)) == []
