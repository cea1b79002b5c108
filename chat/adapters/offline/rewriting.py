"""Another query for the same question, in the documents' own words.

Always made anew from the question: its words that the documents know, then words of the index
and of the best passages' headings that lie near it. Words that were tried and brought nothing
are not taken again, and no query is made twice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import chain, count

from chat.adapters.offline.reading import Question, Reader
from chat.adapters.offline.text import content, meant, stem, words
from chat.adapters.offline.wordlists import NUMBER_WORDS
from chat.contracts.tasks import RewriteTask

LONGEST = 19  # words of a query
ADDED = 6  # words of the documents in one query
PLACE = 0.01  # of cosine that a place further down the index's list costs a word


def rewrite(task: RewriteTask, reader: Reader) -> str:
    """A query of at most 19 words that is not among the tried ones."""
    question = reader.question(task.question)
    tried = {" ".join(words(query)) for query in (*task.tried, task.question)}
    for query in _queries(task, question, reader):
        if query and query not in tried:
            return query
    return _last_resort(tried, question)


def _queries(task: RewriteTask, question: Question, reader: Reader) -> Iterator[str]:
    """The question with the next few words, then those words alone, window by window."""
    core = _core(question, reader)
    ranked = _ranked(task, question, reader)
    for start in range(0, max(len(ranked), 1), ADDED):
        added = ranked[start : start + ADDED]
        yield _query((*core, *added))
        yield _query(added)


def _core(question: Question, reader: Reader) -> list[str]:
    """The question's words that the documents know; all of them if they know none."""
    asked = meant(question.text)
    known = [word for word in asked if stem(word) in reader.rarity]
    return known or asked


def _ranked(task: RewriteTask, question: Question, reader: Reader) -> list[str]:
    """Words of the documents, nearest to the question first, without those used before."""
    used = _roots(" ".join((*task.tried, *task.avoid, *question.words)))
    headings = (content(hit.passage.heading) for hit in task.hits)
    offered = _fresh((*task.terms, *chain.from_iterable(headings)), used)
    if not offered:
        return []
    nearness = reader.memory.rows(offered) @ question.vector
    order = sorted(range(len(offered)), key=lambda at: PLACE * at - float(nearness[at]))
    return [offered[at] for at in order]


def _fresh(offered: Sequence[str], used: frozenset[str]) -> list[str]:
    """The first word of each root that was not used, in lower case, in order; no numbers."""
    first: dict[frozenset[str], str] = {}
    for word in map(str.lower, offered):
        roots = _roots(word)
        if not roots <= used and word not in NUMBER_WORDS and not word.isdigit():
            first.setdefault(roots, word)
    return list(first.values())


def _roots(text: str) -> frozenset[str]:
    return frozenset(map(stem, words(text)))


def _query(parts: Sequence[str]) -> str:
    return " ".join(dict.fromkeys(parts[:LONGEST]))


def _last_resort(tried: Collection[str], question: Question) -> str:
    """The question's own words, fewer each time; then all of them with a number."""
    asked = (list(question.words) or words(question.text))[: LONGEST - 1]
    fewer = (" ".join(asked[start:]) for start in range(len(asked)))
    numbered = (" ".join((*asked, str(number))) for number in count(2))
    return next(query for query in chain(fewer, numbered) if query not in tried)
