"""Puts a thing in the place of the word that points at it: `it`, `his`, `there`, `the city`.

Which thing, is told by the kind of the pointer: a person for `he`, several for `they`, a place
for `there`. The last question goes before an answer, and later before earlier; an answer is only
asked where the last question wanted a thing to be named (`which plan is cheapest?`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chat.adapters.offline.followup_focus import (
    DEFINITE,
    NAMING,
    Turn,
    introduced,
    plural,
    somebody,
    text_of,
)
from chat.adapters.offline.followup_topics import (
    doing,
    leads,
    names,
    owner,
    people,
    phrases,
    singular,
    topic,
)
from chat.adapters.offline.followup_words import SIDES

LONGEST = 8  # words of an activity that stands in for a pronoun

_PERSON = re.compile(r"\b(he|him|she|his|her|hers)\b", re.IGNORECASE)
_THING = re.compile(
    r"\b(?:it|its|that one|this one)\b"
    r"|\b(?:this|that)\b(?=[?.,!]|$| (?:is|was|were|will|would|can|cost|costs|mean"
    r"|means|take|takes|work|works|too|for|in|with|on|by|at|to|happen|happened|change|affect)\b)",
    re.IGNORECASE,
)
_MANY = re.compile(
    r"\b(?:they|them|their|theirs)\b"
    r"|\b(?:these|those)\b(?=[?.,!]|$| (?:are|were|will|would|can|cost|mean|take|work|too|for|in"
    r"|with|on|by)\b)",
    re.IGNORECASE,
)
# `Are there`, `there is`: the word opens a clause and names no place.
_PLACE = re.compile(
    r"(?<!is )(?<!are )(?<!was )(?<!were )(?<!will )(?<!has )\bthere\b"
    r"(?! (?:is|are|was|were|be|any|a)\b)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"[.?!,;]\s|\b(?:when|if|because|while|so|that|where)\b"
    r"|\b(?:and|or|but) (?=(?:what|which|how|when|where|why|who|is|are|was|can|could|do"
    r"|does|did|will|would|should)\b)",
    re.IGNORECASE,
)
_OWNED = frozenset(("his", "hers", "its", "their", "theirs"))
# An `it` that only fills a place, or a `that` that joins two clauses, points at nothing.
_EMPTY = re.compile(
    r"\bis it (?:possible|ok|okay|true)(?: (?:to|that))?\b|\bit (?:depends|rains|seems|sounds)\b"
    r"|\b(?:so|sure|know|think|say|says|said|hope|means?|possible|like|heard) that\b"
    r"|\b(?:does|did|will|would) it (?:take|cost)(?: \w+){0,2} (?:to|for)\b"
    r"|\b(?:is|was|will) it (?:going to )?(?:rain|snow|be (?:hot|cold|cloudy|windy|dry))\w*\b"
    r"|^(?:[^.?!]{0,20}\b)?(?:that's|that is|this is) [^.?!]{1,30}[.!,]",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"^(?:(?:so|and|but|please|hi|hello|ok|okay)[, ]+)*"
    r"(?:(?:what|which|how|when|where|why|who|whose)(?:'s)?"
    r"(?: (?:much|many|long|often|soon|far|fast))?"
    r"(?: (?:is|are|was|were|do|does|did|can|could|will|would|should|must|to|happens?|if|when))*"
    r"|can|could|do|does|did|is|are|was|were|will|would|should|may|must|has|have|tell me|show me"
    r"|i (?:want|need|would like|have)|help(?: me)?(?: with)?)"
    r"(?: (?:i|you|we|they|it|there|one))?(?: (?:get|have|to|use|do|offer|know|find))*"
    r"(?: (?:a|an|the|my|your|our|any|some))?\s+",
    re.IGNORECASE,
)
_TRAILING = re.compile(
    r" (?:takes?|costs?|works?|done|made|happens?|means?|last|available)$", re.IGNORECASE
)
# `How do I renew a loan?`, then `how long does it take?`: the doing is meant.
_DOING = re.compile(
    r"^(?:and |so )?(?:how (?:do|can|to|could|would|should)"
    r"|(?:can|could|may|do|should|must)(?= i\b))"
    r"(?: (?:i|we|you|one))? (?=[a-z])",
    re.IGNORECASE,
)
_DO_THAT = re.compile(r"\bdo (?:that|this|it|so)\b", re.IGNORECASE)
_OF_DOING = re.compile(
    r"\b(?:take|takes|cost|costs|free|required|necessary|allowed|possible|worth)\b", re.IGNORECASE
)


@dataclass(slots=True)
class _Used:
    """What the pointers of a text were found to stand for."""

    person: str = ""
    thing: str = ""
    many: str = ""


def resolved(text: str, past: Sequence[Turn]) -> str:
    """The text with things in the place of what points back; as it is if nothing does."""
    return _resolve(text, past, _Used())


def after(typed: str, folded: str, answer: str, past: Sequence[Turn]) -> Turn:
    """The turn that a question makes, and what is spoken of after it.

    What a pointer stood for goes on being spoken of; a thing in passing does not take its place.
    """
    used = _Used()
    _resolve(typed, past, used)
    before = past[-1] if past else Turn("", "")
    return Turn(
        folded,
        answer,
        used.person or somebody(folded) or before.person,
        used.thing or introduced(folded) or before.thing or text_of(topic(folded)),
        used.many or plural(folded) or before.many,
    )


def _resolve(text: str, past: Sequence[Turn], used: _Used) -> str:
    if not past:
        return text
    text = _with_doing(text, past[-1].question)
    for step in (_with_persons, _with_many, _with_thing):
        text = step(text, past, used)
    for place in (_with_place, _with_kind, _with_whole):
        text = place(text, past)
    return text


def activity(before: str) -> str:
    """What a question was about: its words without the asking, at most a few."""
    rest = _ASKING.sub("", before.rstrip("?!. "), count=1)
    return " ".join(_TRAILING.sub("", rest or before).split()[:LONGEST])


def _with_doing(text: str, before: str) -> str:
    """`Can I do that from the API?`: what the last question asked how to do."""
    if _DOING.match(before):
        return _DO_THAT.sub(lambda _: activity(before), text, count=1)
    return text


def _with_persons(text: str, past: Sequence[Turn], used: _Used) -> str:
    found = _PERSON.search(text)
    if found is None or names(text[: found.start()]):
        return text
    used.person = _in_full(next(filter(None, _persons(past)), ""), past)
    return _put(text, found, used.person)


def _persons(past: Sequence[Turn]) -> Iterator[str]:
    """Who may be meant by `he` or `she`, likeliest first."""
    last = past[-1]
    if NAMING.match(last.question):
        asked = last.question.lower()
        new = [name for name in people(last.answer) if name.lower() not in asked]
        if not names(last.question) or asked.startswith("who "):
            yield from new[:1]
    yield last.person
    for turn in reversed(past):
        yield from people(turn.answer, acting=True)[:1]


def _in_full(name: str, past: Sequence[Turn]) -> str:
    """A name of one word as it was given before in more of them."""
    for turn in reversed(past):
        for other in (*names(turn.question), *names(turn.answer)):
            if name and " " not in name and name in other.split()[1:]:
                return other
    return name


def _with_many(text: str, past: Sequence[Turn], used: _Used) -> str:
    found = _MANY.search(text)
    if found is None or any(one.is_many for one in phrases(text[: found.start()])):
        return text
    last = past[-1]
    used.many = last.many or next(iter(names(last.question)), "") or last.thing
    return _put(text, found, used.many)


def _with_thing(text: str, past: Sequence[Turn], used: _Used) -> str:
    blanked = _EMPTY.sub(lambda match: "\0" * len(match.group()), text)
    found = _THING.search(blanked)
    if (
        found is None
        or _joins(text, found)
        or _inside(text[: found.start()], found.group().lower())
    ):
        return text
    used.thing = next(filter(None, _things(past, text)), "")
    return _put(text, found, used.thing)


def _joins(text: str, found: re.Match[str]) -> bool:
    """A `that` after a noun opens a clause about it: "is there one that is free?"."""
    ahead = text[: found.start()].split()
    return found.group().lower() == "that" and bool(ahead) and not leads(ahead[-1])


def _inside(ahead: str, pointer: str) -> bool:
    """Does the text itself name what the pointer stands for, before it?

    A thing of the same clause is not what `it` stands for, but may be whose `its` is.
    """
    clauses = _CLAUSE.split(ahead)
    named = "".join(clauses if pointer in _OWNED else clauses[:-1])
    return bool(phrases(named))


def _things(past: Sequence[Turn], text: str) -> Iterator[str]:
    last = past[-1]
    if NAMING.match(last.question):
        yield from (_of_its_kind(name, last) for name in names(last.answer)[:1])
    if _DOING.match(last.question) and _OF_DOING.search(text):
        yield doing(activity(last.question))
    yield last.thing
    if not _THING.search(last.question):
        yield activity(last.question)


def _of_its_kind(name: str, last: Turn) -> str:
    """`Pro` is the Pro plan where the question asked which plan."""
    found = re.search(rf"\b((?:the )?{re.escape(name)}) (\w+)", last.answer, re.IGNORECASE)
    kinds = last.question.lower().split()[:2]
    return (
        f"{found.group(1).lower().replace(name.lower(), name)} {found.group(2)}"
        if (found and found.group(2).lower() in kinds)
        else name
    )


def _with_place(text: str, past: Sequence[Turn]) -> str:
    found = _PLACE.search(text)
    if found is None:
        return text
    for exchange in reversed(past):
        for one in phrases(exchange.question):
            if one.before in ("in", "at", "to", "from", "of") and one.text[0].isupper():
                return text[: found.start()] + f"in {one.text}" + text[found.end() :]
    return text


def _with_kind(text: str, past: Sequence[Turn]) -> str:
    """`the expedition`: the last thing of that kind that was named in more words."""
    for short in phrases(text):
        if not DEFINITE.match(short.text):
            continue
        if long := next(_of_kind(short.head, past), ""):
            return text.replace(short.text, f"the {long}", 1)
    return text


def _of_kind(kind: str, past: Sequence[Turn]) -> Iterator[str]:
    for turn in reversed(past):
        for one in phrases(turn.question):
            if one.head == kind and len(one.bare.split()) > 1:
                yield one.bare


_SIDE = re.compile(
    r"^(?:what|which) (?:is|are|was|were) (?:the |some |a |an )?((?:[a-z-]+ )?([a-z-]+))[?. ]*$",
    re.IGNORECASE,
)


def _with_whole(text: str, past: Sequence[Turn]) -> str:
    """`What are the symptoms?`: of the thing that was spoken of."""
    found = _SIDE.match(text)
    if found is None or singular(found.group(2).lower()) not in SIDES:
        return text
    whole = past[-1].thing
    return f"{text.rstrip('?. ')} of {whole}?" if whole else text


def _put(text: str, found: re.Match[str], thing: str) -> str:
    if not thing:
        return text
    pointer = found.group().lower()
    after = text[found.end() :]
    owned = pointer in _OWNED or (pointer == "her" and re.match(r" [a-z]", after))
    return f"{text[: found.start()]}{owner(thing) if owned else thing}{after}"
