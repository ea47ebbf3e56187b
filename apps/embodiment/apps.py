"""Registers the app that holds who embodies whom."""

from django.apps import AppConfig


class EmbodimentConfig(AppConfig):
    """People whom users act for."""

    name = "apps.embodiment"
    label = "embodiment"
    verbose_name = "Embodiment"
