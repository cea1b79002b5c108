"""What a file is: its bytes decide, and its name and its sender must agree with them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.guardrails.screening.files import (
    JPEG,
    MARKDOWN,
    PDF,
    PNG,
    TEXT,
    media_type_of,
    shown_name,
    text_of,
)
from tests.documents import jpeg, pdf, png

CONTENT = {PDF: pdf("Hello"), PNG: png(), JPEG: jpeg(), TEXT: b"Hello", MARKDOWN: b"# Hello"}
NAMES = {PDF: "a.pdf", PNG: "a.png", JPEG: "a.JPG", TEXT: "a.txt", MARKDOWN: "a.md"}


@pytest.mark.parametrize("kind", CONTENT)
def test_a_file_that_is_what_it_is_called_is_taken(kind: str) -> None:
    assert media_type_of(NAMES[kind], kind, CONTENT[kind]) == kind


@pytest.mark.parametrize("kind", CONTENT)
@pytest.mark.parametrize("unsaid", ["", "application/octet-stream"])
def test_a_browser_that_knows_no_type_is_helped_by_the_name(kind: str, unsaid: str) -> None:
    assert media_type_of(NAMES[kind], unsaid, CONTENT[kind]) == kind


@pytest.mark.parametrize("kind", CONTENT)
def test_a_name_without_an_ending_leaves_it_to_the_claim_and_the_bytes(kind: str) -> None:
    assert media_type_of("scan", kind, CONTENT[kind]) == kind
    assert media_type_of("scan of 1.5.2026", kind, CONTENT[kind]) == kind


@pytest.mark.parametrize("claimed", ["image/jpg", "IMAGE/JPEG", "image/jpeg; q=1"])
def test_other_spellings_of_a_type_are_understood(claimed: str) -> None:
    assert media_type_of("a.jpg", claimed, CONTENT[JPEG]) == JPEG


@pytest.mark.parametrize("kind", CONTENT)
@pytest.mark.parametrize("other", CONTENT)
def test_a_file_with_other_content_is_refused(kind: str, other: str) -> None:
    if {kind, other} == {TEXT, MARKDOWN} or kind == other:
        return
    assert media_type_of(NAMES[kind], kind, CONTENT[other]) is None


@pytest.mark.parametrize("kind", [PDF, PNG, JPEG])
def test_a_picture_that_is_called_pdf_is_refused_whatever_is_claimed(kind: str) -> None:
    wrong = "a.pdf" if kind != PDF else "a.png"
    assert media_type_of(wrong, kind, CONTENT[kind]) is None


def test_markdown_may_come_as_text_and_text_as_markdown() -> None:
    assert media_type_of("a.md", TEXT, b"# Hello") == TEXT
    assert media_type_of("a.txt", MARKDOWN, b"Hello") == MARKDOWN


@pytest.mark.parametrize(
    ("name", "claimed", "raw"),
    [
        ("a.docx", "", b"PK\x03\x04\0\0"),
        ("a.exe", "application/x-msdownload", b"MZ\0"),
        ("a.gif", "image/gif", b"GIF89a\0"),
        ("a.svg", "image/svg+xml", b"<svg/>"),
        ("a.html", "text/html", b"<p>Hello</p>"),
        ("a", "", b"Hello"),
        ("a.txt", TEXT, b"{\\rtf1 Hello}"),
        ("a.txt", TEXT, b"\xef\xbb\xbf %PDF-1.7"),
        ("a.txt", TEXT, b"Hello\0"),
        ("a.txt", TEXT, b"\xff\xfe\x00\xd8"),
        ("a.txt", TEXT, b"\xe4\x01\x02\x03 binary"),
        ("a.pdf", PDF, b""),
        ("a.pdf", PDF, b"x" * 2_000 + pdf("too late")),
        ("a.png", PNG, b"\x89PNG\r\n\x1a\n"),
    ],
)
def test_what_is_not_of_a_known_kind_is_refused(name: str, claimed: str, raw: bytes) -> None:
    assert media_type_of(name, claimed, raw) is None


def test_a_pdf_may_have_a_little_in_front_of_its_mark() -> None:
    assert media_type_of("a.pdf", PDF, b"\r\n\xef\xbb\xbf" + pdf("Hello")) == PDF


def test_a_text_about_pdfs_is_a_text() -> None:
    assert media_type_of("a.txt", TEXT, b"Such a file begins with %PDF-1.7 and a line.") == TEXT


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("Größe ‚ä‘".encode(), "Größe ‚ä‘"),
        ("Größe".encode("utf-8-sig"), "Größe"),
        ("Größe".encode("utf-16"), "Größe"),
        ("\ufeffGröße".encode("utf-16-be"), "Größe"),
        ("Größe".encode("latin-1"), "Größe"),
        ("“quoted”".encode("cp1252"), "“quoted”"),
        (b"caf\xe9 \x81", "café \x81"),
        (b"", ""),
    ],
)
def test_text_is_read_in_the_usual_encodings(raw: bytes, text: str) -> None:
    assert text_of(raw) == text


@given(st.text().filter(lambda text: "\0" not in text and not text.startswith("\ufeff")))
def test_any_text_in_utf_8_is_read_as_it_is(text: str) -> None:
    assert text_of(text.encode()) == text


@given(name=st.text(max_size=20), claimed=st.text(max_size=20), raw=st.binary(max_size=200))
def test_nothing_makes_the_check_fail(name: str, claimed: str, raw: bytes) -> None:
    assert media_type_of(name, claimed, raw) in (None, *CONTENT)
    assert "\0" not in (text_of(raw) or "")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("  plan   2026.pdf ", "plan 2026.pdf"),
        ("evil\u202efdp.exe", "evil fdp.exe"),
        ("two\u2028lines\n.txt", "two lines .txt"),
        ("Cafe\u0301.pdf", "Café.pdf"),
        ("\u200b", "file"),
    ],
)
def test_a_name_is_shown_without_what_cannot_be_seen(name: str, shown: str) -> None:
    assert shown_name(name) == shown
