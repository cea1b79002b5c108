"""The site's file is read whole and checked, and what is wrong with it is named by its key."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from chat import checks, site_rules
from chat.site_rules import BadRules, RefusedRules, UnparsableRules, UnreadableRules, read

CATEGORY = """
[[restricted]]
name = "advice"
title = "Advice about the person"
reply = "Advice is not given here. A lawyer can give it."
rules = ['''\\bshould i sue\\b''']
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "rules.toml"


def problems(file: Path, text: str) -> tuple[str, ...]:
    file.write_text(text, "utf-8")
    with pytest.raises(RefusedRules) as refused:
        read(file)
    assert str(file) in str(refused.value)
    return refused.value.problems


def with_key(line: str) -> str:
    return CATEGORY + line + "\n"


def test_an_empty_file_decides_nothing(file: Path) -> None:
    file.write_text("", "utf-8")
    found = read(file)
    assert (found.restricted, found.soften, found.synonyms) == ((), {}, ())
    assert found.judge_precision == 0.8


def test_everything_in_the_file_is_read(file: Path) -> None:
    file.write_text(
        'judge_precision = 0.9\nsynonyms = [["uptime", "availability"]]\n'
        '[soften]\nsadly = "currently"\n'
        '[never_flagged]\nterms = ["DNS"]\nstatutes = ["GDPR"]\n'
        + with_key('threshold = 0.25\ncues = ["lawyer"]\nunless = ["your terms"]'),
        "utf-8",
    )
    found = read(file)
    assert found.judge_precision == 0.9
    assert found.synonyms == (("uptime", "availability"),)
    assert found.soften == {"sadly": "currently"}
    assert (found.never_flagged.terms, found.never_flagged.procedures) == (("DNS",), ())
    assert found.restricted[0].threshold == 0.25
    assert found.restricted[0].rules == (r"\bshould i sue\b",)


@pytest.mark.parametrize(
    ("line", "key", "help_"),
    [
        ("treshold = 0.5", "restricted.advice.treshold", "no such key"),
        ("threshold = 1.5", "restricted.advice.threshold is 1.5", "must be 1 or less"),
        ("threshold = -0.1", "restricted.advice.threshold is -0.1", "must be 0 or more"),
        ('threshold = "half"', "restricted.advice.threshold", "number"),
        ("threshold = nan", "restricted.advice.threshold", ""),
        ("cues = 'lawyer'", "restricted.advice.cues", "tuple"),
        ("cues = ['lawyer', 7]", "restricted.advice.cues[2]", "string"),
        ("cues = ['lawyer', ' ']", "restricted.advice.cues[2]", "blank"),
        ("unless = ['(']", "restricted.advice.unless[1]", "does not compile"),
        ("unless = ['a', 'a.*b']", "restricted.advice.unless[2]", "no upper bound"),
        ("unless = ['']", "restricted.advice.unless[1]", "empty"),
        ("examples = ['should I sue?']", "restricted.advice.allowed", "both sides"),
        ("allowed = ['what does it cost?']", "restricted.advice.examples", "both sides"),
        ("examples = ['a b']\nallowed = ['a b']", "restricted.advice.allowed", "'a b'"),
    ],
)
def test_a_broken_key_of_a_category_is_named(file: Path, line: str, key: str, help_: str) -> None:
    (problem,) = problems(file, with_key(line))
    assert problem.startswith(key)
    assert help_ in problem


