"""The use cases of incidents: open one from a label, an alert or by hand; work on it; keep its log.

Nothing else writes incidents. What staff typed is redacted first; every change leaves a line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from admin_tracing import blast
from admin_tracing.models import CategoryOwner, GroundednessLabel, Incident, IncidentChange
from admin_tracing.notes import kept
from admin_tracing.suspects import MISSING, Suspect, SuspectKind
from admin_tracing.taxonomy import (
    OF_ALERT,
    OF_RULE,
    TAXONOMY,
    Category,
    Reach,
    Severity,
    severity,
    why,
)
from chat.alerts import Alert
from chat.contracts.verdicts import Outcome, Termination
from chat.models import Turn

LONGEST_TITLE = 160

SUSPECT_OF_RULE = {
    "control_fails_closed": Outcome.FAILED_CLOSED.value,
    "control_fails_open": Outcome.FAILED_OPEN.value,
    "control_missing": MISSING,
    "control_silent": MISSING,
}
"""What a control did, by the rule of its alert: the suspect is known at once."""


class BadChange(ValueError):
    """A change that is not made. Its text says why."""


@dataclass(frozen=True, slots=True)
class Window:
    """From `since` on and before `until`; without one it goes on, or has always been."""

    since: datetime | None = None
    until: datetime | None = None


def owner_of(category: Category) -> str:
    """Whose a category is: as set in the admin, else as the taxonomy says."""
    set_ = CategoryOwner.objects.filter(category=category).values_list("owner", flat=True)
    return set_.first() or TAXONOMY[category].owner


@transaction.atomic
def open_by_hand(
    by: Any, category: Category, title: str, *, note: str = "", turn: Turn | None = None
) -> Incident:
    """Raises `BadChange` without a title, `RedactionFailed` where the words cannot be screened."""
    title = kept(title)[:LONGEST_TITLE]
    if not title:
        raise BadChange("An incident needs a title.")
    return _open(category, title, _reach_of(turn), opened_by=by, note=kept(note), turn=turn)


@transaction.atomic
def open_from_label(label: GroundednessLabel) -> Incident:
    """The incident that a label names; the one that stands, if the label opened it before."""
    standing = Incident.objects.filter(label=label, category=label.incident_category).first()
    if standing is not None:
        return standing
    category = Category(label.incident_category)
    title = f"{category.replace('_', ' ').capitalize()} in one answer"
    incident = _open(
        *(category, title, _reach_of(label.turn)),
        opened_by=label.user,
        turn=label.turn,
        label=label,
        since=label.turn.started_at,
        until=label.turn.finished_at,
    )
    if label.incident_severity and label.incident_severity != incident.severity:
        override(incident, label.user, Severity(label.incident_severity), "As the label says.")
    return incident


def open_from_alert(alert: Alert) -> Incident | None:
    """An incident of an alert, or None while one of its rule and control is not closed."""
    if _standing(alert) is not None:
        return None
    try:
        with transaction.atomic():
            return _open_alert(alert)
    except IntegrityError:  # another process was first
        return None


@transaction.atomic
def override(incident: Incident, by: Any, to: Severity, reason: str) -> None:
    """Set another severity than the rule's. Raises `BadChange` without a reason."""
    reason = kept(reason)
    if not reason:
        raise BadChange("A severity is raised or lowered with a reason.")
    before = incident.severity
    incident.severity, incident.is_overridden = to, True
    incident.save(update_fields=["severity", "is_overridden"])
    _log(incident, by, "severity", before, to, reason)


@transaction.atomic
def change(incident: Incident, by: Any, fields: Mapping[str, str], reason: str = "") -> None:
    """Set owner, status, title or note. Each that differs leaves a line; a note's words do not."""
    reason = kept(reason)
    for name, value in fields.items():
        if name not in ("owner", "status", "title", "note"):
            raise BadChange(f"{name} is not changed like this.")
        _set(incident, by, name, value, reason)
    incident.save()


@transaction.atomic
def suspect(incident: Incident, by: Any, whom: Suspect | None, window: Window) -> None:
    """Name what is suspected and the window; the severity follows what is found."""
    if window.since and window.until and window.since >= window.until:
        raise BadChange("The window ends before it begins.")
    before = in_words(incident)
    incident.suspect_kind = whom.kind if whom else ""
    incident.suspect_name = whom.name if whom else ""
    incident.suspect_value = whom.value if whom else ""
    incident.since, incident.until = window.since, window.until
    incident.save()
    if (after := in_words(incident)) != before:
        _log(incident, by, "suspect", before, after)
    weigh(incident)


def weigh(incident: Incident) -> None:
    """Let the rule speak again, of what the suspect touched. A person's word stays in force."""
    whom = suspect_of(incident)
    if whom is None:
        return
    turns = blast.radius(whom, incident.since, incident.until)
    reach = blast.reach(turns, ongoing=_goes_on(incident))
    category = Category(incident.category)
    computed = max(severity(category, reach), _floor(incident.alert), key=lambda one: one.rank)
    if computed == incident.computed:
        return
    said = f"The rule: {why(category, reach)}."
    if not incident.is_overridden:
        _log(incident, None, "severity", incident.severity, computed, said)
        incident.severity = computed
    incident.computed = computed
    incident.save(update_fields=["severity", "computed"])


