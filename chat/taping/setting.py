"""How a turn was run, as JSON, so that it can be run the same way again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from enum import Enum
from typing import Any

from chat.contracts.ports import AgentSettings, Ports
from chat.contracts.verdicts import Route

SCHEMA = 1
"""Raised when the meaning of a setting or a call changes; older tapes are then not reused."""

SITE = frozenset({"site", "examples", "covers", "contacts"})
"""Of the settings, the owner's words: a re-run takes those of today."""

SEARCH = ("mode", "threshold", "collection")
_MANNERS = tuple(each.name for each in fields(AgentSettings) if each.name not in SITE)


def setting_of(ports: Ports, **more: str) -> dict[str, Any]:
    """The settings of a turn, who spoke and how was searched. `more` goes beside them.

    `origin` says whose stand-in spoke, and is empty for a model as customers hear it.
    """
    settings = {name: _plain(getattr(ports.settings, name)) for name in _MANNERS}
    return {
        "schema": SCHEMA,
        "settings": settings,
        "search": search_of(ports.search),
        "model": ports.model.name,
        "prompts": ports.model.prompts,
        "origin": str(getattr(ports.model, "origin", "")),
        **more,
    }


def search_of(search: Any) -> dict[str, Any]:
    """Mode, least cosine and collection of a search, as far as it says so."""
    return {name: _plain(value) for name in SEARCH if (value := getattr(search, name, None))}


def settings_from(setting: Mapping[str, Any], base: AgentSettings) -> AgentSettings:
    """The settings of a recorded turn; what they do not name is as in `base`."""
    stored = setting.get("settings", {})
    found = {name: stored[name] for name in _MANNERS if name in stored}
    if found.get("pinned_route") is not None:
        found["pinned_route"] = Route(found["pinned_route"])
    return replace(base, **found)


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, Enum) else value
