"""Who may open which address, in one table: every address of the site, by reading and by writing.

A row has a letter for each of visitor, user, Support, Reviewer, Engineer and superuser: L is sent
to the login, R is refused, O is let in, - means that there is no such method. Frames of the socket
stand in `test_frames_access`.
"""

from __future__ import annotations

import pytest

from tests.access import admin_pages, answered, client_of, pages, rows
from tests.staff import EVERYBODY

pytestmark = pytest.mark.django_db(transaction=True)

NONE = "------"
ANYBODY = "OOOOOO"
ENGINEERS = "LRRROO"
REVIEWERS = "LRRORO"
LABELLERS = "LROORO"
STAFF = "LROOOO"
RECORDS_OR_REPLAY = "LRROOO"
NOBODY_YET = "LRRRRR"
"""Blind: nobody sees what the check said before they gave their own label."""

READ = (
    *("turns", "all_events", "follow", "replay", "events", "figures", "outline", "details"),
    *("latest", "state", "tokens", "passage", "calls", "beside_choose", "beside", "shared_line"),
    *("rerun_state", "reruns", "batch", "lab", "lab_run", "lab_file", "lab_estimate"),
)
WRITTEN = (
    *("lab_start", "lab_stop", "lab_add", "lab_remove", "lab_restore", "stop_rerun", "stop_batch"),
    "queue_add",
)
LABELLED = (
    *("queue_take", "queue_take_one"),
    *("queue_undo", "queue_label", "queue_done", "queue_skip", "queue_hold", "label_by_hand"),
)

PAGES: dict[str, tuple[str, str]] = {
    **{f"chat:{name}": (ANYBODY, NONE) for name in ("new", "rail", "document")},
    **{f"chat:{name}": (ANYBODY, NONE) for name in ("conversation", "turn", "source")},
    **{name: (ANYBODY, NONE) for name in ("healthz", "readyz", "metrics")},
    **{f"workflow:{name}": (ENGINEERS, NONE) for name in READ},
    **{f"workflow:{name}": (NONE, ENGINEERS) for name in WRITTEN},
    **{f"workflow:{name}": (NONE, LABELLERS) for name in LABELLED},
    "chat:home": (ANYBODY, ANYBODY),
    "chat:sign_out": (NONE, ANYBODY),
    "workflow:what_if": (ENGINEERS, ENGINEERS),
    "workflow:batch_new": (ENGINEERS, ENGINEERS),
    "workflow:quality": (RECORDS_OR_REPLAY, NONE),
    "workflow:quality_section": (RECORDS_OR_REPLAY, NONE),
    "workflow:gaps_file": (STAFF, NONE),
    "workflow:export": (STAFF, NONE),
    "workflow:import": (LABELLERS, LABELLERS),
    "workflow:queue": (LABELLERS, NONE),
    "workflow:label_one": (LABELLERS, NONE),
    "workflow:queue_path": (NOBODY_YET, NONE),
    "workflow:queue_log": (NOBODY_YET, NONE),
    "workflow:disagreements": (REVIEWERS, NONE),
    "workflow:settle": (REVIEWERS, REVIEWERS),
    "workflow:settle_undo": (NONE, REVIEWERS),
    "workflow:incidents": (REVIEWERS, NONE),
    "workflow:incident": (REVIEWERS, NONE),
    "workflow:suspect": (NONE, REVIEWERS),
    "workflow:blast_file": (REVIEWERS, NONE),
}

NO_ONE = "LLRRRR"
SUPERUSER = "LLRRRO"
ALL_STAFF = "LLOOOO"
OF_REVIEWERS = "LLRORO"
OF_ENGINEERS = "LLRROO"
BOTH = "LLOORO"

ADMIN: dict[str, tuple[str, str, str, str]] = {
    **{f"auth.{name}": (SUPERUSER,) * 4 for name in ("user", "group")},
    **{
        f"chat.{name}": (ALL_STAFF, NO_ONE, NO_ONE, NO_ONE)
        for name in ("conversation", "document", "documentversion", "chunk")
    },
    "chat.ticket": (ALL_STAFF, NO_ONE, BOTH, NO_ONE),
    "chat.directoryentry": (OF_ENGINEERS,) * 4,
    **{
        f"chat.{name}": (OF_ENGINEERS, OF_ENGINEERS, NO_ONE, NO_ONE)
        for name in ("promptversion", "prompttrial")
    },
    "chat.decisionrecord": (OF_REVIEWERS, NO_ONE, NO_ONE, NO_ONE),
    "chat.legalhold": (OF_REVIEWERS, OF_REVIEWERS, NO_ONE, NO_ONE),
    "admin_tracing.recordread": (OF_REVIEWERS, NO_ONE, NO_ONE, NO_ONE),
    "admin_tracing.blastread": (OF_REVIEWERS, NO_ONE, NO_ONE, NO_ONE),
    "admin_tracing.incident": (OF_REVIEWERS, OF_REVIEWERS, OF_REVIEWERS, NO_ONE),
    "admin_tracing.categoryowner": (OF_REVIEWERS, OF_REVIEWERS, OF_REVIEWERS, NO_ONE),
    **{
        f"admin_tracing.{name}": (BOTH, BOTH, NO_ONE, NO_ONE)
        for name in ("routinglabel", "groundednesslabel")
    },
}
"""By model: who may look, add, change and remove."""


def test_the_table_has_every_address() -> None:
    known = rows()
    assert set(pages(known)) == set(PAGES)
    assert {name.partition(" ")[0] for name in admin_pages(known)} == set(ADMIN)


@pytest.mark.parametrize("who", EVERYBODY)
def test_every_page_is_open_to_who_may_and_to_nobody_else(who: str) -> None:
    found, client, at = pages(rows()), client_of(who), EVERYBODY.index(who)
    seen = {name: answered(client, "get", address) for name, address in found.items()}
    assert seen == {name: row[0][at] for name, row in PAGES.items()}


@pytest.mark.parametrize("who", EVERYBODY)
def test_every_page_is_written_by_who_may_and_by_nobody_else(who: str) -> None:
    found, client, at = pages(rows()), client_of(who), EVERYBODY.index(who)
    signing_out = found.pop("chat:sign_out")
    seen = {name: answered(client, "post", address) for name, address in found.items()}
    seen["chat:sign_out"] = answered(client, "post", signing_out)
    assert seen == {name: row[1][at] for name, row in PAGES.items()}


@pytest.mark.parametrize("who", EVERYBODY)
def test_the_admin_shows_and_takes_no_more_than_a_right_gives(who: str) -> None:
    found, client, at = admin_pages(rows()), client_of(who), EVERYBODY.index(who)
    seen = {}
    for model in ADMIN:
        looked = answered(client, "get", found[f"{model} changelist"])
        assert answered(client, "get", found[f"{model} change"]) == looked, model
        seen[model] = (
            looked,
            *(
                answered(client, "post", found[f"{model} {page}"])
                for page in ("add", "change", "delete")
            ),
        )
    assert seen == {model: tuple(row[at] for row in parts) for model, parts in ADMIN.items()}
