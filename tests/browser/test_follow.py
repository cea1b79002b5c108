"""All turns as they happen: a line appears, changes in place and ends; reading is not disturbed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.replay_rows import ENGINEER, Rows, written
from tests.browser.site import Site
from tests.browser.steps import BACKUP, REFUND, ask, drafting, settled

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def rows(site: Site) -> Rows:
    return written(site)


@pytest.fixture
def page(visit: OpenPage, rows: Rows) -> Page:
    page = visit("/admin/rag-workflow/", who=ENGINEER)
    page.get_by_role("link", name="Follow").click()
    expect(page.get_by_text("Live")).to_be_visible()
    return page


def test_a_turn_is_followed_from_its_question_to_its_end(
    visit: OpenPage, site: Site, page: Page
) -> None:
    site.hold(2)
    chat = visit()
    ask(chat, REFUND)
    turn = drafting(chat, 2).get_attribute("data-turn") or ""
    line = page.locator(f'tr[data-turn="{turn}"]')
    expect(line).to_contain_text(REFUND)
    expect(line.locator(".now")).to_have_text("Writing")
    assert page.locator("tr[data-turn]").first.get_attribute("data-turn") == turn
    site.let_go()
    expect(line.locator(".now")).to_have_text("answered")
    expect(line.locator(".time")).not_to_have_text("–")
    line.get_by_role("link").click()
    expect(page.locator("#replay[data-ready]")).to_be_attached()


def test_while_paused_new_lines_are_counted_and_kept(visit: OpenPage, page: Page) -> None:
    before = page.locator("tr[data-turn]").count()
    page.keyboard.press("Space")
    expect(page.get_by_text("Paused")).to_be_visible()
    chat = visit()
    ask(chat, BACKUP)
    turn = settled(chat).get_attribute("data-turn") or ""
    held = page.get_by_role("button", name="1 new turn above")
    expect(held).to_be_visible()
    expect(page.locator("tr[data-turn]")).to_have_count(before)
    page.get_by_role("button", name="Go on").click()
    expect(page.locator(f'tr[data-turn="{turn}"] .now')).to_have_text("answered")
    expect(held).to_have_count(0)


def test_a_line_that_breaks_is_said_and_taken_up_again(visit: OpenPage, rows: Rows) -> None:
    page = visit("/admin/rag-workflow/quality/", who=ENGINEER)
    page.route("**/rag-workflow/events/**", lambda route: route.abort())
    page.goto(page.url.replace("quality", "follow"))
    expect(page.get_by_text("Connection lost")).to_be_visible()
    page.unroute("**/rag-workflow/events/**")
    expect(page.get_by_text("Live, reconnected once")).to_be_visible()
