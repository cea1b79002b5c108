"""What a model may reply to the tasks before and after the search, and how it is read.

A reader is strict where a mistake would be believed and lenient where it can be put right:
a question back without words is unusable, a label that is too long is cut.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from chat.adapters.shapes import LONGEST_QUESTION, TEXT, Shape, Unusable, enum, label, plain, text
from chat.agent.prompts.ambiguity import MOST_OPTIONS
from chat.agent.prompts.plan import MOST_ITEMS
from chat.agent.prompts.step import MOST_QUERIES
from chat.contracts.tasks import Step
from chat.contracts.verdicts import AmbiguityVerdict, Clarity

CLARITIES: Mapping[str, Clarity] = {label.casefold(): label for label in Clarity}

_TEXTS: Mapping[str, Any] = {"type": "array", "items": TEXT}
_LONGEST_REASON = 300  # characters
_LONGEST_OPTION = 80
_LONGEST_QUERY = 300


def texts(reply: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """The field's texts, each one line with a word in it, without repeats.

    A lone text is a list of one.
    """
    given = reply.get(name)
    entries = given if isinstance(given, list) else [given]
    first: dict[Sequence[str], str] = {}
    for line in (text({name: entry}, name) for entry in entries):
        first.setdefault(plain(line), line)
    return tuple(line for words, line in first.items() if words)


def _ambiguity(reply: Mapping[str, Any]) -> AmbiguityVerdict:
    verdict = label(reply, "label", CLARITIES)
    reason = text(reply, "reason")[:_LONGEST_REASON]
    if verdict is Clarity.SPECIFIC:
        return AmbiguityVerdict(label=verdict, reason=reason)
    question = text(reply, "question")
    if not 0 < len(question) <= LONGEST_QUESTION:
        raise Unusable("question must hold one short question when label is VAGUE")
    options = [option for option in texts(reply, "options") if len(option) <= _LONGEST_OPTION]
    return AmbiguityVerdict(
        label=verdict, question=question, options=tuple(options[:MOST_OPTIONS]), reason=reason
    )


AMBIGUITY = Shape(
    {"reason": TEXT, "label": enum(*Clarity), "question": TEXT, "options": _TEXTS}, _ambiguity
)


def plan_of(question: str) -> Shape[tuple[str, ...]]:
    """The items of a question. A single one is the question itself, in the person's words."""

    def read(reply: Mapping[str, Any]) -> tuple[str, ...]:
        items = texts(reply, "items")
        # More are not cut: what was left out would look as if nobody had asked for it.
        if not 1 <= len(items) <= MOST_ITEMS:
            raise Unusable(f"items must hold 1 to {MOST_ITEMS} different questions")
        if any(len(item) > LONGEST_QUESTION for item in items):
            raise Unusable(f"an item must have at most {LONGEST_QUESTION} characters")
        return items if len(items) > 1 else (question,)

    return Shape({"items": _TEXTS}, read)


def step_of(tried: Sequence[str]) -> Shape[Step]:
    """The decision of the iterative path as fields, for endpoints without tools."""

    def read(reply: Mapping[str, Any]) -> Step:
        why = text(reply, "why")[:_LONGEST_REASON]
        wanted = texts(reply, "queries")
        if not wanted:
            return Step(confidence=confidence(reply), why=why)
        return Step(queries=new_queries(wanted, tried), why=why)

    return Shape({"why": TEXT, "queries": _TEXTS, "confidence": {"type": "number"}}, read)


def new_queries(wanted: Sequence[str], tried: Sequence[str]) -> tuple[str, ...]:
    """Those that were not tried, without repeats. Raises `Unusable` if none is left."""
    known = {plain(query) for query in tried}
    new: list[str] = []
    for query in wanted:
        if plain(query) and plain(query) not in known and len(query) <= _LONGEST_QUERY:
            known.add(plain(query))
            new.append(query)
    if not new:
        raise Unusable(f"queries must hold 1 to {MOST_QUERIES} texts that were not tried yet")
    return tuple(new[:MOST_QUERIES])


def confidence(reply: Mapping[str, Any]) -> float | None:
    """The field from 0 to 1; None for anything else, since a guess would open a short cut."""
    given = reply.get("confidence")
    try:
        value = float(given) if isinstance(given, int | float | str) else -1.0
    except (ValueError, OverflowError):
        return None
    return value if 0 <= value <= 1 and not isinstance(given, bool) else None
