"""Files of a question on its panel, and what the page tells its script about their limits."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from chat.contracts.commands import MAX_FILE, MAX_FILES, MAX_QUESTION
from chat.models import Attachment, Turn
from chat.turn_words import size_of
from tests import factories
from tests.chat_pages import answer, ended, shown, text_of, told, visitor_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def visitor(client: Client) -> UUID:
    return visitor_of(client)


def attach(turn: Turn, *names: str, size: int = 240_000) -> None:
    for ordinal, name in enumerate(names):
        Attachment.objects.create(
            message=turn.question,
            ordinal=ordinal,
            kind=Attachment.Kind.DOCUMENT,
            name=name,
            media_type="application/pdf",
            size=size,
            sha256="-",
            text="Not for the panel.",
        )


def test_a_question_shows_the_files_that_came_with_it(client: Client, visitor: UUID) -> None:
    talk = factories.conversation(visitor=visitor)
    turn = told(talk, answer(), ended(), question="What was I charged?")
    attach(turn, "b <invoice>.pdf", "a.pdf")
    for path in (f"/chat/{talk.pk}/", f"/chat/{talk.pk}/turns/{turn.pk}/"):
        page = text_of(shown(client, path))
        assert "What was I charged? b &lt;invoice&gt;.pdf 234 KB a.pdf 234 KB" in page
        assert "Not for the panel" not in page


def test_a_question_without_files_shows_no_list_of_them(client: Client, visitor: UUID) -> None:
    talk = factories.conversation(visitor=visitor)
    turn = told(talk, answer(), ended())
    html = shown(client, f"/chat/{talk.pk}/turns/{turn.pk}/")
    assert '<ul class="files" aria-label="Files" hidden></ul>' in html
    assert "data-remove" not in html


def test_files_of_many_questions_are_read_at_once(
    client: Client, visitor: UUID, django_assert_max_num_queries: Any
) -> None:
    talk = factories.conversation(visitor=visitor)
    for number in range(4):
        attach(told(talk, answer(), ended(), question=f"Q{number}?"), f"{number}.pdf")
    with django_assert_max_num_queries(8):
        html = shown(client, f"/chat/{talk.pk}/")
    assert html.count('class="file"') == 4 + 1, "and the mould"


def test_the_script_is_told_the_limits_that_the_server_keeps(client: Client) -> None:
    html = shown(client, "/chat/")
    assert f'data-limit="{MAX_QUESTION}"' in html
    assert f'data-files="{MAX_FILES}" data-file-bytes="{MAX_FILE}"' in html


def test_a_file_can_be_added_by_a_button_with_a_name(client: Client) -> None:
    html = shown(client, "/chat/")
    assert 'aria-label="Add a file"' in html
    assert 'type="file"' in html


@pytest.mark.parametrize(
    ("count", "words"),
    [(0, "0 B"), (640, "640 B"), (12_300, "12 KB"), (1_500_000, "1.4 MB")],
)
def test_sizes_are_said_as_the_script_says_them(count: int, words: str) -> None:
    assert size_of(count) == words
