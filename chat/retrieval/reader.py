"""Reads a file that a stranger sent, in a process of its own that can be ended at any moment.

What comes out is the text alone, redacted already. The process has a time limit, a memory limit
and no environment, so a file that was made to do harm takes nothing down.
"""

from __future__ import annotations

import json
import logging
import resource
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

from chat.guardrails.input import redact
from chat.guardrails.screening.files import PDF, text_of

log = logging.getLogger(__name__)

SECONDS = 20.0  # for one file, the start of the process included
MAX_PAGES = 300
MAX_TEXT = 1_000_000  # characters; about 150,000 words
MEMORY = 1 << 30  # bytes of address space
PAGE_BREAK = "\f"  # between the pages of a PDF's text
PASSWORD = 4  # PDFium's word for it
HYPHEN = ("\x02\n", "\ufffe\n", "\x02", "\ufffe")  # PDFium's mark of a word cut at a line's end

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Reading:
    """The redacted text of a file and what was taken out, or why there is none.

    `problem` is empty, or a stable word: password, pages, long, empty, broken, slow, unscreened.
    """

    text: str = ""
    redactions: dict[str, int] = field(default_factory=dict)
    problem: str = ""


def read(media_type: str, raw: bytes, *, seconds: float = SECONDS) -> Reading:
    """The text of a PDF, a text or a Markdown file. Blocks; never raises for what is in it."""
    command = [sys.executable, "-m", __name__, media_type]
    try:
        done = subprocess.run(
            command, input=raw, capture_output=True, timeout=seconds, cwd=ROOT, env={}, check=True
        )
        return Reading(**json.loads(done.stdout))
    except subprocess.TimeoutExpired:
        return Reading(problem="slow")
    except subprocess.CalledProcessError as error:  # its output may hold the text, so it is dropped
        log.warning("a file could not be read: the reader ended with %s", error.returncode)
        return Reading(problem="broken")


def _read(media_type: str, raw: bytes) -> Reading:
    """What the process does. A fault inside is a problem by name."""
    try:
        text = _pages(raw) if media_type == PDF else _plain(text_of(raw) or "")
    except _Problem as problem:
        return Reading(problem=problem.word)
    if not text.strip():
        return Reading(problem="empty")
    if len(text) > MAX_TEXT:
        return Reading(problem="long")
    try:
        clean = redact(text)
    except Exception:  # noqa: BLE001 - fails closed: what could not be screened is not kept
        return Reading(problem="unscreened")
    return Reading(clean.text, clean.counts)


class _Problem(Exception):
    def __init__(self, word: str) -> None:
        self.word = word
        super().__init__(word)


def _pages(raw: bytes) -> str:
    """The pages' texts with a break between two, empty pages too, so that their numbers hold."""
    pages: list[str] = []
    size = 0
    for page in _page_texts(raw):
        pages.append(page)
        size += len(page) + 1
        if size > MAX_TEXT:
            raise _Problem("long")
    return PAGE_BREAK.join(pages) if any(pages) else ""


def _page_texts(raw: bytes) -> Iterator[str]:
    import pypdfium2  # only here: a text needs none of it

    try:
        document = pypdfium2.PdfDocument(raw)
        if len(document) > MAX_PAGES:
            raise _Problem("pages")
        for page in document:
            yield _plain(page.get_textpage().get_text_range())
    except pypdfium2.PdfiumError as error:
        is_locked = getattr(error, "err_code", None) == PASSWORD
        raise _Problem("password" if is_locked else "broken") from None


def _plain(text: str) -> str:
    """Composed letters, plain line ends, no loose blanks, and no control characters."""
    text = unicodedata.normalize("NFC", text).replace("\r\n", "\n").replace("\r", "\n")
    for mark in HYPHEN:
        text = text.replace(mark, "")
    lines = ("".join(c for c in line if _is_seen(c)).rstrip() for line in text.splitlines())
    return "\n".join(lines).strip("\n")


def _is_seen(character: str) -> bool:
    return character == "\t" or unicodedata.category(character) not in ("Cc", "Cs", "Cn")


def main() -> None:
    """`python -m chat.retrieval.reader TYPE < file`."""
    _limit(resource.RLIMIT_AS, MEMORY)
    _limit(resource.RLIMIT_CPU, int(SECONDS) + 1)
    _limit(resource.RLIMIT_CORE, 0)
    sys.stdout.write(answered(sys.argv[1], sys.stdin.buffer.read()))


def answered(media_type: str, raw: bytes) -> str:
    """What the process says: a `Reading` as JSON, in ASCII whatever the locale."""
    try:
        reading = _read(media_type, raw)
    except MemoryError:
        reading = Reading(problem="broken")
    return json.dumps(asdict(reading))


def _limit(of: int, most: int) -> None:
    with suppress(ValueError, OSError):  # not every system knows every limit
        resource.setrlimit(of, (most, most))


if __name__ == "__main__":
    main()
