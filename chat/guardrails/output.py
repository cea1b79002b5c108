"""The output boundary: a gate that cannot fail, and the replies that constants speak.

A fixed reply says what happened, what is covered and what can be asked. It never holds a
model's words, and what it repeats of the question is shown as plain text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from chat.contracts.verdicts import Termination
from chat.guardrails.personal_data.health import tells_health
from chat.guardrails.rude_wordlists import INSULTS, SWEARING

MIN_LENGTH = 10  # characters; a shorter text is a scrap, not an answer
_REPEATED = 160  # characters of a question that a reply repeats
_TRIED = 3  # search words that a reply names
_SAYABLE = 5  # words up to which a search reads like a question; a longer one is a heap of words
_MISSED = 5  # words of a question that a reply names as missing

_UNSEEN = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u2800\u3164"
_WORDS = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_SENTENCES = re.compile(r"(?<=[.?!])\s+|\n")
_MISSING = re.compile(
    r"\b(?:no|not|nothing|none|never|neither|nor|missing|unknown|unclear|without|\w+n't)\b"
)
_SMALL = frozenset(
    "a an the of on in at to for and or is are was what which who how when where why does do can "
    "my your our it its i me you we this that about have has had with from will would could "
    "should there here they them their then than been being some any get got".split()
)
_ASKING = frozenset("long take takes much many need want tell know please".split())
_RUDE = re.compile(rf"(?:{'|'.join((*SWEARING, *INSULTS))})")
_URL = re.compile(r"(?<![<(])\bhttps?://[^\s<>]+[^\s<>.,;:!?)]")
_EDGES = "".join(map(chr, (*range(33), 0x7F, 0x85, 0xA0, 0x2028, 0x2029, 0x3000))) + _UNSEEN


@dataclass(frozen=True, slots=True)
class GateVerdict:
    """May this text leave? `reason` is empty, `missing`, `blank` or `too_short`."""

    passed: bool
    reason: str = ""


def final_gate(text: str | None) -> GateVerdict:
    """The floor under every path: there is something to read. It judges nothing else."""
    if text is None:
        return GateVerdict(False, "missing")
    length = len(text.strip(_EDGES))
    if length == 0:
        return GateVerdict(False, "blank")
    return GateVerdict(True) if length >= MIN_LENGTH else GateVerdict(False, "too_short")


GREETING = "Ask a question in your own words, and the answer comes with its sources."
OFF_TOPIC = "That is outside what can be answered here, so nothing was looked up."
NO_RESULTS = "The documents hold no answer to this."
NO_RESULTS_NEXT = "Try naming the product or the step that it is about."
_NOT_SAID_BACK = f"{NO_RESULTS} {NO_RESULTS_NEXT}"
UNSURE_TOPIC = "Which of the things that can be answered here is this about?"
GAPS = "Nothing was found about"
WHOLE_DOCUMENT = "What does this document say?"

_CRISIS = (
    "What you wrote sounds very hard, and it matters more than anything else here. Nobody has to "
    "get through this alone, and talking to somebody now can help."
)
_CRISIS_NOW = "If a life is in danger, call the emergency number where you are right now."
_CRISIS_NEXT = (
    "If it is about somebody else, stay with them if you can, and call for them. If there is "
    "somebody you trust nearby, tell them what you wrote here."
)

_UNANSWERED = "There was nothing fit to send for this question."
FALLBACKS: dict[Termination, str] = {
    Termination.GATE_BLOCKED: _UNANSWERED,
    Termination.MODEL_FAILED: "The model that writes the answers did not reply. The question was "
    "read, so asking it again in a moment may work.",
    Termination.CONTROL_FAILED: "A step that every answer needs could not be run, so nothing "
    "was sent. Asking again in a moment may work.",
    Termination.TIME_CAP: "The time for one question ran out before there was an answer. A "
    "narrower question is quicker to answer.",
    Termination.TOKEN_CAP: "This question used up the reading allowed for one question before "
    "there was an answer. Ask about one thing at a time.",
    Termination.COST_CAP: "This question used up what one question may cost before there was an "
    "answer. Ask about one thing at a time.",
    Termination.PASS_CAP: "The searches allowed for one question were used up without an answer. "
    "Other words, or a narrower question, may find it.",
    Termination.TOOL_CAP: "The steps allowed for one question were used up without an answer. "
    "Ask for one step at a time.",
    Termination.CLARIFICATION_EXPIRED: "The question that was put to you got no reply in time, so "
    "nothing was looked up. Ask again, and name what it is about.",
    Termination.ACTION_DECLINED: "Nothing was done, as you chose. It can be asked for again at any "
    "time.",
    Termination.STEP_LIMIT: "This took more steps than one question may take, and was ended.",
    Termination.INTERRUPTED: "This was interrupted before there was an answer. Ask it again.",
}


def greeting_reply(covers: str, examples: Sequence[str] = ()) -> str:
    """What a greeting is answered with. `covers` is a phrase: "plans, billing and servers"."""
    return _reply(GREETING, covers, examples)


def off_topic_reply(covers: str, examples: Sequence[str] = ()) -> str:
    return _reply(OFF_TOPIC, covers, examples)


def no_results_reply(
    question: str, tried: Sequence[str], covers: str, examples: Sequence[str] = ()
) -> str:
    """Names what was looked for: the question, and the other words that were tried.

    A long search is a heap of words that helps nobody, so it is counted and not shown. What tells
    of somebody's health is not said back.
    """
    if tells_health(question):
        return _reply(_NOT_SAID_BACK, covers, examples, question)
    others = _others(question, tried)
    named = [words for words in others if len(words.split()) <= _SAYABLE][:_TRIED]
    looked = f"Looked for: {_quoted(question)}"
    if named:
        looked += f", also as {', '.join(_quoted(words) for words in named)}"
    elif others:
        looked += ", also in other words"
    return _reply(f"{NO_RESULTS} {looked}. {NO_RESULTS_NEXT}", covers, examples, question)


def fallback_reply(cause: Termination, covers: str, examples: Sequence[str] = ()) -> str:
    """Says which cause it was. A cause without words of its own gets the plainest ones."""
    return _reply(FALLBACKS.get(cause, _UNANSWERED), covers, examples)


def crisis_reply(contacts: str) -> str:
    """What a person in danger reads. `contacts` are the numbers and addresses of the site.

    Its addresses become links: nobody should have to copy one now.
    """
    where = _URL.sub(r"<\g<0>>", " ".join(contacts.split()))
    return "\n\n".join((_CRISIS, *((where,) if where else ()), _CRISIS_NOW, _CRISIS_NEXT))


def with_missing_words(text: str, missing: Sequence[str]) -> str:
    """The reply with the words of the question that no passage held; unchanged without any.

    Words that only ask and swearing are not said back, and none where the question is not.
    """
    if text.startswith(_NOT_SAID_BACK):
        return text
    words = [word for word in map(_gap, missing) if word and _is_telling(_bare(word))]
    words = list(dict.fromkeys(_as_typed(word, text) for word in words))
    if not words:
        return text
    opening, *rest = text.split("\n\n")
    named = ", ".join(f"“{word}”" for word in words[:_MISSED])
    return "\n\n".join((f"{opening} Nothing that was found speaks of {named}.", *rest))


def _is_telling(word: str) -> bool:
    return not (word in _SMALL or word in _ASKING or _RUDE.fullmatch(word))


def _as_typed(word: str, text: str) -> str:
    """The word as the reply repeats it from the question: `Leeds`, not `leeds`."""
    found = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE)
    return found.group() if found else word


def paste_question(lead: str) -> str:
    """The question that a pasted document stands for: the person's own words, or a plain one."""
    return " ".join(lead.split()) or WHOLE_DOCUMENT


