"""The shipped prompts as rows: a name stands for the same words for ever."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from chat import prompting
from chat.agent.prompts.versions import SHIPPED
from chat.models import PromptVersion

pytestmark = pytest.mark.django_db

DIGESTS = Path(__file__).parent / "shipped_prompts.json"


def test_every_shipped_prompt_is_kept_with_its_words_and_purpose() -> None:
    prompting.remember_shipped()
    kept = {row.name: (row.purpose, row.system) for row in PromptVersion.objects.all()}
    assert kept == {words.name: (purpose, words.system) for purpose, words in SHIPPED.items()}
    assert all(PromptVersion.objects.values_list("is_shipped", flat=True))


def test_it_is_harmless_when_repeated(caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(2):
        prompting.remember_shipped()
    assert PromptVersion.objects.count() == len(SHIPPED)
    assert caplog.messages == []


def test_a_name_that_was_kept_with_other_words_keeps_them_and_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    name = SHIPPED["grade"].name
    PromptVersion.objects.create(purpose="grade", name=name, system="Other words.", is_shipped=True)
    with caplog.at_level(logging.ERROR):
        prompting.remember_shipped()
    assert PromptVersion.objects.get(name=name).system == "Other words."
    assert [name in message for message in caplog.messages] == [True]


def test_an_old_turn_finds_the_words_that_it_used() -> None:
    PromptVersion.objects.create(purpose="grade", name="grading-0", system="As it was.")
    found = prompting.words_of({"grading-0", SHIPPED["grade"].name, "rules-5"})
    assert found["grading-0"].system == "As it was."
    assert found[SHIPPED["grade"].name] == SHIPPED["grade"]
    assert "rules-5" not in found


def test_no_text_was_changed_under_a_name_that_was_shipped() -> None:
    """A changed text needs a new version. Add the new name with its digest to the file then, and
    leave the old ones: turns that used them are still shown."""
    kept = json.loads(DIGESTS.read_text("utf-8"))
    assert {name: kept.get(name) for name in prompting.digests()} == prompting.digests()
