"""An engineer steps through the golden outage turn and runs it again with the budget checked first.

With the evidence first it is answered after the second rewrite, at 10 calls. With the budget first
it ends in no results at 9, and every one of them is known already.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.golden_rows import run_in_lab
from tests.browser.replay_rows import ENGINEER, opened, stands_at, written
from tests.browser.site import Site

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def outage(site: Site) -> str:
    """The turn of the lab; the engineer's account comes with the other rows."""
    written(site)
    return run_in_lab(site, "outage")["outage"]


def replay(visit: OpenPage, turn: str) -> Page:
    page = visit(f"/admin/rag-workflow/{turn}/", who=ENGINEER)
    return opened(page)


def test_the_outage_flips_to_no_results_with_the_budget_first(visit: OpenPage, outage: str) -> None:
    page = replay(visit, outage)
    expect(page.locator("#figures")).to_contain_text("answered")
    expect(page.locator("#figures")).to_contain_text("3 passes")
    expect(page.locator("#figures")).to_contain_text("10 calls")

    page.keyboard.press("Home")
    page.keyboard.press("2")
    for number in ("1", "2", "3"):
        page.keyboard.press("Shift+ArrowRight")
        stands_at(page, f"retrieve · pass {number}")
        for _ in range(4):
            page.keyboard.press("ArrowRight")
        expect(page.locator("#panel")).to_contain_text(f"Pass {number}")
    page.keyboard.press("End")
    stands_at(page, "turn finished: answered")

    page.keyboard.press("w")
    form = page.get_by_role("dialog", name="Run again with something changed")
    form.get_by_label("Looked at first").select_option(label="The budget")
    form.get_by_role("button", name="Run again").press("Enter")

    page.wait_for_url(re.compile(rf"/{outage}/beside/[0-9a-f-]+/"))
    came = page.get_by_role("region", name="What was changed")
    expect(came).to_contain_text("The budget is checked before the evidence.")
    expect(came).to_contain_text("Flipped: answered → no evidence")
    expect(came).to_contain_text(re.compile(r"Reused:.*9 model calls"))
    expect(came).to_contain_text("Made: nothing")
    expect(came).to_contain_text("0 ¢ for what was made")

    rows = page.get_by_role("table").first
    expect(rows.get_by_role("row", name="Ended")).to_contain_text("no evidence")
    expect(rows.get_by_role("row", name="Calls")).to_have_text(re.compile(r"Calls\s*10\s*9"))
    expect(rows.get_by_role("row", name="Passes")).to_have_text(re.compile(r"Passes\s*3\s*3"))
    expect(page.locator("#parting")).to_contain_text("They part at step")


def test_a_bound_that_is_out_of_range_is_named_at_its_field(visit: OpenPage, outage: str) -> None:
    page = replay(visit, outage)
    page.keyboard.press("w")
    bound = page.get_by_label("Rewrites, 0 to 6")
    expect(bound).to_be_focused()
    bound.fill("99")
    bound.press("Enter")
    expect(page.get_by_text("less than or equal to 6")).to_be_visible()
    expect(bound).to_have_value("99")


def test_the_two_turns_are_stepped_through_together(visit: OpenPage, outage: str) -> None:
    page = replay(visit, outage)
    page.get_by_role("button", name="1 re-run").click()
    page.get_by_role("link", name="The budget is checked before the evidence.").click()
    expect(page.locator("#beside[data-ready]")).to_be_attached()
    place, left, right = (page.locator(f"#{name}") for name in _PLACES)

    page.keyboard.press("Home")
    expect(place).to_have_text(re.compile(r"^1 of \d+$"))
    page.keyboard.press("Shift+ArrowRight")
    for side in (left, right):
        expect(side).to_contain_text("retrieve · pass 1")
    page.keyboard.press("d")
    expect(page.locator(".half.differs")).not_to_have_count(0)
    parted = place.inner_text()
    page.keyboard.press("n")
    page.keyboard.press("p")
    expect(place).to_have_text(parted)

    page.keyboard.press("4")
    expect(page).to_have_url(re.compile(r"#place=\d+&tab=controls$"))
    page.reload()
    expect(place).to_have_text(parted)
    expect(page.get_by_role("tab", name="Controls")).to_have_attribute("aria-selected", "true")

    page.keyboard.press("End")
    expect(left).to_contain_text("turn finished: answered")
    expect(right).to_contain_text("turn finished: no evidence")
    right.get_by_role("link").click()
    opened(page)
    stands_at(page, "turn finished: no evidence")
    expect(page.get_by_role("tab", name="Controls")).to_have_attribute("aria-selected", "true")


def test_all_lab_turns_of_a_filter_are_run_again_and_watched(visit: OpenPage, outage: str) -> None:
    page = visit(f"/admin/rag-workflow/?kind=lab&q=server+goes+down&turns={outage}", who=ENGINEER)
    page.get_by_role("link", name="Run these again").click()
    expect(page.get_by_text("1 turn will be run again.")).to_be_visible()
    page.get_by_label("Looked at first").select_option(label="The budget")
    page.get_by_role("button", name="Run 1 turn again").click()
    expect(page.get_by_text("1 of 1 turn")).to_be_visible()
    expect(page.locator("#batch")).to_contain_text("1 × answered → no evidence")
    expect(page.locator("#batch[hx-get]")).to_have_count(0)  # it is not asked again
    page.get_by_role("link", name="What happens if my server goes down?").click()
    expect(page.locator("#beside[data-ready]")).to_be_attached()


_PLACES = ("place", "standing-left", "standing-right")
