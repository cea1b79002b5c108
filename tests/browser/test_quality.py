"""The quality page in a browser: eight figures on one screen, and sections that come when seen."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESK, OpenPage
from tests.browser.replay_rows import ENGINEER, written
from tests.browser.site import Site
from tests.browser.steps import answered

pytestmark = pytest.mark.browser

EIGHT = 8


@pytest.fixture
def quality(visit: OpenPage, site: Site) -> Page:
    """The page, with a turn of today."""
    written(site)
    answered(visit("/chat/"))
    page = visit("/admin/rag-workflow/quality/", who=ENGINEER)
    expect(page.locator(".headline")).to_have_count(EIGHT)
    return page


def test_the_eight_figures_stand_on_one_screen_and_a_section_comes_when_it_is_seen(
    quality: Page,
) -> None:
    ends = quality.locator(".headline").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().bottom)"
    )
    assert max(ends) <= DESK["height"]
    far = quality.locator("section", has=quality.locator("#agreement"))
    expect(far.get_by_text("Counting")).to_be_attached()
    quality.locator("#agreement").scroll_into_view_if_needed()
    expect(far.get_by_role("heading", name="On the way")).to_be_visible()


def test_nothing_moves_under_who_reads_while_a_section_comes(quality: Page) -> None:
    quality.locator("#agreement").evaluate("one => one.scrollIntoView()")
    before = quality.locator("#agreement").bounding_box()
    expect(quality.get_by_role("heading", name="On the way")).to_be_visible()
    after = quality.locator("#agreement").bounding_box()
    assert before is not None and after is not None
    assert abs(after["y"] - before["y"]) <= 1


def test_another_window_comes_in_place_and_stands_in_the_address(quality: Page) -> None:
    quality.get_by_role("link", name="7 days").click()
    expect(quality.get_by_role("link", name="7 days")).to_have_attribute("aria-current", "true")
    assert quality.url.endswith("?days=7")
    expect(quality.locator(".headline")).to_have_count(EIGHT)
