"""Votes, new answers, edited questions, and the way between them, as a person's hands find them."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import PHONE, OpenPage
from tests.browser.site import Site
from tests.browser.steps import BACKUP, REFUND, answered, ask, drafting, settled

pytestmark = pytest.mark.browser


def top(turn: Locator) -> float:
    box = turn.locator(".said").bounding_box()
    assert box
    return box["y"]


def test_a_vote_and_what_was_wrong_stay_over_a_reload(page: Page) -> None:
    down = answered(page).get_by_role("button", name="Not helpful")
    down.press("Enter")
    form = page.get_by_role("form", name="What was wrong?")
    expect(form).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(form.get_by_role("button", name="Wrong")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(form).to_be_hidden()
    expect(down).to_be_focused()
    down.press("Enter")
    form.get_by_role("textbox").fill("Only for cards")
    form.get_by_role("textbox").press("Enter")
    expect(form).to_be_hidden()
    expect(page.locator("#announcer")).to_have_text("Noted")
    page.reload()
    expect(down).to_have_attribute("aria-pressed", "true")
    down.click()
    expect(form.get_by_role("textbox")).to_have_value("Only for cards")
    expect(form.get_by_role("button", name="Wrong")).to_have_attribute("aria-pressed", "true")


def test_a_new_answer_takes_the_place_of_the_old_one_and_both_can_be_seen(
    page: Page, visit: OpenPage, site: Site
) -> None:
    turn = answered(page)
    first = turn.get_attribute("data-turn")
    other = visit(page.url.removeprefix(site.url), same_as=page)
    site.hold(6)
    turn.get_by_role("button", name="Retry").click()
    drafting(page, 6)
    expect(page.locator(".turn")).to_have_count(1)
    site.let_go()
    turn = settled(page)
    for each in (page, other):
        expect(each.get_by_role("group", name="Answer 2 of 2")).to_be_visible()
    before = top(turn)
    turn.get_by_role("button", name="Earlier answer").press("Enter")
    for each in (page, other):
        expect(each.locator(f".turn[data-turn='{first}']")).to_be_visible()
    expect(turn.get_by_role("button", name="Later answer")).to_be_focused()
    assert top(turn) == before
    page.reload()
    expect(page.get_by_role("group", name="Answer 1 of 2")).to_be_visible()


def test_a_question_is_edited_in_its_place_without_moving_what_is_written(
    page: Page, site: Site
) -> None:
    answered(page)
    ask(page, BACKUP)
    settled(page)
    page.get_by_role("button", name="Edit question").first.press("Enter")
    field = page.get_by_label("Edit your question")
    expect(field).to_be_focused()
    field.press("Escape")
    expect(page.get_by_role("button", name="Edit question").first).to_be_focused()
    page.keyboard.press("Enter")
    site.hold(6)
    field.fill(BACKUP)
    field.press("Enter")
    expect(page.locator(".turn")).to_have_count(1)
    before = top(drafting(page, 6))
    site.let_go()
    turn = settled(page)
    expect(turn.get_by_role("group", name="Question 2 of 2")).to_be_visible()
    assert top(turn) == before
    turn.get_by_role("button", name="Earlier question").click()
    expect(page.locator(".question")).to_have_text([REFUND, BACKUP])


def test_on_a_phone_everything_can_be_pressed_and_nothing_is_wider(visit: OpenPage) -> None:
    page = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    turn = answered(page)
    turn.get_by_role("button", name="Retry").tap()
    expect(page.get_by_role("group", name="Answer 2 of 2")).to_be_visible()
    turn = settled(page)
    turn.get_by_role("button", name="Not helpful").tap()
    turn.get_by_role("button", name="Incomplete").tap()
    expect(turn.locator(".edit")).to_have_css("opacity", "1")
    turn.locator(".edit").tap()
    expect(page.get_by_role("button", name=re.compile("Cancel"))).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]
