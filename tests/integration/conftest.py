"""An embedder that remembers, and folders for embedded servers beside the whole run's one."""

import subprocess
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from config import embedded
from tests import figures_by_hand, once
from tests.corpus import remembering
from tests.servers import short_folder


@pytest.fixture
def bare_folder() -> Iterator[Path]:
    """Where no server has been."""
    with short_folder() as folder:
        yield folder


@pytest.fixture(scope="module")
def made_folder() -> Iterator[Path]:
    """A server's folder after its first start and stop, to copy from."""
    with short_folder() as folder:
        embedded.start(embedded.locate(folder), durable=False).close()
        yield folder


@pytest.fixture
def server_folder(made_folder: Path, bare_folder: Path) -> Path:
    """The folder of a server that has run before; making each anew would take a second more."""
    subprocess.run(["cp", "-a", str(made_folder), str(bare_folder)], check=True)
    return bare_folder


@pytest.fixture(scope="session", autouse=True)
def remembered() -> Iterator[None]:
    """No text is embedded twice, however often the tables are emptied and filled."""
    with remembering():
        yield


@pytest.fixture(scope="module")
def stored_hand(django_db_setup: None, django_db_blocker: Any) -> Iterator[figures_by_hand.Hand]:
    yield from once.rows(django_db_blocker, figures_by_hand.store)


@pytest.fixture
def hand(stored_hand: figures_by_hand.Hand) -> figures_by_hand.Hand:
    return deepcopy(stored_hand)  # its turns remember what they have read
