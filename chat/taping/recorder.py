"""Keeps every call of one run of a turn with what came back, in the order in which they began.

While the turn runs, a call is only noted: its values never change, so they become JSON when the
tape is asked for, off the loop.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic_core import to_jsonable_python

from chat.contracts.errors import SearchFailed
from chat.contracts.ports import ModelFault, Ports, Reply, nobody_answers
from chat.contracts.tasks import Draft, Pause, PauseReply
from chat.taping.asked import Asked, digest, referred
from chat.taping.ports import HeardModel, HeardRouter, HeardSearch, HeardTools, Write
from chat.taping.values import is_fit

Clean = Callable[[Asked, Any], Any]
"""A value as it may be kept: what a model or a tool gave, without personal data."""


def as_it_came(_asked: Asked, value: Any) -> Any:
    """For values that are clean already."""
    return value


LEFT = {"fault": {"type": "left"}}  # it took too long, or the turn was stopped


@dataclass(slots=True)
class Noted:
    """A call that began. Until it is over, and where it was broken off, `fault` says so."""

    asked: Asked
    value: Any = None
    fault: dict[str, Any] | None = field(default_factory=lambda: dict(LEFT))
    ms: float = 0.0
    written: list[str] = field(default_factory=list)


class Recorder:
    """Records one run. `setting` goes with the tape; `clean` sees each value before it is JSON."""

    def __init__(self, setting: dict[str, Any], *, clean: Clean = as_it_came) -> None:
        self.setting = setting
        self._clean = clean
        self._clock: Callable[[], float] = time.perf_counter
        self._noted: list[Noted] = []

    def wrap(self, ports: Ports) -> Ports:
        """The same ports, heard by this recorder."""
        ask, self._clock = ports.ask, ports.clock
        return replace(
            ports,
            model=HeardModel(ports.model, self.hear),
            search=HeardSearch(ports.search, self.hear),
            router=HeardRouter(ports.router, self.hear),
            tools=HeardTools(ports.tools, self.hear),
            ask=ask if ask is nobody_answers else self._asking(ask),
        )

    def replied(self, pause: Pause, reply: PauseReply) -> None:
        """Keep what a person said to a pause. Call it before what came of it."""
        asked = Asked("ask", "ask", pause.kind, {"pause": pause})
        self._noted.append(Noted(asked, value=reply, fault=None))

    @property
    def calls(self) -> list[dict[str, Any]]:
        """All calls so far as JSON values."""
        return list(self.entries())

    def entries(self) -> Iterable[dict[str, Any]]:
        """The same one by one, to be made where nobody waits."""
        return map(self._entry, tuple(self._noted))

    async def hear(
        self,
        asked: Asked,
        make: Callable[[Write | None], Awaitable[Any]],
        write: Write | None = None,
    ) -> Any:
        """Make the call, and note it."""
        noted = Noted(asked)
        self._noted.append(noted)
        began = self._clock()
        try:
            noted.value = await make(_noting(noted, write) if write else None)
            noted.fault = None
        except Exception as error:
            noted.fault = _fault(error)
            raise
        finally:
            noted.ms = (self._clock() - began) * 1000
        return noted.value

    def _asking(self, ask: Callable[[Pause], PauseReply]) -> Callable[[Pause], PauseReply]:
        def asking(pause: Pause) -> PauseReply:
            reply = ask(pause)
            self.replied(pause, reply)
            return reply

        return asking

    def _entry(self, noted: Noted) -> dict[str, Any]:
        asked = noted.asked
        inputs = asked.plain()
        entry = {
            "kind": asked.kind,
            "method": asked.method,
            "purpose": asked.purpose,
            "key": asked.key(inputs),
            "given": referred(inputs),
            "ms": round(noted.ms, 2),
        }
        if asked.prompts:
            entry["prompts"] = digest(asked.prompts)
        return entry | self._came(noted)

    def _came(self, noted: Noted) -> dict[str, Any]:
        wrote = "".join(noted.written)
        if noted.fault is not None:
            return noted.fault | self._wrote(noted.asked, wrote)
        value, more = noted.value, {}
        if isinstance(value, Reply):
            more["call"] = value.call.model_dump(mode="json")
            value = value.value
        if not is_fit(noted.asked.method, value):
            return {**more, "fault": {"type": "nonsense"}}
        if wrote != getattr(value, "text", ""):
            more |= self._wrote(noted.asked, wrote)
        return {**more, "came": to_jsonable_python(self._clean(noted.asked, _kept(value)))}

    def _wrote(self, asked: Asked, text: str) -> dict[str, Any]:
        """What was shown of an answer, where it is not the answer itself."""
        return {"wrote": self._clean(asked, Draft(text=text)).text} if text else {}


def _noting(noted: Noted, write: Write) -> Write:
    def noting(text: str) -> None:
        noted.written.append(text)
        write(text)

    return noting


def _kept(value: Any) -> Any:
    """Of a reply to a pause everything but its key, with which an action could be done again."""
    return value.model_copy(update={"key": ""}) if isinstance(value, PauseReply) else value


def _fault(error: Exception) -> dict[str, Any]:
    """Why nothing came back. Words of an error that nobody foresaw are not kept."""
    match error:
        case ModelFault():
            fault = {"type": "model", "reason": error.reason}
            return {"fault": fault, "call": error.call.model_dump(mode="json")}
        case SearchFailed():
            return {"fault": {"type": "search", "public": error.public}}
    return {"fault": {"type": "raised", "reason": type(error).__name__}}
