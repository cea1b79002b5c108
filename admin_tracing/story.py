"""What happened in a turn in three plain sentences: how it was read, where it looked, its end.

Pure. In a customer's words: no node, no model, no control by name, and no verdict of a check, so
that whoever labels the turn is led by nothing but what can be seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from chat.contracts.events import (
    Action,
    Answer,
    Claims,
    Clarification,
    Decision,
    Event,
    QuestionRead,
    Retrieval,
    Stage,
    Tool,
    TurnFinished,
)
from chat.contracts.turn_view import TurnView, fold
from chat.contracts.verdicts import Control, Termination

SHOWN = 90  # characters of what somebody said
TIMES = {1: "once", 2: "twice", 3: "three times", 4: "four times"}
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
DONE = "done"
TOOLS = {"search_directory": "looked in the directory", "open_ticket": "opened a ticket"}

_CAPPED = "It came to the limit for one question and ended there"

ENDINGS: Mapping[Termination, str] = {
    Termination.ANSWERED: "It answered",
    Termination.ANSWERED_WITH_CAVEAT: "It answered",
    Termination.GREETED: "It returned the greeting",
    Termination.CRISIS: "It gave contacts for somebody in danger, and nothing else",
    Termination.OFF_TOPIC: "It said that this is not what it is here for",
    Termination.RESTRICTED: "It said that questions of this kind are not answered here",
    Termination.CLARIFICATION_EXPIRED: "Nobody replied in time, so it ended without an answer",
    Termination.NO_EVIDENCE: "It said that it found nothing that answers this",
    Termination.NO_PROGRESS: "Searching on brought nothing new, and it said that it found nothing",
    Termination.PASS_CAP: _CAPPED,
    Termination.TOKEN_CAP: _CAPPED,
    Termination.COST_CAP: _CAPPED,
    Termination.TOOL_CAP: _CAPPED,
    Termination.TIME_CAP: "It came to the time limit and ended there",
    Termination.GATE_BLOCKED: "There was nothing fit to send, so a fixed reply was sent",
    Termination.USER_STOP: "The person stopped it before it was finished",
    Termination.ACTION_DECLINED: "The person said no, so nothing was done",
    Termination.CONTROL_FAILED: "Something that has to run could not, so no answer was sent",
    Termination.MODEL_FAILED: "It could not write an answer, because the model did not reply",
    Termination.HANDED_OFF: "It passed the conversation on to a person",
    Termination.SUPERSEDED: "The person asked something else before it was finished",
    Termination.STEP_LIMIT: "It took too many steps and was ended",
    Termination.INTERRUPTED: "It was interrupted before it was finished",
}
"""How a turn ended, without the full stop. What a check made of an answer is not among it."""


@dataclass(frozen=True, slots=True)
class Story:
    """Three sentences, each whole."""

    read: str
    looked: str
    ended: str

    @property
    def sentences(self) -> tuple[str, str, str]:
        return (self.read, self.looked, self.ended)


def story(events: Sequence[Event]) -> Story:
    """The story of a turn by its events in order; of one whose details are gone, what is left."""
    view = fold(events)
    return Story(_read(events, view), _looked(events), _ended(events))


def path(events: Sequence[Event], *, blind: bool = False) -> list[str]:
    """The stages of a turn in order, each in a customer's words; one that goes on stands once.

    `blind` ends where an answer is checked: what comes after tells what the check made of it.
    """
    told = _until_checked(events) if blind else events
    labels = [e.body.label for e in told if isinstance(e.body, Stage) and e.body.phase == "enter"]
    named = [label for label in labels if label]
    return [one for at, one in enumerate(named) if at == 0 or named[at - 1] != one]


def _until_checked(events: Sequence[Event]) -> Sequence[Event]:
    for at, event in enumerate(events):
        body = event.body
        checked = isinstance(body, Decision) and body.control is Control.GROUNDEDNESS
        if checked or isinstance(body, Claims):
            return events[:at]
    return events


def _read(events: Sequence[Event], view: TurnView) -> str:
    if view.exchanges:
        return _exchange(events, *view.exchanges[0])
    read = next((e.body for e in reversed(events) if isinstance(e.body, QuestionRead)), None)
    if read is None:
        return "The question was taken as it stands."
    if len(read.items) > 1:
        items = _listed([_quoted(item) for item in read.items[:4]])
        return f"The question was taken as {_number(len(read.items))} things: {items}."
    if read.standalone and _plain(read.standalone) != _plain(view.question):
        return f"With what was said before, the question was read as {_quoted(read.standalone)}."
    return "The question was taken as it stands."


def _exchange(events: Sequence[Event], asked: str, became: str) -> str:
    """What the person was asked first, and what came of it."""
    action = next((e.body for e in events if isinstance(e.body, Clarification | Action)), None)
    asks = "It asked for a yes to this" if isinstance(action, Action) else "It asked the person"
    if not became:
        return f"{asks}: {_quoted(asked)}, and got no reply."
    they = f"They {became[4:]}" if became.startswith("You ") else became
    return f"{asks}: {_quoted(asked)}. {they.rstrip('.')}."


def _looked(events: Sequence[Event]) -> str:
    """Searches and tools. How a passage was graded is not told."""
    searches = [e.body for e in events if isinstance(e.body, Retrieval)]
    tools = [e.body for e in events if isinstance(e.body, Tool) and e.body.phase == DONE]
    parts = [*([_searched(searches)] if searches else []), *_used(tools)]
    return f"It {_listed(parts)}." if parts else "It looked nothing up."


def _searched(searches: Sequence[Retrieval]) -> str:
    found = {hit.chunk for search in searches for hit in search.hits}
    queries: dict[int, list[str]] = {}
    for search in searches:
        queries.setdefault(search.pass_, []).append(search.query)
    passes = [_listed([_quoted(one) for one in dict.fromkeys(said)]) for said in queries.values()]
    first = "first for " if len(passes) > 1 else "for "
    said = first + ", then for ".join(passes[:4])
    came = f"which brought {_counted(len(found), 'passage')}"
    return f"searched the documents {_times(len(passes))}, {said}, {came}"


def _used(tools: Sequence[Tool]) -> list[str]:
    """One part a tool, in the order in which they were first used."""
    counts = Counter(TOOLS.get(tool.tool, "used a tool") for tool in tools)
    return [done if number == 1 else f"{done} {_times(number)}" for done, number in counts.items()]


def _ended(events: Sequence[Event]) -> str:
    end = next((e.body for e in events if isinstance(e.body, TurnFinished)), None)
    answer = next((e.body for e in reversed(events) if isinstance(e.body, Answer)), None)
    if end is None:
        return "It has not ended yet."
    words = ENDINGS[end.termination]
    if answer is None or end.termination not in (
        Termination.ANSWERED,
        Termination.ANSWERED_WITH_CAVEAT,
    ):
        return f"{words}."
    if not answer.citations:
        return f"{words} without naming a source."
    documents = list(dict.fromkeys(citation.title for citation in answer.citations))
    passages = _counted(len({citation.chunk for citation in answer.citations}), "passage")
    return f"{words} and named {passages} of {_listed(documents[:4])}."


def _quoted(text: str) -> str:
    short = " ".join(text.split())
    return f"“{short if len(short) <= SHOWN else short[: SHOWN - 1].rstrip() + '…'}”"


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _number(number: int) -> str:
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def _counted(number: int, noun: str) -> str:
    return f"{_number(number)} {noun}{'' if number == 1 else 's'}"


def _times(number: int) -> str:
    return TIMES.get(number, f"{number} times")


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip("?!. ")
