"""What the workflow pages write themselves: readings, labels and their work, incidents."""

from admin_tracing.models.incidents import BlastRead, CategoryOwner, Incident, IncidentChange
from admin_tracing.models.labels import GroundednessLabel, RoutingLabel
from admin_tracing.models.records import RecordRead
from admin_tracing.models.work import (
    DayFigure,
    Export,
    QueueItem,
    QueueLock,
    Review,
    Sample,
    SampleMark,
    Settlement,
    ShadowSearch,
    TurnLook,
)

__all__ = [
    "BlastRead",
    "CategoryOwner",
    "DayFigure",
    "Export",
    "GroundednessLabel",
    "Incident",
    "IncidentChange",
    "QueueItem",
    "QueueLock",
    "RecordRead",
    "Review",
    "RoutingLabel",
    "Sample",
    "SampleMark",
    "Settlement",
    "ShadowSearch",
    "TurnLook",
]
