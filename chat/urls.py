"""The chat's addresses: its pages, their fragments, and its socket."""

from __future__ import annotations

from django.contrib.auth.views import LogoutView
from django.urls import path
from django.views.generic import RedirectView

from chat import views
from chat.consumers import ChatConsumer

app_name = "chat"

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="chat:new"), name="home"),
    path("chat/", views.new_conversation, name="new"),
    path("chat/rail/", views.rail, name="rail"),
    path("chat/sign-out/", LogoutView.as_view(next_page="chat:new"), name="sign_out"),
    path("chat/documents/<path:document>/<int:version>/", views.document, name="document"),
    path("chat/<uuid:conversation>/", views.conversation, name="conversation"),
    path("chat/<uuid:conversation>/turns/<uuid:turn>/", views.turn, name="turn"),
    path("chat/<uuid:conversation>/sources/<uuid:turn>/<int:marker>/", views.source, name="source"),
]

websocket_urlpatterns = [path("ws/chat/<uuid:conversation>/", ChatConsumer.as_asgi())]
