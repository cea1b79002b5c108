"""Numbers of persons and of bank accounts in a plain view of a text, by the table of regions.

The walk goes from number to number, so a text without any costs nothing. At each one the words
just before and after say what it is; without them only a shape of its own does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from chat.guardrails.personal_data.identity_table import ACCOUNTS, REGIONS, Kind, Row
from chat.guardrails.personal_data.identity_words import (
    KEPT_LABELS,
    NAMED_AFTER,
    NUMBER_FILLERS,
)

Found = tuple[int, int, Kind]

ROWS: tuple[Row, ...] = (*REGIONS, *ACCOUNTS)

# Two digits right behind a letter, or six digits over separators. It begins with the digit, so
# that the search runs through what has none; letters before it are looked for from there.
_CANDIDATE = re.compile(
    r"\d(?:(?<=[A-Za-z]\d)\d|(?<![^\W_]\d)(?P<run>(?:[ \t\r\n./-]{0,3}\d){5,31}))"
)
_LETTERS = re.compile(r"(?<![^\W_])[A-Za-z]{1,6}[ -]?\Z")
_REST = re.compile(r"[A-Za-z0-9]{0,24}")
_TAIL = re.compile(r"(?:[-.]\d{2,}){0,4}")  # of a longer number of which a shape is only a part
_DECIMAL = re.compile(r"\d+\.\d+\Z")
_AFTER = re.compile(r"[\s,]{0,3}(?:\(|(?:is|was|are)\b)", re.IGNORECASE)
_CONTEXT = 64  # characters before and after a number that may say what it is
_MOST_WORDS = 3  # of the name of a number
_ENOUGH = 8  # letters and digits in a row after which a blank ends a number
_LONGEST = 26  # letters and digits of any number
_TOKEN = re.compile(r"[A-Za-z0-9]+")
_GAP = re.compile(r"[ \t\r\n./-]{0,3}")
_WORD = re.compile(r"\[[a-z_]{2,16}\]|[^\W_]+")
_BLANK = re.compile(r"[ \t\r\n]+")
_TOUCHING = "+$£€¥₹.@-"  # right before a number they make it part of something else
_DATE = re.compile(
    r"(?:(?:19|20)\d\d[-/.][01]?\d[-/.][0-3]?\d|[0-3]?\d[-/.][01]?\d[-/.](?:19|20)\d\d)(?!\d)"
)


def _by_words(rows: Sequence[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        for words in row.words:
            found.setdefault(words, []).append(row)
    return found


_NAMED = _by_words(ROWS)
_COMPACT = {row: re.compile(row.compact) for row in ROWS}
_BARE = [(re.compile(row.bare, re.IGNORECASE), row) for row in ROWS if row.bare]
_ANY_BARE = re.compile("|".join(row.bare for row in ROWS if row.bare), re.IGNORECASE)


def identity_spans(text: str) -> list[Found]:
    """Spans with their kinds, left to right and apart from each other."""
    found: list[Found] = []
    place = 0
    while candidate := _CANDIDATE.search(text, place):
        start = candidate.start()
        place = _match_end(_REST, text, candidate.end())
        if _DECIMAL.match(text, start, place):
            continue
        for begin in _begins(text, start):
            if hit := _named(text, begin, place) or _bare(text, begin, place):
                first, last, kind = hit
                place = _match_end(_TAIL, text, last)
                found.append((first, place, kind))
                break
    return found


def _begins(text: str, start: int) -> Iterator[int]:
    """The letters before these digits, and the digits themselves if they may stand alone."""
    letters = _LETTERS.search(text, max(0, start - 8), start)
    if letters:
        yield letters.start()
    if not letters or text[start - 1] in " -":
        yield start


def _named(text: str, start: int, end: int) -> Found | None:
    """The number that begins here, if the words beside it name it."""
    if start and text[start - 1] in "+@":
        return None
    for row in _named_before(text, start):
        if stop := _end(text, start, row):
            return start, stop, row.kind
    if not _AFTER.match(text, end) or _DATE.match(text, start):
        return None
    for stop, compact in _ends(text, start):
        for row in _named_after(text, stop) if stop >= end else ():
            if _COMPACT[row].fullmatch(compact):
                return start, stop, row.kind
    return None


def _named_before(text: str, start: int) -> Sequence[Row]:
    words = _words_before(text, start)
    for count in range(min(_MOST_WORDS, len(words)), 0, -1):
        if rows := _NAMED.get(" ".join(words[-count:])):
            return rows
    return ()


def _words_before(text: str, start: int) -> list[str]:
    """The words before a number without those between its name and itself."""
    words = [word.lower() for word in _WORD.findall(text[max(0, start - _CONTEXT) : start])]
    while words and words[-1] in NUMBER_FILLERS:
        words.pop()
    return words


def _named_after(text: str, end: int) -> Sequence[Row]:
    """The rows that "is my account number" or "(SSN)" behind a number speaks of."""
    after = text[end : end + _CONTEXT]
    opened = after.lstrip(" ,")[:1] == "("
    words = [word.lower() for word in _WORD.findall(after)]
    told = 0
    while told < len(words) and words[told] in NAMED_AFTER:
        told += 1
    if not opened and (not told or words[0] not in ("is", "was", "are")):
        return ()
    for count in range(_MOST_WORDS, 0, -1):
        if rows := _NAMED.get(" ".join(words[told : told + count])):
            return rows
    return ()


def _end(text: str, start: int, row: Row) -> int | None:
    """Where the longest number of this row ends."""
    if row.region != "UK" and _DATE.match(text, start):
        return None
    ends = [end for end, compact in _ends(text, start) if _COMPACT[row].fullmatch(compact)]
    return ends[-1] if ends else None


def _ends(text: str, start: int) -> Iterator[tuple[int, str]]:
    """Each place at which a number that begins here may end, with it in capitals."""
    compact, place = "", start
    while token := _TOKEN.match(text, place):
        part = token.group().upper()
        is_digits = any(char.isdigit() for char in part)
        if not is_digits and len(part) > (3 if not compact else 1):
            return
        compact += part
        if len(compact) > _LONGEST:
            return
        if not _goes_on(text, token.end()):
            yield token.end(), compact
        gap = _GAP.match(text, token.end())
        place = gap.end() if gap else token.end()
        if place == token.end() or (compact and not is_digits and len(compact) > 3):
            return
        blank = any(char.isspace() for char in text[token.end() : place])
        if blank and (len(part) >= _ENOUGH or _DATE.match(text, place)):
            return


def _goes_on(text: str, end: int) -> bool:
    """A letter of any script or a low line behind it: the number is part of a longer word."""
    return end < len(text) and (text[end].isalnum() or text[end] == "_")


def _bare(text: str, start: int, end: int) -> Found | None:
    """The first number up to `end` that its shape alone gives away."""
    begins = [start]
    if text[start].isdigit():
        begins += [blank.end() for blank in _BLANK.finditer(text, start, end)]
    for begin in begins:
        if not _ANY_BARE.match(text, begin) or _is_labelled(text, begin):
            continue
        for shape, row in _BARE:
            found = shape.match(text, begin)
            if found and _stands_alone(text, *found.span()) and _is_proved(row, found.group()):
                return begin, found.end(), row.kind
    return None


def _is_proved(row: Row, written: str) -> bool:
    return row.proves is None or row.proves(written)


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Nothing that touches it belongs to it; grouped by blanks, no digits over a blank either."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    if before[-1:] and (before[-1] in _TOUCHING or before[-1].isalnum() or before[-1] == "_"):
        return False
    if _goes_on(text, end) or (after[:1] in (".", "-") and after[1:].isdigit()):
        return False
    if any(char.isspace() for char in text[start:end]):
        digits_before = before[-1:].isspace() and before[:1].isdigit()
        return not digits_before and not (after[:1].isspace() and after[1:].isdigit())
    return True


def _is_labelled(text: str, start: int) -> bool:
    words = _words_before(text, start)
    return bool(words) and words[-1] in KEPT_LABELS


def _match_end(pattern: re.Pattern[str], text: str, place: int) -> int:
    found = pattern.match(text, place)
    return found.end() if found else place
