"""What ought to wake somebody: rules as data, their Prometheus form, and a look at the database."""

from chat.alerts.conditions import Counts
from chat.alerts.counts import check, recent_counts
from chat.alerts.evaluation import Alert, evaluate
from chat.alerts.prometheus import as_yaml
from chat.alerts.rules import RULES, AlertRule

__all__ = ["RULES", "Alert", "AlertRule", "Counts", "as_yaml", "check", "evaluate", "recent_counts"]
