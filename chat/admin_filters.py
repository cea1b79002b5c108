"""Filters of the lists in Django admin."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from chat.models import Conversation


class WhoseFilter(admin.SimpleListFilter):
    """People's conversations, unless others are asked for: the lab makes one for each turn."""

    title = "whose"
    parameter_name = "whose"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("lab", "Lab and re-runs"), ("all", "All")]

    def choices(self, changelist: Any) -> Any:
        people, *others = super().choices(changelist)
        return [{**people, "display": "People"}, *others]

    def queryset(
        self, request: HttpRequest, rows: QuerySet[Conversation]
    ) -> QuerySet[Conversation]:
        wanted = self.value()
        return rows if wanted == "all" else rows.filter(is_lab=wanted == "lab")
