"""The chat socket: decodes a command, hands it over, and encodes events. It runs no turn.

A command that cannot be carried out is answered by `refused` with a code, and the socket
lives on.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone

from chat import branches, counters, files, limits, pauses, seats, turns, wiring
from chat.addresses import address_key, address_of
from chat.contracts.commands import (
    Ask,
    Command,
    Confirm,
    Edit,
    Feedback,
    Ping,
    Regenerate,
    Reply,
    Resume,
    Select,
    Stop,
    parse,
)
from chat.contracts.errors import (
    BadFrame,
    ChatError,
    NoSuchTurn,
    NotYours,
    TooManySockets,
    Unavailable,
)
from chat.contracts.events import PROTOCOL_VERSION
from chat.db import in_db
from chat.event_log import follow
from chat.identity import Person, person_of
from chat.limits import Bucket
from chat.models import Conversation, Message, Turn

log = logging.getLogger(__name__)

encoded = json.JSONEncoder(ensure_ascii=False).encode


class ChatConsumer(AsyncWebsocketConsumer):
    """One socket of one person, on one conversation."""

    person: Person
    conversation: UUID
    bucket: Bucket
    keys: tuple[str, str]  # under which the person and the address are counted
    seat: seats.Seat | None = None

    # ---- the socket

    async def __call__(self, *asgi: Any) -> None:
        """The socket's life. Its seat is given back however it ends, also where it is cut off."""
        try:
            await super().__call__(*asgi)
        finally:
            if self.seat is not None:
                await self.seat.give_back()

    async def connect(self) -> None:
        self.conversation = self.scope["url_route"]["kwargs"]["conversation"]
        self.bucket = Bucket(time.monotonic)
        self.tails: dict[UUID, asyncio.Task[None]] = {}
        self.person = await in_db(person_of, self.scope["user"], self.scope["session"])
        await self.accept()
        try:
            self.keys = (limits.person_key(self.person), self._address())
            self.seat = await seats.seats().take(seats.wanted_of(*self.keys))
            running = await in_db(self._look)
        except TooManySockets as error:
            await self._refuse(error)
            await self.close(code=seats.FULL)
            return
        except ChatError as error:
            await self._refuse(error)
            return
        wiring.runner().keep()
        await self.channel_layer.group_add(self._group, self.channel_name)
        await self._send({"type": "hello", **_hello(self.conversation, running)})

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.seat is None:  # it is being closed
            return
        try:
            self.bucket.take()
            if bytes_data is not None:
                raise BadFrame
            await self._handle(parse(text_data))
        except ChatError as error:
            await self._refuse(error)
        except DatabaseError as error:
            log.warning("a command waits for the database: %s", type(error).__name__)
            await self._refuse(Unavailable())

    async def disconnect(self, code: int) -> None:
        for tail in self.tails.values():
            tail.cancel()
        await self.channel_layer.group_discard(self._group, self.channel_name)

    # ---- commands

    async def _handle(self, command: Command) -> None:
        match command:
            case Ping():
                await self._send({"type": "pong"})
            case Ask() | Regenerate() | Edit():
                await self._begin(command)
            case Reply() | Confirm():
                await self._go_on(command)
            case _:
                await self._change(command)

    async def _begin(self, command: Ask | Regenerate | Edit) -> None:
        """Start the turn that a command asks for, and follow it."""
        await self._count(command)
        begun = await in_db(self._stored, command, await self._received(command))
        if begun.is_new:
            wiring.runner().begin(begun)
            await self._tell_others({"type": "turn.began", "turn": str(begun.turn.pk)})
            await self._tell_all()
        self._tail(begun.turn.pk, 0)

    async def _count(self, command: Ask | Regenerate | Edit | Reply) -> None:
        """What costs a model counts for its person and its address, once however often it comes."""
        if limits.counts(command) and not await in_db(self._came_before, command):
            await limits.asks().take(limits.limits_of(*self.keys))

    async def _received(self, command: Ask | Regenerate | Edit) -> tuple[files.File, ...]:
        """The files that came with a question. A stranger's are not even opened."""
        if not isinstance(command, Ask) or not command.attachments:
            return ()
        await in_db(self._look)
        return await files.received(command.attachments)

    async def _go_on(self, command: Reply | Confirm) -> None:
        """Take the person's word for a turn that waits for it. Their pages follow it already."""
        if isinstance(command, Reply):
            await self._count(command)
        left = await in_db(self._answered, command)
        wiring.runner().resume(left)
        tail = self.tails.get(command.turn)
        if tail is None or tail.done():
            self._tail(command.turn, left.events[-1].seq)

    async def _change(self, command: Stop | Resume | Select | Feedback) -> None:
        match command:
            case Stop():
                await self._stop(command.turn)
            case Resume():
                if not await in_db(self._has_turn, command.turn):
                    raise NoSuchTurn
                self._tail(command.turn, command.after)
            case Select():
                await in_db(branches.select, self.person, self.conversation, command.message)
                await self._tell_all()
            case Feedback():
                vote = branches.Vote(command.vote, command.reason, command.note)
                await in_db(
                    branches.give_feedback, self.person, self.conversation, command.turn, vote
                )

    async def _stop(self, turn: UUID) -> None:
        stop = turns.request_stop
        last = await in_db(stop, self.person, self.conversation, turn, wiring.versions)
        if last is not None:
            wiring.runner().ended(last)
        wiring.runner().stop(turn)

    async def _tell_others(self, news: dict[str, str]) -> None:
        """The person's other pages follow the turn too."""
        news = {**news, "by": self.channel_name}
        await self.channel_layer.group_send(self._group, news)

    async def _tell_all(self) -> None:
        """The conversation's title or its selected leaf changed."""
        await self.channel_layer.group_send(self._group, {"type": "conversation.changed"})

    # ---- what the channel layer brings

    async def turn_began(self, news: dict[str, str]) -> None:
        if news["by"] != self.channel_name:
            self._tail(UUID(news["turn"]), 0)

    async def conversation_changed(self, news: dict[str, str]) -> None:
        found = await in_db(turns.owned, self.person, self.conversation)
        if found is not None:
            await self._send({"type": "conversation", **_conversation(found)})

    # ---- out

    def _tail(self, turn: UUID, after: int) -> None:
        """Send the turn's events from here on. A second tail replaces the first."""
        if earlier := self.tails.pop(turn, None):
            earlier.cancel()
        self.tails[turn] = asyncio.create_task(self._forward(turn, after))

    async def _forward(self, turn: UUID, after: int) -> None:
        try:
            async for events in follow(turn, after, staff=False):
                for event in events:
                    await self.send(text_data=encoded(event.wire()))
        except DatabaseError as error:
            log.warning("a reader lost the database: %s", type(error).__name__)
            await self._refuse(Unavailable())

    async def _refuse(self, error: ChatError) -> None:
        counters.REFUSED.labels(error.code).inc()
        frame: dict[str, Any] = {"type": "refused", "code": error.code, "message": error.public}
        if error.retry_after is not None:
            frame["retry_after"] = error.retry_after
        await self._send(frame)

    async def _send(self, frame: dict[str, Any]) -> None:
        await self.send(text_data=encoded({"v": PROTOCOL_VERSION, **frame}))

    # ---- the database, off the loop

    @property
    def _group(self) -> str:
        return f"conversation.{self.conversation.hex}"

    def _address(self) -> str:
        return address_key(address_of(self.scope, settings.PLUMBLINE.trusted_proxies))

    def _look(self) -> Turn | None:
        """The running turn, if there is one. Raises `NotYours` for another's conversation."""
        if not self.person.is_known:
            raise NotYours
        if turns.owned(self.person, self.conversation) is None:
            return None
        open_turns = Turn.objects.exclude(status=Turn.Status.FINISHED)
        return open_turns.filter(conversation_id=self.conversation).first()

    def _came_before(self, command: Ask | Regenerate | Edit | Reply) -> bool:
        """Is this a repeat? Raises `OverBudget` if it is none and the person's day is used up."""
        mine = Conversation.objects.filter(self.person.owns(), pk=self.conversation)
        if isinstance(command, Ask | Edit):
            known = Message.objects.filter(conversation__in=mine, client_id=command.client_id)
            if known.exists():
                return True
        limits.check_budget(self.person, timezone.now())
        return False

    def _stored(self, command: Ask | Regenerate | Edit, came: Sequence[files.File]) -> turns.Begun:
        where = (self.person, self.conversation)
        match command:
            case Ask():
                asked = (command.text, command.client_id)
                return turns.start(*where, *asked, wiring.versions, came)
            case Regenerate():
                return branches.regenerate(*where, command.turn, wiring.versions)
            case Edit():
                ask = (command.text, command.client_id)
                return branches.edit(*where, command.message, ask, wiring.versions)

    def _answered(self, command: Reply | Confirm) -> pauses.Resumption:
        where = (self.person, self.conversation, command.turn)
        match command:
            case Reply():
                return pauses.answer(*where, command.text)
            case Confirm():
                return pauses.confirm(*where, command.action, command.approved)

    def _has_turn(self, turn: UUID) -> bool:
        mine = Conversation.objects.filter(self.person.owns(), pk=self.conversation)
        return Turn.objects.filter(pk=turn, conversation__in=mine).exists()


def _hello(conversation: UUID, running: Turn | None) -> dict[str, Any]:
    return {
        "conversation": str(conversation),
        "running": {"turn": str(running.pk)} if running else None,
        "server": wiring.VERSION,
    }


def _conversation(found: Conversation) -> dict[str, Any]:
    return {
        "conversation": str(found.pk),
        "title": found.title,
        "owner": "user" if found.user_id else "visitor",
        "selected_leaf": str(found.selected_leaf_id) if found.selected_leaf_id else None,
    }
