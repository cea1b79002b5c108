"""Does the thing that a claim names fit the passage that its marker cites?

Only what tells the passages apart counts: a name, or the word by which one title differs from
another (`business account`, `personal account`). In doubt it fits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

from chat.contracts.passages import Passage
from chat.guardrails.claims.words import plain, read

_MARKER = re.compile(r"\[\d+\]")
_WORD = re.compile(r"[^\W\d_][\w'\u2019-]*")
_SHORTEST = 3  # letters of a name


def fits_entity(sentence: str, passage: Passage, others: Sequence[Passage]) -> bool:
    """False where the claim names only things that others' titles name and `passage` never does.

    `others` are the rest of the answer's passages; `passage` may be among them.
    """
    rivals = [other for other in others if other.text != passage.text]
    claimed = frozenset(read(_MARKER.sub(" ", sentence)).content)
    if not rivals or not claimed:
        return True
    titles = [title for one in (passage, *rivals) for title in _titles(one)]
    running = " ".join((sentence, passage.text, *(one.text for one in rivals)))
    named = {stem for title in titles for stem in _names(title, running, claimed)}
    named |= _contrasts(titles) & claimed
    everyone = [_whole(one) for one in (passage, *rivals)] if named else []
    telling = [word for word in named if not all(_mentions(one, word) for one in everyone)]
    return not telling or any(_mentions(everyone[0], word) for word in telling)


def _titles(passage: Passage) -> tuple[str, ...]:
    return tuple(filter(None, (passage.title, passage.heading)))


def _names(title: str, running: str, claimed: frozenset[str]) -> Iterator[str]:
    """Words of the claim that a title has, and running text writes with a capital alone."""
    for word in _WORD.findall(title):
        if len(word) < _SHORTEST or not word[0].isupper():
            continue
        own = claimed.intersection(read(word).content)
        if own and _is_name(word, running):
            yield from own


def _is_name(word: str, running: str) -> bool:
    exact = re.escape(word)
    lower = re.search(rf"(?<![^\W_]){re.escape(word.casefold())}(?![^\W_])", running)
    return lower is None and re.search(rf"[a-z0-9,;)\]] {exact}(?![^\W_])", running) is not None


def _contrasts(titles: Sequence[str]) -> frozenset[str]:
    """Where two titles are alike but for one word each, those two words."""
    bare = list(dict.fromkeys(frozenset(read(title).content) for title in titles))
    found: frozenset[str] = frozenset()
    for one, other in combinations(bare, 2):
        if one & other and len(one - other) == len(other - one) == 1:
            found |= one ^ other
    return found


def _whole(passage: Passage) -> str:
    return plain(f"{passage.title}\n{passage.heading}\n{passage.text}")


def _mentions(whole: str, stem: str) -> bool:
    """Does a text hold a word with this stem? The stem's last letter may have changed."""
    start = stem[: max(3, len(stem) - 1)] if len(stem) > 4 else stem
    return re.search(rf"(?<![^\W_]){re.escape(start)}", whole) is not None
