"""Words meet without case, accents and endings, and with one slip; other words do not."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.tools.folding import fitting, folded, mended, pattern, root, stands_in, words

AREAS = ("Berlin, Germany", "Dublin, Ireland", "Galway, Ireland", "Montréal, Canada", "Online")
KINDS = ("course", "data centre", "meet-up", "network exchange", "partner")


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("MONTRÉAL", "montreal"),
        ("Fährmann & Söhne", "fahrmann & sohne"),
        ("Straße", "strasse"),
        ("ŁÓDŹ", "lodz"),
        ("Ångström", "angstrom"),
        ("ﬁne", "fine"),
    ],
)
def test_case_and_accents_fall_away(text: str, plain: str) -> None:
    assert folded(text) == plain


def test_small_words_say_nothing_unless_they_stand_alone() -> None:
    assert words("The partners in Dublin") == ["partners", "dublin"]
    assert words("the") == ["the"]
    assert words("!?") == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("agency", "agencies"),
        ("company", "companies"),
        ("migration", "migrate"),
        ("shop", "shops"),
        ("up", "ups"),
    ],
)
def test_forms_of_a_word_begin_alike(one: str, other: str) -> None:
    assert stands_in(one, [other])
    assert stands_in(other, [one])


def test_a_short_word_is_found_whole_only() -> None:
    assert not stands_in("us", ["using"])
    assert stands_in("us", ["us"])


@pytest.mark.parametrize(
    ("asked", "values"),
    [
        ("Dublin, Ireland", ("Dublin, Ireland",)),
        ("dublin", ("Dublin, Ireland",)),
        ("ireland", ("Dublin, Ireland", "Galway, Ireland")),
        ("in Dublin", ("Dublin, Ireland",)),
        ("montreal", ("Montréal, Canada",)),
        ("Berlin, Brandenburg", ()),
        ("Cork, Ireland", ()),
        ("Paris", ()),
        ("...", ()),
    ],
)
def test_an_area_is_found_by_its_words(asked: str, values: tuple[str, ...]) -> None:
    assert fitting(asked, AREAS).values == values


@pytest.mark.parametrize(
    ("asked", "kind"),
    [
        ("Partner", "partner"),
        ("partners", "partner"),
        ("Larkspur partners", "partner"),
        ("data centers", "data centre"),
        ("meet-ups", "meet-up"),
        ("exchange", "network exchange"),
        ("parnter", "partner"),
    ],
)
def test_a_kind_is_found_in_its_usual_forms(asked: str, kind: str) -> None:
    assert fitting(asked, KINDS).values == (kind,)


def test_what_was_mended_is_told() -> None:
    assert fitting("Dubiln", AREAS).changes == (("dubiln", "dublin"),)
    assert fitting("Dublin", AREAS).changes == ()


@pytest.mark.parametrize(
    ("typed", "known"),
    [
        ("austria", {"australia"}),  # two letters apart: another country
        ("iran", {"iraq"}),  # too short to be a slip
        ("perth", {"porto"}),
        ("baden", {"bader", "baten"}),  # two candidates are none
    ],
)
def test_another_word_is_not_taken_for_a_slip(typed: str, known: set[str]) -> None:
    assert mended([typed], known).words == (typed,)


@pytest.mark.parametrize("typed", ["dubln", "dubblin", "dubkin", "dbulin", "ublin", "dublinn"])
def test_one_lost_added_wrong_or_swapped_letter_is_mended(typed: str) -> None:
    assert mended([typed], {"dublin", "toronto"}).words == ("dublin",)


letters = st.text(st.characters(categories=("Ll", "Lu", "Nd")), min_size=1, max_size=12)


@given(letters)
def test_a_word_finds_itself_and_its_pattern_is_a_fair_expression(word: str) -> None:
    for each in words(word):
        assert stands_in(each, [each])
        assert each.startswith(root(each))
        assert re.compile(pattern(each).replace(r"\m", r"\b").replace(r"\M", r"\b")).search(each)


@given(st.text())
def test_folding_again_changes_nothing(text: str) -> None:
    assert folded(folded(text)) == folded(text)


@given(st.text(max_size=40), st.lists(st.text(max_size=40), max_size=4))
def test_any_text_can_be_asked_for(asked: str, values: list[str]) -> None:
    assert set(fitting(asked, values).values) <= set(values)
