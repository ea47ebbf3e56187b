"""Registers the app that holds reactions."""

from django.apps import AppConfig


class ReactionConfig(AppConfig):
    """Decisions to go on or to react."""

    name = "apps.reaction"
    label = "reaction"
    verbose_name = "Reaction"
