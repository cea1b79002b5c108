"""Ports that nobody may ask: every call is noted and fails."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from chat.contracts.ports import Ports


@dataclass(slots=True)
class Silent:
    """Stands for model, search or router. `given` keeps its name and its settings; `asked` has
    every call that came all the same."""

    given: Any
    asked: list[str] = field(default_factory=list)

    def __getattr__(self, name: str) -> Any:
        if name in ("name", "prompts", "mode", "threshold", "collection", "origin", "specs"):
            return getattr(self.given, name)
        if name in ("summary", "problem"):
            return getattr(self.given, name)

        async def refuse(*_args: Any, **_kwargs: Any) -> Any:
            self.asked.append(name)
            raise AssertionError(f"{name} was called")

        return refuse


def silenced(given: Ports) -> tuple[Ports, list[str]]:
    """The ports with all four parts silent, and the one list of what was called all the same."""
    asked: list[str] = []
    parts: Any = {
        name: Silent(getattr(given, name), asked) for name in ("model", "search", "router", "tools")
    }
    return replace(given, **parts), asked
