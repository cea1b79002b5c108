"""Does a text tell of somebody's health? Then fewer people may read its turn.

Told by words alone: an illness, a treatment or a state counts beside a person whom it befalls.
Health as a subject (a clinic's site, a server's health check) does not. Better a turn too many
is kept close than one too few; nothing that is said to the person depends on it.
"""

from __future__ import annotations

import re

from chat.guardrails.personal_data.folding import folded
from chat.guardrails.personal_data.health_words import (
    CARE,
    ELSEWHERE,
    ILLNESSES,
    MEDICINES,
    OWNERS,
    PEOPLE,
    STATES,
    SUBJECTS,
)


def _any(words: tuple[str, ...]) -> str:
    return f"(?:{'|'.join(words)})"


_ILL = rf"{_any(ILLNESSES)}(?![\w-]| {SUBJECTS}\b)"
_CARE = rf"{_any(CARE)}(?![\w-]| {SUBJECTS}\b)"
_FEW = r"(?:[a-z'’-]{1,14} ){0,3}?"  # words between
_BE = r"(?:am|is|are|was|were|'m|'s|'re|been|being|got|get|gets|getting|became|become|fell|feel)"
_HAVE = (
    r"(?:(?:have|has|'ve|'s) got|have|has|had|'ve|having|got|get|gets|caught|developed"
    r"|suffer(?:s|ed|ing)? from"
    r"|suffer(?:s|ed|ing)? with|liv(?:e|es|ing) with|battl(?:e|es|ed|ing)|died (?:of|from)"
    r"|dying (?:of|from)|struggl(?:e|es|ed|ing) with|treated for|diagnosed (?:with|as having)"
    r"|tested positive for|recover(?:s|ed|ing)? from|a history of|survived)"
)
_TAKE = r"(?:on|take|takes|taking|took|prescribed|need|needs|given|started|stopped taking)"
_SMALL = (
    r"(?:(?:a|an|the|some|my|his|her|their|been|just|very|really|also|now|currently|still|so|too"
    r"|not|[a-z]{3,9}ly) ){0,3}"
)

# A quick look before the patterns: most sentences hold no such word.
_WORDS = re.compile(
    rf"(?<![\w-])(?:{_any(ILLNESSES)}|{_any(CARE)}|{_any(MEDICINES)}|{_any(STATES)}"
    rf"|{_any(ELSEWHERE)}|surgery|operation|overdose|abortion)(?![\w-])"
)

_PATTERNS: tuple[re.Pattern[str], ...] = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b(?:diagnosed (?:with|as)|diagnosis of) {_FEW}{_ILL}",
        rf"\b(?:{PEOPLE})(?: {_FEW}|(?='))(?:{_HAVE}) {_SMALL}{_ILL}",
        rf"\b(?:{OWNERS}) (?:own )?{_ILL}",
        rf"\b(?:{OWNERS}) (?:[a-z]{{2,12}} ){{0,1}}?{_CARE}",
        rf"\b(?:{PEOPLE})(?: (?:have |has |had )?|(?='))(?:{_BE}) {_SMALL}{_any(STATES)}"
        rf"(?![\w-]| of\b| and tired\b| {SUBJECTS}\b)",
        rf"\b(?:{PEOPLE})(?: {_FEW}|(?=')){_TAKE} {_SMALL}{_any(MEDICINES)}(?![\w-]| {SUBJECTS}\b)",
        rf"\b(?:{PEOPLE}) {_FEW}(?:had|have|has|need|needs|having|waiting for) {_SMALL}"
        rf"(?:surgery|an operation|a transplant|chemo(?:therapy)?|dialysis|an abortion"
        rf"|a miscarriage|a stroke|a seizure|an overdose)(?! {SUBJECTS}\b)",
        rf"\b{_any(ELSEWHERE)}(?!\w)",
    )
)
_STARTS = re.compile(
    r"diagnos|\b(?:i|we|he|she|they|who|my|our|his|her|their)\b|\b(?:ich|bei mir|je|j'ai|tengo"
    r"|padezco|sufro|estoy|ho|sono|atteinte?|souffre)\b"
)
_SENTENCE = re.compile(r"[^.!?\n;]+")
_BLANKS = re.compile(r"\s+")
_LONGEST = 600  # characters of a sentence that are looked at in one piece


def tells_health(text: str) -> bool:
    """Does it tell of an illness, a diagnosis, a medicine, a disability, a pregnancy or a
    therapy of the writer or of another person? Takes any `str`; linear in its length."""
    plain = folded(text).text.lower().replace("’", "'")
    return any(_tells(part) for part in _parts(plain))


def _parts(text: str) -> list[str]:
    """Sentences with single blanks, long ones in pieces."""
    found = []
    for sentence in _SENTENCE.finditer(text):
        said = _BLANKS.sub(" ", sentence.group()).strip()
        found += [said[place : place + _LONGEST] for place in range(0, len(said), _LONGEST)]
    return found


def _tells(said: str) -> bool:
    if not _WORDS.search(said) or not _STARTS.search(said):
        return False
    return any(pattern.search(said) for pattern in _PATTERNS)
