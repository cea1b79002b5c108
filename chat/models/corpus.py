"""The documents that answers rest on: versions are kept, so that an old citation still opens.

Chunks belong to a version; search looks at the chunks of current versions alone.
"""

from __future__ import annotations

import uuid

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Q
from pgvector.django import HnswIndex, VectorField

EMBEDDING_DIMENSIONS = 384  # all-MiniLM-L6-v2


class Document(models.Model):
    """One source text, known by its slug within a collection (`handbook` is what is served)."""

    collection = models.CharField(max_length=60, default="handbook")
    slug = models.CharField(max_length=200)
    title = models.CharField(max_length=300)
    url = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("collection", "slug")
        constraints = (
            models.UniqueConstraint(fields=("collection", "slug"), name="one_document_a_slug"),
        )

    def __str__(self) -> str:
        return self.title


class DocumentVersion(models.Model):
    """One state of a document. At most one version of a document is current."""

    document = models.ForeignKey(Document, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    content_hash = models.CharField(max_length=64)
    embedding_model = models.CharField(max_length=80)
    is_current = models.BooleanField(default=False)
    ingested_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("document", "-number")
        constraints = (
            models.UniqueConstraint(fields=("document", "number"), name="one_version_a_number"),
            models.UniqueConstraint(
                fields=("document",), condition=Q(is_current=True), name="one_current_version"
            ),
        )

    def __str__(self) -> str:
        return f"{self.document} v{self.number}"


class Chunk(models.Model):
    """A section of a version. `key` (`refunds#refund-timing`) is stable over re-ingests.

    `is_current` and `collection` repeat the version's, so that the search's filter needs no
    join; ingest changes them in the transaction that changes the version.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    version = models.ForeignKey(DocumentVersion, on_delete=models.PROTECT, related_name="chunks")
    key = models.CharField(max_length=300, db_collation="C")
    ordinal = models.PositiveIntegerField()
    heading = models.CharField(max_length=300, blank=True)
    text = models.TextField()
    page = models.PositiveIntegerField(null=True, blank=True)
    collection = models.CharField(max_length=60, default="handbook")
    is_current = models.BooleanField(default=False)
    embedding = VectorField(dimensions=EMBEDDING_DIMENSIONS)
    tsv = SearchVectorField()  # English, stemmed: title A, heading A, text B
    tsv_exact = SearchVectorField()  # exact words without stop words, for the golden set

    class Meta:
        ordering = ("version", "ordinal")
        constraints = (
            models.UniqueConstraint(fields=("version", "ordinal"), name="one_chunk_an_ordinal"),
            models.UniqueConstraint(fields=("version", "key"), name="one_chunk_a_key"),
        )
        indexes = (
            HnswIndex(
                name="chunk_embedding_hnsw",
                fields=["embedding"],
                m=16,
                ef_construction=64,
                opclasses=["vector_cosine_ops"],
            ),
            GinIndex(fields=("tsv",), name="chunk_tsv_gin"),
            GinIndex(fields=("tsv_exact",), name="chunk_tsv_exact_gin"),
            models.Index(fields=("collection", "is_current", "key"), name="chunk_current_idx"),
        )

    def __str__(self) -> str:
        return self.key
