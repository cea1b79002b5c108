"""How ugly a question is: ids, fragments, typing errors, pasted errors. Pure.

Ugly questions are what routers and graders were not made with, so they are worth a look. Each
sign has a weight from 0 to 1; together they are as sure as their parts would be if these were
independent. The expressions have bounds, so that a long text takes no longer than its length.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from admin_tracing.slips import WORD, Words, weight
from admin_tracing.ugly_wordlists import LEVELS, SAYING

READ = 2_000  # characters of a question that are looked at

ID = "an id"
FRAGMENT = "a fragment"
TYPING = "typing errors"
PASTED = "a pasted error"


@dataclass(frozen=True, slots=True)
class Ugliness:
    """`score` is 0 to 100; `reasons` are in words, the heaviest first, and none at 0."""

    score: int
    reasons: tuple[str, ...] = ()


NICE = Ugliness(0)

_PLACEHOLDER = re.compile(r"\[[A-Za-z][A-Za-z_ ]{1,30}\]")
_LINK = re.compile(r"\b(?:https?://|www\.)\S{1,300}|\b[\w.+-]{1,60}@[\w-]{1,60}\.[\w.-]{1,60}")
_TOKEN = re.compile(r"[^\s,;!?()\"“”<>|=]{1,80}")


def ugliness(question: str, known: Words) -> Ugliness:
    """How ugly a question is. `known` has the words of the documents and of the language."""
    if not question.strip():
        return NICE
    text = _PLACEHOLDER.sub(" ", question[:READ])
    signs = {
        PASTED: _pasted(text),
        ID: _ids(text),
        FRAGMENT: _fragment(text),
        TYPING: weight(_LINK.sub(" ", text), known),
    }
    found = sorted(((sure, name) for name, sure in signs.items() if sure), reverse=True)
    if not found:
        return NICE
    nice = 1.0
    for sure, _ in found:
        nice *= 1.0 - sure
    return Ugliness(max(1, round(100 * (1.0 - nice))), tuple(name for _, name in found))


# ---- errors that were pasted

_TRACE = re.compile(
    r"Traceback \(most recent call last\)|^[ \t]{0,20}at [\w.$<>/]{1,120}[(:]"
    r"|\bFile \"[^\"\n]{1,200}\", line \d|\bCaused by: |\bException in thread |^panic: "
    r"|\bgoroutine \d{1,6} \[|\bsegmentation fault\b|\bcore dumped\b",
    re.MULTILINE | re.IGNORECASE,
)
_NAMED = re.compile(
    r"\b[A-Z][A-Za-z]{1,40}(?:Error|Exception|Failure|Fault|Warning)\b"
    r"|\bE(?:CONNREFUSED|CONNRESET|TIMEDOUT|NOTFOUND|ACCES|NOENT|ADDRINUSE|PIPE|EXIST|PERM)\b"
    r"|\bERR_[A-Z_]{3,40}|\bSQLSTATE\b|\b0x[0-9A-Fa-f]{4,16}\b|\bsig(?:segv|kill|term|abrt)\b",
)
_STATUS = re.compile(
    r"\bHTTP(?:/\d(?:\.\d)?)?[ :]{1,2}(?:status[ :]{1,2})?[1-5]\d\d\b"
    r"|\b(?:(?:status|error)(?: code)?|exit(?: code| status)|errno|code)[ :=#]{1,3}-?\d{1,5}\b"
    r"|\b[45]\d\d[ :-]{1,3}(?:bad|unauthori[sz]ed|forbidden|not found|internal|service|gateway"
    r"|request|too many|error)|\b[45]\d\d errors?\b",
    re.IGNORECASE,
)
_LOGGED = re.compile(
    r"(?:\d{4}[-/]\d\d[-/]\d\d[T ]|\b[A-Z][a-z]{2} [ \d]\d |\d\d/[A-Z][a-z]{2}/\d{4}:|\[)"
    r"\d\d:\d\d(?::\d\d)?"
)
_LEVEL = re.compile(rf"\b(?:{LEVELS})\b[\]:>|]|\[(?:{LEVELS})\]", re.IGNORECASE)
_PREFIX = re.compile(r"^[\w./-]{2,40}: (?:[\w./-]{1,60}: )?[a-z]", re.MULTILINE)


def _pasted(text: str) -> float:
    """A trace says it alone; of the smaller signs, two say more than one."""
    if _TRACE.search(text):
        return 0.7
    small = (_NAMED, _STATUS, _LOGGED, _LEVEL)
    found = sum(sign.search(text) is not None for sign in small)
    if found and _PREFIX.search(text):
        found += 1
    return (0.0, 0.4, 0.6, 0.7)[min(found, 3)]


# ---- ids and codes

_DIGIT = re.compile(r"\d")
_ID = re.compile(
    r"\d{5,40}"  # a long number
    r"|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
    r"|(?=[0-9a-f]{0,39}\d)(?=\d{0,39}[a-f])[0-9a-f]{7,40}"  # hexadecimal, with both kinds
    r"|#\d{2,12}"  # a ticket
    r"|[a-z]{1,8}[-_]?\d{3,12}|[a-z]{2,8}[-_]\d{1,12}(?:[-_][a-z\d]{1,12}){0,3}"  # INV-2041, AB123
    r"|\d{1,8}[a-z]{1,4}\d{1,8}[a-z\d]{0,8}|\d{3,12}[a-z]{1,3}"  # 40P01, 2201W
    r"|[a-z][a-z_]{1,30}\.[a-z]\d{2,5}"  # fields.E310
    r"|[a-z\d]{2,12}(?:-[a-z\d]{2,12}){1,5}-\d{1,12}",
    re.IGNORECASE,
)
_NO_ID = re.compile(
    r"(?:19|20)\d\d|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}"  # years and dates
    r"|\d{1,6}(?:k|m|g|t|[kmgt]i?b|gbit|mbit|mbps|gbps|px|ms|s|h|d|w|am|pm|st|nd|rd|th|x\d{1,6})"
    r"|(?:mp|mp[34]|h|utf|sha|md|ipv|win|windows|python|php|node|java|ubuntu|iphone|covid)-?\d{1,4}"
    r"|[$€£¥]\d{1,12}",
    re.IGNORECASE,
)


def _ids(text: str) -> float:
    """Nothing but ids weighs most; one in a sentence is how people ask, and weighs little."""
    if not _DIGIT.search(text):
        return 0.0
    tokens = [token.strip(".:'-[]{}*") for token in _TOKEN.findall(text)]
    tokens = [token for token in tokens if token]
    found = sum(1 for token in tokens if _is_id(token))
    if not found:
        return 0.0
    share = found / len(tokens)
    return 0.15 + 0.5 * share


def _is_id(token: str) -> bool:
    if not any(letter.isdigit() for letter in token):
        return False
    return _ID.fullmatch(token) is not None and _NO_ID.fullmatch(token) is None


# ---- fragments

_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
"""Scripts without spaces: a sentence there looks like one word."""


def _fragment(text: str) -> float:
    """One or two words that say nothing of a thing; ids and links are no words."""
    words = [word.lower().replace("’", "'") for word in WORD.findall(text)]
    if len(words) > 2 or _UNSPACED.search(text) or SAYING.intersection(words):
        return 0.0
    if not words:
        return 0.5
    return 0.4 if len(words) == 1 else 0.25
