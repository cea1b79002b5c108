"""The words of a claim or a source as they are compared: stems, and the words that turn a sense.

Small words do not count. Words of denial, limit, doubt and amount count in both directions: a
source that says `not`, `only`, `if` or `may` where the claim does not says something else.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import snowballstemmer

SMALL = frozenset(
    "a an the is are was were be been being am has have had having do does did of in on at for "
    "with as and it its they them their this that these those you your we our us he she his her "
    "him which who whom whose there here then so also too just will to per into onto s "
    "re ve ll d please simply very well both".split()
)
_DENY = "not never no none nobody nothing neither nor without cannot hardly barely".split()
_TURNS = frozenset(
    _DENY
    + "except unless only until if but however although though whether or either before after "
    "since during may might could would should must shall can more less fewer most least over "
    "under above below between than by from all every each any some many few several half "
    "mostly usually often sometimes rarely always generally typically normally nearly almost "
    "about up down instead rather otherwise when where while because reportedly allegedly "
    "possibly perhaps probably likely unlikely planned expected believed alleged suggested "
    "claimed claims claim i me my".split()
)
_TURN = "~"  # the sign: a stem such as `under` (of `underlying`) turns nothing
_SIGNED = {word: _TURN + ("not" if word in _DENY else word) for word in _TURNS}
_FOLDED = {
    **{"won't": "not", "can't": "can not", "cannot": "can not", "an't": "not"},
    **{"monthly": "month", "yearly": "year", "annual": "year", "annually": "year"},
    **{"annum": "year", "daily": "day", "weekly": "week", "hourly": "hour"},
    **{"couldn't": "could not", "shouldn't": "should not", "wouldn't": "would not"},
}
ALIKE = (("price", "cost"), ("e-mail", "email"), ("web site", "website"), ("log in", "login"))
_IRREGULAR = {
    **dict.fromkeys(("went", "gone", "goes"), "go"),
    **dict.fromkeys(("paid", "pays"), "pay"),
    **dict.fromkeys(("sent",), "send"),
    **dict.fromkeys(("took", "taken"), "take"),
    **dict.fromkeys(("gave", "given"), "give"),
    **dict.fromkeys(("made",), "make"),
    **dict.fromkeys(("got", "gotten"), "get"),
    **dict.fromkeys(("kept",), "keep"),
    **dict.fromkeys(("began", "begun"), "begin"),
    **dict.fromkeys(("rose", "risen"), "rise"),
    **dict.fromkeys(("fell", "fallen"), "fall"),
    **dict.fromkeys(("grew", "grown"), "grow"),
    **dict.fromkeys(("won",), "win"),
    **dict.fromkeys(("wrote", "written"), "write"),
    **dict.fromkeys(("people", "persons"), "person"),
    **dict.fromkeys(("children",), "child"),
}
_WORD = re.compile(r"[^\W_]+(?:['.][^\W_]+)*")
_APOSTROPHES = "\u2019\u2018\u02bc"

Stems = tuple[str, ...]
Groups = Mapping[str, Sequence[tuple[Stems, str]]]


@dataclass(frozen=True, slots=True)
class Said:
    """A text as it is compared: its `content` in order, and its `turns` sorted, each as often as
    it is said: `not` twice is not `not` once."""

    content: Stems
    turns: Stems


def plain(text: str) -> str:
    """The text in lower case, with one kind of apostrophe and one writing of each letter."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
        for sign in _APOSTROPHES:
            text = text.replace(sign, "'")
    return text.casefold()


def read(text: str, groups: Groups | None = None) -> Said:
    """A text's words. `groups` puts one name in place of each of its near-synonyms."""
    told = _telling(text)
    folded = _grouped(told, groups) if groups else told
    turns = sorted(word[1:] for word in folded if word[0] == _TURN)
    return Said(tuple(word for word in folded if word[0] != _TURN), tuple(turns))


def _telling(text: str) -> list[str]:
    """The words that are not small: stems, and under a sign those that turn a sense."""
    words = (word for word in _words(plain(text)) if word not in SMALL)
    return [_SIGNED.get(word) or stem(word) for word in words]


def stems(text: str) -> Stems:
    """The stems of all words that are not small, those that turn a sense among them."""
    return tuple(stem(word) for word in _words(plain(text)) if word not in SMALL)


def content_words(text: str) -> list[str]:
    """The words themselves that neither are small nor turn a sense, in lower case."""
    return [word for word in _words(plain(text)) if word not in SMALL and word not in _TURNS]


def _words(text: str) -> list[str]:
    words: list[str] = []
    for word in _WORD.findall(text):
        if "'" in word:
            word = word.removesuffix("'s")
            word = _FOLDED.get(word, word)
            if word.endswith("n't"):
                word = f"{word[:-3]} not"
            words += word.replace("'", " ").split()
        else:
            words += _FOLDED[word].split() if word in _FOLDED else (word,)
    return words


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """A word without its ending. English; a word with a digit stays as it is."""
    if len(word) > 40 or not word.isalpha():
        return word
    # A stemmer holds the word it works on, so threads must not share one.
    return str(snowballstemmer.stemmer("english").stemWord(_IRREGULAR.get(word, word)))


@lru_cache(maxsize=8)
def groups_of(synonyms: tuple[tuple[str, ...], ...]) -> Groups:
    """Near-synonyms, those of the site and a few of everybody, by the first stem of each name."""
    by_first: dict[str, list[tuple[Stems, str]]] = {}
    for number, group in enumerate((*ALIKE, *synonyms)):
        for name in group:
            parts = tuple(_telling(name))
            if parts:
                by_first.setdefault(parts[0], []).append((parts, f"={number}"))
    return {
        first: sorted(names, key=lambda name: -len(name[0])) for first, names in by_first.items()
    }


def _grouped(content: list[str], groups: Groups) -> list[str]:
    """Each name of a group becomes the group's own sign; `after` in a name turns nothing."""
    folded: list[str] = []
    place = 0
    while place < len(content):
        for parts, sign in groups.get(content[place], ()):
            if tuple(content[place : place + len(parts)]) == parts:
                folded.append(sign)
                place += len(parts)
                break
        else:
            folded.append(content[place])
            place += 1
    return folded
