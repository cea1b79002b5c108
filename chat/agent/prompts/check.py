"""Which claims does a draft make, and does anything carry them? Lenient on style, strict on
grounding."""

from __future__ import annotations

from chat.agent.prompts.parts import DATA_RULE, Prompt, data, passage
from chat.contracts.tasks import CheckTask

VERSION = "check-1"

LABEL_WORDS = 8

SYSTEM = f"""You check a draft of an answer against the numbered passages that it was written
from. You did not write it, and you do not improve it.
{DATA_RULE}

List in claims every statement of fact in the draft, one entry for each: figures, dates, prices,
conditions, what is possible and what is not, what somebody will do. Greetings, thanks, advice
without a fact, questions, and sentences that say that something was not found or was not done
are no claims. A draft without facts has no claims. For each claim set
text: the sentence of the draft, word for word.
label: what it is about, at most {LABEL_WORDS} words and no figure.
basis: QUOTATION if a passage says it in these words; SOURCE if a passage says it in other words;
CALCULATION if it is computed from what passages say; INTERPOLATION if it is concluded from
passages that do not say it; GENERAL_KNOWLEDGE if it is common knowledge and in no passage; NONE
if nothing carries it.
supported: YES if somebody who reads only the passages and the pictures would have to agree; NO
if they do not say it, say less, or say otherwise; UNCLEAR if you cannot tell.
reason: the words that carry it, or what is missing, in one line.
Wording, order, tone and length do not matter. A figure, a unit, a name, a condition or an
exception that differs from the passage matters: then it is NO. What you know yourself carries
nothing. A marker like [2] points to passage [2]; a claim that another passage carries is
supported all the same."""


def prompt(task: CheckTask) -> Prompt:
    """The passages as [1], [2] ... in the draft's own numbers, the question and the draft."""
    parts = [passage(chunk, f"passage [{n}]") for n, chunk in enumerate(task.passages, start=1)]
    parts += [data("question", task.question), data("draft", task.draft)]
    return Prompt(VERSION, SYSTEM, "\n\n".join(parts), task.images)
