"""Taking documents in: versions, what is skipped, refused and retired, and a kill midway."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.db import connections

from chat.models import Chunk, Document, DocumentVersion
from chat.retrieval.ingest import Outcome, Progress, Report, ingest_paths
from tests.doubles.embedder import WordEmbedder

pytestmark = pytest.mark.django_db

REFUNDS = "# Refunds\n\n## Timing\n\nFive days.\n\n## Asking\n\nThe owner asks.\n"
BILLING = "# Billing\n\n## Invoices\n\nOn the first of the month.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "refunds.md").write_text(REFUNDS)
    (tmp_path / "billing.md").write_text(BILLING)
    return tmp_path


def take(*paths: Path, embedder: WordEmbedder | None = None, **options: Any) -> Report:
    return ingest_paths(paths, "handbook", embedder or WordEmbedder(), **options)


def served() -> list[str]:
    """Keys that the search looks at."""
    return sorted(Chunk.objects.filter(is_current=True).values_list("key", flat=True))


def versions(slug: str) -> list[tuple[int, bool]]:
    rows = DocumentVersion.objects.filter(document__slug=slug).order_by("number")
    return list(rows.values_list("number", "is_current"))


def test_a_folder_becomes_documents_with_a_first_version_each(folder: Path) -> None:
    report = take(folder)

    assert report.outcomes == {"billing": Outcome.NEW, "refunds": Outcome.NEW}
    assert report.passages == 3
    assert served() == ["billing#invoices", "refunds#asking", "refunds#timing"]
    assert versions("refunds") == [(1, True)]
    assert Document.objects.get(slug="refunds").title == "Refunds"


def test_a_chunk_holds_what_the_searches_need(folder: Path) -> None:
    take(folder)

    chunk = Chunk.objects.get(key="refunds#timing")

    assert (chunk.heading, chunk.text, chunk.ordinal) == ("Timing", "Five days.", 0)
    assert (chunk.collection, chunk.version.embedding_model) == ("handbook", "words")
    assert chunk.tsv == "'day':4B 'five':3B 'refund':1A 'time':2A"
    assert chunk.tsv_exact == "'days':4 'five':3 'refunds':1 'timing':2"


def test_title_and_heading_lead_the_embedded_text(folder: Path) -> None:
    embedder = WordEmbedder()
    take(folder, embedder=embedder)

    assert "Refunds\nTiming\nFive days." in embedder.asked


def test_an_unchanged_document_is_skipped_and_not_embedded(folder: Path) -> None:
    take(folder)
    embedder = WordEmbedder()

    report = take(folder, embedder=embedder)

    assert set(report.outcomes.values()) == {Outcome.UNCHANGED}
    assert (report.passages, embedder.asked) == (0, [])
    assert versions("refunds") == [(1, True)]


def test_loose_blanks_and_line_ends_are_no_change(folder: Path) -> None:
    take(folder)
    (folder / "refunds.md").write_bytes(REFUNDS.replace("\n", "  \r\n").encode())

    assert take(folder).outcomes["refunds"] is Outcome.UNCHANGED


def test_a_changed_document_becomes_a_new_version_and_the_old_one_stays(folder: Path) -> None:
    take(folder)
    (folder / "refunds.md").write_text(REFUNDS.replace("Five", "Six").replace("Asking", "Who asks"))

    report = take(folder)

    assert report.outcomes == {"billing": Outcome.UNCHANGED, "refunds": Outcome.CHANGED}
    assert versions("refunds") == [(1, False), (2, True)]
    assert served() == ["billing#invoices", "refunds#timing", "refunds#who-asks"]
    old = Chunk.objects.filter(version__number=1, version__document__slug="refunds")
    assert set(old.values_list("key", "is_current")) == {
        ("refunds#timing", False),
        ("refunds#asking", False),
    }


def test_another_embedding_model_takes_everything_anew(folder: Path) -> None:
    take(folder)

    report = take(folder, embedder=WordEmbedder(name="other"))

    assert set(report.outcomes.values()) == {Outcome.CHANGED}
    assert versions("billing") == [(1, False), (2, True)]


def test_a_removed_file_is_retired_only_when_pruning(folder: Path) -> None:
    take(folder)
    (folder / "billing.md").unlink()

    assert take(folder).retired == []
    assert take(folder, prune=True).retired == ["billing"]
    assert served() == ["refunds#asking", "refunds#timing"]
    assert Chunk.objects.filter(key="billing#invoices").exists()


def test_a_retired_document_comes_back_as_a_new_version(folder: Path) -> None:
    take(folder)
    take(folder / "refunds.md", prune=True)

    assert take(folder).outcomes["billing"] is Outcome.CHANGED
    assert versions("billing") == [(1, False), (2, True)]


def test_pruning_leaves_other_collections_alone(folder: Path) -> None:
    ingest_paths([folder], "other", WordEmbedder())

    take(folder / "refunds.md", prune=True)

    assert Chunk.objects.filter(collection="other", is_current=True).count() == 3


def test_a_bad_file_is_refused_and_the_rest_goes_in(folder: Path) -> None:
    (folder / "a-bad.md").write_bytes(b"# T\n\n\xff")

    report = take(folder)

    assert [refusal.path.name for refusal in report.refused] == ["a-bad.md"]
    assert len(served()) == 3


def test_a_file_that_became_bad_keeps_its_last_good_version(folder: Path) -> None:
    take(folder)
    (folder / "refunds.md").write_bytes(b"\xff")

    report = take(folder, prune=True)

    assert report.retired == []
    assert "refunds#timing" in served()


def test_folders_below_give_their_names_to_the_key(tmp_path: Path) -> None:
    (tmp_path / "Guides").mkdir()
    (tmp_path / "Guides" / "Get Going.md").write_text(BILLING)
    (tmp_path / ".drafts").mkdir()
    (tmp_path / ".drafts" / "b.md").write_text(BILLING)
    (tmp_path / "notes.txt").write_text("not Markdown")

    assert take(tmp_path).outcomes == {"guides/get-going": Outcome.NEW}
    assert served() == ["guides/get-going#invoices"]


def test_two_files_of_one_name_cannot_both_go_in(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    twin = tmp_path / "elsewhere" / "refunds.md"
    twin.write_text(BILLING)

    report = take(folder / "refunds.md", twin, folder / "refunds.md")

    assert "another file is already called refunds" in str(report.refused[0])
    assert len(report.refused) == 1
    assert served() == ["refunds#asking", "refunds#timing"]


def test_a_name_that_the_tables_cannot_hold_is_refused(folder: Path) -> None:
    (folder / ("long " * 45)).mkdir()
    (folder / ("long " * 45) / "refunds.md").write_text(REFUNDS)

    assert [str(refusal).split(": ")[1][:8] for refusal in take(folder).refused] == ["its name"]


def test_progress_tells_how_far_it_is(folder: Path) -> None:
    told: list[Progress] = []

    take(folder, progress=told.append)

    assert [(each.done, each.total, each.document) for each in told] == [
        (1, 2, "billing"),
        (2, 2, "refunds"),
    ]
    assert told[-1].passages == 3


@pytest.mark.django_db(transaction=True)
def test_a_kill_while_a_version_is_written_leaves_the_old_one_served(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take(folder)
    (folder / "refunds.md").write_text(REFUNDS.replace("Five", "Six"))
    original = Chunk.objects.bulk_create

    def half(chunks: Any, *args: Any, **kwargs: Any) -> None:
        original(list(chunks)[:1], *args, **kwargs)
        raise KeyboardInterrupt

    monkeypatch.setattr(Chunk.objects, "bulk_create", half)
    with pytest.raises(KeyboardInterrupt):
        take(folder)
    monkeypatch.undo()

    assert versions("refunds") == [(1, True)]
    assert served() == ["billing#invoices", "refunds#asking", "refunds#timing"]
    assert take(folder).outcomes["refunds"] is Outcome.CHANGED


@pytest.mark.django_db(transaction=True)
def test_a_model_that_fails_midway_leaves_what_was_done(folder: Path) -> None:
    class Failing(WordEmbedder):
        def embed(self, texts: Any) -> Any:
            if any("Refunds" in text for text in texts):
                raise ConnectionError
            return super().embed(texts)

    with pytest.raises(ConnectionError):
        take(folder, embedder=Failing())

    assert served() == ["billing#invoices"]


@pytest.mark.django_db(transaction=True)
def test_ingests_at_the_same_time_leave_one_current_version(folder: Path) -> None:
    def run(number: int) -> None:
        try:
            take(folder, embedder=WordEmbedder(name=f"model {number}"))
        finally:
            connections.close_all()

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(run, range(3)))

    assert [current for _, current in versions("refunds")].count(True) == 1
    assert len(served()) == 3
