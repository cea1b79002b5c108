"""One call on its way out: what it is, what goes in, and the key under which it is known again.

Two calls are the same if their key is: method, inputs and who is asked. A prompt's version is no
part of it, since nobody knows before a call which prompt it takes; `Reuse` compares that.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic_core import to_jsonable_python

Kind = Literal["model", "search", "router", "tool", "ask"]

PASSAGE = frozenset({"chunk", "document", "version", "text"})  # what tells a passage in JSON
NAMED = ("chunk", "document", "version")

PURPOSES: Mapping[str, str] = {
    "detect_greeting": "greeting",
    "standalone": "standalone",
    "classify_topic": "topic",
    "detect_ambiguity": "ambiguity",
    "plan": "plan",
    "next_step": "step",
    "grade": "grade",
    "rewrite": "rewrite",
    "answer": "answer",
    "check": "check",
}
"""What each method of a model is for, in the words of a `ModelCall` of an endpoint."""


_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Asked:
    """`inputs` are the arguments by name, `identity` says who is asked and under which settings.

    `prompts` is the line of prompts of a model, and empty for all others.
    """

    kind: Kind
    method: str
    purpose: str
    inputs: Mapping[str, Any]
    identity: tuple[Any, ...] = ()
    prompts: str = ""

    def plain(self) -> dict[str, Any]:
        """The inputs as JSON values; of a picture its digest stands there."""
        plain: dict[str, Any] = to_jsonable_python(dict(self.inputs))
        task = plain.get("task")
        if isinstance(task, dict) and task.get("images"):
            task["images"] = [_picture(each) for each in task["images"]]
        if self.kind == "tool":  # a model numbers its calls anew each time
            plain["call"].pop("id", None)
        return plain

    def key(self, plain: Mapping[str, Any]) -> str:
        """SHA-256 over the canonical JSON of `plain()`, the method and the identity."""
        whole = {"method": self.method, "inputs": plain, "identity": self.identity}
        return hashlib.sha256(canonical(whole)).hexdigest()


def canonical(value: Any) -> bytes:
    """The same bytes for the same value."""
    return _ENCODER.encode(value).encode("utf-8", "surrogatepass")


def digest(text: str) -> str:
    """The beginning of a text's SHA-256, enough to tell two lines of prompts apart."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def referred(value: Any) -> Any:
    """JSON values with each passage by its name alone."""
    if isinstance(value, dict):
        if value.keys() >= PASSAGE:
            return {name: value[name] for name in NAMED}
        return {name: referred(each) for name, each in value.items()}
    return [referred(each) for each in value] if isinstance(value, list) else value


def _picture(image: Mapping[str, Any]) -> dict[str, Any]:
    of = hashlib.sha256(str(image["data"]).encode()).hexdigest()
    return {"name": image["name"], "media_type": image["media_type"], "sha256": of}
