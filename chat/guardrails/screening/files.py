"""What a file is, told from its bytes; its name and what the sender says of it must agree.

Pure. Nothing of a file is believed: a picture that is called `.pdf` is no PDF, and what is
not text in any usual encoding is no text.
"""

from __future__ import annotations

import re
import unicodedata

PDF = "application/pdf"
TEXT = "text/plain"
MARKDOWN = "text/markdown"
PNG = "image/png"
JPEG = "image/jpeg"
PICTURES = (PNG, JPEG)

TYPE_OF = {
    "pdf": PDF,
    "txt": TEXT,
    "text": TEXT,
    "log": TEXT,
    "md": MARKDOWN,
    "markdown": MARKDOWN,
    "png": PNG,
    "jpg": JPEG,
    "jpeg": JPEG,
}
UNSAID = ("", "application/octet-stream")  # what browsers send where they know no type
SPELLINGS = {"image/jpg": JPEG, "text/x-markdown": MARKDOWN, "application/x-pdf": PDF}

NAMELESS = "file"

# Readers of PDF accept up to a kilobyte in front of the first mark.
SIGNS = {
    PDF: re.compile(rb"(?!\x89PNG|\xff\xd8\xff).{0,1019}%PDF-\d", re.DOTALL),
    PNG: re.compile(rb"\x89PNG\r\n\x1a\n.{4}IHDR", re.DOTALL),
    JPEG: re.compile(rb"\xff\xd8\xff[\xc0-\xfe]"),
}
# Kinds that may be letters throughout, but are written for a program and no reader.
MARKED = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:%PDF-|%!PS|\{\\rtf)")
# In a text that is no Unicode, these tell that it is no text at all.
_BINARY = re.compile(r"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]")
_NO_LETTERS = ("Cc", "Cf", "Cs", "Zl", "Zp")  # control, format, half letters, line ends


def media_type_of(name: str, claimed: str, raw: bytes) -> str | None:
    """The type that the name, the claim and the bytes agree on; None where they do not."""
    claimed = claimed.partition(";")[0].strip().lower()
    claimed = SPELLINGS.get(claimed, claimed)
    called = TYPE_OF.get(name.rpartition(".")[2].lower()) if "." in name else None
    wanted = called if claimed in UNSAID else claimed
    if wanted is None or wanted not in TYPE_OF.values() or not _is_called(called, wanted):
        return None
    return wanted if _is_content(wanted, raw) else None


def _is_called(called: str | None, wanted: str) -> bool:
    """A name without a known ending says nothing; text and Markdown are the same bytes."""
    both = {called, wanted}
    return called is None or len(both) == 1 or both == {TEXT, MARKDOWN}


def _is_content(wanted: str, raw: bytes) -> bool:
    if wanted in SIGNS:
        return SIGNS[wanted].match(raw) is not None
    return MARKED.match(raw) is None and text_of(raw) is not None


def text_of(raw: bytes) -> str | None:
    """The text in UTF-8, UTF-16 with its mark, or Latin-1 as Windows writes it; else None."""
    try:
        if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
            text = raw.decode("utf-16")
        elif b"\0" in raw:
            return None
        else:
            text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = _latin(raw)
    return None if "\0" in text else text


def _latin(raw: bytes) -> str:
    """Every byte is a Latin-1 letter, so control characters must tell; those give `NUL`."""
    try:
        text = raw.decode("cp1252")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    return "\0" if _BINARY.search(text) else text


def shown_name(name: str) -> str:
    """A name in one spelling that shows what it is: nothing invisible turns its letters round."""
    plain = unicodedata.normalize("NFC", name)
    kept = (" " if unicodedata.category(c) in _NO_LETTERS else c for c in plain)
    return " ".join("".join(kept).split()) or NAMELESS
