"""The directory's records: found in PostgreSQL by name, kind, area and attributes, and told.

A criterion that fits nothing ends the search with an honest reason. It is never dropped in
silence to find something after all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Case, IntegerField, QuerySet, TextField, Value, When
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Concat

from chat.contracts.passages import Passage
from chat.models import DirectoryEntry
from chat.tools.base import one_line
from chat.tools.folding import Fit, Folded, fitting, folded, mended, pattern, words
from chat.tools.known import Known

DOCUMENT = "tool:search_directory"
LONGEST_RECORD = 1_500  # characters of a record's paragraph
VOCABULARY = 5_000  # values whose words a slip is mended towards


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a search is for; empty criteria ask for nothing."""

    name: str = ""
    kind: str = ""
    area: str = ""
    filters: Mapping[str, str] = field(default_factory=dict)
    limit: int = 5


@dataclass(slots=True)
class Matches:
    """`total` records match and the first of them are `passages`.

    `missing` says which criterion fits nothing; `read_as` are slips and what they were read as.
    """

    passages: tuple[Passage, ...] = ()
    total: int = 0
    missing: str = ""
    read_as: list[tuple[str, str]] = field(default_factory=list)


def find(wanted: Wanted, known: Known) -> Matches:
    """Search the table. Database work; raises database errors."""
    matches, rows = Matches(), DirectoryEntry.objects.all()
    narrowed = _narrowed(rows, wanted, known, matches)
    if narrowed is None:
        return matches
    matches.total = narrowed.count()
    found = narrowed.order_by("nearness", "name", "pk")[: wanted.limit]
    matches.passages = tuple(passage_of(entry) for entry in found)
    return matches


def _narrowed(
    rows: QuerySet[DirectoryEntry], wanted: Wanted, known: Known, matches: Matches
) -> QuerySet[DirectoryEntry] | None:
    """The rows that meet every criterion; None, with the reason, if one fits nothing at all."""
    for column, asked, values in (
        ("kind", wanted.kind, known.kinds),
        ("area", wanted.area, known.areas),
    ):
        fit = fitting(asked, values) if asked else Fit()
        if asked and not fit.values:
            matches.missing = f"There is no {column} “{asked}” in the directory."
            return None
        matches.read_as += fit.changes
        rows = rows.filter(**{f"{column}__in": fit.values}) if asked else rows
    for attribute, value in wanted.filters.items():
        fit = fitting(attribute, known.attributes)
        if not fit.values:
            matches.missing = f"The records have no attribute “{attribute}”."
            return None
        rows = _with_words(
            rows, Folded(KeyTextTransform(fit.values[0], "attributes")), value, matches
        )
    return _named(rows, wanted.name, matches)


def _named(rows: QuerySet[DirectoryEntry], name: str, matches: Matches) -> QuerySet[DirectoryEntry]:
    """By words of the name; by words of the whole record if no name has them."""
    rows = rows.annotate(nearness=_nearness(name))
    if not name:
        return rows
    by_name = _with_words(rows, Folded("name"), name, matches, mend=False)
    if by_name.exists():
        return by_name
    by_all = _with_words(rows, Folded(_everything()), name, matches, mend=False)
    return by_all if by_all.exists() else _with_words(rows, Folded("name"), name, matches)


def _nearness(name: str) -> Case:
    """The record that has exactly this name comes first."""
    exact = When(pk__in=DirectoryEntry.objects.filter(name__iexact=name).values("pk"), then=0)
    return Case(exact, default=1, output_field=IntegerField())


def _everything() -> Concat:
    parts: list[Any] = ["name", "kind", "area", "details", Cast("attributes", TextField())]
    spaced = [piece for part in parts for piece in (part, Value(" "))]
    return Concat(*spaced, output_field=TextField())


def _with_words(
    rows: QuerySet[DirectoryEntry], text: Folded, asked: str, matches: Matches, *, mend: bool = True
) -> QuerySet[DirectoryEntry]:
    """Rows whose text holds every word; with slips mended towards the rows' words if none does."""
    rows = rows.annotate(**{(label := f"text_{len(rows.query.annotations)}"): text})
    found = _holding(rows, label, words(asked))
    if not mend or found.exists():
        return found
    values = rows.exclude(**{label: None}).values_list(label, flat=True)[:VOCABULARY]
    again = mended(words(asked), {word for value in values for word in words(value)})
    matches.read_as += again.changes
    return _holding(rows, label, again.words)


def _holding(rows: QuerySet[DirectoryEntry], label: str, asked: Any) -> QuerySet[DirectoryEntry]:
    for word in asked:
        rows = rows.filter(**{f"{label}__regex": pattern(word)})
    return rows if asked else rows.none()


def passage_of(entry: DirectoryEntry) -> Passage:
    """A record as something that an answer can cite."""
    return Passage(
        chunk=f"{DOCUMENT}#{entry.pk}",
        document=DOCUMENT,
        version=1,
        title=one_line(entry.name),
        heading=one_line(f"{entry.kind}, {entry.area}"),
        text=paragraph(entry),
        url=entry.url if entry.url.startswith(("https://", "http://")) else None,
    )


def paragraph(entry: DirectoryEntry) -> str:
    """The whole record in one readable paragraph, with its name in the sentence of its facts."""
    name = one_line(entry.name)
    told = [f"{name} ({one_line(entry.kind)}, {one_line(entry.area)})."]
    if details := one_line(entry.details):
        told.append(details if details.endswith((".", "?", "!")) else f"{details}.")
    attributes = entry.attributes if isinstance(entry.attributes, dict) else {}
    facts = [f"{_label(key)}: {one_line(str(value))}" for key, value in attributes.items() if value]
    if facts:
        told.append(f"{name}, {'; '.join(facts)}.")
    return " ".join(told)[:LONGEST_RECORD]


def _label(attribute: str) -> str:
    return folded(one_line(attribute)).replace("_", " ")
