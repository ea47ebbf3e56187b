"""Registers the app that holds interviews."""

from django.apps import AppConfig


class InteractionConfig(AppConfig):
    """What users ask of people."""

    name = "apps.interaction"
    label = "interaction"
    verbose_name = "Interaction"
