"""A server that is killed while a turn waits for a person, seen from the page."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import site as site_process
from tests.browser.conftest import PATIENCE
from tests.browser.steps import asked_back, settled, waiting

pytestmark = pytest.mark.browser


def test_a_reply_finds_its_turn_after_the_server_was_killed(browser: Browser) -> None:
    """The page stays open all the while, says that it is offline, and goes on by itself."""
    with site_process.killable() as server:
        page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(server.site.url + "/chat/")
        asked = asked_back(page).locator(".asks").inner_text()
        server.kill()
        expect(page.locator("#offline")).to_be_visible()
        server.start()
        expect(page.locator("#offline")).to_be_hidden()
        form = waiting(page)
        expect(form.locator(".asks")).to_have_text(asked)
        form.locator("[data-reply]").first.click()
        turn = settled(page)
        expect(turn.locator(".exchanges dd")).to_contain_text("You answered")
        expect(turn.locator(".said")).not_to_be_empty()
        expect(page.locator(".turn")).to_have_count(1)
        page.context.close()
