"""What came with a question, as rows: files and pastes are kept, and handed to the turn.

Rows hang on the question's message and are written in its transaction. A turn searches the
documents of its own question and of the questions before it on its branch.
"""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.db.models.functions import Length

from chat.contracts import tasks
from chat.contracts.commands import LONGEST_TYPED
from chat.contracts.errors import TooLarge
from chat.contracts.ports import Ports
from chat.files import File, digest
from chat.guardrails.screening.crisis import crisis
from chat.guardrails.screening.files import TEXT
from chat.guardrails.screening.paste import pasted
from chat.models import Attachment, Message
from chat.retrieval.attached import AttachedSearch
from chat.retrieval.attached_text import AttachedDocument
from chat.retrieval.vectors import Embedder

REMEMBERED = 5  # earlier questions whose documents are searched too, as far as history goes
PASTE_NAME = "Pasted document"


@dataclass(frozen=True, slots=True)
class Attached:
    """What a turn has beside its question: documents to search, pictures to look at."""

    documents: tuple[AttachedDocument, ...] = ()
    images: tuple[tasks.Image, ...] = ()


def paste_in(text: str) -> tuple[File, ...]:
    """The document that was pasted into a question, which is redacted already; else nothing.

    Raises `TooLarge` for a long text that is no document.
    """
    paste = pasted(text)
    if paste is None:
        if len(text) > LONGEST_TYPED and not crisis(text):  # a person in danger is answered
            raise TooLarge
        return ()
    raw = paste.body.encode()
    return (File("paste", PASTE_NAME, TEXT, len(raw), digest(raw), text=paste.body),)


def redactions(counts: Mapping[str, int], files: Sequence[File]) -> dict[str, int]:
    """What redaction took out of a question, by `counts`, and of the files that came with it."""
    whole = Counter(counts)
    for file in files:
        whole.update(file.redactions)
    return dict(whole)


# ---- database work


def keep(message: Message, files: Sequence[File]) -> None:
    """Write what came with a question, in its transaction."""
    Attachment.objects.bulk_create(
        Attachment(
            message=message,
            ordinal=ordinal,
            kind=file.kind,
            name=file.name,
            media_type=file.media_type,
            size=file.size,
            sha256=file.sha256,
            text=file.text,
            data=file.data,
        )
        for ordinal, file in enumerate(files)
    )


def copied(message: Message) -> tuple[File, ...]:
    """The files of a question, for another in its place. A paste is part of the text instead."""
    return tuple(
        File(
            kind=row.kind,
            name=row.name,
            media_type=row.media_type,
            size=row.size,
            sha256=row.sha256,
            text=row.text,
            data=None if row.data is None else bytes(row.data),
        )
        for row in message.attachments.exclude(kind="paste").order_by("ordinal")
    )


def notes(message: Message) -> tuple[tasks.Attachment, ...]:
    """What came with a question, without its text, in the order in which it came."""
    rows = message.attachments.order_by("ordinal").values_list("name", "kind", Length("text"))
    return tuple(tasks.Attachment(name=n, kind=k, characters=c) for n, k, c in rows)


def texts(message: Message) -> tuple[str, ...]:
    """What the documents that came with a question say, and how they are called."""
    rows = message.attachments.order_by("ordinal").values_list("name", "text")
    return tuple(f"{name}\n{text}" for name, text in rows)


def for_turn(message: Message) -> Attached:
    """What a turn on this question may search and look at, oldest first.

    Pictures are those of the question itself: they cost with every call that sees them.
    """
    rows = Attachment.objects.filter(message__conversation_id=message.conversation_id)
    if not rows.exists():  # the usual turn asks no more than this
        return Attached()
    branch = _branch(message)
    found = list(rows.filter(message_id__in=branch).order_by("created_at", "ordinal"))
    own = [row for row in found if row.message_id == message.pk]
    return Attached(
        documents=tuple(_document(row, is_own=row in own) for row in found if row.text),
        images=tuple(_image(row) for row in own if row.data),
    )


def with_attachments(ports: Ports, message: Message, embedder: Embedder | None) -> Ports:
    """The ports of a turn on this question: what came with it is searched and seen too."""
    found = for_turn(message)
    if found.images:
        ports = replace(ports, images=found.images)
    if found.documents:
        only = any(each.kind == "paste" for each in found.documents if each.is_own)
        search = AttachedSearch(ports.search, found.documents, embedder, only=only)
        ports = replace(ports, search=search)
    return ports


def _branch(message: Message) -> list[UUID]:
    """The question and the ones before it on its branch."""
    said = message.conversation.messages.values_list("pk", "parent_id", "author")
    parents = {pk: (parent, author) for pk, parent, author in said}
    questions: list[UUID] = [message.pk]
    above = message.parent_id
    while above is not None and len(questions) <= REMEMBERED:
        parent, author = parents[above]
        if author == Message.Author.PERSON:
            questions.append(above)
        above = parent
    return questions


def _document(row: Attachment, *, is_own: bool) -> AttachedDocument:
    return AttachedDocument(
        id=str(row.pk),
        name=row.name,
        kind=row.kind,
        media_type=row.media_type,
        text=row.text,
        is_own=is_own,
    )


def _image(row: Attachment) -> tasks.Image:
    data = base64.b64encode(bytes(row.data)).decode()
    return tasks.Image(name=row.name, media_type=row.media_type, data=data)
