"""Which prompts there are, by purpose, and how the rules of one are put in the place of others.

The rules of a purpose are versioned; what is shown to the model beside them (passages, the
question, what tools gave) stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from chat.agent.prompts import (
    ambiguity,
    answer,
    check,
    direct,
    grading,
    greeting,
    plan,
    rewrite,
    standalone,
    step,
    topic,
)
from chat.agent.prompts.parts import DATA_RULE, Prompt
from chat.contracts.tasks import PromptWords

SHIPPED: Mapping[str, PromptWords] = MappingProxyType(
    {
        "ambiguity": PromptWords(name=ambiguity.VERSION, system=ambiguity.SYSTEM),
        "answer": PromptWords(name=answer.VERSION, system=answer.SYSTEM),
        "check": PromptWords(name=check.VERSION, system=check.SYSTEM),
        "direct": PromptWords(name=direct.VERSION, system=direct.SYSTEM),
        "grade": PromptWords(name=grading.VERSION, system=grading.SYSTEM),
        "greeting": PromptWords(name=greeting.VERSION, system=greeting.SYSTEM),
        "plan": PromptWords(name=plan.VERSION, system=plan.SYSTEM),
        "rewrite": PromptWords(name=rewrite.VERSION, system=rewrite.SYSTEM),
        "standalone": PromptWords(name=standalone.VERSION, system=standalone.SYSTEM),
        "step": PromptWords(name=step.VERSION, system=f"{step.TASK}\n\n{step.BY_TOOL}"),
        "topic": PromptWords(name=topic.VERSION, system=topic.SYSTEM),
    }
)
"""What is shipped, by purpose."""

FIXED = frozenset({"step", "topic"})
"""Made of the site's own scope or of the form of a tool, so they have no other versions."""

OPEN = tuple(purpose for purpose in SHIPPED if purpose not in FIXED)
"""Purposes whose rules may be written anew."""

_PURPOSE_OF = {words.name: purpose for purpose, words in SHIPPED.items()}


def worded(prompt: Prompt, words: Mapping[str, PromptWords]) -> Prompt:
    """The prompt with the rules of `words` for its purpose, if they have any.

    That data is no instruction is no matter of wording: the sentence is put in where it is missing.
    """
    purpose = _PURPOSE_OF.get(prompt.version, "")
    if purpose in FIXED or (chosen := words.get(purpose)) is None:
        return prompt
    rules = chosen.system if DATA_RULE in chosen.system else f"{chosen.system}\n{DATA_RULE}"
    system = prompt.system.replace(SHIPPED[purpose].system, rules, 1)
    return replace(prompt, version=chosen.name, system=system)


def line(words: Mapping[str, PromptWords]) -> str:
    """Every prompt's version in one line."""
    return " ".join(sorted(words.get(purpose, SHIPPED[purpose]).name for purpose in SHIPPED))
