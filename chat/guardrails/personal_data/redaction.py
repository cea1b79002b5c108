"""Takes personal data out of a text: every recogniser in its turn, until nothing is found.

Each is shown a plain view of the text in which what was found before is a placeholder already,
so nothing is found twice. What one took out can change what its neighbours are, so the walk is
done once more after every find; a text without any is walked once.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from chat.guardrails.personal_data.addresses import ip_spans
from chat.guardrails.personal_data.emails import email_spans
from chat.guardrails.personal_data.folding import folded
from chat.guardrails.personal_data.identities import identity_spans
from chat.guardrails.personal_data.islands import islands
from chat.guardrails.personal_data.names import name_spans
from chat.guardrails.personal_data.numbers import number_spans

# What redaction takes out. Each is also its placeholder's name: `[email]`.
KINDS = ("email", "phone", "card", "iban", "account", "national_id", "ip", "name")


@dataclass(frozen=True, slots=True)
class Redacted:
    """The text with placeholders, and how many of each of `KINDS` they stand for.

    What was not found is not counted.
    """

    text: str
    counts: dict[str, int]


Found = tuple[int, int, str]
Recogniser = Callable[[str], Iterable[Found]]

_FIRST_MARK = 0xF0000  # signs that no script uses; each that is in the text is kept too
_MARKS = re.compile("[\U000f0000-\U0010ffff]")
_LONG = re.compile(r"(?:\d[ .-]{0,3}){13}")  # digits of the shortest card
_ROUNDS = 6  # what was found can change what its neighbours are; one more round is the rule


def _emails(text: str) -> Iterable[Found]:
    return [(start, end, "email") for start, end in email_spans(text)]


def _cards(text: str) -> Iterable[Found]:
    """Cards come before what a word names: a card beside "licence" is a card all the same."""
    if not _LONG.search(text):
        return []
    return [(start, end, kind) for start, end, kind in number_spans(text) if kind == "card"]


def _addresses(text: str) -> Iterable[Found]:
    return [(start, end, "ip") for start, end in ip_spans(text)]


def _names(text: str) -> Iterable[Found]:
    return [(start, end, "name") for start, end in name_spans(text)]


# In this order: what is found is not looked at again. The second says whether it needs digits.
_RECOGNISERS: tuple[tuple[Recogniser, bool], ...] = (
    (_emails, False),
    (_addresses, True),
    (_cards, True),
    (identity_spans, True),
    (number_spans, True),
    (_names, False),
)


def redact(text: str, *, keep: Collection[str] = ()) -> Redacted:
    """Take personal data out, but for the kinds in `keep`. Takes any `str`.

    A second time changes nothing.
    """
    counts: Counter[str] = Counter()
    kept = _Kept()
    if keep:
        text = kept.hide_marks(text)
    for _ in range(_ROUNDS):
        once = _once(text, lambda kind, was: _stand_in(kind, was, keep, kept, counts))
        if once == text:
            break
        text = once
    return Redacted(kept.show(text) if keep else text, dict(counts))


def spans(text: str) -> list[Found]:
    """Where the first walk finds personal data, with its kinds, in the order of the text.

    For measuring; `redact` may find more once these are gone.
    """
    found: list[Found] = []
    taken = _Kept()
    marked = taken.hide_marks(text)
    kinds = ["" for _ in taken.values]

    def stand_in(kind: str, was: str) -> str:
        kinds.append(kind)
        return taken.hide(was)

    place = 0
    for sign in _once(marked, stand_in):
        index = ord(sign) - _FIRST_MARK
        length = len(taken.values[index]) if index >= 0 else 1
        if index >= 0 and kinds[index]:
            found.append((place, place + length, kinds[index]))
        place += length
    return found


class _Kept:
    """What stays, behind marks, so that no recogniser takes a part of it for another kind."""

    def __init__(self) -> None:
        self.values: list[str] = []

    def hide_marks(self, text: str) -> str:
        """The text with a mark of our own for each sign in it that is like one."""
        return _MARKS.sub(lambda sign: self._mark(sign.group()), text)

    def hide(self, was: str) -> str:
        """The mark that stands for a stretch of a text whose marks are all ours."""
        return self._mark(self.show(was))

    def show(self, text: str) -> str:
        """The text with what its marks stand for."""
        return _MARKS.sub(lambda mark: self.values[ord(mark.group()) - _FIRST_MARK], text)

    def _mark(self, value: str) -> str:
        self.values.append(value)
        return chr(min(_FIRST_MARK + len(self.values) - 1, sys.maxunicode))


def _stand_in(kind: str, was: str, keep: Collection[str], kept: _Kept, counts: Counter[str]) -> str:
    if kind in keep:
        return kept.hide(was)
    counts[kind] += 1
    return f"[{kind}]"


def _once(text: str, stand_in: Callable[[str, str], str]) -> str:
    """One walk of every recogniser."""
    view = folded(text)
    for recognise, by_digits in _RECOGNISERS:
        finds = (_near_digits if by_digits else _all)(recognise, view.text)
        if finds:
            gone = [(*view.original(start, end), kind) for start, end, kind in finds]
            text = _replaced(text, gone, stand_in)
            view = folded(text)
    return text


def _all(recognise: Recogniser, text: str) -> list[Found]:
    return list(recognise(text))


def _near_digits(recognise: Recogniser, text: str) -> list[Found]:
    return [
        (place + start, place + end, kind)
        for place, part in islands(text)
        for start, end, kind in recognise(part)
    ]


def _replaced(text: str, finds: Iterable[Found], stand_in: Callable[[str, str], str]) -> str:
    pieces: list[str] = []
    place = 0
    for start, end, kind in finds:
        pieces += [text[place:start], stand_in(kind, text[start:end])]
        place = end
    return "".join((*pieces, text[place:]))
