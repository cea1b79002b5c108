"""What is spoken of when an earlier exchange ends: a person, a thing, several. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from chat.adapters.offline.followup_topics import Phrase, people, phrases, singular, topic
from chat.adapters.offline.followup_words import SIDES

DEFINITE = re.compile(r"(?:the|this|that|these|those) [a-z]+$")
_WHAT_IS = re.compile(r"^what (?:is|are|was|were) [^ ]+[?. ]*$", re.IGNORECASE)
# `Which plan is cheapest?` wants a thing to be named.
NAMING = re.compile(
    r"^(?:(?:and|so|but|then)[, ]+)?(?:which|who|what (?!is|are|was|were|do))", re.I
)


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier exchange, folded, and what was spoken of when it ended; "" where unknown."""

    question: str
    answer: str
    person: str = ""
    thing: str = ""
    many: str = ""


def somebody(question: str) -> str:
    """Who a question names; what `what is` asks for is a thing."""
    return "" if _WHAT_IS.match(question) else next(iter(people(question)), "")


def introduced(question: str) -> str:
    """A thing that a question brings up, but not one in passing: `the system`, `which plan`."""
    found = topic(question)
    if found is None:
        return ""
    if found.is_name:
        return found.text
    passing = DEFINITE.match(found.text) or found.before in ("which", "what") or found.is_many
    return "" if passing or singular(found.head) in SIDES else found.text


def plural(question: str) -> str:
    many = [one for one in phrases(question) if one.is_many]
    main = topic(question)
    if main in many:
        return main.text if main else ""
    return next((one.text for one in many if singular(one.head) not in SIDES), "")


def text_of(phrase: Phrase | None) -> str:
    return phrase.text if phrase else ""
