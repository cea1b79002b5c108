"""What the agent hands to its models, tools and people, and what comes back: plain values.

`chat.contracts.ports` says who takes them. All are frozen and refuse unknown fields.
"""

from __future__ import annotations

from typing import Any, Literal

from chat.contracts.passages import Hit, Passage
from chat.contracts.verdicts import Mode, Value


class Exchange(Value):
    """One earlier question of the conversation and the answer that passed its checks."""

    question: str
    answer: str


class RewriteTask(Value):
    """Everything a rewrite may look at. Queries in `tried` must not come again.

    `terms` are the documents' own words near the question, best first; `avoid` holds words
    that brought nothing new.
    """

    question: str
    tried: tuple[str, ...]
    hits: tuple[Hit, ...]
    terms: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()


class Attachment(Value):
    """What came with a question, without its text: a file, or a document that was pasted."""

    name: str
    kind: Literal["document", "image", "paste"]
    characters: int = 0


class Image(Value):
    """A picture that came with the question; `data` is base64."""

    name: str
    media_type: str
    data: str


class ToolSpec(Value):
    """A tool as the model is told of it. `parameters` is a JSON schema of an object.

    `cost` is US dollars a call, `limit` calls a turn. `hints` are words of a question that
    asks for it. An irreversible tool runs only after the person's own yes. What a `published` one
    gives is the site's own to show: addresses and telephone numbers stay in it.
    """

    name: str
    description: str
    parameters: dict[str, Any]
    cost: float = 0.0
    limit: int = 3
    irreversible: bool = False
    published: bool = False
    timeout_ms: int = 5_000
    hints: tuple[str, ...] = ()


class ToolCall(Value):
    """A call that a model asks for; `arguments` is None where they could not be read."""

    id: str
    tool: str
    arguments: dict[str, Any] | None = None


class ToolResult(Value):
    """What came of a call. `text` is for the model; `passages` can be cited.

    `problem` is empty, or a stable word: unknown_tool, bad_arguments, failed, timeout,
    tool_cap, declined, not_confirmed.
    """

    call: ToolCall
    text: str
    problem: str = ""
    passages: tuple[Passage, ...] = ()
    summary: str = ""
    cost: float = 0.0
    ms: float = 0.0


class PromptWords(Value):
    """The rules of one purpose under the name that calls and records carry."""

    name: str
    system: str


class AnswerTask(Value):
    """What an answer is written from. Passages are cited as [1], [2] in this order.

    `tools` may be called, `results` came back from earlier calls. `wrong` holds the claims of
    an earlier draft that nothing supports. Without passages and results it is the direct path.
    """

    question: str
    history: tuple[Exchange, ...] = ()
    passages: tuple[Passage, ...]
    gaps: tuple[str, ...] = ()
    mode: Mode = Mode.STANDARD
    tools: tuple[ToolSpec, ...] = ()
    results: tuple[ToolResult, ...] = ()
    wrong: tuple[str, ...] = ()
    images: tuple[Image, ...] = ()


class Draft(Value):
    """What a model wrote, or the tools that it wants to call before it writes."""

    text: str
    calls: tuple[ToolCall, ...] = ()


class StepTask(Value):
    """What the model sees of an iterative turn when it decides whether and what to search.

    `found` are the accepted passages so far, `missing` the items that nothing answers yet, and
    `suggested` the words of a rewrite that it may use or not.
    """

    question: str
    history: tuple[Exchange, ...] = ()
    tried: tuple[str, ...] = ()
    found: tuple[Passage, ...] = ()
    missing: tuple[str, ...] = ()
    suggested: tuple[str, ...] = ()


class Step(Value):
    """The model's decision. `queries` are searched; none means that it wants to answer.

    `confidence` (0 to 1) is how sure it is of answering; None if it does not say.
    """

    queries: tuple[str, ...] = ()
    confidence: float | None = None
    why: str = ""


class CheckTask(Value):
    """Claims of a draft that code could not decide, and all that they may rest on.

    `passages` are numbered from 1, as in the draft. Every claim gets one verdict, in this order.
    """

    question: str
    draft: str
    claims: tuple[str, ...]
    passages: tuple[Passage, ...]
    images: tuple[Image, ...] = ()


class Pause(Value):
    """What a turn waits for: an answer to a question, or a yes to an action."""

    kind: Literal["clarification", "action"]
    question: str
    options: tuple[str, ...] = ()
    tool: str = ""
    irreversible: bool = False


class PauseReply(Value):
    """What the person said. `key` is the pause's own id: an action is done once for it."""

    text: str = ""
    approved: bool = False
    expired: bool = False
    key: str = ""
