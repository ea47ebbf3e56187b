"""Registers the Django app of embodiments; its label names its tables and migrations."""

from django.apps import AppConfig


class EmbodimentConfig(AppConfig):
    """Embodiments, action requests and outcomes."""

    name = "apps.simulation.embodiment"
    label = "embodiment"
    verbose_name = "Embodiment"
