"""The key that the site makes for itself."""

from pathlib import Path

import pytest

from config.errors import StartError
from config.secret import kept_secret


def test_the_key_is_made_once_and_is_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "var" / "secret_key"
    first = kept_secret(file)
    assert len(first) >= 50
    assert kept_secret(file) == first
    assert file.stat().st_mode & 0o777 == 0o600
    assert list(file.parent.iterdir()) == [file]


def test_a_folder_that_cannot_be_made_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "var").write_text("a file stands here")
    with pytest.raises(StartError, match="key file .* cannot be used"):
        kept_secret(tmp_path / "var" / "secret_key")
