"""Documents into the index: read, cut, embedded, and stored as a new version.

A version becomes current in one transaction, so that the corpus can be searched at every
moment, also when the process is killed. Old versions stay for the citations that name them.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from django.contrib.postgres.search import CombinedSearchVector, SearchVector
from django.db import connection, transaction
from django.db.models import Value
from django.utils.text import slugify

from chat.models import Chunk, Document, DocumentVersion
from chat.retrieval.extract import READERS, BadFile, Extracted, Section, extract
from chat.retrieval.vectors import Embedder, Vector

RULES = "1"  # raise it when cutting or embedding changes, and the next run takes everything anew
SLUG_LIMIT = 200  # characters, as the tables hold them
URL_LIMIT = 500


class Outcome(StrEnum):
    """What became of one document."""

    NEW = "new"
    CHANGED = "changed"
    UNCHANGED = "unchanged"


@dataclass(slots=True)
class Report:
    """What an ingest did, by slug; `passages` counts those written, `seconds` the whole run."""

    outcomes: dict[str, Outcome] = field(default_factory=dict)
    refused: list[BadFile] = field(default_factory=list)
    retired: list[str] = field(default_factory=list)
    passages: int = 0
    seconds: float = 0.0

    def count(self, outcome: Outcome) -> int:
        return sum(each is outcome for each in self.outcomes.values())


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an ingest is. `document` is the slug that was just done."""

    done: int
    total: int
    document: str
    passages: int
    seconds: float


def ingest_paths(
    paths: Sequence[Path],
    collection: str,
    embedder: Embedder,
    progress: Callable[[Progress], None] = lambda _: None,
    *,
    prune: bool = False,
) -> Report:
    """Takes in files and the readable files of folders; a bad one is refused, the rest goes in.

    With `prune`, documents of the collection that the paths do not hold are retired. Raises
    what the embedder and the database raise; what was done until then stays.
    """
    started, report = time.monotonic(), Report()
    sources = list(_once(_sources(paths)))
    for number, (slug, path) in enumerate(sources, start=1):
        _take(slug, path, collection, embedder, report)
        report.seconds = time.monotonic() - started
        progress(Progress(number, len(sources), slug, report.passages, report.seconds))
    if prune and sources:  # an empty folder is a mistake more often than a wish
        report.retired = retire_others(collection, {slug for slug, _ in sources})
    if report.passages or report.retired:
        _refresh_statistics()
    report.seconds = time.monotonic() - started
    return report


def store(document: Extracted, collection: str, embedder: Embedder) -> Outcome:
    """Makes `document` the current version unless it already is; one transaction.

    The vectors are made before the transaction begins, so that no lock waits for a model.
    """
    digest = _digest(document)
    if _is_current(document.slug, collection, digest, embedder.name):
        return Outcome.UNCHANGED
    vectors = embedder.embed([embedded_text(document.title, each) for each in document.sections])
    with transaction.atomic():
        row, created = Document.objects.select_for_update().update_or_create(
            collection=collection,
            slug=document.slug,
            defaults={"title": document.title, "url": document.url[:URL_LIMIT]},
        )
        _retire([row.pk])
        version = DocumentVersion.objects.create(
            document=row,
            number=row.versions.count() + 1,
            content_hash=digest,
            embedding_model=embedder.name,
            is_current=True,
        )
        Chunk.objects.bulk_create(_chunks(document, version, collection, vectors))
    return Outcome.NEW if created else Outcome.CHANGED


def embedded_text(title: str, section: Section) -> str:
    """What a passage's vector is made of: its title and heading lead, as they name the matter."""
    return "\n".join(part for part in (title, section.heading, section.text) if part)


def retire_others(collection: str, kept: set[str]) -> list[str]:
    """Takes every other document of the collection out of the search; gives their slugs."""
    with transaction.atomic():
        current = DocumentVersion.objects.filter(document__collection=collection, is_current=True)
        others = current.exclude(document__slug__in=kept)
        found = list(others.order_by("document__slug").values_list("document", "document__slug"))
        _retire([document for document, _ in found])
    return [slug for _, slug in found]


def _take(slug: str, path: Path, collection: str, embedder: Embedder, report: Report) -> None:
    try:
        if len(slug) > SLUG_LIMIT:
            raise BadFile(path, f"its name has over {SLUG_LIMIT} characters.", "Shorten it.")
        if slug in report.outcomes:
            raise BadFile(path, f"another file is already called {slug}.", "Rename one of them.")
        document = extract(path, slug)
    except BadFile as refusal:
        report.refused.append(refusal)
        return
    outcome = report.outcomes[slug] = store(document, collection, embedder)
    if outcome is not Outcome.UNCHANGED:
        report.passages += len(document.sections)


def _sources(paths: Sequence[Path]) -> Iterator[tuple[str, Path]]:
    """Slug and path of every file, folders in the order of their names."""
    for path in paths:
        if not path.is_dir():
            yield _slug(Path(path.name)), path
            continue
        for inner in sorted(path.rglob("*")):
            name = inner.relative_to(path)
            hidden = any(part.startswith(".") for part in name.parts)
            if inner.suffix.lower() in READERS and inner.is_file() and not hidden:
                yield _slug(name), inner


def _once(sources: Iterable[tuple[str, Path]]) -> Iterator[tuple[str, Path]]:
    """Drops a file that was given twice, say by itself and with its folder."""
    seen: set[Path] = set()
    for slug, path in sources:
        if path.resolve() not in seen:
            seen.add(path.resolve())
            yield slug, path


def _slug(name: Path) -> str:
    """`guides/Refunds.md` becomes `guides/refunds`."""
    steps = name.with_suffix("").parts
    return "/".join(slugify(step, allow_unicode=True) or "document" for step in steps)


def _digest(document: Extracted) -> str:
    whole = "\n".join((RULES, document.title, document.url, document.text))
    return hashlib.sha256(whole.encode()).hexdigest()


def _is_current(slug: str, collection: str, digest: str, model: str) -> bool:
    return DocumentVersion.objects.filter(
        document__collection=collection,
        document__slug=slug,
        is_current=True,
        content_hash=digest,
        embedding_model=model,
    ).exists()


def _retire(documents: Sequence[int]) -> None:
    """Takes the documents' current versions out of the search. The caller has the transaction."""
    Chunk.objects.filter(version__document__in=documents, is_current=True).update(is_current=False)
    DocumentVersion.objects.filter(document__in=documents, is_current=True).update(is_current=False)


def _chunks(
    document: Extracted, version: DocumentVersion, collection: str, vectors: Vector
) -> Iterator[Chunk]:
    for ordinal, (section, vector) in enumerate(zip(document.sections, vectors, strict=True)):
        yield Chunk(
            version=version,
            key=section.key,
            ordinal=ordinal,
            heading=section.heading,
            text=section.text,
            page=section.page,
            collection=collection,
            is_current=True,
            embedding=vector,
            tsv=_stemmed(document.title, section),
            tsv_exact=SearchVector(
                Value(embedded_text(document.title, section)), config="plumbline_exact"
            ),
        )


def _stemmed(title: str, section: Section) -> CombinedSearchVector:
    head = SearchVector(Value(f"{title}\n{section.heading}"), config="english", weight="A")
    return head + SearchVector(Value(section.text), config="english", weight="B")


def _refresh_statistics() -> None:
    """The planner chooses between graph and plain scan by the sizes of collections."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE chat_chunk")
