"""What came with a question, as rows: kept with it, handed to its turn, and to those after it."""

from __future__ import annotations

import base64
from typing import Any
from uuid import UUID, uuid4

import pytest

from chat import branches, keeping, turns, uploads
from chat.contracts.errors import RedactionFailed, TooLarge, TurnRunning
from chat.contracts.tasks import Attachment as Note
from chat.files import File, digest
from chat.identity import Person
from chat.models import Attachment, Conversation, Message, Turn
from chat.retrieval.attached import AttachedSearch
from tests.documents import png
from tests.factories import ports

pytestmark = pytest.mark.django_db(transaction=True)

PERSON = Person(visitor=UUID("00000000-0000-4000-8000-00000000000b"))
LETTER = "\n".join(f"Field {number}: a value of some length to be read" for number in range(40))
PASTED = f"What does this letter want of me?\n\n{LETTER}"


def document(name: str = "plan.txt", text: str = "The notice is four weeks.") -> File:
    raw = text.encode()
    return File("document", name, "text/plain", len(raw), digest(raw), text=text)


def picture(name: str = "photo.png") -> File:
    return File("image", name, "image/png", len(png()), digest(png()), data=png())


def asked(
    text: str = "What is the notice?", *files: File, where: UUID | None = None
) -> turns.Begun:
    return turns.start(PERSON, where or uuid4(), text, uuid4(), files=files)


def answered(begun: turns.Begun) -> turns.Begun:
    """The turn as ended, with an answer on the branch."""
    answer = Message.objects.create(
        conversation=begun.turn.conversation,
        parent=begun.turn.question,
        author=Message.Author.AGENT,
        text="Four weeks.",
        turn=begun.turn,
    )
    talk = begun.turn.conversation
    talk.selected_leaf = answer
    talk.save()
    Turn.objects.filter(pk=begun.turn.pk).update(status=Turn.Status.FINISHED)
    return begun


def names(attached: uploads.Attached) -> list[str]:
    return [each.name for each in attached.documents]


def test_files_are_kept_with_their_question_in_their_order() -> None:
    begun = asked("What is it?", document(), picture(), document("b.txt", "Second."))
    rows = list(Attachment.objects.filter(message=begun.turn.question))
    assert [(row.ordinal, row.kind, row.name) for row in rows] == [
        (0, "document", "plan.txt"),
        (1, "image", "photo.png"),
        (2, "document", "b.txt"),
    ]
    assert rows[0].text == "The notice is four weeks."
    assert rows[0].data is None
    assert bytes(rows[1].data) == png()
    assert rows[1].size == len(png())


def test_the_turn_is_told_what_came_without_its_text() -> None:
    begun = asked("What is it?", document(), picture())
    assert begun.attachments == (
        Note(name="plan.txt", kind="document", characters=25),
        Note(name="photo.png", kind="image"),
    )
    assert turns.resumed(begun.turn).attachments == begun.attachments


def test_what_was_taken_out_of_files_and_text_is_counted_together() -> None:
    given = File("document", "a", "text/plain", 1, "", text="[email]", redactions={"email": 2})
    begun = asked("Is it a@example.org?", given)
    assert begun.redactions == {"email": 3}


def test_a_question_without_files_has_none() -> None:
    begun = asked()
    assert begun.attachments == ()
    assert uploads.for_turn(begun.turn.question) == uploads.Attached()
    given = ports()
    assert uploads.with_attachments(given, begun.turn.question, None) is given


def test_a_repeated_ask_keeps_nothing_twice() -> None:
    where, client_id = uuid4(), uuid4()
    for _ in range(2):
        turns.start(PERSON, where, "What is it?", client_id, files=[document()])
    assert Attachment.objects.count() == 1


def test_a_question_that_is_refused_keeps_no_file() -> None:
    where = uuid4()
    asked("First?", where=where)
    with pytest.raises(TurnRunning):
        asked("Second?", document(), where=where)
    assert Attachment.objects.count() == 0
    assert Message.objects.count() == 1


