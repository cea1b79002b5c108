"""`manage.py ask`: one turn in the terminal, with its events as they come."""

from __future__ import annotations

import asyncio
import json
import sys
from argparse import ArgumentParser
from typing import Any
from uuid import UUID, uuid4

from django.core.management.base import BaseCommand, CommandError

from chat import pauses, turns, wiring
from chat.contracts.commands import MAX_QUESTION
from chat.contracts.errors import ChatError
from chat.contracts.events import (
    Action,
    Answer,
    Body,
    Clarification,
    Event,
    Stage,
    Token,
    TurnFinished,
)
from chat.db import in_db
from chat.event_log import follow
from chat.identity import Person
from chat.management.setting_up import set_up
from chat.runner import Runner

YES = ("y", "yes")
PLAIN = 100  # characters of one line of data


class Command(BaseCommand):
    help = "Asks one question and shows the turn's events as they come."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("question")
        parser.add_argument("--json", action="store_true", help="one event a line, as on the wire")

    def handle(self, *args: Any, **options: Any) -> None:
        question = options["question"].strip()
        if not question or len(question) > MAX_QUESTION:
            raise CommandError(f"a question has 1 to {MAX_QUESTION:,} characters")
        set_up(self.stderr.write, self.stderr)
        try:
            asyncio.run(self._ask(question, as_json=options["json"]))
        except ChatError as error:
            raise CommandError(error.public) from error
        except KeyboardInterrupt:
            raise CommandError("stopped") from None

    async def _ask(self, question: str, *, as_json: bool) -> None:
        runner, conversation = wiring.runner(), uuid4()
        person = Person(visitor=uuid4())
        await asyncio.to_thread(wiring.warm_up)
        try:
            begun = await in_db(turns.start, person, conversation, question, uuid4())
            runner.begin(begun)
            async for events in follow(begun.turn.pk, staff=True):
                for event in events:
                    self._show(event, as_json)
                    if isinstance(event.body, Clarification | Action):
                        await self._reply(runner, (person, conversation, event.turn), event.body)
        finally:
            await runner.close()

    async def _reply(
        self, runner: Runner, where: tuple[Person, UUID, UUID], asked: Clarification | Action
    ) -> None:
        """Ask whoever sits at the terminal; where nobody does, nobody answers."""
        line = await asyncio.to_thread(_typed, asked) if sys.stdin.isatty() else ""
        if not line:
            left = await in_db(pauses.give_up, where[2])
        elif isinstance(asked, Action):
            agreed = line.lower() in YES
            left = await in_db(pauses.confirm, *where, asked.action, agreed)
        else:
            left = await in_db(pauses.answer, *where, line)
        runner.resume(left)

    def _show(self, event: Event, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(event.wire(), ensure_ascii=False))
        elif isinstance(event.body, Token):
            sys.stdout.write(event.body.text)
            sys.stdout.flush()
        else:
            self.stdout.write(f"{event.seq:>4}  {event.body.TYPE:<14} {_told(event.body)}")


def _typed(asked: Clarification | Action) -> str:
    """The line that was typed; nothing at the end of the input."""
    if isinstance(asked, Action):
        words = f"{asked.summary} [y/n] "
    else:
        words = "\n".join([asked.question, *(f"  - {option}" for option in asked.options), "> "])
    try:
        return input(words).strip()
    except EOFError:
        return ""


def _told(body: Body) -> str:
    match body:
        case Stage():
            ms = "" if body.ms is None else f"  {body.ms:.0f} ms"
            return f"{body.phase} {body.node}: {body.label}{ms}"
        case Answer():
            sources = "".join(f"\n      [{c.marker}] {c.title}" for c in body.citations)
            return f"\n\n{body.text}\n{sources}\n"
        case TurnFinished():
            return (
                f"{body.termination}: {body.passes} passes, {body.model_calls} calls, "
                f"{body.ms:,.0f} ms, {body.tokens.total:,} tokens, ${body.cost:.4f}"
            )
    text = json.dumps(body.model_dump(mode="json", by_alias=True), ensure_ascii=False)
    return text if len(text) <= PLAIN else f"{text[:PLAIN]}…"
