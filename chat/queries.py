"""The reads behind the pages: a person's conversations, a transcript, a turn, a document.

Few queries each, typed rows out, nothing written. Ownership is part of the query: what is
not the person's is not found.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from chat.contracts.events import USER_TYPES, Event, event_from
from chat.contracts.turn_view import TurnView, fold
from chat.identity import Person
from chat.models import Attachment, Chunk, Conversation, DocumentVersion, Message, Turn, TurnEvent

SERVED_COLLECTION = "handbook"
RAIL_LENGTH = 60


@dataclass(frozen=True, slots=True)
class ConversationLine:
    """A conversation as the list shows it."""

    id: UUID
    title: str
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Spot:
    """A message among its siblings: its place, counted from 1, and those beside it.

    An answer that left no message stands after those that did; its `message` is None.
    """

    message: UUID | None = None
    place: int = 1
    count: int = 1
    before: UUID | None = None
    after: UUID | None = None


@dataclass(frozen=True, slots=True)
class VoteRow:
    """What the person said of an answer."""

    vote: str
    reason: str
    note: str


@dataclass(frozen=True, slots=True)
class FileRow:
    """What came with a question: its name, what it is, and its size in bytes."""

    name: str
    kind: str
    size: int


@dataclass(frozen=True, slots=True)
class TurnRow:
    """One turn of a transcript: its question as stored, and what its events add up to.

    `asked` and `said` are where its question and its answer stand among their siblings; after
    `erased_at` nothing is left of either but their places.
    """

    id: UUID
    conversation: UUID
    question: str
    status: str
    started_at: datetime
    view: TurnView
    asked: Spot = Spot()
    said: Spot = Spot()
    vote: VoteRow | None = None
    files: tuple[FileRow, ...] = ()
    erased_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class SectionName:
    """Where a chunk stands: its own heading and its document's title."""

    heading: str
    document: str


@dataclass(frozen=True, slots=True)
class Section:
    """One chunk of a document page; `key` is the chunk's stable name."""

    key: str
    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class DocumentPage:
    """One version of a document, whole; `current` is the number that is served today."""

    slug: str
    title: str
    number: int
    current: int | None
    ingested_at: datetime
    sections: tuple[Section, ...]


SectionKey = tuple[str, int, str]  # document slug, version number, chunk key


def conversations(
    person: Person, *, search: str = "", limit: int = RAIL_LENGTH
) -> list[ConversationLine]:
    """The person's conversations, newest first; `search` looks at titles and messages."""
    rows = Conversation.objects.filter(person.owns(), is_lab=False)
    if search:
        said = Message.objects.filter(text__icontains=search).values("conversation")
        rows = rows.filter(Q(title__icontains=search) | Q(pk__in=said))
    found = rows.order_by("-updated_at").values_list("id", "title", "updated_at")[:limit]
    return [ConversationLine(*row) for row in found]


def conversation_of(person: Person, conversation: UUID) -> Conversation | None:
    """The conversation if it is the person's own."""
    return Conversation.objects.filter(person.owns(), pk=conversation, is_lab=False).first()


def transcript(conversation: Conversation) -> list[TurnRow]:
    """The turns along the selected branch, oldest first. Four queries at any length."""
    messages = list(conversation.messages.order_by("created_at"))
    turns = conversation.turns.exclude(kind__in=("rerun", "lab")).select_related("feedback")
    path = _branch(messages, conversation.selected_leaf_id)
    return _rows(_turns_along(path, list(turns.order_by("started_at"))), messages)


def turn_of(person: Person, conversation: UUID, turn: UUID) -> TurnRow | None:
    """One turn with its view, if its conversation is the person's own."""
    found = (
        Turn.objects.select_related("question", "feedback")
        .filter(pk=turn, conversation_id=conversation, conversation__is_lab=False)
        .filter(conversation__in=Conversation.objects.filter(person.owns()))
        .first()
    )
    if found is None:
        return None
    asked = found.question
    family = Q(parent=asked.parent_id) | Q(parent=asked.pk)
    beside = Message.objects.filter(family, conversation=conversation).order_by("created_at")
    return _rows([found], list(beside))[0]


def section_names(keys: Iterable[SectionKey]) -> dict[SectionKey, SectionName]:
    """Headings and document titles of cited chunks; a chunk that is gone has no entry."""
    wanted = set(keys)
    if not wanted:
        return {}
    rows = Chunk.objects.filter(
        key__in={key for _, _, key in wanted},
        version__document__slug__in={slug for slug, _, _ in wanted},
        collection=SERVED_COLLECTION,
    ).values_list(
        "version__document__slug", "version__number", "key", "heading", "version__document__title"
    )
    return {
        (slug, number, key): SectionName(heading, title)
        for slug, number, key, heading, title in rows
        if (slug, number, key) in wanted
    }


