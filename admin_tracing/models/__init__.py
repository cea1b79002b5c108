"""What the workflow pages write themselves: readings, labels, incidents."""

from admin_tracing.models.incidents import BlastRead, CategoryOwner, Incident, IncidentChange
from admin_tracing.models.labels import GroundednessLabel, RoutingLabel
from admin_tracing.models.records import RecordRead

__all__ = [
    "BlastRead",
    "CategoryOwner",
    "GroundednessLabel",
    "Incident",
    "IncidentChange",
    "RecordRead",
    "RoutingLabel",
]
