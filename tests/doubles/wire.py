"""The OpenAI wire format, as an endpoint writes it: replies, stream events and errors."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Literal

Fault = Literal["cut", "silence", "no_end", "malformed", "html", "error_event", "open_end"]

USAGE = {
    "prompt_tokens": 120,
    "completion_tokens": 30,
    "total_tokens": 150,
    "prompt_tokens_details": {"cached_tokens": 100},
    "completion_tokens_details": {"reasoning_tokens": 10},
}


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call of a reply. `arguments` are sent as they stand, so they may be broken."""

    name: str
    arguments: str

    @classmethod
    def of(cls, name: str, /, **arguments: Any) -> Call:
        return cls(name, json.dumps(arguments))


@dataclass(frozen=True, slots=True)
class Script:
    """What one request is answered with.

    `deltas` are pieces of text or whole delta objects, sent `pace` seconds apart; `calls` come
    after them, in a stream as deltas too, with their arguments in pieces. `answer` is
    a structured answer: it takes the form that the request asks for (a tool call or text). A
    `fault` strikes after the first `after` deltas: the connection is cut, falls silent, ends
    without a finish reason, sends broken JSON or an error event. `html` is a web page from
    the start; `open_end` sends all and never closes.
    """

    deltas: tuple[str | dict[str, Any], ...] = ()
    calls: tuple[Call, ...] = ()
    answer: dict[str, Any] | str | None = None
    pace: float = 0.0
    finish: str | None = "stop"
    usage: dict[str, Any] | None = field(default_factory=lambda: dict(USAGE))
    refusal: str | None = None
    fault: Fault | None = None
    after: int = 0
    status: int = 200
    code: str | None = None
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """All text of the reply in one piece."""
        if self.answer is not None:
            return self.answer if isinstance(self.answer, str) else json.dumps(self.answer)
        return "".join(piece for piece in self.deltas if isinstance(piece, str))

    @property
    def pieces(self) -> tuple[str | dict[str, Any], ...]:
        """All that a stream sends, in order."""
        return (*self.deltas, *call_deltas(*self.calls))


def call_deltas(*calls: Call, size: int = 7) -> list[dict[str, Any]]:
    """The deltas of tool calls: each is named first, then its arguments come in pieces."""
    deltas = []
    for index, call in enumerate(calls):
        whole = {"index": index, **_call(index, call)}
        deltas.append(whole | {"function": {"name": call.name, "arguments": ""}})
        pieces = [call.arguments[at : at + size] for at in range(0, len(call.arguments), size)]
        deltas += [{"index": index, "function": {"arguments": piece}} for piece in pieces]
    return [{"tool_calls": [delta]} for delta in deltas]


def _call(index: int, call: Call) -> dict[str, Any]:
    function = {"name": call.name, "arguments": call.arguments}
    return {"id": f"call_{index + 1}", "type": "function", "function": function}


def mode_of(body: dict[str, Any]) -> str:
    """How a request asks for structure: json_schema, tool, json_object or none.

    Tools that are only offered ask for no structure.
    """
    if body.get("tools") and body.get("tool_choice") == "required":
        return "tool"
    return (body.get("response_format") or {}).get("type", "none")


def parts_of(message: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    """The parts of one kind in a message; plain content is one part of text."""
    content = message["content"]
    parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
    return [part for part in parts if part["type"] == kind]


def chunk(
    model: str,
    delta: dict[str, Any] | None,
    *,
    finish: str | None = None,
    usage: dict[str, Any] | None = None,
) -> bytes:
    """One stream event. Without a delta it has no choice, like the one that carries usage."""
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    return event(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion.chunk",
            "created": 1700000000,
            "model": model,
            "system_fingerprint": "fp_double",
            "choices": [] if delta is None else [choice],
            "usage": usage,
        }
    )


def event(data: Any) -> bytes:
    """Any value as one server-sent event."""
    return b"data: " + json.dumps(data).encode() + b"\n\n"


def completion(model: str, script: Script, mode: str) -> dict[str, Any]:
    """A whole reply that is not streamed."""
    message: dict[str, Any] = {"role": "assistant", "content": script.text}
    if script.refusal:
        message = {"role": "assistant", "content": None, "refusal": script.refusal}
    elif mode == "tool" and isinstance(script.answer, dict):
        call = _call(0, Call("reply", script.text))
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
    elif script.calls:
        calls = [_call(index, call) for index, call in enumerate(script.calls)]
        message |= {"content": script.text or None, "tool_calls": calls}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1700000000,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": script.finish}],
        "usage": script.usage,
    }


def error(message: str, code: str | None) -> dict[str, Any]:
    """The body of a failed request."""
    return {"error": {"message": message, "type": "error", "param": None, "code": code}}


def sample(schema: dict[str, Any]) -> Any:
    """The smallest value that fits a schema: the first label, short text, no list items."""
    if "enum" in schema:
        return schema["enum"][0]
    if schema.get("type") == "object":
        return {key: sample(value) for key, value in schema.get("properties", {}).items()}
    return {"string": "text", "boolean": True, "array": []}.get(schema.get("type", ""), 0)
