"""A turn of five thousand events: what opening it and stepping through it costs stays bounded."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.replay_rows import ENGINEER, Rows, opened, stands_at, written
from tests.browser.site import Site

pytestmark = pytest.mark.browser

STEPS = 200
REQUESTS = "performance.getEntriesByType('resource').map((entry) => entry.name)"
NODES = "document.querySelectorAll('*').length"


@pytest.fixture(scope="module")
def rows(site: Site) -> Rows:
    return written(site)


@pytest.fixture
def page(visit: OpenPage, rows: Rows) -> Page:
    page = visit(f"/admin/rag-workflow/{rows.long}/", who=ENGINEER)
    return opened(page)


def fetched(page: Page, part: str) -> list[str]:
    return [name for name in page.evaluate(REQUESTS) if f"/{part}/" in name]


def stepped(page: Page, key: str, count: int) -> None:
    """Keys that come one a frame, as from a key that is held down."""
    page.evaluate(
        """async ([key, count]) => {
            for (let step = 0; step < count; step += 1) {
                document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
                await new Promise(requestAnimationFrame);
            }
        }""",
        [key, count],
    )


def test_two_hundred_steps_ask_for_few_ranges_and_grow_nothing(page: Page) -> None:
    assert len(fetched(page, "outline")) == 1  # it was begun with the page, and not asked twice
    page.keyboard.press("Home")
    stands_at(page, "1 of 4999")
    nodes = page.evaluate(NODES)
    stepped(page, "ArrowRight", STEPS)
    stands_at(page, f"{STEPS + 1} of 4999")
    assert len(fetched(page, "details")) <= STEPS // 40 + 3
    assert page.evaluate(NODES) < nodes + 300


def test_the_calls_of_a_long_turn_come_in_blocks(page: Page) -> None:
    page.keyboard.press("3")
    expect(page.locator("#panel")).to_contain_text("the last 100 shown")
    stepped(page, "ArrowLeft", STEPS)
    stands_at(page, f"{4999 - STEPS} of 4999")
    expect(page.locator("#panel")).to_contain_text(f"{(4999 - STEPS) // 2:,} calls up to this step")
    assert len(fetched(page, "latest")) <= 4
    assert page.locator("#panel tbody tr").count() <= 2 * 100 + 1  # each with its prompt folded


def test_the_timeline_of_thousands_is_a_handful_of_elements(page: Page) -> None:
    assert page.locator("#timeline svg *").count() < 60