def weigh_open() -> None:
    """Let the rule speak again of every incident of an alert that is not closed."""
    for incident in Incident.objects.exclude(rule="").exclude(status=Incident.Status.CLOSED):
        weigh(incident)


def let_label_go(label: GroundednessLabel) -> None:
    """The label is taken back; what it opened stands by itself from now on."""
    for incident in Incident.objects.filter(label=label):
        incident.label = None
        incident.save(update_fields=["label"])
        _log(incident, label.user, "label", "given", "taken back")


def suspect_of(incident: Incident) -> Suspect | None:
    """What is suspected, if anything is."""
    if not incident.suspect_kind:
        return None
    kind = SuspectKind(incident.suspect_kind)
    return Suspect(kind, incident.suspect_name, incident.suspect_value)


def in_words(incident: Incident) -> str:
    """Suspect and window as the log and the readings say them."""
    return _in_words(suspect_of(incident), Window(incident.since, incident.until))


def _open(category: Category, title: str, reach: Reach, **fields: Any) -> Incident:
    level = max(severity(category, reach), _floor(fields.get("alert")), key=lambda one: one.rank)
    incident = Incident.objects.create(
        category=category,
        title=title,
        severity=level,
        computed=level,
        owner=owner_of(category),
        **fields,
    )
    said = f"The rule: {why(category, reach)}."
    _log(incident, fields.get("opened_by"), "opened", "", level, said)
    return incident


def _open_alert(alert: Alert) -> Incident:
    title, _, rest = alert.summary.partition(". ")
    whom = SUSPECT_OF_RULE.get(alert.rule) if alert.control else None
    incident = _open(
        OF_RULE.get(alert.rule, Category.CONTROL_OUTAGE),
        title.rstrip(".")[:LONGEST_TITLE],
        Reach(turns=alert.n, ongoing=True),
        note=rest,
        rule=alert.rule,
        control=alert.control,
        alert={
            "severity": alert.severity,
            "figure": alert.figure,
            "n": alert.n,
            "until": alert.until.isoformat(),
        },
        since=alert.since,
        suspect_kind=SuspectKind.CONTROL if whom else "",
        suspect_name=alert.control if whom else "",
        suspect_value=whom or "",
    )
    weigh(incident)
    return incident


def _floor(alert: Mapping[str, Any] | None) -> Severity:
    """An incident of an alert is never less than the alert says."""
    return OF_ALERT.get((alert or {}).get("severity", ""), Severity.LOW)


def _standing(alert: Alert) -> Incident | None:
    found = Incident.objects.filter(rule=alert.rule, control=alert.control)
    return found.exclude(status=Incident.Status.CLOSED).first()


def _set(incident: Incident, by: Any, name: str, value: str, reason: str) -> None:
    after = kept(value)[:LONGEST_TITLE] if name == "title" else value
    after = kept(value) if name == "note" else after
    before = getattr(incident, name)
    if after == before:
        return
    if name == "status":
        _move(incident, after)
    if name in ("title", "owner") and not after:
        raise BadChange(f"An incident needs {'an owner' if name == 'owner' else 'a title'}.")
    setattr(incident, name, after)
    told = name in ("status", "owner")  # a title or a note may name a person
    _log(incident, by, name, before if told else "", after if told else "", reason)


def _move(incident: Incident, status: str) -> None:
    if status not in Incident.Status.values:
        raise BadChange(f"{status!r} is no status.")
    closed = status == Incident.Status.CLOSED
    incident.closed_at = timezone.now() if closed else None
    if not closed and incident.rule and _other_is_open(incident):
        raise BadChange("Another incident of this alert is open.")


def _other_is_open(incident: Incident) -> bool:
    same = Incident.objects.filter(rule=incident.rule, control=incident.control)
    return same.exclude(pk=incident.pk).exclude(status=Incident.Status.CLOSED).exists()


def _goes_on(incident: Incident) -> bool:
    return incident.status == Incident.Status.OPEN and incident.until is None


def _reach_of(turn: Turn | None) -> Reach:
    """What one turn weighs."""
    if turn is None:
        return Reach()
    return Reach(
        restricted=turn.termination == Termination.RESTRICTED,
        sensitive=turn.is_sensitive,
        acted=turn.pauses.filter(kind="action", approved=True).exists(),
    )


def _in_words(whom: Suspect | None, window: Window) -> str:
    ends = {name: f"{at:%Y-%m-%d %H:%M} UTC" for name, at in asdict(window).items() if at}
    return " ".join([str(whom or "nothing"), *(f"{name} {at}" for name, at in ends.items())])[:300]


def _log(
    incident: Incident, by: Any, what: str, before: str = "", after: str = "", reason: str = ""
) -> None:
    IncidentChange.objects.create(
        incident=incident, user=by, what=what, before=before, after=after, reason=reason
    )
