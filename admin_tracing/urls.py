"""The addresses under `/admin/rag-workflow/`."""

from __future__ import annotations

from django.urls import path

from admin_tracing import cases, data, live, quality, views

app_name = "workflow"

urlpatterns = [
    path("", views.turn_list, name="turns"),
    path("events/", live.all_events, name="all_events"),
    path("quality/", quality.quality, name="quality"),
    path("incidents/", cases.incident_list, name="incidents"),
    path("incidents/<int:incident>/", cases.incident_page, name="incident"),
    path("incidents/<int:incident>/suspect/", cases.name_suspect, name="suspect"),
    path("incidents/<int:incident>/turns.<str:form>", cases.blast_file, name="blast_file"),
    path("<uuid:turn>/", views.replay, name="replay"),
    path("<uuid:turn>/events/", live.turn_events, name="events"),
    path("<uuid:turn>/figures/", views.figures, name="figures"),
    path("<uuid:turn>/outline/", data.turn_outline, name="outline"),
    path("<uuid:turn>/details/", data.turn_details, name="details"),
    path("<uuid:turn>/latest/", data.turn_latest, name="latest"),
    path("<uuid:turn>/state/", data.turn_state, name="state"),
    path("<uuid:turn>/tokens/", data.turn_tokens, name="tokens"),
    path("<uuid:turn>/passage/", data.passage, name="passage"),
]
