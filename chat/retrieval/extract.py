"""Files into titled sections. Markdown so far; each kind of file is one function here.

A section is what is found, shown and cited: the text under a `##` heading, cut further only
when it is too long for one vector. Its key stays the same for as long as its heading does.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.utils.text import slugify
from markdown_it import MarkdownIt
from markdown_it.token import Token

from chat.contracts.errors import ChatError
from chat.retrieval.split import parts

NAME_LIMIT = 300  # characters of a title or heading, as the tables hold them
SLUG_LIMIT = 80
SPLITTING_LEVELS = ("h1", "h2")
FRONT_MATTER = re.compile(r"\A---\n(.*?\n)---(?:\n|\Z)", re.DOTALL)


class BadFile(ChatError):
    """This file cannot be read."""

    code = "bad_file"

    def __init__(self, path: Path, problem: str, fix: str) -> None:
        """`problem` and `fix` are each a sentence or a part of one, for the operator."""
        self.path = path
        super().__init__(f"{path}: {problem} {fix}")


@dataclass(frozen=True, slots=True)
class Section:
    """One chunk to be. `key` is unique in its document; `page` counts from 1 where there are."""

    key: str
    heading: str
    text: str
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Extracted:
    """A document as read: `text` is the whole of it, normalised, for telling versions apart."""

    slug: str
    title: str
    text: str
    sections: tuple[Section, ...]
    url: str = ""


def extract(path: Path, slug: str) -> Extracted:
    """Reads one file. Raises BadFile, which names it and says what to do."""
    if not path.exists():
        raise BadFile(path, "it does not exist.", "Check the path.")
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise BadFile(path, "this kind of file is not supported.", f"Use one of {KINDS}.")
    return reader(path, slug)


def _markdown(path: Path, slug: str) -> Extracted:
    text = _read(path)
    body, fields = _without_front_matter(text)
    blocks = list(_headed(body))
    titles = [block.heading for block in blocks if block.tag == "h1"]
    title = (titles[0] if titles else "") or fields.get("title", "")
    if not title:
        raise BadFile(path, "it has no title.", "Begin it with a line such as `# Refunds`.")
    sections = tuple(_sections(slug, title, blocks))
    if not sections:
        raise BadFile(path, "it has headings but no text.", "Write the text, or leave it out.")
    return Extracted(slug, title[:NAME_LIMIT], text, sections, fields.get("url", ""))


@dataclass(frozen=True, slots=True)
class _Block:
    """The text under one heading; `tag` is empty for what stands before the first one."""

    tag: str
    heading: str
    text: str


def _headed(body: str) -> Iterator[_Block]:
    """Cuts at headings of level 1 and 2; deeper ones stay in the text."""
    lines = body.split("\n")
    tag, heading, start = "", "", 0
    for opening, inline in _headings(body):
        assert opening.map is not None
        yield _Block(tag, heading, "\n".join(lines[start : opening.map[0]]).strip())
        tag, heading, start = opening.tag, _plain(inline), opening.map[1]
    yield _Block(tag, heading, "\n".join(lines[start:]).strip())


def _headings(body: str) -> Iterator[tuple[Token, Token]]:
    """The parser knows what a line with `#` in a code block is: no heading."""
    tokens = MarkdownIt("commonmark").parse(body)
    for opening, inline in zip(tokens, tokens[1:], strict=False):
        is_heading = opening.type == "heading_open" and opening.level == 0
        if is_heading and opening.tag in SPLITTING_LEVELS:
            yield opening, inline


def _sections(slug: str, title: str, blocks: list[_Block]) -> Iterator[Section]:
    taken: set[str] = set()
    for block in blocks:
        heading = "" if block.heading == title else block.heading
        name = slugify(heading or title, allow_unicode=True)[:SLUG_LIMIT].strip("-") or "section"
        for part in parts(block.text):
            yield Section(f"{slug}#{_free(name, taken)}", heading[:NAME_LIMIT], part)


def _free(name: str, taken: set[str]) -> str:
    """`refunds`, then `refunds-2`, and so on; notes it as taken."""
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    taken.add(free)
    return free


def _plain(inline: Token) -> str:
    """The words of a heading, without its emphasis, links and code marks."""
    words = [child.content for child in inline.children or () if child.content]
    return " ".join("".join(words).split())


def _without_front_matter(text: str) -> tuple[str, dict[str, str]]:
    """The text below a `---` block, and the block's `name: value` lines."""
    match = FRONT_MATTER.match(text)
    if match is None:
        return text, {}
    pairs = (line.partition(":") for line in match.group(1).splitlines() if ":" in line)
    return text[match.end() :], {
        name.strip().lower(): value.strip().strip("\"'") for name, _, value in pairs
    }


def _read(path: Path) -> str:
    try:
        raw = path.read_bytes()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise BadFile(path, f"it cannot be opened ({reason}).", "Check it.") from error
    try:
        text = normalised(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        where = raw[: error.start].count(b"\n") + 1
        raise BadFile(path, f"line {where} is not UTF-8.", "Save it as UTF-8.") from error
    if not text:
        raise BadFile(path, "it is empty.", "Write something, or leave it out.")
    return text


def normalised(text: str) -> str:
    """One spelling of what reads the same: composed letters, plain line ends, no loose blanks."""
    lines = unicodedata.normalize("NFC", text).replace("\0", "\ufffd").splitlines()
    return "\n".join(line.rstrip() for line in lines).strip("\n")


READERS = {".md": _markdown, ".markdown": _markdown}
KINDS = ", ".join(READERS)