def document_at(slug: str, number: int) -> DocumentPage | None:
    """A version of a served document; old versions stay readable for old citations."""
    version = (
        DocumentVersion.objects.select_related("document")
        .filter(document__slug=slug, document__collection=SERVED_COLLECTION, number=number)
        .first()
    )
    if version is None:
        return None
    current = version.document.versions.filter(is_current=True).values_list("number", flat=True)
    sections = version.chunks.order_by("ordinal").values_list("key", "heading", "text")
    return DocumentPage(
        slug=slug,
        title=version.document.title,
        number=number,
        current=current.first(),
        ingested_at=version.ingested_at,
        sections=tuple(Section(*row) for row in sections),
    )


def _branch(messages: Sequence[Message], leaf: UUID | None) -> list[Message]:
    """From the first message down to the leaf; without a leaf, to the newest message."""
    by_id = {message.pk: message for message in messages}
    at = by_id.get(leaf) if leaf else (messages[-1] if messages else None)
    path: list[Message] = []
    while at is not None and at not in path:
        path.append(at)
        at = by_id.get(at.parent_id)
    return path[::-1]


def _turns_along(path: Sequence[Message], turns: Sequence[Turn]) -> list[Turn]:
    """Each question's turn: the one whose answer is on the path, else the newest one."""
    answered = {message.turn_id for message in path if message.author != Message.Author.PERSON}
    of_question: dict[UUID, Turn] = {}
    for turn in turns:
        known = of_question.get(turn.question_id)
        if known is None or known.pk not in answered:
            of_question[turn.question_id] = turn
    return [of_question[message.pk] for message in path if message.pk in of_question]


def _views(turns: Sequence[UUID]) -> dict[UUID, TurnView]:
    rows = TurnEvent.objects.filter(turn__in=turns, type__in=USER_TYPES).order_by("turn", "seq")
    events: dict[UUID, list[Event]] = defaultdict(list)
    for turn, seq, at, type_, data in rows.values_list("turn", "seq", "at", "type", "data"):
        events[turn].append(event_from(turn, seq, at, type_, data))
    return {turn: fold(found) for turn, found in events.items()}


def _rows(turns: Sequence[Turn], messages: Sequence[Message]) -> list[TurnRow]:
    """`messages` are at least the turns' questions and answers and the siblings of both."""
    views = _views([turn.pk for turn in turns])
    by_id = {message.pk: message for message in messages}
    answer_of = {message.turn_id: message.pk for message in messages if message.turn_id}
    family, files = _families(messages), _files([turn.question_id for turn in turns])
    return [
        TurnRow(
            id=turn.pk,
            conversation=turn.conversation_id,
            question=(asked := by_id[turn.question_id]).text,
            status=turn.status,
            started_at=turn.started_at,
            view=views.get(turn.pk, TurnView()),
            asked=_spot(asked.pk, family[asked.parent_id, True]),
            said=_spot(answer_of.get(turn.pk), family[asked.pk, False]),
            vote=_vote(turn),
            files=tuple(files[asked.pk]),
            erased_at=turn.erased_at,
        )
        for turn in turns
    ]


def _files(messages: Sequence[UUID]) -> Mapping[UUID, list[FileRow]]:
    """What came with these messages, in its order; neither text nor picture is read."""
    rows = Attachment.objects.filter(message__in=messages).order_by("message", "ordinal")
    found: dict[UUID, list[FileRow]] = defaultdict(list)
    for message, name, kind, size in rows.values_list("message", "name", "kind", "size"):
        found[message].append(FileRow(name, kind, size))
    return found


def _families(messages: Iterable[Message]) -> Mapping[tuple[UUID | None, bool], list[UUID]]:
    """Siblings in the order of their making, by their parent and whether a person said them."""
    found: dict[tuple[UUID | None, bool], list[UUID]] = defaultdict(list)
    for message in messages:
        found[message.parent_id, message.author == Message.Author.PERSON].append(message.pk)
    return found


def _spot(message: UUID | None, siblings: Sequence[UUID]) -> Spot:
    at = siblings.index(message) if message in siblings else len(siblings)
    return Spot(
        message=message,
        place=at + 1,
        count=max(len(siblings), at + 1),
        before=siblings[at - 1] if at else None,
        after=siblings[at + 1] if at + 1 < len(siblings) else None,
    )


def _vote(turn: Turn) -> VoteRow | None:
    given = getattr(turn, "feedback", None)
    return VoteRow(given.vote, given.reason, given.note) if given else None
