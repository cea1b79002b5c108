"""Cutting long text: nothing is lost, and no part outgrows its vector."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from chat.retrieval.split import SHORTEST, parts

WORD = st.text("abcde.!?-", min_size=1, max_size=6)
GAP = st.sampled_from([" ", " ", " ", "\n", "\n\n", "  \n\n  "])
TEXT = st.lists(st.tuples(WORD, GAP), max_size=200).map(
    lambda pairs: "".join(word + gap for word, gap in pairs)
)


def test_a_section_that_fits_stays_as_it_is() -> None:
    text = "Two lines.\n\n- and a list\n- of two"

    assert parts(text) == [text]


def test_nothing_but_blanks_has_no_parts() -> None:
    assert parts(" \n\n ") == []


def test_a_long_section_is_cut_between_paragraphs() -> None:
    one, two, three = ("word " * 90).strip(), ("text " * 60).strip(), ("more " * 60).strip()

    assert parts(f"{one}\n\n{two}\n\n{three}") == [one, f"{two}\n\n{three}"]


def test_a_long_list_is_cut_between_its_lines() -> None:
    lines = [f"- item {number} of a long list" for number in range(60)]

    found = parts("\n".join(lines))

    assert len(found) > 1
    assert [line for part in found for line in part.split("\n")] == lines


def test_a_long_paragraph_is_cut_between_its_sentences() -> None:
    text = " ".join(f"This is sentence number {number} of many." for number in range(60))

    assert all(part.endswith("of many.") for part in parts(text))


@given(TEXT)
def test_no_word_is_lost_doubled_or_moved(text: str) -> None:
    found = parts(text, whole=40, part=30)

    assert " ".join(found).split() == text.split()


@given(TEXT)
def test_no_part_is_empty_or_longer_than_a_part_and_a_short_rest(text: str) -> None:
    found = parts(text, whole=40, part=30)

    sizes = [len(part.split()) for part in found]
    assert all(0 < size <= 40 for size in sizes) if len(sizes) == 1 else True
    assert all(0 < size <= 30 for size in sizes[:-1])
    assert not sizes or sizes[-1] < 30 + SHORTEST


@given(TEXT)
def test_cutting_is_repeatable(text: str) -> None:
    assert parts(text, whole=40, part=30) == parts(text, whole=40, part=30)
