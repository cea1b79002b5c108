"""The tree keeps its own rules: sizes, one writer, who may catch, and words that have no place."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import median
from typing import TypeAlias

import pytest

from config.variables import BASE_DIR

SOURCE = ("chat", "admin_tracing", "config")
EVERYWHERE = (*SOURCE, "tests", "benchmarks", "docs", "templates", "static", ".ci")
TEXT = {".py", ".md", ".html", ".js", ".css", ".txt", ".toml", ".json", ".svg", ".sql", ".sh", ""}

LONGEST_FILE = 300
LONGEST_FUNCTION = 50
USUAL_FUNCTION = 12

# Files that may be longer, each with its reason.
LONG_FILES = {
    "chat/contracts/events.py": "the whole protocol, which is to be read as one page",
    "chat/event_log.py": "the writer and the readers of one log share its ordering",
}
# Modules that may catch everything, each with its reason.
CATCHES_ALL = {
    "chat/wiring.py": "loading beforehand is a courtesy; the first question reports what is wrong",
    "chat/guardrails/policy.py": "applies a control's direction",
    "chat/runner.py": "the edge of a turn, which has to end",
    "chat/tools/registry.py": "the edge of a tool: a defect in it must not end the turn",
    "chat/retrieval/reader.py": "a process of its own reads a file that may be made to break it",
    "chat/health.py": "whatever a part raises, it is down",
    "chat/tapes.py": "a tape is a help and never a condition of a turn",
    "chat/lab_runs.py": "a run that breaks must not hold up the others",
    "admin_tracing/worker.py": "a job that breaks must not end its loop",
    "config/redacting.py": "a line of the log must never break what wrote it",
}

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def python(*rooms: str) -> tuple[Path, ...]:
    found = (path for room in rooms for path in (BASE_DIR / room).rglob("*.py"))
    return tuple(sorted(path for path in found if "migrations" not in path.parts))


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(tree(path)))


def name(path: Path) -> str:
    return path.relative_to(BASE_DIR).as_posix()


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Each function of a module with its length in lines."""
    for node in nodes(path):
        if isinstance(node, Function):
            assert node.end_lineno is not None
            yield f"{name(path)}:{node.name}", node.end_lineno - node.lineno + 1


@cache
def texts() -> tuple[tuple[str, str], ...]:
    """Every text file of the project with its name."""
    return tuple(_texts())


def _texts() -> Iterator[tuple[str, str]]:
    top = [path for path in BASE_DIR.iterdir() if path.is_file()]
    deep = [path for room in EVERYWHERE for path in (BASE_DIR / room).rglob("*")]
    for path in (*top, *deep):
        cached = "__pycache__" in path.parts
        if path.is_file() and path.suffix in TEXT and not cached:
            yield name(path), path.read_text()


# ---- sizes


def test_no_file_is_longer_than_one_can_read() -> None:
    lines = {name(path): len(path.read_text().splitlines()) for path in python(*SOURCE)}
    long = {path for path, count in lines.items() if count > LONGEST_FILE}
    assert long == set(LONG_FILES)


def test_no_function_is_longer_than_a_screen() -> None:
    everything = python(*SOURCE, "tests", "benchmarks")
    long = [f for path in everything for f, lines in functions(path) if lines > LONGEST_FUNCTION]
    assert long == []


def test_most_functions_are_short() -> None:
    lengths = [lines for path in python(*SOURCE) for _, lines in functions(path)]
    assert median(lengths) < USUAL_FUNCTION


@pytest.mark.parametrize("path", [p for p in python(*SOURCE) if p.read_text().strip()], ids=name)
def test_a_module_opens_with_what_it_owns(path: Path) -> None:
    assert ast.get_docstring(tree(path))


# ---- who may do what


def called(node: ast.Call) -> str:
    """The dotted name of what is called, as far as it is one."""
    parts: list[str] = []
    here: ast.expr = node.func
    while isinstance(here, ast.Attribute):
        parts.append(here.attr)
        here = here.value
    parts.append(here.id if isinstance(here, ast.Name) else "")
    return ".".join(reversed(parts))


