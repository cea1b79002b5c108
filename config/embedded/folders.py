"""The folders of one embedded server: made when missing, refused when they are not ours."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from config.embedded.place import MAJOR, Account, Place, can_enter
from config.errors import StartError


@contextmanager
def told_plainly(place: Place) -> Iterator[None]:
    """Turns what the file system refuses into one line for a person."""
    try:
        yield
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise StartError(f"The database folder {place.folder} cannot be used: {why}.") from error


def prepare(place: Place) -> None:
    """Makes the server's folder. Raises StartError when the server could not enter it."""
    _make_missing(place.folder, 0o711 if place.account else 0o700)
    if place.account and not can_enter(place.folder, place.account):
        raise StartError(f"The user {place.account.name} cannot enter {place.folder}.")
    if place.moved:
        _leave_note(place)


def check(place: Place) -> None:
    """Raises StartError when what is in the folder cannot be used. Not for two at a time."""
    _check_run_folder(place)
    _check_data(place)


def make_folder(path: Path, mode: int, owner: Account | None) -> None:
    """One folder for `owner`; an existing one is left as it is."""
    try:
        path.mkdir(mode)
    except FileExistsError:
        return
    if owner:
        os.chown(path, owner.uid, owner.gid)


def _make_missing(folder: Path, mode: int) -> None:
    """Makes `folder` and its missing parents. What exists keeps its permissions."""
    for path in reversed([p for p in (folder, *folder.parents) if not p.exists()]):
        path.mkdir(exist_ok=True)
        path.chmod(mode)


def _check_run_folder(place: Place) -> None:
    """The socket's folder is the lock on the database's door: its owner and mode must be ours."""
    make_folder(place.run, 0o700, place.account)
    info = place.run.lstat()
    owner = place.account.uid if place.account else os.geteuid()
    if place.run.is_symlink() or info.st_uid != owner or info.st_mode & 0o077:
        raise StartError(f"The folder {place.run} must belong to user {owner} with mode 0700.")


def _check_data(place: Place) -> None:
    if not place.data.exists():
        return
    owner = place.data.stat().st_uid
    if owner != (place.account.uid if place.account else os.geteuid()):
        raise StartError(
            f"The database in {place.data} belongs to user {owner}: start as that user."
        )
    made_by = (place.data / "PG_VERSION").read_text().strip()
    if made_by != MAJOR:
        raise StartError(f"The database in {place.data} is of PostgreSQL {made_by}, not {MAJOR}.")


def _leave_note(place: Place) -> None:
    """Tells whoever looks into the asked folder where the data went; not worth a failure."""
    with suppress(OSError):
        place.wanted.mkdir(parents=True, exist_ok=True)
        (place.wanted / "LOCATION.txt").write_text(f"The database is kept in {place.folder}\n")
