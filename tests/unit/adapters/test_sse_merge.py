"""Merging changes how often text comes, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from openai._streaming import SSEDecoder

from chat.adapters.sse_merge import SseMerger
from tests.doubles.wire import chunk, event

texts = st.text(st.characters(exclude_categories=()), max_size=4)
CALLS = [{"index": 0, "function": {"arguments": "[DONE]"}}]
OTHERS = [
    b": keep-alive\n\n",
    b"id: 7\ndata: {}\n\n",
    b"data: [1,\ndata: 2]\n\n",
    b"\n",
    chunk("m", {}, finish="stop"),
    chunk("m", None, usage={"prompt_tokens": 3}),
]
# What may stand in a delta, in an event and in a choice besides text; mostly nothing does.
FIELDS = [{}, {"role": "assistant"}, {"refusal": None}, {"reasoning": "hm"}, {"tool_calls": CALLS}]
EXTRAS = [{}, {"obfuscation": "x7"}, {"created": 5}, {"model": "n"}, {"usage": {"total_tokens": 3}}]
LINES = [b"", b"event: note\n"]


def mostly_first(values: Sequence[Any]) -> st.SearchStrategy[Any]:
    return st.sampled_from([values[0]] * len(values) + list(values))


@st.composite
def runs(draw: st.DrawFn) -> bytes:
    """Neighbouring events that differ in their text alone, as some server would write them."""
    fields, extras = draw(mostly_first(FIELDS)), draw(mostly_first(EXTRAS))
    finish, line = draw(mostly_first([None, "stop"])), draw(mostly_first(LINES))
    cut = draw(mostly_first([b"", b"\ndata: "]))
    run = b""
    for text in draw(st.lists(texts, min_size=1, max_size=3)):
        data = json.loads(chunk("m", {"content": text} | fields, finish=finish)[6:])
        run += line + event(data | extras).replace(b'"choices": [', cut + b'"choices": [')
    return run


@st.composite
def split_streams(draw: st.DrawFn) -> tuple[bytes, list[bytes]]:
    """A stream, and the same stream cut into reads at any places."""
    parts = draw(st.lists(st.one_of(runs(), runs(), st.sampled_from(OTHERS)), max_size=8))
    line_ends = [draw(mostly_first([b"\n", b"\r\n", b"\r"])) for _ in parts]
    pairs = zip(parts, line_ends, strict=True)
    stream = b"".join(part.replace(b"\n", line_end) for part, line_end in pairs)
    cuts = sorted(draw(st.lists(st.integers(0, len(stream)), max_size=6)))
    ends = [*cuts, len(stream)]
    reads = [stream[start:end] for start, end in zip([0, *cuts], ends, strict=True)]
    return stream, reads


def decoded(stream: bytes) -> list[Any]:
    """The events as the client library sees them, without those that say nothing."""
    found = SSEDecoder().iter_bytes(iter([stream]))
    return [(event.event, json.loads(event.data)) for event in found if event.data]


def outline(stream: bytes) -> tuple[bytes, list[Any]]:
    """All content, and all else, with how much content stood before it.

    Of neighbours that hold nothing but text, what they hold besides the text is named once.
    """
    content = ""
    rest: list[Any] = []
    for name, data in decoded(stream):
        before = len(content)
        plain = name is None and isinstance(data, dict) and is_plain(data)
        if isinstance(data, dict) and data.get("choices"):
            content += data["choices"][0]["delta"].pop("content", None) or ""
            data = {k: v for k, v in data.items() if k not in ("created", "obfuscation")}
        if not plain:
            rest.append((name, data, before))
        elif not rest or rest[-1] != (name, data, None):
            rest.append((name, data, None))
    return content.encode("utf-16-le", "surrogatepass"), rest


def is_plain(data: dict[str, Any]) -> bool:
    """Does the event hold text and nothing else that matters?"""
    if not data.get("choices") or data.get("usage"):
        return False
    choice = data["choices"][0]
    others = {k: v for k, v in choice["delta"].items() if k not in ("content", "role")}
    return bool(choice["delta"].get("content")) and not (
        choice["finish_reason"] or any(others.values())
    )


def contents(stream: bytes) -> list[str]:
    """The content of each event."""
    return [data["choices"][0]["delta"]["content"] for _, data in decoded(stream)]


def merged(reads: Iterable[bytes]) -> bytes:
    merger = SseMerger()
    return b"".join([*(merger.feed(read) for read in reads), merger.rest()])


@given(split_streams())
def test_no_split_and_no_sequence_of_deltas_changes_what_is_read(
    stream: tuple[bytes, list[bytes]],
) -> None:
    whole, reads = stream
    assert outline(merged(reads)) == outline(whole)


@given(st.lists(st.text(min_size=1), min_size=1), st.sampled_from([b"\n", b"\r\n", b"\r"]))
def test_text_that_waits_becomes_one_event(pieces: list[str], line_end: bytes) -> None:
    stream = b"".join(chunk("m", {"content": piece}) for piece in pieces)
    merger = SseMerger()
    assert contents(merger.feed(stream.replace(b"\n", line_end))) == ["".join(pieces)]
    assert merger.texts == len(pieces)


def test_a_single_event_passes_byte_for_byte() -> None:
    odd = b'data:  {"choices":[{"delta":{"content":"\xc3\xa9"},"index":0}]}\r\n\r\n'
    assert SseMerger().feed(odd) == odd


def test_a_character_split_over_two_reads_is_whole() -> None:
    data = '{"choices":[{"index":0,"delta":{"content":"é€"}}]}'
    stream = f"data: {data}\n\n".encode()
    for cut in range(len(stream)):
        assert merged([stream[:cut], stream[cut:]]) == stream


def test_cr_lf_is_one_line_end_and_closes_no_event() -> None:
    text = chunk("m", {"content": "a"})
    stream = (b"event: note\n" + text + text).replace(b"\n", b"\r\n")
    assert merged([stream]) == stream


def test_an_event_that_was_cut_off_passes_as_it_came() -> None:
    whole = chunk("m", {"content": "a"})
    assert merged([whole + whole[:40]]) == whole + whole[:40]


def test_halves_of_a_surrogate_pair_in_two_events_meet() -> None:
    stream = chunk("m", {"content": "\ud83d"}) + chunk("m", {"content": "\ude00"})
    assert contents(merged([stream])) == ["😀"]


def test_a_tool_call_between_two_texts_keeps_its_place() -> None:
    call = chunk("m", {"tool_calls": [{"index": 0, "function": {"arguments": "{}"}}]})
    text = chunk("m", {"content": "a"})
    assert merged([text + call + text]) == text + call + text


def test_choices_are_never_mixed() -> None:
    first = {"choices": [{"index": 0, "delta": {"content": "a"}}]}
    second = {"choices": [{"index": 1, "delta": {"content": "b"}}]}
    stream = event(first) + event(second)
    assert merged([stream]) == stream


def test_padding_that_hides_lengths_does_not_keep_texts_apart() -> None:
    pieces = [{"choices": [{"index": 0, "delta": {"content": c}}]} for c in "ab"]
    stream = b"".join(event(p | {"obfuscation": str(n)}) for n, p in enumerate(pieces))
    assert contents(merged([stream])) == ["ab"]


def test_only_the_closing_mark_is_the_end() -> None:
    merger = SseMerger()
    merger.feed(chunk("m", {"tool_calls": [{"function": {"arguments": "[DONE]"}}]}))
    merger.feed(chunk("m", {"content": "[DONE]"}))
    assert not merger.done
    merger.feed(b"data: [DONE]\n\n")
    assert merger.done
