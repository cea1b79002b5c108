"""Where somebody's name stands in a plain view of a text, as far as the words before it tell.

A name is found after an introduction ("my name is"), a title, a signature's closing or a field's
label. Names in running text are not looked for: without a model that would take products and
places for people.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from chat.guardrails.personal_data.name_wordlists import (
    ASKED,
    CUES,
    NOT_NAMES,
    PARTICLES,
    PERSONAL,
    PROUD,
    SPEAKERS,
    TITLES,
)

Span = tuple[int, int]

HAN = "\u2e80"  # from here on stand letters of words that no blank divides

_MOST = 4  # words of a name
_MOST_SMALL = 2  # of one without capitals, where the next words may be anything


def _any(cues: list[str]) -> str:
    whole = ((cue, r"(?!\w)" if cue[-1].isalpha() else "") for cue in cues)
    return "|".join(re.escape(cue) + ends for cue, ends in sorted(whole, reverse=True))


# A phrase begins behind a blank or a sign, so that the search runs through the words. Scripts
# without blanks have phrases of their own.
_CUE = re.compile(rf"[^a-z0-9_](?P<cue>{_any([cue for cue in CUES if cue[0] < HAN])})")
_HAN_CUE = re.compile("|".join(cue for cue in CUES if cue[0] >= HAN))
_TITLE = re.compile(rf"(?:{'|'.join(sorted(TITLES, key=len, reverse=True))})\b\.?[ \t]{{1,3}}")
_ASKED = re.compile(ASKED)
_MAILBOX = "<[email]>"
_LEAD = re.compile(r"[\s:,;=\"'“‘(*_–-]{0,6}")
_CLOSING_LEAD = re.compile(r"[ \t,.!:;–—-]{0,4}(?:\n\s{0,8})?")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+){0,3}")
_BETWEEN = re.compile(r"\.?[ \t]{1,2}|\.(?=[^\W\d_])")
_LINE_ENDS = re.compile(r"[ \t.!?]{0,3}(?:\n|\Z)")
_FIELD_ENDS = re.compile(r"[ \t.]{0,3}(?:[\n,;|<(\[]|\Z)")
_FIELD_STARTS = re.compile(r"(?:\A|[\n,;|>*.])[ \t>*#-]{0,8}\Z")
_PART_ENDS = re.compile(r"[ \t]{0,2}(?:[,.!;\n(]|\Z|(?:and|from|with|of|at)\b)")
_SPEAKS = re.compile(
    rf"[ \t]{{0,2}},?[ \t]{{0,2}}(?:{'|'.join(sorted(SPEAKERS))})\b", re.IGNORECASE
)
_ENDINGS = ("ed", "ing", "ly")  # of a word that says how a name is written, not what it is
_SHORTEST_ENDED = 7
_NAMES_ENDED = frozenset(
    "mohammed muhammed mohamed mahmoud kimberly beverly sterling manning harding fielding kipling "
    "browning fleming golding redding spalding billing winifred wilfred manfred siegfried "
    "alfreed mohamad nathaly connolly kennelly donnelly".split()
)  # fmt: skip


def name_spans(text: str) -> list[Span]:
    """Spans of names, left to right and apart from each other."""
    low = _lower(text)
    found = sorted({*_after_cues(text, low), *_after_titles(text), *_answers(text, low),
                    *_mailboxes(text)})  # fmt: skip
    apart: list[Span] = []
    for start, end in found:
        if apart and start < apart[-1][1]:
            apart[-1] = apart[-1][0], max(end, apart[-1][1])
        else:
            apart.append((start, end))
    return apart


def _lower(text: str) -> str:
    """In small letters, with every letter at its place, and one kind of apostrophe."""
    low = text.lower()
    if len(low) != len(text):
        low = "".join(small if len(small := char.lower()) == 1 else char for char in text)
    return low.replace("’", "'").replace("\n", " ") if "’" in low or "\n" in low else low


def _after_cues(text: str, low: str) -> Iterator[Span]:
    for cue in _CUE.finditer(f" {low}"):  # one sign longer, so a text may begin with a phrase
        start, end = cue.span("cue")
        if span := _STYLES[CUES[cue["cue"]]](text, start - 1, end - 1):
            yield span
    for cue in () if low.isascii() else _HAN_CUE.finditer(low):
        if span := _STYLES[CUES[cue.group()]](text, *cue.span()):
            yield span


def _said(text: str, _begin: int, end: int) -> Span | None:
    start = _match_end(_LEAD, text, end)
    return _span(start, _name_end(text, start, any_case=True))


def _loud(text: str, _begin: int, end: int) -> Span | None:
    start = _match_end(_LEAD, text, end)
    return _span(start, _name_end(text, start))


def _called(text: str, begin: int, end: int) -> Span | None:
    """In small letters only when nothing else is said of the call."""
    span = _said(text, begin, end)
    return span if span and (text[span[0]].isupper() or _PART_ENDS.match(text, span[1])) else None


def _closing(text: str, _begin: int, end: int) -> Span | None:
    start = _match_end(_CLOSING_LEAD, text, end)
    stop = _name_end(text, start) if start > end else None
    return (start, stop) if stop and _LINE_ENDS.match(text, stop) else None


def _field(text: str, begin: int, end: int) -> Span | None:
    start = _match_end(_LEAD, text, end)
    stop = _name_end(text, start)
    if stop is None or not _FIELD_ENDS.match(text, stop):
        return None
    words = _WORD.findall(text[max(0, begin - 24) : begin].lower())
    label = words[-1] if words and text[begin - 1 : begin] in (" ", "-", "_") else ""
    is_first = _FIELD_STARTS.search(text, max(0, begin - 12), begin) is not None
    return (start, stop) if is_first or label in PERSONAL else None


def _speaking(text: str, begin: int, end: int) -> Span | None:
    """ "This is Jane from Acme", "I am Jane Doe": more has to speak for a name than a capital."""
    start = _match_end(_LEAD, text, end)
    stop = _name_end(text, start, any_case=True)
    if stop is None:
        return None
    words = text[start:stop].split()
    if any(word.casefold().strip(".") in PROUD for word in words):
        return None
    is_loud = all(not word[0].islower() or word in PARTICLES for word in words)
    spoken = _SPEAKS.match(text, stop)
    if spoken and (is_loud or spoken.group().strip(" ,\t").lower() in ("speaking", "calling")):
        return start, stop
    if not is_loud or any(word.isupper() and len(word) > 1 for word in words):
        return None
    if len(words) > 1 or text[begin] in "iI":
        return (start, stop) if _PART_ENDS.match(text, stop) else None
    return None


_STYLES: dict[str, Callable[[str, int, int], Span | None]] = {
    "said": _said,
    "loud": _loud,
    "call": _called,
    "closing": _closing,
    "field": _field,
    "speaking": _speaking,
}


def _after_titles(text: str) -> Iterator[Span]:
    for title in _TITLE.finditer(text):
        start, end = title.span()
        if start and (text[start - 1].isalnum() or text[start - 1] in "_-'’"):
            continue
        if title.group()[:2] in ("Dr", "St") and _follows_a_capital(text, start):
            continue  # "12 Elm Dr Springfield" is a street
        if span := _span(end, _name_end(text, end)):
            yield span


def _follows_a_capital(text: str, start: int) -> bool:
    before = text[max(0, start - 24) : start].rstrip(" ")
    words = before.split()
    return bool(words) and words[-1][0].isupper() and words[-1][-1].isalnum()


def _answers(text: str, low: str) -> Iterator[Span]:
    if "name" not in low or "?" not in low:
        return
    for asked in _ASKED.finditer(low):
        stop = _name_end(text, asked.end())
        if (
            stop
            and not low[max(0, asked.start() - 1) : asked.start()].isalnum()
            and _LINE_ENDS.match(text, stop)
        ):
            yield asked.end(), stop


def _mailboxes(text: str) -> Iterator[Span]:
    """Jane Doe <[email]>: as letters write who they are from."""
    place = text.find(_MAILBOX)
    while place >= 0:
        line = text.rfind("\n", max(0, place - 60), place) + 1 or max(0, place - 60)
        words = list(_WORD.finditer(text, line, place))
        start = None
        for word in reversed(words[-_MOST:]):
            if not word.group()[0].isupper() or text[word.end() : word.end() + 1] == ":":
                break
            start = word.start()
        if start is not None:
            yield start, text.rindex(words[-1].group(), start, place) + len(words[-1].group())
        place = text.find(_MAILBOX, place + 1)


def _name_end(text: str, start: int, *, any_case: bool = False) -> int | None:
    """Where the name that begins at `start` ends, or None if none does."""
    first = _WORD.match(text, start)
    if first is None or not _is_name(first.group(), any_case):
        return None
    if _touches(text, first.end()):
        return None
    if any_case and first.group().islower():
        return _small_end(text, first.end())
    end, place, count = first.end(), first.end(), 1
    while count < _MOST:
        gap = _BETWEEN.match(text, place)
        word = _WORD.match(text, gap.end()) if gap else None
        if word is None or _touches(text, word.end()):
            break
        if word.group() in PARTICLES:
            place, count = word.end(), count + 1
            continue
        if not _is_name(word.group(), any_case=False):
            break
        end = place = word.end()
        count += 1
    return end


def _small_end(text: str, end: int) -> int:
    """A second word without a capital is a surname unless it is an everyday word."""
    gap = _BETWEEN.match(text, end)
    word = _WORD.match(text, gap.end()) if gap and "." not in gap.group() else None
    if word and _is_name(word.group(), any_case=True) and not _touches(text, word.end()):
        return word.end()
    return end


def _is_name(word: str, any_case: bool) -> bool:
    if word[0].islower() and not any_case:
        return False
    plain = word.casefold()
    if plain in NOT_NAMES or (word.islower() and len(word) < 2):
        return False
    if word.islower() and len(word) >= _SHORTEST_ENDED and word.endswith(_ENDINGS):
        return plain in _NAMES_ENDED
    return True


def _touches(text: str, end: int) -> bool:
    """A digit or a sign right behind makes it an address, a host or a file."""
    after = text[end : end + 2]
    if not after:
        return False
    if after[0].isdigit() or after[0] in "_@/\\=":
        return True
    return after[0] in ".:-" and after[1:].isalnum() and not after[1:].isupper()


def _match_end(pattern: re.Pattern[str], text: str, place: int) -> int:
    found = pattern.match(text, place)
    return found.end() if found else place


def _span(start: int, end: int | None) -> Span | None:
    return (start, end) if end is not None else None
