"""The input boundary's ear for people: is somebody in danger, is somebody upset.

Both are told by families of phrases, in under a millisecond and without a model, so that a
crisis never waits for anything. A phrase counts for whoever it speaks of ("my friend wants to
die" is a crisis too), unless it is denied ("I am not suicidal") or means something else
("career suicide", "kill myself laughing"). Missing a crisis costs more than a false alarm.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from chat.guardrails.screening.feelings import STRONG_FEELINGS, TEARS, WEAK_FEELINGS
from chat.guardrails.screening.phrases import CRISIS_FAMILIES, MACHINES, PEOPLE

_BEFORE = 60  # characters before a phrase that may deny it or turn it
_WEAK = 2  # weak signs of upset that make one strong sign

# "p@inless", "k1ll": figures and signs that stand for letters inside a word.
_MASKED = re.compile(r"(?<![a-z])[a-z]+(?:[@!$0-9]+[a-z]+)+")
_MASK = re.compile(r"[@!$0-9][a-z]")
_LETTERS = str.maketrans("@!$013457", "aisoieast")
_UNSEEN = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\u00ad"))

_DENIED = re.compile(
    r"\b(?:(?:i|he|she|we|they)(?:'m| am|'s| is|'re| are| was| were)? (?:not|never)|(?:i|he|she|we"
    r"|they) (?:do|did|does|would|will|could|have|has|had)(?:n't| not| never)|(?:i|he|she|we|they) "
    r"(?:isn't|aren't|wasn't|weren't|won't)|(?:i|he|she|we|they)'d never|(?:have|has|had|with"
    r"|having) no)(?: (?:want|wants|going|trying|planning|about|thinking|feeling|ever|to|of|a|any"
    r"|being|been|be|at all|thoughts?))*(?: to| of)? $"
)
_SENTENCE = re.compile(r"[.!?;] ")
_TURN = re.compile(r"\b(?:but|although|though|however|except|yet|anymore|any more)\b")
_MACHINES = frozenset(word + ending for word in MACHINES for ending in ("", "s", "es", "'s"))
_PEOPLE = frozenset((*PEOPLE, *(f"{word}s" for word in PEOPLE if len(word) > 2)))


@dataclass(frozen=True, slots=True)
class _Family:
    """Phrases of one kind. Nothing is searched unless one of `needs` stands in the text.

    `before` and `after` are what turns a phrase into something else; with `living`, a
    machine as its subject does so too, where no person stands closer.
    """

    needs: tuple[str, ...]
    phrase: re.Pattern[str]
    before: re.Pattern[str] | None
    after: re.Pattern[str] | None
    living: bool

    def found(self, text: str) -> bool:
        if not any(need in text for need in self.needs):
            return False
        return any(self._meant(text, match) for match in self.phrase.finditer(text))

    def _meant(self, text: str, match: re.Match[str]) -> bool:
        before = _SENTENCE.split(text[max(0, match.start() - _BEFORE) : match.start()])[-1]
        after = text[match.end() : match.end() + _BEFORE]
        if self.before and self.before.search(before):
            return False
        if self.after and self.after.match(after):
            return False
        if self.living and _of_a_machine(before):
            return False
        return not (_DENIED.search(before) and not _TURN.search(after))


def _of_a_machine(before: str) -> bool:
    """Is the closest subject before a phrase a machine?"""
    for word in reversed(before.split()):
        if word in _PEOPLE:
            return False
        if word.strip(",:()") in _MACHINES:
            return True
    return False


def _families(rows: Iterable[tuple[str, str, str, str, bool]]) -> tuple[_Family, ...]:
    return tuple(
        _Family(
            tuple(needs.split("|")),
            re.compile(rf"\b(?:{phrase})\b"),
            re.compile(rf"\b(?:{before}) $") if before else None,
            re.compile(rf" ?(?:{after})\b") if after else None,
            living,
        )
        for needs, phrase, before, after, living in rows
    )


_CRISIS = _families(CRISIS_FAMILIES)
_STRONG = _families(STRONG_FEELINGS)
_WEAK_ONES = _families(WEAK_FEELINGS)


def crisis(text: str) -> bool:
    """Does somebody speak of ending a life, of self-harm, or of being in danger now?"""
    plain = _plain(text)
    return _any(_CRISIS, plain) or (
        bool(_MASK.search(plain)) and _any(_CRISIS, _MASKED.sub(_unmasked, plain))
    )


def distressed(text: str) -> bool:
    """Ordinary upset: overwhelmed, crying, desperate, in a panic, or crying emojis."""
    if any(sign in text for sign in TEARS):
        return True
    plain = _plain(text)
    if _any(_STRONG, plain):
        return True
    weak = sum(family.found(plain) for family in _WEAK_ONES)
    return weak > 0 and weak + _shouted(text) >= _WEAK


def _any(families: Sequence[_Family], text: str) -> bool:
    return any(family.found(text) for family in families)


def _plain(text: str) -> str:
    """Lower case, straight quotes, single blanks, and nothing that cannot be seen."""
    if not text.isascii():
        text = text.translate(_UNSEEN).replace("’", "'").replace("‘", "'")
    return " ".join(text.casefold().split())


def _unmasked(match: re.Match[str]) -> str:
    return match[0].translate(_LETTERS)


def _shouted(text: str) -> int:
    """1 for two exclamation marks in a row or most words in capitals, 2 for both."""
    letters = [character for character in text if character.isalpha()]
    capitals = sum(character.isupper() for character in letters)
    return ("!!" in text) + (len(letters) >= 12 and capitals * 10 > len(letters) * 7)
