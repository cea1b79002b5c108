"""Markers are held against the passages: what does not resolve goes, what stays is numbered."""

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from chat.contracts.passages import Passage
from chat.guardrails.evidence import Bound, bind_citations
from tests.growth import assert_linear


def passages(count: int = 3) -> list[Passage]:
    return [
        Passage(chunk=f"chunk-{n}", document="doc", version=1, title=f"T{n}", text=f"Text {n}.")
        for n in range(1, count + 1)
    ]


def bound(draft: str, count: int = 3) -> Bound:
    return bind_citations(draft, passages(count))


@pytest.mark.parametrize(
    ("draft", "expected", "chunks", "removed"),
    [
        ("No marker at all.", "No marker at all.", [], ()),
        ("A [2]. B [1].", "A [1]. B [2].", [2, 1], ()),
        ("A [2, 3]. B [1][2].", "A [1][2]. B [3][1].", [2, 3, 1], ()),
        ("A [1], [2]; [3].", "A [1][2][3].", [1, 2, 3], ()),
        ("A [1][1] [1].", "A [1].", [1], ()),
        ("A [1-3] and B [2–9].", "A [1][2][3] and B [2][3].", [1, 2, 3], (9,)),
        ("A [3-1].", "A [1][2].", [3, 1], ()),
        ("A [4].", "A.", [], (4,)),
        ("A [0] [-1] [2024] b.", "A [-1] b.", [], (0, 2024)),
        ("A [1, 7].", "A [1].", [1], (7,)),
        ("A [9], [8], and B [3].", "A, and B [1].", [3], (9, 8)),
        ("A [9] (see [8]) [7] b.", "A (see) b.", [], (9, 8, 7)),
        ("A ([9]), b.", "A, b.", [], (9,)),
        ("[9] A\n- [9] b\n[9]\n", "A\n- b\n\n", [], (9, 9, 9)),
        ("days[2]and", "days[1]and", [2], ()),
    ],
)
def test_markers_are_checked_and_numbered_in_order_of_use(
    draft: str, expected: str, chunks: list[int], removed: tuple[int | str, ...]
) -> None:
    done = bound(draft)
    assert done.text == expected
    assert [c.chunk for c in done.citations] == [f"chunk-{n}" for n in chunks]
    assert [c.marker for c in done.citations] == list(range(1, len(chunks) + 1))
    assert done.removed == removed


@pytest.mark.parametrize(
    "odd",
    [
        "[2]",
        "[ 2 ]",
        "[^2]",
        "[#2]",
        "【2】",
        "［2］",
        "[２]",
        "[Source 2]",
        "[source: 2]",
        "[Ref. 2]",
    ]
    + [
        "[doc 2]",
        "[passage #2]",
        "[cite: 2]",
        "[2†source]",
        "【2†source】",
        "【2:0†source】",
        r"\[2\]",
    ]
    + ["[Source 2: Refund timing]", "[2](https://elsewhere.example/x)", "[2](#source-2)", r"\[2]"],
)
def test_every_shape_that_models_write_becomes_the_plain_one(odd: str) -> None:
    done = bound(f"A {odd}.", 3)
    assert done.text == "A [1]."
    assert [c.chunk for c in done.citations] == ["chunk-2"]


@pytest.mark.parametrize("odd", ["[Source A]", "[citation needed]", "[?]", "[^note]", "[source]"])
def test_a_marker_without_a_number_is_removed_and_reported(odd: str) -> None:
    done = bound(f"A {odd}.")
    assert done.text == "A."
    assert done.removed == (odd[1:-1],)


@pytest.mark.parametrize(
    "plain",
    ["- [ ] open\n- [x] done", "[Documents you need](https://x.example/d)", "[a] [1a] [1.5] [key]"]
    + [
        "array[i]",
        "[see section 4 of it]",
        "[]",
        "[[]]",
        "]1[",
        "[1",
        "1]",
        "[source](https://x.example)",
    ],
)
def test_what_is_no_marker_is_left_alone(plain: str) -> None:
    done = bound(plain)
    assert done.text == plain
    assert done.removed == ()


@pytest.mark.parametrize(
    "code",
    ["`a[1]`", "``a[9] ` b``", "```\nx[1]\n```", "~~~py\nx = y[9]\n~~~", "```\nx[1] and no end"]
    + ["1. do:\n   ```\n   x[9]\n   ```\n   done", "[link](https://x.example/a[9])"],
)
def test_markers_in_code_and_in_link_targets_are_left_alone(code: str) -> None:
    done = bound(f"A [3]\n\n{code}")
    assert done.text == f"A [1]\n\n{code}"
    assert done.removed == ()


@pytest.mark.parametrize("text", ["a ` b [9]", r"\`[9]\`", "`a\nb [9]`", "> ```\n> x\n\nout [9]"])
def test_what_only_looks_like_code_does_not_hide_a_marker(text: str) -> None:
    assert bound(text).removed == (9,)


