"""The words that the site knows are English and those of the documents that are current."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection

from chat.known_words import known_words
from tests import stored

pytestmark = pytest.mark.django_db


def chunk(text: str, number: int) -> Any:
    made = stored.chunk(text=text, number=number)
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE chat_chunk SET tsv_exact = to_tsvector('plumbline_exact', text) WHERE id = %s",
            [made.pk],
        )
    return made


def test_words_of_the_documents_are_known_in_their_forms() -> None:
    chunk("A zorblax is cancelled by the flimmer.", 1)
    known = known_words()
    assert known.has("zorblax")
    assert known.knows("zorblaxes") and known.knows("flimmers")
    assert known.has("money") and not known.knows("mnoey")


def test_they_are_read_again_when_the_documents_changed() -> None:
    old = chunk("A zorblax is cancelled.", 1)
    assert known_words() is known_words()
    old.version.is_current = False
    old.version.save()
    old.is_current = False
    old.save()
    chunk("A grumbit is cancelled.", 2)
    known = known_words()
    assert known.knows("grumbit") and not known.knows("zorblax")
