"""What a model may reply to each task: the schema it is given, and the reader that decides.

Labels are trimmed and case-folded, then looked up in a fixed table. Whatever is not in the
table is unusable; it never becomes a branch by accident.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from chat.adapters.openai_text import storable, unfenced
from chat.agent.prompts.rewrite import MAX_WORDS
from chat.contracts.tasks import RewriteTask
from chat.contracts.verdicts import Grade, GradeLabel, Level, TopicLabel, TopicVerdict

T = TypeVar("T")

_LONGEST_REASON = 300  # characters
LONGEST_QUESTION = 1_000  # characters

GRADES: Mapping[str, GradeLabel] = {
    "answers": GradeLabel.ANSWERS,
    "supports": GradeLabel.SUPPORTS,
    "irrelevant": GradeLabel.IRRELEVANT,
}
# Graders like to answer the question in the prompt instead of giving the label.
GRADE_WORDS: Mapping[str, GradeLabel] = {"yes": GradeLabel.ANSWERS, "no": GradeLabel.IRRELEVANT}
TOPICS: Mapping[str, TopicLabel] = {label.casefold(): label for label in TopicLabel}
LEVELS: Mapping[str, Level] = {level.casefold(): level for level in Level}
NONE = "NONE"  # of the restricted categories
# Half is where a category's threshold stands unless its owner moves it: a low level stays below.
SURE: Mapping[Level, float] = {Level.HIGH: 0.9, Level.MEDIUM: 0.6, Level.LOW: 0.3}
GREETINGS: Mapping[str, bool] = {"greeting": True, "other": False}
PROBES: Mapping[str, bool] = {"ready": True, "waiting": True}


class Unusable(ValueError):
    """A reply that does not fit; the message tells the model why."""


@dataclass(frozen=True, slots=True)
class Shape(Generic[T]):
    """A JSON object: the schema of each field, and how a value is read from it.

    `read` raises `Unusable`.
    """

    fields: Mapping[str, Mapping[str, Any]]
    read: Callable[[Mapping[str, Any]], T]

    @property
    def schema(self) -> dict[str, Any]:
        """JSON schema, in the strict form: all fields required and no others."""
        return {
            "type": "object",
            "properties": dict(self.fields),
            "required": list(self.fields),
            "additionalProperties": False,
        }


def label(
    reply: Mapping[str, Any],
    name: str,
    table: Mapping[str, T],
    words: Mapping[str, T] = MappingProxyType({}),
) -> T:
    """The field's label by the table, or by other `words` that are known to mean one.

    Raises `Unusable` for any other value.
    """
    given = reply.get(name)
    key = given.strip().casefold() if isinstance(given, str) else ""
    known = {**words, **table}
    if key not in known:
        raise Unusable(f"{name} must be one of {', '.join(table).upper()}")
    return known[key]


def text(reply: Mapping[str, Any], name: str) -> str:
    """The field as one line of storable text, without the prompts' fence; empty if it has none."""
    given = reply.get(name)
    return " ".join(unfenced(storable(given)).split()) if isinstance(given, str) else ""


def enum(*labels: str) -> dict[str, Any]:
    """The schema of a field that holds one of these."""
    return {"type": "string", "enum": list(labels)}


TEXT: Mapping[str, Any] = {"type": "string"}


def _grade(reply: Mapping[str, Any]) -> Grade:
    verdict = label(reply, "label", GRADES, GRADE_WORDS)
    return Grade(label=verdict, reason=text(reply, "reason")[:_LONGEST_REASON])


def _topic(reply: Mapping[str, Any]) -> TopicVerdict:
    return TopicVerdict(
        label=label(reply, "label", TOPICS),
        confidence=label(reply, "confidence", LEVELS),
        reason=text(reply, "reason")[:_LONGEST_REASON],
    )


def _sureness(reply: Mapping[str, Any], name: str) -> float:
    """The field from 0 to 1: a level in words, or a number that a model gives all the same."""
    given = str(reply.get(name)).strip().casefold()
    if given in LEVELS:
        return SURE[LEVELS[given]]
    try:
        number = float(given)
    except ValueError:
        number = math.nan
    if not 0 <= number <= 1:  # also true of NaN
        raise Unusable(f"{name} must be one of {', '.join(Level)}")
    return number


def _question(reply: Mapping[str, Any]) -> str:
    question = text(reply, "question")
    if not question or len(question) > LONGEST_QUESTION:
        raise Unusable(f"question must be text of at most {LONGEST_QUESTION} characters")
    return question


# The reason stands before the label, so that a model has written it when it decides.
GRADE = Shape({"reason": TEXT, "label": enum("ANSWERS", "SUPPORTS", "IRRELEVANT")}, _grade)
TOPIC = Shape(
    {"reason": TEXT, "label": enum(*TopicLabel), "confidence": enum(*Level)},
    _topic,
)
GREETING = Shape(
    {"label": enum("GREETING", "OTHER")}, lambda reply: label(reply, "label", GREETINGS)
)
STANDALONE = Shape({"question": TEXT}, _question)
PROBE = Shape({"label": enum("READY", "WAITING")}, lambda reply: label(reply, "label", PROBES))


def topic_of(names: Sequence[str]) -> Shape[TopicVerdict]:
    """The topic, and which of the restricted categories with these names the question is of."""
    if not names:
        return TOPIC
    known = {NONE.casefold(): "", **{name.casefold(): name for name in names}}

    def read(reply: Mapping[str, Any]) -> TopicVerdict:
        verdict = _topic(reply)
        name = label(reply, "restricted", known)
        sure = {name: _sureness(reply, "restricted_confidence")} if name else {}
        return verdict.model_copy(update={"restricted": sure})

    more = {"restricted": enum(*names, NONE), "restricted_confidence": enum(*Level)}
    return Shape({**TOPIC.fields, **more}, read)


def rewrite_of(task: RewriteTask) -> Shape[str]:
    """A query of the allowed length that was not tried before."""
    tried = {plain(query) for query in (task.question, *task.tried)}

    def read(reply: Mapping[str, Any]) -> str:
        query = text(reply, "query")
        if not 0 < len(query.split()) <= MAX_WORDS:
            raise Unusable(f"query must have 1 to {MAX_WORDS} words")
        if plain(query) in tried:
            raise Unusable("query must differ from the queries that were tried")
        return query

    return Shape({"query": TEXT}, read)


def plain(query: str) -> Sequence[str]:
    """The words alone: case, punctuation and spacing make no new query."""
    kept = (char if char.isalnum() else " " for char in query.casefold())
    return tuple("".join(kept).split())
