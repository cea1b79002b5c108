"""An embedder that remembers, for whole turns."""

from collections.abc import Iterator

import pytest

from tests.corpus import remembering


@pytest.fixture(scope="session", autouse=True)
def remembered() -> Iterator[None]:
    """No text is embedded twice, however often the tables are emptied and filled."""
    with remembering():
        yield
