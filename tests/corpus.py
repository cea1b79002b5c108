"""The sample handbook in the test database, and the embedder that whole turns are run with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from chat import wiring
from chat.retrieval.ingest import ingest_paths
from chat.sample.loader import HANDBOOK
from chat.tools import shipped
from tests.remembered import Remembered

EMBEDDER = Remembered(wiring.embedder)  # of this process


@contextmanager
def remembering() -> Iterator[None]:
    """The site's parts are wired with `EMBEDDER`, so that a text is embedded once a process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wiring, "embedder", lambda: EMBEDDER)
        yield


def take_in_the_handbook() -> None:
    """Ingest the handbook as the first start does, and know the directory as it stands.

    What an earlier test had in it is remembered for a minute: a turn could be offered other tools
    than the next one.
    """
    ingest_paths([HANDBOOK], wiring.COLLECTION, EMBEDDER, lambda _progress: None)
    shipped.CATALOGUE.learn()
