"""Names of plans and laws, and numbers of paragraphs, that no source holds: found, and hedged.

A hedge stands behind the name once, repeats nothing of it, and never stands in code or in a link.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chat.guardrails.claims.words import plain
from chat.guardrails.drafts.markers import PROTECTED

HEDGE = " (not named in the sources)"

_KINDS = (
    r"section|sect\.|sec\.|clause|article|art\.|paragraph|para\.?|subsection|sub-section|schedule"
    r"|annex|regulation|rule|recital|chapter"
)
_PARAGRAPH = re.compile(
    rf"(?:§§? ?|(?<![^\W_])(?:{_KINDS})s? (?:no\. ?|number )?)"
    r"(?P<number>\d{1,4}(?:\.\d{1,3}){0,4}[a-z]?(?:\([a-z0-9]{1,4}\)){0,3})(?![^\W_]|[.,:]\d|-[^\W\d_])",
    re.IGNORECASE,
)
_TYPES = (
    r"Act|Law|Regulations?|Directive|Ordinance|Statute|Code of Conduct|Plan|Programme|Program"
    r"|Scheme|Guarantee|Initiative|Convention|Treaty|Charter|Fund|Relief|Bill|Accord|Protocol"
)
_OF_A_LIST = ("plan", "programme", "program", "scheme")  # which a list names once, above it
_WORD = r"[A-Z][\w'\u2019-]*"
_JOINER = r"(?:of|and|for|the|on|to|in|&)"
_NAMED = re.compile(
    rf"(?<![\w/.@-])(?P<name>(?:{_WORD} )(?:(?:{_WORD}|{_JOINER}) ){{0,6}}(?:{_TYPES})"
    r"(?: (?:of )?(?:1[5-9]|20)\d\d)?)(?![\w-])"
)
_UNDER = re.compile(r"\b[Uu]nder (?:the )?(?P<name>[A-Z]{3,8})(?![\w-])")
_OPENERS = frozenset(
    "the a an this that these those our your its their under in on by for with from if when and or "
    "as at each every no any both".split()
)
_LINK = re.compile(
    r"!?\[[^\[\]\n]{0,300}\]\([^()\s]{0,2000}(?:\s\"[^\"\n]{0,300}\")?\)|https?://\S+|www\.\S+"
)
_CLOSING = re.compile(r"(?:\*\*|__|[*_\"'\u201d\u2019])+")


@dataclass(frozen=True, slots=True)
class Hedged:
    """The text with its hedges, and how many names and numbers carry one."""

    text: str
    count: int


@dataclass(frozen=True, slots=True)
class Named:
    """A name or a paragraph's number in a text: where it ends, and how it is compared."""

    start: int
    end: int
    key: str
    is_paragraph: bool


def hedge(text: str, whole: str, allowed: Sequence[str] = ()) -> Hedged:
    """The text with a hedge behind each name that `whole` (lower case) does not hold.

    `allowed` are names that need no source.
    """
    kept = [(found.start(), found.end()) for found in PROTECTED.finditer(text)]
    kept += [(found.start(), found.end()) for found in _LINK.finditer(text)]
    places: dict[str, int] = {}
    for named in sorted(unheld(text, whole, allowed), key=lambda one: one.start):
        if not any(start < named.end and named.start < end for start, end in kept):
            places.setdefault(named.key, _behind(text, named.end))
    parts, done = [], 0
    for place in sorted(set(places.values())):
        already = text.startswith(HEDGE, place)
        parts += [text[done:place], "" if already else HEDGE]
        done = place
    return Hedged("".join((*parts, text[done:])), len(set(places.values())))


def _behind(text: str, end: int) -> int:
    """Behind the marks that close the name's emphasis or quotation."""
    closing = _CLOSING.match(text, end)
    return closing.end() if closing else end


def unheld(text: str, whole: str, allowed: Sequence[str] = ()) -> Iterator[Named]:
    """Names and numbers of a text that `whole` (in lower case) does not hold."""
    plain_allowed = [plain(name) for name in allowed]
    for named in find(text):
        if named.is_paragraph:
            if not _holds_paragraph(named.key, whole):
                yield named
        elif not (
            _holds(named.key, whole) or any(_covers(one, named.key) for one in plain_allowed)
        ):
            yield named


def find(text: str) -> Iterator[Named]:
    """Paragraph numbers, then names of plans, programmes and laws, in a text."""
    for found in _PARAGRAPH.finditer(text):
        yield Named(found.start(), found.end(), plain(found["number"]), True)
    for pattern in (_NAMED, _UNDER):
        for found in pattern.finditer(text):
            start, name = _without_openers(found["name"], found.start("name"))
            if name and not name.isspace():
                yield Named(start, found.end("name"), plain(name), False)


def _without_openers(name: str, start: int) -> tuple[int, str]:
    """`The Fair Pricing Act` is known as `Fair Pricing Act`; `The Act` names none."""
    words = name.split(" ")
    while words and words[0].casefold() in _OPENERS:
        start += len(words.pop(0)) + 1
    if len(words) < 2 and not name.isupper():
        return start, ""
    return start, " ".join(words)


def _covers(allowed: str, name: str) -> bool:
    return bool(allowed) and (allowed in name or name in allowed)


def _holds(name: str, whole: str) -> bool:
    """As it stands, or without its year; or a plan by its own name: `Branch` under `Plans`."""
    if name in whole:
        return True
    own, _, kind = name.rpartition(" ")
    if kind in _OF_A_LIST and kind in whole:
        return re.search(rf"(?<![^\W_]){re.escape(own)}(?![^\W_])", whole) is not None
    bare = re.sub(r" (?:of )?\d{4}$", "", name)
    return bare != name and bare in whole and name[-4:] in whole


def _holds_paragraph(number: str, whole: str) -> bool:
    """With the word before it, or as the number that begins a line or a heading."""
    exact = re.escape(number)
    pattern = rf"(?:§ ?|(?:{_KINDS})s? (?:no\. ?|number )?|^[ \t#*>|-]*){exact}(?![^\W_]|\.\d|\()"
    return re.search(pattern, whole, re.MULTILINE) is not None
