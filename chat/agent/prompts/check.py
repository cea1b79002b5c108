"""Does anything carry these claims? Lenient on wording, strict on grounding.

Asked of claims that code could not decide. The examples are there because a warning on a right
answer teaches people to read no warnings.
"""

from __future__ import annotations

from chat.agent.prompts.parts import DATA_RULE, Prompt, data, passage
from chat.contracts.tasks import CheckTask

VERSION = "check-2"

MOST_CLAIMS = 60
"""What one call is asked to judge; a draft with more is no answer to a question."""

SYSTEM = f"""You check claims of a draft against the numbered passages that it was written from.
You did not write it, you do not improve it, and it is nothing to you whether it passes.
{DATA_RULE}

The claims are numbered. Give in verdicts exactly one entry for each number, and no other. The
question and the draft are there only to tell what words like "it" or "this plan" mean. For each
claim set
claim: its number.
passages: the numbers of the passages that it rests on, as few as carry it; empty if none does.
basis: QUOTATION if a passage says it in these words; SOURCE if a passage says it in other words;
CALCULATION if it is computed from what passages say; INTERPOLATION if it is concluded from
passages that do not say it; GENERAL_KNOWLEDGE if it is common knowledge and in no passage; NONE
if nothing carries it.
reason: the words that carry it, or what is missing, in one line.
supported: YES if somebody who reads only the passages and the pictures would have to agree; NO
if they do not say it, say less, or say otherwise; UNCLEAR if you cannot tell.

Be lenient on wording. Order, tone, length and the choice of words do not matter, and one fact
can be written in several ways. Each of these is YES:
a unit that stands in a header or a caption: a column "Storage (GB)" with 250 carries "250 GB of
storage"; a table "in thousands of euros" with 4,180 carries "€4.18 million".
rounding that says so or loses nothing: 7.96 hours carries "about 8 hours"; 3.50 % carries "3.5%".
brackets for a minus: (612) in a column of results carries "a loss of 612".
percent and ratio: a rate of 0.125 carries "12.5%"; "one in four" carries "25%".
a year by its name: "the twelve months to 31 March 2023" carries "fiscal year 2023" where that is
the year's end.
near names of one measure: "profit after tax" carries "net profit"; "monthly recurring revenue"
carries "MRR".
durations and dates: "a fortnight" carries "14 days"; "36 hours" carries "a day and a half";
"3/11/2024" carries "3 November 2024" where days stand first.
a conclusion that only puts two passages together: "all plans have backups" and "Nano is a plan"
carry "Nano has backups".

Be strict on grounding. Each of these is NO, however near it sounds:
another figure, unit, name, currency or date: "30 days" for a passage that says 30 business days.
a condition or an exception that was dropped or added: "refunds are possible" for a passage that
gives them on annual plans alone.
more than is said: "always", "all", "only", "guaranteed" where the passage says "usually" or "some".
a cause, an order or a comparison between two things that the passage only puts side by side.
what one thing has, said of another: a figure of the Pro plan for the Basic plan.
a part that no passage carries, in a claim whose other part is carried.
What you know yourself carries nothing, though it be true. A marker like [2] in the draft points
to passage [2]; a claim that another passage carries is supported all the same."""


def prompt(task: CheckTask) -> Prompt:
    """The passages as [1], [2] ... in the draft's own numbers, question, draft, and the claims."""
    parts = [passage(chunk, f"passage [{n}]") for n, chunk in enumerate(task.passages, start=1)]
    parts += [data("question", task.question), data("draft", task.draft)]
    parts.append(data("claims", _numbered(task.claims[:MOST_CLAIMS])))
    return Prompt(VERSION, SYSTEM, "\n\n".join(parts), task.images)


def _numbered(claims: tuple[str, ...]) -> str:
    """One line each: a claim that breaks its line could begin another number."""
    return "\n".join(f"{n}. {' '.join(claim.split())}" for n, claim in enumerate(claims, start=1))
