"""The words that a question is about: folded, without what every question has. Pure.

Endings are cut by a few rules, so that refund, refunds and refunded are one word. It is no
stemmer of a language; words that it does not know stay as they are.
"""

from __future__ import annotations

import re
import unicodedata

LONGEST = 400  # characters of a text that are looked at
MOST = 24  # words of one text

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")

EMPTY = frozenset(
    """a an the and or but if so as at by for from in into of off on onto out over per than that
    then there these this those to under until up upon via with within without is are was were be
    been being am do does did doing done have has had having can could may might must shall should
    will would i me my mine we us our ours you your yours he him his she her hers it its they them
    their theirs who whom whose which what when where why how not no nor yes just only also too
    very any some all each every other another such same own both either neither more most less
    least few many much one ones please thanks thank hello hi hey get gets got getting give gives
    make makes made let need needs want wants like tell know about please else ever still yet
    again here now hand it's i'm i've don't can't doesn't isn't there's what's how's""".split()
)

ENDINGS = (("ies", "y"), ("sses", "ss"), ("ing", ""), ("edly", ""), ("ed", ""), ("es", "e"))
KEPT = 4  # letters that must be left of a word that loses its ending


def as_written(text: str) -> dict[str, str]:
    """At most `MOST` words that carry what is asked, each with how the text has it first.

    In the text's order.
    """
    found: dict[str, str] = {}
    for match in WORD.finditer(folded(text[:LONGEST])):
        word = match.group().replace("’", "'").removesuffix("'s")
        if word not in EMPTY and (len(word) > 1 or word.isdecimal()) and len(found) < MOST:
            found.setdefault(stem(word), word)
    return found


def folded(text: str) -> str:
    """Lower case, without accents."""
    if text.isascii():
        return text.lower()
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(part for part in parts if not unicodedata.combining(part))


def stem(word: str) -> str:
    """The word without a common English ending."""
    for ending, instead in ENDINGS:
        left = word.removesuffix(ending)
        if left != word and len(left) >= KEPT - len(instead):
            return _undoubled(left + instead)
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > KEPT - 1:
        return _undoubled(word[:-1])
    return _undoubled(word)


def _undoubled(word: str) -> str:
    """`cancell` and `cancel` are one, as are `charge` and `charg`."""
    if len(word) > KEPT and word[-1] == word[-2] and word[-1] not in "aeious":
        return word[:-1]
    return word.removesuffix("e") if len(word) > KEPT else word
