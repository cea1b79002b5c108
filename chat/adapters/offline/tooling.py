"""Tools, by rule: which of them a question asks for, with which arguments, and what came of it.

A tool is asked for only in its own words (its hints), once a turn. Arguments are filled from the
question by the tool's schema; where a required one cannot be, the tool is not called.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from chat.adapters.offline.reading import Reader
from chat.adapters.offline.text import cited, clipped, content, plain, sentences, stem, stems, words
from chat.contracts.passages import Passage
from chat.contracts.tasks import AnswerTask, ToolCall, ToolResult, ToolSpec
from chat.guardrails.questions.intents import wants_a_person

LONGEST = 2_000  # characters of a text argument that sets no length of its own
ELLIPSIS = 2  # characters that a cut adds
COMMON = 0.3  # rarity below which a name is one that most passages say
FEW = 3  # words of a question that stand in for a name
ASKING = 8  # words of which a ticket may only be asked for, before or around what it is about
RECORDS = 10  # in one answer
SENTENCES = 3  # of one record

FOUND = "Found in the directory:"
NOT_FOUND = "The directory lists no record that fits. Name another kind or area to look again."
DIRECTORY, TICKET = "search_directory", "open_ticket"

_AGAIN = "It can be tried again in a moment."
_ONE_STEP = "Ask for one step at a time."
_SAY = "Say in a sentence what it is about."
# What was not done, by tool; then what is possible, by problem.
_UNDONE = {
    TICKET: ("The ticket was not opened.", "The ticket could not be opened."),
    DIRECTORY: ("The directory was not searched.", "The directory could not be searched."),
}
_UNDONE_OTHERWISE = ("That step was not done.", "That step could not be done.")
_REFUSED = frozenset({"declined", "not_confirmed", "tool_cap"})
_POSSIBLE = {
    "failed": _AGAIN, "timeout": _AGAIN, "tool_cap": _ONE_STEP, "bad_arguments": _SAY,
}  # fmt: skip

# A question about how something is done is no order to do it.
_ASKS_ABOUT = re.compile(
    r"^(?:(?:hi|hello|so|and|please|ok)[ ,]+)*(?:how|what|when|where|why|who|which|is|are|do|does"
    r"|did|should|must|(?:can|may) (?:i|we|anyone|one|customers?))\b",
    re.IGNORECASE,
)
_LINK = re.compile(
    r"^[\s,.:;!-]*(?:(?:please|pls|plz|now)\b[\s,.:;!-]*)*"
    r"(?:(?:about|for|because|that|to|regarding|and|as)\b[\s,:]*)?",
    re.IGNORECASE,
)
_COUNT = re.compile(r"\b(?:top|first|up to|at most|show|list|give me|find)(?: me)? (\d{1,2})\b")
_NAME = re.compile(r"(?<=[a-z,:] )[A-Z][\w'’-]+(?: (?:(?:&|and|of|the) )?[A-Z][\w'’-]+)*")
_QUOTED = re.compile(r"[\"“]([^\"“”]{2,80})[\"”]")
_SHORT, _LONG = ("subject", "title", "summary"), ("description", "details", "text", "body")


def calls(task: AnswerTask, reader: Reader) -> tuple[ToolCall, ...]:
    """The tools that the question asks for in their own words and that gave no result yet."""
    done = {result.call.tool for result in task.results}
    asked = [spec for spec in task.tools if spec.name not in done and _wants(spec, task.question)]
    found: list[ToolCall] = []
    for number, spec in enumerate(asked, start=1):
        arguments = _arguments(spec, task, reader)
        if arguments is not None:
            call = ToolCall(id=f"{spec.name}-{number}", tool=spec.name, arguments=arguments)
            found.append(call)
    return tuple(found)


def _wants(spec: ToolSpec, question: str) -> bool:
    asks_about = _ASKS_ABOUT.match(plain(question)) and not wants_a_person(question)
    if spec.irreversible and asks_about:
        return False
    said = f" {' '.join(words(question))} "
    hints = (" ".join(words(hint)) for hint in spec.hints)
    return any(f" {hint} " in said for hint in hints if hint)


def _arguments(spec: ToolSpec, task: AnswerTask, reader: Reader) -> dict[str, Any] | None:
    """Every argument that the question fills; None if a required one stays empty."""
    fields: Mapping[str, Mapping[str, Any]] = spec.parameters.get("properties", {})
    filled: dict[str, Any] = {}
    for name, schema in fields.items():
        if (value := _filled(name, schema, spec, task)) is not None:
            filled[name] = value
    if "name" in fields and (named := _named(spec, filled, task.question, reader)):
        filled["name"] = named
    missing = set(spec.parameters.get("required", ())) - filled.keys()
    return None if missing else filled


def _filled(name: str, schema: Mapping[str, Any], spec: ToolSpec, task: AnswerTask) -> Any:
    if "enum" in schema:
        return _chosen([str(value) for value in schema["enum"] if value], task.question)
    if schema.get("type") == "integer":
        return _counted(schema, task.question)
    if schema.get("type") != "string" or name not in _SHORT + _LONG:
        return None
    longest = int(schema.get("maxLength", LONGEST))
    said = _matter(spec, task) if name in _SHORT else _everything(spec, task)
    return clipped(said, longest - ELLIPSIS)[:longest]


def _matter(spec: ToolSpec, task: AnswerTask) -> str:
    """What it is about, without the asking for the tool: `open a ticket: ...`."""
    rest = _beside_the_hint(spec, task.question)
    if not rest and task.history:
        return plain(task.history[-1].question)
    return _capital(rest or plain(task.question))


def _everything(spec: ToolSpec, task: AnswerTask) -> str:
    """The person's own words; with what was asked before where they name nothing."""
    said = task.question.strip()
    rest = _beside_the_hint(spec, task.question)
    if task.history and not rest:
        return f"{said}\n\nAsked before: {task.history[-1].question}"
    # Of `open a ticket: my server is down` the staff need the second half.
    only_asks = rest and len(said.split()) - len(rest.split()) <= ASKING
    return _capital(rest) if only_asks else said


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _beside_the_hint(spec: ToolSpec, question: str) -> str:
    """The part of the question after the tool's own words, if it says something."""
    text = plain(question)
    for hint in sorted(spec.hints, key=len, reverse=True):
        found = re.search(rf"\b{re.escape(hint)}\b", text, re.IGNORECASE)
        if found:
            rest = _LINK.sub("", text[found.end() :], count=1)
            return rest.strip() if len(content(rest)) > 1 else ""
    return text


