"""Where addresses of machines stand in a plain view of a text: IPv4 and IPv6.

Four numbers with dots are an address unless the words before them speak of a version or a
section. What is the same on every machine (127.0.0.1, 0.0.0.0, ::1, net masks) is nobody's and
stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import AddressValueError, IPv6Address

from chat.guardrails.personal_data.identity_words import ADDRESSED, VERSIONED, VERSIONED_SINCE

Span = tuple[int, int]

# The first sign stands before what must not precede it, so that the search runs through others.
_BYTE = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)"
_DOT = r"(?:\.|\[\.\]|\(\.\)|\s\.\s)"  # also as people write it so that nobody clicks on it
_V4 = re.compile(rf"\d(?<![^\W_]\d)(?<!\d\.\d)\d{{0,2}}(?:{_DOT}\d{{1,3}}){{3}}(?!\w|\.\d|-\d)")
_V6 = re.compile(
    r"[0-9a-f:](?<![\w:.].)(?=[0-9a-f]{0,4}:)"
    rf"(?:[0-9a-f:]{{1,37}}:{_BYTE}(?:\.{_BYTE}){{3}}|[0-9a-f:]{{3,44}})(?:%\w{{1,16}})?(?!\w)",
    re.IGNORECASE,
)
_WORDS = re.compile(r"[^\W\d_]+(?=[^a-z]*\Z)|[^\W\d_]+", re.IGNORECASE)
_CHAINED = re.compile(r"[\s,;/>-]{1,4}(?:(?:to|and|or|than)\s{1,3})?\Z", re.IGNORECASE)
_COMPARED = re.compile(r"(?:[=<>~^!]=|[~^])\s?\Z")
_LOCAL = re.compile(r"(?:127|255)\.|0\.0\.0\.0\Z")
_FILLERS = frozenset("is was are now no nr number the a an to from of with on at by".split())
_CONTEXT = 48  # characters before a number that may say what it is
_HIGHEST = 255
_DIGITS = re.compile(r"\d+")
_LONG = 4  # letters and digits of the first part of an address that is routed


def ip_spans(text: str) -> list[Span]:
    """Spans of addresses, left to right and apart from each other."""
    found = list(_v4_spans(text)) if "." in text else []
    if text.count(":") < 2:
        return found
    long = list(_v6_spans(text))
    if not long:
        return found
    short = [span for span in found if not any(a <= span[0] < b for a, b in long)]
    return sorted((*short, *long))


def _v4_spans(text: str) -> Iterator[Span]:
    version = -1  # where the last number ended that was a version
    for match in _V4.finditer(text):
        start, end = match.span()
        if any(int(part) > _HIGHEST for part in _DIGITS.findall(match.group())):
            continue
        follows = version >= 0 and start - version <= 8
        if (follows and _CHAINED.fullmatch(text, version, start)) or _is_version(text, start):
            version = end
        elif not _LOCAL.match(match.group()):
            yield start, end


def _is_version(text: str, start: int) -> bool:
    """Do the words or signs just before make it a version, a section or a file's name?"""
    before = text[max(0, start - _CONTEXT) : start].rpartition("\n\n")[2]
    if _COMPARED.search(before):
        return True
    words = [word.lower() for word in _WORDS.findall(before)]
    if before.endswith(("-", "_")) and len(before) > 1 and before[-2].isalpha():
        return bool(words) and words[-1] not in ADDRESSED
    if words and words[-1] in VERSIONED and _is_close(before, words[-1]):
        return True
    while words and words[-1] in _FILLERS:
        words.pop()
    return bool(words) and words[-1] in VERSIONED_SINCE


def _is_close(before: str, word: str) -> bool:
    """Nothing but a sign or two between a product's name and its version."""
    return len(before) - before.lower().rfind(word) - len(word) <= 2


def _v6_spans(text: str) -> Iterator[Span]:
    for match in _V6.finditer(text):
        written = match.group()
        if written.endswith(":") and not written.endswith("::"):
            written = written[:-1]
        if _is_v6(written):
            yield match.start(), match.start() + len(written)


def _is_v6(written: str) -> bool:
    """An address that goes somewhere: it begins with a whole group, and holds a digit."""
    bare = written.partition("%")[0]
    mapped = bare.lower().startswith(("::ffff:", "64:ff9b:"))
    whole = len(bare.partition(":")[0]) == _LONG and any(char.isdigit() for char in bare)
    if not (whole or mapped):
        return False
    try:
        IPv6Address(bare)
    except AddressValueError:
        return False
    return True
