"""Two visitors in two browsers: neither sees, opens or hears the other's conversation."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.browser.site import Site
from tests.browser.steps import BACKUP, REFUND, answered

pytestmark = pytest.mark.browser


def test_two_visitors_cannot_see_each_others_conversations(visit: OpenPage, site: Site) -> None:
    first, second = visit(), visit()
    answered(first, REFUND)
    answered(second, BACKUP)
    foreign = visit(first.url.removeprefix(site.url), same_as=second)
    expect(foreign.get_by_role("heading")).to_have_text("There is no such conversation here.")
    assert "business days" not in foreign.content()
    second.reload()
    expect(second.locator(".rail .line")).to_have_text([BACKUP])


def test_a_socket_to_a_foreign_conversation_is_refused(visit: OpenPage) -> None:
    first, second = visit(), visit()
    turn = answered(first).get_attribute("data-turn")
    conversation = first.locator("#chat").get_attribute("data-conversation")
    heard = second.evaluate(
        """([conversation, turn]) => new Promise((resolve) => {
            const socket = new WebSocket(`ws://${location.host}/ws/chat/${conversation}/`);
            const heard = [];
            socket.onmessage = ({ data }) => {
                heard.push(JSON.parse(data));
                if (heard.length === 2) resolve(heard);
            };
            socket.onopen = () => socket.send(JSON.stringify({ type: "resume", turn, after: 0 }));
        })""",
        [conversation, turn],
    )
    assert [frame["type"] for frame in heard] == ["refused", "refused"]
    assert {frame["code"] for frame in heard} <= {"not_yours", "no_such_turn"}
