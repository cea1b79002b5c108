"""A trial lets a share of all conversations hear another prompt, and the record says which."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from chat import trials, wiring
from chat.agent.prompts.versions import SHIPPED
from chat.models import PromptTrial, PromptVersion
from chat.trials import BadPrompt, begin, end, heard_by, is_in, named, write
from tests import factories
from tests.doubles.endpoint import Endpoint
from tests.doubles.models import ScriptedModel
from tests.doubles.openai_model import REFUND, asking
from tests.doubles.wire import Script

pytestmark = pytest.mark.django_db

SAID = "Say whether the passage answers the question. Name the words that do."


@pytest.fixture(autouse=True)
def nothing_known() -> Iterator[None]:
    """A process goes by what it read a few seconds ago, and each test is another process."""
    trials._known.clear()
    yield
    trials._known.clear()


def later() -> datetime:
    """When a conversation may begin that a trial of now is for."""
    return timezone.now() + timedelta(seconds=10)


def version(name: str = "grade-b", purpose: str = "grade") -> PromptVersion:
    return write(None, purpose, name, SAID)


def test_every_conversation_hears_a_trial_of_all() -> None:
    begin(None, version(), 1.0)
    heard = heard_by(uuid4(), later())
    assert {purpose: words.name for purpose, words in heard.items()} == {"grade": "grade-b"}
    assert heard["grade"].system == SAID


def test_without_a_trial_nobody_hears_anything_else() -> None:
    version()
    assert heard_by(uuid4(), later()) == {}


def test_a_conversation_stays_on_its_side() -> None:
    begin(None, version(), 0.5)
    conversations = [uuid4() for _ in range(40)]
    first = [bool(heard_by(each, later())) for each in conversations]
    trials._known.clear()
    assert [bool(heard_by(each, later())) for each in conversations] == first
    assert any(first)
    assert not all(first)


def test_what_has_ended_is_heard_by_nobody() -> None:
    trial = begin(None, version(), 1.0)
    end(trial)
    assert heard_by(uuid4(), later()) == {}
    trial.refresh_from_db()
    ended = trial.ended_at
    end(trial)
    trial.refresh_from_db()
    assert trial.ended_at == ended


def test_a_purpose_has_one_trial_at_a_time() -> None:
    begin(None, version(), 0.5)
    with pytest.raises(BadPrompt, match="End it before"):
        begin(None, version("grade-c"), 0.5)
    begin(None, version("rewrite-b", "rewrite"), 0.5)
    assert PromptTrial.objects.filter(ended_at=None).count() == 2


@pytest.mark.parametrize("share", [0, -0.1, 1.01])
def test_a_share_is_above_nothing_and_at_most_all(share: float) -> None:
    with pytest.raises(BadPrompt, match="share"):
        begin(None, version(), share)


@pytest.mark.parametrize(
    ("purpose", "name", "system", "why"),
    [
        ("topic", "topic-b", SAID, "cannot be written anew"),
        ("nothing", "b", SAID, "cannot be written anew"),
        ("grade", "Grade B", SAID, "small letters"),
        ("grade", "g" * 41, SAID, "at most 40"),
        ("grade", "grading-1", SAID, "is shipped"),
        ("grade", "grade-b", "  ", "some text"),
        ("grade", "grade-b", "x" * 12_001, "at most 12,000"),
    ],
)
def test_a_version_that_cannot_be_is_refused_in_words(
    purpose: str, name: str, system: str, why: str
) -> None:
    with pytest.raises(BadPrompt, match=why):
        write(None, purpose, name, system)
    assert not PromptVersion.objects.filter(is_shipped=False).exists()


def test_a_name_always_means_the_same_words() -> None:
    version()
    with pytest.raises(BadPrompt, match="already"):
        version()


def test_a_shipped_version_needs_no_trial() -> None:
    shipped = PromptVersion.objects.create(
        purpose="plan", name="plan-1", system="x", is_shipped=True
    )
    with pytest.raises(BadPrompt, match="not of a shipped one"):
        begin(None, shipped, 0.5)


def test_versions_are_found_by_name_shipped_ones_too() -> None:
    version()
    found = named({"grade": "grade-b", "plan": "plan-1"})
    assert found["grade"].system == SAID
    assert found["plan"] == SHIPPED["plan"]
    with pytest.raises(BadPrompt, match="no version grade-b of the prompt plan"):
        named({"plan": "grade-b"})


@given(st.uuids(), st.floats(0, 1), st.floats(0, 1))
def test_whoever_is_in_a_share_is_in_a_larger_one(who: UUID, one: float, other: float) -> None:
    small, large = sorted((one, other))
    assert is_in(who, "salt", large) or not is_in(who, "salt", small)


def test_a_share_is_about_that_share() -> None:
    inside = sum(is_in(UUID(int=number), "salt", 0.3) for number in range(4_000))
    assert 1_100 < inside < 1_300


async def test_the_call_carries_the_name_of_what_was_said() -> None:
    grade = Script(answer={"label": "ANSWERS", "reason": "it says so"})
    words = {"grade": SHIPPED["grade"].model_copy(update={"name": "grade-b", "system": SAID})}
    async with Endpoint(grade, grade) as endpoint, asking(endpoint) as model:
        other = await model.with_prompts(words).grade("How long?", REFUND)
        plain = await model.grade("How long?", REFUND)
    assert other.call.prompt_version == "grade-b"
    assert plain.call.prompt_version == "grading-1"
    assert SAID in endpoint.asked[0].body["messages"][0]["content"]
    assert SAID not in endpoint.asked[1].body["messages"][0]["content"]


class Wordy(ScriptedModel):
    """A scripted model that takes other rules, and tells which."""

    said = "as shipped"

    @property
    def prompts(self) -> str:
        return self.said

    def with_prompts(self, words: Any) -> Wordy:
        other = Wordy()
        other.said = " ".join(each.name for each in words.values())
        return other


def test_a_turn_of_a_person_hears_the_trial_and_says_so() -> None:
    begin(None, version(), 1.0)
    asked = factories.turn(question="How long does a refund take?")
    asked.conversation.created_at = later()
    given = wiring.equip(factories.ports(Wordy()), asked)
    assert wiring.spoken(given)["prompts"] == "grade-b"


def test_a_conversation_that_had_begun_before_a_trial_changes_no_sides() -> None:
    asked = factories.turn(question="How long does a refund take?")
    begin(None, version(), 1.0)
    given = wiring.equip(factories.ports(Wordy()), asked)
    assert wiring.spoken(given)["prompts"] == "as shipped"
    just_then = timezone.now() + timedelta(seconds=1)  # another process may not know of it yet
    assert heard_by(uuid4(), just_then) == {}


@pytest.mark.parametrize("kind", ["lab", "rerun"])
def test_a_turn_of_the_lab_hears_what_it_was_made_with(kind: str) -> None:
    begin(None, version(), 1.0)
    asked = factories.turn(question="How long does a refund take?", kind=kind)
    given = wiring.equip(factories.ports(Wordy()), asked)
    assert wiring.spoken(given)["prompts"] == "as shipped"


def test_what_a_turn_says_of_its_settings_is_its_own() -> None:
    given = factories.ports()
    other = replace(given, settings=replace(given.settings, max_rewrites=5))
    assert wiring.spoken(given)["settings"] != wiring.spoken(other)["settings"]
    assert "max_rewrites=5" in wiring.spoken(other)["settings"]
