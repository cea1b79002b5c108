"""The chat application's entry in Django."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class ChatConfig(AppConfig):
    name = "chat"
    verbose_name = "Chat"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from chat import checks  # noqa: F401 - registers the system checks

        post_migrate.connect(_let_site_in, sender=self, dispatch_uid="chat.roles")


def _let_site_in(**kwargs: Any) -> None:
    """Tables are new or changed: the role that serves is given what it needs of them."""
    from chat import roles

    roles.let_site_in(kwargs["using"])