@pytest.mark.parametrize(
    ("before", "after", "key"),
    [
        ('"advice"', '"My Advice"', "restricted.My Advice.name"),
        ('"advice"', '"none"', "restricted.none.name"),
        ("Advice about the person", " ", "restricted.advice.title"),
        ("Advice is not given here. A lawyer can give it.", "Sorry.", "restricted.advice.reply"),
        ('name = "advice"', "", "restricted[1].name"),
        ("rules = ['''\\bshould i sue\\b''']", "", "restricted.advice: it has neither"),
        ("\\bshould i sue\\b", "(sue", "restricted.advice.rules[1]"),
        ("\\bshould i sue\\b", "(?:a|b){0,9}c", "restricted.advice.rules[1]"),
    ],
)
def test_a_category_that_could_not_serve_is_refused(
    file: Path, before: str, after: str, key: str
) -> None:
    assert before in CATEGORY
    (problem,) = problems(file, CATEGORY.replace(before, after))
    assert problem.startswith(key)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("judge_precison = 0.8", "judge_precison: there is no such key"),
        ("judge_precision = 2", "judge_precision is 2"),
        ('[soften]\nsadly = " "', "soften.sadly"),
        ('[soften]\n" " = "now"', "soften."),
        ('[never_flagged]\nterms = ["DNS", ""]', "never_flagged.terms[2]"),
        ('[never_flagged]\nwords = ["DNS"]', "never_flagged.words: there is no such key"),
        ('synonyms = [["uptime"]]', "synonyms[1]"),
        ('synonyms = [["uptime", "Uptime"]]', "synonyms[1]"),
        ('synonyms = [["a b", "c"], ["C", "d"]]', "synonyms[2]: 'c' stands in synonyms[1]"),
        ('synonyms = [["a", " "]]', "synonyms[1][2]"),
        (CATEGORY + CATEGORY, "restricted.advice: 2 categories"),
    ],
)
def test_what_is_wrong_elsewhere_is_named_too(file: Path, text: str, key: str) -> None:
    assert problems(file, text)[0].startswith(key)


def test_all_problems_are_told_at_once(file: Path) -> None:
    text = with_key("unless = ['(', 'a+b']") + "[soften]\nsadly = ''\n"
    keys = [line.split(":")[0] for line in problems(file, text)]
    assert keys == ["restricted.advice.unless[1]", "restricted.advice.unless[2]", "soften.sadly"]


def test_a_file_that_is_no_toml_is_told_with_its_line(file: Path) -> None:
    file.write_text("judge_precision = 0.8\nsoften = 7 7\n", "utf-8")
    with pytest.raises(UnparsableRules, match="line 2"):
        read(file)


def test_a_backslash_in_a_plain_string_is_told_what_to_do(file: Path) -> None:
    file.write_text('soften = {a = "\\w"}', "utf-8")
    with pytest.raises(UnparsableRules, match="backslash goes in '''"):
        read(file)


def test_a_file_that_cannot_be_read_is_told(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnreadableRules, match="GUARDRAILS_FILE"):
        read(file)
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(UnreadableRules, match="UTF-8"):
        read(file)
    monkeypatch.setattr(site_rules, "LARGEST", 1)
    with pytest.raises(UnreadableRules, match="larger than"):
        read(file)
    with pytest.raises(UnreadableRules):
        read(file.parent)


def site_goes_by(monkeypatch: pytest.MonkeyPatch, named: str) -> None:
    changed: Any = replace(settings.PLUMBLINE, guardrails_file=named)
    monkeypatch.setattr(settings, "PLUMBLINE", changed)


def test_a_site_that_names_no_file_goes_by_the_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    site_goes_by(monkeypatch, "")
    assert site_rules.site_rules() == read(site_rules.SAMPLE)
    assert checks.check_site_rules(None) == []


def test_a_site_goes_by_the_file_it_names(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text(CATEGORY, "utf-8")
    site_goes_by(monkeypatch, str(file))
    assert [each.name for each in site_rules.site_rules().restricted] == ["advice"]


def test_a_relative_path_begins_at_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    site_goes_by(monkeypatch, "chat/sample/guardrails.toml")
    assert settings.PLUMBLINE.rules_file == site_rules.SAMPLE


def test_a_broken_file_stops_the_start_with_each_of_its_problems(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text(with_key("unless = ['(', 'a+b']"), "utf-8")
    site_goes_by(monkeypatch, str(file))
    found = checks.check_site_rules(None)
    assert [message.id for message in found] == ["chat.E004", "chat.E004"]
    assert "restricted.advice.unless[2]: + has no upper bound" in found[1].msg
    assert all(message.hint for message in found)
    with pytest.raises(BadRules):
        site_rules.site_rules()
