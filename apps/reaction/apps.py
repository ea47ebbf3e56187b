"""Registers the app that holds reactions."""

from django.apps import AppConfig


class ReactionConfig(AppConfig):
    """Whether people go on or react."""

    name = "apps.reaction"
    label = "reaction"
    verbose_name = "Reaction"
