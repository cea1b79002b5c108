"""`manage.py ingest`: what it says, and how it ends."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from chat import wiring
from chat.adapters.embeddings import EmbedderUnusable
from chat.models import Chunk
from tests.doubles.embedder import WordEmbedder

pytestmark = pytest.mark.django_db

REFUNDS = "# Refunds\n\n## Timing\n\nFive days.\n"


@pytest.fixture(autouse=True)
def embedder(monkeypatch: pytest.MonkeyPatch) -> WordEmbedder:
    double = WordEmbedder()
    monkeypatch.setattr(wiring, "embedder", lambda: double)
    return double


def ingest(*arguments: object) -> tuple[str, str]:
    """Standard output and error of a run that ends well."""
    out, err = StringIO(), StringIO()
    call_command("ingest", *map(str, arguments), stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_it_sums_up_on_stdout_and_shows_progress_on_stderr(tmp_path: Path) -> None:
    (tmp_path / "refunds.md").write_text(REFUNDS)

    out, err = ingest(tmp_path)

    assert out.startswith("1 document: 1 new, 0 changed, 0 unchanged, 0 retired; 1 passage written")
    assert err.startswith("1/1 documents, 1 passage, ")
    assert ingest(tmp_path)[0].startswith("1 document: 0 new, 0 changed, 1 unchanged")


def test_the_collection_can_be_named(tmp_path: Path) -> None:
    (tmp_path / "refunds.md").write_text(REFUNDS)

    ingest(tmp_path, "--collection", "other")

    assert Chunk.objects.get().collection == "other"


def test_a_refused_file_is_named_and_the_command_fails_at_the_end(tmp_path: Path) -> None:
    (tmp_path / "refunds.md").write_text(REFUNDS)
    (tmp_path / "empty.md").write_text("")
    err = StringIO()

    with pytest.raises(CommandError, match="1 refused; the others are in the index"):
        call_command("ingest", str(tmp_path), stdout=StringIO(), stderr=err)

    assert "empty.md: it is empty. Write something, or leave it out." in err.getvalue()
    assert Chunk.objects.filter(is_current=True).count() == 1


def test_a_folder_without_markdown_is_said(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="No Markdown file"):
        ingest(tmp_path)


def test_pruning_with_a_path_that_does_not_exist_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "refunds.md").write_text(REFUNDS)
    ingest(tmp_path)

    with pytest.raises(CommandError, match="every path must exist"):
        ingest(tmp_path / "gone", "--prune")
    assert Chunk.objects.filter(is_current=True).count() == 1


def test_pruning_with_an_empty_folder_retires_nothing(tmp_path: Path) -> None:
    (tmp_path / "refunds.md").write_text(REFUNDS)
    ingest(tmp_path)
    (tmp_path / "empty").mkdir()

    with pytest.raises(CommandError, match="No Markdown file"):
        ingest(tmp_path / "empty", "--prune")
    assert Chunk.objects.filter(is_current=True).count() == 1


def test_a_missing_model_ends_the_command_with_what_to_do(
    tmp_path: Path, embedder: WordEmbedder
) -> None:
    (tmp_path / "refunds.md").write_text(REFUNDS)
    embedder.fails = EmbedderUnusable("The package is not installed. Run: pip install")

    with pytest.raises(CommandError, match="Run: pip install"):
        ingest(tmp_path)
