"""A real Chromium and a running site for the tests of this folder, gone after the last of them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.browser import people
from tests.browser import site as site_process
from tests.browser.site import Site

CHROMIUM = shutil.which("chromium")
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 40_000  # ms that a slow machine may take for one step
DESK = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}

OpenPage = Callable[..., Page]


@pytest.fixture(scope="package")
def site() -> Iterator[Site]:
    with site_process.running() as running:
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One Chromium a module: while Playwright runs, no test could have an event loop of its own."""
    if CHROMIUM is None:
        missing = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        missing("chromium is not installed")
    with sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE)
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield chromium
        chromium.close()


@pytest.fixture
def visit(browser: Browser, site: Site) -> Iterator[OpenPage]:
    """Opens pages, each as a visitor of its own unless `same_as` names a page or `who` a person.

    What a page's scripts raise, and what its content policy refuses, fails the test.
    """
    contexts: list[BrowserContext] = []
    faults: list[str] = []
    site.let_go()

    def opened(
        path: str = "/chat/", *, same_as: Page | None = None, who: str = "", **options: Any
    ) -> Page:
        if who:
            options["storage_state"] = people.signed_in(browser, site, who)
        if same_as is None:
            contexts.append(browser.new_context(**{"viewport": DESK, **options}))
        page = (same_as.context if same_as else contexts[-1]).new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda said: _note_refusal(said.text, faults))
        page.goto(site.url + path)
        return page

    yield opened
    site.let_go()
    for context in contexts:
        context.close()
    assert not faults


@pytest.fixture
def page(visit: OpenPage) -> Page:
    """The page of a new visitor, at a desk."""
    return visit()


def _note_refusal(text: str, faults: list[str]) -> None:
    if "Content Security Policy" in text:
        faults.append(text)
