"""An embedder that remembers, and folders for embedded servers beside the whole run's one."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from config import embedded
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
