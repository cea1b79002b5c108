"""The chat page by keyboard alone, and on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, OpenPage
from tests.browser.site import Site
from tests.browser.steps import BACKUP, REFUND, answered, ask, drafting, settled

pytestmark = pytest.mark.browser


def test_enter_sends_and_shift_enter_breaks_the_line(page: Page) -> None:
    field = page.get_by_label("Your question")
    field.type("How long")
    field.press("Shift+Enter")
    field.type("does a refund take?")
    field.press("Enter")
    expect(settled(page).locator(".question")).to_have_text("How long\ndoes a refund take?")
    expect(field).to_have_value("")


def test_enter_sends_nothing_while_an_input_method_composes(page: Page) -> None:
    field = page.get_by_label("Your question")
    field.fill("こんにちは")
    field.dispatch_event("keydown", {"key": "Enter", "isComposing": True, "bubbles": True})
    expect(page.locator(".turn")).to_have_count(0)
    expect(field).to_have_value("こんにちは")


def test_typing_goes_on_while_an_answer_runs_and_enter_says_why_it_waits(
    page: Page, site: Site
) -> None:
    site.hold(5)
    ask(page, REFUND)
    drafting(page, 5)
    ask(page, BACKUP)
    expect(page.locator("#status")).to_contain_text("still being written")
    expect(page.get_by_label("Your question")).to_have_value(BACKUP)
    site.let_go()
    settled(page)
    page.get_by_label("Your question").press("Enter")
    expect(settled(page).locator(".question")).to_have_text(BACKUP)


def test_the_field_grows_to_eight_lines(page: Page) -> None:
    field = page.get_by_label("Your question")

    def height(lines: int) -> float:
        field.fill("\n".join(["line"] * lines))
        box = field.bounding_box()
        assert box
        return box["height"]

    heights = [height(lines) for lines in (1, 3, 8, 20)]
    assert heights[0] < heights[1] < heights[2] == heights[3]


def test_a_text_over_the_limit_is_counted_and_not_sent(page: Page) -> None:
    page.get_by_label("Your question").fill("x" * 20_001)
    expect(page.locator("#count")).to_have_text("20,001 of 20,000")
    expect(page.get_by_role("button", name="Send")).to_be_disabled()
    page.get_by_label("Your question").press("Enter")
    expect(page.locator(".turn")).to_have_count(0)


def test_a_citation_opens_and_closes_by_keyboard_and_gives_the_focus_back(page: Page) -> None:
    turn = answered(page)
    marker = turn.locator("a.cite").first
    marker.focus()
    page.keyboard.press("Enter")
    card = page.get_by_role("dialog", name="Source")
    expect(card).to_be_focused()
    page.keyboard.press("Tab")
    expect(card.get_by_role("button", name="Close")).to_be_focused()
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    expect(marker).to_be_focused()


def test_conversations_are_found_and_opened_by_keyboard(page: Page) -> None:
    answered(page, REFUND)
    page.get_by_role("link", name="New conversation").first.click()
    expect(page.locator("#empty")).to_be_visible()
    page.keyboard.press("Control+k")
    search = page.get_by_label("Search conversations")
    expect(search).to_be_focused()
    page.keyboard.type("zebra")
    expect(page.locator("#rail-list")).to_contain_text("Nothing found")
    search.fill("refund")
    line = page.locator(".rail .line")
    expect(line).to_have_count(1)
    page.keyboard.press("ArrowDown")
    expect(line).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".turn .question")).to_have_text(REFUND)


def test_every_control_has_a_name(page: Page) -> None:
    answered(page)
    nameless = page.locator("button, a, input, textarea").evaluate_all(
        """(controls) => controls.filter((control) => control.type !== "hidden"
            && !(control.getAttribute("aria-label") || control.textContent.trim()
                 || control.labels?.length)).map((control) => control.outerHTML)"""
    )
    assert nameless == []


def test_on_a_phone_the_list_is_a_drawer_that_keeps_the_focus(visit: OpenPage) -> None:
    page = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    answered(page)
    rail = page.locator("#rail")
    expect(rail).to_be_hidden()
    opener = page.get_by_role("button", name="Conversations")
    opener.click()
    expect(rail.get_by_text(REFUND)).to_be_visible()
    for _ in range(12):
        page.keyboard.press("Tab")
        inside = "() => !document.activeElement.closest('#stage')"
        assert page.evaluate(inside), "the focus left the drawer"
    page.keyboard.press("Escape")
    expect(rail).to_be_hidden()
    expect(opener).to_be_focused()


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_no_page_is_wider_than_the_window(visit: OpenPage, width: int) -> None:
    page = visit(viewport={"width": width, "height": 800})
    answered(page, "refund " + "longword" * 30 + " how long does it take?")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    box = page.get_by_label("Your question").bounding_box()
    assert box and box["y"] + box["height"] <= 800
