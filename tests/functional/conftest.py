"""What tests of a whole turn share: an embedder that remembers, and the lines of the site's log."""

import io
from collections.abc import Iterator

import pytest

from tests.canaries import lines_written
from tests.corpus import remembering


@pytest.fixture
def written_lines() -> Iterator[io.StringIO]:
    """What the site itself would write to its log."""
    with lines_written() as lines:
        yield lines


@pytest.fixture(scope="session", autouse=True)
def remembered() -> Iterator[None]:
    """No text is embedded twice, however often the tables are emptied and filled."""
    with remembering():
        yield
