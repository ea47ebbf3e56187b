"""Registers the app that holds conversations."""

from django.apps import AppConfig


class DialogueConfig(AppConfig):
    """Conversations of agents."""

    name = "apps.dialogue"
    label = "dialogue"
    verbose_name = "Dialogue"
