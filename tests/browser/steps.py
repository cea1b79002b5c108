"""What a person does on the chat page, and what they look at."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

REFUND = "How long does a refund take?"
BACKUP = "How do I restore a backup?"
WEATHER = "What's the weather like today?"
VAGUE = "Tell me about it"
TICKET = "Please open a ticket: my server does not start any more."


def ask(page: Page, question: str) -> None:
    """Type a question and send it."""
    field = page.get_by_label("Your question")
    field.fill(question)
    field.press("Enter")


def answered(page: Page, question: str = REFUND) -> Locator:
    """Ask, and wait for the finished turn."""
    ask(page, question)
    return settled(page)


def settled(page: Page) -> Locator:
    """The last turn, once it is finished."""
    expect(page.locator(".turn")).not_to_have_count(0)
    expect(page.locator(".turn.running")).to_have_count(0)
    return page.locator(".turn").last


def drafting(page: Page, words: int) -> Locator:
    """The running turn, once its draft has so many words."""
    turn = page.locator(".turn.running")
    expect(turn.locator(".said")).to_have_text(re.compile(rf"(\S+\s+){{{words - 1}}}\S+"))
    return turn


def asked_back(page: Page, question: str = VAGUE) -> Locator:
    """Ask what cannot be looked up, or done without a yes, and wait until the turn waits."""
    ask(page, question)
    return waiting(page)


def waiting(page: Page) -> Locator:
    """The open question, or the action, of the turn that waits."""
    form = page.locator(".turn.waiting .pause")
    expect(form).to_be_visible()
    return form
