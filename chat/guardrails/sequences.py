"""Whether a text is one phrase after another and nothing else, told in bounded time."""

from __future__ import annotations

import re


def is_sequence(phrase: re.Pattern[str], text: str) -> bool:
    """Is `text` phrases that `phrase` matches whole, one space between two of them?

    Each place that phrases lead to is gone on from once. A pattern for the whole,
    `(?:phrase(?: |$))+`, would cut up "hi hi hi … x" in every way there is before it gives up,
    which takes seconds; this takes as many matches as there are pairs of words at most.
    """
    ends = [place for place, sign in enumerate(text) if sign == " "] + [len(text)]
    reached = {0}
    for start in (0, *(end + 1 for end in ends)):
        if start in reached:
            tried = (end for end in ends if end > start)
            reached |= {end + 1 for end in tried if phrase.fullmatch(text, start, end)}
    return len(text) + 1 in reached
