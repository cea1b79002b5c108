"""A turn run again with something changed: what was recorded is reused, the rest is called.

    change = change_from({"check_order": "budget"})     # raises BadChange, with words by field
    rerun = ask(user, [turn.pk], change)                # a row; the job makes it
    batch = ask(user, ids, change, filters=filters, cost_limit="2.50")
    batch_progress(batch); stop(batch)
    offers()                                            # what the form may offer
    cautions(turn); notes(rerun)                        # what a page has to say beside it

All of these are database work; `work` is the job of a serving process. Refusals are `CannotRerun`,
whose `public` is a sentence for the page.
"""

from __future__ import annotations

from chat.reruns.asking import COST_LIMIT, MOST, Progress, Sifted, ask, batch_progress, sift, stop
from chat.reruns.change import Change, change_from
from chat.reruns.comparing import compare, is_flipped, told
from chat.reruns.noting import cautions, notes
from chat.reruns.offering import Offers, offers
from chat.reruns.problems import BadChange, CannotRerun
from chat.reruns.working import LIMIT_SECONDS, work

__all__ = [
    "COST_LIMIT",
    "LIMIT_SECONDS",
    "MOST",
    "BadChange",
    "CannotRerun",
    "Change",
    "Offers",
    "Progress",
    "Sifted",
    "ask",
    "batch_progress",
    "cautions",
    "change_from",
    "compare",
    "is_flipped",
    "notes",
    "offers",
    "sift",
    "stop",
    "told",
    "work",
]
