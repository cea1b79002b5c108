"""A toolbox in memory: a directory that is read, and a ticket that cannot be undone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from chat.contracts.passages import Passage
from chat.contracts.tasks import ToolCall, ToolResult, ToolSpec

DIRECTORY = ToolSpec(
    name="search_directory",
    description="Finds partners.",
    parameters={"type": "object"},
    cost=0.01,
    limit=2,
    hints=("partner", "partners"),
)
TICKET = ToolSpec(
    name="open_ticket",
    description="Opens a ticket.",
    parameters={"type": "object"},
    limit=1,
    irreversible=True,
    hints=("ticket",),
)


@dataclass(slots=True)
class Tools:
    """Runs what it is asked to, once a key. `problems` scripts what goes wrong, by tool."""

    specs: tuple[ToolSpec, ...] = (DIRECTORY, TICKET)
    problems: Mapping[str, str] = field(default_factory=dict)
    found: tuple[Passage, ...] = ()
    ran: list[tuple[str, str]] = field(default_factory=list)

    def summary(self, call: ToolCall) -> str:
        return f"{call.tool} with {sorted((call.arguments or {}).items())}"

    def problem(self, call: ToolCall) -> str:
        if call.tool not in {spec.name for spec in self.specs}:
            return "unknown_tool"
        return "bad_arguments" if call.arguments is None else ""

    async def run(self, call: ToolCall, key: str) -> ToolResult:
        spec = next((each for each in self.specs if each.name == call.tool), None)
        problem = self.problem(call) or self.problems.get(call.tool, "")
        if spec and spec.irreversible and not key:
            problem = problem or "not_confirmed"
        if problem:
            return _result(call, f"It went wrong: {problem}.", problem=problem)
        if (call.tool, key) not in self.ran or not key:
            self.ran.append((call.tool, key))
        return _result(call, "It was done.", passages=self.found, cost=spec.cost if spec else 0.0)


def _result(call: ToolCall, text: str, **fields: Any) -> ToolResult:
    return ToolResult(call=call, text=text, summary=text, ms=1.0, **fields)
