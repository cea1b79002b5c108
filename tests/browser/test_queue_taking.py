"""A turn that is opened by its address: the page takes it by itself, and says where it cannot."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.queue_rows import QUEUE, Desk, Queue, at_desk
from tests.browser.site import Site

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def desk(site: Site) -> Iterator[Desk]:
    with at_desk(site) as desk:
        yield desk


@pytest.fixture
def rows(desk: Desk) -> Queue:
    """Two turns for one person each."""
    return desk.written(wanted=1, turns=2)


def stands_at(page: Page, turn: str) -> None:
    expect(page.locator(f'#item[data-turn="{turn}"]')).to_be_visible()
    expect(page.locator('.row[data-row="needed"] :focus')).to_have_count(1)


def test_a_turn_by_its_address_is_read_and_taken_and_the_next_comes(
    visit: OpenPage, desk: Desk, rows: Queue
) -> None:
    first, last = rows.turns
    page = visit(f"{QUEUE}{last}/", who="sam")
    stands_at(page, last)
    assert page.url.endswith(f"{last}/")
    assert desk.standing()["locks"] == [[last, "sam"]]
    page.keyboard.press("1")
    page.keyboard.press("1")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    stands_at(page, first)
    assert page.url.endswith(QUEUE)


def test_a_turn_that_cannot_be_taken_leads_to_the_next_by_a_key(
    visit: OpenPage, site: Site, rows: Queue
) -> None:
    """Somebody else took it between the page and its own request."""
    first, second = rows.turns
    page = visit("/chat/", who="sam")
    address = f"**{QUEUE}{second}/take/"
    page.route(
        address, lambda route: route.fulfill(status=409, json={"message": "Others have it."})
    )
    page.goto(f"{site.url}{QUEUE}{second}/")
    expect(page.locator("#wrong")).to_have_text("Others have it.")
    page.keyboard.press("Enter")
    stands_at(page, first)
