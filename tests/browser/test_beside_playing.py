"""Two turns side by side are played at the speeds of the replay, on the line that both share."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.golden_rows import run_in_lab
from tests.browser.replay_rows import ENGINEER, written
from tests.browser.site import Site

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def both(site: Site) -> str:
    """The address of two turns of the lab, one of which searched more often."""
    written(site)
    turns = run_in_lab(site, "outage", "refund")
    return f"/admin/rag-workflow/{turns['outage']}/beside/{turns['refund']}/"


@pytest.fixture
def page(visit: OpenPage, both: str) -> Page:
    page = visit(both, who=ENGINEER)
    expect(page.locator("#beside[data-ready]")).to_be_attached()
    page.keyboard.press("Home")
    return page


def test_a_faster_speed_takes_longer_strides(page: Page) -> None:
    page.clock.install(time=0)
    page.clock.pause_at(1_000)
    page.get_by_text("×16").click()
    page.get_by_role("button", name="Play").click()
    page.clock.run_for(1_100)
    page.get_by_role("button", name="Pause").click()
    at = int(page.locator("#place").inner_text().split(" ")[0])
    assert 10 <= at <= 20


def test_as_recorded_it_plays_to_the_end_of_both(page: Page) -> None:
    page.get_by_text("as recorded").click()
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    expect(page.locator("#place")).to_have_text(re.compile(r"^(\d+) of \1$"))
    for side in ("left", "right"):
        expect(page.locator(f"#standing-{side}")).to_contain_text("turn finished")
