"""What a record's codes mean, for a reader who knows nothing of this site.

A code is shown as its own words (`no_evidence`: no evidence), so that the page's script can hold
what is shown against what was sealed; what it means stands beside it.
"""

from __future__ import annotations

CONTROLS = {
    "scope": "Is this a question that is answered here?",
    "ambiguity": "Can it be looked up as it stands, or has it to be asked back?",
    "redaction": "Was personal data taken out before anything was kept?",
    "untrusted_input": "Were instructions in files and documents made harmless?",
    "relevance": "Does each passage that was found answer the question?",
    "coverage": "Was something found for every part of the question?",
    "citation_binding": "Does every marker stand for a passage that was read?",
    "groundedness": "Do the passages hold every claim of the answer?",
    "confidence": "How sure may the answer be said to be?",
    "bounded_retry": "Was the search ended in time?",
    "final_gate": "Was the text fit to be sent?",
    "policy": "Did every control run, or fail in its set direction?",
    "record": "Was this record sealed?",
    "reranker": "Were the passages put in a better order?",
    "toxicity": "Was the text free of insults?",
}
OUTCOMES = {
    "passed": "It ran and found nothing to do.",
    "acted": "It ran and changed or stopped something.",
    "failed_open": "It could not run; the turn went on without it.",
    "failed_closed": "It could not run; what it guards was withheld.",
    "skipped": "It was switched off or not needed.",
}
ENDS = {
    "answered": "The question was answered.",
    "answered_with_caveat": "The question was answered, with something to be said beside it.",
    "greeted": "A greeting was returned.",
    "crisis": "Somebody may have been in danger; a fixed text with contacts was sent.",
    "off_topic": "The question was not one for this site.",
    "restricted": "A rule on restricted topics spoke.",
    "clarification_expired": "A question back was not answered in time.",
    "no_evidence": "Nothing was found that answers the question.",
    "no_progress": "Further searches found nothing new.",
    "pass_cap": "The limit on searches ended the work.",
    "token_cap": "The limit on tokens ended the work.",
    "cost_cap": "The limit on cost ended the work.",
    "time_cap": "The limit on time ended the work.",
    "tool_cap": "The limit on tool calls ended the work.",
    "gate_blocked": "Nothing fit to be sent was left.",
    "user_stop": "The person stopped it.",
    "action_declined": "The person declined an action.",
    "control_failed": "A control that withholds on failure could not run.",
    "model_failed": "The model gave no answer.",
    "handed_off": "It was passed on to a person.",
    "superseded": "The person asked something else.",
    "step_limit": "It took too many steps; this is a fault.",
    "interrupted": "No process could finish it.",
}
ROUTES = {
    "direct": "Answered without a search.",
    "single_shot": "Answered from one search and its rewrites.",
    "iterative": "The model decided what to search.",
}
SUPPORTS = {
    "yes": "supports what is said",
    "no": "does not support what is said",
    "unchecked": "was not checked",
}
BY = {"code": "by code", "judge": "by the judging model", "person": "by a person"}


def spoken(code: str) -> str:
    """A stored code as its own words."""
    return code.replace("_", " ")
