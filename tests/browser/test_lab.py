"""The lab: the golden five fill the table while one looks, and the knee is at two rewrites."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, OpenPage
from tests.browser.lab_rows import labelled_on
from tests.browser.replay_rows import ENGINEER, written
from tests.browser.site import Site

pytestmark = pytest.mark.browser

LAB = "/admin/rag-workflow/lab/"
EVIDENCE = {
    "0": (1, 3, 1, 4, 14),
    "1": (2, 2, 1, 7, 24),
    "2": (3, 1, 1, 9, 31),
    "3": (3, 1, 1, 10, 34),
}
MINUTE = 60_000  # ms that a run may take on a busy machine


@pytest.fixture
def lab(visit: OpenPage, site: Site) -> Page:
    written(site)
    page = visit(LAB, who=ENGINEER)
    expect(page.get_by_role("heading", name="Lab", exact=True)).to_be_visible()
    return page


def test_the_golden_table_fills_in_place_and_its_knee_is_at_two(lab: Page, visit: OpenPage) -> None:
    lab.get_by_label("Checked first").select_option("evidence")
    lab.get_by_label("Topic check").select_option("on")
    expect(lab.locator("#estimate")).to_have_text(
        "5 questions with each of 4 settings: 20 turns. No cost with the offline model."
    )
    lab.get_by_role("button", name="Run").click()

    row = lab.locator("#row-0-2")
    expect(row).to_be_visible()
    before = row.bounding_box()
    expect(lab.locator("#run-state")).to_have_text("done", timeout=MINUTE)
    assert row.bounding_box() == before
    for bound, figures in EVIDENCE.items():
        cells = lab.locator(f"#row-0-{bound} td.number").all_text_contents()
        assert cells[:5] == [str(figure) for figure in figures]
        expect(lab.locator(f"#row-0-{bound} .against")).to_have_text("as expected")
    expect(lab.locator(".at-knee th")).to_have_text("2 knee")
    expect(lab.locator("#knee-0")).to_contain_text("3 more model calls")
    expect(lab.get_by_role("button", name="Stop")).to_have_count(0)

    outage = lab.locator("#cell-0-2-outage")
    expect(outage).to_contain_text("10 calls")
    outage.get_by_role("link", name="answered").click()
    expect(lab.get_by_role("heading", name="What happens if my server goes down?")).to_be_visible()
    expect(lab.locator("#figures")).to_contain_text("10 calls")

    phone = visit(LAB, same_as=lab)
    phone.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    expect(phone.locator("#row-0-2")).to_contain_text("knee")
    assert phone.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_bounds_that_have_no_rewrite_written_by_hand_are_not_sent(lab: Page) -> None:
    for name in ("Checked first", "Topic check"):
        lab.get_by_label(name).select_option("both")
    lab.get_by_label("Retrieval", exact=True).select_option("hybrid")
    lab.get_by_label("5", exact=True).check()
    expect(lab.locator("#estimate")).to_contain_text("these are 20")
    lab.get_by_label("Retrieval", exact=True).select_option("lexical")
    expect(lab.get_by_label("5", exact=True)).to_be_disabled()
    expect(lab.locator("#estimate")).to_contain_text("5 questions with each of 16 settings")


def test_a_labelled_turn_becomes_a_question_of_the_set_in_its_place(lab: Page, site: Site) -> None:
    labelled_on(site)
    lab.reload()
    below = lab.locator(".offers li").nth(1)
    expect(below).to_be_visible()
    below.scroll_into_view_if_needed()
    before = below.bounding_box()
    row = lab.locator(".offers li").first
    row.get_by_role("button", name="Add to the lab’s set").click()
    expect(row).to_contain_text("in the set")
    expect(row.get_by_role("button", name="Remove")).to_be_focused()
    assert below.bounding_box() == before
    lab.keyboard.press("Enter")
    expect(row).to_contain_text("Removed")
    expect(row.get_by_role("button", name="Undo")).to_be_focused()