@cache
def calls(path: Path) -> tuple[str, ...]:
    return tuple(called(node) for node in nodes(path) if isinstance(node, ast.Call))


WRITES = re.compile(
    r"^(DecisionRecord|RecordContent|ChainHead)"
    r"(\.objects\.(create|bulk_create|get_or_create|update_or_create))?$"
)


def test_decision_records_have_one_writer() -> None:
    writers = {name(p) for p in python(*SOURCE) if any(WRITES.match(c) for c in calls(p))}
    assert writers == {"chat/decision_log.py"}


def test_turn_events_have_one_writer() -> None:
    calls_ = r"TurnEvent(\.objects\.(bulk_create|create|get_or_create|update_or_create))?\("
    writes = re.compile(rf"(?<!class )\b{calls_}|INSERT INTO (\{{TurnEvent\b|chat_turnevent\b)")
    writers = {name(p) for p in python(*SOURCE) if writes.search(p.read_text())}
    assert writers == {"chat/event_rows.py"}


def test_nothing_prints() -> None:
    assert [name(path) for path in python(*SOURCE) if "print" in calls(path)] == []


def test_only_the_bridge_leads_to_the_database_from_the_loop() -> None:
    bridges = ("sync_to_async", "database_sync_to_async")
    used = [name(p) for p in python(*SOURCE) if any(c.endswith(bridges) for c in calls(p))]
    assert used == []


def swallows_all(path: Path) -> bool:
    """Does a handler catch every exception without raising it again?"""
    handlers = [node for node in nodes(path) if isinstance(node, ast.ExceptHandler)]
    return any(_is_broad(h) and not isinstance(h.body[-1], ast.Raise) for h in handlers)


def _is_broad(handler: ast.ExceptHandler) -> bool:
    broad = ("Exception", "BaseException")
    return handler.type is None or (isinstance(handler.type, ast.Name) and handler.type.id in broad)


def test_only_those_named_catch_everything() -> None:
    assert {name(path) for path in python(*SOURCE) if swallows_all(path)} == set(CATCHES_ALL)


def test_nodes_and_routers_read_no_clock_and_write_no_log() -> None:
    banned = re.compile(r"^(time\.|datetime\.|random\.|log(ging|ger)?\.|open$)")
    agent = [p for p in python("chat") if "agent" in p.parts or "guardrails" in p.parts]
    assert [(name(p), c) for p in agent for c in calls(p) if banned.match(c)] == []


def test_routers_are_plain_functions() -> None:
    routing = BASE_DIR / "chat/agent/routing.py"
    assert not any(isinstance(node, ast.AsyncFunctionDef) for node in ast.walk(tree(routing)))


# ---- words that have no place here; written so that this file does not hold them itself

FORBIDDEN = {
    "a path of one machine": r"(?<![\w.])/(?:work|root|home/\w+|Users/\w+)/",
    "work that was left": r"\b(?:TOD[O]|FIXM[E]|XX[X])\b",
    "who wrote it": r"(?i)\b(?:clau[d]e|anthro[p]ic|copil[o]t|chat[g]pt|sub-?a[g]ent|as an a[i])\b",
    "how it was ordered": r"(?i)\b(?:the bri[e]f|issue #\d|contra[c]t\.md|desi[g]n\.md|u[i]\.md)",
}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_text_holds(what: str) -> None:
    words = re.compile(FORBIDDEN[what])
    found = [(file, match.group()) for file, body in texts() for match in words.finditer(body)]
    assert found == []


def test_nothing_apologises_or_shouts() -> None:
    spoken = re.compile(r"(?i)\b(?:so[r]ry|apologi[sz]e|oo[p]s)\b")
    rooms = ("chat", "admin_tracing", "templates", "static")
    found = [file for file, body in texts() if file.startswith(rooms) and spoken.search(body)]
    assert [file for file in found if "wordlists" not in file] == []
