"""Nothing is lost: reloads, lost connections, stops, and text that was not sent."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.conftest import OpenPage
from tests.browser.site import Site
from tests.browser.steps import BACKUP, REFUND, answered, ask, drafting, settled

pytestmark = pytest.mark.browser


def test_a_reload_in_mid_answer_shows_the_same_and_goes_on(page: Page, site: Site) -> None:
    site.hold(8)
    ask(page, REFUND)
    draft = drafting(page, 8).locator(".said").inner_text()
    page.reload()
    begins = re.compile(rf"^\s*{re.escape(draft.strip())}")
    expect(page.locator(".turn.running .said")).to_have_text(begins)
    site.let_go()
    text = settled(page).locator(".said").inner_text()
    assert len(text) > len(draft)
    page.reload()
    assert page.locator(".turn .said").inner_text() == text
    expect(page.locator(".turn")).to_have_count(1)


def test_a_stop_ends_the_answer_and_keeps_what_was_written(page: Page, site: Site) -> None:
    site.hold(8)
    ask(page, REFUND)
    draft = drafting(page, 8).locator(".said").inner_text()
    page.get_by_role("button", name="Stop").click()
    turn = settled(page)
    expect(turn).to_contain_text("Stopped. What stands here was not checked.")
    assert turn.locator(".said").inner_text().startswith(draft)
    site.let_go()
    turn.get_by_role("button", name="Try again").click()
    expect(page.locator(".turn")).to_have_count(2)
    expect(settled(page).locator(".said")).to_contain_text("business days")


def test_a_second_tab_follows_the_same_answer(page: Page, visit: OpenPage, site: Site) -> None:
    answered(page)
    other = visit(page.url.removeprefix(site.url), same_as=page)
    ask(page, BACKUP)
    expect(other.locator(".turn")).to_have_count(2)
    assert settled(other).inner_text() == settled(page).inner_text()


class Line:
    """The page's sockets on their way to the site, cut and mended by the test."""

    def __init__(self, page: Page) -> None:
        self.is_cut = False
        self.open: list[WebSocketRoute] = []
        page.route_web_socket(re.compile("/ws/"), self._route)

    def cut(self) -> None:
        self.is_cut = True
        for socket in self.open:
            socket.close()
        self.open = []

    def mend(self) -> None:
        self.is_cut = False

    def _route(self, socket: WebSocketRoute) -> None:
        if self.is_cut:
            socket.close()
            return
        socket.connect_to_server()
        self.open.append(socket)


def test_a_lost_connection_is_told_and_the_answer_goes_on_after_it(page: Page, site: Site) -> None:
    line = Line(page)
    page.reload()
    site.hold(8)
    ask(page, REFUND)
    drafting(page, 8)
    line.cut()
    bar = page.locator("#offline")
    expect(bar).to_be_visible()
    expect(bar).to_contain_text(re.compile(r"No connection\. .*, try \d+\."))
    site.let_go()
    line.mend()
    expect(settled(page).locator(".said")).to_contain_text("business days")
    expect(bar).to_be_hidden()
    expect(page.locator(".turn")).to_have_count(1)


def test_what_is_asked_without_a_connection_is_kept_and_sent_once(page: Page) -> None:
    line = Line(page)
    page.reload()
    answered(page)
    line.cut()
    expect(page.locator("#offline")).to_be_visible()
    ask(page, BACKUP)
    expect(page.locator("#status")).to_contain_text("Waiting for the connection")
    line.mend()
    expect(settled(page).locator(".question")).to_have_text(BACKUP)
    page.reload()
    expect(page.locator(".turn")).to_have_count(2)


def test_a_stop_without_a_connection_gives_the_question_back(page: Page) -> None:
    line = Line(page)
    page.reload()
    line.cut()
    expect(page.locator("#offline")).to_be_visible()
    ask(page, BACKUP)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_label("Your question")).to_have_value(BACKUP)
    expect(page.locator("#empty")).to_be_visible()


def test_text_that_was_not_sent_survives_a_reload(page: Page) -> None:
    page.get_by_label("Your question").fill("half a quest")
    page.reload()
    expect(page.get_by_label("Your question")).to_have_value("half a quest")
    answered(page, REFUND)
    page.reload()
    expect(page.get_by_label("Your question")).to_have_value("")
