"""Registers the app that holds interviews."""

from django.apps import AppConfig


class InteractionConfig(AppConfig):
    """Interviews of agents."""

    name = "apps.interaction"
    label = "interaction"
    verbose_name = "Interaction"
