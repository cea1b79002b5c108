"""Text that a person who looks at the page does not see, and a model reads all the same."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chat.guardrails.untrusted.orders import Span, orders

HIDDEN_TEXT = "hidden_text"

_FLAG = "\U0001f3f4"  # a black flag; tag letters after it are a region's code, and seen as its flag
_TAGS = re.compile("[\U000e0000-\U000e007f]+")
_REGION = re.compile("[a-z]{2}[a-z0-9]{1,3}\x7f")
# One sign of the first kind colours an emoji, and one of the second joins two.
_RUNS = re.compile(
    "[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4,}|[\u200b-\u200d\u2060-\u2064\ufeff\u180e\u3164]{8,}"
)
_TURNED = re.compile("[\u202d\u202e]([^\u202c\n]{1,600})\u202c?")
_BEGUN, _OVER = "<!--", "-->"  # of a comment
_SPEAKS = re.compile(
    r"\b(?:ignore|disregard|forget|override|instead|assistant|ai|llm|prompt|chatbot|language model"
    r"|(?:say|state|reply|respond|tell|answer|output|write|claim)\b(?: \w+){0,6}?:"
    r"|you (?:are|must|should|will))\b",
    re.IGNORECASE,
)
_FOR_PEOPLE = re.compile(r"\b(?:lint|prettier|eslint|todo|fixme|noqa|toc|generated)", re.IGNORECASE)


def hidden(text: str) -> Iterator[Span]:
    """Stretches that are not shown: tag letters, signs in a row, turned text, comments."""
    yield from _comments(text)
    if text.isascii():
        return
    for match in _TAGS.finditer(text):
        if not _is_a_flag(text, match):
            yield (*match.span(), HIDDEN_TEXT)
            yield from ((*match.span(), kind) for _, _, kind in orders(_spelled(match[0])))
    for match in _RUNS.finditer(text):
        yield (*match.span(), HIDDEN_TEXT)
    for match in _TURNED.finditer(text):
        if orders(match[1][::-1]):
            yield (*match.span(), HIDDEN_TEXT)


def _comments(text: str) -> Iterator[Span]:
    begin = text.find(_BEGUN)
    while begin >= 0 and (over := text.find(_OVER, begin + len(_BEGUN))) >= 0:
        end, said = over + len(_OVER), text[begin + len(_BEGUN) : over]
        if orders(said) or (_SPEAKS.search(said) and not _FOR_PEOPLE.search(said)):
            yield begin, end, HIDDEN_TEXT
        begin = text.find(_BEGUN, end)


def _is_a_flag(text: str, tags: re.Match[str]) -> bool:
    letters = _spelled(tags[0])
    before = text[tags.start() - 1] if tags.start() else ""
    return before == _FLAG and bool(_REGION.fullmatch(letters))


def _spelled(tags: str) -> str:
    """What tag letters say."""
    return "".join(chr(ord(letter) - 0xE0000) for letter in tags)
