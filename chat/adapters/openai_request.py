"""One request to a chat-completion endpoint, and what of it may be left out.

Parameters that are wanted but not needed, pictures and tools are each left out where an
endpoint refuses them: a plainer answer is better than none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from chat.agent.prompts.parts import UNSEEN, Prompt
from chat.contracts.tasks import Image, ToolSpec

Messages = list[tuple[str, str]]

# Wanted, but not every endpoint takes them: some reasoning models refuse a temperature.
OPTIONAL: Mapping[str, Any] = {"temperature": 0, "stream_options": {"include_usage": True}}


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of one model. `options` are always sent; the rest is given up if refused.

    `images` stand in the first message of the user. `tools` are offered, never demanded.
    """

    model: str
    messages: Messages
    options: Mapping[str, Any] = field(default_factory=dict)
    images: tuple[Image, ...] = ()
    tools: tuple[ToolSpec, ...] = ()

    @property
    def extras(self) -> tuple[str, ...]:
        """Names of what this request brings beyond text, the first to be given up first."""
        brought = {"images": self.images, "tools": self.tools}
        return tuple(name for name, values in brought.items() if values)

    def body(self, left_out: frozenset[str], *, stream: bool = False) -> dict[str, Any]:
        """The JSON to send, without the parameters and extras that are named."""
        optional = {key: value for key, value in OPTIONAL.items() if key not in left_out}
        if not stream:
            optional.pop("stream_options", None)
        body = {"model": self.model, "messages": self._messages(left_out), **optional}
        if self.tools and "tools" not in left_out:
            body |= offer(self.tools)
        return {**body, **self.options, **({"stream": True} if stream else {})}

    def _messages(self, left_out: frozenset[str]) -> list[dict[str, Any]]:
        messages: list[dict[str, Any]] = [
            {"role": role, "content": text} for role, text in self.messages
        ]
        if not self.images:
            return messages
        if "images" in left_out:
            messages[0]["content"] += f"\n\n{UNSEEN}"
            return messages
        asked = next(message for message in messages if message["role"] == "user")
        asked["content"] = [{"type": "text", "text": asked["content"]}, *map(_part, self.images)]
        return messages


def request_of(model: str, prompt: Prompt) -> Request:
    """A prompt as the first request of a conversation."""
    messages = [("system", prompt.system), ("user", prompt.user)]
    return Request(model, messages, images=prompt.images)


def offer(tools: Sequence[ToolSpec]) -> dict[str, Any]:
    """The parameters that offer tools to a model."""
    functions = [
        {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
        for tool in tools
    ]
    declared = [{"type": "function", "function": function} for function in functions]
    return {"tools": declared, "tool_choice": "auto"}


def _part(image: Image) -> dict[str, Any]:
    url = f"data:{image.media_type};base64,{image.data}"
    return {"type": "image_url", "image_url": {"url": url}}
