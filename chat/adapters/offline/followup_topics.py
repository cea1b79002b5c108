"""What a question or an answer speaks of: its things and names, found without a grammar. Pure.

Words that hold a sentence together, and verbs where they can be told, end a phrase; what is left
between them are things. It is rough, and made for questions of a line or two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chat.adapters.offline.followup_words import (
    AUXILIARIES,
    DETERMINERS,
    NAME_GLUE,
    NOT_BEFORE_A_PERSON,
    PERSONS,
    PLURALS,
    PREPOSITIONS,
    SIDES,
    STATES,
    TIMES,
    VERBS,
)
from chat.adapters.offline.text import plain, stem
from chat.adapters.offline.wordlists import STOP_WORDS

LONGEST = 8  # words of a phrase that stands in for a pronoun

_TOKEN = re.compile(r"\w+(?:[-'.&/_]\w+)*|[^\w\s]")
_SENTENCE = re.compile(r"(?<=[.?!])\s+")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A thing: its words as typed, without what it is `of`; `before` is the word in front."""

    text: str
    before: str = ""
    of: bool = False

    @property
    def head(self) -> str:
        """The last word, lower case: what kind of thing it is."""
        return self.text.split()[-1].lower()

    @property
    def bare(self) -> str:
        """Without article or possessive."""
        first, _, rest = self.text.partition(" ")
        return rest if rest and first.lower() in DETERMINERS else self.text

    @property
    def is_name(self) -> bool:
        """Capitalised, each word but the small ones between."""
        return all(word[0].isupper() or word[0].isdigit() for word in self.bare.split())

    @property
    def is_many(self) -> bool:
        """Several: a plural, or two that are joined."""
        return (
            self.head in PLURALS
            or " and " in self.text
            or (self.head.endswith("s") and not self.head.endswith(("ss", "us", "is", "'s")))
        )


def phrases(text: str) -> tuple[Phrase, ...]:
    """The things that a text names, in order."""
    return tuple(_phrases(_TOKEN.findall(plain(text))))


def _phrases(tokens: Sequence[str]) -> Iterator[Phrase]:
    held: list[str] = []
    before = ""
    for place, token in enumerate(tokens):
        low = token.lower()
        if low in DETERMINERS:
            yield from _closed(held, before)
            before = before if not held and before in PREPOSITIONS else _previous(tokens, place)
            held = [token]
        elif _names(tokens, place, held):
            if not held:
                before = _previous(tokens, place)
            held.append(token)
        else:
            yield from _closed(held, before)
            held = []
    yield from _closed(held, before)


def _closed(held: list[str], before: str) -> Iterator[Phrase]:
    kept = held[:]
    while kept and (kept[-1].lower() in NAME_GLUE | STATES or _ADVERB.search(kept[-1])):
        kept.pop()
    if kept and (len(kept) > 1 or kept[0].lower() not in DETERMINERS):
        yield Phrase(" ".join(kept[:LONGEST]), before, before == "of")


_ADVERB = re.compile(r"^(?!family|supply|reply|assembly|apply|ally|monthly)[a-z]{3,}ly$")


def _previous(tokens: Sequence[str], place: int) -> str:
    return tokens[place - 1].lower() if place else ""


def _names(tokens: Sequence[str], place: int, held: list[str]) -> bool:
    """Does this token go on with, or begin, the name of a thing?"""
    token, low = tokens[place], tokens[place].lower()
    following = tokens[place + 1] if place + 1 < len(tokens) else ""
    if not token[0].isalnum():
        return False
    if token[0].isupper() and place and tokens[place - 1] not in ".?!" and low not in PERSONS:
        return True
    if low in NAME_GLUE and held:
        return low != "for" and held[-1][0].isupper() and following[:1].isupper()
    if low in STOP_WORDS or low in PREPOSITIONS or low in AUXILIARIES:
        return False
    if place and tokens[place - 1].lower() == "how":
        return False
    if low.endswith("ly") and not held:
        return False
    return not _is_verb(tokens, place, held)


def _is_verb(tokens: Sequence[str], place: int, held: list[str]) -> bool:
    low, ahead = tokens[place].lower(), _previous(tokens, place)
    if stem(low) not in VERBS:
        return False
    if held and held[-1].lower() in DETERMINERS:
        return False
    return ahead not in PREPOSITIONS - {"to"} or low.endswith("ing")


