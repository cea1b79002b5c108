"""A check of what is about to be said, beside the final gate: is it hateful, threatening or rude?

Code alone, sentence by sentence: who is spoken of, what is said of them, and whether it is denied,
quoted or called wrong. Swearing at nobody is not meant, and neither is a thing that is called
disgusting. Hate that names nobody, irony, and words misspelt on purpose are not seen.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from chat.guardrails import rude_wordlists as words
from chat.guardrails.rude_shapes import (
    ADJECTIVE,
    ANY_SLUR,
    GROUP,
    HARMFUL,
    OF_A_GROUP,
    OF_ANYBODY,
    SLUR,
    THEM,
    Shape,
    any_of,
)

_LONGEST = 60_000  # characters that are read; an answer is far shorter
_LONG_SENTENCE = 600  # a longer one is read in pieces
_BEFORE = 2  # words before a shape that may deny it

_GROUP = re.compile(GROUP)
_ADJECTIVE = re.compile(rf"\b{ADJECTIVE}\b")
_THEY = re.compile(
    r"\b(?:they|them|their|everything about them|each one of them|every single one of them"
    r"|all of them"
    r"|most of them|these people|those people)\b"
)
_NO = re.compile(r"\b(?:not|never|no|opposite|nobody|without|against|stop)\b|n't\b")
_DENOUNCED = re.compile(rf"\b{any_of(words.DENOUNCING)}\b")
_SAID = re.compile(
    r"\b(?:call(?:s|ed|ing)?|say(?:s|ing)?|said|writ(?:es|ing|ten)|wrote|believ(?:e|es|ing)"
    r"|messages?|think(?:s|ing)?|threaten(?:s|ing|ed)?|words?|terms?|hatred|content|posts?|comments?"
    r"|imply(?:ing)?|suggest(?:s|ing)?|claim(?:s|ing)?|argu(?:e|es|ing)|tell(?:s|ing)?|told"
    r"|shout(?:s|ing|ed)?|jok(?:es?|ing)|referring to|describ(?:es|ing)|rhetoric|statements?)\b"
)
_QUOTED = re.compile(r"[\"“„«][^\"“”„«»\n]{1,300}[\"”“»]")
_SENTENCE = re.compile(r"(?<=[.!?]) +|\n+")
_PIECE = re.compile(rf".{{1,{_LONG_SENTENCE}}}(?:\s|$)|.{{1,{_LONG_SENTENCE}}}", re.DOTALL)

_SPACED = re.compile(r"\b(?:[a-z] ){2,}[a-z]\b")
_MASKED = re.compile(r"(?<=[a-z])[013457@$](?=[a-z])")
_LETTERS = str.maketrans("013457@$", "oieastas")


@dataclass(frozen=True, slots=True)
class Toxicity:
    """`reason` is slur, hate, threat, insult or sexual where something was found, else empty."""

    found: bool
    reason: str = ""


def toxic(text: str) -> Toxicity:
    """The first thing in the text that must not be said to anybody.

    Linear in its length, and about 0.5 ms for 1,000 characters.
    """
    named = False
    for sentence in _sentences(_plain(text[:_LONGEST])):
        if reason := _reason(sentence, named):
            return Toxicity(True, reason)
        named = bool(_GROUP.search(sentence))
    return Toxicity(False)


def _plain(text: str) -> str:
    """Lower case, straight apostrophes, letters that were masked or set apart put right."""
    plain = text.lower().replace("’", "'").replace("‘", "'").replace(THEM, " ")
    plain = _MASKED.sub(lambda match: match[0].translate(_LETTERS), plain)
    return _SPACED.sub(lambda match: match[0].replace(" ", ""), plain)


def _sentences(text: str) -> list[str]:
    return [piece for found in _SENTENCE.split(text) for piece in _PIECE.findall(found)]


def _reason(sentence: str, named: bool) -> str:
    """`named`: the sentence before named a group, so that "they" can be of it."""
    if not HARMFUL.search(sentence):
        return ""
    if _DENOUNCED.search(sentence) and _SAID.search(sentence):
        return ""
    sentence = _QUOTED.sub(" ", sentence)
    if ANY_SLUR.search(sentence):
        return SLUR
    is_named = named or bool(_GROUP.search(sentence))
    if is_named:
        sentence = _THEY.sub(THEM, sentence)
    is_of_a_group = is_named or _ADJECTIVE.search(sentence)
    return _shaped(sentence, (*OF_A_GROUP, *OF_ANYBODY) if is_of_a_group else OF_ANYBODY)


def _shaped(sentence: str, shapes: Sequence[Shape]) -> str:
    for reason, shape, can_be_denied in shapes:
        for match in shape.finditer(sentence):
            if not (can_be_denied and _denied(sentence, match)):
                return reason
    return ""


def _denied(sentence: str, match: re.Match[str]) -> bool:
    """Is it said that this is not so, in the words themselves or just before them?"""
    said = match[0].replace("can't stand", "").replace("no better than", "")
    said = said.replace("can't stop", "").replace("can't help", "").replace("would not", "")
    before = " ".join(sentence[: match.start()].split()[-_BEFORE:])
    return bool(_NO.search(said) or _NO.search(before))
