"""Writes the generated parts of the pages under docs/, and the alert rules.

What stands between two markers comes from the code; the rest of a page is written by hand.
`docs_pages` writes, `--check` only compares.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, get_args

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from pydantic import BaseModel

from chat import judging
from chat.agent.graph import EDGES, NODES, ROUTES, Boundary, Node
from chat.alerts import as_yaml
from chat.contracts import errors
from chat.contracts.commands import Command as ClientCommand
from chat.contracts.events import BODIES, Body
from chat.contracts.verdicts import Control, Outcome, Route, Termination
from chat.guardrails.modes import MODES
from chat.guardrails.policy import POLICIES, Direction, Limit, Policy
from chat.runtime.compile import compiled

ALERTS = "ops/prometheus/plumbline.rules.yml"
NO_SET = "no set with people's labels"
EXACT = "a count or a proof: nothing to measure"
HEADLINES = {
    ("advice_boundary", "advice, refused"),
    ("advice_boundary", "banking77, refused wrongly"),
    ("attributionbench", "balanced accuracy"),
    ("attributionbench", "precision of supported"),
    ("begin_wow", "precision of supported"),
    ("clapnq", "AUROC of the grade"),
    ("clinc150", "AUROC of the scope score"),
    ("faithdial_audit", "precision of supported"),
    ("hatecheck", "fit to be said, let pass"),
    ("hatecheck", "unfit to be said, stopped"),
    ("mtrag_un", "answerable, asked back by code"),
    ("pii", "precision of all promised"),
    ("pii", "recall of all promised"),
    ("prompt_injection", "in sections: taken out, half unread"),
    ("prompt_injection", "harmless, called order"),
    ("wice", "precision of supported"),
}
"""The figures that stand beside a control; docs/quality.md has all of them."""
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
    rows = [(f"`{k.code}`", _text(k), "yes" if k.retryable else "no") for k in kinds]
    return _table(("code", "message", "worth trying again"), rows)


def _event(body: type[Body]) -> str:
    seen = "the person and the staff" if body.AUDIENCE == "user" else "the staff"
    head = f"### `{body.TYPE}`\n\n{_text(body)} Seen by {seen}."
    return f"{head}\n\n{_fields(_schema(body))}"


def _command(kind: type[BaseModel]) -> str:
    name = get_args(kind.model_fields["type"].annotation)[0]
    schema = kind.model_json_schema()
    fields = {key: value for key, value in schema["properties"].items() if key != "type"}
    rows = [
        (f"`{key}`", _kind(field) + ("" if key in schema["required"] else ", may be left out"))
        for key, field in fields.items()
    ]
    table = _table(("field", "is"), rows) if rows else "No fields."
    return f"### `{name}`\n\n{_text(kind)}\n\n{table}"


def _value(name: str, schema: dict[str, Any]) -> str:
    text = " ".join(schema.get("description", "").split())
    head = f"### {name}\n\n{text}\n\n" if text else f"### {name}\n\n"
    if "enum" in schema:
        return head + "One of " + ", ".join(f"`{value}`" for value in schema["enum"]) + "."
    return head + _fields(schema)


def _fields(schema: dict[str, Any]) -> str:
    rows = [(f"`{name}`", _kind(field)) for name, field in schema["properties"].items()]
    return _table(("field", "is"), rows)


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
    rows = [(f"`{n.name}`", n.boundary, _text(n.run), _exits(n)) for n in NODES]
    return _table(("node", "boundary", "what it does", "then"), rows)


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


# ---- controls and reasons


def controls() -> str:
    """Where each control looks, which way it fails, and why."""
    rows = [
        (str(row.number or "–"), f"`{c}`", row.boundary.value, row.direction.value, row.why)
        for c, row in POLICIES.items()
    ]
    return _table(("no.", "control", "boundary", "direction", "why"), rows)


LIMITS = {
    Limit.CODE: "the length of its text",
    Limit.CONTROL: "three times `LLM_TIMEOUT_MS`",
    Limit.SEALING: "four tries, then the next process",
}


def measured() -> str:
    """How long each control may take, what counts it, and how good it was on labelled rows."""
    found: dict[str, list[str]] = {}
    for row in judging.shipped():
        if (row.dataset, row.metric) in HEADLINES:
            found.setdefault(row.control, []).append(_figure(row))
    rows = [
        (f"`{c}`", LIMITS[row.limit], _counter(c), "; ".join(found.get(c, ())) or _unmeasured(row))
        for c, row in POLICIES.items()
    ]
    return _table(("control", "time limit", "counter", "measured"), rows)


def _unmeasured(row: Policy) -> str:
    return EXACT if row.direction is Direction.PURE else NO_SET


def _counter(control: Control) -> str:
    return f'`plumbline_decisions_total{{control="{control}"}}`'


def _figure(row: judging.Measured) -> str:
    between = f" ({row.low:.3f} to {row.high:.3f})" if row.low != row.high else ""
    return f"{row.dataset}, {row.metric} {row.value:.3f}{between}, n {row.n:,}"


def modes() -> str:
    """What each mode leaves out, and why."""
    rows = [
        (f"`{mode}`", ", ".join(f"{skip}" for skip in sorted(row.skips)) or "nothing", row.why)
        for mode, row in MODES.items()
    ]
    return _table(("mode", "leaves out", "why"), rows)


def words() -> str:
    """The closed lists of outcomes, paths and reasons to end."""
    lists = {"outcome of a control": Outcome, "path": Route, "termination": Termination}
    return "\n".join(
        f"- {name}: " + ", ".join(f"`{value}`" for value in kind) for name, kind in lists.items()
    )


PARTS: dict[str, Callable[[], str]] = {
    part.__name__: part
    for part in (
        *(events, values, commands, refusals, nodes, drawing),
        *(controls, measured, modes, words),
    )
}


def _text(described: Any) -> str:
    return " ".join((inspect.getdoc(described) or "").split())


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [list(head)]
    lines += [["---"] * len(lines[0])]
    lines += [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
