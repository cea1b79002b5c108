"""An expression of an owner's runs in bounded time, or it is refused with what to write instead."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.guardrails.expressions import LONGEST, TOO_MANY_WAYS, problem

RUNS_AWAY = {
    "nested repeats": r"(a+)+b",
    "a repeat of a choice": r"(?:a|aa){0,40}b",
    "a star": r"should i.*sue",
    "a plus": r"\w+ing\b",
    "an open range": r"a{3,}b",
    "a lazy star": r"a.*?b",
    "a possessive plus": r"a\d++b",
    "a wide repeat": r"a[^.]{0,5000}b",
    "three wide repeats in a row": r"x[^.]{0,100}y[^.]{0,100}z[^.]{0,100}w",
    "wide repeats inside a choice": r"x(?:[^.]{0,150}y[^.]{0,150}z|q)[^.]{0,50}w",
    "many optional characters": "x" + "a?" * 20 + "y",
    "a wide look ahead after a wide repeat": r"x[^.]{0,150}(?=[^.]{0,150}a[^.]{0,150}b)y",
    "a backward reference": r"(a{1,9})\1b",
    "a named reference": r"(?P<x>a)(?P=x)",
}
FINE = {
    "words": r"\bshould i (?:sue|press charges)\b",
    "one gap": r"\bshould i\b[^.?!]{0,80}\b(?:court|judge)\b",
    "two gaps": r"\bi earn\b[^?]{0,100}\b(?:saved|owe)\b[^?]{0,100}\binvest\b",
    "an optional word": r"\bfix (?:my |our )?rate\b",
    "an optional choice of gaps": r"\b(?:my \w{1,12} |the )?landlord\b",
    "a look ahead": r"\bgiven my situation\b(?![^?]{0,120}\b(?:plan|server)s?\b)",
    "a look behind": r"(?<!life )savings account",
    "an exact count": r"\b\d{13}\b",
    "quantifiers in a class": r"[*+?{(|]{1,3}x",
    "escaped quantifiers": r"401\(k\)\+|a\{2,\}|\*",
    "an end of the text": r"sued(?: by|[.,?!]|$)",
    "a class with a bracket": r"[]a]x[^]b]",
}


@pytest.mark.parametrize("expression", RUNS_AWAY.values(), ids=RUNS_AWAY.keys())
def test_what_could_run_away_is_refused_with_a_way_out(expression: str) -> None:
    said = problem(expression)
    assert re.search(r"Write|Make|Repeat", said), said


@pytest.mark.parametrize("expression", FINE.values(), ids=FINE.keys())
def test_what_is_bounded_may_run(expression: str) -> None:
    assert problem(expression) == ""


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("", "empty"),
        ("  ", "empty"),
        ("(unclosed", "does not compile"),
        ("a{2,1}", "does not compile"),
        (r"(?<=a{1,3})b", "does not compile"),
        ("[[a]b", "does not compile"),
        ("a?", "matches an empty text"),
        ("a|", "matches an empty text"),
        ("$", "matches an empty text"),
        ("a" * (LONGEST + 1), "longer than"),
        ("(?i)a", "sets a flag"),
        ("a(?#note)b", "holds a note"),
        (r"(a)?(?(1)b|c)", "refers back"),
        (r"a(?:bc){2}", "repeats a group"),
        ("(" * 2_000, "longer than"),
    ],
)
def test_each_fault_is_named(expression: str, words: str) -> None:
    assert words in problem(expression)


def test_a_choice_counts_as_its_widest_branch() -> None:
    branch = r"x[^.]{0,190}y[^.]{0,190}z"
    assert problem(f"a(?:{branch}|{branch})") == ""
    assert problem(f"a(?:{branch}|{branch})[^.]{{0,10}}b") == TOO_MANY_WAYS


def test_a_look_ahead_that_has_passed_is_not_tried_in_other_ways() -> None:
    assert problem(r"a(?![^?]{0,120}\bplan\b)[^.]{0,80}b[^.]{0,80}c") == ""
    assert problem(r"a(?:[^?]{0,120}\bplan\b)[^.]{0,80}b[^.]{0,80}c") == TOO_MANY_WAYS


PIECES = st.sampled_from(
    ["a", "b", "ab", r"\b", "[ab]", "a?", "b{0,9}", "[ab]{0,40}", "(?:a|b)", "(?:ab)?", ".{0,20}",
     "(?=a)", "(?:a{0,30}|b)", "a+", "(a*)", "(?:a|ab){0,9}"]
)  # fmt: skip


@given(st.lists(PIECES, min_size=1, max_size=7).map("".join))
def test_whatever_may_run_is_done_soon_on_a_hostile_text(expression: str) -> None:
    if problem(expression + "c"):
        return
    compiled = re.compile(expression + "c")
    started = time.thread_time()
    compiled.search("ab" * 100 + "a" * 100)
    assert time.thread_time() - started < 5  # no matter of speed: a runaway would take years


@given(st.text(alphabet="ab(){}[]|?*+\\1,2:=!<>Pd.^$ ", max_size=40))
def test_no_expression_breaks_the_reading_of_it(expression: str) -> None:
    said = problem(expression)
    if not said:
        assert not re.compile(expression).search("")
