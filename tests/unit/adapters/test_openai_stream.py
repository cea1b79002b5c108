"""Silence is counted between tokens, and text comes out in whole characters."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.adapters.openai_faults import Failed
from chat.adapters.openai_stream import StreamReader
from chat.adapters.openai_text import storable
from chat.adapters.openai_usage import Meter
from tests.doubles import virtual_time
from tests.doubles.wire import USAGE

TIMEOUT = 10.0
END = {"choices": [{"delta": {}, "finish_reason": "stop"}]}


def text(content: str) -> dict[str, Any]:
    return {"choices": [{"delta": {"content": content}}]}


def delta(**fields: Any) -> dict[str, Any]:
    return {"choices": [{"delta": fields}]}


def read(*timed: tuple[float, dict[str, Any]], meter: Meter | None = None) -> str:
    """The whole text of a stream whose events come after the given waits, in seconds."""

    async def events() -> AsyncGenerator[Any, None]:
        for wait, found in timed:
            await asyncio.sleep(wait)
            yield found

    async def work() -> str:
        reader, texts = StreamReader(events(), TIMEOUT, meter or Meter()), []
        while piece := await reader.next_text():
            texts.append(piece)
        return "".join(texts)

    return virtual_time.run(work())


def test_a_stream_may_take_far_longer_than_the_timeout_in_all() -> None:
    timed = [(9.0, text("a"))] * 50
    assert read(*timed, (9.0, END)) == "a" * 50


@pytest.mark.parametrize("before", [[], [(0.0, text("a"))]], ids=["first", "between"])
def test_silence_before_a_token_is_a_timeout(before: list[tuple[float, Any]]) -> None:
    with pytest.raises(TimeoutError):
        read(*before, (10.5, text("b")), (0.0, END))


def test_the_role_and_empty_events_do_not_count_as_tokens() -> None:
    with pytest.raises(TimeoutError):
        read((6.0, delta(role="assistant", content="")), (6.0, text("a")), (0.0, END))


def test_thinking_aloud_counts_as_tokens_but_is_no_text() -> None:
    thought = delta(reasoning_content="hm")
    assert read((6.0, thought), (6.0, thought), (6.0, text("a")), (0.0, END)) == "a"


def test_a_stream_without_an_end_was_cut() -> None:
    with pytest.raises(Failed, match="cut_stream"):
        read((0.0, text("a")))


def test_a_finished_reply_does_not_wait_long_for_its_usage() -> None:
    meter = Meter()
    assert read((0.0, text("a")), (0.0, END), (9.0, {"usage": USAGE}), meter=meter) == "a"
    assert meter.tokens.total == 0


def test_usage_that_grows_with_every_event_is_counted_once() -> None:
    meter = Meter()
    first = text("a") | {"usage": {"prompt_tokens": 120, "completion_tokens": 1}}
    read((0.0, first), (0.0, END | {"usage": USAGE}), meter=meter)
    assert meter.tokens.total == 150


def test_usage_that_came_before_a_failure_is_counted() -> None:
    meter = Meter()
    with pytest.raises(TimeoutError):
        read((0.0, text("a") | {"usage": USAGE}), (11.0, END), meter=meter)
    assert meter.tokens.total == 150


def test_a_body_without_events_was_no_stream() -> None:
    with pytest.raises(Failed, match="invalid"):
        read()


@pytest.mark.parametrize(
    "event",
    [delta(refusal="I cannot"), {"choices": [{"delta": {}, "finish_reason": "content_filter"}]}],
    ids=["refusal", "filter"],
)
def test_a_refusal_in_a_stream_is_not_text(event: dict[str, Any]) -> None:
    with pytest.raises(Failed, match="refused"):
        read((0.0, text("a")), (0.0, event), (0.0, END))


def test_a_reply_that_ran_into_its_length_limit_is_marked() -> None:
    meter = Meter()
    cut = {"choices": [{"delta": {}, "finish_reason": "length"}]}
    assert read((0.0, text("a")), (0.0, cut), meter=meter) == "a"
    assert meter.cut_short


@given(st.text(min_size=1), st.data())
def test_characters_cut_into_surrogates_come_out_whole(words: str, draw: st.DataObject) -> None:
    words = words.replace("\0", "")
    units = words.encode("utf-16-le")
    cut = 2 * draw.draw(st.integers(0, len(units) // 2))
    halves = [
        units[:cut].decode("utf-16-le", "surrogatepass"),
        units[cut:].decode("utf-16-le", "surrogatepass"),
    ]
    assert read(*((0.0, text(half)) for half in halves), (0.0, END)) == words


def test_half_a_character_at_the_end_is_shown_as_missing() -> None:
    assert read((0.0, text("a\ud83d")), (0.0, END)) == "a\ufffd"


@given(st.text(st.characters(exclude_categories=())))
def test_what_leaves_the_adapter_can_be_stored_and_sent(words: str) -> None:
    clean = storable(words)
    assert "\0" not in clean
    assert clean.encode().decode() == clean
