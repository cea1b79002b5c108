"""Names in a claim, and whether any source holds them. A name begins with a capital in mid-line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chat.guardrails.claims.figures import Figure
from chat.guardrails.claims.sources import Sources
from chat.guardrails.claims.words import plain

_NAME = re.compile(
    r"(?<![.!?:;\u2026\"\u201c(\u2022\u2013\u2014*|-] )(?<=\s)"
    r"[(\"\u201c]?(?P<name>[A-Z][a-z][\w'\u2019-]*)"
)
CODE = re.compile(r"`{1,3}[^`]{1,2000}`{1,3}")  # an example, which claims nothing
_EMPHASIS = re.compile(r"[*_`]+")
_LABEL = re.compile(r"\s*[^:.!?]{1,60}:\s")  # `Tech Support Scams: ...`, which names no thing
_WORD = re.compile(r"[^\W\d_]{4,}")
_PIECES = re.compile(r"[^\W_]+")
# What else a country's name is written as; the short forms are looked for as they stand.
_ALSO = {
    "united": ("us", "u.s", "usa", "uk", "u.k", "un", "uae", "american", "british"),
    "states": ("us", "u.s", "usa", "american"),
    "kingdom": ("uk", "u.k", "british"),
    "nations": ("un",),
    "european": ("eu", "europe"),
    "union": ("eu",),
}
_TITLE_CASE = 0.7  # of the longer words: from here on capitals say nothing
_KEPT = 4  # letters of a name that have to be there; two more may be an ending


def unheld_name(claim: str, figures: tuple[Figure, ...], sources: Sources) -> str:
    """The first name of a claim that no source and not the question holds, or nothing."""
    if _is_title(claim):
        return ""
    text = _EMPHASIS.sub("", CODE.sub(" ", claim))
    label = _LABEL.match(text)
    text = text[label.end() :] if label else text
    spans = [(figure.start, figure.end) for figure in figures] if text == claim else []
    for found in _NAME.finditer(text):
        place = found.start("name")
        if any(start <= place < end for start, end in spans):
            continue
        if not all(_held(piece, sources) for piece in _pieces(found["name"])):
            return found["name"]
    return ""


def _pieces(name: str) -> Iterator[str]:
    yield from _PIECES.findall(plain(name).removesuffix("'s"))


def _held(piece: str, sources: Sources) -> bool:
    """A name is held with another ending too: `Africa` by `African`."""
    if piece.isdigit() or sources.holds_word(piece[: max(_KEPT, len(piece) - 2)]):
        return True
    return any(f" {other}" in sources.whole for other in _ALSO.get(piece, ()))


def _is_title(text: str) -> bool:
    """Is most of it in capitals, as headings and menus are?"""
    longer = _WORD.findall(text)
    return len(longer) > 3 and sum(word[0].isupper() for word in longer) >= _TITLE_CASE * len(
        longer
    )
