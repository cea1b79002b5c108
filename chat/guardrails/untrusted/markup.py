"""Marks that only machines read: turns of a chat that was never held, and addresses that carry."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from chat.guardrails.untrusted.orders import Span
from chat.guardrails.untrusted.phrases import EXFILTRATION, FAKE_TURN

_TOKEN = re.compile(
    r"<\|[a-zA-Z_]{2,24}\|>|\[/?INST\]|<</?SYS>>|</?(?:start|end)_of_turn>"
    r"|<\uff5c[^\n\uff5c]{1,24}\uff5c>"
)
_TURN_TEXT = re.compile(
    r"\s*(?:(?:system|user|assistant|developer|model|tool)\b[ \t]*\n?)?[^<\[\n]{0,1000}", re.I
)
_OPENS = re.compile(r"im_start|start|\[INST|<<SYS|_header_|^<\|(?:system|user|assistant)", re.I)

_CLOSING = re.compile(
    r"</\s*(data|documents?|passages?|context|user(?:_input|_message)?|system(?:_prompt)?"
    r"|instructions?|assistant|untrusted\w*|tool_results?|search_results?|question|prompt"
    r"|conversation|input|example)\s*>",
    re.I,
)
_OPENING = re.compile(r"<\s*(?:system(?:_prompt|_message)?|assistant|developer|im_start)\s*>", re.I)

_HEADING = re.compile(
    r"(?m)^[ \t>]*#{2,4} ?(?:(?:new |system )?instructions?|system|response|input|assistant|human"
    r"|user"
    r"|prompt)(?: prompt| message)? ?:|^[ \t>]*#{2,4} ?(?:new |system )?instruction[ \t]*$",
    re.I,
)
_ROLE = re.compile(
    r"(?m)(?:^|(?<=[.!?>\"'] )|(?<=\"))[ \t>*_#-]{0,6}\[?(?:system|assistant|developer"
    r"|admin(?:istrator)?"
    r"|ai|chatbot)(?: (?:message|prompt|instructions?|override|update|note|command|alert))?\]?"
    r"\**[ \t]?[:：\]]\**[ \t]*(?=(\S[^\n]{0,200}))",
    re.I,
)
_ORDERS_OF_A_ROLE = re.compile(
    r"(?:\w+[,:]? ){0,3}?(?:you (?:are|must|will|should|shall|have|may|can)|ignore|disregard|forget"
    r"|override|respond|reply|answer|always|never|do not|don't|new (?:instructions?|rules?|task)"
    r"|from"
    r" now on|tell|reveal|say|output|print|execute|approve|grant|confirm|refund|the (?:user"
    r"|customer)"
    r" (?:is|has|was|wants)|all (?:previous|prior)|sure[,!]|of course|certainly|okay|call the"
    r"|use the"
    r" tool|send|transfer|delete|disable)\b",
    re.I,
)

_CARRIES = (
    r"(?:data|prompts?|conversation|history|secrets?|passwords?|summary|user\w*|name|e-?mail|answer"
    r"|chat\w*|context|messages?|system\w*|api_?key|key|tokens?|info\w*|content|text|question|reply"
    r"|response|details|session|card\w*|account\w*|address|phone|base64\w*|encoded\w*|query|url"
    r"|leak\w*|exfil\w*|output|document\w*|insert\w*|everything)"
)
_HOLE_SHAPES = (
    r"(?:\{{?[^}\n]{0,80}\}\}?|\[[^\]\n]{0,80}\]|<[^>\n]{0,80}>|\$\([^)\n]{0,80}\)"
    r"|%7B[^)\s]{0,80}%7D|\b(?:INSERT|YOUR|USER|PUT)_\w{2,40})"
)
_PICTURE = re.compile(r"!\[[^\]\n]{0,200}\]\(\s{0,9}<?(?:https?:)?//", re.I)
_TAG = re.compile(r"<img\b[^>]{0,200}?src\s{0,9}=\s{0,9}[\"']?(?:https?:)?//", re.I)
_LINK = re.compile(r"\[[^\]\n]{0,200}\]\(\s{0,9}<?(?:https?:)?//[^)\s?]{0,300}\?", re.I)
_ADDRESS = re.compile(r"(?:[^()\n]|\([^()\n]{0,80}\)){0,700}\)")
_SOURCE = re.compile(r"(?:[^<>\n]|<[^<>\n]{0,80}>){0,600}>")
_HOLE = re.compile(_HOLE_SHAPES, re.I)
_CARRIED = re.compile(rf"{_CARRIES}\b", re.I)
_OPEN, _SHUT = "[{<(_", ")]}>\n"  # what a hole begins with, and what ends it
_WIDEST_HOLE = 42  # characters from where a hole opens to the word of what it carries
_AFTER_EQUALS = 62


def headed(text: str) -> Iterator[Span]:
    """Headings and roles of a chat that was never held; what they say follows them."""
    if "#" in text:
        for match in _HEADING.finditer(text):
            yield (*match.span(), FAKE_TURN)
    for match in _ROLE.finditer(text):
        if _ORDERS_OF_A_ROLE.match(match[1]):
            yield match.start(), match.start(1) + 1, FAKE_TURN


def marked(text: str) -> Iterator[Span]:
    """Tokens of a chat, fences that were never opened, and addresses with a hole in them."""
    if "<" in text or "[" in text:
        yield from _tokens(text)
        yield from _fences(text)
    if "](" in text or "<img" in text.lower():
        yield from _carrying(text, _PICTURE, _ADDRESS, _HOLE.search)
        yield from _carrying(text, _TAG, _SOURCE, _HOLE.search)
        yield from _carrying(text, _LINK, _ADDRESS, _is_filled)


def _carrying(
    text: str, begins: re.Pattern[str], rest: re.Pattern[str], has_hole: Callable[[str], object]
) -> Iterator[Span]:
    """Addresses with a hole. Each is read to its end once, so that the time stays linear."""
    end = 0
    for match in begins.finditer(text):
        if match.start() < end or (found := rest.match(text, match.end())) is None:
            continue
        if has_hole(found[0]):
            end = found.end()
            yield match.start(), end, EXFILTRATION


def _is_filled(address: str) -> bool:
    """Is a parameter to be filled in with what a conversation holds: `?q={history}`?"""
    for word in _CARRIED.finditer(address):
        first = max(0, word.start() - _WIDEST_HOLE)
        before = address[first : word.start()]
        shut = max(map(before.rfind, _SHUT)) + 1
        opened = min((at for sign in _OPEN if (at := before.find(sign, shut)) >= 0), default=-1)
        if opened >= 0:
            place = first + opened
            if "=" in address[max(0, place - _AFTER_EQUALS) : place]:
                return True
    return False


def _tokens(text: str) -> Iterator[Span]:
    """A token, and where it opens a turn all that the turn says on its line."""
    end = 0
    for match in _TOKEN.finditer(text):
        if match.end() <= end:
            continue
        end = match.end()
        if _OPENS.search(match[0]) and (said := _TURN_TEXT.match(text, end)):
            end = said.end()
        yield match.start(), end, FAKE_TURN


def _fences(text: str) -> Iterator[Span]:
    """A closing tag whose opening does not stand before it closes what we opened."""
    for match in _OPENING.finditer(text):
        yield (*match.span(), FAKE_TURN)
    lower, first = "", dict[str, int]()
    for match in _CLOSING.finditer(text):
        lower, tag = lower or text.lower(), match[1].lower()
        if tag not in first:
            first[tag] = lower.find(f"<{tag}")
        if not 0 <= first[tag] < match.start():
            yield (*match.span(), FAKE_TURN)
