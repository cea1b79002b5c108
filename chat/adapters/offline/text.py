"""Text as the offline model reads it: words, stems, sentences. Pure.

Sentences keep their own characters, so that an answer can quote them; words and stems are
lower case and only serve to compare.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import snowballstemmer

from chat.adapters.offline.wordlists import IRREGULAR, MEANT, REPHRASED, SHORT_FORMS, STOP_WORDS

WORD = re.compile(r"[a-z0-9]+(?:['.,/][a-z0-9]+)*[+#]*", re.IGNORECASE)
SHORT_FORM = re.compile(r"(?<![\w'/.])[a-z0-9]+(?:/[a-z0-9]*)?(?![\w'/]|\.\w)", re.IGNORECASE)
QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})

BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,2}[.)])\s+")
ROW = re.compile(r"^\s*\|")
NOISE = re.compile(r"^\s*(?:#{1,6}\s|```|~~~|\|?\s*:?-{3,}|<!--)")
# A full stop ends a sentence when a space and no lower-case letter follow, unless it belongs
# to a short form, an initial or a number.
BREAK = re.compile(r"(?<=[.!?])(?:[\"')\]]{0,2})\s+(?=[\"'(\[]?[A-Z0-9`*_])")
NOT_AN_END = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|cf|vs|approx|no|fig|mr|mrs|ms|dr|st|prof|jr|sr|inc|ltd|co|dept)"
    r"|(?:^|\s)[A-Z]|\b[A-Za-z]\.[A-Za-z])\.$",
    re.IGNORECASE,
)
_HOW_MUCH = re.compile(
    r"\bhow (?:long|much|many|often|fast|quick(?:ly)?|soon|big|large|far|old|expensive)\b ?",
    re.IGNORECASE,
)
LONG_ITEM = 20  # words from which an item of two sentences is a paragraph; one of three is anyway
TITLE = 3  # words of a clause's title, which stays with the first sentence
_BRACKETED = re.compile(r"\[(\^?\d[^\[\]]{0,12})\]")
_REPHRASED = tuple((re.compile(said, re.IGNORECASE), word) for said, word in REPHRASED.items())
_MEANT = tuple((re.compile(pattern), word) for pattern, word in MEANT.items())


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, list item or table row of a passage. `listed` keeps it on its own line."""

    text: str
    listed: bool = False


def plain(text: str) -> str:
    """Straight quotes and single spaces."""
    return " ".join(text.translate(QUOTES).split())


def spelt_out(text: str) -> str:
    """The text with what people type in a hurry written in full; other words stay."""
    text = plain(SHORT_FORM.sub(_long_form, text.translate(QUOTES)))
    for pattern, meant_word in _REPHRASED:
        text = pattern.sub(meant_word, text)
    return text


def _long_form(match: re.Match[str]) -> str:
    return SHORT_FORMS.get(match.group().lower(), match.group())


def words(text: str) -> list[str]:
    """Lower-case words in order; `1.50`, `24/7` and `don't` are one word each."""
    return [match.group().lower().removesuffix("'s") for match in WORD.finditer(plain(text))]


def content(text: str) -> list[str]:
    """The words that say what the text is about, in order."""
    return [word for word in words(text) if word not in STOP_WORDS and _speaks(word)]


def meant(text: str) -> list[str]:
    """The content words of a question, with the words for what it says in other ways.

    The measure in `how long` or `how much` is not what it is about.
    """
    said = [word for pattern, word in _MEANT if pattern.search(text.lower())]
    asked = _HOW_MUCH.sub("how ", plain(text))
    return list(dict.fromkeys((*content(asked), *content(" ".join(said)))))


def stems(text: str) -> frozenset[str]:
    """The stems of the content words."""
    return frozenset(map(stem, content(text)))


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """A word without its ending, so that `restoring` and `restored` meet. English."""
    root = IRREGULAR.get(word, word)
    # A stemmer holds the word it works on, so threads must not share one.
    return str(snowballstemmer.stemmer("english").stemWord(root))


def _speaks(word: str) -> bool:
    return len(word) > 1 or word.isdigit()


def sentences(text: str) -> tuple[Sentence, ...]:
    """The whole sentences, items and rows of a passage in order, without headings and rules."""
    found: list[Sentence] = []
    for block in _blocks(text):
        if BULLET.match(block):
            found += _of_an_item(plain(BULLET.sub("", block)))
        elif ROW.match(block):
            found.append(Sentence(plain(block.strip().strip("|")), listed=True))
        else:
            found += [Sentence(piece) for piece in _split(plain(block))]
    return tuple(sentence for sentence in found if WORD.search(sentence.text))


def _of_an_item(text: str) -> list[Sentence]:
    """One line of a list; a numbered clause of a contract is a paragraph with sentences."""
    pieces = _split(text)
    if len(pieces) < 2 or (len(pieces) == 2 and len(words(text)) <= LONG_ITEM):
        return [Sentence(text, listed=True)]
    if len(words(pieces[0])) <= TITLE:
        pieces[:2] = [" ".join(pieces[:2])]
    return [Sentence(piece) for piece in pieces]


def _blocks(text: str) -> Iterable[str]:
    """Paragraphs, items and rows; a line that continues its item or paragraph joins it."""
    block = ""
    for line in text.splitlines():
        starts = bool(BULLET.match(line) or ROW.match(line))
        if not line.strip() or NOISE.match(line) or starts:
            if block:
                yield block
            block = line if starts and not NOISE.match(line) else ""
        else:
            block = f"{block} {line.strip()}" if block else line.strip()
    if block:
        yield block


def _split(text: str) -> list[str]:
    pieces: list[str] = []
    for piece in BREAK.split(text):
        if pieces and NOT_AN_END.search(pieces[-1]):
            pieces[-1] = f"{pieces[-1]} {piece}"
        else:
            pieces.append(piece)
    return pieces


def clipped(text: str, longest: int = 120) -> str:
    """The text, cut at a word with an ellipsis if it has more than `longest` characters."""
    if len(text) <= longest:
        return text
    return text[:longest].rsplit(" ", 1)[0].rstrip(",;:") + " …"


def cited(text: str, marker: int) -> str:
    """The sentence with its marker before the full stop.

    A number in brackets that stands in the document must not pass for a marker.
    """
    text = _BRACKETED.sub(r"(\1)", text)
    if text.endswith((".", "!", "?")):
        return f"{text[:-1]} [{marker}]{text[-1]}"
    return f"{text} [{marker}]"
