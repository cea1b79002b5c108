"""`manage.py ask` where the turn waits: a line from the terminal, or nobody to ask."""

from __future__ import annotations

import builtins
import io
import sys
from dataclasses import replace

import pytest
from django.core.management import call_command

from chat import wiring
from chat.contracts.tasks import Draft, ToolCall
from chat.models import Pause, Turn
from tests.doubles.tools import TICKET, Tools
from tests.pausing import UNCLEAR, VERSIONS, asks_back

pytestmark = pytest.mark.django_db(transaction=True)

CALL = ToolCall(id="c1", tool=TICKET.name, arguments={"subject": "Refund"})


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def asking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wiring, "ports", asks_back)
    monkeypatch.setattr(wiring, "versions", lambda: VERSIONS)
    monkeypatch.setattr(wiring, "warm_up", lambda: None)  # of parts that these turns do not ask


def _typing(monkeypatch: pytest.MonkeyPatch, *lines: str) -> list[str]:
    """A person at the terminal; gives what they were shown."""
    left = iter(lines)
    shown: list[str] = []

    def typed(words: str) -> str:
        shown.append(words)
        if (line := next(left, None)) is None:
            raise EOFError
        return line

    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(builtins, "input", typed)
    return shown


def _asked(question: str = UNCLEAR) -> str:
    out = io.StringIO()
    call_command("ask", question, stdout=out)
    return out.getvalue()


def test_a_line_from_the_terminal_answers_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = _typing(monkeypatch, "  Refunds ")
    told = _asked()
    assert shown == ["What is it about?\n  - Refunds\n  - Backups\n> "]
    assert "You answered “Refunds”" in told
    assert "answered: 1 passes" in told
    assert Turn.objects.get().termination == "answered"


@pytest.mark.parametrize("lines", [(), ("",)], ids=["the input ends", "an empty line"])
def test_silence_at_the_terminal_is_no_reply(
    monkeypatch: pytest.MonkeyPatch, lines: tuple[str, ...]
) -> None:
    _typing(monkeypatch, *lines)
    assert "clarification_expired" in _asked()


def test_where_nobody_sits_nobody_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("Refunds\n"))
    assert "clarification_expired" in _asked()
    assert Pause.objects.get().status == "expired"


@pytest.fixture
def tools(monkeypatch: pytest.MonkeyPatch) -> Tools:
    made = Tools()
    given = replace(asks_back(answers=(Draft(text="", calls=(CALL,)), "It is open.")), tools=made)
    monkeypatch.setattr(wiring, "ports", lambda: given)
    monkeypatch.setattr(wiring, "equip", lambda ports, _turn: ports)
    return made


@pytest.mark.parametrize(("line", "count"), [("y", 1), ("Yes", 1), ("n", 0), ("maybe", 0)])
def test_only_a_yes_at_the_terminal_is_a_yes(
    monkeypatch: pytest.MonkeyPatch, tools: Tools, line: str, count: int
) -> None:
    shown = _typing(monkeypatch, line)
    _asked("Please open a ticket about my refund")
    assert shown == [f"{tools.summary(CALL)} [y/n] "]
    assert len(tools.ran) == count
