"""The labelling queue: which turns wait for whom, who has one before them, and what stands."""

from admin_tracing.queueing.adding import add, wanted_of
from admin_tracing.queueing.agreement import How, Job, Word
from admin_tracing.queueing.jobs import (
    HOLDS_ANSWER,
    MAY_BE_LABELLED,
    holds_answer,
    jobs_of,
    may_be_labelled,
)
from admin_tracing.queueing.labelling import (
    Answer,
    NotYours,
    done,
    done_today,
    give,
    given_elsewhere,
    last_review,
    see,
    skip,
    undo,
    why_never,
    why_not,
)
from admin_tracing.queueing.locks import HOLD, release, renew
from admin_tracing.queueing.settling import (
    disagreements,
    may_settle,
    open_jobs,
    settle,
    settled,
    why,
)
from admin_tracing.queueing.standing import Standing, not_blind, standing, standing_labels
from admin_tracing.queueing.states import complete, recount, said_by
from admin_tracing.queueing.taking import left, take, take_this

__all__ = [
    "HOLD",
    "HOLDS_ANSWER",
    "MAY_BE_LABELLED",
    "Answer",
    "How",
    "Job",
    "NotYours",
    "Standing",
    "Word",
    "add",
    "complete",
    "disagreements",
    "done",
    "done_today",
    "give",
    "given_elsewhere",
    "holds_answer",
    "jobs_of",
    "last_review",
    "left",
    "may_be_labelled",
    "may_settle",
    "not_blind",
    "open_jobs",
    "recount",
    "release",
    "renew",
    "said_by",
    "see",
    "settle",
    "settled",
    "skip",
    "standing",
    "standing_labels",
    "take",
    "take_this",
    "undo",
    "wanted_of",
    "why",
    "why_never",
    "why_not",
]
