"""The real embedding model and the library's rules, read once for all tests of this folder."""

from __future__ import annotations

import pytest

from chat.adapters.embeddings import Embedder, MiniLM
from chat.adapters.offline.corpus import Documents
from chat.adapters.offline.reading import Memory, Reader
from tests.remembered import Remembered
from tests.unit.adapters.offline import library


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    return Remembered(lambda: MiniLM(threads=1))


@pytest.fixture(scope="session")
def memory(embedder: Embedder) -> Memory:
    return Memory(embedder)


@pytest.fixture(scope="session")
def documents(embedder: Embedder) -> Documents:
    return library.documents(embedder)


@pytest.fixture(scope="session")
def reader(memory: Memory, documents: Documents) -> Reader:
    return Reader(memory, documents)
