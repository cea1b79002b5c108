"""Neighbouring tokens become one row: no character is lost, and readers can still resume."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from chat.contracts.events import Event, Stage, Token
from chat.contracts.turn_view import fold
from chat.event_rows import merged
from tests.factories import events

STAGE = Stage(node="generate_response", phase="enter", label="Writing")

pieces = st.lists(st.text(min_size=1, max_size=5), min_size=1, max_size=12)


def draft(texts: list[str]) -> list[Event]:
    offsets = [sum(map(len, texts[:index])) for index in range(len(texts))]
    return events(Token(offset=o, text=t) for o, t in zip(offsets, texts, strict=True))


@given(pieces)
def test_one_token_carries_the_whole_text_and_the_last_number(texts: list[str]) -> None:
    told = draft(texts)
    (one,) = merged(told)
    assert one.body == Token(offset=0, text="".join(texts))
    assert (one.seq, one.at) == (told[-1].seq, told[-1].at)


@given(pieces, st.data())
def test_the_draft_is_the_same_from_every_point_of_resuming(
    texts: list[str], data: st.DataObject
) -> None:
    told = draft(texts)
    seen = fold(told[: data.draw(st.integers(0, len(told)))])
    rest = [event for event in merged(told) if event.seq > seen.seq]
    assert fold(rest, seen).draft == "".join(texts)


@given(pieces, st.data())
def test_merging_what_was_merged_in_parts_gives_the_same(
    texts: list[str], data: st.DataObject
) -> None:
    told = draft(texts)
    cut = data.draw(st.integers(0, len(told)))
    assert merged([*merged(told[:cut]), *merged(told[cut:])]) == merged(told)


def test_other_events_keep_their_place_and_part_the_tokens() -> None:
    told = events([Token(offset=0, text="a"), STAGE, Token(offset=1, text="b")])
    assert merged(told) == told


def test_a_new_draft_is_not_glued_to_the_one_before() -> None:
    told = events([Token(offset=0, text="old"), Token(offset=0, text="new")])
    assert merged(told) == told


def test_nothing_is_nothing() -> None:
    assert merged([]) == []


def test_the_events_given_are_left_as_they_are() -> None:
    told = draft(["a", "b", "c"])
    before = list(told)
    merged(told)
    assert told == before
