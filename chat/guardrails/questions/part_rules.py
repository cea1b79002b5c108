"""How one clause is told to ask for several things. Each rule gives its items, or none if unsure.

A rule gets the clause in single spaces without its end sign; set phrases are out of its sight.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from chat.guardrails.questions.part_words import (
    ASPECTS,
    BETTER,
    COMES_OF,
    GOES_WITH,
    NAMES_END,
    PARTICLES,
    SMALL_WORDS,
    STEPS,
)

MOST_CROSSED = 6  # items of names times aspects
LONGEST_TOPIC = 4  # words that stand in for a pronoun; a longer topic is no name
_LONGEST_NAME = 6  # words of one thing in a list

EDGE = " \t\n.,;:!?\"'"

_GREETS = r"(?:(?:hi|hello|hey|so|and|please|ok|okay|also|well)[ ,]+)*"
_SUBJECT = r"(?:i|we|you|they|it|he|she|there|one|my|your|our|anyone|people|customers)"
ASKS = (
    r"(?:how (?:do|does|did|can|could|should|would|will|to|is|are|was|much|many|long|often|fast"
    r"|quickly|soon|big|large|far|old)"
    r"|(?:what|where|when|why|who)(?:'s| (?:is|are|was|were|does|do|did|will|would|can|could"
    r"|should|happens?|happened|kinds?|types?|about|if))"
    r"|(?:what|which) \w+(?: \w+)? (?:is|are|do|does|did|can|has|have|will|should|would)"
    rf"|(?:can|could|do|does|did|is|are|was|will|would|should|may|must|has|have|am) {_SUBJECT})\b"
)
OPENS = re.compile(
    rf"{_GREETS}(?:{ASKS}|(?:please )?(?:tell|show|explain|give|list|describe|send)\b)",
    re.IGNORECASE,
)
_LEAD = re.compile(
    rf"{_GREETS}(?:how (?:do|does|can|could|should|would|to|will)(?: (?:i|we|you|one))?"
    r"|(?:can|could|may|should|must|do|will|would) (?:i|we|you|one)(?: (?:please|have to|need to))?"
    r"|(?:i|we)(?:'d| would)? (?:want|need|like|have|am trying|are trying) to"
    r"|(?:tell|show|help) (?:me|us)(?: how)?(?: to)?)\s+",
    re.IGNORECASE,
)
# An `it` that only fills a place points at nothing.
POINTS_BACK = re.compile(
    r"\b(?:it(?! (?:takes?|costs?|possible|ok|okay|true|safe|allowed|necessary)(?: me| us)?"
    r" (?:to|for|that|if)\b)|(?P<its>its|theirs?)|they|them|that one|the same)\b",
    re.IGNORECASE,
)
_UNDER = re.compile(
    r"\b(?:if|when|once|after|before|because|while|unless|until|that|who|so|between|both)\b",
    re.IGNORECASE,
)

_LIST = re.compile(r"\s*,\s*(?:(?:and|or)\s+)?|\s+(?:and|or)\s+", re.IGNORECASE)
_AND_LIST = re.compile(r"\s*,\s*(?:and\s+)?(?:then\s+)?|\s+and\s+(?:then\s+)?", re.IGNORECASE)
_ARTICLE = re.compile(r"(?:the|an?|your|our|my|both|either)\s+", re.IGNORECASE)
_OF = re.compile(r"(?:of|for|between)\s+", re.IGNORECASE)
_VERSUS = re.compile(r"\s+(?:vs\.?|versus|compared (?:to|with))\s+", re.IGNORECASE)
_WITH = re.compile(r"\s+(?:with|to)\s+", re.IGNORECASE)

_COMPARE = re.compile(
    rf"{_GREETS}(?:(?:can|could|would|will) you (?:please )?|i (?:want|need|would like) to )?"
    r"(?:compare|(?:a )?comparison (?:of|between)"
    r"|(?:what(?:'s| is| are) )?(?:the )?differences? (?:between|of)"
    r"|how (?:do|does) (?=.* (?:compare|differ)$))\s*(?P<rest>.+)",
    re.IGNORECASE,
)
_IN_TERMS = re.compile(
    r"\s*[:,]?\s+(?:on|by|in terms of|with regard to|regarding|for|in)\s+(?P<what>.+)$",
    re.IGNORECASE,
)
_OF_THEM = re.compile(r"(?:the )?(?P<what>[^,]+?) (?:of|for|between) (?P<list>.+)", re.IGNORECASE)
_RATHER = re.compile(
    rf"{_GREETS}(?:which|what)(?: (?:one|plan|of them))? (?:is|are|costs?|has|comes)"
    r" (?P<how>[a-z][a-z ]*?)\s*[:,]\s*(?P<list>.+)",
    re.IGNORECASE,
)

_FOR = r"(?:for|of|on|in|with|to|at|from|by)"
_WHAT = re.compile(
    rf"{_GREETS}(?:(?:what|where|how much|how long)(?:'s| is| are| was| were)"
    r"|(?:tell|show|give|send|list|explain)(?: me| us)?"
    r"|(?:i|we) (?:need|want|would like)(?: to know)?)\s+",
    re.IGNORECASE,
)
_OF_ONE = re.compile(rf"(?P<list>.+?)\s+(?P<tail>{_FOR}\s+.+)", re.IGNORECASE)
_THE = re.compile(r"(?:the|an?)\s", re.IGNORECASE)

_NAME = r"[A-Z][\w-]*(?: (?:[A-Z][\w-]*|\d+[A-Za-z]*))?"
_NAMES = re.compile(rf"{_NAME}(?:(?:, {_NAME})*,? and {_NAME}|(?:, {_NAME}){{2,}})(?![\w-])")
_MANY = re.compile(
    r"\b(?:do|are|did|were|have|prices|costs|fees|rates|charges|limits|sizes|hours|speeds|dates"
    r"|addresses|features)\b",
    re.IGNORECASE,
)


def compared(text: str) -> list[str]:
    """`Compare A, B and C on price`: each by name, with what it is compared on."""
    found = _COMPARE.fullmatch(text)
    if found is None:
        return _against(text) or _rather(text)
    rest = re.sub(r"\s+(?:compare|differ)$", "", found["rest"], flags=re.IGNORECASE)
    aspects, rest = _compared_on(rest)
    return _crossed([name for side in _sides(rest) for name in _listed(side)], aspects)


def _compared_on(text: str) -> tuple[list[str], str]:
    """The aspects, said after the names or before them, and the names."""
    terms = _IN_TERMS.search(text)
    if terms and sum(len(_listed(side)) for side in _sides(text[: terms.start()])) > 1:
        return _listed(terms["what"]), text[: terms.start()]
    first = _OF_THEM.fullmatch(text)
    if first and first["what"].casefold().split()[-1] in ASPECTS:
        return _listed(first["what"]), first["list"]
    return [], text


def _sides(text: str) -> list[str]:
    """Both sides of `A with B` or `A vs B`; a list alone is one side."""
    sides = _VERSUS.split(text)
    if len(sides) > 1 or len(_listed(text)) > 1:
        return sides
    return _WITH.split(text, maxsplit=1)


def _against(text: str) -> list[str]:
    """`Starter vs Team price`."""
    sides = _VERSUS.split(text)
    if len(sides) < 2 or max(len(side.split()) for side in sides) > _LONGEST_NAME:
        return []
    if _QUESTION.match(text):
        return []
    names = list(sides)
    *rest, last = names[-1].replace(":", " ").split()
    if rest and last.casefold() in ASPECTS:
        return _crossed([*map(_bare, names[:-1]), _bare(" ".join(rest))], [last])
    return _crossed(list(map(_bare, names)), [])


_QUESTION = re.compile(
    rf"{_GREETS}(?:wh\w+|how|can|could|do|does|did|is|are|was|were|will|should|has|have|i|we|my)\b",
    re.IGNORECASE,
)


def _rather(text: str) -> list[str]:
    """`Which is cheaper, Starter or Team?`"""
    found = _RATHER.fullmatch(text)
    aspect = BETTER.get(found["how"].casefold().split()[-1]) if found else None
    return _crossed(_listed(found["list"]), [aspect]) if found and aspect else []


def _crossed(names: Sequence[str], aspects: Sequence[str]) -> list[str]:
    named = _with_noun([name for name in names if name.isupper() or says_something(name)])
    if any(len(name.split()) > _LONGEST_NAME for name in named):
        return []
    if len(named) * len(aspects) > MOST_CROSSED:
        aspects = [" and ".join(aspects)]
    return [f"{name} {aspect}".strip() for name in named for aspect in (aspects or [""])]


def _with_noun(names: list[str]) -> list[str]:
    """`Starter`, `Team`, `Scale plans`: the noun of the last one belongs to all."""
    if len(names) < 2 or len(names[-1].split()) != 2:
        return names
    noun = names[-1].split()[1]
    shared = noun.islower() and noun.endswith("s")
    if not shared or any(len(name.split()) > 1 for name in names[:-1]):
        return names
    return [*(f"{name} {noun}" for name in names[:-1]), names[-1]]


def aspects(text: str) -> list[str]:
    """`The fee and the rate for X`: an article each, or words that are known to be aspects."""
    asked = _WHAT.match(text)
    lead = re.sub(r"\b(are|were)\b", _singular, asked.group()) if asked else ""
    rest = text[asked.end() :] if asked else text
    one = _OF_ONE.fullmatch(rest)
    if one and len(pieces := _joined(one["list"])) > 1:
        tail = f" {one['tail']}"
    elif asked:
        pieces, tail = _joined(rest), ""
    else:
        return []
    if len(pieces) < 2 or _UNDER.search(rest) or not (_each_the(pieces) or _each_known(pieces)):
        return []
    return [f"{lead}{piece}{tail}" for piece in pieces]


def _singular(found: re.Match[str]) -> str:
    return {"are": "is", "were": "was"}[found.group().lower()]


def _joined(text: str) -> list[str]:
    pieces = [piece for piece in _AND_LIST.split(text) if piece]
    return pieces if all(len(piece.split()) <= _LONGEST_NAME for piece in pieces) else []


def _each_the(pieces: Sequence[str]) -> bool:
    return all(_THE.match(piece) and says_something(piece) for piece in pieces)


def _each_known(pieces: Sequence[str]) -> bool:
    return all(set(_bare(piece).casefold().split()[-1:]) & ASPECTS for piece in pieces)


def steps(text: str) -> list[str]:
    """`How do I export data and close my account`: steps that each have an object."""
    lead = _LEAD.match(text)
    if lead is None or _UNDER.search(text, lead.end()):
        return []
    pieces: list[str] = []
    for piece in filter(None, _AND_LIST.split(text[lead.end() :])):
        if pieces and piece.casefold().split()[0] not in STEPS:
            pieces[-1] = f"{pieces[-1]} and {piece}"
        else:
            pieces.append(piece)
    bound = _BOUND if _MAY.match(lead.group()) else GOES_WITH
    apart = all(piece.casefold().split()[0] not in bound for piece in pieces[1:])
    if not apart or not all(map(_is_step, pieces)) or any(map(POINTS_BACK.search, pieces[1:])):
        return []
    end = "?" if OPENS.match(text) else ""
    return [f"{lead.group()}{piece}{end}" for piece in pieces]


_MAY = re.compile(rf"{_GREETS}(?:can|could|may|should|must|do|will|would)\b", re.IGNORECASE)
_BOUND = GOES_WITH | COMES_OF


def _is_step(piece: str) -> bool:
    verb, *rest = piece.casefold().split()
    while rest and rest[0] in PARTICLES:
        rest = rest[1:]
    return verb in STEPS and says_something(" ".join(rest))


def things(text: str) -> list[str]:
    """`What do Starter and Team cost`: names after a verb or a noun that says there are many."""
    found = _NAMES.search(text)
    if found is None:
        return []
    lead, tail = text[: found.start()], text[found.end() :]
    names = [name for name in _LIST.split(found.group()) if name]
    if names[-1].casefold() in NAMES_END or _UNDER.search(lead):
        return []
    asking = OPENS.match(lead) or any(
        word in ASPECTS for word in f"{lead}{tail}".casefold().split()
    )
    if not asking or (len(names) < 3 and not _MANY.search(lead)):
        return []
    one = re.sub(r"\b(do|are|were|have)(?= $)", lambda m: _FOR_ONE[m[0].lower()], lead, flags=re.I)
    return [f"{one}{name}{tail}" for name in names]


_FOR_ONE = {"do": "does", "are": "is", "were": "was", "have": "has"}
_WHAT_NAMED = re.compile(
    rf"{_GREETS}(?:what|which|how many)"
    r" (?P<name>(?!(?:is|are|was|were|do|does|did|can)\b)\w+(?: \w+)?)"
    r" (?:is|are|do|does|did|can|has|have|will|should|would)\b",
    re.IGNORECASE,
)


def topic(question: str) -> str:
    """The name of what a question is about: its words without the asking and a step's verb.

    Empty where more is left than a name has.
    """
    text = question.rstrip(EDGE)
    named = _WHAT_NAMED.match(text)
    asked = _LEAD.match(text) or OPENS.match(text)
    if named:
        return named["name"]
    words = text[asked.end() :].split() if asked else text.split()
    skipped = STEPS | PARTICLES | SMALL_WORDS
    while len(words) > 1 and words[0].casefold() in skipped:
        words = words[1:]
    return " ".join(words) if len(words) <= LONGEST_TOPIC else ""


def says_something(text: str) -> bool:
    """Is there a word that can be looked up?"""
    return any(word not in SMALL_WORDS for word in re.findall(r"[\w']+", text.casefold()))


def _listed(text: str) -> list[str]:
    """The names of a list; `the cost of A and of B` says its preposition again before each."""
    pieces = (_OF.sub("", piece.strip(EDGE), count=1) for piece in _LIST.split(text))
    return [name for piece in pieces if (name := _bare(piece))]


def _bare(text: str) -> str:
    return _ARTICLE.sub("", text.strip(EDGE), count=1).strip(EDGE)
