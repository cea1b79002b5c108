"""What is not answered: a rule decides alone, a score from its threshold, a cue in an outage."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.contracts.site_rules import RestrictedCategory
from chat.contracts.verdicts import Level, TopicLabel, TopicVerdict
from chat.guardrails import scope

ADVICE = RestrictedCategory(
    name="advice",
    title="Advice about the person",
    rules=(r"\bshould i (?:sue|invest)\b", r"\bgiven my (?:situation|income)\b"),
    unless=(r"\byour terms\b",),
    cues=("lawyer", "my doctor's", "tax return"),
    threshold=0.4,
    reply="Advice is not given here. A lawyer can give it.",
)
OTHERS = RestrictedCategory(
    name="others",
    title="Another person's account",
    rules=(r"\bmy ex's account\b",),
    threshold=0.8,
    reply="Only the owner decides. The owner can invite you.",
)
BOTH = (ADVICE, OTHERS)


def verdict(**scores: float) -> TopicVerdict:
    return TopicVerdict(label=TopicLabel.RELEVANT, confidence=Level.HIGH, restricted=scores)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Should I sue them?", "advice"),
        ("SHOULD I INVEST", "advice"),
        ("given my situation, is fixing better for me?", "advice"),
        ("log into my ex's account", "others"),
        ("log into my ex’s account", "others"),
        ("What should I do if my card is lost?", ""),
        ("should isue", ""),
        ("", ""),
    ],
)
def test_a_rule_decides_alone(question: str, name: str) -> None:
    assert scope.by_rule(question, BOTH) == name


@pytest.mark.parametrize(
    "question",
    [
        "should\n\tI   sue",
        "ｓｈｏｕｌｄ Ｉ ｓｕｅ",
        "sho\u200buld I su\u00ade",
        "should\u00a0i\u2003sue",
        "𝘴𝘩𝘰𝘶𝘭𝘥 i sue",
    ],
    ids=["line breaks", "wide letters", "unseen characters", "other spaces", "styled letters"],
)
def test_a_rule_sees_through_the_dress_of_a_text(question: str) -> None:
    assert scope.by_rule(question, BOTH) == "advice"


def test_what_takes_a_match_back_is_of_its_own_category_alone() -> None:
    assert scope.by_rule("should i sue over your terms", BOTH) == ""
    assert scope.by_rule("my ex's account and your terms", BOTH) == "others"


def test_the_first_category_that_matches_speaks() -> None:
    asked = "should i sue to get into my ex's account"
    assert scope.by_rule(asked, BOTH) == "advice"
    assert scope.by_rule(asked, BOTH[::-1]) == "others"


def test_without_categories_everything_passes() -> None:
    assert scope.by_rule("should i sue", ()) == ""
    assert scope.by_score(verdict(advice=1.0), ()) == ""
    assert scope.suspicious("a lawyer", ()) == ""


@pytest.mark.parametrize(
    ("scores", "name"),
    [
        ({"advice": 0.4}, "advice"),
        ({"advice": 0.39}, ""),
        ({"others": 0.79}, ""),
        ({"others": 0.8}, "others"),
        ({"advice": 0.5, "others": 0.9}, "others"),
        ({"advice": 0.95, "others": 0.9}, "advice"),
        ({"advice": 0.5, "others": 0.7}, "advice"),
        ({"weapons": 1.0}, ""),
        ({"advice": float("nan")}, ""),
        ({}, ""),
    ],
)
def test_each_category_has_a_threshold_of_its_own_and_the_surest_speaks(
    scores: dict[str, float], name: str
) -> None:
    assert scope.by_score(verdict(**scores), BOTH) == name


def test_a_threshold_of_zero_needs_a_score_all_the_same() -> None:
    always = ADVICE.model_copy(update={"threshold": 0.0})
    assert scope.by_score(verdict(), (always,)) == ""
    assert scope.by_score(verdict(advice=0.0), (always,)) == "advice"


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("I am a lawyer. What does a server cost?", "advice"),
        ("my doctor’s site is down", "advice"),
        ("an invoice for my TAX  RETURN", "advice"),
        ("the lawyers", ""),
        ("what does a server cost", ""),
        ("should i sue over your terms", "advice"),
    ],
    ids=[
        "a cue",
        "a cue with a quote",
        "a cue of two words",
        "part of a word",
        "none",
        "taken back",
    ],
)
def test_in_an_outage_a_cue_or_a_rule_that_was_taken_back_is_enough(
    question: str, name: str
) -> None:
    assert scope.suspicious(question, BOTH) == name


def test_a_category_without_cues_and_rules_suspects_nothing() -> None:
    bare = RestrictedCategory(name="bare", title="Bare", reply="Nothing is said of that here.")
    assert scope.suspicious("anything at all", (bare,)) == ""
    assert scope.by_rule("anything at all", (bare,)) == ""


def test_the_reply_is_the_fixed_one_and_a_forgotten_name_has_one_too() -> None:
    assert scope.reply_of("others", BOTH) == OTHERS.reply
    assert scope.reply_of("gone", BOTH) == scope.UNNAMED


def test_a_changed_category_is_compiled_anew() -> None:
    changed = ADVICE.model_copy(update={"rules": (r"\bshould i plead\b",)})
    assert scope.by_rule("should i sue", (ADVICE,)) == "advice"
    assert scope.by_rule("should i sue", (changed,)) == ""
    assert scope.by_rule("should i plead", (changed,)) == "advice"


@given(st.text(max_size=300))
def test_any_text_is_read_and_what_is_suspected_holds_what_a_rule_stops(text: str) -> None:
    found = scope.by_rule(text, BOTH)
    assert found in ("", "advice", "others")
    if found:
        assert scope.suspicious(text, BOTH)


@given(st.text(max_size=200))
def test_the_plain_view_of_a_plain_view_is_itself(text: str) -> None:
    assert scope.plain(scope.plain(text)) == scope.plain(text)