def test_a_file_that_cannot_be_written_takes_its_question_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(*_: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr(uploads, "keep", fails)
    with pytest.raises(RuntimeError):
        asked("What is it?", document())
    assert Conversation.objects.count() == Message.objects.count() == Turn.objects.count() == 0


# ---- pastes


def test_a_pasted_document_is_kept_beside_the_text_that_was_typed() -> None:
    begun = asked(PASTED)
    row = Attachment.objects.get()
    assert (row.kind, row.name, row.media_type) == ("paste", "Pasted document", "text/plain")
    assert row.text.startswith("Field 0:")
    assert begun.turn.question.text == PASTED
    assert begun.attachments[0].kind == "paste"


def test_a_paste_is_redacted_in_both_places() -> None:
    asked(PASTED + "\nField 40: write to canary.bird@cage-example.org please")
    assert "[email]" in Attachment.objects.get().text
    assert "canary" not in Attachment.objects.get().text + Message.objects.get().text


def test_a_long_text_that_is_no_document_is_too_large_and_is_not_kept() -> None:
    with pytest.raises(TooLarge, match="attach it as a text file"):
        asked("I am so sad about this. " * 200)
    assert Message.objects.count() == 0


def test_an_edit_is_held_to_the_same_length() -> None:
    first = answered(asked())
    with pytest.raises(TooLarge):
        branches.edit(
            PERSON, first.turn.conversation_id, first.turn.question_id, ("a " * 2_500, uuid4())
        )


def test_a_text_that_cannot_be_screened_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(text: str) -> None:
        raise ValueError(text)

    monkeypatch.setattr(keeping, "redact", fails)
    with pytest.raises(RedactionFailed):
        asked(PASTED)


# ---- siblings


def test_another_answer_has_the_same_files() -> None:
    first = answered(asked("What is it?", document(), picture()))
    again = branches.regenerate(PERSON, first.turn.conversation_id, first.turn.pk)
    assert again.attachments == first.attachments
    assert Attachment.objects.count() == 2


def test_an_edited_question_keeps_its_files_and_the_earlier_one_does_too() -> None:
    first = answered(asked("What is it?", document(), picture()))
    edited = _edit(first, "What is the notice?")
    assert edited.attachments == first.attachments
    found = uploads.for_turn(edited.turn.question)
    assert names(found) == ["plan.txt"]
    assert [image.name for image in found.images] == ["photo.png"]
    assert Attachment.objects.count() == 4


def test_an_edited_paste_is_read_anew() -> None:
    first = answered(asked(PASTED))
    assert _edit(first, "What is a notice?").attachments == ()
    again = _edit(first, PASTED + "\nField 40: one more of these values")
    assert [note.kind for note in again.attachments] == ["paste"]


def _edit(begun: turns.Begun, text: str) -> turns.Begun:
    talk, question = begun.turn.conversation_id, begun.turn.question_id
    return answered(branches.edit(PERSON, talk, question, (text, uuid4())))


# ---- for a turn


def test_a_turn_searches_the_documents_and_sees_the_pictures() -> None:
    begun = asked("What is it?", document(), picture())
    given = uploads.with_attachments(ports(), begun.turn.question, None)
    assert isinstance(given.search, AttachedSearch)
    (image,) = given.images
    assert (image.name, image.media_type) == ("photo.png", "image/png")
    assert base64.b64decode(image.data) == png()


def test_a_picture_alone_leaves_the_search_as_it_is() -> None:
    begun, given = asked("What is it?", picture()), ports()
    made = uploads.with_attachments(given, begun.turn.question, None)
    assert made.search is given.search
    assert len(made.images) == 1


@pytest.mark.parametrize(("text", "only"), [(PASTED, True), ("Is a refund a refund?", False)])
def test_a_paste_is_what_the_turn_is_about(text: str, only: bool) -> None:
    begun = asked(text, document())
    given = uploads.with_attachments(ports(), begun.turn.question, None)
    assert isinstance(given.search, AttachedSearch)
    assert given.search._only is only


def test_a_follow_up_searches_the_documents_before_it_as_well() -> None:
    first = answered(asked("What is it?", document(), picture()))
    second = asked("And the fee?", document("b.txt", "Nine."), where=first.turn.conversation_id)
    found = uploads.for_turn(second.turn.question)
    assert [(each.name, each.is_own) for each in found.documents] == [
        ("plan.txt", False),
        ("b.txt", True),
    ]
    assert found.images == ()


def test_an_earlier_paste_does_not_make_the_next_turn_one_about_it() -> None:
    first = answered(asked(PASTED))
    second = asked("And how long is a refund?", where=first.turn.conversation_id)
    assert second.attachments == ()
    given = uploads.with_attachments(ports(), second.turn.question, None)
    assert isinstance(given.search, AttachedSearch)
    assert given.search._only is False


def test_another_branch_s_documents_are_not_searched() -> None:
    first = answered(asked("What is it?"))
    talk = first.turn.conversation_id
    answered(asked("And this?", document(), where=talk))
    third = branches.edit(PERSON, talk, first.turn.question_id, ("Something else?", uuid4()))
    assert uploads.for_turn(third.turn.question) == uploads.Attached()


def test_another_conversation_s_documents_are_not_searched() -> None:
    answered(asked("What is it?", document()))
    assert uploads.for_turn(asked("What is it?").turn.question) == uploads.Attached()


def test_a_document_is_forgotten_after_five_more_questions() -> None:
    talk = uuid4()
    answered(asked("What is it?", document(), where=talk))
    counts = []
    for number in range(uploads.REMEMBERED + 1):
        later = answered(asked(f"Question {number}?", where=talk))
        counts.append(len(uploads.for_turn(later.turn.question).documents))
    assert counts == [1] * uploads.REMEMBERED + [0]


@pytest.mark.parametrize("count", [0, 1, 3])
def test_the_usual_turn_costs_one_query(count: int, django_assert_num_queries: Any) -> None:
    begun = asked("What is it?", *[document()] * count)
    with django_assert_num_queries(1 if count == 0 else 3):
        uploads.for_turn(begun.turn.question)
