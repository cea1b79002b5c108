"""Where the embedded server lives, as whom it runs, and what others can see of it."""

import os
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from config import embedded
from config.embedded import cluster
from config.embedded import place as place_module
from config.embedded.leftovers import servers_in
from config.errors import StartError
from tests.servers import postmaster_of, query

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root lends the server an account")


def test_the_site_s_role_is_no_superuser_and_the_data_is_durable(bare_folder: Path) -> None:
    place = embedded.locate(bare_folder)
    with embedded.start(place):
        assert query(place, "SHOW fsync") == [("on",)]
        assert query(place, "SHOW is_superuser") == [("off",)]
        assert query(place, "SHOW listen_addresses") == [("",)]
        assert query(place, "SHOW server_encoding") == [("UTF8",)]
        assert query(place, "SELECT datlocale FROM pg_database LIMIT 1") == [("C.UTF-8",)]


def test_nobody_else_may_pass_to_the_socket(server_folder: Path) -> None:
    place = embedded.locate(server_folder)
    with embedded.start(place, durable=False):
        assert place.run.stat().st_mode & 0o077 == 0
        assert place.data.stat().st_mode & 0o077 == 0


def test_a_half_made_cluster_is_made_anew(bare_folder: Path) -> None:
    half = bare_folder / "data.new"
    half.mkdir(parents=True)
    bare_folder.parent.chmod(0o711)
    bare_folder.chmod(0o711)
    (half / "PG_VERSION").write_text("18\n")
    place = embedded.locate(bare_folder)
    with embedded.start(place, durable=False):
        assert query(place, "SELECT 1") == [(1,)]
    assert not half.exists()


def test_servers_in_several_folders_run_side_by_side(bare_folder: Path) -> None:
    places = [embedded.locate(bare_folder / name) for name in ("one", "two")]
    with embedded.start(places[0], durable=False), embedded.start(places[1], durable=False):
        for place in places:
            shown = query(place, "SHOW data_directory", user="postgres")
            assert shown == [(str(place.data),)]
    assert [servers_in(place.data) for place in places] == [[], []]


def test_a_path_too_long_for_a_socket_gets_a_short_private_folder_for_it(bare_folder: Path) -> None:
    place = embedded.locate(bare_folder / ("x" * 90))
    assert not place.run.is_relative_to(bare_folder)
    try:
        with embedded.start(place, durable=False):
            assert place.run.stat().st_mode & 0o777 == 0o700
            assert query(place, "SELECT 1") == [(1,)]
    finally:
        with suppress(FileNotFoundError):
            shutil.rmtree(place.run)


def test_a_socket_folder_that_others_may_enter_is_refused(bare_folder: Path) -> None:
    place = embedded.locate(bare_folder)
    bare_folder.mkdir()
    bare_folder.chmod(0o711)
    place.run.mkdir()
    place.run.chmod(0o777)
    with pytest.raises(StartError, match="must belong to user"):
        embedded.start(place)


def test_a_folder_that_cannot_be_made_is_told_in_one_line(bare_folder: Path) -> None:
    bare_folder.write_text("a file stands here")
    with pytest.raises(StartError, match="cannot be used: ") as told:
        embedded.start(embedded.locate(bare_folder / "postgres"))
    assert "\n" not in str(told.value)


def test_data_of_another_version_is_refused(server_folder: Path) -> None:
    place = embedded.locate(server_folder)
    (place.data / "PG_VERSION").write_text("16\n")
    with pytest.raises(StartError, match="is of PostgreSQL 16, not 18"):
        embedded.start(place)


def test_the_log_holds_nothing_that_people_wrote(server_folder: Path) -> None:
    place = embedded.locate(server_folder)
    with embedded.start(place, durable=False):
        query(place, "CREATE TABLE notes (body text UNIQUE, n int CHECK (n > 0))")
        query(place, "INSERT INTO notes VALUES ('canary@example.org', 1)")
        for value in ("('canary@example.org', 2)", "('second-canary', 0)"):
            with pytest.raises(psycopg.errors.IntegrityError):
                query(place, f"INSERT INTO notes VALUES {value}")
    log = place.log.read_text()
    assert "violates" in log
    assert "canary" not in log


@as_root
def test_a_private_folder_of_root_stays_private_and_the_database_goes_elsewhere(
    bare_folder: Path,
) -> None:
    home = bare_folder.parent / "home"
    home.mkdir(mode=0o700)
    fallback = bare_folder.parent / "lib"
    place = embedded.locate(home / "checkout" / "var" / "postgres", fallback)
    assert place.folder.is_relative_to(fallback)
    with embedded.start(place, durable=False):
        query(place, "CREATE TABLE kept AS SELECT 7 AS n")
    assert home.stat().st_mode & 0o777 == 0o700
    assert str(place.folder) in (place.wanted / "LOCATION.txt").read_text()
    home.chmod(0o755)  # opened later, the data stays where it is
    assert embedded.locate(place.wanted, fallback) == place


@as_root
def test_programs_out_of_the_account_s_reach_are_copied_to_where_it_can_run_them(
    bare_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(place_module, "_can_run", lambda package, account: False)
    place = embedded.locate(bare_folder)
    programs = place_module.binaries(place, fallback=bare_folder.parent)
    assert programs.is_relative_to(bare_folder.parent)
    asked = [str(programs / "postgres"), "--version"]
    told = subprocess.check_output(asked, text=True, cwd="/", **cluster.identity(place.account))
    assert told.startswith("postgres (PostgreSQL) 18")
    assert place_module.binaries(place, fallback=bare_folder.parent) == programs


@as_root
def test_the_server_runs_without_root_s_rights(server_folder: Path) -> None:
    place = embedded.locate(server_folder)
    with embedded.start(place, durable=False):
        lines = Path(f"/proc/{postmaster_of(place)}/status").read_text().splitlines()
    ids = next(line for line in lines if line.startswith("Uid:")).split()[1:]
    groups = next(line for line in lines if line.startswith("Groups:")).split()[1:]
    assert set(ids) == {str(place.account and place.account.uid)}
    assert groups == []


@as_root
def test_data_of_a_plain_user_is_served_as_that_user(bare_folder: Path) -> None:
    (bare_folder / "data").mkdir(parents=True)
    os.chown(bare_folder / "data", 1, 1)
    account = embedded.locate(bare_folder).account
    assert account is not None
    assert account.uid == 1
