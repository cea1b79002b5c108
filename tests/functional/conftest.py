"""What tests of a whole turn share: the lines that the site itself would write to its log."""

import io
from collections.abc import Iterator

import pytest

from tests.canaries import lines_written


@pytest.fixture
def written_lines() -> Iterator[io.StringIO]:
    with lines_written() as lines:
        yield lines
