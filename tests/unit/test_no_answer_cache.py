"""No answer is kept to be given again: what is asked anew is answered anew, for every person."""

from __future__ import annotations

import ast
from pathlib import Path

from django.conf import settings

from tests.doubles.models import ANSWERS, ScriptedModel
from tests.factories import ports
from tests.unit.agent.running import run

BASE = Path(settings.BASE_DIR)
SHARED = "django.core.cache"  # its keys would have to name the person


def _uses_the_shared_cache(path: Path) -> bool:
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    named = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    named |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
    return any(name.startswith(SHARED) for name in named)


def test_nothing_of_the_site_stands_in_a_cache_that_people_share() -> None:
    rooms = ("chat", "admin_tracing", "config")
    found = [path for room in rooms for path in (BASE / room).rglob("*.py")]
    assert found
    assert [path for path in found if _uses_the_shared_cache(path)] == []


def test_no_page_is_kept_by_the_server() -> None:
    assert not [name for name in settings.MIDDLEWARE if "cache" in name.lower()]


async def test_the_same_question_is_asked_of_the_model_again() -> None:
    model = ScriptedModel(grades={"refunds#timing": ANSWERS})
    given = ports(model)
    first, second = await run(given), await run(given)
    assert first.state["text"] == second.state["text"]
    assert model.purposes().count("answer") == 2
