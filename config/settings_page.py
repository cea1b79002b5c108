"""Writes docs/settings.md and .env.example from the variables, or checks that they are current.

`python -m config.settings_page` writes, `--check` only compares.
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from config.variables import BASE_DIR, Variable, variables

PAGE_HEAD = """\
# Settings

This page is generated from `config/variables.py`; `make docs` writes it anew.

Each setting is one variable of the environment, or a line `NAME=value` of the file `.env` beside
`manage.py` (the variable `ENV_FILE` names another file, or none when it is empty). The environment
wins over the file. An empty value counts as unset. A value that cannot be used stops the start with
a line that names the variable, what was given and what is allowed.

| Variable | Default | Allowed | Meaning |
|---|---|---|---|
"""
EXAMPLE_HEAD = """\
# Copy to .env and take the leading # from what you want to change. docs/settings.md says more.
# This file is generated from config/variables.py; `make docs` writes it anew.
"""


def page() -> str:
    """The page for people, as Markdown."""
    return PAGE_HEAD + "".join(_row(variable) for variable in variables())


def example() -> str:
    """The file to copy; every line is a comment, so that it changes nothing as it is."""
    return EXAMPLE_HEAD + "".join(_example(variable) for variable in variables())


def stale() -> list[Path]:
    """The generated files that are missing or differ from what would be written."""
    return [path for path, text in _files().items() if not _holds(path, text)]


def main(arguments: list[str]) -> int:
    if "--check" not in arguments:
        for path, text in _files().items():
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        return 0
    for path in stale():
        sys.stderr.write(f"{path.relative_to(BASE_DIR)} is not current: run `make docs`.\n")
    return 1 if stale() else 0


def shown(value: Any) -> str:
    """A default in the form in which it would be given."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ",".join(value)
    if isinstance(value, Mapping):
        return json.dumps(dict(value)) if value else ""
    return str(value)


def _row(variable: Variable) -> str:
    default = f"`{shown(variable.default)}`" if shown(variable.default) else "unset"
    unit = f" ({variable.unit})" if variable.unit else ""
    others = f" Also read as {', '.join(f'`{n}`' for n in variable.aliases)}."
    about = variable.about + (others if variable.aliases else "")
    return f"| `{variable.name}` | {default}{unit} | {variable.parser.allowed} | {about} |\n"


def _example(variable: Variable) -> str:
    unit = f" ({variable.unit})" if variable.unit else ""
    return f"\n# {variable.about}{unit}\n#{variable.name}={shown(variable.default)}\n"


def _files() -> dict[Path, str]:
    return {BASE_DIR / "docs" / "settings.md": page(), BASE_DIR / ".env.example": example()}


def _holds(path: Path, text: str) -> bool:
    return path.exists() and path.read_text() == text


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
