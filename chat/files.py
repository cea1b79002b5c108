"""Files as they arrive with a question: checked, read and redacted, off the event loop.

Whatever is wrong with one is said in a person's words, with its name redacted. What comes out
may be kept: of a document its redacted text, of a picture its bytes without metadata.
"""

from __future__ import annotations

import asyncio
import binascii
import hashlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Literal, TypedDict

from chat.contracts.commands import MAX_FILE, MAX_NAME, Upload
from chat.contracts.errors import RedactionFailed, Unavailable, UploadRefused
from chat.guardrails.input import redact
from chat.guardrails.policy import guard_now
from chat.guardrails.screening.files import PICTURES, media_type_of, shown_name
from chat.guardrails.screening.pictures import without_metadata
from chat.retrieval.reader import MAX_PAGES, MAX_TEXT, SECONDS, Reading, read

READERS = 2  # files that are read at once, each by a process of its own
WAIT = 60.0  # seconds for all files of one question, waiting for a reader included

_pool = ThreadPoolExecutor(max_workers=READERS, thread_name_prefix="files")

PROBLEMS = {
    "password": "is protected by a password. Attach it without one.",
    "pages": f"has more than {MAX_PAGES} pages. Attach the ones that matter.",
    "long": f"holds more than {MAX_TEXT:,} characters. Attach the part that matters.",
    "empty": "holds no text. If it is a scan, attach a picture of the page.",
    "slow": f"could not be read within {SECONDS:.0f} seconds. Attach a smaller part.",
    "broken": "is damaged and cannot be read. Save it again and attach that.",
    "kind": "is no PDF, text, Markdown, PNG or JPEG, or not the kind that it is called.",
    "large": f"is larger than {MAX_FILE >> 20} MB.",
    "cut": "did not arrive whole. Attach it again.",
}


@dataclass(frozen=True, slots=True)
class File:
    """A file that may be kept. `size` is in bytes as it came; `data` is set for pictures alone.

    `sha256` is of what is kept, never of what came: that would tell what was taken out.
    """

    kind: Literal["document", "image", "paste"]
    name: str
    media_type: str
    size: int
    sha256: str
    text: str = ""
    data: bytes | None = None
    redactions: dict[str, int] = field(default_factory=dict)


class _Made(TypedDict):
    name: str
    media_type: str
    size: int


async def received(uploads: Sequence[Upload]) -> tuple[File, ...]:
    """Check and read the files of one question.

    Raises `UploadRefused` for the first that cannot be taken, `RedactionFailed`, and
    `Unavailable` when too many are waiting to be read.
    """
    loop = asyncio.get_running_loop()
    work = [loop.run_in_executor(_pool, _file, upload) for upload in uploads]
    try:
        async with asyncio.timeout(WAIT):
            return tuple([await each for each in work])
    except TimeoutError:
        raise Unavailable from None
    finally:  # what has not begun never will; what has is bounded by the reader's own limit
        for each in work:
            each.cancel()
        await asyncio.gather(*work, return_exceptions=True)


def digest(raw: bytes) -> str:
    """SHA-256 in hex."""
    return hashlib.sha256(raw).hexdigest()


def _file(upload: Upload) -> File:
    name = _clean_name(upload.name)
    raw = _decoded(upload, name)
    media_type = media_type_of(upload.name, upload.media_type, raw)
    if media_type is None:
        raise _refused(name, "kind")
    made: _Made = {"name": name, "media_type": media_type, "size": len(raw)}
    return _picture(raw, made) if media_type in PICTURES else _document(raw, made)


def _clean_name(name: str) -> str:
    """The name in one spelling and without personal data, which stands in names too."""
    done = guard_now(lambda: redact(shown_name(name)).text, fallback=None)
    if done.value is None:
        raise RedactionFailed
    return done.value[:MAX_NAME]


def _decoded(upload: Upload, name: str) -> bytes:
    try:
        raw = binascii.a2b_base64(upload.data, strict_mode=True)
    except ValueError:  # of which `binascii.Error` is one, and letters that are not ASCII
        raise _refused(name, "cut") from None
    if len(raw) > MAX_FILE:
        raise _refused(name, "large")
    return raw


def _picture(raw: bytes, made: _Made) -> File:
    data = without_metadata(raw)
    if data is None:
        raise _refused(made["name"], "broken")
    return File("image", sha256=digest(data), data=data, **made)


def _document(raw: bytes, made: _Made) -> File:
    reading: Reading = read(made["media_type"], raw)
    if reading.problem == "unscreened":
        raise RedactionFailed
    if reading.problem:
        raise _refused(made["name"], reading.problem)
    text = reading.text
    return File(
        "document", sha256=digest(text.encode()), text=text, redactions=reading.redactions, **made
    )


def _refused(name: str, problem: str) -> UploadRefused:
    return UploadRefused(f"“{name}” {PROBLEMS[problem]}")
