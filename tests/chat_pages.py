"""What the tests of the chat's pages share: rows of a handbook and of turns, and reading a page."""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID

from django.test import Client

from chat.contracts.events import Answer, Body, Tokens, TurnFinished, TurnStarted
from chat.contracts.passages import Citation
from chat.contracts.verdicts import Supports, Termination
from chat.identity import VISITOR_KEY
from chat.models import Chunk, Document, DocumentVersion, Message, Turn
from tests import factories
from tests.factories import QUESTION

PASSAGE = "A refund takes five to ten business days to arrive on the card. It is free."


def visitor_of(client: Client) -> UUID:
    """The key of the visitor that `client` is, after a first look at the page."""
    client.get("/chat/")
    return UUID(client.session[VISITOR_KEY])


def version(number: int, text: str, *, current: bool = True) -> DocumentVersion:
    """A version of the handbook's page on refunds, with one section."""
    document, _ = Document.objects.get_or_create(slug="refunds", defaults={"title": "Refunds"})
    document.versions.update(is_current=False)
    made = DocumentVersion.objects.create(
        document=document, number=number, content_hash="-", embedding_model="-", is_current=current
    )
    Chunk.objects.create(
        version=made,
        key="refunds#refund-timing",
        ordinal=0,
        heading="Refund timing",
        text=text,
        embedding=[0.0] * 384,
    )
    return made


def citation(marker: int = 1, supports: Supports = Supports.YES, number: int = 1) -> Citation:
    return Citation(
        marker=marker,
        chunk="refunds#refund-timing",
        document="refunds",
        version=number,
        title="Refunds",
        passage=PASSAGE,
        supports=supports,
    )


def answer(text: str = "It takes five to ten business days [1].", **fields: Any) -> Answer:
    return Answer(text=text, **({"citations": (citation(),)} | fields))


def ended(termination: Termination = Termination.ANSWERED) -> TurnFinished:
    return TurnFinished(
        termination=termination, ms=1200.0, passes=1, model_calls=4, tokens=Tokens(), cost=0.0
    )


def told(talk: Any, *bodies: Body, question: str = QUESTION, status: str = "finished") -> Turn:
    """A turn of a conversation with its events, and its answer as the conversation's leaf."""
    turn = factories.turn(talk, question, status=status)
    start = TurnStarted(question=question, message=turn.question_id, kind="ask")
    factories.store(factories.events([start, *bodies], turn=turn.pk))
    said = [body for body in bodies if isinstance(body, Answer)]
    if said:
        reply(turn, said[-1].text)
    return turn


def reply(turn: Turn, text: str) -> Message:
    message = Message.objects.create(
        conversation=turn.conversation,
        parent=turn.question,
        author=Message.Author.AGENT,
        text=text,
        turn=turn,
    )
    turn.conversation.selected_leaf = message
    turn.conversation.save()
    return message


def shown(client: Client, path: str, status: int = 200, *, fetched: bool = False) -> str:
    response = client.get(path, headers={"HX-Request": "true"} if fetched else None)
    assert response.status_code == status
    return response.content.decode()


def text_of(html: str) -> str:
    """What a person reads, on one line."""
    html = re.sub(r"<(script|template)\b.*?</\1>", "", html, flags=re.S)
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def page_of(client: Client, visitor: UUID, *bodies: Body, status: str = "finished") -> str:
    turn = told(factories.conversation(visitor=visitor), *bodies, status=status)
    return shown(client, f"/chat/{turn.conversation_id}/turns/{turn.pk}/")