@dataclass(frozen=True, slots=True)
class _Name:
    text: str
    before: str
    acts: bool


def names(text: str) -> tuple[str, ...]:
    """The names that a text holds, in order: capitalised words in a row, articles left out."""
    return tuple(name.text for name in _all_names(text))


def people(text: str, *, acting: bool = False) -> tuple[str, ...]:
    """The names that may be a person's: those that stand in no place and after no article.

    With `acting` only those that a verb follows.
    """
    found = (name for name in _all_names(text) if name.acts or not acting)
    return tuple(name.text for name in found if name.before not in NOT_BEFORE_A_PERSON)


def leads(word: str) -> bool:
    """May `that` after this word stand for a thing? After a verb or a preposition."""
    return word.lower() in PREPOSITIONS or acts(word) or not word[-1].isalnum()


def _all_names(text: str) -> Iterator[_Name]:
    for sentence in _SENTENCE.split(plain(text)):
        words = [word.removesuffix("'s") for word in _TOKEN.findall(sentence)]
        if sum(word[0].isupper() for word in words) <= max(3, 0.75 * len(words)):
            yield from _named(words)  # else a heading, or all in capitals: there case says nothing


def _named(words: Sequence[str]) -> Iterator[_Name]:
    run: list[str] = []
    for place, word in enumerate((*words, ".")):
        following = words[place + 1 : place + 2]
        if _is_capital(word, in_run=bool(run)) or (run and word.isdigit()):
            run.append(word)
        elif run and word.lower() in NAME_GLUE - {"and"} and _begins(following):
            run.append(word)
        else:
            start = place - len(run)
            if run and (len(run) > 1 or start or acts(word)):
                before = words[start - 1].lower() if start else ""
                yield _Name(" ".join(run), before, acts(word))
            run = []


def _begins(words: Sequence[str]) -> bool:
    return bool(words) and _is_capital(words[0], in_run=True)


def _is_capital(word: str, in_run: bool) -> bool:
    if not word[0].isupper() or word == "I":
        return False
    return in_run or word.lower() not in STOP_WORDS | AUXILIARIES | PREPOSITIONS | STATES


def acts(word: str) -> bool:
    """May a word be a verb? Then what stands before it does something."""
    low = word.lower()
    return low in AUXILIARIES or stem(low) in VERBS or low.endswith("ed")


def topic(question: str) -> Phrase | None:
    """The thing that a question is about: what it asks something of; None if it names none."""
    for sentence in reversed(_SENTENCE.split(plain(question))):
        if found := [one for one in phrases(sentence) if one.head not in TIMES]:
            return _whose(_asked_of(found))
    return None


def _whose(phrase: Phrase) -> Phrase:
    """Of `lung cancer's symptoms` the thing is lung cancer."""
    whole, _, side = phrase.text.partition("'s ")
    if side and singular(phrase.head) in SIDES:
        return Phrase(whole, phrase.before, phrase.of)
    return Phrase(phrase.text.removesuffix("'s"), phrase.before, phrase.of)


def _asked_of(found: Sequence[Phrase]) -> Phrase:
    for place, phrase in enumerate(found):
        following = found[place + 1 : place + 2]
        if not (following and (following[0].of or singular(phrase.head) in SIDES)):
            return phrase
    return found[-1]


def singular(word: str) -> str:
    """A noun without its plural ending, roughly."""
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def doing(text: str) -> str:
    """`renew a loan` as a thing: renewing a loan."""
    verb, _, rest = text.partition(" ")
    if not verb.islower() or verb.endswith("ing") or not verb.isalpha():
        return text
    if verb.endswith("e") and not verb.endswith(("ee", "ye", "oe")):
        verb = verb[:-1]
    elif re.fullmatch(r"[^aeiou]*[aeiou][bdgmnprt]|cancel", verb):
        verb += verb[-1]
    return f"{verb}ing {rest}".strip()


def owner(text: str) -> str:
    """The possessive of a phrase."""
    if text.endswith("'s"):
        return text
    return f"{text}'" if text.endswith("s") and text[:1].islower() else f"{text}'s"
