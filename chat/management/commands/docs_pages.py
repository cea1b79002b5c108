"""Writes the generated parts of the pages under docs/, and the alert rules.

What stands between two markers comes from the code; the rest of a page is written by hand.
`docs_pages` writes, `--check` only compares.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from pydantic import BaseModel

from chat.agent.graph import EDGES, NODES, ROUTES, Boundary, Node
from chat.alerts import as_yaml
from chat.contracts import errors
from chat.contracts.commands import Command as ClientCommand
from chat.contracts.events import BODIES, Body
from chat.management import control_pages
from chat.management.tables import table, text_of
from chat.runtime.compile import compiled

ALERTS = "docs/prometheus/plumbline.rules.yml"
START, END = "__start__", "__end__"  # as LangGraph names them
SEALED = re.compile(r"<!-- generated: (\w+) -->\n.*?<!-- end of \1 -->", re.DOTALL)


class Command(BaseCommand):
    help = "Writes the generated parts of the documentation; --check only compares."
    requires_system_checks = ()

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("--check", action="store_true", help="compare and write nothing")

    def handle(self, *_: Any, check: bool, **__: Any) -> None:
        if not check:
            for path in pages():
                path.write_text(current(path))
            return
        old = stale()
        for path in old:
            self.stderr.write(f"{path.relative_to(settings.BASE_DIR)} is not current.")
        if old:
            raise CommandError("Run `make docs`.")


def pages() -> list[Path]:
    """The pages that have generated parts, and the alert rules, which are generated whole."""
    written = (settings.BASE_DIR / "docs").glob("*.md")
    parts = sorted(page for page in written if "<!-- generated: " in page.read_text())
    rules = settings.BASE_DIR / ALERTS
    return [*parts, rules] if rules.exists() else parts


def stale() -> list[Path]:
    """The pages that would change if they were written now."""
    return [path for path in pages() if path.read_text() != current(path)]


def current(path: Path) -> str:
    """A page with its generated parts as the code is now. Raises `KeyError` for an unknown part."""
    if path == settings.BASE_DIR / ALERTS:
        return as_yaml()
    return SEALED.sub(lambda part: sealed(part.group(1)), path.read_text())


def sealed(name: str) -> str:
    """One generated part between its markers."""
    return f"<!-- generated: {name} -->\n\n{PARTS[name]()}\n\n<!-- end of {name} -->"


# ---- the protocol


def events() -> str:
    """Each event type with its audience, its meaning and its fields."""
    return "\n\n".join(_event(body) for body in BODIES)


def values() -> str:
    """The values that events are made of, and the closed vocabularies."""
    found: dict[str, Any] = {}
    for body in (*BODIES, *get_args(ClientCommand)):
        found |= body.model_json_schema(by_alias=True).get("$defs", {})
    return "\n\n".join(_value(name, found[name]) for name in sorted(found))


def commands() -> str:
    """What a client may send."""
    return "\n\n".join(_command(kind) for kind in get_args(ClientCommand))


def refusals() -> str:
    """Every code that a refusal may carry."""
    named = (kind for kind in vars(errors).values() if inspect.isclass(kind))
    kinds = [k for k in named if issubclass(k, errors.ChatError) and k is not errors.ChatError]
    kinds.sort(key=lambda kind: kind.code)
    rows = [(f"`{k.code}`", text_of(k), "yes" if k.retryable else "no") for k in kinds]
    return table(("code", "message", "worth trying again"), rows)


def _event(body: type[Body]) -> str:
    seen = "the person and the staff" if body.AUDIENCE == "user" else "the staff"
    head = f"### `{body.TYPE}`\n\n{text_of(body)} Seen by {seen}."
    return f"{head}\n\n{_fields(_schema(body))}"


def _command(kind: type[BaseModel]) -> str:
    name = get_args(kind.model_fields["type"].annotation)[0]
    schema = kind.model_json_schema()
    fields = {key: value for key, value in schema["properties"].items() if key != "type"}
    rows = [
        (f"`{key}`", _kind(field) + ("" if key in schema["required"] else ", may be left out"))
        for key, field in fields.items()
    ]
    shown = table(("field", "is"), rows) if rows else "No fields."
    return f"### `{name}`\n\n{text_of(kind)}\n\n{shown}"


def _value(name: str, schema: dict[str, Any]) -> str:
    text = " ".join(schema.get("description", "").split())
    head = f"### {name}\n\n{text}\n\n" if text else f"### {name}\n\n"
    if "enum" in schema:
        return head + "One of " + ", ".join(f"`{value}`" for value in schema["enum"]) + "."
    return head + _fields(schema)


def _fields(schema: dict[str, Any]) -> str:
    rows = [(f"`{name}`", _kind(field)) for name, field in schema["properties"].items()]
    return table(("field", "is"), rows)


def _kind(field: dict[str, Any]) -> str:
    """A JSON schema in a few words."""
    if "$ref" in field:
        name = field["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in field:
        return " or ".join(_kind(choice) for choice in field["anyOf"])
    if "enum" in field:
        return "one of " + ", ".join(f"`{value}`" for value in field["enum"])
    if "const" in field:
        return f"`{field['const']}`"
    return _plain(field)


def _plain(field: dict[str, Any]) -> str:
    kind = field.get("type", "any value")
    if kind == "array":
        most = f" up to {field['maxItems']}" if "maxItems" in field else ""
        return f"list of{most} {_kind(field['items'])}"
    if kind == "object":
        inside = field.get("additionalProperties", True)
        return f"object of {_kind(inside)}" if isinstance(inside, dict) else "object"
    limit = f", at most {field['maxLength']:,} characters" if "maxLength" in field else ""
    return f"{field.get('format', kind)}{limit}"


def _schema(kind: type[BaseModel]) -> dict[str, Any]:
    return kind.model_json_schema(by_alias=True)


# ---- the graph


def nodes() -> str:
    """Each node with its boundary, what it does and where it leads."""
    rows = [(f"`{n.name}`", n.boundary, text_of(n.run), _exits(n)) for n in NODES]
    return table(("node", "boundary", "what it does", "then"), rows)


def drawing() -> str:
    """The compiled graph as Mermaid; a dotted line is a route that was chosen."""
    order = {name: place for place, name in enumerate([START, *(n.name for n in NODES)])}
    edges = sorted(
        compiled().get_graph().edges,
        key=lambda e: (order[e.source], order.get(e.target, len(order))),
    )
    lines = [
        f"    {_box(e.source)} {'-.->' if e.conditional else '-->'} {_box(e.target)}" for e in edges
    ]
    return "\n".join(["```mermaid", "flowchart TD", *_bands(), *lines, "```"])


def _bands() -> list[str]:
    """The nodes of each boundary in a box of their own."""
    lines = []
    for boundary in get_args(Boundary):
        inside = [f"        {node.name}" for node in NODES if node.boundary == boundary]
        lines += [f"    subgraph {boundary}", *inside, "    end"]
    return lines


def _exits(node: Node) -> str:
    _, routed = ROUTES.get(node.name, (None, ()))
    fixed = tuple(target for source, target in EDGES if source == node.name)
    return " · ".join("the end" if t == END else f"`{t}`" for t in (*routed, *fixed))


def _box(name: str) -> str:
    return {START: "start([start])", END: "done([end])"}.get(name, name)


PARTS: dict[str, Callable[[], str]] = {
    part.__name__: part
    for part in (
        *(events, values, commands, refusals, nodes, drawing),
        *(control_pages.controls, control_pages.measured, control_pages.modes, control_pages.words),
    )
}
