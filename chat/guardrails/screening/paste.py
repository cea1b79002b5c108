"""The input boundary: is a document being pasted, and which words around it are the person's.

A document needs a sign of structure and length. A long story told in one's own words has no
such sign and stays a message: taking it for a document would lose who is speaking. Weak signs
(a title line, a list) count only where nobody says "I".
"""

from __future__ import annotations

import re
from dataclasses import dataclass

SHORTEST = 300  # characters; with a header or field pairs this is enough
LONG = 1_500  # characters; enough with any sign of structure
MANY = 40  # non-empty lines; enough with any sign of structure
_LEAD = 300  # characters that a person's own words around a document may have
_TITLE = 90  # characters of a title or heading line
_SAYS_I = 0.012  # share of a text's words that are "I", "my" or "me"

# Signs that are a header of their own, so that 300 characters are enough.
_HEADERS = frozenset(("headings", "field_pairs", "mail_header", "table", "title"))


@dataclass(frozen=True, slots=True)
class Paste:
    """A pasted document. `lead` is the person's own words around it, empty if there are none.

    `signal` is a stable word: headings, field_pairs, numbered_clauses, mail_header, table,
    log, title or list.
    """

    lead: str
    body: str
    signal: str


_MARKDOWN = re.compile(
    r"[ ]{0,3}#{1,6}[ \t]+\S|[ ]{0,3}\*\*[^*]{2,90}\*\*:?[ \t]*$|\s*<h[1-6]\b", re.I
)
_UNDERLINE = re.compile(r"[=\-~]{4,}[ \t]*$")
_SECTION = re.compile(
    r"\s{0,3}(?:section|clause|article|part|chapter|annex|appendix|schedule)\s+(?:\d{1,3}|[a-z]"
    r"|[ivx]{1,5})\b\s*(?:[:.)\-–—]|$)|\s{0,3}\d{1,2}\.\d{1,2}(?:\.\d{1,2})?\.?\s+\S",
    re.I,
)
_MAIL = re.compile(r"(?:from|to|cc|bcc|subject|date|sent|reply-to|betreff|von|an)\s*:\s*\S", re.I)
_FIELD = re.compile(
    r"\s{0,3}(?:[-*•]\s+)?(?:\*\*)?([A-Z][\w /&().'-]{0,39}?)(?:\*\*)?\s?:(?:\*\*)?[ \t]+\S"
)
_INLINE = re.compile(r"(?:^|[,;|])\s*([A-Z][A-Za-z /]{1,24}):\s*[^,;|:]{1,40}(?=[,;|]|$)")
_CLAUSE = re.compile(r"\s{0,8}(?:\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)]|§\s?\d{1,3})\s+\S", re.I)
_BULLET = re.compile(r"\s{0,12}(?:[-*+•·–]|\d{1,2}[.)])\s+\S")
_ROW = re.compile(r"\s*\|(?:[^|]*\|){2,}\s*$|[^\t]+(?:\t[^\t]+){2,}$")
_RULE = re.compile(r"\s*\|?[ :]*-{3,}[ :]*\|[\s|:-]*$")
_LOGGED = re.compile(
    r"\s*\[?(?:\d{4}[-/]\d{2}[-/]\d{2}[T ]|\d{2}/\w{3}/\d{4}:|\w{3} [ \d]\d )?\d{2}:\d{2}:\d{2}"
    r"|\s*(?:\d{1,3}\.){3}\d{1,3} \S+ \S+ \["
)
_ENDS = re.compile(r"[.?!,;:…]\W*$")
_OWN = re.compile(
    r"^(?:hi|hello|hey|dear|thanks|thank you|please|pls|help|i|i'm|i've|my|we|can|could|would)\b",
    re.I,
)
_ASKS = re.compile(
    r"\b(?:what does|what do|what is|can you|could you|would you|please|explain|summari[sz]e"
    r"|translate|check|look at|tell me|help me|is this|is that|does this|does it|do i|am i|should i"
    r"|which|what about|the following|(?:this|below|above|here) is|here's|i (?:got|received|have"
    r"|found|need|want|don't|do not|am|was)|i'm|my|attached|pasted)\b",
    re.I,
)
# "Here is our contract, can you check it" asks; "Here are the minutes." may be the document's own.
_SHOWS = re.compile(
    r"^(?:here(?: is|'s| are)|below is|attached is)\b[^\n]{1,200}?\b(?:please|pls|can you|could you"
    r"|tell me|explain|summari[sz]e|translate)\b",
    re.I,
)
_POINTS = re.compile(r"\b(?:this|that|these|above|it mean|tell me|help me|explain)\b", re.I)
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|i'd|i'll|my|me|myself)\b", re.I)
_GAP = re.compile(r"\n[ \t]*\n\s*")


