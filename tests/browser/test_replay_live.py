"""A turn that still runs is followed live, and the list says when there is something new."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.replay_rows import ENGINEER, Rows, opened, stands_at, written
from tests.browser.site import Site
from tests.browser.steps import REFUND, ask, drafting

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def rows(site: Site) -> Rows:
    return written(site)


def running_turn(visit: OpenPage, site: Site) -> str:
    """A turn whose answer is held after its third word."""
    site.hold(3)
    page = visit()
    ask(page, REFUND)
    return drafting(page, 3).get_attribute("data-turn") or ""


def replay_of(visit: OpenPage, turn: str) -> Page:
    page = visit(f"/admin/rag-workflow/{turn}/", who=ENGINEER)
    return opened(page)


@pytest.mark.usefixtures("rows")
def test_a_running_turn_is_followed_to_its_end(visit: OpenPage, site: Site) -> None:
    page = replay_of(visit, running_turn(visit, site))
    expect(page.locator("#figures")).to_contain_text("running")
    stands_at(page, "generate_response")
    site.let_go()
    stands_at(page, "turn finished: answered")
    expect(page.locator("#figures")).to_contain_text("answered")
    expect(page.locator("#figures")).to_contain_text("1 pass")
    expect(page.locator('.plate[data-node="deliver"]')).to_contain_class("present")


@pytest.mark.usefixtures("rows")
def test_who_looks_at_an_earlier_step_is_left_there(visit: OpenPage, site: Site) -> None:
    page = replay_of(visit, running_turn(visit, site))
    page.keyboard.press("Home")
    site.let_go()
    more = page.get_by_role("button", name="new steps, to the end")
    expect(more).to_be_visible()
    stands_at(page, "start")
    more.click()
    stands_at(page, "turn finished: answered")
    expect(more).to_have_count(0)


@pytest.mark.usefixtures("rows")
def test_the_list_says_that_there_is_a_new_turn_and_stays_in_place(
    visit: OpenPage, site: Site
) -> None:
    page = visit("/admin/rag-workflow/", who=ENGINEER)
    before = page.locator("tr[data-turn]").count()
    turn = running_turn(visit, site)
    site.let_go()
    news = page.get_by_role("button", name="new or ended")
    expect(news).to_be_visible()
    expect(page.locator("tr[data-turn]")).to_have_count(before)
    news.click()
    expect(page.locator(f'tr[data-turn="{turn}"]')).to_be_visible()
    expect(news).to_have_count(0)


def test_the_list_is_filtered_while_one_types(visit: OpenPage, rows: Rows) -> None:
    page = visit("/admin/rag-workflow/", who=ENGINEER)
    page.get_by_label("Question contains").fill("cancelled yesterday")
    expect(page.locator("tr[data-turn]").first).to_contain_text("I cancelled yesterday")
    expect(page.locator(f'tr[data-turn="{rows.refund}"]')).to_be_visible()
    page.get_by_label("Question contains").fill("no such words")
    expect(page.get_by_text("No turn fits these filters.")).to_be_visible()
