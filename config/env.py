"""The only reader of the environment.

Variables may also stand in a file `.env`; the environment wins. A value that cannot be used stops
the start, and the error names the variable, what was given and what is allowed.
"""

import os
from collections.abc import Mapping
from dataclasses import Field, fields
from pathlib import Path
from typing import Any

from config.errors import BadSetting, BadSettings
from config.variables import BASE_DIR, Settings, Variable

__all__ = ["Settings", "keep_libraries_silent", "load", "problems", "read", "use_site_settings"]


def load() -> Settings:
    """The settings of this process, from the environment and from `.env`."""
    file = os.environ.get("ENV_FILE", str(BASE_DIR / ".env"))
    return read({**from_file(Path(file)), **os.environ} if file else os.environ)


def read(environment: Mapping[str, str]) -> Settings:
    """Raises BadSettings, which names every variable that cannot be used."""
    values, found = _read_all(environment)
    if found:
        raise BadSettings(found)
    return Settings(**values)


def problems(environment: Mapping[str, str]) -> list[BadSetting]:
    """What `read` would refuse."""
    return _read_all(environment)[1]


def from_file(path: Path) -> dict[str, str]:
    """What the file at `path` sets; nothing when there is none."""
    return pairs_in(path.read_text()) if path.is_file() else {}


def pairs_in(text: str) -> dict[str, str]:
    """Lines `NAME=value`; a line that begins with `#` is a comment, quotes around a value go."""
    lines = (line.strip().removeprefix("export ") for line in text.splitlines())
    pairs = (line.partition("=") for line in lines if line and not line.startswith("#"))
    return {name.strip(): _unquoted(value.strip()) for name, _, value in pairs}


def use_site_settings() -> None:
    """Tells Django which settings module is the site's, unless something else was asked for."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


def keep_libraries_silent() -> None:
    """Nothing of a site goes to a host that its owner did not name. The libraries read these.

    LangChain would send what was typed to a tracing host, ONNX Runtime counts its sessions for its
    maker and keeps an id for that in the home folder.
    """
    os.environ["LANGSMITH_TRACING"] = "false"
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"


def _read_all(environment: Mapping[str, str]) -> tuple[dict[str, Any], list[BadSetting]]:
    values: dict[str, Any] = {}
    found: list[BadSetting] = []
    for each in fields(Settings):
        try:
            values |= _value(each, environment)
        except BadSetting as problem:
            found.append(problem)
    return values, found


def _value(each: "Field[Any]", environment: Mapping[str, str]) -> dict[str, Any]:
    """The field's value under its name; nothing when the variable is unset or empty."""
    variable: Variable = each.metadata["variable"]
    given = {name: environment[name].strip() for name in variable.names if name in environment}
    given = {name: value for name, value in given.items() if value}
    if not given:
        return {}
    name, value = next(iter(given.items()))
    if len(set(given.values())) > 1:
        raise BadSetting(name, _shown(variable, value), f"the same as {' and '.join(given)}")
    try:
        return {each.name: variable.parser.parse(value)}
    except (ValueError, TypeError):
        raise BadSetting(name, _shown(variable, value), variable.parser.allowed) from None


def _shown(variable: Variable, value: str) -> str:
    return "set to something else" if variable.secret else repr(value)


def _unquoted(value: str) -> str:
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value
