"""A canary in what an endpoint says when it fails, or in a node's defect, is kept nowhere."""

from __future__ import annotations

import io
from typing import Any

import pytest
from aiohttp import web

from chat.db import in_db
from chat.models import Turn
from tests import pausing
from tests.canaries import ALL, CANARIES, WRITTEN, assert_gone, every_cell
from tests.doubles.endpoint import Asked, Endpoint
from tests.doubles.models import ScriptedModel
from tests.doubles.openai_model import asking
from tests.doubles.search import ListSearch
from tests.factories import ports

pytestmark = pytest.mark.django_db(transaction=True)

QUESTION = f"How long does a refund to {WRITTEN['email']} take?"


class Echoing(Endpoint):
    """Refuses every request with what it was asked, and what it should not know besides."""

    def __init__(self, status: int, as_text: bool) -> None:
        super().__init__()
        self.status, self.as_text = status, as_text

    async def _reply(self, request: web.Request, asked: Asked) -> web.StreamResponse:
        said = f"{ALL} was not expected in {asked.prompt}"
        if self.as_text:
            return web.Response(text=said, status=self.status, reason="Echo")
        return web.json_response({"error": {"message": said, "param": ALL}}, status=self.status)


@pytest.mark.parametrize(("status", "as_text"), [(400, False), (401, False), (500, True)])
async def test_what_an_endpoint_says_of_its_failure_is_neither_stored_nor_logged(
    status: int, as_text: bool, written_lines: io.StringIO
) -> None:
    async with Echoing(status, as_text) as endpoint, asking(endpoint) as model:
        turn = await _ended(ports(model))
    assert_gone("the prompts", "".join(asked.prompt for asked in endpoint.asked))
    assert endpoint.asked
    assert turn.termination == "model_failed"
    assert_gone("the database", await in_db(every_cell))
    assert_gone("the log", written_lines.getvalue())
    assert "was not expected" not in written_lines.getvalue()


class Broken(ListSearch):
    """A search with a defect that names what it was given."""

    async def search(self, *args: Any, **kwargs: Any) -> Any:
        raise KeyError(f"{ALL} among {args}")


async def test_a_defect_of_a_node_is_logged_without_any(written_lines: io.StringIO) -> None:
    turn = await _ended(ports(ScriptedModel(), Broken([])))
    assert turn.termination == "interrupted"
    assert "KeyError" in written_lines.getvalue()
    assert "[national_id]" in written_lines.getvalue()
    assert_gone("the log", written_lines.getvalue())
    assert_gone("the database", await in_db(every_cell))


async def test_a_defect_in_mid_stream_is_logged_without_any(
    written_lines: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Breaking(ScriptedModel):
        async def classify_topic(self, question: str) -> Any:
            raise RuntimeError(f"{question} with {ALL}")

    await _ended(ports(Breaking()))
    assert_gone("the log", written_lines.getvalue())
    stored = await in_db(every_cell)
    assert_gone("the database", stored)
    assert CANARIES["name"] not in stored


async def _ended(given: Any) -> Turn:
    turn = await pausing.rested(await pausing.begun(pausing.made(given), QUESTION))
    assert turn.status == Turn.Status.FINISHED
    return turn
