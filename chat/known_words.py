"""The words that the site knows: common English, and those of its own documents.

For whoever has to tell a typing error from a word. Read again when the documents changed.
"""

from __future__ import annotations

import threading

from django.db import connection

from chat.adapters.offline.spelling import Speller, english_words
from chat.models import DocumentVersion

# Words as they stand in current documents, without English stop words, which English has anyway.
DOCUMENT_WORDS = """
SELECT word FROM ts_stat('SELECT tsv_exact FROM chat_chunk WHERE is_current')
WHERE word ~ '^[[:alpha:]]{2,}$'
"""

_lock = threading.Lock()
_kept: dict[str, Speller] = {}


def known_words() -> Speller:
    """Database work, off the loop; takes part of a second when documents have changed."""
    current = DocumentVersion.objects.filter(is_current=True)
    stamp = repr(sorted(current.values_list("pk", flat=True)))
    with _lock:
        if stamp not in _kept:
            found = Speller(_document_words(), english_words())
            _kept.clear()
            _kept[stamp] = found
        return _kept[stamp]


def _document_words() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(DOCUMENT_WORDS)
        return [word for (word,) in cursor.fetchall()]
