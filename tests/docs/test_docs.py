"""The documents say what the code does: generated parts are current, and nothing is left out."""

from __future__ import annotations

import io
import re
from functools import cache
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command, get_commands

from chat.agent.graph import NODES
from chat.contracts.events import BODIES
from chat.contracts.verdicts import Control
from chat.management.commands import docs_pages
from config.variables import BASE_DIR, variables

DOCS = BASE_DIR / "docs"
PAGES = sorted([*DOCS.rglob("*.md"), *BASE_DIR.glob("*.md")])
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
ADR_PARTS = ("Status: ", "## Context", "## Decision", "## Consequences")


@cache
def text(path: Path) -> str:
    return path.read_text()


def by_name(path: Path) -> str:
    return str(path.relative_to(BASE_DIR))


# ---- generated parts


def test_the_generated_parts_are_current() -> None:
    assert [by_name(path) for path in docs_pages.stale()] == [], "run `make docs`"


def test_every_generated_part_stands_on_a_page() -> None:
    found = re.findall(r"<!-- generated: (\w+) -->", "".join(text(p) for p in docs_pages.pages()))
    assert sorted(found) == sorted(docs_pages.PARTS)


def test_a_part_of_a_page_that_nobody_can_write_is_a_fault(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("<!-- generated: weather -->\n<!-- end of weather -->\n")
    with pytest.raises(KeyError, match="weather"):
        docs_pages.current(page)


@pytest.fixture
def checkout(tmp_path: Path, settings: object) -> Path:
    """Another checkout that has one page, with a part that is not current."""
    settings.BASE_DIR = tmp_path  # type: ignore[attr-defined]
    (tmp_path / "docs").mkdir()
    page = tmp_path / "docs" / "page.md"
    page.write_text("By hand.\n<!-- generated: controls -->\nold\n<!-- end of controls -->\nToo.\n")
    return page


def test_the_check_names_a_stale_page_and_writes_nothing(checkout: Path) -> None:
    before, told = checkout.read_text(), io.StringIO()
    with pytest.raises(CommandError):
        call_command("docs_pages", check=True, stderr=told)
    assert told.getvalue() == "docs/page.md is not current.\n"
    assert checkout.read_text() == before


def test_writing_changes_what_stands_between_the_markers_alone(checkout: Path) -> None:
    call_command("docs_pages")
    written = checkout.read_text()
    assert written.startswith("By hand.\n<!-- generated: controls -->\n")
    assert written.endswith("<!-- end of controls -->\nToo.\n")
    assert "old" not in written and "`redaction`" in written
    call_command("docs_pages", check=True)


# ---- nothing is left out


@pytest.mark.parametrize("name", [body.TYPE for body in BODIES])
def test_every_event_is_in_the_protocol(name: str) -> None:
    assert f"### `{name}`" in text(DOCS / "protocol.md")


@pytest.mark.parametrize("name", [node.name for node in NODES])
def test_every_node_is_on_the_page_of_the_graph(name: str) -> None:
    assert f"| `{name}` |" in text(DOCS / "graph.md")


@pytest.mark.parametrize("name", list(Control))
def test_every_control_is_on_the_page_of_controls(name: str) -> None:
    assert f"| `{name}` |" in text(DOCS / "controls.md")


@pytest.mark.parametrize("name", [variable.name for variable in variables()])
def test_every_setting_is_on_the_page_of_settings(name: str) -> None:
    assert f"| `{name}` |" in text(DOCS / "settings.md")


def test_every_command_is_in_the_readme() -> None:
    ours = {name for name, app in get_commands().items() if app in ("chat", "admin_tracing")}
    told = set(re.findall(r"`manage\.py (\w+)", text(BASE_DIR / "README.md")))
    assert ours == told


def test_every_target_of_make_is_in_the_readme() -> None:
    first = re.search(r"^((?:#.*\n)+)", text(BASE_DIR / "Makefile"))
    assert first
    targets = set(re.findall(r"make (\w+)", first.group(1)))
    assert targets == set(re.findall(r"\| `make (\w+)` \|", text(BASE_DIR / "README.md")))


def test_every_package_has_a_line_that_says_why() -> None:
    pinned = text(BASE_DIR / "requirements.txt") + text(BASE_DIR / "requirements-dev.txt")
    names = re.findall(r"^([\w-]+)(?:\[\w+\])?==", pinned, re.MULTILINE)
    told = re.findall(r"^\| `([\w-]+)` \|", text(DOCS / "dependencies.md"), re.MULTILINE)
    assert sorted(told) == sorted(names)


@pytest.mark.parametrize("path", sorted(DOCS.glob("adr/*.md")), ids=by_name)
def test_a_decision_says_why_and_what_follows(path: Path) -> None:
    number = path.name[:4]
    assert text(path).startswith(f"# {number} ")
    assert all(part in text(path) for part in ADR_PARTS)


def test_decisions_are_numbered_without_a_gap() -> None:
    numbers = [int(path.name[:4]) for path in sorted(DOCS.glob("adr/*.md"))]
    assert numbers == list(range(1, len(numbers) + 1))


# ---- words and links


def test_every_word_of_the_glossary_is_used() -> None:
    rows = re.findall(r"^\| ([a-z][a-z -]+) \| ", text(DOCS / "glossary.md"), re.MULTILINE)
    words = [word for word in rows if word != "word"]
    sources = [p for room in ("chat", "admin_tracing") for p in (BASE_DIR / room).rglob("*.py")]
    said = "\n".join([*map(text, sources), *(text(p) for p in PAGES if p.name != "glossary.md")])
    said = re.sub(r"[\s_]+", " ", said.lower())
    assert len(words) > 30
    assert [word for word in words if word not in said] == []


def test_the_glossary_explains_each_word_once() -> None:
    rows = re.findall(r"^\| ([a-z][a-z -]+) \| ", text(DOCS / "glossary.md"), re.MULTILINE)
    assert len(rows) == len(set(rows))


@pytest.mark.parametrize("path", PAGES, ids=by_name)
def test_links_inside_the_repository_lead_somewhere(path: Path) -> None:
    for target in LINK.findall(text(path)):
        if "://" in target:
            continue
        file, _, anchor = target.partition("#")
        page = (path.parent / file).resolve() if file else path
        assert page.exists(), target
        if anchor:
            assert anchor in _anchors(page), target


def _anchors(page: Path) -> set[str]:
    heads = re.findall(r"^#+ (.+)$", text(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}
