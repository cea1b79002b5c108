"""A proof as one page that needs nothing else: what was said and done, and a script that checks it.

Everything shown carries the place in the sealed texts from which it comes; the page's script holds
the one against the other, after it has hashed the texts anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from chat.records import words
from chat.records.proof import Proof

# What would end the script tag that holds the data, as `json_script` escapes it.
ESCAPES = {ord(">"): "\\u003E", ord("<"): "\\u003C", ord("&"): "\\u0026"}


@dataclass(frozen=True, slots=True)
class Said:
    """A text and where it stands in the sealed texts; `spoken`: shown without underscores."""

    text: str
    path: str
    spoken: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a table: something sealed, and what it means."""

    name: Said
    value: Said
    means: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """A cited passage. `passage` is None where content was erased."""

    marker: Said
    chunk: Said
    version: Said
    supports: Said
    means: str
    passage: Said | None


def page_of(proof: Proof) -> str:
    """The whole file, as HTML."""
    record, facts, content = proof.says()
    reader = _Reader(record, facts, content)
    return render_to_string(
        "records/export.html",
        {
            "proof": proof,
            "purged": proof.anchors[-1].last if proof.anchors else 0,
            "record": {name: reader.said("record", name) for name in record if name != "facts"},
            "ended": reader.code(words.ENDS, "facts", "finished", "termination"),
            "texts": _texts(reader),
            "asked_back": list(reader.items("content", "asked_back")),
            "notes": [*reader.items("content", "gaps"), *reader.items("content", "caveats")],
            "sources": [_source(reader, place) for place in range(len(facts["citations"]))]
            if facts.get("citations")
            else [],
            "claims": list(_claims(reader)),
            "controls": list(_controls(reader)),
            "figures": list(_figures(reader)),
            "versions": [
                Line(Said(name, ""), reader.said("facts", "versions", name))
                for name in facts.get("versions") or {}
            ],
            "data": _data(proof),
            "style": _asset("records/export.css"),
            "script": _asset("records/export.js"),
        },
    )


class _Reader:
    """Takes values out of the sealed texts together with the way to them."""

    def __init__(self, record: Any, facts: Any, content: Any) -> None:
        self._texts = {"record": record, "facts": facts, "content": content}

    def value(self, *path: str | int) -> Any:
        """What stands there; None where nothing does."""
        at: Any = self._texts
        for part in path:
            if isinstance(at, Mapping):
                at = at.get(part)
            elif isinstance(at, list) and isinstance(part, int) and part < len(at):
                at = at[part]
            else:
                return None
        return at

    def said(self, *path: str | int, spoken: bool = False) -> Said:
        found = self.value(*path)
        text = found if isinstance(found, str) else _plainly(found)
        return Said(words.spoken(text) if spoken else text, json.dumps(path), spoken)

    def code(self, meanings: Mapping[str, str], *path: str | int) -> Line:
        said = self.said(*path, spoken=True)
        return Line(Said("", ""), said, meanings.get(str(self.value(*path)), ""))

    def items(self, *path: str | int) -> Iterator[Said]:
        for place in range(len(self.value(*path) or ())):
            yield self.said(*path, place)


def _plainly(value: Any) -> str:
    """As JSON writes it, which the page's script does as well; nothing for nothing."""
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def _texts(reader: _Reader) -> dict[str, Said]:
    return {name: reader.said("content", name) for name in ("question", "standalone", "answer")}


def _source(reader: _Reader, place: int) -> Source:
    at = ("facts", "citations", place)
    chunk, supports = str(reader.value(*at, "chunk")), str(reader.value(*at, "supports"))
    held = reader.value("content", "passages", chunk)
    return Source(
        marker=reader.said(*at, "marker"),
        chunk=reader.said(*at, "chunk"),
        version=reader.said(*at, "version"),
        supports=reader.said(*at, "supports"),
        means=words.SUPPORTS.get(supports, ""),
        passage=reader.said("content", "passages", chunk) if held is not None else None,
    )


def _claims(reader: _Reader) -> Iterator[Line]:
    for place, claim in enumerate(reader.value("facts", "claims") or ()):
        held = {True: "held", False: "not held", None: "not checked"}[claim.get("supported")]
        label = reader.said("content", "claims", str(claim.get("id")))
        by = words.BY.get(str(claim.get("by")), "")
        yield Line(
            name=label if label.text else Said("", ""),
            value=reader.said("facts", "claims", place, "basis", spoken=True),
            means=f"{held}, {by}" if held != "not checked" else held,
        )


def _controls(reader: _Reader) -> Iterator[Line]:
    for place, control in enumerate(reader.value("facts", "controls") or ()):
        at = ("facts", "controls", place)
        meant = words.OUTCOMES.get(str(control.get("outcome")), "")
        asks = words.CONTROLS.get(str(control.get("control")), "")
        why = words.spoken(str(control.get("reason") or ""))
        yield Line(
            name=reader.said(*at, "control", spoken=True),
            value=reader.said(*at, "outcome", spoken=True),
            means=" ".join(part for part in (asks, meant, why and f"({why})") if part),
        )


def _figures(reader: _Reader) -> Iterator[Line]:
    """The way and what it cost."""
    for name, path in (
        ("Route, as decided", ("route", "decided")),
        ("Route, as taken", ("route", "taken")),
        ("Confidence of the route", ("route", "confidence")),
        ("Confidence of the answer", ("confidence",)),
        ("Passes of retrieval", ("finished", "passes")),
        ("Model calls", ("finished", "model_calls")),
        ("Milliseconds", ("finished", "ms")),
        ("Cost in US dollars", ("finished", "cost")),
    ):
        said = reader.said("facts", *path, spoken=path[-1] in ("decided", "taken"))
        if said.text:
            means = words.ROUTES.get(str(reader.value("facts", *path)), "")
            yield Line(Said(name, ""), said, means)


def _data(proof: Proof) -> SafeString:
    """For tools, and for the script; no text in it can end its tag."""
    text = json.dumps(proof.data(), ensure_ascii=False)
    return mark_safe(text.translate(ESCAPES))


def _asset(name: str) -> SafeString:
    """A file of this project, which stands in the page as it is."""
    found = finders.find(name)
    if not isinstance(found, str):
        raise FileNotFoundError(name)
    return mark_safe(Path(found).read_text())
