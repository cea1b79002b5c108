"""Finds orders to an assistant in a folded text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chat.guardrails.untrusted.folding import Folded, folded, places
from chat.guardrails.untrusted.languages import OTHERS
from chat.guardrails.untrusted.phrases import COUNTERMANDS, OVERRIDE, Row
from chat.guardrails.untrusted.replies import REPLIES
from chat.guardrails.untrusted.tasks import TASKS

Span = tuple[int, int, str]  # start, end, kind; places in the original text

_SEPARATOR = r"(?:[\s_,\"'~:;()\[\]-]{1,4})"
_BLANK = re.compile(r"\[[^\]]*\]|\(\?<[=!][^)]*\)| ")
_ESCAPED = "\\ "
_LOOK_BACK = 40  # characters before an order that show whether it begins a sentence
_BEGINS = re.compile(
    r"(?:^|[.!?;:,(\[{<>|}\])/=#—–-]|\b(?:and|or|then|please|also|instead|now|must|should|always"
    r"|just"
    r"|immediately|you|assistant|ai|only|to:|und|oder|bitte|dann|et|puis|y|luego|favor|whatever))"
    r"[\s*>#.\d)'_-]*$"
)
_WORD = re.compile("[a-z]+")
_KEY = 3  # letters by which orders are looked up
_SPACED = (
    "i g n o r e|i.g.n.o.r.e|i-g-n-o-r-e|i_g_n_o_r_e|d i s r e g a r d|d.i.s.r.e.g.a.r.d"
    "|f o r g e t|s y s t e m|o v e r r i d e|i n s t r u c t i o n"
)


@dataclass(frozen=True, slots=True)
class _Order:
    """What has to stand at one of its beginnings."""

    kind: str
    beginnings: tuple[str, ...]
    whole: re.Pattern[str]
    begins: bool

    def span(self, match: re.Match[str], view: Folded, original: str) -> Iterator[Span]:
        """Where a match stands in the original, if it is an order there."""
        start, end = view.span(match.start(), max(match.end(), match.start() + 1))
        if not self.begins or _begins_a_sentence(original, start):
            yield start, end, self.kind


def _begins_a_sentence(original: str, start: int) -> bool:
    before = original[max(0, start - _LOOK_BACK) : start]
    if "\n" in before:
        before = before.rpartition("\n")[2]
    return bool(_BEGINS.search(before.lower())) if before.strip() else True


def _compiled(rows: Sequence[Row]) -> tuple[_Order, ...]:
    return tuple(_order(*row) for row in rows)


def _order(kind: str, beginnings: str, rest: str, begins: bool) -> _Order:
    words = tuple(dict.fromkeys(folded(word).text.strip() for word in beginnings.split("|")))
    # The longest first, so that "ignoring" is not tried as "ignor".
    first = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    pattern = _BLANK.sub(_separated, f"(?:{first.replace(_ESCAPED, ' ')}){rest}")
    ends = "(?![a-z0-9])" if pattern[-1:].isascii() else ""
    return _Order(kind, words, re.compile(f"(?:{pattern}){ends}"), begins)


def _separated(match: re.Match[str]) -> str:
    """A blank stands for what may separate two words, outside classes and looks behind."""
    return match[0].replace(" ", _SEPARATOR) if match[0][0] == " " else match[0]


def _by_beginning(found: Sequence[_Order]) -> dict[str, tuple[_Order, ...]]:
    """The orders by the first letters of the words that they begin with."""
    keyed: dict[str, dict[int, _Order]] = {}
    for order in found:
        for words in order.beginnings:
            if word := _WORD.match(words):
                keyed.setdefault(word[0][:_KEY], {})[id(order)] = order
    return {key: tuple(orders.values()) for key, orders in keyed.items()}


_ORDERS = _compiled((*COUNTERMANDS, *TASKS, *REPLIES, *OTHERS, (OVERRIDE, _SPACED, "", False)))
_KEYED = _by_beginning(_ORDERS)
_UNKEYED = tuple(
    (words, order) for order in _ORDERS for words in order.beginnings if not _WORD.match(words)
)


def orders(text: str) -> list[Span]:
    """Every order in the text, by kind; they may overlap. Linear in its length."""
    view = folded(text)
    found: list[Span] = []
    for word in _WORD.finditer(view.text):
        for order in _KEYED.get(word[0][:_KEY], ()):
            if match := order.whole.match(view.text, word.start()):
                found += order.span(match, view, text)
    if not text.isascii():  # scripts without blanks between words
        for words, order in _UNKEYED:
            for place in places(view.text, words):
                if match := order.whole.match(view.text, place):
                    found += order.span(match, view, text)
    return found
