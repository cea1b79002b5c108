"""A question in the browser: stages, a draft that settles in place, citations that open."""

from __future__ import annotations

import re
from uuid import UUID

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.site import Site
from tests.browser.steps import BACKUP, REFUND, WEATHER, answered, ask, drafting, settled

pytestmark = pytest.mark.browser


def test_a_question_is_answered_with_citations_that_open_at_the_passage(page: Page) -> None:
    turn = answered(page)
    expect(turn.locator(".question")).to_have_text(REFUND)
    expect(turn.locator(".said")).to_contain_text("business days")
    trust = re.compile("Checked|Compared|Quoted from|Cites")
    expect(turn.locator(".signal")).to_contain_text(trust)
    marker = turn.locator("a.cite").first
    marker.click()
    card = page.get_by_role("dialog", name="Source")
    expect(card.locator("mark").first).to_be_visible()
    card.get_by_role("link", name=re.compile("Open in")).click()
    expect(page.locator("section:target")).to_contain_text("business days")


def test_the_first_question_gives_the_conversation_its_address_and_its_line(page: Page) -> None:
    expect(page).to_have_url(re.compile(r"/chat/$"))
    answered(page)
    address = re.search(r"/chat/([^/]+)/$", page.url)
    assert address and UUID(address[1])
    line = page.locator(".rail .line[aria-current]")
    expect(line).to_have_text(REFUND)
    expect(page).to_have_title(f"{REFUND} · Plumbline")


def test_an_example_asks_itself(page: Page) -> None:
    page.get_by_role("button", name=BACKUP).click()
    turn = settled(page)
    expect(turn.locator(".question")).to_have_text(BACKUP)
    expect(page.locator("#empty")).to_have_count(0)


def test_an_off_topic_question_gets_a_fixed_reply_and_ways_on(page: Page) -> None:
    turn = answered(page, WEATHER)
    expect(turn.locator("a.cite")).to_have_count(0)
    expect(turn.locator(".signal")).to_have_count(0)
    chip = turn.locator(".chips button").first
    question = chip.inner_text()
    chip.click()
    expect(page.locator(".turn").last.locator(".question")).to_have_text(question)
    settled(page)


def test_stages_are_told_in_plain_words_and_listed_with_their_times(page: Page) -> None:
    answered(page)
    status = page.locator("#status")
    expect(status).to_contain_text(re.compile(r"Done\s+[\d.]+ m?s"))
    status.locator("summary").click()
    lines = status.locator(".stages li")
    expect(lines.first).to_contain_text("Reading the question")
    expect(lines.filter(has_text="Looking in the handbook").first).to_contain_text(
        re.compile(r"\d+ ms|[\d.]+ s")
    )
    expect(status).not_to_contain_text("validate_topic")


def place(said: Locator) -> tuple[float, float, float]:
    box = said.bounding_box()
    assert box
    return (box["x"], box["y"], box["width"])


def test_the_draft_is_marked_and_settles_without_moving(page: Page, site: Site) -> None:
    site.hold(8)
    ask(page, REFUND)
    turn = drafting(page, 8)
    expect(turn).to_contain_text("Draft, being checked")
    expect(turn).to_have_attribute("aria-busy", "true")
    before = place(turn.locator(".said"))
    site.let_go()
    done = settled(page)
    assert place(done.locator(".said")) == before
    expect(done).not_to_contain_text("Draft, being checked")


def test_a_withdrawn_draft_leaves_its_place_and_says_why(page: Page, site: Site) -> None:
    site.hold(8)
    site.doubt()
    ask(page, REFUND)
    said = drafting(page, 8).locator(".said")
    before = said.bounding_box()
    site.let_go()
    expect(page.locator("#status")).to_contain_text("rests on no source")
    expect(said).to_have_text("")
    expect(page.locator(".turn.running .drafted")).to_be_hidden()
    kept = said.bounding_box()
    assert before and kept
    assert (kept["x"], kept["y"]) == (before["x"], before["y"])
    assert kept["height"] >= before["height"] - 1  # a pixel is rounded
    site.let_go()
    expect(settled(page).locator(".said")).to_contain_text("business days")


def test_a_finished_answer_is_announced_and_the_focus_stays_in_the_field(page: Page) -> None:
    answered(page)
    expect(page.locator("#announcer")).to_contain_text("business days")
    expect(page.get_by_label("Your question")).to_be_focused()


def test_an_answer_is_copied_with_its_sources(visit: OpenPage) -> None:
    page = visit(permissions=["clipboard-read", "clipboard-write"])
    turn = answered(page)
    turn.get_by_role("button", name="Copy").click()
    expect(turn.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("() => navigator.clipboard.readText()")
    assert "business days" in copied
    assert re.search(r"\n\n\[1\] .+", copied)


def test_the_page_follows_only_a_reader_who_is_at_the_end(page: Page, site: Site) -> None:
    page.set_viewport_size({"width": 600, "height": 420})
    answered(page)
    site.hold(6)
    ask(page, BACKUP)
    drafting(page, 6)
    page.locator("#scroll").evaluate("box => { box.scrollTop = 0; }")
    below = page.get_by_role("button", name="New below")
    site.let_go()
    settled(page)
    expect(below).to_be_visible()
    assert page.locator("#scroll").evaluate("box => box.scrollTop") == 0
    below.click()
    expect(below).to_be_hidden()
