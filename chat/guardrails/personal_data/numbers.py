"""Accounts, cards and phones in a plain view of a text, found in one walk from left to right.

What was found already counts as its placeholder for what comes after it, so a second walk
over the redacted text meets the same surroundings and finds nothing more.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from chat.guardrails.personal_data.accounts import IBAN_BEGINS, IBAN_START, iban_end
from chat.guardrails.personal_data.cards import card_end
from chat.guardrails.personal_data.phones import extension_end, phone_end
from chat.guardrails.personal_data.runs import CONTEXT, RUN, Group, Run, groups_of, mask

Kind = Literal["card", "iban", "phone"]
Found = tuple[int, int, Kind]

_CANDIDATE = re.compile(rf"(?P<iban>{IBAN_START})|{RUN}", re.IGNORECASE)
_GLUED = re.compile(rf"(?P<iban>{IBAN_BEGINS})", re.IGNORECASE)
_LEAD = re.compile(r"(?:\(?\+[ (]{0,2}|\()\Z")
_AFTER = 24  # characters behind a number that may say what it is
_FEWEST = 7  # digits of the shortest number that is looked for


def number_spans(text: str) -> list[Found]:
    """Spans with their kinds, left to right and apart from each other."""
    masked = mask(text)
    found: list[Found] = []
    place = 0
    while candidate := _next(masked, place, found):
        start = candidate.start()
        if not candidate["iban"]:
            place = _add_run(text, masked, candidate.span(), found)
        elif end := iban_end(text, start, _before(text, start, found)):
            found.append((start, end, "iban"))
            place = end
        else:
            place = start + 2  # past the country's letters; the digits may be something else
    return found


def _next(text: str, place: int, found: list[Found]) -> re.Match[str] | None:
    """The next candidate. Right behind a find an account may begin as after a space."""
    glued = _GLUED.match(text, place) if found and found[-1][1] == place else None
    return glued or _CANDIDATE.search(text, place)


def _add_run(text: str, masked: str, span: tuple[int, int], found: list[Found]) -> int:
    """Add what the run holds; give back where to look on."""
    groups = groups_of(masked, *span)
    if sum(len(group.digits) for group in groups) >= _FEWEST:
        _add(Row(text, masked, groups, text[span[1] : span[1] + _AFTER]), 0, len(groups), found)
    return max(span[1], found[-1][1]) if found else span[1]


@dataclass(frozen=True, slots=True)
class Row:
    """All groups of one run and what follows them."""

    text: str
    masked: str
    groups: Sequence[Group]
    after: str

    def part(self, first: int, stop: int, found: list[Found]) -> Run:
        before = _before(self.text, self.groups[first].start, found)
        after = self.after if stop == len(self.groups) else ""
        return Run(self.masked, self.groups, first, stop, before, after)


def _add(row: Row, first: int, stop: int, found: list[Found]) -> None:
    """Add the finds among these groups. What stands before a find is looked at again alone."""
    while first < stop:
        run = row.part(first, stop, found)
        hit = _first_hit(run)
        if hit is None:
            return
        begin, end, kind = hit
        _add(row, first, begin, found)
        found.append(_span(row, run, hit))
        first = end


def _first_hit(run: Run) -> tuple[int, int, Kind] | None:
    for index in range(run.first, run.stop):
        if end := card_end(run, index):
            return index, end, "card"
        if end := phone_end(run, index):
            return index, end, "phone"
    return None


def _span(row: Row, run: Run, hit: tuple[int, int, Kind]) -> Found:
    """The find's place, with its plus sign, its brackets and its extension."""
    first, last, kind = hit
    start, end = row.groups[first].start, row.groups[last - 1].end
    if kind == "phone" and last == run.stop:
        end = extension_end(row.text, end)
    lead = _LEAD.search(row.text, max(0, start - 4), start)
    if lead and ("+" in lead.group() or ")" in row.text[start:end]):
        start = lead.start()
    return start, end, kind


def _before(text: str, start: int, found: list[Found]) -> str:
    """The end of the text up to `start` as it will read, with placeholders."""
    pieces: list[str] = []
    length, place = 0, start
    for first, last, kind in reversed(found):
        if length >= CONTEXT:
            break
        pieces += [text[max(last, place - CONTEXT) : place], f"[{kind}]"]
        length += place - last + len(kind) + 2
        place = first
    pieces.append(text[max(0, place - CONTEXT) : place])
    return "".join(reversed(pieces))[-CONTEXT:]
