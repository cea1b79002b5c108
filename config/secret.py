"""The key that signs sessions, when the environment gives none: made once, kept beside the data."""

import os
import secrets
from contextlib import suppress
from pathlib import Path

from config.errors import StartError

BYTES = 48


def kept_secret(file: Path) -> str:
    """The key in `file`, which is made with mode 0600 when it is absent."""
    try:
        if not file.exists():
            _make(file)
        return file.read_text().strip()
    except OSError as error:
        raise StartError(f"The key file {file} cannot be used: {error.strerror}.") from error


def _make(file: Path) -> None:
    """Writes aside and links into place, so that no process ever reads half a key."""
    file.parent.mkdir(parents=True, exist_ok=True)
    half = file.with_name(f"{file.name}.{os.getpid()}")
    descriptor = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as stream:
        stream.write(secrets.token_urlsafe(BYTES))
    with suppress(FileExistsError):  # another process was first: its key is the key
        os.link(half, file)
    half.unlink()