@pytest.mark.parametrize("nested", ["[[9]1]", "[1[9]]", "[[9][8]1]", "[ [9] 1 ]"])
def test_a_marker_that_appears_when_another_goes_is_checked_too(nested: str) -> None:
    assert bound(f"A {nested}.").text == "A [1]."
    assert bound(f"A {nested}.", 0).text == "A."


def test_two_numbers_of_one_chunk_are_one_citation() -> None:
    twice = [*passages(2), passages(1)[0]]
    done = bind_citations("A [3]. B [1]. C [2][3].", twice)
    assert done.text == "A [1]. B [1]. C [2][1]."
    assert [c.chunk for c in done.citations] == ["chunk-1", "chunk-2"]


def test_versions_of_a_chunk_are_citations_of_their_own() -> None:
    old = passages(1)[0]
    done = bind_citations("A [1][2].", [old, old.model_copy(update={"version": 2})])
    assert [c.version for c in done.citations] == [1, 2]


def test_a_citation_holds_its_passage_and_where_it_stands() -> None:
    passage = Passage(
        chunk="c",
        document="d",
        version=4,
        title="T",
        text="Whole.",
        url="https://x.example",
        page=7,
    )
    (citation,) = bind_citations("A [1].", [passage]).citations
    shared = ("chunk", "document", "version", "title", "url", "page")
    assert all(getattr(citation, name) == getattr(passage, name) for name in shared)
    assert (citation.marker, citation.passage) == (1, "Whole.")


MARKERS = re.compile(r"\[(\d+)\]")
WORDS = st.sampled_from(
    ["refund", "in", "5 days", "**bold**", "a.b", "(see)", "-", "\n", "\n\n- ", ". ", ", "]
)
ODD = st.sampled_from(
    [
        "[1]",
        "[2]",
        "[3]",
        "[4]",
        "[0]",
        "[99999999999999999999]",
        "[1, 2]",
        "[2;9]",
        "[1-3]",
        "[^2]",
    ]
    + [
        "【3†source】",
        "[Source 1]",
        "[9†x]",
        "[[1]",
        "[1]]",
        "[[9]2]",
        r"\[1\]",
        "[ 3 ]",
        "[1][1]",
        "([9])",
    ]
    + [
        "[",
        "]",
        "[]",
        "【",
        "】",
        "[x]",
        "[1](https://x.example)",
        "[2] [3]",
        "[1], [9]",
        "[1 2 3]",
    ]
)
DRAFTS = st.lists(st.one_of(WORDS, ODD, st.text("[]19, \n^", max_size=8)), max_size=25).map(
    " ".join
)


@given(
    draft=st.one_of(DRAFTS, DRAFTS.map(lambda text: text.replace(" ", ""))), count=st.integers(0, 4)
)
@settings(max_examples=600)
def test_whatever_the_markers_the_text_and_its_citations_agree(draft: str, count: int) -> None:
    done = bound(draft, count)
    shown = [int(number) for number in MARKERS.findall(done.text)]
    order = list(dict.fromkeys(shown))
    assert order == list(range(1, len(done.citations) + 1))
    assert len({c.chunk for c in done.citations}) == len(done.citations) <= count


@example(draft="【 ([9]) 1]", count=0)
@given(draft=DRAFTS, count=st.integers(0, 4))
@settings(max_examples=400)
def test_binding_again_changes_nothing(draft: str, count: int) -> None:
    once = bound(draft, count)
    by_chunk = {p.chunk: p for p in passages(count)}
    again = bind_citations(once.text, [by_chunk[c.chunk] for c in once.citations])
    assert again.text == once.text
    assert again.citations == once.citations
    assert again.removed == ()


WHOLE = ODD.filter(lambda m: m not in "[]【】[x]" and "[[" not in m and "]]" not in m)


@given(parts=st.lists(st.tuples(st.text("abc é5.!?-", max_size=8), WHOLE), max_size=8))
def test_the_words_outside_the_markers_stay(parts: list[tuple[str, str]]) -> None:
    draft = "".join(f"{words} {marker} " for words, marker in parts)
    words = " ".join(words for words, _ in parts)
    left = MARKERS.sub("", bound(draft).text)
    assert re.sub(r"[\s,;()]", "", left) == re.sub(r"[\s,;()]", "", words)


@given(st.text())
def test_any_text_can_be_bound(text: str) -> None:
    assert isinstance(bound(text).text, str)


def test_the_time_that_blanks_take_grows_with_their_number_alone() -> None:
    assert bind_citations(f"It is.{' ' * 40_000}So.", ()).citations == ()
    assert_linear(lambda blanks: bind_citations(f"It is.{blanks}So.", ()), " " * 40_000)
