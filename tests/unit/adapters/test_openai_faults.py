"""What an endpoint says that it does not take is left out; nothing else is read into it."""

from __future__ import annotations

import httpx2
import openai
import pytest

from chat.adapters.openai_faults import failure_of, unwanted

NAMES = ("images", "tools", "temperature")


def refused(status: int, message: str) -> openai.APIStatusError:
    response = httpx2.Response(status, request=httpx2.Request("POST", "http://endpoint"))
    return openai.APIStatusError(message, response=response, body=None)


@pytest.mark.parametrize(
    ("status", "message", "name"),
    [
        (400, "this model does not support image input", "images"),
        (404, "No endpoints found that support image input", "images"),
        (500, "image input is not supported by this server", "images"),
        (500, 'Failed to parse messages: Unsupported content part type: "image_url"', "images"),
        (400, '"auto" tool choice requires --enable-auto-tool-choice to be set', "tools"),
        (400, "gemma does not support tools", "tools"),
        (500, "Unsupported param: tools", "tools"),
        (500, "tools param requires --jinja flag", "tools"),
        (422, "temperature: extra fields not permitted", "temperature"),
        (400, "the request is bad", None),
        (400, "the request is bad: " + "x" * 300 + " image", None),
        (500, "an image server broke down", None),
        (401, "this key may not use tools", None),
        (429, "too many images a minute", None),
    ],
)
def test_what_is_named_as_refused_is_left_out(status: int, message: str, name: str | None) -> None:
    assert unwanted(refused(status, message), NAMES) == name


def test_a_fault_without_a_status_refuses_nothing() -> None:
    assert unwanted(TimeoutError("images"), NAMES) is None


@pytest.mark.parametrize(
    ("status", "less_may_help"),
    [(400, True), (404, True), (413, True), (422, True), (500, True), (501, True)]
    + [(401, False), (403, False), (408, False), (429, False), (502, False), (503, False)],
)
def test_a_request_with_less_in_it_is_tried_where_that_may_help(
    status: int, less_may_help: bool
) -> None:
    assert failure_of(refused(status, "no")).turned_down is less_may_help
