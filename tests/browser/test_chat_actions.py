"""An action in the browser: shown whole, done once on a yes, and not done on a no."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.site import Site
from tests.browser.steps import REFUND, TICKET, answered, asked_back, settled, waiting

pytestmark = pytest.mark.browser


def test_a_ticket_is_opened_once_after_a_yes(page: Page) -> None:
    form = asked_back(page, TICKET)
    expect(form.locator(".asks")).to_contain_text("server does not start")
    expect(form).to_contain_text("This cannot be undone")
    expect(page.locator("#status")).to_contain_text("Waiting for your yes or no")
    form.get_by_role("button", name="Open the ticket").dblclick()
    turn = settled(page)
    expect(turn.locator(".exchanges dd")).to_have_text("You agreed")
    page.locator("#status summary").click()
    lines = page.locator("#status .stages")
    expect(lines).to_contain_text(re.compile("ticket", re.IGNORECASE))
    expect(lines).not_to_contain_text("open_ticket")
    expect(page.locator(".pause")).to_have_count(0)


def test_a_no_leaves_it_undone_and_says_so(page: Page) -> None:
    asked_back(page, TICKET).get_by_role("button", name="No", exact=True).click()
    turn = settled(page)
    expect(turn.locator(".exchanges dd")).to_have_text("You declined")
    page.reload()
    expect(page.locator(".turn .exchanges dd")).to_have_text("You declined")


def test_nothing_irreversible_has_the_focus(page: Page) -> None:
    asked_back(page, TICKET)
    expect(page.get_by_label("Your question")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".turn.waiting .pause")).to_be_visible()


def test_the_keyboard_reaches_the_yes_and_the_no(page: Page) -> None:
    form = asked_back(page, TICKET)
    no = form.get_by_role("button", name="No", exact=True)
    no.focus()
    page.keyboard.press("Shift+Tab")
    expect(form.get_by_role("button", name="Open the ticket")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_label("Your question")).to_be_focused()
    no.press("Enter")
    expect(settled(page).locator(".exchanges dd")).to_have_text("You declined")


def test_a_reload_and_another_tab_show_the_same_action(
    page: Page, visit: OpenPage, site: Site
) -> None:
    before = asked_back(page, TICKET).inner_text()
    page.reload()
    assert waiting(page).inner_text() == before
    other = visit(page.url.removeprefix(site.url), same_as=page)
    waiting(other).get_by_role("button", name="Open the ticket").click()
    expect(settled(page).locator(".exchanges dd")).to_have_text("You agreed")


def test_asking_something_else_opens_no_ticket(page: Page) -> None:
    asked_back(page, TICKET)
    expect(answered(page, REFUND).locator(".said")).to_contain_text("business days")
    first = page.locator(".turn").first
    expect(first).to_contain_text("Set aside for the next question.")
    expect(first.locator(".exchanges dd")).to_be_empty()
