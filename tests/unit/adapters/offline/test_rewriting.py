"""A rewrite is new, short, made from the question, and turns to the documents' words."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from chat.adapters.offline.reading import Reader
from chat.adapters.offline.rewriting import LONGEST, rewrite
from chat.contracts.passages import Hit
from chat.contracts.tasks import RewriteTask
from tests.unit.adapters.offline import library

TERMS = ("late", "fees", "desk", "cash", "children", "21", "two", "item")
HITS = (Hit(passage=library.passage("Late fees"), score=0.5),)
WORDS = st.lists(st.sampled_from("fine money book late fees ? kubernetes 3 é".split()), max_size=25)


def _task(question: str, *tried: str, avoid: tuple[str, ...] = ()) -> RewriteTask:
    return RewriteTask(
        question=question, tried=tried or (question,), hits=HITS, terms=TERMS, avoid=avoid
    )


def test_the_known_words_stay_and_the_documents_words_come_in(reader: Reader) -> None:
    query = rewrite(_task("penalty for an overdue item in euros"), reader).split()

    assert query[:2] == ["item", "euros"]
    assert {"late", "fees"} <= set(query)


def test_numbers_make_no_query(reader: Reader) -> None:
    assert not {"21", "two"} & set(rewrite(_task("penalty for an item"), reader).split())


def test_words_that_brought_nothing_are_not_taken_again(reader: Reader) -> None:
    first = rewrite(_task("penalty for an item"), reader)
    added = tuple(word for word in first.split() if word != "item")
    second = rewrite(
        _task("penalty for an item", "penalty for an item", first, avoid=added), reader
    )

    assert not set(added) & set(second.split())


def test_ten_rewrites_of_one_question_are_ten_queries(reader: Reader) -> None:
    tried = ["penalty for an item"]
    for _ in range(10):
        tried.append(rewrite(_task(tried[0], *tried), reader))

    assert len(set(tried)) == len(tried)


@given(question=WORDS.map(" ".join).filter(str.strip), tried=st.lists(WORDS.map(" ".join)))
def test_it_is_short_and_was_never_tried(reader: Reader, question: str, tried: list[str]) -> None:
    query = rewrite(_task(question, question, *tried), reader)

    assert 0 < len(query.split()) <= LONGEST
    assert query not in (question, *tried)


def test_the_same_task_gives_the_same_query(reader: Reader) -> None:
    task = _task("penalty for an item")

    assert rewrite(task, reader) == rewrite(task, reader)