def pasted(text: str) -> Paste | None:
    """The document in a message, or None where the message is a message."""
    if len(text.strip()) < SHORTEST:
        return None
    before, body, after = _parted(text.replace("\r\n", "\n").replace("\r", "\n").strip())
    signal = _signal(body)
    if not signal or not _long_enough(body, signal):
        return None
    return Paste("\n".join(part for part in (before, after) if part), body, signal)


def _long_enough(body: str, signal: str) -> bool:
    if signal in _HEADERS and len(body) >= SHORTEST:
        return True
    return len(body) >= LONG or sum(bool(line.strip()) for line in body.split("\n")) >= MANY


def _parted(text: str) -> tuple[str, str, str]:
    """The person's words before, the document, their words after; as one piece if unsure."""
    before = after = ""
    first = _GAP.search(text) or re.search(r"\n", text)
    if first and _is_own(text[: first.start()]):
        before, text = text[: first.start()].strip(), text[first.end() :]
    gaps = list(_GAP.finditer(text))
    if gaps and _is_own(last := text[gaps[-1].end() :]) and _points_back(last):
        after, text = text[gaps[-1].end() :].strip(), text[: gaps[-1].start()]
    if len(text) < SHORTEST and (before or after):
        return "", "\n\n".join(part for part in (before, text, after) if part), ""
    return before, text.strip(), after


def _is_own(part: str) -> bool:
    """A few words that ask something, and are no part of a document's layout."""
    if not 0 < len(part) <= _LEAD or part.count("\n") > 2:
        return False
    if any(shape.match(part) for shape in (_MARKDOWN, _BULLET, _ROW, _SECTION, _MAIL, _CLAUSE)):
        return False
    asks = bool(_ASKS.search(part))
    return asks and (
        part.rstrip().endswith(("?", ":")) or bool(_OWN.match(part) or _SHOWS.match(part))
    )


def _points_back(part: str) -> bool:
    """A document ends in "Please contact us" too; a person's question speaks of what is above."""
    return part.rstrip().endswith("?") or bool(_POINTS.search(part))


def _signal(body: str) -> str:
    """The strongest sign of structure, or an empty word."""
    lines = [line for line in body.split("\n") if line.strip()]
    if sum(bool(_MAIL.match(line)) for line in lines[:12]) >= 2:
        return "mail_header"
    if _rows(lines):
        return "table"
    if _headings(lines):
        return "headings"
    if sum(bool(_LOGGED.match(line)) for line in lines) >= 3:
        return "log"
    if _fields(lines, of=2):
        return "field_pairs"
    if _says_i(lines):
        return ""
    return _quiet_signal(body, lines)


def _quiet_signal(body: str, lines: list[str]) -> str:
    """Signs that a story could have too, so they are asked for only where nobody says "I"."""
    if _fields(lines, of=4):
        return "field_pairs"
    if _titled(body, lines):
        return "title"
    if sum(bool(_CLAUSE.match(line)) for line in lines) >= 3:
        return "numbered_clauses"
    return "list" if sum(bool(_BULLET.match(line)) for line in lines) >= 3 else ""


def _rows(lines: list[str]) -> bool:
    rows = sum(bool(_ROW.match(line)) for line in lines)
    return rows >= 2 and (rows >= 4 or any(_RULE.match(line) for line in lines))


def _headings(lines: list[str]) -> bool:
    """A Markdown or HTML heading, an underlined line, or two numbered sections."""
    if any(_MARKDOWN.match(line) for line in lines):
        return True
    underlined = any(
        _UNDERLINE.match(line) and _is_title(above)
        for above, line in zip(lines, lines[1:], strict=False)
    )
    return underlined or sum(bool(_SECTION.match(line)) for line in lines) >= 2


def _fields(lines: list[str], *, of: int) -> bool:
    """Three labels that differ, on lines of their own or between commas, on one line in `of`."""
    labels = {match[1] for line in lines if (match := _FIELD.match(line))}
    for line in lines[:20]:
        if len(found := _INLINE.findall(line)) >= 2:
            labels.update(found)
    return len(labels) >= 3 and len(labels) * of >= len(lines)


def _titled(body: str, lines: list[str]) -> bool:
    """A title line over a paragraph, a list or more such lines."""
    if len(lines) < 3 or not _is_title(lines[0]):
        return False
    apart = bool(re.match(r"[^\n]*\n[ \t]*\n", body))
    return apart or bool(_FIELD.match(lines[1]) or _BULLET.match(lines[1]))


def _is_title(line: str) -> bool:
    line = line.strip()
    if not 3 <= len(line) <= _TITLE or _ENDS.search(line) or _OWN.match(line):
        return False
    return line[0].isupper() or line[0].isdigit()


def _says_i(lines: list[str]) -> bool:
    """Somebody tells of themselves; the items of a list ("How do I ...") are not looked at."""
    told = "\n".join(line for line in lines if not _BULLET.match(line))
    return len(_FIRST_PERSON.findall(told)) > max(1, len(told.split()) * _SAYS_I)
