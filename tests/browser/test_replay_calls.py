"""A press on a model's call shows what it was given, what came back and the prompt."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import PHONE, OpenPage
from tests.browser.replay_rows import ENGINEER, Rows, gone_to, opened, written
from tests.browser.site import Site
from tests.browser.steps import REFUND, answered

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def rows(site: Site) -> Rows:
    return written(site)


def calls_of(visit: OpenPage, turn: str, seq: int = 10_000, **options: object) -> Page:
    """The replay of a turn at a step, its calls shown."""
    page = visit(f"/admin/rag-workflow/{turn}/", **options, who=ENGINEER)
    opened(page)
    gone_to(page, seq)
    page.get_by_role("tab", name="Calls").click()
    return page


def call(page: Page, purpose: str) -> Locator:
    return page.locator("#panel").get_by_role("button", name=purpose, exact=True).first


def spoken(page: Page, purpose: str) -> Locator:
    """What stands below a call."""
    below = call(page, purpose).get_attribute("aria-controls")
    return page.locator(f"#{below}")


@pytest.mark.usefixtures("rows")
def test_a_call_shows_what_it_was_given_and_what_came_back_and_stays_open(
    visit: OpenPage,
) -> None:
    turn = answered(visit()).get_attribute("data-turn") or ""
    page = calls_of(visit, turn)
    expect(call(page, "answer")).to_have_attribute("aria-expanded", "false")
    call(page, "answer").focus()
    page.keyboard.press("Enter")
    expect(spoken(page, "answer")).to_contain_text(REFUND)
    expect(spoken(page, "answer")).to_contain_text("refunds#refund-timing, version 1")
    expect(spoken(page, "answer")).to_contain_text("The offline model has no prompt")
    call(page, "grade").click()
    expect(spoken(page, "grade")).to_contain_text("label")
    page.locator("#panel").evaluate("panel => panel.focus()")
    page.keyboard.press("ArrowLeft")
    expect(call(page, "answer")).to_have_attribute("aria-expanded", "true")
    expect(spoken(page, "answer")).to_contain_text(REFUND)
    call(page, "answer").click()
    expect(spoken(page, "answer")).to_be_hidden()


def test_a_turn_without_a_tape_says_why(visit: OpenPage, rows: Rows) -> None:
    page = calls_of(visit, rows.refund, viewport=PHONE)
    call(page, "answer").click()
    expect(spoken(page, "answer")).to_contain_text("the turn is older than that")
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert not wide
