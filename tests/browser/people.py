"""People of the staff in a browser: how they sign in, by hand or as those who did before."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.browser.site import Site

LOGIN = "/admin/login/?next=/chat/"

_known: dict[tuple[Site, str], Any] = {}


def sign_in(page: Page, name: str) -> None:
    """Fills the admin's form by keyboard, which leads on to the page that was asked for."""
    page.get_by_label("Username").focus()
    page.keyboard.type(name)
    page.keyboard.press("Tab")
    page.keyboard.type(f"{name} has a password")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Username")).to_have_count(0)


def signed_in(browser: Browser, site: Site, name: str) -> Any:
    """The cookies of somebody who has an account; the form is filled in once a site.

    A password costs half a second to check, and what is tested is behind it.
    """
    if (site, name) not in _known:
        with browser.new_context() as context:
            page = context.new_page()
            page.goto(site.url + LOGIN)
            sign_in(page, name)
            _known[site, name] = context.storage_state()
    return _known[site, name]
