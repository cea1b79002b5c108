"""Which call waits for the person's yes. Shown and run are the same call, so one place chooses."""

from __future__ import annotations

from collections.abc import Sequence

from chat.agent.budget import uses
from chat.agent.state import TurnState
from chat.contracts.ports import Ports
from chat.contracts.tasks import ToolCall


def to_confirm(calls: Sequence[ToolCall], state: TurnState, ports: Ports) -> ToolCall | None:
    """The first call that cannot be undone and may still be run; None if there is none."""
    names = {
        spec.name
        for spec in ports.tools.specs
        if spec.irreversible and uses(state, spec.name) < spec.limit
    }
    asked = (call for call in calls if call.tool in names and not ports.tools.problem(call))
    return next(asked, None)
