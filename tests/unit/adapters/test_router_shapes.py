"""The shapes of a query: each tells two ways of putting it apart, whatever it is about."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.adapters.query_shapes import NAMES_OF_SHAPES, is_ugly, shapes


def shape(name: str, query: str) -> float:
    return float(shapes([query])[0, NAMES_OF_SHAPES.index(name)])


@pytest.mark.parametrize(
    ("name", "more", "less"),
    [
        ("length", "how long does it take until the money is back", "how long"),
        ("one or two words", "refund time", "time of a refund"),
        ("number", "order 88213", "order of the king"),
        ("code", "auth.E and ERR_SSL", "sign in"),
        ("fault", "permission denied", "permission given"),
        ("fragment", "oak desk drawer", "who sells desks"),
        ("small talk", "good morning", "my server is down"),
        ("question words", "who paid and when", "somebody paid"),
        ("joins", "the fee and the rate", "the fee"),
        ("compares", "is the small one cheaper than the large one", "is it small"),
        ("relative clauses", "the plan that includes backups", "the plan with backups"),
        ("relative clauses", "the plan that includes backups", "which plan includes backups"),
        ("of", "the end of the name of it", "its end"),
        ("names", "was Norah Finch there before Edwin Marsh", "was she there before him"),
        ("commas", "the small, the medium, the large", "all of them"),
        ("addresses", "can you help me", "help is at hand"),
    ],
)
def test_a_shape_is_larger_where_it_is_there(name: str, more: str, less: str) -> None:
    assert shape(name, more) > shape(name, less)


def test_speaking_of_oneself_is_no_name() -> None:
    assert shape("names", "can I know what I paid") == 0


@given(st.lists(st.text(max_size=200), max_size=5))
def test_every_shape_of_every_text_is_between_none_and_one(queries: list[str]) -> None:
    found = shapes(queries)
    assert found.shape == (len(queries), len(NAMES_OF_SHAPES))
    assert np.all((found >= 0) & (found <= 1))


@pytest.mark.parametrize("query", ["E310", "invoice", "ssh: Connection refused", "usb c dock"])
def test_what_is_pasted_or_typed_in_a_hurry_is_ugly(query: str) -> None:
    assert is_ugly(query)


@pytest.mark.parametrize("query", ["thanks", "How much is a server?", "compare the two plans"])
def test_a_sentence_is_not(query: str) -> None:
    assert not is_ugly(query)
