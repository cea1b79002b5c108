"""The three ways through the handbook, as a person asks and an engineer sees them."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import replay_rows
from tests.browser.conftest import OpenPage
from tests.browser.site import Site
from tests.browser.steps import REFUND, answered

pytestmark = pytest.mark.browser

THANKS = "thank you, that was nice of you"
COMPARED = "Compare the cost of backups and of block storage"


def replayed(visit: OpenPage, site: Site, turn: Locator) -> Page:
    """The engineer's page of the turn."""
    replay_rows.written(site)  # makes the engineer's account
    address = f"/admin/rag-workflow/{turn.get_attribute('data-turn')}/"
    return visit(address, who=replay_rows.ENGINEER)


def test_thanks_are_answered_without_a_search(visit: OpenPage, page: Page, site: Site) -> None:
    turn = answered(page, THANKS)
    expect(turn.locator(".said")).to_contain_text("You are welcome")
    expect(turn.locator(".sources li")).to_have_count(0)
    expect(turn).not_to_contain_text("Checked against")
    staff = replayed(visit, site, turn)
    expect(staff.locator("body")).to_contain_text(re.compile(r"direct\s+0\.\d\d"))
    expect(staff.locator("body")).to_contain_text("0 passes")


def test_a_plain_question_is_searched_once(visit: OpenPage, page: Page, site: Site) -> None:
    turn = answered(page, REFUND)
    expect(turn.locator(".said")).to_contain_text("business days")
    staff = replayed(visit, site, turn)
    expect(staff.locator("body")).to_contain_text(re.compile(r"single_shot\s+(?:0\.\d\d|1\.00)"))


def test_a_comparison_goes_the_iterative_way_and_answers_both_parts(
    visit: OpenPage, page: Page, site: Site
) -> None:
    turn = answered(page, COMPARED)
    expect(turn.locator(".said")).to_contain_text("backup")
    expect(turn.locator(".said")).to_contain_text("block storage")
    staff = replayed(visit, site, turn)
    expect(staff.locator("body")).to_contain_text(re.compile(r"iterative\s+(?:0\.\d\d|1\.00)"))
    expect(staff.locator("[data-node=agent], #node-agent, [data-name=agent]").first).to_be_visible()
