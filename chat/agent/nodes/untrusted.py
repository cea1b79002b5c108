"""Texts that are read and not asked for: passages, attachments, what tools bring.

Instructions in them are made inert before any model sees them, and what cannot be screened is not
read at all. What a tool brings is redacted too: it is stored and sent like what a person typed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from chat.contracts.events import Decision
from chat.contracts.passages import Hit, Passage
from chat.contracts.ports import Ports
from chat.contracts.tasks import Draft, ToolCall, ToolResult
from chat.contracts.verdicts import Control, Outcome
from chat.guardrails.input import redact
from chat.guardrails.policy import Guarded, failed, guard_now
from chat.guardrails.screening.injection import neutralise

PUBLISHED = ("email", "phone")  # what a record that the site publishes may hold
UNSCREENED = "What came back could not be screened, so it is not used."

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Screened:
    """What may be read, in order, whether something was left out, and the decision to tell."""

    hits: tuple[Hit, ...] = ()
    passages: tuple[Passage, ...] = ()
    results: tuple[ToolResult, ...] = ()
    lost: bool = False
    decision: Decision | None = None


def hits(found: Sequence[Hit]) -> Screened:
    """The hits of one pass; one whose text cannot be screened is left out."""
    told, kept = _Told(), []
    for hit in found:
        passage = _passage(hit.passage, told)
        if passage is not None:
            kept.append(hit if passage is hit.passage else _with(hit, passage))
    return Screened(hits=tuple(kept), lost=bool(told.lost), decision=told.decision())


def passages(found: Sequence[Passage]) -> Screened:
    """Passages that come beside the hits. A decision only where something was done."""
    told = _Told()
    kept = tuple(clean for each in found if (clean := _passage(each, told)) is not None)
    return Screened(passages=kept, decision=told.decision() if told.acted else None)


def results(came: Sequence[ToolResult], ports: Ports) -> Screened:
    """What tools brought, without orders and without personal data."""
    published = {spec.name for spec in ports.tools.specs if spec.published}
    told = _Told()
    kept = tuple(_result(each, told, is_public=each.call.tool in published) for each in came)
    return Screened(results=kept, decision=told.decision())


def calls(asked: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
    """What a model asks for, without personal data: it is kept while a person is asked.

    Arguments that cannot be screened count as not readable.
    """
    return tuple(
        call.model_copy(
            update={"arguments": guard_now(partial(_plain, call.arguments), fallback=None).value}
        )
        for call in asked
    )


def draft(said: Draft, ports: Ports) -> Draft:
    """What a model wrote who saw a picture: what stands in that could not be redacted before.

    A draft that cannot be screened is none.
    """
    return said.model_copy(update={"text": seen(said.text)}) if ports.images else said


def seen(text: str) -> str:
    """A text of a model that may have read a picture; nothing where it cannot be redacted."""
    return guard_now(lambda: redact(text).text, fallback="").value


def _plain(value: Any) -> Any:
    """The value with every text in it redacted."""
    if isinstance(value, str):
        return redact(value).text
    if isinstance(value, dict):
        return {_plain(name): _plain(each) for name, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list) else value


def _with(hit: Hit, passage: Passage) -> Hit:
    return hit.model_copy(update={"passage": passage})


class _Told:
    """What was found while texts were screened."""

    def __init__(self) -> None:
        self.texts = 0
        self.kinds: dict[str, None] = {}
        self.changed = 0
        self.lost: list[str] = []

    @property
    def acted(self) -> bool:
        return bool(self.changed or self.lost)

    def count(self, kinds: Sequence[str]) -> None:
        self.texts += 1
        self.kinds |= dict.fromkeys(kinds)
        self.changed += bool(kinds)

    def decision(self) -> Decision:
        control = Control.UNTRUSTED_INPUT
        if self.lost:
            return Decision(control=control, outcome=failed(control), reason=self.lost[0])
        if not self.changed:
            return Decision(control=control, outcome=Outcome.PASSED, reason=f"{self.texts} texts")
        found = ", ".join(self.kinds)
        reason = f"{self.changed} of {self.texts} texts: {found}"
        return Decision(control=control, outcome=Outcome.ACTED, reason=reason)


def _passage(passage: Passage, told: _Told) -> Passage | None:
    done = guard_now(lambda: _clean_passage(passage, neutral=_neutral), fallback=None)
    if done.value is None:
        told.lost.append(done.reason)
        return None
    clean, kinds = done.value
    told.count(kinds)
    return clean


def _clean_passage(
    passage: Passage, neutral: Callable[[str], tuple[str, tuple[str, ...]]]
) -> tuple[Passage, tuple[str, ...]]:
    """The passage with title, heading and text made inert; the same one if nothing was."""
    fields = {name: neutral(getattr(passage, name)) for name in ("title", "heading", "text")}
    kinds = tuple(kind for _, found in fields.values() for kind in found)
    if all(text == getattr(passage, name) for name, (text, _) in fields.items()):
        return passage, ()
    return passage.model_copy(update={name: text for name, (text, _) in fields.items()}), kinds


def _neutral(text: str) -> tuple[str, tuple[str, ...]]:
    done = neutralise(text)
    return done.text, done.found


def _result(result: ToolResult, told: _Told, *, is_public: bool) -> ToolResult:
    keep = PUBLISHED if is_public else ()
    done: Guarded[tuple[ToolResult, tuple[str, ...]] | None] = guard_now(
        lambda: _clean_result(result, keep), fallback=None
    )
    if done.value is None:
        told.lost.append(done.reason)
        return ToolResult(
            call=result.call, text=UNSCREENED, problem="failed", cost=result.cost, ms=result.ms
        )
    clean, kinds = done.value
    told.count(kinds)
    return clean


def _clean_result(result: ToolResult, keep: tuple[str, ...]) -> tuple[ToolResult, tuple[str, ...]]:
    def clean(text: str) -> tuple[str, tuple[str, ...]]:
        neutral, found = _neutral(text)
        return redact(neutral, keep=keep).text, found

    text, kinds = clean(result.text)
    summary, more = clean(result.summary)
    pairs = [_clean_passage(passage, clean) for passage in result.passages]
    kinds = (*kinds, *more, *(kind for _, found in pairs for kind in found))
    fields = {"text": text, "summary": summary, "passages": tuple(p for p, _ in pairs)}
    return result.model_copy(update=fields), kinds