def ticket_for(question: str) -> str:
    """What a person may say next when nothing was found: a request to staff, in their words."""
    line = " ".join(question.split())
    cut = line if len(line) <= _REPEATED else f"{line[: _REPEATED - 1].rstrip()}…"
    return f"Please open a ticket: {cut}"


def gap_line(gaps: Sequence[str]) -> str:
    """The sentence that names what nothing was found about; empty without gaps."""
    named = list(dict.fromkeys(filter(None, map(_gap, gaps))))
    return f"{GAPS}: {'; '.join(named)}." if named else ""


def names_every(text: str, gaps: Sequence[str]) -> bool:
    """Does the text say of each gap that it is one?

    A gap counts as named where one sentence has its words and says that something is missing:
    an answer about the thing itself names no gap. A gap without a word needs no naming.
    """
    lines = [_bare(line) for line in text.split("\n")]
    parts = [line for line in lines if line.startswith(GAPS.casefold())]
    parts += [part for part in map(_bare, _SENTENCES.split(text)) if _MISSING.search(part)]
    return all(any(_names(part, gap) for part in parts) for gap in gaps if _bare(gap))


def soften(text: str, softer: Mapping[str, str]) -> str:
    """The text with words that only colour an answer put plainly; first capitals stay.

    `softer` has the plain word for each, in lower case.
    """
    if not softer:
        return text
    return _coloured(tuple(softer)).sub(lambda found: _softer(found[0], softer), text)


@cache
def _coloured(words: tuple[str, ...]) -> re.Pattern[str]:
    longest = sorted(words, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, longest))})\b", re.IGNORECASE)


def _softer(word: str, softer: Mapping[str, str]) -> str:
    plain = softer.get(
        word.casefold(), word
    )  # an expression takes "ı" for "i", and a dict does not
    return plain.capitalize() if word[0].isupper() else plain


def _reply(opening: str, covers: str, examples: Sequence[str], asked: str = "") -> str:
    parts = [opening]
    if covers.strip():
        parts.append(f"Covered here: {covers.strip().rstrip('.')}.")
    fresh = [example for example in examples if example.casefold() != asked.casefold()][:2]
    if fresh:
        parts.append("You could ask:\n\n" + "\n".join(f"- {_plain(text)}" for text in fresh))
    return "\n\n".join(parts)


def _gap(text: str) -> str:
    """A gap as part of a sentence: one line, without the mark at its end; empty without words."""
    return _plain(text).rstrip(" .?!;:") if _bare(text) else ""


def _names(part: str, gap: str) -> bool:
    words = _bare(gap).split()
    if f" {' '.join(words)} " in f" {part} ":
        return True
    known = set(part.split())
    telling = [word for word in words if word not in _SMALL]
    return bool(telling) and all(word in known for word in telling)


def _bare(text: str) -> str:
    """Lower-case words alone, so that marks and line breaks do not matter."""
    return " ".join(_WORDS.findall(text.casefold().replace("’", "'")))


def _others(question: str, tried: Sequence[str]) -> list[str]:
    known = {question.casefold()}
    others = []
    for words in tried:
        if words.casefold() not in known:
            known.add(words.casefold())
            others.append(words)
    return others


def _quoted(text: str) -> str:
    return f"“{_plain(text)}”"


def _plain(text: str) -> str:
    """One line that Markdown shows as it was typed, cut where it gets long."""
    line = " ".join(text.split())
    if len(line) > _REPEATED:
        line = line[: _REPEATED - 1].rstrip() + "…"
    return re.sub(r"([\\`*_\[\]<>#|~!&])", r"\\\1", line)
