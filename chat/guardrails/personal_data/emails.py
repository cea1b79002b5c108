"""Where e-mail addresses stand in a plain view of a text, written or spelled out.

The search goes from each at-sign outwards over a bounded stretch, so the time grows with the
text alone. A find is rather too long than too short: what is left of an address is a leak.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from chat.guardrails.wordlists import NOT_A_NAME, SPOKEN_ENDINGS, WEBMAIL

Span = tuple[int, int]

_LATIN = "A-Za-z\u00c0-\u024f\u1e00-\u1eff"
_IS_LATIN = re.compile(f"[{_LATIN}]")
_MARKS = frozenset(".!#$%&'*+/=?^_`{|}~-")  # what RFC 5322 allows beside letters and digits
_WRAPPING = "'*_`~|"  # quotes and Markdown marks around an address, which are not part of it
_LONGEST_LOCAL = 128  # twice what the standard allows

_OPEN, _CLOSE = r"[\[({<]\s?", r"\s?[\])}>]"
_AT = re.compile(
    rf"\s{{0,3}}{_OPEN}(?P<boxed>at|@){_CLOSE}\s{{0,3}}"
    r"|(?P<before>\s{0,3})(?P<sign>@|%40|&#0*64;|&#x0*40;|&commat;)(?P<after>\s{0,3})"
    r"|\s{1,3}(?P<bare>at)\s{1,3}",
    re.IGNORECASE,
)
# A quick look for one: it begins with one of few signs, so the search runs through all others.
_CORE = re.compile(r"@|%40|&(?:#0*64|#x0*40|commat);|[\s\[({<](?:@|at(?=[\s\])}>]))", re.IGNORECASE)
_LEAD, _TAIL = 5, 6  # characters around it that `_AT` may take in

_SAID_DOT = rf"(?:\s{{0,3}}{_OPEN}(?:dot|\.){_CLOSE}\s{{0,3}}|\s{{1,3}}dot\s{{1,3}})"
_ANY_DOT = rf"(?:{_SAID_DOT}|\s{{1,3}}\.\s{{0,3}}|\.\s{{0,3}})"
_DOT_BEFORE = re.compile(_SAID_DOT + r"\Z", re.IGNORECASE)
_WORD = rf"[{_LATIN}0-9][{_LATIN}0-9_-]{{0,62}}"
_ENDING = rf"(?:{'|'.join(SPOKEN_ENDINGS)})(?![\w-])"
_LAST = rf"{_ENDING}(?:{_SAID_DOT}{_ENDING})?"


def _domain(letter: str, sign: str) -> str:
    """Dotted labels that end in one which begins with a letter: `1.2.3` is a version."""
    return rf"(?:{sign}(?:{sign}|[_-]){{0,62}}\.){{1,126}}{letter}(?:{sign}|-){{0,61}}{sign}"


_LATIN_DOMAIN = _domain(f"[{_LATIN}]", f"[{_LATIN}0-9]")
_OTHER_DOMAIN = _domain(r"[^\W\d_]", r"[^\W_]")
_WRITTEN = re.compile(
    rf"{_LATIN_DOMAIN}|{_OTHER_DOMAIN}"
    rf"|{_WORD}-?\n\s{{0,3}}{_LATIN_DOMAIN}"
    r"|\[(?:ipv6:)?[0-9a-f.:]{3,45}\]",
    re.IGNORECASE,
)
_LOOSE = re.compile(rf"{_WORD}(?:{_ANY_DOT}{_WORD}){{0,4}}?{_ANY_DOT}{_LAST}", re.IGNORECASE)
_SAID = re.compile(
    rf"{_WORD}(?:{_ANY_DOT}{_WORD}){{0,4}}?{_SAID_DOT}{_LAST}"
    rf"|(?:{'|'.join(WEBMAIL)})(?:{_ANY_DOT}{_WORD})?{_ANY_DOT}{_LAST}",
    re.IGNORECASE,
)


def email_spans(text: str) -> Iterator[Span]:
    """Spans of addresses, left to right and apart from each other."""
    last: Span | None = None
    for at in _at_signs(text):
        found = _address(text, at)
        if found is None:
            continue
        if last and found[0] <= last[1]:
            last = min(last[0], found[0]), max(last[1], found[1])
            continue
        if last:
            yield last
        last = found
    if last:
        yield last


def _at_signs(text: str) -> Iterator[re.Match[str]]:
    """What `_AT` finds in the whole text, looked for only where something like it stands."""
    place = 0
    while core := _CORE.search(text, place):
        at = _AT.search(text, max(place, core.start() - _LEAD), core.end() + _TAIL)
        if at is not None:
            yield at
        place = max(core.start() + 1, at.end() if at else 0)


def _address(text: str, at: re.Match[str]) -> Span | None:
    end = _domain_end(text, at)
    if end is None:
        return None
    start = _local_start(text, at.start())
    if start == at.start():
        return None
    if (at["bare"] or at["after"]) and not _is_name(text[start : at.start()]):
        return None
    return start, end


def _domain_end(text: str, at: re.Match[str]) -> int | None:
    if at["bare"]:
        found = _SAID.match(text, at.end())
    elif _is_handle(at):
        found = None  # "thanks @larkspur.example" names an account elsewhere
    else:
        found = _WRITTEN.match(text, at.end()) or _LOOSE.match(text, at.end())
    return found.end() if found else None


def _is_handle(at: re.Match[str]) -> bool:
    return bool(at["before"]) and not at["after"] and "\n" not in at["before"]


def _is_name(local: str) -> bool:
    return local.casefold() not in NOT_A_NAME and any(c.isalnum() for c in local)


def _local_start(text: str, end: int) -> int:
    """Where the part before the at-sign begins; `end` itself when there is none."""
    if text[max(0, end - 1) : end] == '"':
        opening = text.rfind('"', max(0, end - _LONGEST_LOCAL), end - 1)
        return end if opening < 0 or "\n" in text[opening:end] else opening
    start = _run_start(text, end)
    while said := _DOT_BEFORE.search(text, max(0, start - 14), start):
        earlier = _run_start(text, said.start())
        if earlier == said.start():
            break
        start = earlier
    return start


def _run_start(text: str, end: int) -> int:
    """Goes left over letters of one script, digits and the marks that an address may hold."""
    start, latin = end, None
    while start > max(0, end - _LONGEST_LOCAL):
        char = text[start - 1]
        if char.isalpha():
            is_latin = _IS_LATIN.match(char) is not None
            if latin is not None and latin != is_latin:
                break
            latin = is_latin
        elif not (char in _MARKS or char.isdigit()):
            break
        start -= 1
    return _trimmed(text, start, end)


def _trimmed(text: str, start: int, end: int) -> int:
    """Leaves out what wraps an address, and the rest of a web address around it."""
    local = text[start:end]
    if "//" in local or "?" in local:
        local = re.split(r"[/?&=]", local)[-1] or local
    name = local.lstrip(_WRAPPING) or local  # marks alone are an odd name, yet one
    return end - len(name)
