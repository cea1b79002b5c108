"""The workflow pages' entry in Django."""

from django.apps import AppConfig


class AdminTracingConfig(AppConfig):
    name = "admin_tracing"
    verbose_name = "Workflow"
    default_auto_field = "django.db.models.BigAutoField"
