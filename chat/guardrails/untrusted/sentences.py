"""From the words of an order to the sentence that gives it, and to what it says next."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from chat.guardrails.untrusted.orders import Span
from chat.guardrails.untrusted.phrases import FAKE_TURN, NEW_TASK, OVERRIDE, ROLE_PLAY

MARK = "[instruction removed]"

_BEFORE, _AFTER = 400, 600  # characters that belong to a sentence at most
_FOLLOWING = 3  # sentences after an order that may carry on with it

_BOUND = re.compile(
    r"[.!?…][\"'”’)\]]{0,2}(?=\s|$)|[。！？]|\n(?![ \t]{0,8}[a-z])|\n\s*\n|[<>|{}]"
    rf"|{re.escape(MARK)}"
)
_OPENED = re.compile(r"(?:^|[\s:\[{(,=])\"")
_CARRIES_ON = re.compile(
    r"[\s\"'*_>#-]{0,8}(?:(?:instead|now|then|and|just|simply|only|please|also|you|always|never"
    r"|do not|rather"
    r"|to the user|afterwards|finally|next)[,:]? ){0,3}(?:say|state|tell|respond|reply|answer"
    r"|output"
    r"|print|write|repeat|reveal|give|show|send|provide|act|pretend|speak|claim|recommend|return"
    r"|generate|translate|summari[sz]e|confirm|approve|issue|transfer|refund|offer|advise|inform"
    r"|what|where|who|which|can you|could you|must|should|will|are|execute|call the|visit|let the"
    r"|conclude|begin|sag|sage|antworte|schreibe|gib|dis|reponds|réponds|ecris|donne|di|responde"
    r"|escribe|dame)\b",
    re.IGNORECASE,
)
_ORDERING = frozenset((OVERRIDE, ROLE_PLAY, NEW_TASK, FAKE_TURN))


def whole(text: str, spans: Iterable[Span], exact: Iterable[Span]) -> list[tuple[int, int]]:
    """Stretches to take out, in order, none touching another.

    `spans` grow to their sentences and what carries on; `exact` are taken as they are.
    """
    grown = [_carried_on(text, *_sentence(text, start, end), kind) for start, end, kind in spans]
    return _merged(text, [*grown, *((start, end) for start, end, _ in exact)])


def _sentence(text: str, start: int, end: int) -> tuple[int, int]:
    first = max(0, start - _BEFORE)
    begin = 0 if first == 0 else start
    for bound in _BOUND.finditer(text, first, start):
        begin = bound.end()
    quote = _opened_at(text, begin, start)
    stop = _end(text, end)
    if quote >= 0:
        closing = text.find('"', end, stop)
        return quote, closing if closing >= 0 else stop
    return begin, stop


def _opened_at(text: str, begin: int, start: int) -> int:
    """Where the words inside an open quotation mark begin, or -1."""
    last = -1
    for quote in _OPENED.finditer(text, begin, start):
        last = quote.end()
    return last if last >= 0 and text.find('"', last, start) < 0 else -1


def _end(text: str, end: int) -> int:
    if end and _BOUND.fullmatch(text, end - 1, end):
        return end
    bound = _BOUND.search(text, end, end + _AFTER + len(MARK))
    if bound is None:
        return min(len(text), end + _AFTER)
    return bound.end() if bound[0][0] in ".!?…。！？" else bound.start()


def _carried_on(text: str, start: int, end: int, kind: str) -> tuple[int, int]:
    """The sentences after an order that go on with it, within its paragraph."""
    if kind not in _ORDERING:
        return start, end
    for _ in range(_FOLLOWING):
        if kind != FAKE_TURN and text.startswith("\n", end):
            break
        following = _CARRIES_ON.match(text, end)
        if following is None or "\n\n" in following[0]:
            break
        end = _end(text, following.end())
    return start, end


def _merged(text: str, stretches: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """In order; those that overlap or have only blanks between them become one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(_trimmed(text, *stretch) for stretch in stretches):
        if found and not text[found[-1][1] : start].strip():
            found[-1] = found[-1][0], max(found[-1][1], end)
        elif end > start:
            found.append((start, end))
    return found


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
