"""`manage.py load_directory`: what it says, what it changes, and how it ends."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from chat.management import setting_up
from chat.models import DirectoryEntry, Document

pytestmark = pytest.mark.django_db

HEAD = "name,kind,area,details,languages\n"
HERON = "Heron,partner,Dublin,Builds.,English\n"
QUILL = "Quill,partner,Cork,,\n"


@pytest.fixture
def no_handbook(monkeypatch: pytest.MonkeyPatch) -> None:
    """The documents are not read: it takes seconds, and the directory does not depend on it."""
    monkeypatch.setattr(setting_up, "_ingest_sample", lambda *_: None)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (file := tmp_path / "d.csv").write_text(HEAD + HERON + QUILL)
    return file


def loaded(file: Path, *options: str) -> str:
    out = StringIO()
    call_command("load_directory", str(file), *options, stdout=out, stderr=StringIO())
    return out.getvalue().strip()


def test_it_counts_what_became_of_each_record(file: Path) -> None:
    assert loaded(file) == "Directory: 2 new, 0 changed, 0 unchanged, 0 removed"
    file.write_text(HEAD + HERON.replace("English", "Irish"))
    assert loaded(file) == "Directory: 0 new, 1 changed, 0 unchanged, 0 removed"
    assert DirectoryEntry.objects.get(name="Heron").attributes == {"languages": "Irish"}
    assert loaded(file) == "Directory: 0 new, 0 changed, 1 unchanged, 0 removed"


def test_a_changed_record_keeps_its_id_so_that_citations_still_lead_to_it(file: Path) -> None:
    loaded(file)
    before = DirectoryEntry.objects.get(name="Heron").pk
    file.write_text(HEAD + HERON.replace("Builds", "Mends"))
    loaded(file)
    assert DirectoryEntry.objects.get(name="Heron").pk == before


def test_only_pruning_removes_what_the_file_does_not_hold(file: Path) -> None:
    loaded(file)
    file.write_text(HEAD + HERON)
    loaded(file)
    assert DirectoryEntry.objects.count() == 2
    assert loaded(file, "--prune") == "Directory: 0 new, 0 changed, 1 unchanged, 1 removed"


def test_a_refused_record_is_named_and_the_command_fails_at_the_end(file: Path) -> None:
    file.write_text(HEAD + HERON + ",partner,Cork\n")
    err = StringIO()
    with pytest.raises(CommandError, match="1 refused; the others are in the directory"):
        call_command("load_directory", str(file), stdout=StringIO(), stderr=err)
    assert err.getvalue() == "Record 3: name is empty.\n"
    assert DirectoryEntry.objects.count() == 1


@pytest.mark.parametrize("text", [HEAD, HEAD + HERON + ",partner,Cork\n"], ids=["empty", "bad"])
def test_pruning_with_a_file_that_is_not_whole_changes_nothing(file: Path, text: str) -> None:
    loaded(file)
    file.write_text(text)
    with pytest.raises(CommandError, match="nothing changed"):
        loaded(file, "--prune")
    assert DirectoryEntry.objects.count() == 2


def test_a_file_that_cannot_be_read_ends_the_command_with_why(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be read"):
        loaded(tmp_path / "gone.csv")


# ---- the first start


def start() -> int:
    """What `serve` does for the directory; the records that stand there afterwards."""
    setting_up.set_up(lambda _line: None, StringIO())
    return int(DirectoryEntry.objects.count())


@pytest.mark.usefixtures("no_handbook")
def test_a_first_start_loads_the_sample_and_a_second_one_leaves_it() -> None:
    count = start()
    assert count >= 40
    DirectoryEntry.objects.filter(kind="partner").delete()
    assert 0 < start() < count


@pytest.mark.usefixtures("no_handbook")
def test_beside_the_sample_handbook_an_empty_directory_is_filled() -> None:
    Document.objects.create(slug="pricing", title="Pricing")
    assert start() >= 40


@pytest.mark.usefixtures("no_handbook")
def test_a_site_with_documents_of_its_own_is_given_no_partners_of_larkspur() -> None:
    Document.objects.create(slug="our-own-terms", title="Our own terms")
    assert start() == 0
