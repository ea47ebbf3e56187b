"""Registers the app that holds conversations."""

from django.apps import AppConfig


class DialogueConfig(AppConfig):
    """What people say to each other."""

    name = "apps.dialogue"
    label = "dialogue"
    verbose_name = "Dialogue"
