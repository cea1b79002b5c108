"""What a person reads who asks too much: when to come back, and the words stay in the field."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.steps import REFUND, ask, settled

pytestmark = pytest.mark.browser

# Each counts as a question and starts no turn; the page's own socket stays out of it.
SPEND = """
async (count) => {
  const { socket } = document.querySelector("[data-socket]").dataset;
  const ws = new WebSocket(`ws://${location.host}${socket}`);
  const frames = [];
  await new Promise((resolve) => {
    ws.onmessage = ({ data }) => {
      const frame = JSON.parse(data);
      frames.push(frame.code ?? frame.type);
      if (frame.type === "hello") {
        for (let n = 0; n < count; n += 1) {
          ws.send(JSON.stringify({ type: "regenerate", turn: crypto.randomUUID() }));
        }
      } else if (frames.length > count) {
        resolve();
      }
    };
  });
  ws.close();
  return frames;
}
"""

HOLD = """
(count) => {
  const { socket } = document.querySelector("[data-socket]").dataset;
  const opened = (ws) => new Promise((resolve) => { ws.onmessage = resolve; });
  window.held = Array.from({ length: count }, () => new WebSocket(`ws://${location.host}${socket}`));
  return Promise.all(window.held.map(opened)).then(() => null);
}
"""


def test_a_question_too_many_says_when_to_come_back_and_keeps_the_words(page: Page) -> None:
    assert set(page.evaluate(SPEND, 20)) == {"hello", "no_such_turn"}
    ask(page, REFUND)
    line = page.locator("#status")
    expect(line).to_contain_text(
        re.compile(r"One person can ask 20 questions a minute\. Ask again in \d+ seconds\.")
    )
    expect(page.get_by_label("Your question")).to_have_value(REFUND)
    expect(page.locator(".turn")).to_have_count(0)
    before = line.inner_text()
    expect(line).not_to_have_text(before)  # it counts down
    expect(line).to_contain_text(re.compile(r"Ask again in \d+ seconds\."))
    field = page.get_by_label("Your question")
    field.press("Enter")
    expect(field).to_have_value(REFUND)


def test_a_page_too_many_says_so_waits_long_and_can_try_at_once(
    page: Page, visit: OpenPage
) -> None:
    page.evaluate(HOLD, 7)  # beside the page's own
    other = visit(same_as=page)
    bar = other.locator("#offline")
    expect(bar).to_contain_text(
        re.compile(r"This chat is open on too many pages\. Close one\. Trying again in [234]\d s\.")
    )
    expect(other.locator("#status")).to_contain_text("Close one of them.")
    page.evaluate("() => window.held.pop().close()")
    other.get_by_role("button", name="Try now").click()
    expect(bar).to_be_hidden()
    ask(other, REFUND)
    settled(other)
