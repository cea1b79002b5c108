"""The golden outage turn is run again with something changed: what is reused, what flips."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from chat import lab, reruns, tapes
from chat.models import Chunk, DocumentVersion, Turn
from chat.reruns import documents
from tests.corpus import take_in_the_handbook
from tests.rerunning import again, called, flip, golden, models, run, wanted

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def handbook() -> Iterator[None]:
    take_in_the_handbook()
    yield


def test_the_budget_first_flips_the_outage_to_no_results_at_nine_calls_all_reused() -> None:
    rerun = again(golden(), check_order="budget")
    assert rerun.is_flipped
    assert flip(rerun, "termination") == ("answered", "no_evidence")
    assert flip(rerun, "calls") == (10, 9)
    assert (models(rerun, reused=True), rerun.called) == (9, 0)
    assert rerun.cost == 0
    assert rerun.turn is not None
    assert (rerun.turn.termination, rerun.turn.model_calls) == ("no_evidence", 9)


def test_one_rewrite_ends_the_outage_in_no_results_and_calls_nothing() -> None:
    rerun = again(golden(), max_rewrites=1)
    assert flip(rerun, "termination") == ("answered", "no_evidence")
    assert flip(rerun, "rewrites") == (2, 1)
    assert (rerun.called, rerun.cost) == (0, 0)


def test_three_rewrites_change_nothing_where_two_were_enough() -> None:
    rerun = again(golden(), max_rewrites=3)
    assert rerun.flips == []
    assert (rerun.called, rerun.is_flipped) == (0, False)


def test_a_turn_that_gave_up_is_rescued_by_one_more_rewrite_and_only_that_is_called() -> None:
    rerun = again(golden(bound=1), max_rewrites=2)
    assert flip(rerun, "termination") == ("no_evidence", "answered")
    assert called(rerun).count("rewrite") == 1
    assert called(rerun).count("grade") == 2
    assert called(rerun).count("answer") == 1
    assert models(rerun, reused=True) == 6


def test_more_rewrites_than_were_written_by_hand_are_refused_in_words() -> None:
    rerun = wanted(golden(), max_rewrites=4)
    run(reruns.work)
    rerun.refresh_from_db()
    assert rerun.status == "failed"
    assert "3 rewrites, written by hand" in rerun.problem
    assert not Turn.objects.filter(kind="rerun").exists()


def test_another_threshold_searches_anew_and_keeps_every_grade() -> None:
    rerun = again(golden(), relevance_threshold=0.9)
    assert rerun.flips == []
    assert {"search", "terms"} <= set(called(rerun))
    assert "grade" not in called(rerun)
    assert "answer" not in called(rerun)


def test_the_routers_margin_changes_nothing_of_a_fixed_path_and_that_is_said() -> None:
    rerun = again(golden(), route_threshold=0.99)
    assert (rerun.flips, rerun.called) == ([], 0)
    assert any("fixed beforehand" in note for note in reruns.notes(rerun))


def test_another_retrieval_is_searched_and_equal_chunks_keep_their_grades() -> None:
    rerun = again(golden(), retrieval="hybrid")
    kinds = {line["kind"] for line in rerun.ledger if line["purpose"] == "search"}
    assert kinds == {"search"}
    assert not any(line["reused"] for line in rerun.ledger if line["purpose"] == "search")
    found = flip(rerun, "found")
    kept = set(found[0]) & set(found[1])
    grades = [line for line in rerun.ledger if line["purpose"] == "grade"]
    assert sum(line["reused"] for line in grades) >= len(kept) > 0
    assert rerun.turn is not None
    assert rerun.turn.versions.values["retrieval"] == "hybrid"


def test_without_the_topic_check_the_weather_is_searched_in_vain() -> None:
    rerun = again(golden("weather"), topic_check=False)
    assert flip(rerun, "termination") == ("off_topic", "no_evidence")
    assert flip(rerun, "calls") == (1, 8)
    assert models(rerun, reused=False) == 8


def test_a_plain_rerun_of_a_golden_question_calls_nothing_and_flips_nothing() -> None:
    (outcomes,) = run(lambda: lab.run(lab.Variant(2)))
    sources = Turn.objects.in_bulk([outcome.turn for outcome in outcomes])
    for source in sources.values():
        rerun = again(source)
        assert (rerun.flips, rerun.called, rerun.is_flipped) == ([], 0, False)
        assert rerun.turn is not None
        assert rerun.turn.cost == source.cost
        assert rerun.turn.versions == source.versions


def test_a_rerun_is_run_again_from_its_own_tape() -> None:
    first = again(golden(), check_order="budget")
    assert first.turn is not None
    plain = again(first.turn)
    assert (plain.flips, plain.called) == ([], 0)
    back = again(first.turn, check_order="evidence")
    assert flip(back, "termination") == ("no_evidence", "answered")
    assert called(back).count("answer") == 1


def test_a_rerun_is_nobodys_and_stands_outside_the_figures() -> None:
    rerun = again(golden(), max_rewrites=0)
    assert rerun.turn is not None
    talk = rerun.turn.conversation
    assert (rerun.turn.kind, talk.is_lab, talk.user, talk.visitor) == ("rerun", True, None, None)
    assert rerun.turn.record.conversation_id == talk.pk
    assert "max_rewrites=0" in rerun.turn.versions.values["settings"]


def test_changed_documents_are_searched_anew_and_that_is_said() -> None:
    source = golden()
    chunk = Chunk.objects.filter(is_current=True).first()
    assert chunk is not None
    version = chunk.version
    DocumentVersion.objects.filter(pk=version.pk).update(
        ingested_at=version.ingested_at + timedelta(days=1)
    )
    rerun = again(source)
    anew = [line for line in rerun.ledger if not line["reused"]]
    assert {line["kind"] for line in anew} == {"search", "model"}
    # The stand-ins know nothing of documents; the offline model, which writes, goes by their words.
    assert {line["purpose"] for line in anew if line["kind"] == "model"} == {"answer"}
    assert any("Searched anew: the documents changed on" in note for note in reruns.notes(rerun))
    assert rerun.flips == []


def test_another_writer_of_a_golden_answer_asks_everything_anew_and_can_be_run_again() -> None:
    first = again(golden(), model="offline")
    assert first.turn is not None
    assert first.turn.versions.values["model"] == "golden, answers by offline-1"
    assert models(first, reused=True) == 0
    plain = again(first.turn)
    assert (plain.flips, plain.called) == ([], 0)


def test_a_document_that_was_taken_out_is_not_found_again_by_a_tape() -> None:
    source = golden()
    heard = tapes.of(source.pk)
    assert heard is not None
    assert documents.are_current(heard.calls, source.started_at)
    found = Chunk.objects.get(key="sla#when-a-server-fails", is_current=True)
    DocumentVersion.objects.filter(pk=found.version_id).update(is_current=False)
    assert not documents.are_current(heard.calls, source.started_at)
    assert "Searched anew: the documents changed." in reruns.cautions(source)
    writes = {call["purpose"] for call in documents.independent(heard.calls)}
    assert "answer" not in writes and "grade" in writes
