"""The two tools that are shipped, put together for one turn."""

from __future__ import annotations

from uuid import UUID

from chat.tools.directory import SearchDirectory
from chat.tools.known import Catalogue
from chat.tools.registry import Registry
from chat.tools.tickets import OpenTicket

CATALOGUE = Catalogue()  # what this process knows of the directory; empty until first read


def toolbox(turn: UUID | None) -> Registry:
    """The tools of one turn; without a turn nothing irreversible can be done. No waiting."""
    CATALOGUE.freshen()
    return Registry((SearchDirectory(CATALOGUE), OpenTicket(turn)))
