"""The three groups come with the migrations, with their rights and no more."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group

from tests.staff import make_groups

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def groups_of_the_migrations() -> None:
    """Made by the migrations' own functions: a test that commits may have emptied the tables."""
    Group.objects.all().delete()
    make_groups()


DIRECTORY = {f"{act}_directoryentry" for act in ("view", "add", "change", "delete")}
RIGHTS = {
    "Support": {"read_transcripts", "view_ticket", "change_ticket", "label_turns", "export_turns"},
    "Reviewers": {"read_transcripts", "read_sensitive", "read_records", "work_on_incidents"}
    | {"view_ticket", "change_ticket", "label_turns", "settle_labels", "export_turns"},
    "Engineers": {"read_transcripts", "replay_turns", "view_ticket"}
    | {"rerun_turns", "use_lab", "change_prompts", "export_turns"}
    | DIRECTORY,
}


def rights() -> dict[str, set[str]]:
    groups = Group.objects.prefetch_related("permissions")
    return {g.name: {p.codename for p in g.permissions.all()} for g in groups}


def test_the_groups_have_their_rights_after_the_migrations():
    assert rights() == RIGHTS


def test_making_them_again_changes_nothing():
    make_groups()
    assert rights() == RIGHTS


def test_a_right_that_was_added_by_hand_stays():
    from django.contrib.auth.models import Permission

    extra = Permission.objects.get(codename="view_group")
    Group.objects.get(name="Support").permissions.add(extra)
    make_groups()
    assert rights()["Support"] == RIGHTS["Support"] | {"view_group"}
