"""Numbers as they are written, in digits and in words, and what they may be worth.

`1,234`, `1.234`, `1 234` and `1'234` are one number; `twenty-nine` is 29.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_LONGEST = 24  # digits; what is longer is a code, not a number
_MOST_WORDS = 12  # of a number; more are a heap of words
_GAPS = " \u00a0\u2009\u202f"

DIGITS = re.compile(
    rf"(?<!\d)(?:[1-9]\d{{0,2}}(?P<sep>[,.'\u2019{_GAPS}])\d{{3}}(?:(?P=sep)\d{{3}})*(?!\d)"
    r"(?:[.,]\d{1,9})?(?![.,/:]?\d)|\d+(?:[.,/:]\d+)*)"
)

ONES = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen".split()
    )
}
TENS = {
    word: 10 * number
    for number, word in enumerate(
        "twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2
    )
}
BIG = {"hundred": 100, "thousand": 1_000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
ORDINALS = {
    word: number
    for number, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(),
        start=1,
    )
}
FEW = {"dozen": 12, "fortnight": 14}
COUNTING = ONES | TENS | BIG
# Words that no label repeats: each says how many.
FIGURE_WORDS = (
    frozenset(COUNTING)
    | frozenset(ORDINALS)
    | {
        *("half", "halves", "quarter", "thirds", "dozen", "dozens", "double", "twice", "triple"),
        *("hundreds", "thousands", "millions", "billions", "trillions", "percent"),
    }
)

_ONE = "|".join(COUNTING)
_WORDED = re.compile(
    rf"\b(?:(?:{_ONE})(?:(?:[ -]|,? and )(?:{_ONE})\b)*(?:[ -]and[ -]a[ -]half)?"
    rf"|half an?|(?:an?|one) (?:dozen|hundred|thousand|million|billion|trillion))\b",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[a-z]+")


@dataclass(frozen=True, slots=True)
class Number:
    """A number from `start` to `end` with its values, likeliest first; none for a code."""

    start: int
    end: int
    values: tuple[float, ...]
    step: float
    worded: bool = False


def in_digits(text: str) -> Iterator[Number]:
    """Every number that is written in digits, in order."""
    for found in DIGITS.finditer(text):
        values, step = _values(found.group(), found["sep"])
        yield Number(found.start(), found.end(), values, step)


def in_words(text: str) -> Iterator[Number]:
    """Every number that is written in words. `one` alone is mostly no number, and is left out."""
    for found in _WORDED.finditer(text):
        said = found.group().casefold()
        value = _worth(said)
        if value is not None:
            yield Number(found.start(), found.end(), (value,), 1.0, worded=True)


def has_words(text: str) -> bool:
    """Might a text hold a number in words? Quick: a yes means no more than a closer look."""
    return not _QUICK.isdisjoint(text.casefold().replace("-", " ").split())


_QUICK = (frozenset(COUNTING) - {"one"}) | {"half", "dozen"}


def _values(written: str, separator: str | None) -> tuple[tuple[float, ...], float]:
    """The values of a number in digits and the worth of its last digit; none for a code."""
    if len(written) > _LONGEST:
        return (), 1.0
    if separator:
        return _grouped(written, separator)
    parts = re.split(r"[.,]", written)
    if "/" in written or ":" in written or len(parts) > 2:
        return (), 1.0
    whole, decimals = parts[0], parts[1] if len(parts) == 2 else ""
    return (float(f"{whole}.{decimals or 0}"),), 10.0 ** -len(decimals)


def _grouped(written: str, separator: str) -> tuple[tuple[float, ...], float]:
    """A number with groups of three digits. One group behind a full stop may be decimals."""
    head, _, tail = written.rpartition(separator)
    mark = re.search(r"[.,]", tail)
    whole = (head + (tail[: mark.start()] if mark else tail)).replace(separator, "")
    decimals = tail[mark.start() + 1 :] if mark else ""
    value = float(f"{whole}.{decimals or 0}")
    if separator == "." and "." not in head and not mark:
        return (float(written), value), 1e-3
    return (value,), 10.0 ** -len(decimals)


def _worth(said: str) -> float | None:
    """`two hundred and five` is 205, `half a` is 0.5; None for words that make no number."""
    if said.startswith("half"):
        return 0.5
    more = 0.5 if said.endswith("half") else 0.0
    words = [word for word in _PARTS.findall(said) if word in COUNTING or word in FEW]
    if said.split()[0] in ("a", "an") or words[:1] in (["hundred"], ["thousand"], ["million"]):
        words = ["one", *words]
    if (words == ["one"] and not more) or len(words) > _MOST_WORDS:
        return None
    total = part = 0
    for word in words:
        if word in BIG and BIG[word] > 100:
            total, part = total + max(part, 1) * BIG[word], 0
        elif word in FEW or word == "hundred":
            part = max(part, 1) * (FEW.get(word) or 100)
        else:
            part += COUNTING[word]
    return float(total + part) + more