def _chosen(values: Sequence[str], question: str) -> str | None:
    """The value with most of its words in the question; the words alone where several have them."""
    said = stems(question)
    shared = {value: stems(value) & said for value in values}
    most = max(map(len, shared.values()), default=0)
    best = [value for value in values if len(shared[value]) == most]
    if most == 0:
        return None
    if len(best) == 1:
        return best[0]
    common = frozenset.intersection(*(shared[value] for value in best))
    named = [word for word in content(best[0]) if stem(word) in common]
    return " ".join(named) or best[0]


def _counted(schema: Mapping[str, Any], question: str) -> int | None:
    found = _COUNT.search(question.lower())
    if found is None:
        return None
    least, most = int(schema.get("minimum", 1)), int(schema.get("maximum", 99))
    return min(max(int(found[1]), least), most)


def _named(spec: ToolSpec, filled: Mapping[str, Any], question: str, reader: Reader) -> str | None:
    """A name in the question that no other argument took; without any, its telling words."""
    taken = stems(" ".join(str(value) for value in filled.values()))
    names = (*_QUOTED.findall(question), *_NAME.findall(plain(question)))
    for name in names:
        if not stems(name) <= taken and not _is_common(name, reader):
            return str(name)
    if filled:
        return None
    hinted = taken | stems(" ".join(spec.hints))
    rest = [word for word in content(question) if stem(word) not in hinted]
    return " ".join(rest[:FEW]) or None


def _is_common(name: str, reader: Reader) -> bool:
    """The product's own name stands in most passages, and finds nothing apart."""
    roots = stems(name)
    return all(root in reader.rarity and reader.rarity(root) < COMMON for root in roots)


def told(task: AnswerTask) -> list[str]:
    """Paragraphs of what the tools gave, cited where a passage stands behind it."""
    return [paragraph for result in task.results for paragraph in _told(result, task.passages)]


def sources(task: AnswerTask) -> frozenset[str]:
    """The chunks of the passages that the tools gave."""
    return frozenset(p.chunk for result in task.results for p in result.passages)


def _told(result: ToolResult, passages: Sequence[Passage]) -> Iterator[str]:
    if result.problem:
        refused, failed = _UNDONE.get(result.call.tool, _UNDONE_OTHERWISE)
        yield refused if result.problem in _REFUSED else failed
        if possible := _POSSIBLE.get(result.problem):
            yield possible
        return
    numbers = {passage.chunk: number for number, passage in enumerate(passages, start=1)}
    known = [passage for passage in result.passages if passage.chunk in numbers]
    records = [_record(passage, numbers[passage.chunk]) for passage in known[:RECORDS]]
    if result.call.tool == DIRECTORY and records:
        yield FOUND
        yield "\n".join(f"- {record}" for record in records)
    elif result.call.tool == DIRECTORY:
        yield NOT_FOUND
    elif result.call.tool == TICKET and known:
        yield from (f"{p.title} is open [{numbers[p.chunk]}]." for p in known)
    else:
        yield from records or [result.summary or result.text]


def _record(passage: Passage, number: int) -> str:
    """The record's first sentences, each with its marker."""
    found = [sentence.text for sentence in sentences(passage.text)] or [passage.title]
    return " ".join(cited(text, number) for text in found[:SENTENCES])
