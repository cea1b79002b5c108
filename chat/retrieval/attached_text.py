"""Attached documents as passages, and how well each holds the words of a query. Pure.

Cut as the index cuts its documents. A scan line by line finds Markdown's headings, since a
stranger's text must not choose how long a parser works.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import snowballstemmer

from chat.contracts.passages import Passage
from chat.retrieval.split import parts
from chat.retrieval.terms import rarity

PREFIX = "attachment:"
MARKDOWN = "text/markdown"
PAGED = "application/pdf"
PAGE_BREAK = "\f"
HEADING_LIMIT = 300  # characters, as of the index's own

HEADING = re.compile(r" {0,3}#{1,3}[ \t]+([^\s#].*?)[ \t]*#*[ \t]*$")
FENCE = re.compile(r" {0,3}(```|~~~)")
WORD = re.compile(r"\w+")
SATURATION = 0.5  # of a word's count in a chunk: the first time says most


@dataclass(frozen=True, slots=True)
class AttachedDocument:
    """A text that came with a question. `id` is its row's; `is_own` of the question itself.

    The pages of a PDF stand between form feeds. What came with an earlier question of the
    branch is searched too, but has no place of its own among the hits.
    """

    id: str
    name: str
    kind: str
    media_type: str
    text: str
    is_own: bool = True


def passages_of(document: AttachedDocument) -> tuple[Passage, ...]:
    """The document's passages in its order, as they are found and cited."""
    key = f"{PREFIX}{document.id}"
    return tuple(
        Passage(
            chunk=f"{key}#{ordinal + 1}",
            document=key,
            version=1,
            title=document.name,
            heading=heading[:HEADING_LIMIT],
            text=text,
            page=page,
            ordinal=ordinal,
        )
        for ordinal, (heading, page, text) in enumerate(_pieces(document))
    )


def _pieces(document: AttachedDocument) -> Iterator[tuple[str, int | None, str]]:
    """Heading, page and text of each passage."""
    if document.media_type == PAGED:
        for page, text in enumerate(document.text.split(PAGE_BREAK), start=1):
            yield from (("", page, part) for part in parts(text))
    elif document.media_type == MARKDOWN:
        for heading, text in _headed(document.text):
            yield from ((heading, None, part) for part in parts(text))
    else:
        yield from (("", None, part) for part in parts(document.text))


def _headed(text: str) -> Iterator[tuple[str, str]]:
    """The text under each heading, or the heading itself; a `#` in a code block makes none."""
    heading, lines, fence = "", list[str](), ""
    for line in text.split("\n"):
        mark = FENCE.match(line)
        if mark and fence in ("", mark[1]):
            fence = "" if fence else mark[1]
        found = None if fence or mark else HEADING.match(line)
        if found is None:
            lines.append(line)
            continue
        yield heading, _joined(lines) or heading
        heading, lines = found[1], []
    yield heading, _joined(lines) or heading


def _joined(lines: Sequence[str]) -> str:
    return "\n".join(lines).strip()


def shares(query: str, texts: Sequence[str]) -> list[float | None]:
    """For each text the share of the query's rarity that it holds, over 0 to 1; None for none.

    The same measure as the index's, with the rarity in these texts alone.
    """
    wanted = {stem(word) for word in words(query)}
    counts = [_counted(wanted, text) for text in texts]
    holding = Counter(word for count in counts for word in count)
    weights = {word: rarity(holding[word], len(texts)) for word in wanted}
    whole = sum(weights.values())
    return [_share(count, weights) / whole if count else None for count in counts]


def _share(count: Counter[str], weights: dict[str, float]) -> float:
    return sum(weights[word] * times / (times + SATURATION) for word, times in count.items())


def _counted(wanted: set[str], text: str) -> Counter[str]:
    """How often each wanted stem is in the text. Only words that begin alike are stemmed."""
    openings = {word[:2] for word in wanted}
    near = (word for word in words(text) if word[:2] in openings)
    return Counter(found for word in near if (found := stem(word)) in wanted)


def words(text: str) -> list[str]:
    """Lower-case words and numbers; a lone letter is none, a lone digit is."""
    found = (match.group() for match in WORD.finditer(text.casefold()))
    return [word for word in found if len(word) > 1 or not word.isascii() or word.isdigit()]


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The English stem. A stemmer holds the word it works on, so threads share none."""
    return str(snowballstemmer.stemmer("english").stemWord(word))
