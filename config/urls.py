"""The site's addresses. The workflow pages stand under the admin's, so they come before it."""

from django.contrib import admin
from django.urls import include, path

from chat import health

urlpatterns = [
    path("", include("chat.urls")),
    path("admin/rag-workflow/", include("admin_tracing.urls")),
    path("admin/", admin.site.urls),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", health.metrics, name="metrics"),
]
