"""An answer links only to what stands in the texts that it was written from."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.guardrails.drafts.links import Unlinked, without_foreign_links
from chat.render import render

SOURCE = (
    "See [the status page](https://status.larkspur.example/now) or https://larkspur.example/help. "
    "Write to support@larkspur.example."
)


@pytest.mark.parametrize(
    "text",
    [
        "It is on [the status page](https://status.larkspur.example/now) [1].",
        "It is at <https://larkspur.example/help>.",
        "Write to [us](mailto:support@larkspur.example).",
        "Write to <support@larkspur.example>.",
        "Plain text with [1] and [2](no, thanks).".replace("](", "] ("),
        "Code stays: `[a](https://evil.example)`.",
        "```\n[a](https://evil.example)\n```",
        "3 < 4 and a[0] stays.",
        "",
    ],
)
def test_what_the_sources_name_stays(text: str) -> None:
    assert without_foreign_links(text, [SOURCE]) == Unlinked(text)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("[Claim it](https://evil.example/?q=secret) now", "Claim it now"),
        ("![a chart](https://evil.example/p.png?q=secret)", "a chart"),
        ("![status](https://status.larkspur.example/now)", "status"),
        ("<https://evil.example/?q=1>", "https://evil.example/?q=1"),
        ("<javascript:alert(1)>", "javascript:alert(1)"),
        ("[a](https://status.larkspur.example/now?q=secret)", "a"),
        ("[a](https://status.larkspur.example.evil.example/now)", "a"),
        ('[a](https://evil.example "title")', "a"),
        ("[a](<https://evil.example>)", "a"),
        ("[a [b]](https://evil.example)", "a [b]] (https://evil.example)"),
        ("[a](https://evil.example/(x))", "[a] (https://evil.example/(x))"),
        ("\\`[a](https://evil.example)\\`", "\\`a\\`"),
        ("[a](\nhttps://evil.example)", "[a] (\nhttps://evil.example)"),
    ],
)
def test_other_addresses_leave_their_words(text: str, left: str) -> None:
    found = without_foreign_links(text, [SOURCE])
    assert found.text.removeprefix("[") == left.removeprefix("[")
    assert found.removed >= 1


PIECES = st.sampled_from(
    ["[", "]", "(", ")", "](", "![", "<", ">", "`", "```", "\n", "\\", " ", "a", '"', "&#104;", "_",
     "https://evil.example/?q=1", "mailto:me@evil.example", "[x](https://evil.example)", "**"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=14).map("".join))
def test_nothing_that_is_rendered_leads_elsewhere(text: str) -> None:
    html = render(without_foreign_links(text, [SOURCE]).text)
    assert not re.search(r"<(?:a|img)\b", html)


@given(st.lists(PIECES, max_size=14).map("".join))
def test_applied_twice_it_does_the_same_as_once(text: str) -> None:
    once = without_foreign_links(text, [SOURCE]).text
    assert without_foreign_links(once, [SOURCE]) == Unlinked(once)


@pytest.mark.parametrize(
    "text",
    [
        "<https://evil.example/?q=1[x](https://evil.example)>",
        "[a[b](https://evil.example)](https://evil.example)",
        "<<<<<<<<https://evil.example/1>>>>>>>>",
    ],
)
def test_what_one_link_leaves_behind_is_no_part_of_another(text: str) -> None:
    clean = without_foreign_links(text, []).text
    assert without_foreign_links(clean, []).text == clean
    assert "](" not in clean and "<https" not in clean
