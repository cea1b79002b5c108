"""Who speaks in a re-run, in which words, and how is searched: as recorded, with the change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.conf import settings as site

from chat import reruns, trials, wiring
from chat.contracts.ports import AgentSettings
from chat.models import VersionSet
from chat.reruns import BadChange, CannotRerun, Change, equipping, offering
from chat.reruns.equipping import Manner, changed
from tests import stored

pytestmark = pytest.mark.django_db

HOST = "http://localhost:1/v1"
SHORT = "Answer in one sentence from the passages."


@pytest.fixture
def endpoint(settings: Any) -> Iterator[None]:
    """A site with an endpoint, which nobody asks."""
    settings.PLUMBLINE = replace(
        site.PLUMBLINE,
        llm_model="writer",
        llm_grader_model="owl",
        openai_base_url=HOST,
        llm_prices={"large": {"input": 1.0, "cached_input": 0.1, "output": 2.0}},
    )
    wiring._model.cache_clear()
    wiring._others.clear()
    yield
    wiring._model.cache_clear()
    wiring._others.clear()


def manner(model: str = "writer at localhost", prompts: str = "", **setting: Any) -> Manner:
    return Manner({"model": model, "prompts": prompts, **setting})


def ports(given: Manner, **change: Any) -> Any:
    (turn,) = stored.turns(1)
    return equipping.ports(turn, given, reruns.change_from(change))


@pytest.mark.usefixtures("endpoint")
def test_the_models_of_the_site_with_a_price_and_the_offline_one_are_offered() -> None:
    assert reruns.offers().models == ("writer", "owl", "large", "offline")


def test_a_site_without_an_endpoint_offers_the_offline_model_and_no_prompts() -> None:
    offers = reruns.offers()
    assert (offers.models, offers.prompts) == (("offline",), {})
    assert offers.retrievals == ("hybrid", "vector", "lexical", "exact")
    assert offers.present["max_rewrites"] == 2
    assert set(offers.limits) <= set(offers.present) <= set(Change.model_fields)


@pytest.mark.usefixtures("endpoint")
def test_the_recorded_model_speaks_or_the_one_that_is_asked_for() -> None:
    assert ports(manner()).model.name == "writer at localhost"
    assert ports(manner("large at localhost")).model.name == "large at localhost"
    assert ports(manner(), model="large").model.name == "large at localhost"
    assert ports(manner(), model="offline").model.name == "offline-1"
    assert ports(manner("offline-1")).model.name == "offline-1"
    assert ports(manner("gone at elsewhere")).model.name == "writer at localhost"


@pytest.mark.usefixtures("endpoint")
def test_the_recorded_version_of_a_prompt_is_heard_or_the_one_that_is_asked_for() -> None:
    trials.write(None, "answer", "answer-short", SHORT)
    trials.write(None, "grade", "grade-strict", "Be strict.")
    shipped = wiring.model().prompts
    assert ports(manner(prompts=shipped)).model.prompts == shipped
    recorded = manner(prompts=shipped.replace("answer-2", "answer-short"))
    assert "answer-short" in ports(recorded).model.prompts.split()
    asked = ports(recorded, prompts={"grade": "grade-strict", "answer": "answer-2"}).model.prompts
    assert "grade-strict" in asked.split()
    assert "answer-2" in asked.split()


@pytest.mark.usefixtures("endpoint")
def test_versions_are_offered_by_purpose_the_shipped_one_first() -> None:
    trials.write(None, "answer", "answer-short", SHORT)
    offered = reruns.offers().prompts["answer"]
    assert offered[0] == trials.shipped("answer").name
    assert "answer-short" in offered


@pytest.mark.usefixtures("endpoint")
@pytest.mark.parametrize("prompts", [{"answer": "no-such"}, {"spell": "answer-2"}])
def test_a_version_that_there_is_not_is_refused(prompts: dict[str, str]) -> None:
    with pytest.raises(BadChange, match="There is no version"):
        offering.check(Change(prompts=prompts))


@pytest.mark.usefixtures("endpoint")
def test_the_offline_model_takes_no_prompts() -> None:
    with pytest.raises(CannotRerun, match="takes no prompts"):
        offering.check(Change(model="offline", prompts={"answer": "answer-2"}))


def test_the_search_is_the_recorded_one_with_the_change() -> None:
    recorded = manner(search={"mode": "lexical", "threshold": 0.4})
    found = ports(recorded).search
    assert (found.mode, found.threshold) == ("lexical", 0.4)
    found = ports(recorded, retrieval="vector", relevance_threshold=0.7).search
    assert (found.mode, found.threshold) == ("vector", 0.7)
    assert ports(manner(search={"mode": "exact"})).search.threshold == 0.0


def test_without_a_tape_the_sealed_mode_counts_and_then_the_sites() -> None:
    assert Manner({}, {"retrieval": "vector"}).mode == "vector"
    assert Manner().mode == site.PLUMBLINE.retrieval_mode
    assert Manner().threshold == site.PLUMBLINE.relevance_threshold


def test_the_recorded_settings_count_and_the_change_over_them() -> None:
    recorded = manner(settings={"max_rewrites": 1, "route_threshold": 0.5, "max_passes": 3})
    found = ports(recorded, check_order="budget", topic_check=False).settings
    assert (found.max_rewrites, found.route_threshold, found.max_passes) == (1, 0.5, 3)
    assert (found.check_order, found.topic_check) == ("budget", False)


def test_more_rewrites_get_room_under_the_cap_of_passes_and_fewer_take_none() -> None:
    limits = AgentSettings(max_passes=4)
    assert changed(limits, Change(max_rewrites=6)).max_passes == 8
    assert changed(limits, Change(max_rewrites=0)).max_passes == 4
    assert changed(limits, Change()) == limits


@pytest.mark.usefixtures("endpoint")
def test_a_model_and_prompts_that_are_gone_are_told(settings: Any) -> None:
    (turn,) = stored.turns(1)
    versions = wiring.versions() | {"model": "gone at elsewhere", "prompts": "answer-0"}
    turn.versions = _version_set(versions | {"rules": "0" * 16, "code": "0.0.1"})
    turn.save()
    said = " ".join(reruns.cautions(turn))
    assert "gone at elsewhere cannot be asked here any more" in said
    assert "The prompts answer-0 are not kept any more" in said
    assert "The site's rules changed since" in said
    assert "version 0.0.1" in said


def test_nothing_is_said_of_a_turn_that_can_be_run_as_it_was() -> None:
    (turn,) = stored.turns(1)
    turn.versions = _version_set(wiring.versions())
    turn.save()
    (only,) = reruns.cautions(turn)
    assert only.endswith("Everything is called anew.")  # it was stored by hand, without a tape


@pytest.mark.parametrize(
    ("termination", "said"), [("user_stop", "stopped this turn"), ("time_cap", "ran out of time")]
)
def test_an_end_that_cannot_come_again_is_told(termination: str, said: str) -> None:
    (turn,) = stored.turns(1, termination=termination)
    assert any(said in sentence for sentence in reruns.cautions(turn))


def _version_set(values: dict[str, str]) -> VersionSet:
    return VersionSet.objects.create(digest="d" * 64, values=values)
