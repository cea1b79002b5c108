"""A stranger's file is read by a process of its own: its text comes out, or a word why not."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from chat.guardrails.screening.files import MARKDOWN, PDF, TEXT, media_type_of
from chat.retrieval import reader
from chat.retrieval.reader import MAX_PAGES, MAX_TEXT, PAGE_BREAK, Reading, read
from tests.documents import pdf


def test_a_text_comes_out_with_plain_line_ends() -> None:
    assert read(TEXT, "Größe\r\nCafe\u0301  \rEnd\n".encode()) == Reading("Größe\nCafé\nEnd")


def test_a_text_of_another_encoding_comes_out_too() -> None:
    assert read(TEXT, "Größe".encode("cp1252")).text == "Größe"
    assert read(TEXT, "Größe".encode("utf-16")).text == "Größe"


def test_markdown_keeps_its_marks_and_indents() -> None:
    assert read(MARKDOWN, b"# Plan\n\n- one\n\t- two\n").text == "# Plan\n\n- one\n\t- two"


def test_the_pages_of_a_pdf_are_apart_and_an_empty_one_counts() -> None:
    reading = read(PDF, pdf("Refunds (all)\nTen days", "", "Contact"))
    assert reading.text.split(PAGE_BREAK) == ["Refunds (all)\nTen days", "", "Contact"]


def test_personal_data_does_not_come_out() -> None:
    text = "Mail canary.bird@cage-example.org, pay DE89 3704 0044 0532 0130 00."
    for media_type, raw in ((TEXT, text.encode()), (PDF, pdf(text))):
        reading = read(media_type, raw)
        assert reading.text == "Mail [email], pay [iban]."
        assert reading.redactions == {"email": 1, "iban": 1}


def test_control_characters_do_not_come_out() -> None:
    assert read(TEXT, b"a\x1b[31mred\x07\x7f\xc2\x85b").text == "a[31mred\nb"


@pytest.mark.parametrize(
    ("media_type", "raw", "problem"),
    [
        (PDF, pdf("secret", locked=True), "password"),
        (PDF, pdf(*["page"] * (MAX_PAGES + 1)), "pages"),
        (PDF, pdf("", ""), "empty"),
        (PDF, b"%PDF-1.7\nnothing of a PDF", "broken"),
        (PDF, pdf("cut off")[:200], "broken"),
        (PDF, b"", "broken"),
        (TEXT, b" \n\t\r\n", "empty"),
        (TEXT, b"word " * (MAX_TEXT // 5 + 1), "long"),
        (PDF, pdf(*["word " * 1_000] * 250), "long"),
    ],
)
def test_what_cannot_be_read_is_a_word(media_type: str, raw: bytes, problem: str) -> None:
    assert read(media_type, raw) == Reading(problem=problem)


def test_the_most_pages_are_read_to_the_last() -> None:
    reading = read(PDF, pdf(*[f"Page {number}" for number in range(1, MAX_PAGES + 1)]))
    assert reading.text.split(PAGE_BREAK)[-1] == f"Page {MAX_PAGES}"


def test_a_file_that_takes_too_long_is_let_go() -> None:
    assert read(TEXT, b"Hello", seconds=0.001) == Reading(problem="slow")


def test_a_reader_that_dies_is_a_broken_file_and_its_output_is_not_logged(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "chat" / "retrieval").mkdir(parents=True)
    dies = "import sys; print(sys.stdin.read()); sys.exit('secret words')"
    (tmp_path / "chat" / "retrieval" / "reader.py").write_text(dies)
    monkeypatch.setattr(reader, "ROOT", tmp_path)
    assert read(TEXT, b"secret words") == Reading(problem="broken")
    assert "ended with 1" in caplog.text
    assert "secret" not in caplog.text


def test_a_reader_without_memory_is_a_broken_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def greedy(media_type: str, raw: bytes) -> Reading:
        raise MemoryError

    monkeypatch.setattr(reader, "_read", greedy)
    assert json.loads(reader.answered(TEXT, b"Hello"))["problem"] == "broken"


def test_a_redaction_that_fails_keeps_the_text_back(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(text: str) -> None:
        raise ValueError(text)

    monkeypatch.setattr(reader, "redact", fails)
    answer = json.loads(reader.answered(TEXT, b"secret words"))
    assert answer == {"text": "", "redactions": {}, "problem": "unscreened"}


def test_the_reader_has_no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key of the site's must not stand in the memory of a process that reads strangers' files."""
    seen: list[dict[str, str]] = []
    run = subprocess.run

    def looks(*args: Any, **named: Any) -> Any:
        seen.append(named["env"])
        return run(*args, **named)

    monkeypatch.setattr(subprocess, "run", looks)
    assert read(TEXT, b"Hello").text == "Hello"
    assert seen == [{}]


@pytest.mark.skipif("EVAL_DATA" not in os.environ, reason="EVAL_DATA names no folder")
def test_every_awkward_file_gives_text_or_a_clear_word() -> None:
    folder = Path(os.environ["EVAL_DATA"]) / "file_formats" / "files"
    taken = 0
    for path in sorted(folder.iterdir()):
        raw = path.read_bytes()
        if (media_type := media_type_of(path.name, "", raw)) is None:
            assert path.suffix not in (".pdf", ".md", ".txt"), path.name
            continue
        reading = read(media_type, raw)
        taken += 1
        assert bool(reading.text.strip()) is (reading.problem == ""), path.name
        assert reading.problem in ("", "empty"), path.name
    assert taken >= 15
