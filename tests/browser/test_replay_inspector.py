"""What the replay shows of a step: its changes, the search, calls, controls, and the graph."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.replay_rows import ENGINEER, Rows, opened, stands_at, written
from tests.browser.site import Site
from tests.traces import QUESTION, REWRITE

pytestmark = pytest.mark.browser

At = Callable[..., Locator]


@pytest.fixture(scope="module")
def rows(site: Site) -> Rows:
    return written(site)


@pytest.fixture
def replay(visit: OpenPage, rows: Rows) -> Page:
    page = visit(f"/admin/rag-workflow/{rows.refund}/", who=ENGINEER)
    return opened(page)


@pytest.fixture
def at(replay: Page) -> At:
    """The inspector's panel at an event's number and a tab."""

    def go(seq: int, tab: str) -> Locator:
        replay.evaluate("seq => { location.hash = `#seq=${seq}` }", seq)
        replay.get_by_role("tab", name=tab).click()
        return replay.locator("#panel")

    return go


def test_changed_says_what_was_added_and_what_was_changed(at: At) -> None:
    panel = at(35, "Changed")
    expect(panel).to_contain_text("optimize_query · pass 1 · 3 fields")
    query = panel.locator(".change.changed", has_text="query")
    expect(query.locator(".before")).to_have_text(QUESTION)
    expect(query.locator(".after")).to_have_text(REWRITE)
    expect(panel.locator(".change.added .field")).to_have_text("terms added")


def test_changed_says_what_was_removed(at: At) -> None:
    panel = at(74, "Changed")
    expect(panel.locator(".change.removed")).to_contain_text("route removed")


def test_all_fields_at_a_step_are_one_press_away(at: At) -> None:
    panel = at(12, "Changed")
    panel.get_by_text("All fields at this step").click()
    expect(panel.locator(".state .field")).to_contain_text(["standalone"])


def test_retrieved_shows_a_row_for_each_chunk_with_ranks_and_score(at: At) -> None:
    panel = at(31, "Retrieved")
    expect(panel).to_contain_text("Pass 1 · 3 of 6 asked for")
    hits = panel.locator(".hit")
    expect(hits).to_have_count(3)
    expect(hits.nth(0)).to_contain_text("refunds#eligibility")
    expect(hits.nth(0)).to_contain_text("supports")
    expect(hits.nth(0)).to_contain_text("vector 1")
    expect(hits.nth(1)).to_contain_text("text –")
    expect(hits.nth(2)).to_contain_text("score 0.0320")


def test_a_verdict_is_not_shown_before_it_was_given(at: At) -> None:
    panel = at(25, "Retrieved")
    expect(panel.locator(".hit .signal")).to_have_text(["not graded yet"] * 3)


def test_the_second_pass_shows_what_the_query_was_before(at: At) -> None:
    panel = at(49, "Retrieved")
    expect(panel).to_contain_text(f"“{REWRITE}”")
    expect(panel).to_contain_text(f"Rewritten from “{QUESTION}”, 0.21 away")
    expect(panel.locator(".hit").first.locator(".signal")).to_have_text("answers")


def test_a_passage_that_is_gone_is_said_to_be_gone(at: At) -> None:
    panel = at(31, "Retrieved")
    panel.locator(".hit", has_text="cancelling#steps").get_by_text("Passage").click()
    expect(panel).to_contain_text("not in the index any more")


def test_calls_are_those_up_to_the_step(at: At) -> None:
    panel = at(29, "Calls")
    expect(panel).to_contain_text("3 calls up to this step")
    expect(panel.locator("tbody tr.present")).to_have_count(2)
    expect(panel.locator("tr.sum")).to_contain_text("540")


def test_controls_say_what_each_check_did(at: At) -> None:
    panel = at(32, "Controls")
    expect(panel).to_contain_text("3 decisions up to this step")
    expect(panel.locator("tr.present")).to_contain_text("relevance")
    expect(panel.locator("tr.present .signal")).to_have_text("acted")


def test_raw_is_the_frame_as_it_was_sent(at: At) -> None:
    panel = at(37, "Raw")
    expect(panel.locator("pre")).to_contain_text('"type": "rewrite"')


def test_the_graph_lights_the_path_up_to_the_step(replay: Page, at: At) -> None:
    at(31, "Changed")
    stands_at(replay, "31 of 70")
    plate = '.plate[data-node="{}"]'
    expect(replay.locator(plate.format("assess_relevance"))).to_contain_class("present")
    expect(replay.locator(plate.format("retrieve"))).to_contain_class("reached")
    expect(replay.locator(plate.format("deliver"))).to_contain_class("later")
    skipped = replay.locator(plate.format("handle_off_topic"))
    expect(skipped).not_to_contain_class("reached")
    expect(skipped).not_to_contain_class("later")
    taken = '.wire.taken[data-from="{}"][data-to="{}"]'
    expect(replay.locator(taken.format("retrieve", "assess_relevance"))).to_have_count(1)
    expect(replay.locator(taken.format("optimize_query", "retrieve"))).to_have_count(0)


def test_a_loop_carries_the_number_of_the_pass_that_it_began(replay: Page, at: At) -> None:
    at(45, "Changed")
    expect(replay.locator(".lap.taken")).to_have_text("2")


def test_a_plate_leads_to_its_next_visit(replay: Page, at: At) -> None:
    at(1, "Changed")
    replay.locator('.plate[data-node="retrieve"]').click()
    stands_at(replay, "22 of 70 · retrieve · pass 1")
    replay.locator('.plate[data-node="retrieve"]').click()
    stands_at(replay, "40 of 70 · retrieve · pass 2")


def test_the_draft_is_what_was_written_up_to_the_step(replay: Page, at: At) -> None:
    at(40, "Changed")
    expect(replay.locator("#draft")).to_have_text("Nothing was written yet.")
    at(60, "Changed")
    expect(replay.locator("#draft")).to_contain_text("Refunds reach the card")
