"""The stretches of a text around its digits.

Recognisers of numbers look at a number and at what stands near it. Between two numbers far apart
there is nothing for them, so they are given the stretches alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_MARGIN = 160  # characters around a number: more than any recogniser looks at
_APART = 2 * _MARGIN
_DIGIT = re.compile(r"\d")
_NO_DIGITS = re.compile(r"\D+")


def islands(text: str) -> Iterator[tuple[int, str]]:
    """Each stretch with its place in the text. All its digits have their surroundings with them."""
    if len(text) <= _APART:  # as most are; there is nothing to leave out
        if _DIGIT.search(text):
            yield 0, text
        return
    begin = 0  # of the stretch that is not yet given
    for gap in _NO_DIGITS.finditer(text):
        start, end = gap.span()
        if end - start <= _APART and end < len(text):
            continue
        if start > 0:
            yield begin, text[begin : min(end, start + _MARGIN)]
        begin = max(start, end - _MARGIN)
    if begin < len(text) and text[-1:].isdigit():
        yield begin, text[begin:]
