"""The prompts that are shipped, kept as rows, so that an old turn can show the words that it used.

A name stands for the same words for ever: who changes the text of a prompt gives it a new name.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Collection

from chat.agent.prompts.versions import SHIPPED
from chat.contracts.tasks import PromptWords
from chat.models import PromptVersion

log = logging.getLogger(__name__)


def remember_shipped() -> None:
    """Keep what this version ships. Harmless when repeated, and from several processes at once.

    A name that was kept with other words keeps them, and is logged as the defect that it is.
    """
    PromptVersion.objects.bulk_create(
        (
            PromptVersion(purpose=purpose, name=name, system=system, is_shipped=True)
            for purpose, name, system in _shipped()
        ),
        ignore_conflicts=True,
    )
    kept = dict(
        PromptVersion.objects.filter(name__in=[name for _, name, _ in _shipped()]).values_list(
            "name", "system"
        )
    )
    for _, name, system in _shipped():
        if kept.get(name) != system:
            log.error("The prompt %s is shipped with other words than before.", name)


def digests() -> dict[str, str]:
    """SHA-256 of each shipped text, by its name."""
    return {name: hashlib.sha256(text.encode()).hexdigest() for _, name, text in _shipped()}


def words_of(names: Collection[str]) -> dict[str, PromptWords]:
    """The words that these names stand for, as far as they are known. Database work."""
    shipped = {name: PromptWords(name=name, system=system) for _, name, system in _shipped()}
    rows = PromptVersion.objects.filter(name__in=names)
    kept = {row.name: PromptWords(name=row.name, system=row.system) for row in rows}
    return {name: found for name, found in (shipped | kept).items() if name in names}


def _shipped() -> list[tuple[str, str, str]]:
    """Purpose, name and text of each."""
    return [(purpose, words.name, words.system) for purpose, words in SHIPPED.items()]
